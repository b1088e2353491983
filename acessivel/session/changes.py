# SPDX-License-Identifier: GPL-3.0-or-later
"""What several events do alike to a session: tell something, stop or start the clocks, rule, end the game."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import (
    NOTHING,
    Arbitrated,
    Asking,
    Claiming,
    Grounds,
    Making,
    Offered,
    Stopped,
    TakingBack,
)
from acessivel.game.game import Game
from acessivel.laws import game_end
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import COLOURS, other
from acessivel.session.effects import AskEngine, Effect, Say
from acessivel.session.events import Event
from acessivel.session.state import DrawState, State, Step, ToldState

_LOG = logging.getLogger(__name__)

# What is ruled -> the reason that is told with the result.
_REASONS: Mapping[str, str] = {
    "claim_threefold_right": "threefold",
    "claim_fifty_right": "fifty",
    "flag_lost": "flag",
    "flag_drawn": "flag_no_mate",
    "flags_drawn": "flags",
    "flags_both_drawn": "flags",
    "agreed": "agreement",
    "resigned": "resignation",
    "illegal_lost": "illegal",
    "illegal_drawn": "illegal_no_mate",
    "illegal_position_draw": "illegal_position",
    "late_lost": "late",
    "late_both": "late",
    "adjourn_late": "late",
    "left": "left",
    "sealed_ambiguous": "sealed",
    "sealed_false": "sealed",
    "sealed_illegal": "sealed",
    "sealed_ambiguous_drawn": "sealed_no_mate",
    "sealed_false_drawn": "sealed_no_mate",
    "sealed_illegal_drawn": "sealed_no_mate",
}
# Reasons that leave out what the ruling says, so that both are told.
_SHORT_REASONS = frozenset({"late", "sealed", "sealed_no_mate", "ruling"})
# Rulings on players who came late: whether the game is lost is asked of the arbiter who is there.
ABSENCES = frozenset({"late_arbiter", "late_lost_asked", "late_both_asked"})
# Reasons that lie in the position, with the announced move: it is made, and stands in the record.
_OF_POSITION = frozenset({"threefold", "fifty", "flag_no_mate"})
# Rulings from which only the arbiter can go on; the others just leave a penalty to him.
_HALTING = frozenset(
    {
        "flag_undecided",
        "flag_postponed",
        "illegal_undecided",
        "flags_arbiter",
        "quickplay_asked",
        "quickplay_cannot_win",
        "quickplay_no_effort",
        "same_move",
        "sealed_undecided",
        "adjourn_both",
        "adjourn_arbiter",
        *ABSENCES,
    }
)


def say(state: State, *messages: Message, private: bool = False) -> Step:
    """Tell something, and remember it for repetition; the rest of a long answer is dropped."""
    to = state.by if private else ""
    return replace(state, told=ToldState(messages, private, to)), (Say(messages, private, to=to),)


def ignored(state: State, event: type[Event]) -> Step:
    """Do nothing, and log which kind of event meant nothing at which kind of question; never the words."""
    _LOG.info("%s does nothing while %s is asked", event.__name__, type(state.asking).__name__)
    return state, ()


def together(first: tuple[Effect, ...], then: Step) -> Step:
    """Merge earlier messages and new ones into one announcement: two would cut each other off.

    Messages for one player alone stay separate.
    """
    state, effects = then
    before = tuple(message for effect in first if isinstance(effect, Say) for message in effect.messages)
    if not before:
        return then
    if any(isinstance(effect, Say) and effect.private for effect in (*first, *effects)):
        return state, (*first, *effects)
    now = tuple(message for effect in effects if isinstance(effect, Say) for message in effect.messages)
    state, told = say(state, *before, *now)
    return state, (*told, *(effect for effect in effects if not isinstance(effect, Say)))


def stopped(state: State, why: Message, *, held: bool = False) -> Step:
    """Stop both clocks until somebody says that play goes on; this goes into the record.

    `held`: that is for an arbiter to say.
    """
    state = replace(
        state,
        hall=replace(state.hall, held=held),
        clocks=replace(state.clocks, stopped=True, waits=True),
        game=state.game.pause(state.now_ms).noted(why),
    )
    state = resting(state)
    return say(state, why, *questions.question(state.asking))


def resting(state: State) -> State:
    """The state with the question that is open when no other is."""
    asking: Asking = NOTHING
    if not state.game.result:
        if state.arbiter.pending:
            asking = Arbitrated()
        elif state.clocks.stopped:
            asking = Stopped(state.hall.held, announced=state.game.announced is not None)
        elif state.game.announced:
            asking = Making(state.game.announced)
        elif state.draw.claiming and not state.to_repeat:
            asking = Claiming(state.draw.claiming, stands=True)
        elif state.draw.offer and (state.two_persons or state.draw.offer != state.setup.colour):
            asking = Offered(state.draw.offer)
        elif state.online.takeback and state.online.takeback != state.setup.colour:
            asking = TakingBack(state.online.takeback)
        elif state.to_repeat:
            asking = state.to_repeat
    return replace(state, asking=asking)


def clock_runs(state: State) -> State:
    """Start the time of the side to move, if it was waiting for the end of an announcement.

    It is the opponent's while a press without a move stands.
    """
    if (
        not state.clocks.waits
        or state.at_server
        or state.adjournment.sealed
        or state.adjournment.written
        or state.clocks.stopped
        or state.arbiter.pending
        or state.to_repeat
        or isinstance(questions.innermost(state.asking), Grounds)
    ):
        return state
    game, pressed = state.game, (state.game.position.turn, len(state.game.played))
    stands = state.clocks.press_stands and state.clocks.pressed == pressed
    if stands and not game.result:
        game = game.awaiting(other(pressed[0]), state.now_ms)
    clocks = replace(state.clocks, waits=False, press_stands=stands)
    return replace(state, game=game.let_run(state.now_ms), clocks=clocks)


def ended(state: State, score: str, reason: str, cited: tuple[str, str]) -> State:
    """The game is over, by a ruling."""
    return _over(state, state.game.finish(score, reason, state.now_ms, cited))


def _over(state: State, game: Game) -> State:
    return replace(
        state,
        game=game,
        asking=NOTHING,
        draw=DrawState(),
        arbiter=replace(state.arbiter, pending=None, postponed=None),
        clocks=replace(state.clocks, stopped=False),
        touch=state.touch.released(),
    )


def judged(state: State, ruling: Ruling) -> tuple[State, tuple[Message, ...]]:
    """Carry out a ruling on times, count and result, record it, and tell it.

    After a move that ends the game it comes too late, though that was only announced.
    """
    game, standing = state.game, state.standing
    if game.announced and standing.result:
        return _over(state, standing), (queries.over(standing),)
    reason = _REASONS.get(ruling.key, "ruling")
    if ruling.result and reason in _OF_POSITION:
        game = standing
    for colour, ms in ruling.times:
        if game.clock:
            game = replace(game, clock=game.clock.added(colour, ms, state.now_ms))
    if ruling.counts_against:
        game = replace(game, offences=(*game.offences, ruling.counts_against))
    state = replace(state, game=game.noted(ruling.message()))
    if ruling.result:
        state = ended(state, ruling.result, reason, (ruling.article, ruling.edition))
        told = (ruling.message(),) if reason in _SHORT_REASONS else ()
        return state, (*told, queries.over(state.game))
    if ruling.for_arbiter and ruling.key in _HALTING:
        state = replace(
            state,
            arbiter=replace(state.arbiter, pending=ruling),
            game=state.game.pause(state.now_ms),
            clocks=state.clocks.waiting(),
        )
    if ruling.offers_draw and agreement(state, state.speaker if ruling.must_play else "").result:
        state = offering(state, state.speaker)
    state = resting(state)
    return state, (ruling.message(), *questions.question(state.asking))


def agreement(state: State, moving: str = "") -> Ruling:
    """Whether the players may agree to a draw now; `moving`: whose next move counts as made."""
    white, black = (state.game.made_by(colour) + (colour == moving) for colour in COLOURS)
    return game_end.agreement(state.game.rules, white, black, state.setup.rulebook.draw_from_move)


def offering(state: State, colour: str) -> State:
    """The state in which a side's offer of a draw stands, noted at its move."""
    if state.draw.offer == colour:
        return state
    draw = replace(state.draw, offer=colour, with_move=None)
    return replace(state, game=state.game.draw_noted(colour), draw=draw)


def with_engine(result: Step) -> Step:
    """Let the engine think if it is to move."""
    state, effects = result
    if not state.engine_to_move:
        return result
    return clock_runs(state), (*effects, AskEngine())
