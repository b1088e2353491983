# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiters of a hall, who are not at the table: how they are called, and what they decide from there."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import arbiter_menu, questions
from acessivel.dialogue.arbiter_menu import FOUND, MENU, Deciding
from acessivel.dialogue.questions import Sure
from acessivel.dialogue.turn import Turn
from acessivel.message import Duration, Message
from acessivel.messages import wire
from acessivel.messages.rendering import has_words
from acessivel.queries import queries
from acessivel.session import arbiter, withdrawals
from acessivel.session.changes import resting, say, stopped, together
from acessivel.session.effects import Effect, Say
from acessivel.session.events import HallNews, Proposed
from acessivel.session.state import AppliedProposal, State, Step, Unheard
from voices.meaning import CommandName

# What an arbiter can decide from elsewhere besides what his menu at the table has.
_FROM_ELSEWHERE = frozenset({"stop", "go", "coming", "announce", "pairing"})
_TELLING = frozenset({"announce", "pairing"})  # at any time, even after the game
_OF_THE_MENU = frozenset({*MENU, *FOUND, "absence"}) - {"clocks", "more"}
_ON_A_RULING = frozenset({"claim", "absence"})
# All else that he decides is right only of the position and of the moment, or shortly after.
_AT_ANY_TIME = frozenset({"warn", "coming"}) | _TELLING
# Nor does this change the position of a move that is being sealed, or let its clocks run.
_WHILE_WRITTEN = _AT_ANY_TIME | {"result"}
_FEW_PLIES = 2
_LONG_MS = 3 * 60_000


def joined(state: State, *, followed: bool) -> State:
    """The state of a run in which the game is followed from a hall, or is not."""
    known = replace(state.hall, joined=followed, lost=False, untold=False, due="", told=False)
    return replace(state, hall=known)


def happened(state: State, event: Proposed | HallNews) -> Step:
    """An arbiter has decided something, or the hall is lost or back."""
    return _proposed(state, event) if isinstance(event, Proposed) else _news(state, event)


def callable_from(state: State, turn: Turn) -> Turn:
    """Ask for the arbiter so that a no calls him, if a hall can be called."""
    sure = turn.asking
    if not (state.hall.joined and isinstance(sure, Sure) and sure.command is CommandName.ARBITER):
        return turn
    sure = replace(sure, calls=True)
    return turn if sure == turn.asking else replace(turn, asking=sure, say=questions.question(sure))


def called(state: State) -> Step:
    """The players call the arbiter; their clocks go on unless they stop them (6.11.2; 2018)."""
    state, told = _calling(state, by_clock=False)
    return say(state, told, *questions.question(state.asking))


def clock_stopped(state: State, why: Message) -> Step:
    """A player has stopped the clocks: in a hall that calls the arbiter, who alone is sought by it.

    Elsewhere there is nothing to stop without a clock, nor where it stands.
    """
    hall = state.hall
    if state.clocks.stopped and (hall.called or not hall.joined):
        return say(state, *questions.question(state.asking))
    if not (state.game.clock or hall.joined):
        return say(state, Message.of("no_clock"), *questions.question(state.asking))
    state, effects = stopped(state, why, held=hall.held and state.clocks.stopped)
    if hall.called or not hall.joined:
        return state, effects
    state, told = _calling(state, by_clock=True)
    return say(state, why, told, *questions.question(state.asking))


def _calling(state: State, *, by_clock: bool) -> tuple[State, Message]:
    """The state with the call, and what the players hear; not that one comes while nothing reaches him."""
    hall = state.hall
    state = replace(
        state, hall=replace(hall, called=True, by_clock=by_clock, due="", told=hall.told or hall.lost)
    )
    return state, Message.of("hall_called_later" if hall.lost else "hall_called")


def come(state: State) -> tuple[State, tuple[Message, ...]]:
    """The arbiter is at the table: he need not be called, and hears once that the hall is lost."""
    told = (Message.of("hall_lost"),) if state.hall.untold else ()
    return replace(state, hall=replace(state.hall, called=False, by_clock=False, untold=False)), told


