# SPDX-License-Identifier: GPL-3.0-or-later
"""A move that counts, announced or the engine's, and what follows from it."""

from __future__ import annotations

import itertools
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import NOTHING
from acessivel.laws import draw_claims
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import Fact, Position
from acessivel.session import draws, illegal_moves, practice, repeat_back, sent_moves, two_boards
from acessivel.session.changes import clock_runs, ignored, judged, resting, say, with_engine
from acessivel.session.effects import AskEngineForDraw
from acessivel.session.events import EngineMoved
from acessivel.session.state import DrawState, State, Step, TouchState
from voices.meaning import CommandName

_MOST_FAILURES = 2  # in a row; after that the engine is given up and the game continues without it


def commit(state: State, fact: Fact, *first: Message) -> Step:
    """Play a confirmed move, or send it; a move is added by this, `engine_moved`, a server or an envelope."""
    if state.at_server:
        return sent_moves.announced(state, fact)
    if state.draw.claiming:
        return claimed(state, state.draw.claiming, fact)
    if state.setup.two_boards:
        return two_boards.announced(state, fact, *first)
    before, game = state.game.position, state.game.play(fact, state.now_ms)
    state = replace(
        state,
        game=game,
        clocks=state.clocks.waiting(),
        touch=TouchState(),
        adjournment=replace(state.adjournment, away=None),
    )
    state, refused = draws.refused_by_playing(state, fact.colour)
    state, asks = draws.offered_with(state, fact.colour)
    state, effects = made(state, before, *first, *refused, queries.played(game))
    return state, (*asks, *effects)


def made(state: State, before: Position, *first: Message) -> Step:
    """What follows from a move that now counts; `before`: the position in which it was made."""
    messages, game = [*first], state.game
    fact = game.played[-1].fact
    if game.result:
        return say(
            replace(state, asking=NOTHING, draw=DrawState()),
            *messages,
            queries.over(game),
        )
    for look in (illegal_moves.seen, illegal_moves.followed):
        state, found = look(state)
        if found:
            return say(state, *messages, *found)
    state, repeated = _repeated(repeat_back.owed(state, before, fact), fact.colour)
    if state.two_persons and not repeated:
        messages += () if state.setup.two_boards else (queries.turn(game),)
        state = clock_runs(state)
    state = resting(state)
    return with_engine(say(state, *messages, *(repeated or questions.question(state.asking))))


def _repeated(state: State, colour: str) -> tuple[State, tuple[Message, ...]]:
    """The same move was repeated over and over, if that ends the game (escolar-br)."""
    own = (move.fact.uci for move in reversed(state.game.played) if move.fact.colour == colour)
    # A piece must return before it can repeat its move.
    again = itertools.islice(own, 0, None, 2)
    last = next(again)
    times = 1 + sum(1 for _ in itertools.takewhile(lambda uci: uci == last, again))
    ruling = draw_claims.same_move(state.game.rules, colour, times)
    return judged(state, ruling) if ruling else (state, ())


def claimed(state: State, command: CommandName, fact: Fact | None = None) -> Step:
    """A claim by repetition or 50 moves; the intended move of a wrong one is played (9.5.3; 2018).

    So is that of one which is not admitted: the move has been confirmed.
    """
    offered = state.draw.offer
    state, messages, must_play = draws.drawn(state, command, fact)
    asks = state.draw.offer and not offered and not state.two_persons
    must_play = must_play or not state.game.result
    state, effects = commit(state, fact, *messages[:1]) if fact and must_play else say(state, *messages)
    return state, (*effects, *((AskEngineForDraw(),) if asks else ()))


def engine_moved(state: State, uci: str) -> Step:
    """The engine has moved; anything but a legal move of its own is ignored."""
    fact = next((fact for fact in state.game.position.legal if fact.uci == uci), None)
    if fact is None or not state.engine_to_move:
        return ignored(state, EngineMoved)
    before, game = state.game.position, state.game.play(fact, state.now_ms)
    state = replace(
        state,
        game=game,
        clocks=state.clocks.waiting(),
        engine=replace(state.engine, failures=0),
        touch=TouchState(),
    )
    messages = [queries.played(state.game)]
    if state.game.result:
        messages.append(queries.over(state.game))
        state = replace(state, asking=NOTHING, draw=DrawState())
    state = repeat_back.owed(state, before, fact)
    return say(state, *messages, *questions.question(state.asking))


def engine_failed(state: State) -> Step:
    """Try once more; after that give the engine up, and let both sides be announced."""
    if state.practice.advice and not state.engine_to_move:
        return practice.unadvised(state)
    failures = state.engine.failures + 1
    if failures < _MOST_FAILURES:
        state = replace(state, engine=replace(state.engine, failures=failures))
        return with_engine(say(state, Message.of("engine_failed"), *questions.question(state.asking)))
    state = replace(state, engine=replace(state.engine, given_up=True), draw=state.draw.without_offer())
    turn = queries.turn(state.game)
    return say(state, Message.of("engine_given_up"), turn, *questions.question(state.asking))


def barred(state: State) -> Message | None:
    """Why no move can be announced now, if none can."""
    if state.game.result:
        return Message.of("game_is_over", result=queries.over(state.game))
    if state.engine_to_move:
        return Message.of("not_your_turn", colour=state.game.position.turn)
    if state.online.sent:
        return Message.of("online_waits_for", move=state.online.sent.fact)
    if state.arbiter.pending:
        return Message.of("arbiter_must_decide")
    if state.to_repeat:
        return Message.of("repeat_first")
    if state.clocks.stopped:
        return Message.of("clocks_are_stopped")
    return two_boards.not_made(state) if state.game.announced else None
