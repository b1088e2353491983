# SPDX-License-Identifier: GPL-3.0-or-later
"""The levels of the engine as data: roughly how strong each is, and how the engine is limited to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tomli

from acessivel.game.engine_choice import STEADY, Weakness

FULL_SKILL = 20  # Stockfish's option Skill Level at its strongest


@dataclass(frozen=True, slots=True)
class Level:
    """How the engine plays: roughly its Elo, a Skill Level of 0 to 20, limits in plies and seconds, slips."""

    elo: int
    skill: int
    depth: int
    seconds: float
    weakness: Weakness = STEADY


@cache
def levels() -> Mapping[int, Level]:
    """The levels by number from 1, weakest first. Raises TypeError or KeyError if the table has a mistake."""
    text = Path(__file__).with_name("levels.toml").read_text("utf-8")
    return {number: _level(dict(row)) for number, row in enumerate(tomli.loads(text)["level"], 1)}


def _level(row: dict[str, float]) -> Level:
    slips, loss = row.pop("slips", 0), row.pop("loss", 0)
    return Level(
        int(row.pop("elo")),
        int(row.pop("skill", FULL_SKILL)),
        int(row.pop("depth")),
        row.pop("seconds"),
        Weakness(slips / 100, int(loss)),
    )
