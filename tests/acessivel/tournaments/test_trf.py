# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trf import SWISS, TEAMS, player, team

from acessivel.tournaments import fields, trf
from acessivel.tournaments.standings import standings
from acessivel.tournaments.trf import Pairing, TrfError


def test_a_file_is_read_by_its_columns():
    event = trf.read(SWISS)
    assert (event.name, event.begins, event.rounds) == ("Festa do Desporto Escolar", "2023/05/06", 3)
    ana, eva = event.players[1], event.players[5]
    assert (ana.name, ana.born, ana.points, ana.line) == ("Alves, Ana", "2015/02/01", 2.0, 4)
    assert ana.rounds == (
        Pairing("played", 2, "white", 1),
        Pairing("forfeit", 5, "black", 0),
        Pairing("played", 3, "white", 1),
    )
    assert eva.rounds[0] == Pairing("bye", None, None, 1)


def test_a_round_without_results_is_a_pairing_and_not_counted():
    lines = [
        player(1, "A,A", [(2, "w", "1"), (3, "b", " ")], "1.0"),
        player(2, "B,B", [(1, "b", "0"), ("0000", "-", "U")], "1.0"),
        player(3, "C,C", [("0000", "-", "U"), (1, "w", " ")], "1.0"),
    ]
    event = trf.read("\n".join(lines))
    assert event.rounds == 1
    assert event.players[1].rounds[1] == Pairing("paired", 3, "black")
    assert event.players[2].points == 1.0
    assert {s.number: s.points for s in standings(fields.players(event), ())} == {1: 1, 2: 0, 3: 1}


GOOD = [
    player(1, "A,A", [(2, "w", "1")], "1.0"),
    player(2, "B,B", [(1, "b", "0")], "0.0"),
    player(3, "C,C", [("0000", "-", "F")], "1.0"),
    team("X", 1, 3),
    team("Y", 2),
]


def replaced(at, line):
    return [*GOOD[:at], line, *GOOD[at + 1 :]]


@pytest.mark.parametrize(
    ("lines", "line", "key"),
    [
        ([], 1, "trf_no_players"),
        (["012 A tournament"], 1, "trf_no_players"),
        (replaced(1, "001x   2"), 2, "trf_columns"),
        (replaced(1, "\x00\x01\x02\x03"), 2, "trf_columns"),
        (replaced(1, GOOD[0]), 2, "trf_twice"),
        (replaced(1, player(0, "B,B", [], "0.0")), 2, "trf_number"),
        (replaced(1, player("two", "B,B", [], "0.0")), 2, "trf_number"),
        (replaced(1, player(2, "", [], "0.0")), 2, "trf_no_name"),
        (replaced(1, player(2, "B,B", [(1, "b", "0")], "0,5")), 2, "trf_points"),
        (replaced(1, player(2, "B,B", [(1, "x", "0")], "0.0")), 2, "trf_round"),
        (replaced(1, player(2, "B,B", [(1, "b", "?")], "0.0")), 2, "trf_round"),
        (replaced(1, player(2, "B,B", [(1, "b", "U")], "1.0")), 2, "trf_round"),
        (replaced(1, player(2, "B,B", [("0000", "-", "1")], "1.0")), 2, "trf_round"),
        (replaced(1, player(2, "B,B", [(9, "b", "0")], "0.0")), 1, "trf_disagree"),
        (replaced(0, player(1, "A,A", [(9, "w", "1")], "1.0")), 1, "trf_opponent"),
        (replaced(0, player(1, "A,A", [(1, "w", "1")], "1.0")), 1, "trf_opponent"),
        (replaced(1, player(2, "B,B", [(1, "b", "1")], "1.0")), 1, "trf_disagree"),
        (replaced(1, player(2, "B,B", [(1, "w", "0")], "0.0")), 1, "trf_disagree"),
        (replaced(1, player(2, "B,B", [], "0.0")), 1, "trf_disagree"),
        (replaced(0, player(1, "A,A", [(2, "w", "1")], "2.0")), 1, "trf_sum"),
        (replaced(3, team("", 1)), 4, "trf_team"),
        (replaced(3, team("X")), 4, "trf_team"),
        (replaced(3, team("X", 1, 7)), 4, "trf_no_player"),
        (replaced(4, team("Y", 2, 1)), 5, "trf_in_two_teams"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines, line, key):
    with pytest.raises(TrfError) as caught:
        trf.read("\n".join(lines))
    assert (caught.value.line, caught.value.key) == (line, key)


@given(st.data())
def test_whatever_is_changed_in_a_file_it_is_read_or_refused_with_a_line(data):
    text = data.draw(st.sampled_from((SWISS, TEAMS)))
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 5)) :]
    line = 1
    try:
        trf.read(changed)
    except TrfError as error:
        line = error.line
    assert 1 <= line <= len(changed.splitlines()) + 1