def go_on(state: State) -> Step:
    """The players let the clocks run again, unless an arbiter has stopped them from elsewhere.

    Then nobody needs to come because they were stopped; who was called in words still is.
    """
    if state.hall.held:
        state = resting(state)
        return say(state, *questions.question(state.asking))
    if not state.hall.by_clock:
        return arbiter.go_on(state)
    state = replace(state, hall=replace(state.hall, called=False, by_clock=False))
    return together((Say((Message.of("hall_uncalled"),)),), arbiter.go_on(state))


def _news(state: State, event: HallNews) -> Step:
    """The hall is lost or back: only the arbiter's page is told at once.

    It concerns the players only if it was not there from the beginning, or if their call does not reach it.
    """
    hall = state.hall
    if event.lost == hall.lost:
        return state, ()
    told = Message.of("hall_key_refused" if event.refused else "hall_lost" if event.lost else "hall_back")
    due = "hall_back" if hall.told else ""
    if event.lost:
        due = "hall_called_later" if hall.called else ""
        if event.never:
            due = "hall_key_refused" if event.refused else "hall_unreached"
    state = replace(state, hall=replace(hall, lost=event.lost, untold=event.lost, due=due))
    return state, (Say((told,), private=True, unasked=True, to="arbiter"),)


def wakes_in(state: State, *, quiet: bool) -> int | None:
    """In how many ms there is something to tell of the connection; None if there is nothing, or not now."""
    return 0 if quiet and state.hall.due else None


def due(state: State) -> Step | None:
    """Tell the players once what concerns them of the connection; the last answer can still be repeated."""
    key = state.hall.due
    if not key:
        return None
    state = replace(state, hall=replace(state.hall, due="", told=state.hall.lost))
    return state, (Say((Message.of(key), *questions.question(state.asking))),)


def _proposed(state: State, event: Proposed) -> Step:
    """Rule on what an arbiter has decided from elsewhere, as on his word at the table; each once.

    What cannot be applied disturbs nobody at the table: only the hall is told why.
    """
    if any(known.id == event.id for known in state.hall.proposals):
        return state, ()
    why = _refusal(state, event)
    if not why and event.what in _OF_THE_MENU:
        after, effects = arbiter.decided(state, _deciding(state, event))
        if after.game == state.game:  # it could not be carried out, which nobody at the table has asked for
            why = _told(effects)[0]
    answer = AppliedProposal(event.id, event.by, event.what, event.given, why)
    state = replace(state, hall=replace(state.hall, proposals=(*state.hall.proposals, answer)))
    if why or event.what == "pairing":
        return (state, ()) if why else _with_pairing(state, event)
    return _kept_asking(state, *_applied(state, event))


def next_pairing(state: State) -> Message:
    """What the players at this table have next."""
    return state.hall.pairing or Message.of("hall_no_pairing")


def _with_pairing(state: State, event: Proposed) -> Step:
    """Keep what is next for the players; nobody hears of it in the middle of a game."""
    state = replace(state, hall=replace(state.hall, pairing=_message(event)))
    if not state.game.result:
        return state, ()
    return say(state, next_pairing(state), *questions.question(state.asking))


def _refusal(state: State, event: Proposed) -> Message | None:
    """Why a decision cannot be applied; None if it can."""
    if event.what not in _FROM_ELSEWHERE | _OF_THE_MENU or not _complete(state, event):
        return Message.of("hall_unknown")
    if event.what in _TELLING:
        return None
    if event.what == "coming" and (state.game.result or not state.hall.called):
        return Message.of("hall_already")  # nobody waits any more
    if state.game.result:
        return Message.of("game_is_over", result=queries.over(state.game))
    writing = state.adjournment.written and event.what not in _WHILE_WRITTEN
    if state.adjournment.sealed or writing:
        return Message.of("hall_adjourned")
    if event.what in ("stop", "go"):
        holds = state.clocks.stopped and state.hall.held  # what players stopped is not yet his to start
        already = holds if event.what == "stop" else not state.clocks.stopped
        if already:
            return Message.of("hall_already")
    return None if event.what in _AT_ANY_TIME else _past(state, event)


