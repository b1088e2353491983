# SPDX-License-Identifier: GPL-3.0-or-later
"""What the arbiter has found to be wrong at the board, ruled on: board, clock, pieces, hands, who is away."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.laws import game_end, irregularities, lateness
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.session import illegal_moves
from acessivel.session.state import State, Step, judged, resting, say, stopped


def found(state: State, decision: Deciding) -> Step:
    """Rule on one of `arbiter.FOUND`, but for misplaced pieces."""
    rules = state.game.rules
    match decision.what:
        case "board":
            return _said(state, irregularities.wrong_board(rules, state.game.completed))
        case "clock":
            return _clock(state)
        case "displaced":
            return _said(state, irregularities.displaced(rules, decision.colour))
        case "hands":
            return _hands(state, decision.colour)
        case "position":
            return _position(state)
        case "silent":
            return _said(state, irregularities.check_not_announced(rules, decision.colour))
        case "left":
            return _said(state, game_end.leaving(rules, decision.colour))
        case "late":
            minutes = state.setup.default_time
            allowed_ms = None if minutes < 0 else 60_000 * minutes
            return _said(state, lateness.late(rules, decision.absent, decision.late_ms, allowed_ms))
    raise ValueError(decision.what)


def _said(state: State, ruling: Ruling) -> Step:
    state, messages = judged(state, ruling)
    return say(state, *messages)


def _nothing(state: State, why: str) -> Step:
    state = resting(state)
    return say(state, Message.of(why), *questions.question(state.asking))


def _clock(state: State) -> Step:
    """The clocks stand while the arbiter sets them right; too late, they stay as they are (6.10.2; 2018)."""
    if not state.game.clock:
        return _nothing(state, "no_clock")
    ruling = irregularities.wrong_clock(state.game.rules, state.game.completed)
    return stopped(state, ruling.message()) if ruling.for_arbiter else _said(state, ruling)


def _hands(state: State, colour: str) -> Step:
    """The last move of a side was made with both hands (7.5.4; 2018)."""
    made = [n for n, move in enumerate(state.game.played) if move.fact.colour == colour]
    if not made:
        return _nothing(state, "no_such_position")
    offence = illegal_moves.offence(state, colour, "arbiter", made[-1] + 1)
    state, messages = illegal_moves.penalised(
        state, made[-1], irregularities.two_hands(state.game.rules, offence)
    )
    return say(state, *messages)


def _position(state: State) -> Step:
    """Both kings are in check, or a pawn stands on the last rank (A.4c, 2009; A.4.4, 2018)."""
    if not illegal_moves.illegal_stands(state.game):
        return _nothing(state, "position_legal")
    ruling = irregularities.illegal_position(state.game.rules, next_move_completed=False)
    state, messages = judged(state, ruling)
    if ruling.key == "arbiter_waits":
        return say(replace(state, watched=True), *messages, queries.turn(state.game))
    state, more = illegal_moves.last_found(state)
    return say(state, *messages, *more)
