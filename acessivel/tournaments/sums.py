# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams ranked from an individual tournament: each by the sum of its best players' points."""

from __future__ import annotations

from acessivel.tournaments import fields
from acessivel.tournaments.standings import Standing
from acessivel.tournaments.tournament import Tournament


def summed(event: Tournament, pupils: int | None) -> tuple[Standing, ...]:
    """Teams by their number; the best `pupils` of each count, or all if it is None.

    Portuguese school sport, conditions of participation: the points of the minimum number of pupils that the
    competition requires, boys and girls alike. A smaller team scores what its pupils have won. No tie-break
    is prescribed: equal teams share a rank.
    """
    field = fields.players(event)
    points = {
        team.number: round(sum(sorted(map(field.score, team.players), reverse=True)[:pupils]), 1)
        for team in event.teams
    }
    ranked = sorted(points, key=lambda number: -points[number])
    return tuple(
        Standing(1 + sum(other > points[number] for other in points.values()), number, points[number], ())
        for number in ranked
    )
