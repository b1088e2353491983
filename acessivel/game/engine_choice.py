# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the move of a weakened engine: mostly its best, sometimes one that loses a limited amount."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Weakness:
    """How often it slips (0 to 1), and what a slip may lose, in centipawns."""

    slips: float
    loss: int


STEADY = Weakness(0.0, 0)
_WON = 1000  # centipawns; a slip in a won position must keep it won, though it can lose the mate


@dataclass(frozen=True, slots=True)
class Rated:
    """A move in UCI and what it is worth to its player, in centipawns."""

    uci: str
    worth: int


def choose(rated: Sequence[Rated], weakness: Weakness, chance: Random) -> str:
    """The move of a weakened engine. Raises ValueError if there is none to choose from.

    Chooses at random between equally good moves, so that it does not play the same game again.
    """
    best = max(move.worth for move in rated)
    least = min(best, _WON) - weakness.loss if chance.random() < weakness.slips else best
    return chance.choice([move.uci for move in rated if move.worth >= least])
