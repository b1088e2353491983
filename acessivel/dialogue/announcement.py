# SPDX-License-Identifier: GPL-3.0-or-later
"""An announced move: asked about if it is legal, or begins a legal one; else refused, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from acessivel.dialogue import disambiguation
from acessivel.dialogue.offer import offer
from acessivel.dialogue.questions import NOTHING, Missing, question
from acessivel.dialogue.turn import Turn
from acessivel.message import Message
from acessivel.rules.position import Fact, Position
from voices.meaning import Castling, Check, Meaning, Move, MovePattern, Piece, Place, Reading

Readings = Sequence[Reading]


def announced(  # noqa: PLR0913 - how it was said
    moves: Sequence[tuple[Move, bool]],
    later: Sequence[Readings],
    position: Position,
    *,
    spoken: bool = False,
    irregular: bool = False,
    doubted: bool = False,
) -> Turn:
    """A move was announced: offer what it can be, ask for what is missing, or refuse it with the reason.

    `moves` are the readings of what was most probably heard, each with whether it is likely. At first
    only the likely ones count; the others, which are right only in another language or in careless writing,
    count if no likely one is or begins a legal move. A move that they mean is offered as doubtful, and so is
    any if it is `doubted` that a legal move was announced. So is what was `spoken` and is one but for a part
    that was corrected or said twice.
    """
    so_far = [(position.begun(move), likely) for move, likely in moves]
    likely = [move for move, is_likely in so_far if is_likely]
    doubtful = [move for move, is_likely in so_far if not is_likely]
    others = legal((r.meaning for readings in later for r in readings if r.likely), position)
    turn = _understood(likely, position, others, beside=likely, doubtful=doubted)
    if turn is None:
        turn = _understood(doubtful, position, others, beside=(*likely, *doubtful), doubtful=True)
    if turn is not None:
        return turn
    first, _ = so_far[0]
    against = _against_the_rules(first, position) if irregular else ()
    if against:
        return offer(against, check=first.check)
    return (_of_a_slip(first, position, others) if spoken else None) or _refused(first, position)


def _of_a_slip(said: Move, position: Position, others: tuple[Fact, ...]) -> Turn | None:
    """What to ask about an announcement that names its square twice; None if it does not, or is no move then.

    A speaker who stumbles says a part again, "knight f f3"; who corrects himself another square of the same
    file or rank, "e4 e3", and seems to move from where no piece of his stands. That may be what he believes:
    it is told with the question, and alone if that move is forbidden.
    """
    if not isinstance(said, MovePattern):
        return None
    parts = (said.origin.file, said.target.file), (said.origin.rank, said.target.rank)
    if not any(one is not None and one == other for one, other in parts):
        return None
    if all(None in (one, other) or one == other for one, other in parts):
        once = replace(said, target=Place(*(one or other for one, other in parts)), origin=Place())
        return _understood((once,), position, others, beside=(once,), doubtful=True)
    stands = position.at(str(said.origin))
    if said.capture or (stands is not None and stands[0] == position.turn):
        return None
    last, why = replace(said, origin=Place()), _why_not(said, position)
    turn = _understood((last,), position, others, beside=(last,), doubtful=True)
    return turn and replace(turn, say=(why, *turn.say), refusal=why)


def _against_the_rules(said: Move, position: Position) -> tuple[Fact, ...]:
    """What an announcement that fits no legal move does on the board, unless only its words are wrong.

    That is refused: a castling without its name, even an illegal one, a legal move that was said to take.
    """
    facts = position.irregular(said)
    return () if any(_can_be_made(fact, position) for fact in facts) else facts


def _can_be_made(irregular: Fact, position: Position) -> bool:
    """Whether a move as it stands on the board is legal, or castles, be it illegally."""
    move, castles = irregular.meaning, False
    if isinstance(move, MovePattern) and move.piece is Piece.KING:
        king, target = move.origin, move.target
        castles = bool(position.castling(king, target, near=True) or position.unnamed_castling(king, target))
    return castles or irregular.uci in position.legal_ucis


def _understood(
    moves: Sequence[Move],
    position: Position,
    others: tuple[Fact, ...],
    *,
    beside: Sequence[Move],
    doubtful: bool = False,
) -> Turn | None:
    """What to ask about these announcements; None if none of them is or begins a legal move.

    An incomplete announcement counts unless one of those `beside` is complete: a complete announcement that
    is not legal is refused, whatever else its words could have begun.
    """
    if not any(map(whole, beside)):
        for move in moves:
            if isinstance(move, MovePattern) and position.matching(move):
                return begun(move, position, others)
    facts = legal(moves, position)
    if not facts:
        return None
    check = next((move.check for move in moves if move.check is not Check.NONE), Check.NONE)
    return offer(facts, tuple(f for f in others if f not in facts), doubtful=doubtful, check=check)


def whole(meaning: Meaning) -> bool:
    """Whether it is an announcement that lacks no part."""
    return isinstance(meaning, Castling) or (isinstance(meaning, MovePattern) and meaning.whole)


def legal(meanings: Iterable[Meaning], position: Position) -> tuple[Fact, ...]:
    """The legal moves that complete announcements can mean."""
    moves = (m for m in meanings if isinstance(m, MovePattern | Castling) and whole(m))
    return tuple(dict.fromkeys(fact for move in moves for fact in position.matching(move)))


def _refused(said: Move, position: Position) -> Turn:
    return Turn(NOTHING, (_why_not(said, position),))


def _why_not(said: Move, position: Position) -> Message:
    return Message.of("refused", heard=said, reason=position.refusal(said))


def begun(said: MovePattern, position: Position, others: tuple[Fact, ...] = ()) -> Turn:
    """Take what was said so far: ask for what is missing; if only one move fits, ask whether it is meant."""
    facts = disambiguation.giving(position.matching(said), said.check)
    if not facts:
        return _refused(said, position)
    if said.whole or not disambiguation.missing(said, facts):
        left = tuple(f for f in others if f not in facts)
        return offer(facts, left, doubtful=not said.whole, check=said.check)
    asking = Missing(said, facts)
    return Turn(asking, question(asking))
