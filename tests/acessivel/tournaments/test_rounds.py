# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of a round, pairings, results and byes written into a tournament's file, and the file's versions."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trf import NEW, SWISS, TEAMS, player, team

from acessivel.laws.editions import Points
from acessivel.message import Message
from acessivel.tournaments import fields, pairing, trf
from acessivel.tournaments.announcements import round_told
from acessivel.tournaments.rounds import Board, boards, signs, told
from acessivel.tournaments.standings import standings
from acessivel.tournaments.tournament import Pairing, TrfError
from acessivel.tournaments.trf_edit import (
    version,
    with_byes,
    with_first_colour,
    with_head,
    with_results,
    with_round,
)
from acessivel.tournaments.trf_versions import as_version

ORDER = ("buchholz",)
# Files that others have published, which this project does not carry.
PUBLISHED = Path(__file__).parents[3].parent / "shared" / "trf"
published = pytest.mark.skipif(not PUBLISHED.exists(), reason="published tournament files are not here")


def test_tables_stand_in_the_order_in_which_pairings_are_published():
    event = trf.read(SWISS)
    # 5 and 4 had 2 and 1.5 points before the third round, 1 and 3 one and a half.
    assert boards(event, 3) == (Board(1, 4, 5), Board(2, 1, 3))
    assert boards(event, 1) == (Board(1, 1, 2), Board(2, 3, 4))
    assert boards(event, 4) == ()


@pytest.mark.parametrize(
    ("colours", "table"),
    [("--", (1, 2)), ("w-", (1, 2)), ("-b", (1, 2)), ("b-", (2, 1)), ("-w", (2, 1))],
)
def test_the_colour_of_a_forfeit_may_stand_on_one_side_alone(colours, table):
    lines = [player(1, "A", [(2, colours[0], "+")], "1.0"), player(2, "B", [(1, colours[1], "-")], "0.0")]
    event = trf.read("\n".join(lines))
    assert boards(event, 1) == (Board(1, *table),)


def test_tables_of_a_tournament_of_teams_stand_by_match_and_board():
    found = [(board.white, board.black) for board in boards(trf.read(TEAMS), 2)]
    assert found == [(5, 1), (2, 6), (3, 7), (8, 4)]


def test_teams_that_are_only_classified_do_not_change_the_tables_of_the_players():
    old = trf.read("\n".join((SWISS, team("Escola A", 1, 3, 4), team("Escola B", 2, 5))))
    new, _ = as_version(with_head(old, "XXR", "5"), 26, ORDER)
    for event in (old, new):
        assert boards(event, 3) == boards(trf.read(SWISS), 3)
        after = with_results(event, 3, {boards(event, 3)[0]: signs("1-0")}, ORDER)
        assert after.players[4].points == 2.5


SCHOOLS = "\n".join((
    "092 Individual: Swiss-System",
    "XXR 5",
    player(1, "A,A", [(2, "w", "1")], "1.0"),
    player(2, "B,B", [(1, "b", "0")], "0.0"),
    player(3, "C,C", [(4, "w", "1")], "1.0"),
    player(4, "D,D", [(3, "b", "0")], "0.0"),
    team("Escola A", 1, 2),
    team("Escola B", 3, 4),
))  # fmt: skip


def test_pupils_of_a_school_who_meet_are_no_match_of_teams():
    event, _ = as_version(trf.read(SCHOOLS), 26, ORDER)
    event = with_results(event, 1, {boards(event, 1)[0]: signs("½")}, ORDER)
    # The columns of match points, board points and rank are empty.
    assert {line[48:73].strip() for line in event.lines if line.startswith("310")} == {""}
    unsaid = trf.read(SCHOOLS.replace("092 Individual: ", "092 "))
    with pytest.raises(TrfError):
        fields.teams(unsaid, Points(2, 1, 0, 0), swiss=True)


def test_a_pupil_s_bye_counts_in_an_individual_tournament_with_teams():
    event, _ = as_version(trf.read(SCHOOLS), 26, ORDER)
    event = with_byes(event, 2, "H", [3], ORDER)
    assert [event.bye(number, 2) for number in (1, 3)] == [None, "H"]


