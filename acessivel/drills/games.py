# SPDX-License-Identifier: GPL-3.0-or-later
"""A game to practise with: its positions and moves, and the description of a position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from acessivel.game.game import Game, Setup
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import Fact, Position
from voices.meaning import Command, CommandName

_THERE_ARE = ("castling_kept", "passing")  # of what is told about rights


@dataclass(frozen=True)
class Played:
    """A game as its moves in UCI, at least one; all are legal."""

    start: Position
    ucis: tuple[str, ...]

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The position before each move, and the last."""
        positions = [self.start]
        for uci in self.ucis:
            positions.append(positions[-1].after(uci))
        return tuple(positions)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The moves."""
        return tuple(map(Position.fact, self.positions, self.ucis))


def position_told(position: Position) -> tuple[Message, ...]:
    """A position as the game describes it: the pieces of both sides, and which side is to move.

    So are the rights to castle and to take en passant that there are.
    """
    game = Game.new(Setup.of(fen=position.fen))
    told = queries.answer(Command(CommandName.POSITION), game, 0) or ()
    rights = queries.answer(Command(CommandName.RIGHTS), game, 0) or ()
    return (*told, *(right for right in rights if right.key in _THERE_ARE))
