# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose answer counts: a yes answers one question of one player, and no question that nobody can have heard.

A yes, a no or a pressed clock that follows on another at once may be the same one doubled, by a trembling
hand or a key that was held. Where a question follows on an answer, such an answer counts only when the
question has been said to its end, or with no voice could be read; and a key that only repeats itself never
answers for the other player. An answer that names the player ("Black yes"), or what it does ("accept",
"made"), counts at any time; so does that of who is asked on his own page, if the one before was no answer
of that page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import (
    NOTHING,
    Arbitrated,
    Asking,
    Confirm,
    Making,
    Numbering,
    Offered,
    Replying,
    Signing,
    Stopped,
    Sure,
    TakingBack,
    Topics,
)
from acessivel.message import Message
from acessivel.rules.position import COLOURS, other
from acessivel.session.events import Heard, SpeechEnded
from acessivel.session.state import State, Unheard
from voices.meaning import Answer, Command, CommandName, Meaning, Reading

_READING_MS = 2000  # before that nobody can have read a question, wherever it is shown
_PRESS = Command(CommandName.PRESS)


def asked(state: State) -> str:
    """Who is asked, or is to move: "white", "black", "arbiter"; "" if anybody may answer."""
    match state.asking:
        case Offered() | Signing() | Making() as asking:
            return _player(asking)
        case Deciding() | Arbitrated():
            return "arbiter"
        case Sure(colour=colour, by=by) if colour or by:
            return by or colour
        case Sure() | Topics() | Numbering() | Replying() | Stopped():
            return ""
    return state.speaker


def _player(asking: Offered | Signing | Making) -> str:
    """Who is asked a question that can follow on the other player's answer."""
    match asking:
        case Offered(by):
            return other(by)
        case Signing(colours):
            return colours[0]
        case Making(fact):
            return other(fact.colour)


def named(asking: Asking) -> tuple[Answer, ...]:
    """The answers that name who is asked, where the other player may have answered before."""
    if not isinstance(asking, Offered | Signing | Making):
        return ()
    return tuple(Answer(yes, _player(asking)) for yes in (True, False))


def answer(said: Sequence[Reading]) -> Meaning | None:
    """The yes, the no or the pressed clock among the readings of what was said, if there is one."""
    answers = (r.meaning for r in said if isinstance(r.meaning, Answer) or r.meaning == _PRESS)
    return next(answers, None)


def unheeded(state: State, event: Heard, said: Meaning | None) -> Message | None:
    """Why an answer does not count; None if it does, or is none."""
    if said is None or (state.asking == NOTHING and said != _PRESS):
        return None
    who = asked(state)
    name = said.colour if isinstance(said, Answer) else ""
    if name and who in COLOURS:
        return None if name == who else _of_another(state)
    unheard = state.unheard
    if unheard is None or unheard.asking != state.asking or not _doubles(unheard, event, said):
        return None
    if _is_own(state) or _is_of_another_source(state, unheard):
        return None
    if state.asking == NOTHING:
        return Message.of("press_doubled")
    return _of_another(state) if unheard.other else Message.of("answer_early")


def _doubles(unheard: Unheard, event: Heard, said: Meaning) -> bool:
    """Whether an answer may be only the one before again."""
    if not unheard.other and said != Answer(yes=True):
        return False
    repeats = event.key and unheard.other and unheard.key == str(said)
    return repeats or unheard.due_ms is None or event.at < unheard.due_ms


def _of_another(state: State) -> Message:
    who = asked(state)
    if not state.two_persons or who not in COLOURS:
        return Message.of("answer_early")
    return Message.of("answer_other", colour=who)


def said_again(state: State, event: Heard, said: Meaning) -> State:
    """The state after an answer that does not count: its question is put again, and must be heard again."""
    unheard = state.unheard or Unheard(state.asking, other=True)
    key = unheard.key if state.asking == NOTHING else _key(event, said)
    return replace(state, unheard=replace(unheard, key=key, since_ms=event.at, due_ms=None))