@pytest.mark.parametrize(
    ("result", "plies", "expected"),
    [
        ("1-0", 60, ("1", "0")),
        ("0-1", 60, ("0", "1")),
        ("1/2-1/2", 60, ("=", "=")),
        ("½-½", 60, ("=", "=")),
        ("=", 60, ("=", "=")),
        ("0,5:0,5", 60, ("=", "=")),
        ("0:0", 60, ("0", "0")),
        ("0-0", 60, ("0", "0")),
        ("½-0", 60, ("=", "0")),
        ("+-", 60, ("+", "-")),
        ("-/+", 0, ("-", "+")),
        ("--", 0, ("-", "-")),
        ("1-0", 1, ("W", "L")),
        ("1/2-1/2", 0, ("D", "D")),
        ("*", 60, (" ", " ")),
    ],
)
def test_a_result_as_the_file_has_it(result, plies, expected):
    assert signs(result, plies=plies) == expected


@pytest.mark.parametrize("text", ["", "2-0", "1-1", "x", "1"])
def test_what_is_no_result_is_refused(text):
    with pytest.raises(ValueError, match=f"^{text}$"):
        signs(text)


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+-", "-+", "--", "*"])
def test_a_result_can_be_told_from_the_file(result):
    assert told(*signs(result)) == result


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [("1", "L", "1-0"), ("W", "0", "1-0"), ("=", "D", "1/2-1/2"), ("L", "1", "0-1"), ("L", "0", "0-0")],
)
def test_one_side_may_call_a_game_unrated_that_the_other_calls_rated(white, black, result):
    assert told(white, black) == result


def third_round():
    event = with_byes(trf.read(SWISS), 4, "H", [2], ORDER)
    return with_round(event, 4, [(5, 1), (3, 4)], None, ORDER)


def test_a_round_is_paired_and_its_results_come_in_one_by_one():
    event = third_round()
    assert (event.rounds, event.paired_rounds) == (3, 4)
    assert event.players[1].rounds[3] == Pairing("paired", 5, "black")
    assert event.players[2].rounds[3] == Pairing("bye", points=0.5)
    one, two = boards(event, 4)
    assert (one, two) == (Board(1, 5, 1), Board(2, 3, 4))
    event = with_results(event, 4, {two: signs("½")}, ORDER)
    assert (event.rounds, event.players[3].points, event.players[4].points) == (3, 1.0, 2.0)
    event = with_results(event, 4, {one: signs("0-1")}, ORDER)
    assert (event.rounds, event.players[1].points) == (4, 3.0)
    ranks = {each.number: each.rank for each in standings(fields.players(event), ORDER)}
    assert {number: int(event.lines[each.line - 1][85:89]) for number, each in event.players.items()} == ranks


def test_a_result_can_be_corrected_and_taken_back():
    event = third_round()
    board = boards(event, 4)[0]
    event = with_results(event, 4, {board: signs("1-0")}, ORDER)
    event = with_results(event, 4, {board: signs("0-1")}, ORDER)
    assert event.players[5].points == 3.0
    event = with_results(event, 4, {board: signs("*")}, ORDER)
    assert event.players[1].rounds[3] == Pairing("paired", 5, "black")
    assert event.text == third_round().text


def test_what_the_program_does_not_know_stays_when_results_are_written():
    before = trf.read(NEW)
    after = with_round(before, 3, [(1, 3), (4, 2)], 6, ORDER)
    after = with_results(after, 3, {boards(after, 3)[0]: signs("1-0")}, ORDER)
    assert [line for line in after.lines if line[:3] != "001"] == [
        line for line in before.lines if line[:3] != "001"
    ]
    # The bye of the pairing gives 3 points here, the agreed one 1, a win 3; and one point was taken away.
    assert {number: each.points for number, each in after.players.items()} == {
        1: 7,
        2: 4,
        3: 3,
        4: 3,
        5: 1,
        6: 5,
    }


