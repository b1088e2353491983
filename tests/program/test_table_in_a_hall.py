# SPDX-License-Identifier: GPL-3.0-or-later
"""A table in a hall, from the command line: what it needs, and that its game is told and goes on without it."""

import json

import pytest
from support import postgres
from support.languages import LANGUAGES
from support.program import QUIET, run, script
from support.terminal import Player

from acessivel.hall import key_file
from acessivel.hall.board import Hall
from acessivel.hall.key_file import TableKey
from acessivel.hall.service import HallService
from acessivel.hall.sqlite import SqliteHall
from acessivel.messages.rendering import catalogue

HUMAN = ("play", *QUIET, "--opponent", "human", "--clock", "5+3")
MATE = ("f3", "yes", "e5", "yes", "g4", "yes", "Qh4", "yes")


def serving(folder):
    made = SqliteHall(folder)
    service = HallService(made, folder, port=0, lan=False)
    made.address, made.certificate = service.addresses[0], service.certificate
    yield made
    service.close()
    made.close()


@pytest.fixture
def hall(tmp_path):
    yield from serving(tmp_path / "hall")


def key_of(hall, path, table=12):
    key_file.write(path, TableKey(table, hall.make_key(table), hall.certificate))
    return path


def played(home, *options, typed=MATE):
    return run(home, *HUMAN, "--language", "en", "--save", home / "games", *options, typed=script(*typed))[0]


def sans(hall, table=12):
    game = Hall().with_records(hall.since({})).tables[table]
    return [move.san for move in game.moves], game.ended.score


def test_a_game_is_told_to_the_hall_from_its_first_move_to_its_result(hall, tmp_path):
    key = key_of(hall, tmp_path / "table.key")
    played(tmp_path, "--hall", hall.address, "--table", "12", "--hall-key", key)
    assert sans(hall) == (["f3", "e5", "g4", "Qh4#"], "0-1")
    assert hall.seen()[12].left


@pytest.mark.parametrize(
    ("options", "names"), [((), ("", "")), (("--white", "Ana Alves", "--black", "Rui"), ("Ana Alves", "Rui"))]
)
def test_the_hall_knows_the_players_names_if_they_were_given(hall, tmp_path, options, names):
    key = key_of(hall, tmp_path / "table.key")
    played(tmp_path, "--hall", hall.address, "--hall-key", key, *options, typed=())
    opened = Hall().with_records(hall.since({})).tables[12].opened
    assert (opened.white, opened.black) == names


def test_the_key_may_lie_in_the_folder_of_the_games_and_say_the_table(hall, tmp_path):
    (tmp_path / "games").mkdir()
    key_of(hall, tmp_path / "games" / "hall.key", 7)
    played(tmp_path, "--hall", hall.address)
    assert sans(hall, 7)[1] == "0-1"


def test_a_game_in_a_hall_begins_without_an_introduction_in_a_home_where_nobody_has_played(hall, tmp_path):
    key = key_of(hall, tmp_path / "table.key")
    with Player(tmp_path, *HUMAN, "--language", "en", "--hall", hall.address, "--hall-key", key) as player:
        player.press("", "Both players announce their moves here.")
        assert "practice board" not in player.seen


def resumed(home, *typed):
    return run(home, "resume", *QUIET, "--save", home / "games", typed=script(*typed))[0]


