# SPDX-License-Identifier: GPL-3.0-or-later
"""The opponent's move is repeated before it is answered, as the Laws require (E.1 point 1 of 2009)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import NOTHING, Claiming, Repeating
from acessivel.dialogue.turn import GoOn, Turn
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import Fact, Position
from acessivel.session.changes import clock_runs, resting, say
from acessivel.session.state import State, Step
from voices.meaning import Castling, Move, MovePattern, Place, Reading


def owed(state: State, before: Position, fact: Fact) -> State:
    """The state in which a move of the other side must be repeated, if the ritual is on."""
    if not state.setup.ritual or fact.colour == state.speaker:
        return state
    state = replace(state, repeating=Repeating(fact, before))
    waits = isinstance(state.asking, Claiming) and state.asking.stands
    return resting(state) if state.asking == NOTHING or waits else state


def heard(state: State, alternatives: Sequence[Sequence[Reading]]) -> Turn | None:
    """What an announcement does while a move must be repeated: it only repeats it, rightly or wrongly."""
    asking = state.asking
    if not isinstance(asking, Repeating) or not alternatives:
        return None
    said = [r.meaning for r in alternatives[0] if isinstance(r.meaning, MovePattern | Castling)]
    return _said(asking, said) if said else None


def pointed(state: State, square: Place) -> Turn | None:
    """Pointing at the move's origin, then at its target, repeats it."""
    asking = state.asking
    if not isinstance(asking, Repeating):
        return None
    if asking.origin is None:
        return Turn(replace(asking, origin=square), (Message.of("repeat_to", square=square),))
    castling = asking.before.castling(asking.origin, square)
    if castling:
        return _said(asking, [castling.meaning])
    promotion = asking.fact.meaning.promotion if isinstance(asking.fact.meaning, MovePattern) else None
    return _said(asking, [MovePattern(square, None, asking.origin, promotion=promotion)])


def _said(asking: Repeating, said: Sequence[Move]) -> Turn:
    before, irregular = asking.before, asking.fact.irregular
    whole = (move for move in said if isinstance(move, Castling) or move.whole)
    meant = ((*before.matching(move), *(before.irregular(move) if irregular else ())) for move in whole)
    if (asking.fact,) in meant:
        return Turn(NOTHING, do=GoOn())
    again = replace(asking, origin=None)
    wrong = Message.of("repeat_wrong", heard=said[0], move=asking.fact)
    return Turn(again, (wrong, *questions.question(again)))


def done(state: State) -> Step:
    """The move was repeated as it was announced: the player's time starts."""
    state = clock_runs(resting(replace(state, repeating=None)))
    return say(state, queries.turn(state.game), *questions.question(state.asking))