@pytest.mark.parametrize("ends", [("\r\n", "\n"), ("\n", "\r\n"), ("\r\n", "\r\n"), ("\r", "\r")])
def test_each_line_keeps_its_end_and_the_blanks_before_it(ends):
    lines = SWISS.split("\r\n")
    text = "".join(f"{line} {ends[at % 2]}" for at, line in enumerate(lines))
    before = trf.read(text)
    assert before.text == text
    after = with_results(before, 3, {boards(before, 3)[0]: signs("1-0")}, ORDER)
    # The players of that table are 4 and 5; of the others only the ranks are written.
    for old, new in zip(before.lines, after.lines, strict=True):
        touched = int(old[4:8]) in (4, 5) if old.startswith("001") else False
        assert touched or (old[:84], old[89:]) == (new[:84], new[89:])
        assert old.endswith("\r") == new.endswith("\r")
    assert after.players[4].points == 2.5


@pytest.mark.parametrize(("rounds", "named"), [((1, 5), ()), ((1, 2), ("260",)), ((2, 5), ("260",))])
def test_two_who_must_not_meet_in_some_rounds_only_are_named_as_left_out(rounds, named):
    lines = [
        "142 5",
        player(1, "A", [], "0.0"),
        player(2, "B", [], "0.0"),
        f"260 {rounds[0]:>3} {rounds[1]:>3}    1    2",
    ]
    assert as_version(trf.read("\n".join(lines)), 16, ORDER)[1] == named


@pytest.mark.parametrize(("values", "named"), [(("", ""), ()), (("nine", "?"), ("142", "152"))])
def test_what_is_blank_or_unknown_is_not_told_to_engines(values, named):
    lines = [f"{code} {value}" for code, value in zip(("142", "152"), values, strict=True)]
    old, dropped = as_version(trf.read("\n".join((*lines, player(1, "A", [], "0.0")))), 16, ORDER)
    assert ([line[:3] for line in old.lines], dropped) == (["001"], named)


def test_who_has_lost_more_points_than_he_has_won_is_below_zero():
    lines = [player(1, "A,A", [(2, "w", " ")], "0.0"), player(2, "B,B", [(1, "b", " ")], "-1.0")]
    event = trf.read("\n".join((*lines, f"299 {'':7}  {'-1.0':>4}  {'':3} {2:>4}")))
    event = with_results(event, 1, {boards(event, 1)[0]: signs("1-0")}, ORDER)
    assert (event.players[1].points, event.players[2].points) == (1.0, -1.0)


def test_a_bye_is_agreed_changed_and_withdrawn():
    event = trf.read(NEW)
    event = with_byes(event, 3, "Z", [5, 2], ORDER)
    assert [event.bye(number, 3) for number in (2, 5, 1)] == ["Z", "Z", None]
    event = with_byes(event, 3, "", [5], ORDER)
    assert [line for line in event.lines if line.startswith("240")] == ["240 Z   3    2"]


@pytest.mark.parametrize("kind", ["", "Z"])
def test_a_bye_agreed_before_the_file_was_written_in_the_other_version_is_changed(kind):
    old = with_byes(trf.read(f"{SWISS}\r\nXXR 5"), 4, "H", [2], ORDER)
    event, _ = as_version(old, 26, ORDER)
    event = with_byes(event, 4, kind, [2], ORDER)
    told = event.bye(2, 4) or "", event.players[2].paired(4).sign.strip()
    assert told == (kind, "")
    # Without the half point that he would have got.
    assert (old.players[2].points, event.players[2].points) == (2.0, 1.5)


@pytest.mark.parametrize("version_", [16, 26])
def test_who_is_absent_in_the_coming_round_alone_is_there_again(version_):
    text = "\n".join((SWISS, "XXZ 2 3", *(["142 5"] if version_ == 26 else [])))
    event = trf.read(text)
    assert [event.bye(number, 4) for number in (1, 2, 3)] == [None, "Z", "Z"]
    for kind in ("", "H"):
        after = with_byes(event, 4, kind, [3], ORDER)
        found = [after.bye(n, 4) or after.players[n].paired(4).sign.strip() for n in (2, 3)]
        assert found == ["Z", kind]
    after = with_round(event, 4, [(5, 1)], 4, ORDER)
    assert [after.players[number].paired(4).sign for number in (2, 3, 4)] == ["Z", "Z", "U"]
    assert [after.bye(number, 5) for number in (2, 3)] == [None, None]


