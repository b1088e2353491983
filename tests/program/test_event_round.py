# SPDX-License-Identifier: GPL-3.0-or-later
"""A round run from a tournament's file: `acessivel event` agrees byes, has it paired, and takes its results."""

import json

import pytest
from support.pairing_engines import engine
from support.program import run
from support.trf import NEW, SWISS, TEAMS, player, team

from acessivel.tournaments import trf
from acessivel.tournaments.trf_edit import version

SILENT = ("--speak", "off", "--braille", "off", "--language", "en")


def event(home, file, *options, **more):
    return run(home, "event", file, *SILENT, *options, **more)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "torneio.trf"
    path.write_text(f"{SWISS}\r\nXXR 5\r\n", encoding="utf-8", newline="")
    return path


def read(file):
    return trf.read(file.read_bytes().decode())


def test_a_whole_round(tmp_path, file):
    lines, _ = event(tmp_path, file, "--half-bye", "2")
    assert lines[:2] == ["Half a point without a game in round 4: Brito, Bruno.", f"Written to {file}."]
    program = engine(tmp_path, "2\n5 3\n4 1\n")
    lines, errors = event(tmp_path, file, "--pair", "--pairing-engine", program)
    assert errors == []
    assert lines == [
        f"Written to {file}.",
        "Round 4: 2 tables.",
        "Table 1: Esteves, Eva with White against Costa, Carla.",
        "Table 2: Dias, David with White against Alves, Ana.",
        "Brito, Bruno has a bye, points 0.5.",
    ]
    lines, _ = event(tmp_path, file, "--player", "4")
    assert lines[0] == "Round 4, table 2: Dias, David plays with White against Alves, Ana, number 1."
    lines, _ = event(tmp_path, file, "--results", "2=½,1=-+")
    assert lines[0] == "2 results are in the file."
    assert lines[3] == "Table 1: Esteves, Eva with White against Costa, Carla, Black wins by forfeit."
    assert lines[4] == "Table 2: Dias, David with White against Alves, Ana, draw."
    after = read(file)
    assert (after.rounds, after.players[1].points, after.players[5].points) == (4, 2.5, 3.0)


def test_the_engine_is_asked_in_the_format_that_all_engines_read(tmp_path):
    file = tmp_path / "torneio.trf"
    file.write_text(
        "\n".join(line for line in NEW.split("\r\n") if not line.startswith("299")).replace(
            "  2.0  ", "  3.0  "
        ),
        encoding="utf-8",
    )
    lines, _ = event(tmp_path, file, "--pair", "--pairing-engine", engine(tmp_path, "3\n1 3\n4 2\n6 0\n"))
    assert (tmp_path / "asked.txt").read_text().split("\n")[0] == "--dutch"
    asked = read(tmp_path / "asked.trf")
    assert (version(asked), asked.planned, asked.colour) == (16, 5, "black")
    assert asked.players[5].rounds[2].sign == "H"
    assert lines[-2:] == ["Esteves, Eva has a bye, points 1.", "Faria, Filipa has a bye, points 3."]
    assert version(read(file)) == 26


def test_an_individual_tournament_with_teams_is_paired_as_one_without(tmp_path, file):
    file.write_text("\n".join((SWISS, "XXR 5", team("Escola A", 1, 3, 4), team("Escola B", 2, 5))))
    lines, errors = event(
        tmp_path, file, "--pair", "--pairing-engine", engine(tmp_path, "3\n5 3\n4 1\n2 0\n")
    )
    assert (lines[0], errors) == (f"Written to {file}.", [])
    # bbpPairings refuses any file that has a team.
    assert not read(tmp_path / "asked.trf").teams
    assert len(read(file).teams) == 2