def followed(before: State, after: State, event: Heard, said: Meaning | None) -> State:
    """The state after what was said: an answer leaves the next question unheard.

    So does what a player asks for on his page while something else is asked, and a press that was found
    illegal, whose doubled press would be one more.
    """
    if _covers(before, after):
        return replace(after, unheard=Unheard(after.asking, other=True, since_ms=event.at))
    if said is None or (after.asking == before.asking and said != _PRESS):
        return after
    # Where anybody may answer, it is who is to move, but a question that can be the other player's is his.
    who = asked(before) or ("" if isinstance(after.asking, Offered | Signing | Making) else before.speaker)
    illegal = said == _PRESS and _offends(before, after)
    others = illegal or (after.two_persons and who != asked(after))
    doubtful = others or said == Answer(yes=True)
    key = "" if illegal else _key(event, said)  # a press that asks nothing doubles only until it was told
    unheard = Unheard(after.asking, others, key, event.by, event.at) if doubtful else None
    return replace(after, unheard=unheard)


def completed(before: State, after: State, said: Meaning | None) -> State:
    """The state with whose move was just completed by its yes.

    So was an illegal one that was found and taken back at once.
    """
    whose = ""
    if said != _PRESS:
        if len(after.game.played) > len(before.game.played):
            whose = after.game.played[-1].fact.colour
        elif isinstance(before.asking, Confirm) and _offends(before, after):
            whose = before.asking.fact.colour
    return replace(after, clocks=replace(after.clocks, completed=whose))


def _offends(before: State, after: State) -> bool:
    """Whether what was said has led to an illegal move that counts."""
    return len(after.game.offences) > len(before.game.offences)


def _covers(before: State, after: State) -> bool:
    """Whether the page of a player or the arbiter has put a question in place of one that is not his."""
    sure, by_page = after.asking, before.by in (*COLOURS, "arbiter")
    if not (isinstance(sure, Sure | Stopped) and after.two_persons and by_page) or sure == before.asking:
        return False
    instead = (before.asking, sure.before) if isinstance(sure, Sure) else (before.asking,)
    covered = (replace(before, asking=one) for one in instead if one != NOTHING)
    return any(asked(one) != before.by for one in covered)


def _is_own(state: State) -> bool:
    """Whether a player answers on his page what he has asked for there."""
    sure = state.asking
    return isinstance(sure, Sure) and bool(sure.by) and {sure.by, sure.colour} <= {state.by, ""}


def _is_of_another_source(state: State, unheard: Unheard) -> bool:
    """Whether who is asked answers on his page, and the answer before came from elsewhere: no double."""
    asked_there = state.by in COLOURS and state.by == asked(state)
    return asked_there and unheard.by is not None and unheard.by != state.by


def _key(event: Heard, said: Meaning) -> str:
    """The key that answered, by what it means; "" if it was said or typed in words."""
    return str(said) if event.key else ""


def after_speech(state: State, event: SpeechEnded) -> State:
    """The state when everything has been said: from now on, or after a reading time, answers count."""
    unheard = state.unheard
    if unheard is None or unheard.due_ms is not None:
        return state
    due = event.at if event.heard else max(event.at, unheard.since_ms + _READING_MS)
    return replace(state, unheard=replace(unheard, due_ms=due))


def put_by_itself(before: State, after: State) -> State:
    """The state after a question that no answer has brought up: answers to it count once it has been heard.

    Whoever answers at that moment may have meant the question before.
    """
    asks = isinstance(after.asking, Offered | TakingBack) or (
        isinstance(after.asking, Confirm) and not isinstance(before.asking, Confirm)
    )
    if after.asking == before.asking or not asks:
        return after
    return replace(after, unheard=Unheard(after.asking, other=True, since_ms=after.now_ms))


def put_anew(state: State) -> State:
    """The state in a new run, whose time starts afresh: an unheard question is put again."""
    if state.unheard is None:
        return state
    return replace(state, unheard=replace(state.unheard, since_ms=state.now_ms, due_ms=None))