def test_a_resumed_game_goes_on_in_the_hall_where_it_was(hall, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    key_of(hall, tmp_path / "table.key")
    table = ("--hall", hall.address, "--table", "12", "--hall-key", "table.key")
    first = played(tmp_path, *table, typed=("f3", "yes", "e5", "yes", "stop", "yes"))
    assert not any("--hall" in line for line in first)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    resumed(tmp_path, "g4", "yes", "Qh4", "yes")
    assert sans(hall) == (["f3", "e5", "g4", "Qh4#"], "0-1")
    assert len(Hall().with_records(hall.since({})).games) == 1


def test_a_game_goes_on_without_its_hall_if_the_key_is_gone_and_says_so(hall, tmp_path):
    key = key_of(hall, tmp_path / "table.key")
    played(tmp_path, "--hall", hall.address, "--hall-key", key, typed=("f3", "yes"))
    key.unlink()
    lines = resumed(tmp_path, "e5", "yes")
    assert catalogue("en")["hall_key_missing"].format(file=key) in lines
    assert "1, Black: Bauer Eva sieben Eva fünf." in lines


def test_a_game_that_was_in_no_hall_goes_on_in_none(hall, tmp_path):
    key = key_of(hall, tmp_path / "table.key")
    played(tmp_path, "--hall", hall.address, "--hall-key", key)
    played(tmp_path, typed=("f3", "yes"))
    resumed(tmp_path, "e5", "yes")
    assert len(Hall().with_records(hall.since({})).games) == 1


def test_a_rematch_is_another_game_at_the_same_table(hall, tmp_path):
    table = ("--hall", hall.address, "--table", "12", "--hall-key", key_of(hall, tmp_path / "table.key"))
    played(tmp_path, *table, typed=(*MATE, "rematch", "yes", "e4", "yes"))
    assert sorted(len(game.moves) for game in Hall().with_records(hall.since({})).games.values()) == [1, 4]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_whose_hall_is_not_there_is_played_and_tells_the_same(hall, tmp_path, language):
    key = key_of(hall, tmp_path / "table.key")
    alone, without = tmp_path / "alone", tmp_path / "without"
    yes = {"pt": "sim", "en": "yes", "de": "ja", "es": "sí"}[language]
    told = [
        run(
            home, *HUMAN, "--language", language, "--save", home / "games", *options,
            typed=script("f3", yes, "e5", yes, "g4", yes, "Qh4", yes),
        )[0]
        for home, options in ((alone, ()), (without, ("--hall", "https://127.0.0.1:9", "--hall-key", key)))
    ]  # fmt: skip
    assert told[0] == [line for line in told[1] if line != catalogue(language)["hall_unreached"]]
    (game,) = json.loads(run(without, "games", "--json", "--save", without / "games")[0][0])
    assert game["result"] == "0-1"
    assert catalogue(language)["hall_lost"] not in told[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trouble", ["hall_unreached", "hall_key_refused"])
def test_what_keeps_a_table_from_its_hall_is_told_once_as_the_game_begins(hall, tmp_path, language, trouble):
    key, address = key_of(hall, tmp_path / "table.key"), "https://127.0.0.1:9"
    if trouble == "hall_key_refused":
        hall.revoke_key(12)
        address = hall.address
    with Player(tmp_path, *HUMAN, "--language", language, "--hall", address, "--hall-key", key) as player:
        sentence = catalogue(language)[trouble]
        player.press("", sentence)
        player.press("e4\n", "?")
        assert player.seen.count(sentence) == 1


def test_what_the_hall_was_not_told_of_a_game_it_is_told_with_the_next(hall, tmp_path):
    key = key_of(hall, tmp_path / "table.key")
    played(tmp_path, "--hall", "https://127.0.0.1:9", "--hall-key", key)
    assert hall.since({}) == ()
    played(tmp_path, "--hall", hall.address, "--hall-key", key, "--clock", "3+2", typed=("e4", "yes"))
    games = Hall().with_records(hall.since({})).games.values()
    assert sorted((len(game.moves), game.ended.score) for game in games) == [(1, "*"), (4, "0-1")]
    assert (tmp_path / "games" / "hall.unsent").read_text() == ""


@pytest.fixture
def another_hall(tmp_path):
    yield from serving(tmp_path / "another")


def test_each_game_is_told_to_its_own_hall_and_goes_on_there(hall, another_hall, tmp_path):
    key, other = key_of(hall, tmp_path / "table.key"), key_of(another_hall, tmp_path / "another.key")
    played(tmp_path, "--hall", "https://127.0.0.1:9", "--hall-key", key, typed=("f3", "yes"))
    there = ("--hall", another_hall.address, "--hall-key", other, "--clock", "3+2")
    played(tmp_path, *there, typed=("e4", "yes"))
    assert sans(another_hall) == (["e4"], "*")
    assert len(Hall().with_records(another_hall.since({})).games) == 1
    played(tmp_path, "--hall", hall.address, "--hall-key", key, typed=("d4", "yes"))
    games = Hall().with_records(hall.since({})).games.values()
    assert sorted(move.san for game in games for move in game.moves) == ["d4", "f3"]
    run(tmp_path, "resume", "2", *QUIET, "--save", tmp_path / "games", typed=script("e5", "yes"))
    assert sans(another_hall) == (["e4", "e5"], "*")


def test_what_an_older_version_has_not_sent_goes_to_the_hall_that_it_noted(hall, another_hall, tmp_path):
    key, other = key_of(hall, tmp_path / "table.key"), key_of(another_hall, tmp_path / "another.key")
    played(tmp_path, "--hall", "https://127.0.0.1:9", "--hall-key", key, typed=("f3", "yes"))
    noted = f'hall = "{hall.address}"\nhall_key = "{key}"\ntable = 0\n'
    (tmp_path / "games" / "hall.last").write_text(noted)
    played(tmp_path, "--hall", another_hall.address, "--hall-key", other, typed=("e4", "yes"))
    assert sans(hall) == (["f3"], "*")
    assert sans(another_hall) == (["e4"], "*")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("options", "key", "why"),
    [
        (("--hall", "https://127.0.0.1:9"), None, "hall_key_missing"),
        (("--hall", "https://127.0.0.1:9"), "nonsense", "hall_key_wrong"),
        (("--hall", "https://127.0.0.1:9", "--table", "5"), 'table = 12\nkey = "x"', "hall_key_of_another"),
        (("--hall", "http://127.0.0.1:9"), 'table = 12\nkey = "x"', "hall_address_wrong"),
        (("--hall", "postgresql://"), 'table = 12\nkey = "x"', "hall_address_wrong"),
        (("--hall", "https://127.0.0.1:9"), 'table = 1\nkey = "x"\ncertificate = "x"', "hall_address_wrong"),
    ],
)
def test_what_is_wrong_with_a_key_or_an_address_is_said_before_a_game_begins(
    tmp_path, language, options, key, why
):
    path = tmp_path / "table.key"
    if key:
        path.write_text(key)
    arguments = (*HUMAN, "--language", language, "--save", tmp_path / "games", *options, "--hall-key", path)
    _, errors = run(tmp_path, *arguments, status=2)
    said = catalogue(language)[why].format(file=path, table=12, address=options[1])
    assert said in errors[0]
    assert not (tmp_path / "games").exists()


def test_a_table_tells_a_hall_in_postgresql(tmp_path):
    with postgres.server() as server:
        made = postgres.PostgresOfTests(server)
        key = TableKey(12, made.hall.make_key(12), server.certificate.read_text())
        key_file.write(tmp_path / "table.key", key)
        address = f"postgresql://127.0.0.1:{server.port}/{made.name}"
        played(tmp_path, "--hall", address, "--table", "12", "--hall-key", tmp_path / "table.key")
        assert sans(made.hall) == (["f3", "e5", "g4", "Qh4#"], "0-1")
        made.close()
