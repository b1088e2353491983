# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages show of a hall: its tables, and to an arbiter what is asked and what waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from acessivel.message import Message, Messages
from acessivel.messages.rendering import Renderer

ARBITERS = ("arbiter", "assistant", "both")  # whose page is one of the desk


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table: its players, what is told of it, and its moves as they are written.

    `players` and `status`: in words. `typed`: what an arbiter types to look at it.
    """

    table: int
    white: object
    black: object
    status: Messages
    moves: str
    typed: str = ""


@dataclass(frozen=True, slots=True)
class HallShown:
    """The tables as the arbiters see them, and as everybody may, perhaps later.

    `answers`: the words that answer what is asked.
    """

    tables: tuple[TableShown, ...] = ()
    public: tuple[TableShown, ...] = ()
    answers: tuple[str, ...] = ()


def tables(renderer: Renderer, shown: HallShown, role: str) -> Iterator[Mapping[str, Any]]:
    """The tables that a role may see, as they go to its page."""
    for table in shown.tables if role in ARBITERS else shown.public:
        yield {
            "table": table.table,
            "white": _name(renderer, table.white),
            "black": _name(renderer, table.black),
            "status": " ".join(map(renderer.text, table.status)),
            "moves": table.moves,
            "types": table.typed if role in ARBITERS else "",
        }


def _name(renderer: Renderer, name: object) -> str:
    """A player, or the colour of one whose name nobody knows."""
    return renderer.text(Message.of("desk_name", name=name))