@pytest.mark.parametrize("lines", [("XXC rank",), ("XXC rank white1",), ("XXC white1", "XXC rank")])
def test_what_only_engines_are_told_stays_beside_the_first_colour(lines):
    event = trf.read("\n".join((*lines, player(1, "A", [], "0.0"), player(2, "B", [], "0.0"))))
    assert event.colour == ("white" if "white1" in " ".join(lines) else None)
    event = with_first_colour(event, "black")
    assert (event.colour, event.lines[0]) == ("black", "XXC black1 rank")
    new, _ = as_version(event, 26, ORDER)
    assert new.lines[:2] == ("152 B", "XXC rank")
    assert set(with_first_colour(new, "white").lines[:2]) == {"152 W", "XXC rank"}
    old, _ = as_version(new, 16, ORDER)
    assert old.colour == "black"


def test_a_line_of_the_tournament_is_put_in_its_place():
    event = with_head(with_head(trf.read(SWISS), "142", "9"), "142", "7")
    codes = [line[:3] for line in event.lines]
    assert (event.planned, codes[:4]) == (7, ["012", "042", "092", "142"])


@pytest.mark.parametrize("text", [NEW, f"{NEW}XYZ of nobody\r\n"])
def test_what_trf26_knows_is_told_to_engines_by_trf16_and_comes_back(text):
    event = trf.read(text)
    old, dropped = as_version(event, 16, ORDER)
    assert (version(old), dropped) == (16, ("###", "172", "182", "192", "202", "222", "299"))
    # Without line 299, the point that was taken away is back.
    assert old.players[6].points == 3.0
    lines = set(old.lines)
    assert lines >= {"XXR 5", "XXC black1", "BBW  3.0", "BBD  1.0", "XXP 1 6", "987 a record of tomorrow"}
    assert lines >= {f"XXA {number:>4}  1.0  1.0" for number in (1, 2, 3)}
    assert old.players[5].rounds[2] == Pairing("bye", points=1.0)
    new, nothing = as_version(old, 26, ORDER)
    assert (version(new), nothing) == (26, ())
    for what in ("planned", "colour", "points", "paired_rounds"):
        assert getattr(new, what) == getattr(event, what)


# Record -> its fields by the columns of the published table, counted from 1, and what is written there below. The
# totals of teams stand in the next test.
COLUMNS = {
    "142": {(5, 5): "5"},
    "152": {(5, 5): "W"},
    "162": {(6, 6): "W", (7, 10): "3.0", (15, 15): "D", (16, 19): "1.0", (24, 24): "P", (25, 28): "2.0"},
    "240": {(5, 5): "Z", (7, 9): "3", (11, 14): "2", (16, 19): "5"},
    "250": {(5, 8): "", (10, 13): "1.0", (15, 17): "1", (19, 21): "1", (23, 26): "1", (28, 31): "3"},
    "260": {(5, 7): "1", (9, 11): "5", (13, 16): "1", (18, 21): "4", (23, 26): "6"},
    "310": {(5, 7): "1", (9, 40): "Alfa", (42, 46): "", (48, 53): "", (55, 60): "", (62, 67): "", (69, 71): "",
            (74, 77): "1", (79, 82): "4", (84, 87): "6"},
}  # fmt: skip


def test_records_that_are_written_stand_in_the_published_columns():
    players = NEW.split("\r\n")[14:20]
    extensions = [
        "XXR 5",
        "XXC white1",
        "XXS W=3 D=1 PAB=2",
        "XXZ 2 5",
        "XXP 1 4 6",
        *(f"XXA {n:>4}  1.0" for n in (1, 2, 3)),
    ]
    blank = [f"{line[:80]}    {line[84:]}" for line in players]
    individual, _ = as_version(trf.read("\n".join((*extensions, *blank))), 26, ORDER)
    of_teams, _ = as_version(trf.read("\n".join((*blank, team("Alfa", 1, 4, 6)))), 26, ORDER)
    written = {line[:3]: line for line in (*individual.lines, *of_teams.lines)}
    for code, fields_ in COLUMNS.items():
        found = {(first, last): written[code][first - 1 : last].strip() for first, last in fields_}
        assert found == fields_, code


def test_teams_change_their_record_with_the_version():
    new, _ = as_version(with_head(trf.read(TEAMS), "142", "3"), 26, ORDER)
    assert version(new) == 26
    new, _ = as_version(trf.read(TEAMS), 26, ORDER)
    third = next(line for line in new.lines if line.startswith("310   3"))
    assert third == f"310   3 {'Gama':<32} {'':5} {'':6} {'3.0':>6} {'3.0':>6} {'1':>3}     5    6"
    old, _ = as_version(new, 16, ORDER)
    assert [line for line in old.lines if line.startswith("013")][2] == team("Gama", 5, 6)


