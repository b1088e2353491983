# SPDX-License-Identifier: GPL-3.0-or-later
"""Teams from an individual tournament: the sum of their best players' points (school sport 2022)."""

import pytest
from support.trf import SWISS, team

from acessivel.tournaments.sums import summed
from acessivel.tournaments.trf import read

# Alves 2, Brito 1.5, Costa 0.5, Dias 1.5, Esteves 3


@pytest.mark.parametrize(
    ("teams", "pupils", "wanted"),
    [
        (((1, 3, 4), (2, 5)), None, [(1, 2, 4.5), (2, 1, 4)]),
        (((1, 3, 4), (2, 5)), 1, [(1, 2, 3), (2, 1, 2)]),
        # Who has fewer pupils keeps what they have won.
        (((1, 2, 4), (5,)), 3, [(1, 1, 5), (2, 2, 3)]),
        # Equal sums share a rank; the document knows no tie-break.
        (((2,), (4,), (3,), (5,)), 2, [(1, 4, 3), (2, 1, 1.5), (2, 2, 1.5), (4, 3, 0.5)]),
    ],
)
def test_the_best_of_each_team_count(teams, pupils, wanted):
    event = read("\n".join((SWISS, *(team(f"Escola {n}", *players) for n, players in enumerate(teams)))))
    found = [(line.rank, line.number, line.points) for line in summed(event, pupils)]
    assert found == wanted
