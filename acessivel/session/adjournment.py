# SPDX-License-Identifier: GPL-3.0-or-later
"""Events about an envelope: the clocks stop, a player is awaited, the sealed move is ruled on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from acessivel.dialogue import questions
from acessivel.laws import game_end, sealed_moves
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import COLOURS, Fact, other
from acessivel.session import draws, mate
from acessivel.session.changes import clock_runs, ignored, judged, resting, say
from acessivel.session.effects import Leave, Unseal
from acessivel.session.events import (
    Adjourned,
    Arrived,
    Awaited,
    Concluded,
    MoveWritten,
    SealingGivenUp,
    Unsealed,
)
from acessivel.session.state import AdjournmentState, State, Step
from voices.understanding.meanings import read

Happened = MoveWritten | SealingGivenUp | Adjourned | Awaited | Arrived | Concluded | Unsealed


def happened(state: State, event: Happened) -> Step:
    """Something happened to an envelope; before there is one, its move can be written and given up."""
    match event:
        case MoveWritten():
            return _written(state, event), ()
        case SealingGivenUp() if state.adjournment.written:
            return _given_up(state, event), ()
        case Adjourned():
            return _adjourned(state, event)
        case _ if not state.adjournment.sealed:
            return ignored(state, type(event))
        case Awaited():
            return replace(state, game=state.game.awaiting(other(state.game.position.turn), event.at)), ()
        case Arrived():
            return replace(state, game=state.game.pause(event.at)), ()
        case Concluded():
            return _concluded(state, event)
        case Unsealed():
            return _unsealed(replace(state, game=state.game.pause(event.at)), event)
    return ignored(state, type(event))


def _written(state: State, event: MoveWritten) -> State:
    """The player stops his clock without starting the other (A1a, 2001; guideline 1a, 2009)."""
    adjournment = replace(state.adjournment, written=True, written_ms=event.at)
    game, clocks = state.game.pause(event.at), state.clocks.waiting()
    return replace(state, adjournment=adjournment, game=game, clocks=clocks)


def _given_up(state: State, event: SealingGivenUp) -> State:
    """The clock runs again; the player has used the time since, unless an arbiter has stopped the clocks."""
    used_ms = event.at - state.adjournment.written_ms
    game = state.game
    if not state.clocks.stopped:
        game = game.charged(game.position.turn, used_ms, event.at)
    return clock_runs(replace(state, adjournment=replace(state.adjournment, written=False), game=game))


def _adjourned(state: State, event: Adjourned) -> Step:
    """Both clocks stop until the game resumes (A1, 2001; guideline 1, 2009).

    A player who adjourns before the session ends has used the rest of it. A reply waits for the absent
    player, whose clock runs (A9c; guideline 9c).
    """
    game = state.game.charged(state.game.position.turn, event.session_ms, event.at)
    state = replace(state, adjournment=AdjournmentState(sealed=event), game=game)
    if isinstance(state.asking, questions.Sure):  # asked while the move was being sealed
        state = replace(state, asking=state.asking.before)
    stops = game.clock and not event.reply
    sealed = Message.of("sealed" if stops else "sealed_only", file=event.envelope)
    if event.reply:
        state, effects = say(state, sealed)
        return state, (*effects, Unseal())
    state, effects = say(state, sealed, sealed_moves.goes_on(event.when, event.where))
    return state, (*effects, Leave())


def _concluded(state: State, event: Concluded) -> Step:
    """The game ends by agreement or resignation; its envelope stays closed (A6, 2001; guideline 6, 2009)."""
    rules, made = state.game.rules, (state.game.made_by(colour) for colour in COLOURS)
    agreed = not event.resigns
    ruling = game_end.agreement(rules, *made) if agreed else game_end.resignation(rules, event.resigns)
    state, messages = judged(replace(state, adjournment=AdjournmentState()), ruling)
    return say(state, *messages)


def _unsealed(state: State, event: Unsealed) -> Step:
    """Play the sealed move, and start the opponent's clock at once; or rule on it as the guidelines say."""
    setup, position = state.setup, state.game.position
    away = state.adjournment.sealed if event.away and other(position.turn) in setup.persons else None
    state = replace(
        state, adjournment=replace(state.adjournment, sealed=None, away=away), clocks=state.clocks.waiting()
    )
    told: tuple[Message, ...] = ()
    if event.lost:
        ruling = sealed_moves.lost(setup.rules, position.turn)
    else:
        words = partial(read, language=setup.language, convention=setup.convention)
        sealed = sealed_moves.understood(event.sealed, words, position)
        can_mate = mate.can_mate(state, position, other(position.turn)) if sealed.fault else "yes"
        late = event.late if setup.rules.regulates("adjourn_late") else ""
        ruling = sealed_moves.reopened(
            setup.rules, sealed, position, late, event.late_ms, opponent_can_mate=can_mate
        )
        if sealed.fact and ruling.must_play:
            return _played(state, sealed.fact, ruling)
        written = Message.of("sealed_words", colour=position.turn, move=sealed.fact or event.sealed)
        told = (written,)
        state = replace(state, game=state.game.noted(written))
    state, messages = judged(state, ruling)
    turn = () if state.game.result or state.arbiter.pending else (queries.turn(state.game),)
    return say(state, *told, *messages, *turn)


def _played(state: State, fact: Fact, ruling: Ruling) -> Step:
    """Play the sealed move; an offer of a draw with it remains open (A4, 2001; guideline 4, 2009)."""
    state = replace(state, game=state.game.play(fact, state.now_ms).noted(ruling.message()))
    state, refused = draws.settled(state, fact)
    messages = (ruling.message(), *refused, queries.played(state.game))
    if state.game.result:
        return say(
            resting(replace(state, draw=state.draw.without_offer())), *messages, queries.over(state.game)
        )
    state = clock_runs(resting(state))
    reply = (
        (Message.of("reply_may_be_sealed", colour=state.game.position.turn),)
        if state.adjournment.away
        else ()
    )
    runs = (Message.of("time_runs", colour=state.game.position.turn),) if state.game.clock else ()
    return say(state, *messages, queries.turn(state.game), *runs, *reply, *questions.question(state.asking))
