# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a piece can go on an empty board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count, takewhile
from random import Random

from acessivel.drills.question import SQUARES, DrillQuestion, DrillVerdict, Reply, squares_said
from acessivel.message import Message
from acessivel.queries.exploration import beside, jumps
from voices.meaning import Meaning, Piece, Place

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_LINES: Mapping[Piece, tuple[tuple[int, int], ...]] = {
    Piece.ROOK: _STRAIGHT,
    Piece.BISHOP: _DIAGONAL,
    Piece.QUEEN: _STRAIGHT + _DIAGONAL,
}
PIECES: Mapping[str, Piece] = {piece.name.lower(): piece for piece in Piece if piece is not Piece.PAWN}


def reach(piece: Piece, square: Place) -> tuple[Place, ...]:
    """The squares that a piece (no pawn) can reach in one move on an empty board."""
    if piece is Piece.KNIGHT:
        return jumps(square)
    if piece is Piece.KING:
        steps = (beside(square, step) for step in _STRAIGHT + _DIAGONAL)
        return tuple(place for place in steps if place)
    return tuple(place for step in _LINES[piece] for place in _line(square, step))


def _line(square: Place, step: tuple[int, int]) -> Iterator[Place]:
    """The squares from one square to the edge."""
    steps = (beside(square, (step[0] * n, step[1] * n)) for n in count(1))
    yield from (place for place in takewhile(bool, steps) if place)


@dataclass(frozen=True)
class TargetsQuestion(DrillQuestion):
    """Where a piece can go; `named` squares have already been given."""

    piece: Piece
    square: Place
    named: frozenset[Place] = field(default_factory=frozenset)

    @property
    def _goals(self) -> tuple[Place, ...]:
        return reach(self.piece, self.square)

    @property
    def ask(self) -> tuple[Message, ...]:
        asked = Message.of("drill_ask_targets", piece=self.piece, square=self.square, count=len(self._goals))
        if not self.named:
            return (asked,)
        named = tuple(goal for goal in self._goals if goal in self.named)
        return (asked, Message.of("drill_named", squares=named))

    @property
    def solution(self) -> Message:
        return Message.of("drill_targets", piece=self.piece, square=self.square, squares=self._goals)

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return squares_said()

    def judge(self, reply: Reply) -> DrillVerdict:
        if not reply.squares:
            return DrillVerdict(None, (Message.of("drill_say_square"),))
        if not set(reply.squares) <= set(self._goals):
            return DrillVerdict(right=False)
        named = self.named | set(reply.squares)
        if named == set(self._goals):
            return DrillVerdict(right=True)
        if named == self.named:
            return DrillVerdict(None, (Message.of("drill_named_already", square=reply.squares[0]),))
        left = Message.of("drill_left", squares=reply.squares, count=len(self._goals) - len(named))
        return DrillVerdict(None, (left,), replace(self, named=named))


def questions(rng: Random, piece: Piece) -> Iterator[DrillQuestion]:
    """Endless questions about one piece; no square is repeated until all others have come up."""
    while True:
        for square in rng.sample(SQUARES, len(SQUARES)):
            yield TargetsQuestion(piece, square)
