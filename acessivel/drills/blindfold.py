# SPDX-License-Identifier: GPL-3.0-or-later
"""Follow a game without a board: moves are announced, then questions about the position follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from acessivel.drills.games import Played, position_told
from acessivel.drills.question import SQUARES, DrillQuestion, DrillVerdict, Reply, squares_said
from acessivel.message import Message
from acessivel.rules.position import COLOURS, Fact, Position
from voices.meaning import Meaning, Piece, PieceNamed, Place

_FEWEST, _MOST = 2, 4  # half-moves announced before a question


@dataclass(frozen=True)
class FollowQuestion(DrillQuestion):
    """A question about the position after the moves `told`; `begins`: a new game begins with it."""

    after: Position
    told: tuple[Fact, ...]
    begins: bool
    start: Position

    @property
    def intro(self) -> tuple[Message, ...]:
        if not self.begins:
            return ()
        if self.start == Position.start():
            return (Message.of("drill_new_game"),)
        return (Message.of("drill_new_position"), *position_told(self.start))

    @property
    def ask(self) -> tuple[Message, ...]:
        return (Message.of("drill_told", moves=self.told), self._asked)

    @property
    def _asked(self) -> Message:
        raise NotImplementedError


@dataclass(frozen=True)
class StandsQuestion(FollowQuestion):
    """Which piece stands on a square that is not empty."""

    square: Place

    @property
    def _asked(self) -> Message:
        return Message.of("drill_ask_stands", square=self.square)

    @property
    def _piece(self) -> tuple[str, Piece]:
        stands = self.after.at(str(self.square))
        if stands is None:
            raise ValueError(f"nothing stands on {self.square}")
        return stands

    @property
    def solution(self) -> Message:
        colour, piece = self._piece
        return Message.of("drill_stands", square=self.square, colour=colour, piece=piece)

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return tuple(map(PieceNamed, Piece))

    def judge(self, reply: Reply) -> DrillVerdict:
        colour, piece = self._piece
        named = [meaning for meaning in reply.meanings if isinstance(meaning, PieceNamed)]
        if not named:
            return DrillVerdict(None, (Message.of("drill_say_piece"),))
        return DrillVerdict(any(one.piece is piece and one.colour in ("", colour) for one in named))


@dataclass(frozen=True)
class WhereQuestion(FollowQuestion):
    """On which square a piece of a side stands; if there are several, any one counts."""

    colour: str
    piece: Piece

    @property
    def _asked(self) -> Message:
        return Message.of("drill_ask_where", colour=self.colour, piece=self.piece)

    @property
    def solution(self) -> Message:
        squares = self.after.where(self.colour, self.piece)
        return Message.of("drill_where", colour=self.colour, piece=self.piece, squares=squares)

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return squares_said()

    def judge(self, reply: Reply) -> DrillVerdict:
        if not reply.squares or reply.squares[1:]:
            return DrillVerdict(None, (Message.of("drill_say_square"),))
        return DrillVerdict(reply.squares[0] in self.after.where(self.colour, self.piece))


def questions(rng: Random, games: Sequence[Played]) -> Iterator[DrillQuestion]:
    """Endless questions: one game after the other, each to its end."""
    while True:
        game = rng.choice(games)
        told = 0
        while told < len(game.facts):
            after = min(told + rng.randint(_FEWEST, _MOST), len(game.facts))
            facts, begins = game.facts[told:after], told == 0
            yield _asking(rng, (game.positions[after], facts, begins, game.positions[0]))
            told = after


def _asking(rng: Random, about: tuple[Position, tuple[Fact, ...], bool, Position]) -> FollowQuestion:
    """One of the two kinds of questions; for pawns only what stands on a square."""
    position = about[0]
    if rng.random() < 0.5:
        return StandsQuestion(*about, rng.choice([s for s in SQUARES if position.at(str(s))]))
    pieces = [piece for piece in Piece if piece is not Piece.PAWN]
    sides = [(c, piece) for c in COLOURS for piece in pieces if position.where(c, piece)]
    return WhereQuestion(*about, *rng.choice(sides))