def test_an_engine_that_knows_no_xxz_is_told_who_is_absent(tmp_path, file):
    # Nobody has the number 9.
    file.write_text(f"{SWISS}\nXXR 5\nXXZ 2 9")
    event(tmp_path, file, "--pair", "--pairing-engine", engine(tmp_path, "2\n5 3\n4 1\n"))
    asked = read(tmp_path / "asked.trf")
    assert [asked.players[number].paired(4).sign for number in (1, 2)] == [" ", "Z"]


def test_javafo_is_asked_in_its_own_way(tmp_path, file):
    program = engine(tmp_path, "3\n5 3\n4 1\n2 0\n", name="javafo")
    event(tmp_path, file, "--pair", "--pairing-engine", program)
    first, *rest = (tmp_path / "asked.txt").read_text().split("\n")
    assert first.endswith("round.trf")
    assert rest[0] == "-p"


@pytest.mark.parametrize("chosen", [(), ("--first-colour", "black")])
def test_the_first_colour_is_drawn_by_lot_where_nobody_names_it(tmp_path, chosen):
    file = tmp_path / "neu.trf"
    file.write_text("\n".join(("XXC rank", player(1, "A,A", [], "0.0"), player(2, "B,B", [], "0.0"))))
    lines, _ = event(
        tmp_path, file, "--rounds", "3", "--pair", *chosen, "--pairing-engine", engine(tmp_path, "1\n2 1\n")
    )
    after = read(file)
    assert after.planned == 3
    assert f"XXC {after.colour}1 rank" in after.lines
    if chosen:
        assert after.colour == "black"
        assert lines[0] == f"Written to {file}."
    else:
        assert lines[0] == f"Drawn by lot: the first player of the list begins with {after.colour.title()}."


