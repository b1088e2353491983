# SPDX-License-Identifier: GPL-3.0-or-later
"""Damage in the file of the games: it is found and named, what is before it is given out, other games are spared."""

import contextlib
import json
import shutil
import sqlite3

import pytest
from support.happening import played_ucis
from support.journals import as_first_version, damage, played
from support.program import QUIET, run

from acessivel.storage.journal import Journal, reading

WORDS = ("e4", "sim", "e5", "sim", "Cavalo f3", "sim", "Cavalo c6", "sim")
SANS = "1. e4 e5 2. Nf3 Nc6"
# Entry 0 begins the game, 1 and 2 are 1. e4, 7 and 8 the last move.
ENTRY = "UPDATE entry SET {} WHERE game = 2 AND number = {}"
SETUP = "UPDATE game SET setup = json_set(setup, '$.{}', '{}') WHERE id = 2"

# What is changed; what is named; the moves that can be read; the same in a journal without a chain of hashes.
CASES = {
    "an event is no JSON": (ENTRY.format("event = '{'", 4), "entry 5 is not", "1. e4", "entry 5 cannot", "1. e4"),
    "an event is null": (ENTRY.format("event = 'null'", 4), "entry 5 is not", "1. e4", "entry 5 cannot", "1. e4"),
    "an event of another kind": (
        ENTRY.format("""event = '{"event": "Tomorrow"}'""", 4), "entry 5 is not", "1. e4", "entry 5 cannot", "1. e4",
    ),
    "an event with values of another kind": (
        ENTRY.format("""event = '{"event": "Heard", "words": 5}'""", 4),
        "entry 5 is not", "1. e4", "entry 5 cannot", "1. e4",
    ),
    "a result of another form": (ENTRY.format("result = '[1]'", 8), "entry 9 is not", "1. e4 e5 2. Nf3", "entry 9 cannot", "1. e4 e5 2. Nf3"),
    "a result that is no JSON": (ENTRY.format("result = 'won'", 8), "entry 9 is not", "1. e4 e5 2. Nf3", "entry 9 cannot", "1. e4 e5 2. Nf3"),
    "a move that no piece makes": (ENTRY.format("move = 'g1f9'", 6), "entry 7 is not", "1. e4 e5", "entry 7 cannot", "1. e4 e5"),
    "an illegal move": (ENTRY.format("move = 'e2e5'", 2), "entry 3 is not", "*", "entry 3 cannot", "*"),
    "another legal move": (ENTRY.format("move = 'g1h3'", 6), "entry 7 is not", "1. e4 e5", None, "1. e4 e5 2. Nh3 Nc6"),
    "no move": (ENTRY.format("move = NULL", 6), "entry 7 is not", "1. e4 e5", "entry 9 cannot", "1. e4 e5"),
    "an entry deleted": ("DELETE FROM entry WHERE game = 2 AND number = 4", "entry 5 is missing", "1. e4", "entry 5 is missing", "1. e4"),
    "the first entry deleted": ("DELETE FROM entry WHERE game = 2 AND number = 0", "entry 1 is missing", "*", "entry 1 is missing", "*"),
    "the last entries deleted": (
        "DELETE FROM entry WHERE game = 2 AND number > 6", "entry 8 is missing", "1. e4 e5 2. Nf3", None, "1. e4 e5 2. Nf3",
    ),
    "an event of another entry": (
        ENTRY.format("event = (SELECT event FROM entry AS other WHERE game = 2 AND number = 5)", 3),
        "entry 4 is not", "1. e4", None, SANS,
    ),
    "bytes that are no text": (ENTRY.format("event = CAST(x'ff00fe' AS TEXT)", 4), "entry 5 is not", "1. e4", "entry 5 cannot", "1. e4"),
    "no agreement": ("UPDATE game SET setup = '' WHERE id = 2", "what was agreed is not", SANS, "what was agreed cannot", SANS),
    "an agreement of another form": ("UPDATE game SET setup = '[]' WHERE id = 2", "what was agreed is not", SANS, "what was agreed cannot", SANS),
    "an unknown language": (SETUP.format("language", "fr"), "what was agreed is not", SANS, None, SANS),
    "unknown Laws": (SETUP.format("laws", "fide-2099"), "what was agreed is not", SANS, "what was agreed cannot", SANS),
    "no position": (SETUP.format("fen", "nothing"), "what was agreed is not", SANS, "what was agreed cannot", SANS),
    "a clock that is none": (SETUP.format("clock", "late"), "what was agreed is not", SANS, "what was agreed cannot", SANS),
    "no date": ("UPDATE game SET started = 'yesterday' WHERE id = 2", "what was agreed is not", SANS, None, SANS),
}  # fmt: skip
each = pytest.mark.parametrize("case", CASES)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Three games."""
    folder = tmp_path_factory.mktemp("games")
    journal = Journal(folder)
    for _ in range(3):
        played(journal, *WORDS, white="Ana", black="Rui")
    journal.close()
    return folder


@pytest.fixture
def save(games, tmp_path):
    """Those games, of which the second is to be damaged."""
    return shutil.copytree(games, tmp_path / "games")


def moves(lines):
    text = " ".join(line for line in lines if line and not line.startswith("["))
    while "{" in text:
        before, _, rest = text.partition("{")
        text = before + rest.partition("}")[2]
    words = [word for word in text.split() if not word.endswith("...")]
    return " ".join(words).removesuffix(" *")


@each
def test_what_is_before_the_damage_is_given_out_and_where_it_stops_is_said(tmp_path, save, case):
    statement, named, readable, *_ = CASES[case]
    damage(save, statement)
    lines, errors = run(tmp_path, "record", 2, "--save", save, "--language", "en")
    assert moves(lines) == readable
    assert len(errors) == 1
    assert errors[0].startswith(f"Game 2 is damaged: {named}")
    assert "{ The game is damaged here: " in " ".join(lines)
    lines, _ = run(tmp_path, "record", 2, "--save", save)
    assert "{ A partida está danificada aqui: " in " ".join(lines) or "language" in case


@each
@pytest.mark.sweep
def test_so_it_is_in_a_journal_of_the_first_programs(tmp_path, save, case):
    *_, named, readable = CASES[case]
    as_first_version(save, 1, 2, 3)
    damage(save, CASES[case][0])
    for _ in ("to read", "to play, which brings it up to date", "to read it as it is then"):
        lines, errors = run(tmp_path, "record", 2, "--save", save, "--language", "en")
        assert moves(lines) == readable
        assert [error.startswith(f"Game 2 is damaged: {named}") for error in errors] == [True] * bool(named)
        Journal(save).close()


@each
def test_one_bad_row_spares_all_others(tmp_path, save, case):
    damage(save, CASES[case][0])
    lines, _ = run(tmp_path, "games", "--save", save, "--language", "en")
    assert [line.split(":")[0] for line in lines] == ["1", "2", "3"]
    assert "Ana against Rui" in lines[0]
    assert "Ana against Rui" in lines[2]
    assert "Ana against Rui" in lines[1] or lines[1].endswith(f"record 2 --save {save}")
    (listed,), _ = run(tmp_path, "games", "--json", "--save", save)
    assert [game["id"] for game in json.loads(listed)] == [1, 2, 3]
    with reading(save) as archive:
        assert [archive.load(game).damage is None for game in (1, 2, 3)] == [True, False, True]


@each
@pytest.mark.sweep
def test_a_damaged_game_does_not_go_on_and_another_does(tmp_path, save, case):
    damage(save, CASES[case][0])
    _, errors = run(tmp_path, "resume", 2, *QUIET, "--save", save, status=2)
    assert len(errors) == 1
    assert errors[0].startswith("A partida 2 está danificada: ")
    assert f"acessivel record 2 --save {save}" in errors[0]
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", save)
    assert not any("danificada" in line for line in lines)  # the newest is whole


def test_without_a_number_a_damaged_game_is_passed_over_and_named(tmp_path, save):
    damage(save, "UPDATE entry SET event = '' WHERE game = 3 AND number = 4")
    damage(save, "DELETE FROM entry WHERE game = 2 AND number = 4")
    lines, _ = run(tmp_path, "resume", *QUIET, "--save", save)
    assert lines[0].startswith("A partida 3 está danificada: o item 5 não está")
    assert lines[1].startswith("A partida 2 está danificada: falta o item 5.")
    assert lines[1].endswith("No lugar dela continua a partida 1.")
    damage(save, "DELETE FROM entry WHERE game = 1 AND number = 4")
    _, errors = run(tmp_path, "resume", *QUIET, "--save", save, status=2)
    assert errors[0].startswith("A partida 3 está danificada")
    assert f"record 3 --save {save} -o partida.pgn" in errors[0]


@pytest.mark.parametrize(("opponent", "play"), [("engine", "play"), ("human", "play --opponent human")])
def test_a_damaged_game_goes_on_in_its_folder_against_the_same_opponent(tmp_path, opponent, play):
    journal = Journal(tmp_path)
    played(journal, *WORDS, opponent=opponent)
    journal.close()
    damage(tmp_path, "DELETE FROM entry WHERE game = 1 AND number = 4")
    _, errors = run(tmp_path, "resume", *QUIET, "--save", tmp_path, status=2)
    assert errors[0].endswith(f" {play} --save {tmp_path} --from partida.pgn")


def test_a_game_that_there_is_not_is_told_with_how_to_list_those_of_its_folder(tmp_path, save):
    _, errors = run(tmp_path, "record", 9, "--save", save, "--language", "en", status=2)
    assert errors[0].startswith("There is no game 9. See: ")
    assert errors[0].endswith(f"games --save {save}")


def test_other_commands_name_the_damage_too(tmp_path, save):
    damage(save, CASES["an entry deleted"][0])
    for command in (("replay", 2), ("reconcile", 2, 1)):
        quiet = ("--speak", "off", "--braille", "off", "--hear", "keyboard")
        options = quiet if command[0] == "replay" else quiet[:4]
        lines, _ = run(tmp_path, *command, *options, "--save", save, "--language", "en", typed="stop\n")
        assert lines[0] == "Game 2 is damaged: entry 5 is missing. Half-moves that can be read: 1."


LONG_GAME = (
    "e4 e5 a3 a6 b3 b6 c3 c6 d3 d6 f3 f6 g3 g6 h3 h6 a4 a5 b4 b5 c4 c5 d4 d5 f4 f5 g4 g5 h4 h5".split()
)


def each_page_torn(folder):
    """Three long games, with one page of their entries after the other nothing but zeros."""
    journal = Journal(folder)
    for _ in range(3):
        played(journal, *(words for move in LONG_GAME for words in (move, "sim")))
    journal.close()
    file = folder / "games.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as db:
        (size,) = db.execute("PRAGMA page_size").fetchone()
    whole = file.read_bytes()
    for at in range(0, len(whole), size):
        if b'"event": "Heard"' in whole[at : at + size]:
            file.write_bytes(whole[:at] + bytes(size) + whole[at + size :])
            yield


def test_a_game_in_a_damaged_page_is_given_out_up_to_it_and_spares_the_others(tmp_path):
    whole, given_out = len(LONG_GAME), 0
    for _ in each_page_torn(tmp_path):
        with reading(tmp_path) as archive:
            games = [archive.load(number) for number in (1, 2, 3)]
        left = [len(game.state.game.played) for game in games]
        assert all(game.damage or made == whole for game, made in zip(games, left, strict=True))
        if 0 < left[1] < whole and left[0] == left[2] == whole:
            given_out = left[1]
            break
    assert given_out  # a page that has entries of the second game alone, and not its first
    lines, errors = run(tmp_path, "record", 2, "--save", tmp_path, "--language", "en")
    assert errors[0].startswith("Game 2 is damaged: entry ")
    assert [word for word in moves(lines).split() if not word[0].isdigit()] == LONG_GAME[:given_out]


def test_a_file_that_cannot_be_used_at_all_is_named_with_what_helps(tmp_path, save):
    file = save / "games.sqlite3"
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])
    for command in (("games",), ("record", 1), ("play", "--opponent", "human", *QUIET)):
        lines, errors = run(tmp_path, *command, "--save", save, status=2)
        assert lines == []
        (error,) = errors
        assert error.startswith(f"O arquivo das partidas em {save} está danificado e não pode ser usado: ")


def test_damaged_records_are_not_said_to_agree_to_their_end(tmp_path, save):
    damage(save, CASES["an entry deleted"][0])
    lines, _ = run(tmp_path, "reconcile", 2, 2, *QUIET, "--save", save, "--language", "en")
    assert lines[-1] == "As far as they can be read, the two records agree: 1 half-move."


def test_an_illegal_move_that_stood_is_no_damage(tmp_path):
    journal = Journal(tmp_path)
    game = played(journal, "Cf5", "g1", "sim", clock="3", supervised=False, strict=True)
    assert journal.load(game).damage is None
    assert played_ucis(journal.load(game).state) == ["g1f5"]
    journal.close()