@given(st.data())
def test_whoever_won_the_file_stays_whole(data):
    """Random results of a random round, in both versions: the file is read again without a mistake."""
    event = trf.read(data.draw(st.sampled_from((SWISS, NEW))))
    pairs = data.draw(st.permutations(sorted(event.players)))
    coming = event.paired_rounds + 1
    free = pairs.pop() if len(pairs) % 2 else None
    event = with_round(event, coming, list(zip(pairs[::2], pairs[1::2], strict=True)), free, ORDER)
    results = {
        board: signs(data.draw(st.sampled_from(("1-0", "½", "0-1", "+-", "--", "*"))))
        for board in boards(event, coming)
    }
    event = with_results(event, coming, results, ORDER)
    for board, (white, black) in results.items():
        one, other = (event.players[number].paired(coming) for number in (board.white, board.black))
        assert (one.sign, other.sign, one.colour) == (white, black, "white")
    for wanted in (16, 26):
        event, _ = as_version(event, wanted, ORDER)
        assert trf.read(event.text) == event


@published
@pytest.mark.parametrize("path", sorted(PUBLISHED.glob("*.trf")), ids=lambda path: path.stem)
def test_published_files_are_read_written_and_converted(path):
    text = path.read_bytes().decode()
    event = trf.read(text)
    assert event.text == text
    other, _ = as_version(event, 42 - version(event), ORDER)
    assert {n: each.rounds for n, each in other.players.items()} == {
        n: each.rounds for n, each in event.players.items()
    }


@published
def test_the_matches_of_fides_example_add_up_to_the_totals_that_it_states():
    text = (PUBLISHED / "example_trf26.trf").read_text(encoding="utf-8")
    # Its two lines 299 show what they could say: the totals are without them.
    event = trf.read("\n".join(line for line in text.splitlines() if not line.startswith("299")))
    field = fields.teams(event, Points(2, 1, 0, 0), swiss=True)
    counted = {
        each.number: (field.score(each.number), sum(sum(s.boards) for s in field.rounds[each.number]))
        for each in event.teams
    }
    stated = {
        each.number: (float(event.lines[each.line - 1][54:60]), float(event.lines[each.line - 1][61:67]))
        for each in event.teams
    }
    # Denmark's half-point bye stands in line 801, but not in line 240, where Latvia has one that is not its.
    assert {number for number in counted if counted[number] != stated[number]} == {47}


def test_the_bye_of_a_team_is_not_its_players():
    """Five board points for it, two match points: the players have those of their games."""
    lines = [
        "162  P 5.0",
        player(1, "A1", [(2, "w", " "), ("0000", "-", "Z")], "0.0"),
        player(2, "B1", [(1, "b", " "), ("0000", "-", "Z")], "0.0"),
        player(3, "C1", [("0000", "-", "U"), ("0000", "-", "Z")], "0.0"),
        *(f"310   {n} {name:<65}{n:>4}" for n, name in enumerate(("Alfa", "Beta", "Gama"), 1)),
        "320  2.0  5.0   3",
    ]
    event = trf.read("\n".join(lines))
    event = with_results(event, 1, {boards(event, 1)[0]: signs("1-0")}, ())
    assert {each.number: each.points for each in standings(fields.players(event), ())} == {1: 1, 2: 0, 3: 0}
    # The points and the rank that the file has now.
    assert [line[80:89].split() for line in event.lines if line[:3] == "001"] == [
        ["1.0", "1"],
        ["0.0", "2"],
        ["0.0", "2"],
    ]
    *_, bye = round_told(event, 1)
    assert bye == Message.of("round_bye", name="Gama", points=2.0)


