# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams classified from an individual tournament: each by the sum of what its best players have won."""

from __future__ import annotations

from acessivel.tournaments import fields
from acessivel.tournaments.standings import Standing
from acessivel.tournaments.trf import Tournament


def summed(event: Tournament, pupils: int | None) -> tuple[Standing, ...]:
    """Teams by their place in the file, from 1; the best `pupils` of each count, all of them when it is None.

    Portuguese school sport, conditions of participation: the points of the least number of pupils that the
    competition asks for, boys and girls alike. A team with fewer keeps what they have won. It names no
    tie-break: who is equal shares a rank.
    """
    field = fields.players(event)
    points = {
        number: sum(sorted(map(field.score, team.players), reverse=True)[:pupils])
        for number, team in enumerate(event.teams, 1)
    }
    ranked = sorted(points, key=lambda number: -points[number])
    return tuple(
        Standing(1 + sum(other > points[number] for other in points.values()), number, points[number], ())
        for number in ranked
    )
