# SPDX-License-Identifier: GPL-3.0-or-later
"""Tie-breaks worked out by hand from their rules; the working stands beside each value."""

import pytest
from support.trf import SWISS, TEAMS

from acessivel.laws.editions import edition
from acessivel.tournaments import fields, trf
from acessivel.tournaments.regulation import NAME, regulation
from acessivel.tournaments.standings import Field, Scale, Scored, standings

GAMES = Scale(1, 0.5, 0)


def by_number(lines):
    return {line.number: (line.rank, line.points, line.values) for line in lines}


# Unplayed rounds (C.02, article 13, until 2023): score before the round, plus the other result, plus a half for
# each round after it; for opponents an unplayed round is a half. Scores as opponents: 1 has 1+½+1 = 2.5,
# 2 has 0+1+½ = 1.5, 3 has ½, 4 has ½+½+0 = 1, 5 has ½+½+1 = 2.
INDIVIDUAL = {
    # Opponents count 1.5 (2), 1+1+½ = 2.5 (forfeit in round 2 with 1 point), 0.5 (3): 4.5, without 0.5: 4.
    # Sonneborn-Berger 1.5 + 0 + 0.5.
    1: (2, 2.0, (None, 4.0, 4.5, 2.0, 2.0)),
    # 2.5 (1), 0.5 (3), 1+½+0 = 1.5 (half-point bye in the last round): 4.5, 4. SB 0 + 0.5 + ½ of 1.5.
    # 2 and 4 have not met, so that their direct encounter does not apply; Buchholz cut 1 parts them.
    2: (3, 1.5, (None, 4.0, 4.5, 1.25, 1.0)),
    # 1 (4), 1.5 (2), 2.5 (1): 5, 4. SB ½ of 1.
    3: (5, 0.5, (None, 4.0, 5.0, 0.5, 0.0)),
    # 0.5 (3), ½+0+½ = 1 (bye in round 2), 2 (5): 3.5, 3. SB ½ of 0.5 + 1 + 0; the bye is a win.
    4: (4, 1.5, (None, 3.0, 3.5, 1.25, 1.0)),
    # 0+0+1 = 1 (bye in round 1), 1+0+½ = 1.5 (won by forfeit), 1 (4): 3.5, 2.5. SB all of it.
    5: (1, 3.0, (None, 2.5, 3.5, 3.5, 3.0)),
}


def test_the_five_tie_breaks_of_players_in_the_order_of_the_document():
    order = regulation().individual
    assert order == ("direct_encounter", "buchholz_cut_1", "buchholz", "sonneborn_berger", "wins")
    assert by_number(standings(fields.players(trf.read(SWISS)), order)) == INDIVIDUAL


# Match points 3 2 1, 0 for not coming. Alfa 1.5-0.5 Beta, Gama 2-0 Delta (absent); Alfa 1-1 Gama, Beta 1-1 Delta.
# As opponents: Alfa 3+2 = 5, Beta 1+2 = 3, Gama 2+2 = 4 and Delta 2+2 = 4 (what is unplayed is drawn).
TEAM_SWISS = {
    # Met and drew with Gama: 2 each. Boards 1.5+1. Opponents 3 + 4.
    1: (2, 5.0, (5.0, 2.0, 2.5, 4.0, 7.0)),
    # Opponents 5 + 4.
    2: (3, 3.0, (3.0, None, 1.5, 5.0, 9.0)),
    # Boards 2+1. Opponents: 0 + 1 (the other result) + 2 (a draw in round 2) = 3, and 5.
    3: (1, 5.0, (5.0, 2.0, 3.0, 5.0, 8.0)),
    # Opponents: 0 + 3 + 2 = 5, and 3.
    4: (4, 2.0, (2.0, None, 1.0, 5.0, 8.0)),
}
# The same as a round-robin: a forfeit counts like any result. Sonneborn-Berger: Alfa 3 + ½ of 5, Gama 2 + ½ of 5,
# Beta ½ of 2, Delta ½ of 3. Boards weigh 2 and 1: Alfa 2+½ and 1+½, Gama 2+1 and 1+½, Beta ½ and 2, Delta 0 and 1.
TEAM_ROUND_ROBIN = {
    1: (2, 5.0, (2.0, 1.0, 2.5, 5.5, 4.0)),
    2: (3, 3.0, (None, 0.0, 1.5, 1.0, 2.5)),
    3: (1, 5.0, (2.0, 1.0, 3.0, 4.5, 4.5)),
    4: (4, 2.0, (None, 0.0, 1.0, 1.5, 1.0)),
}


@pytest.mark.parametrize(
    ("swiss", "order", "expected"),
    [
        (True, ("match_points", "direct_encounter", "board_points", "buchholz_cut_1", "buchholz"), TEAM_SWISS),
        (False, ("direct_encounter", "board_points_among_tied", "board_points", "sonneborn_berger", "bsv"), TEAM_ROUND_ROBIN),
    ],
)  # fmt: skip
def test_the_tie_breaks_of_teams_in_the_order_of_the_document(swiss, order, expected):
    rules = regulation()
    assert (rules.team_swiss if swiss else rules.team_round_robin) == order
    field = fields.teams(trf.read(TEAMS), edition(NAME).team_points, swiss=swiss)
    assert by_number(standings(field, order)) == expected


def played(*rounds):
    return tuple(Scored(opponent, played=True, points=points) for opponent, points in rounds)


def test_the_direct_encounter_parts_those_who_have_all_met():
    # 1, 2 and 3 have two points each; among themselves 1 beat 2 and drew with 3, 3 beat 2.
    field = Field(
        {
            1: played((2, 1), (3, 0.5), (4, 0.5)),
            2: played((1, 0), (4, 1), (3, 0), (4, 1)),
            3: played((4, 0.5), (1, 0.5), (2, 1)),
            4: played((3, 0.5), (2, 0), (1, 0.5), (2, 0)),
        },
        GAMES,
    )
    found = by_number(standings(field, ("direct_encounter",)))
    assert found == {1: (1, 2.0, (1.5,)), 3: (1, 2.0, (1.5,)), 2: (3, 2.0, (0.0,)), 4: (4, 1.0, (None,))}


def test_who_is_equal_in_everything_shares_a_rank_and_the_next_one_is_not_taken():
    field = Field(
        {1: played((2, 0.5)), 2: played((1, 0.5)), 3: (Scored(None, played=False, points=0),)}, GAMES
    )
    assert [(s.rank, s.number) for s in standings(field, regulation().individual)] == [(1, 1), (1, 2), (3, 3)]


def test_before_the_first_round_all_are_equal():
    field = Field({1: (), 2: ()}, GAMES)
    assert [s.rank for s in standings(field, regulation().individual)] == [1, 1]