def test_the_points_of_teams_by_the_records_of_trf26():
    """A full-point bye, the bye of the pairing, a match lost by forfeit with its own points, an empty board."""
    lines = [
        "362 TW 3.0   TD 1.0   TL 0.0",
        player(1, "A1", [("0000", "-", "-"), (3, "b", "1")], "1.0"),
        player(2, "A2", [("0000", "-", "-"), ("0000", "-", "+")], "1.0"),
        player(3, "B1", [("0000", "-", "+"), (1, "w", "0")], "1.0"),
        player(4, "B2", [("0000", "-", "+"), ("0000", "-", "-")], "1.0"),
        player(5, "C1", [("0000", "-", "Z"), ("0000", "-", "U")], "0.0"),
        *(f"310   {n} {name:<65}{one:>4} {two:>4}" for n, name, one, two in ((1, "A", 1, 2), (2, "B", 3, 4))),
        f"310   3 {'C':<65}   5",
        "330 -+   1   1   2",
        "240 F   1    3",
        "320  2.0  1.5       3",
        "300   2   2   1    3    0",
        "299 -        0.5   1    1",
    ]
    lines[-1] = f"299 -  {'1.0':>4}  {'0.5':>4}  {1:>3} {1:>4}"
    field = fields.teams(trf.read("\n".join(lines)), Points(2, 1, 0, 0), swiss=True)
    assert {number: [(s.points, s.boards) for s in each] for number, each in field.rounds.items()} == {
        1: [(1.0, (0.25, 0.25)), (3.0, (1.0, 1.0))],
        2: [(3.0, (1.0, 1.0)), (0.0, (0.0, 0.0))],
        3: [(3.0, (1.0, 1.0)), (2.0, (0.75, 0.75))],
    }


def played_first_round(version_):
    """Four players after a round; in the second 4 with White meets 1 at table 1, 3 with White meets 2 at table 2."""
    first = (("1", 3, "w"), ("0", 4, "b"), ("0", 1, "b"), ("1", 2, "w"))
    lines = [
        player(n, name, [(other, colour, sign)], f"{sign}.0")
        for n, (name, (sign, other, colour)) in enumerate(zip("ABCD", first, strict=True), 1)
    ]
    event = trf.read("\n".join(("142 3" if version_ == 26 else "XXR 3", *lines, "")))
    return with_round(event, 2, [(4, 1), (3, 2)], None, ORDER)


@pytest.mark.parametrize("version_", [16, 26])
def test_the_tables_of_a_round_in_play_keep_their_numbers_when_a_result_before_is_corrected(version_):
    event = played_first_round(version_)
    tables = boards(event, 2)
    assert tables == (Board(1, 4, 1), Board(2, 3, 2))
    after = with_results(event, 1, {Board(1, 1, 3): signs("0-1"), Board(2, 4, 2): signs("0-1")}, ORDER)
    assert after.players[4].points == 0.0
    for other in (after, trf.read(after.text), *(as_version(after, wanted, ORDER)[0] for wanted in (16, 26))):
        assert boards(other, 2) == tables
    # It is a remark for all other programs, which engines are not asked to read.
    assert after.lines[-2:] == ("### Tables of round 2: 4-1 3-2", "")
    played = with_results(after, 2, {board: signs("1-0") for board in tables}, ORDER)
    assert "###" not in pairing.task(played, ORDER).text


def test_a_round_that_is_paired_anew_has_its_tables_in_the_usual_order():
    event = played_first_round(26)
    event = with_results(event, 1, {Board(1, 1, 3): signs("0-1"), Board(2, 4, 2): signs("0-1")}, ORDER)
    assert boards(with_round(event, 2, [(4, 3), (1, 2)], None, ORDER), 2) == (Board(1, 1, 2), Board(2, 4, 3))


def test_a_result_that_moves_no_table_adds_nothing_to_the_file():
    event = played_first_round(16)
    after = with_results(event, 1, {Board(1, 1, 3): signs("+-")}, ORDER)
    assert len(after.lines) == len(event.lines)


def test_the_ranks_in_the_file_follow_its_points_also_while_a_round_is_played():
    event = with_results(third_round(), 4, {Board(2, 3, 4): signs("0-1")}, ORDER)
    written = {
        each.number: (each.points, int(event.lines[each.line - 1][85:89])) for each in event.players.values()
    }
    assert (event.rounds, written[4][0]) == (3, 2.5)
    for points, rank in written.values():
        assert rank >= 1 + sum(other > points for other, _ in written.values())
        assert rank <= sum(other >= points for other, _ in written.values())
