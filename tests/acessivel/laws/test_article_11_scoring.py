# SPDX-License-Identifier: GPL-3.0-or-later
"""Article 11 (10 in 2018) and the points of school sport."""

import pytest

from acessivel.laws.editions import EDITIONS, Points, edition
from acessivel.laws.scoring import points, team_points


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize(
    ("result", "wanted"), [("1-0", (1, 0)), ("0-1", (0, 1)), ("1/2-1/2", (0.5, 0.5)), ("0-0", (0, 0))]
)
def test_a_win_is_worth_one_and_a_draw_half(name, result, wanted):
    assert points(edition(name), result) == wanted  # 11.1; 10.1, 2018


def test_an_event_may_set_its_own_points():
    assert points(edition("fide-2018"), "1/2-1/2", Points(3, 1, 0, 0)) == (1, 1)


def test_what_is_no_result_has_no_points():
    with pytest.raises(KeyError):
        points(edition("fide-2018"), "*")


@pytest.mark.parametrize(("outcome", "wanted"), [("win", 3), ("draw", 2), ("loss", 1), ("absent", 0)])
def test_team_points_of_school_sport(outcome, wanted):
    assert team_points(edition("desporto-escolar-2022"), outcome) == wanted


def test_the_laws_know_no_teams():
    with pytest.raises(ValueError, match="fide-2018"):
        team_points(edition("fide-2018"), "win")