def _past(state: State, event: Proposed) -> Message | None:
    """Why a decision is not about what stands now; None if it is."""
    plies = len(state.game.played)
    if event.what in _ON_A_RULING:
        ruling = state.arbiter.pending or state.arbiter.postponed
        same = ruling and (ruling.key, plies) == (event.about, event.plies)
        return None if same else Message.of("hall_other_position")
    if abs(plies - event.plies) > _FEW_PLIES:
        return Message.of("hall_other_position")
    return Message.of("hall_too_late", time=Duration(event.ago_ms)) if event.ago_ms > _LONG_MS else None


def _complete(state: State, event: Proposed) -> bool:
    """Whether it has the numbers, or the message, that it needs, and no others."""
    if event.what in _TELLING:
        return _message(event) is not None
    if event.what in _FROM_ELSEWHERE:
        return not event.given
    deciding = replace(_deciding(state, event), given=())
    for number in event.given:
        if not deciding.missing or number not in arbiter_menu.numbers(deciding):
            return False
        deciding = arbiter_menu.numbered(deciding, number)
    return not deciding.missing


def _message(event: Proposed) -> Message | None:
    """What is to be told; None if there are no words for it here."""
    try:
        message: Message = wire.from_json(event.message, (Message,))
    except ValueError:
        return None
    return message if has_words(message) else None


def _deciding(state: State, event: Proposed) -> Deciding:
    may_postpone = arbiter.may_postpone(state)
    return Deciding(state.game.position.fullmove, event.what, event.given, may_postpone)


def _applied(state: State, event: Proposed) -> Step:
    who = Message.of("hall_decides", name=event.by)
    match event.what:
        case "announce":
            message = _message(event)
            return say(state, *((message,) if message else ()))
        case "coming":
            state, _ = come(state)
            return say(state, Message.of("hall_coming", name=event.by))
    state, _ = come(replace(state, game=state.game.noted(who)))
    match event.what:
        case "stop":
            state, effects = stopped(state, Message.of("clocks_stopped"), held=True)
        case "go":
            state, effects = arbiter.go_on(state)
        case _:
            state, effects = arbiter.decided(state, _deciding(state, event))
    return state, (Say((who,)), *effects)


def _kept_asking(before: State, after: State, effects: tuple[Effect, ...]) -> Step:
    """Put the question that was open once more, if the game stands as it stood.

    Else it goes, not without a word where it was about a move; and what is asked instead was asked by nobody
    at the table: an answer counts only once it can have been heard.
    """
    told = _told(effects)
    others = tuple(one for one in effects if not isinstance(one, Say))
    now = questions.question(after.asking)
    if now and tuple(told[-len(now) :]) == now:
        del told[-len(now) :]
    if _stands(before) == _stands(after):
        after = replace(after, asking=before.asking)
    else:
        after = resting(after) if isinstance(after.asking, Deciding) else after  # it is asked in the hall
        told += [withdrawals.WITHDRAWN] if withdrawals.is_announced(before.asking) else []
        after = replace(after, unheard=Unheard(after.asking, other=True, since_ms=after.now_ms))
    after, said = say(after, *told, *questions.question(after.asking))
    return after, (*others, *said)


def _told(effects: tuple[Effect, ...]) -> list[Message]:
    return [message for one in effects if isinstance(one, Say) for message in one.messages]


def _stands(state: State) -> tuple[object, ...]:
    """What an open question is about."""
    game = state.game
    clocks = state.clocks.stopped, state.hall.held
    return game.played, game.announced, game.result, state.arbiter.pending, clocks, state.touch
