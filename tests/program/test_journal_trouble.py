# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be kept does not happen, is said once, and is tried again."""

import sqlite3
import time

import pytest
from support.program import QUIET, Running, confirmed, run, script


def database(save):
    return sqlite3.connect(save / "games.sqlite3", isolation_level=None)


def wait_for_entry(save, event):
    """Wait until the last entry of the journal is this event."""
    journal = database(save)
    until = time.monotonic() + 20
    while event not in journal.execute("SELECT event FROM entry ORDER BY number DESC LIMIT 1").fetchone()[0]:
        assert time.monotonic() < until
        time.sleep(0.01)  # a file cannot be awaited otherwise
    journal.close()


@pytest.fixture
def save(tmp_path):
    return tmp_path / "games"


def test_an_engine_move_that_could_not_be_kept_is_played_when_it_can(tmp_path, save):
    with Running(tmp_path, "play", "--level", 1, *QUIET, "--save", save) as program:
        program.wait_for("Jogam as Brancas")
        trouble = database(save)
        trouble.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entry WHEN NEW.event LIKE '%EngineMoved%'"
            " BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        program.type("e4")
        program.type("sim")
        program.wait_for("Não foi possível guardar a partida")
        trouble.execute("DROP TRIGGER full")
        trouble.close()
        program.wait_for("1, Pretas: ")
        program.close(status=0)
    assert sum("Não foi possível guardar" in line for line in program.lines) == 1


def test_a_game_that_cannot_even_begin_to_be_kept_is_refused(tmp_path, save):
    run(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save)
    trouble = database(save)
    trouble.execute("CREATE TRIGGER full BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'full'); END")
    trouble.close()
    _, errors = run(
        tmp_path, "play", "--opponent", "human", *QUIET, "--save", save, status=2, typed=script("e4")
    )
    assert len(errors) == 1
    assert str(save) in errors[0]


def test_a_second_program_on_the_same_game_ends_and_says_so(tmp_path, save):
    run(
        tmp_path, "play", "--opponent", "human", *QUIET, "--clock", "5", "--save", save, typed=confirmed("e4")
    )
    with Running(tmp_path, "resume", "1", *QUIET, "--save", save) as first:
        first.wait_for("Jogam as Pretas")
        wait_for_entry(save, "SpeechEnded")  # the last that it writes by itself
        run(tmp_path, "resume", "1", *QUIET, "--save", save, typed=confirmed("e5"))
        first.type("d5")
        first.wait_for("outra janela")
        first.close(status=0)
    lines, _ = run(tmp_path, "record", "1", "--format", "text", "--save", save)
    assert "1. e4 e5" in lines


def test_the_running_clock_is_kept_at_the_end_of_the_input(tmp_path, save):
    with Running(tmp_path, "play", "--opponent", "human", *QUIET, "--clock", "5", "--save", save) as program:
        program.type("relógio")
        program.wait_for("no relógio")
        program.close(status=0)
    rows = database(save).execute("SELECT event FROM entry ORDER BY number DESC LIMIT 1").fetchall()
    assert "Tick" in rows[0][0]


def test_a_number_beyond_all_games_is_refused_in_one_line(tmp_path, save):
    _, errors = run(tmp_path, "record", "9" * 30, "--save", save, status=2)
    assert len(errors) == 1
