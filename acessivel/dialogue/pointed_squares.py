# SPDX-License-Identifier: GPL-3.0-or-later
"""What pointing at squares means: the first picks a piece, the second is where it goes."""

from __future__ import annotations

from collections.abc import Iterable

from acessivel.dialogue import disambiguation
from acessivel.dialogue.answer_table import answered
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import (
    NOTHING,
    Asking,
    Grounds,
    Missing,
    Numbering,
    Promote,
    Topics,
    answers,
    question,
)
from acessivel.dialogue.turn import Turn
from acessivel.message import Message
from acessivel.rules.position import Position
from voices.meaning import Move, MovePattern, Number, Piece, PieceNamed, Place

Choice = MovePattern | Number | PieceNamed


def pointed(
    asking: Asking, square: Place, position: Position, *, irregular: bool = False
) -> Turn | Move | None:
    """What a pointed square means: a question, an answer or an announcement; None if it is only described.

    The player to move picks one of his pieces, and puts it back by pointing at it again. The next square
    announces the move; whether it is legal is decided elsewhere. A piece that cannot move is not picked,
    unless `irregular` moves are made as announced. A king castles by its rook's square, or by its own new one
    if that is more than one file away.
    """
    stands = position.at(str(square))
    own = stands is not None and stands[0] == position.turn
    if not isinstance(asking, Missing) or not asking.said.origin.complete:
        if asking == NOTHING and stands and own:
            return _picked(asking, square, stands[1], position, irregular=irregular)
        meant = answer(asking, square)
        return answered(asking, meant, position) if meant else None
    origin, piece = asking.said.origin, asking.said.piece
    if square == origin:
        return Turn(NOTHING, (Message.of("withdrawn"),))
    castling = position.castling(origin, square) if piece is Piece.KING else None
    if castling:
        return castling.meaning
    if stands and own:
        return _picked(asking, square, stands[1], position, irregular=irregular)
    return MovePattern(square, piece, origin)


def answer(asking: Asking, square: Place) -> MovePattern | None:
    """A pointed square as the answer to a question that is not where a piece goes."""
    if asking == NOTHING or (isinstance(asking, Missing) and asking.said.origin.complete):
        return None
    meant = MovePattern(square)
    return meant if meant in answers(asking) else None


def choices(asking: Asking, position: Position) -> tuple[Choice, ...]:
    """The answers to a question that does not name them itself, from a1 on: squares, files, ranks, pieces."""
    if isinstance(asking, Promote):
        return tuple(answer for answer in answers(asking) if isinstance(answer, PieceNamed))
    if isinstance(asking, Topics | Numbering | Grounds | Deciding):
        return tuple(answer for answer in answers(asking) if isinstance(answer, Number))
    if not isinstance(asking, Missing):
        return ()
    part = disambiguation.missing(asking.said, asking.facts) or "square"
    found = tuple(dict.fromkeys(disambiguation.fillings(asking.said, asking.facts)))
    if part == "rank":
        numbers = (answer for answer in found if isinstance(answer, Number))
        return tuple(sorted(numbers, key=lambda number: number.value))
    squares = [answer for answer in found if isinstance(answer, MovePattern)]
    if part == "file":
        return _in_order(answer for answer in squares if not answer.target.complete)
    origin = asking.said.origin
    king = asking.said.piece if origin.complete else None
    castlings = map(MovePattern, castles(origin, king, position) if king else ())
    return _in_order({*squares, *castlings})


def _in_order(squares: Iterable[MovePattern]) -> tuple[MovePattern, ...]:
    return tuple(sorted(squares, key=lambda square: str(square.target)))


def _picked(asking: Asking, square: Place, piece: Piece, position: Position, *, irregular: bool) -> Turn:
    """A piece is picked, and its target asked for; or it cannot move, and what was asked is asked again."""
    said = MovePattern(Place(), piece, square)
    facts = position.matching(said)
    if not (facts or irregular or castles(square, piece, position)):
        return Turn(asking, (Message.of("no_move_of_piece", piece=piece, square=square), *question(asking)))
    picked = Missing(said, facts, pointed=True)
    return Turn(picked, question(picked))


def castles(square: Place, piece: Piece, position: Position) -> list[Place]:
    """The squares by which a king that stands on a square can castle, from file a on."""
    rank = (Place(file, square.rank) for file in "abcdefgh")
    return [place for place in rank if piece is Piece.KING and position.castling(square, place)]
