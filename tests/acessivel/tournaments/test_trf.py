# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trf import NEW, SWISS, TEAMS, player, team

from acessivel.tournaments import fields, trf
from acessivel.tournaments.standings import standings
from acessivel.tournaments.tournament import (
    Abnormal,
    Accelerated,
    Bye,
    Pairing,
    Prohibited,
    TrfError,
)


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


def test_the_records_of_trf26_are_read_by_their_columns():
    event = trf.read(NEW)
    assert (event.place, event.planned, event.colour, event.code) == ("Lisboa", 5, "black", "FIDE_DUTCH_2025")
    assert event.dates == ("26/11/07", "26/11/08")
    assert trf.read(NEW.replace("26/11/07", " " * 8)).dates == ("", "26/11/08")
    assert trf.read(NEW.replace(f"132 {'':87}", "132 ")).dates == ("26/11/07", "26/11/08")
    assert event.byes == (Bye("H", 3, (5,)),)
    assert event.accelerated == (Accelerated(1.0, (1, 2), (1, 3)),)
    assert event.prohibited == (Prohibited((1, 5), (1, 6)),)
    assert event.abnormal == (Abnormal("", None, -1.0, None, frozenset({6})),)
    # Three points for a win and one for a draw; a player has lost one of his.
    assert [event.players[number].rounds[1].points for number in range(1, 7)] == [1, 1, 3, 3, 0, 0]
    assert {s.number: s.points for s in standings(fields.players(event), ())} == {
        1: 4,
        2: 4,
        3: 3,
        4: 3,
        5: 0,
        6: 2,
    }


def test_line_299_is_read_by_its_published_columns_and_by_those_of_fides_own_example():
    published = f"299 W  {' 1.0':>4}  {' 2.5':>4}  {7:>3} {4:>4} {5:>4}"
    example = f"299 W {' 1.0':>4} {' 2.5':>4} {7:>3} {4:>4} {5:>4}"
    for line in (published, example):
        assert trf.read(f"{NEW}{line}\n").abnormal[1] == Abnormal("W", 1.0, 2.5, 7, frozenset({4, 5}))
    assert trf.read(f"{NEW}299 F  0.0  1.5\n").abnormal[1] == Abnormal("F", 0.0, 1.5, None, frozenset())


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("XXS W=3 D=1 PAB=2", (3, 1, 2)),
        ("XXS PAB=.5", (1, 0.5, 0.5)),
        ("BBW  3.0\nBBD  1.0", (3, 1, 3)),
    ],
)
def test_the_scoring_systems_of_pairing_engines(line, points):
    event = trf.read(f"{player(1, 'A', [], '0.0')}\n{line}")
    assert tuple(event.points[symbol] for symbol in "WDP") == points


def test_a_bye_agreed_for_a_round_that_is_not_paired_is_no_round():
    lines = [
        player(1, "A,A", [(2, "w", "1")], "1.0"),
        player(2, "B,B", [(1, "b", "0"), ("0000", "-", "H")], "0.5"),
    ]
    event = trf.read("\n".join(lines))
    assert (event.rounds, event.paired_rounds) == (1, 1)


@pytest.mark.parametrize(("one", "other"), [("0", "0"), ("=", "0"), ("-", "-")])
def test_an_arbiter_may_give_less_than_a_point_in_all(one, other):
    points = {"0": 0.0, "=": 0.5, "-": 0.0}
    lines = [player(1, "A", [(2, "w", one)], points[one]), player(2, "B", [(1, "b", other)], points[other])]
    assert trf.read("\n".join(lines)).rounds == 1


def test_points_in_tenths_add_up():
    """In floating point three times 1.1, or 0, 1.1 and 0.3, is not quite what the file says."""
    rounds = [
        [(2, "w", "1"), (3, "b", "1"), (4, "w", "1")],
        [(1, "b", "0"), (4, "w", "1"), (3, "b", "=")],
        [(4, "w", "="), (1, "w", "0"), (2, "w", "=")],
        [(3, "b", "="), (2, "b", "0"), (1, "b", "0")],
    ]
    lines = [
        player(n, f"{n}", each, p)
        for n, each, p in zip((1, 2, 3, 4), rounds, (3.3, 1.4, 0.6, 0.3), strict=True)
    ]
    event = trf.read("\n".join(("162  W 1.1    D 0.3", *lines)))
    assert [s.points for s in standings(fields.players(event), ())] == [3.3, 1.4, 0.6, 0.3]


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
        (replaced(1, "\x00\x01\x02\x03"), 2, "trf_control"),
        (replaced(1, GOOD[1].replace("B,B", "B,\x1b")), 2, "trf_control"),
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
        (replaced(1, player(2, "B,B", [(1, "b", "=")], "0.5")), 1, "trf_disagree"),
        ([*GOOD[:3], "240"], 4, "trf_record"),
        ([*GOOD[:3], "240 Q   3    1"], 4, "trf_record"),
        ([*GOOD[:3], "250       1.0   x   2    1    3"], 4, "trf_record"),
        ([*GOOD[:3], "299 W nan"], 4, "trf_record"),
        ([*GOOD[:3], "162  W 1e9"], 4, "trf_record"),
        ([*GOOD[:3], f"310   1 {'X':<65}    1", f"310   1 {'Y':<65}    2"], 5, "trf_team_twice"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines, line, key):
    with pytest.raises(TrfError) as caught:
        trf.read("\n".join(lines))
    assert (caught.value.line, caught.value.key) == (line, key)


@pytest.mark.parametrize("text", [SWISS, TEAMS, NEW, NEW.replace("\r\n", "\r"), "\n\n" + TEAMS + "\n\n"])
def test_a_file_that_was_read_is_written_as_it_was(text):
    assert trf.read(text).text == text
    assert trf.read("\ufeff" + text).text == text


@given(st.data())
def test_whatever_is_changed_in_a_file_it_is_read_or_refused_with_a_line(data):
    text = data.draw(st.sampled_from((SWISS, TEAMS, NEW)))
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 5)) :]
    line = 1
    try:
        trf.read(changed)
    except TrfError as error:
        line = error.line
    assert 1 <= line <= len(changed.splitlines()) + 1
