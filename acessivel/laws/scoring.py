# SPDX-License-Identifier: GPL-3.0-or-later
"""What a result is worth: the edition's points, or those of the event (11.1; 10.1, 2018)."""

from __future__ import annotations

from typing import Literal

from acessivel.laws.editions import Edition, Points

_OUTCOMES = {
    "1-0": ("win", "loss"),
    "0-1": ("loss", "win"),
    "1/2-1/2": ("draw", "draw"),
    "0-0": ("loss", "loss"),
}
Outcome = Literal["win", "draw", "loss", "absent"]


def points(edition: Edition, result: str, event: Points | None = None) -> tuple[float, float]:
    """The points of White and Black for a result ("1-0"...); `event` sets its own.

    Raises KeyError for other results.
    """
    worth = event or edition.points
    white, black = _OUTCOMES[result]
    return getattr(worth, white), getattr(worth, black)


def team_points(edition: Edition, outcome: Outcome) -> float:
    """What a match gives a team. Raises ValueError if the edition has no rules for teams."""
    if edition.team_points is None:
        raise ValueError(f"{edition.name} has no points for teams")
    return float(getattr(edition.team_points, outcome))