REFUSALS = [
    ("2\n5 3\n4 1\n", 0, (), "The engine's answer does not pair each player once"),
    ("3\n5 2\n3 4\n1 0\n", 0, ("--absent", "1"), "The engine's answer does not pair each player once"),
    # 1 and 2 have met in the first round.
    ("3\n1 2\n3 5\n4 0\n", 0, (), "pairs some who must not meet"),
    ("nonsense", 0, (), "It begins: nonsense"),
    ("", 0, (), "The engine bbpPairings did not pair the round. It says: -"),
    ("no pairing", 1, (), "No pairing of round 4 is possible by the rules."),
    ("line 3 is wrong", 3, (), "The engine bbpPairings did not pair the round. It says: line 3 is wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "status", "options", "sentence"), REFUSALS)
def test_an_answer_that_cannot_be_is_refused_and_nothing_is_written(
    tmp_path, file, text, status, options, sentence
):
    before = file.read_bytes()
    program = engine(tmp_path, text, status)
    lines, errors = event(tmp_path, file, "--pair", *options, "--pairing-engine", program, status=2)
    assert lines == []
    assert sentence in errors[0]
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (SWISS, ("--pair",), "How many rounds will there be? Add --rounds and their number."),
        (f"{SWISS}\nXXR 3", ("--pair",), "All 3 rounds are paired."),
        (TEAMS, ("--pair",), "The pairing engines pair no teams."),
        (NEW, ("--pair",), "The file has abnormal points (record 299)"),
        (f"{SWISS}\nXXR 5\n192 FIDE_DUBOV", ("--pair",), "The engine does not pair the system FIDE_DUBOV."),
        (f"{SWISS}\nXXR 5", ("--pair", "--pairing-engine", "/nowhere/bbp"), "There is no pairing engine /nowhere/bbp."),
        (TEAMS, ("--absent", "3"), "In a tournament of teams a bye is a team's."),
        (f"{SWISS}\nXXR 3", ("--half-bye", "1"), "The tournament has 3 rounds, and no round 4."),
        (SWISS, ("--rounds", "2"), "3 rounds are paired already: --rounds can be 3 or more."),
        (SWISS, ("--half-bye", "5", "--absent", "3,5"), "Player 5 stands in more than one of --absent, --half-bye"),
        (SWISS, ("--absent", "9"), "There is no player 9 in the file"),
        (SWISS, ("--absent", "1", "--round", "2"), "Round 2 is paired already"),
        (SWISS, ("--results", "7=1-0"), "Round 3 has no table 7."),
        (SWISS, ("--results", "1=1-0,1=0-1"), "not a possible value for it: --results"),
        (SWISS, ("--results", "7=2-0"), "not a possible value for it: --results"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence(tmp_path, text, options, sentence):
    file = tmp_path / "x.trf"
    file.write_text(text, encoding="utf-8")
    _, errors = event(tmp_path, file, *options, status=2)
    assert sentence in " ".join(errors)
    assert file.read_text("utf-8") == text.replace("\r\n", "\n")


def test_a_round_in_which_results_are_missing_is_not_followed_by_another(tmp_path, file):
    event(
        tmp_path,
        file,
        "--pair",
        "--pairing-engine",
        engine(tmp_path, "3\n5 3\n4 1\n2 0\n"),
    )
    _, errors = event(tmp_path, file, "--pair", status=2)
    assert errors == ["Round 4 is not over. Without a result: tables 1, 2."]


def test_a_round_for_other_programs(tmp_path, file):
    lines, _ = event(tmp_path, file, "--results", "1=+-", "--round", "2", "--json")
    data = json.loads(lines[0])
    assert (data["round"], data["tables"][0]) == (2, {"table": 1, "white": 5, "black": 1, "result": "+-"})
    lines, _ = event(tmp_path, file, "--json")
    assert json.loads(lines[0])["round"] == 3


def test_a_file_in_the_other_version_and_what_it_has_no_place_for(tmp_path):
    file, other = tmp_path / "new.trf", tmp_path / "old.trf"
    file.write_text(NEW, encoding="utf-8", newline="")
    lines, _ = event(tmp_path, file, "--trf", "16", "-o", other)
    assert (
        lines[0]
        == "This version has no place for these records, which are left out: ###, 172, 182, 192, 202, 222, 299."
    )
    assert (version(read(file)), version(read(other))) == (26, 16)


def test_an_engine_is_found_in_the_user_s_home(tmp_path, file):
    engine(tmp_path, "3\n5 3\n4 1\n2 0\n")
    _, errors = event(tmp_path, file, "--pair", "--pairing-engine", "~/bbpPairings", HOME=str(tmp_path))
    assert errors == []


def test_an_engine_that_counts_bytes_finds_its_columns(tmp_path, file):
    file.write_bytes(file.read_bytes().replace(b"Alves,Ana", "Álvés,Añ".encode() + b" "))
    event(tmp_path, file, "--half-bye", "2")
    event(tmp_path, file, "--pair", "--pairing-engine", engine(tmp_path, "2\n5 3\n4 1\n"))
    asked = (tmp_path / "asked.trf").read_bytes()
    assert b"?lv?s,A?" in asked
    assert read(file).players[1].name == "Álvés, Añ"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_file_of_the_new_version_keeps_its_encoding_too(tmp_path, encoding):
    file = tmp_path / "torneio.trf"
    file.write_bytes(f"{NEW}987 café\r\n".encode(encoding))
    event(tmp_path, file, "--absent", "4")
    assert file.read_bytes().find("987 café".encode(encoding)) > 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1"])
def test_a_file_keeps_its_encoding_and_every_byte_that_is_not_changed(tmp_path, encoding):
    file = tmp_path / "x.trf"
    # In Windows' encoding 0x81 is no letter.
    remark = "987 caf\xe9\x81\xa0" if encoding == "latin-1" else "987 café\xa0"
    file.write_bytes(f"{SWISS}\r\n{remark}\r\n".encode(encoding))
    event(tmp_path, file, "--results", "1=0-1")
    after = file.read_bytes()
    assert after.endswith(f"\r\n{remark}\r\n".encode(encoding.removesuffix("-sig")))
    assert after.startswith("012 Festa".encode(encoding))
