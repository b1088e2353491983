# SPDX-License-Identifier: GPL-3.0-or-later
"""What was played before a game came here from a file: moves, times and tags, as part of what is agreed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Before:
    """The moves in UCI from the initial position, and what each player had left after them, in ms.

    `left_ms` is empty if the file notes no time. `times`: what the clocks of White and Black show when the
    game continues here; empty for a clock that starts afresh. `tags`: the PGN tags that stay in the record.
    """

    moves: tuple[str, ...] = ()
    left_ms: tuple[int | None, ...] = ()
    times: tuple[int, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Before:
        """The value whose fields were stored as JSON."""
        tags = tuple((str(name), str(value)) for name, value in data["tags"])
        return cls(tuple(data["moves"]), tuple(data["left_ms"]), tuple(data["times"]), tags)
