# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages show of a hall: its tables, and to an arbiter what is asked and what waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from acessivel.message import Message, Messages
from acessivel.messages.rendering import Renderer

ARBITERS = ("arbiter", "assistant", "both")  # whose page is one of the desk


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table: its players, what is told of it, and its moves as they are written.

    `status`: in words. `typed`: what an arbiter types to look at it. `left`: what each side has left, in ms.
    """

    table: int
    white: object
    black: object
    status: Messages
    moves: str
    typed: str = ""
    left: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class HallShown:
    """The tables as the arbiters see them, and as everybody may, perhaps later.

    `answers`: the words that answer what is asked. `at`: the table whose board the arbiter has before him;
    `before`: another text for each table, game and case that he has before him.
    """

    tables: tuple[TableShown, ...] = ()
    public: tuple[TableShown, ...] = ()
    answers: tuple[str, ...] = ()
    at: TableShown | None = None
    before: str = ""


def tables(renderer: Renderer, shown: HallShown, role: str) -> Iterator[Mapping[str, Any]]:
    """The tables that a role may see, as they go to its page."""
    for table in shown.tables if role in ARBITERS else shown.public:
        yield {
            "table": table.table,
            "white": renderer.text(_name(table.white)),
            "black": renderer.text(_name(table.black)),
            "status": " ".join(map(renderer.text, table.status)),
            "moves": table.moves,
            "types": table.typed if role in ARBITERS else "",
        }


def before(shown: HallShown | None, role: str) -> str:
    """Which table, game and case the arbiters have before them, for them alone; "" for none."""
    return shown.before if shown and role in ARBITERS else ""


def status(renderer: Renderer, table: TableShown) -> str:
    """Which table it is, who plays there, and how it stands."""
    pair = {"white": _name(table.white), "black": _name(table.black)}
    told = (Message.of("desk_table", table=table.table, **pair), *table.status)
    return " ".join(map(renderer.text, told))


def _name(name: object) -> Message:
    """A player, or the colour of one whose name nobody knows."""
    return Message.of("desk_name", name=name)
