# SPDX-License-Identifier: GPL-3.0-or-later
"""The opening of a game, by the positions that it went through: the last one that has a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tomli

from acessivel.game.game import Game
from acessivel.message import Message, Messages
from acessivel.rules.position import Position
from voices.meaning import Command


@dataclass(frozen=True, slots=True)
class NamedOpening:
    """A main opening or a variation: its key in the table, and its code in the Encyclopaedia (ECO)."""

    key: str
    eco: str

    @property
    def name(self) -> Message:
        """What it is called."""
        return Message.of(f"opening_{self.key}")


def opening(game: Game) -> NamedOpening | None:
    """The opening of a game, also if its moves came in another order; None if no position has a name."""
    known = (_openings().get(_identity(position)) for position in reversed(game.positions()))
    return next((found for found in known if found), None)


def named(_: Command, game: Game, __: int) -> Messages:
    """The name of the opening, or that there is none."""
    found = opening(game)
    if found is None:
        return (Message.of("opening_none"),)
    return (Message.of("opening", name=found.name, eco=found.eco),)


def names() -> frozenset[str]:
    """The keys of the sentences with the names of all openings."""
    return frozenset(found.name.key for found in _openings().values())


def _identity(position: Position) -> str:
    """What makes positions the same: pieces, turn, castling and en passant, not the number of moves."""
    return " ".join(position.fen.split()[:4])


@cache
def _openings() -> Mapping[str, NamedOpening]:
    """The openings by the positions that they are known by. Raises KeyError if the table has a mistake."""
    table = tomli.loads(Path(__file__).with_name("openings.toml").read_text("utf-8"))
    return {_identity(_reached(row["moves"])): NamedOpening(key, row["eco"]) for key, row in table.items()}


def _reached(moves: str) -> Position:
    position = Position.start()
    for uci in moves.split():
        position = position.after(uci)
    return position
