# SPDX-License-Identifier: GPL-3.0-or-later
"""How a game begins or resumes in a new run: what is told first, and whether the engine is asked to move."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.game.levels import levels
from acessivel.laws import sealed_moves
from acessivel.laws.ruling import cited
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules import chess960
from acessivel.session import answers, online
from acessivel.session.changes import say, with_engine
from acessivel.session.effects import AskEngineForDraw, Unseal
from acessivel.session.state import EngineState, State, Step


def started(state: State, *, brief: bool) -> Step:
    """Announce a new game: the players, anything unusual about it, and the side to move.

    If `brief`, without what need not be known before the first move; so too at a server, where a first move
    is awaited within seconds.
    """
    opening = [] if brief or state.at_server or state.setup.demo else [Message.of("welcome")]
    opening += [*_setup_messages(state, brief=brief), *_limits(state), *_initial_position(state)]
    opening += [Message.of("from_elsewhere")] if state.setup.beginning.before else []
    opening += [queries.played(state.game)] if state.game.played else []
    if state.game.result:
        return say(state, *opening, queries.over(state.game))
    turn = () if state.at_server or (brief and _begins(state)) else (queries.turn(state.game),)
    return with_engine(say(state, *opening, *turn))


def _begins(state: State) -> bool:
    """Whether it goes without saying that the person who plays against the engine begins."""
    setup = state.setup
    unusual = setup.beginning.fen or setup.beginning.before or state.game.played
    return setup.opponent == "engine" and setup.colour == "white" and not unusual


def _setup_messages(state: State, *, brief: bool) -> tuple[Message, ...]:
    setup = state.setup
    if setup.demo:
        return (Message.of("setup_demo"),)
    if setup.two_boards:
        return (Message.of("setup_two_boards"),)
    if state.at_server:
        return online.begins(state)
    practice = (Message.of("setup_practice"),) if setup.practice and not brief else ()
    if setup.opponent == "human":
        return practice if brief else (Message.of("setup_human"), *practice)
    if brief:
        return (Message.of("setup_engine_brief", colour=setup.colour, level=setup.level),)
    elo = levels()[setup.level].elo
    return (Message.of("setup_engine", colour=setup.colour, level=setup.level, elo=elo), *practice)


def _limits(state: State) -> tuple[Message, ...]:
    """Say that the edition lets no event restrict agreed draws, if this event wants to (9.1; 2001)."""
    rules = state.game.rules
    if rules.agreement_limits or not state.setup.rulebook.draw_from_move:
        return ()
    return (cited(Message.of("no_draw_limit"), *rules.cite("agreement")),)


def _initial_position(state: State) -> tuple[Message, ...]:
    """How the pieces of Chess960 stand, and those of a position that was agreed elsewhere; else nothing."""
    if not state.game.start.chess960:
        own = state.at_server and state.setup.beginning.fen
        return (Message.of("online_own_position"), *queries.ranks(state.game)) if own else ()
    number = chess960.number(state.setup.beginning.variant) if not state.setup.beginning.fen else None
    name = Message.of("chess960_own") if number is None else Message.of("chess960_number", number=number)
    return (name, *queries.ranks(state.game))


def resumed(state: State, at: int) -> Step:
    """Continue in a new run; the time since the last event counts for nobody."""
    clock = state.game.clock.stop(state.now_ms) if state.game.clock else None
    # The new run counts its ms from 0.
    clock = replace(clock, since_ms=at) if clock else None
    state = replace(
        state,
        game=replace(state.game, clock=clock),
        now_ms=at,
        clocks=state.clocks.waiting(),
        adjournment=replace(state.adjournment, written=False),
        engine=EngineState(),
    )
    state = online.resumed(answers.put_anew(state))
    messages = [Message.of("resumed"), queries.played(state.game)]
    if state.adjournment.sealed and not state.game.result:
        state, effects = say(
            state,
            *messages,
            sealed_moves.goes_on(state.adjournment.sealed.when, state.adjournment.sealed.where),
        )
        return state, (*effects, Unseal())
    if state.game.result or not state.at_server:  # how it stands at a server is told when that is known
        messages += [queries.over(state.game) if state.game.result else queries.turn(state.game)]
    state, effects = with_engine(say(state, *messages, *questions.question(state.asking)))
    asks = state.draw.offer and not (state.two_persons or state.at_server)
    return state, (*effects, *((AskEngineForDraw(),) if asks else ()))
