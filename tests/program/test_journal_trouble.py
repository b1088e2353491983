# SPDX-License-Identifier: GPL-3.0-or-later
"""What cannot be kept does not happen, is said once, and is tried again."""

import shutil
import sqlite3
import time

import pytest
from support.program import QUIET, Running, confirmed, run, script
from support.talking import Talking, as_killed


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


def test_an_engine_move_that_could_not_be_kept_is_played_when_it_can(tmp_path, save):
    with Talking(tmp_path, "play", "--level", 1, *QUIET, "--save", save) as program:
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
    for command in (("play", "--opponent", "human"), ("resume", "1")):
        lines, errors = run(tmp_path, *command, *QUIET, "--save", save, status=2, typed=script("e4"))
        assert lines == []
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
    with Talking(tmp_path, "play", "--opponent", "human", *QUIET, "--clock", "5", "--save", save) as program:
        program.type("relógio")
        program.wait_for("no relógio")
        program.close(status=0)
    rows = database(save).execute("SELECT event FROM entry ORDER BY number DESC LIMIT 1").fetchall()
    assert "Tick" in rows[0][0]


def test_a_number_beyond_all_games_is_refused_in_one_line(tmp_path, save):
    _, errors = run(tmp_path, "record", "9" * 30, "--save", save, status=2)
    assert len(errors) == 1


def take_the_folder(save):
    """At once, as the program may be writing into it."""
    shutil.rmtree(save.rename(save.with_name("taken")))


def take_the_file(save):
    (save / "games.sqlite3").unlink()


def rename_the_folder(save):
    save.rename(save.with_name("renamed"))


@pytest.mark.parametrize("take", [take_the_folder, take_the_file, rename_the_folder])
def test_what_is_taken_away_in_play_is_said_and_written_anew(tmp_path, save, take):
    with Talking(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save) as program:
        program.type("e4")
        program.type("sim")
        program.wait_for("Jogam as Pretas")
        take(save)
        program.type("e5")
        program.wait_for(f"Esta partida foi gravada de novo em {save}, com todos os lances, como partida 1.")
        program.type("sim")
        program.wait_for("Jogam as Brancas, lance 2")
        killed = as_killed(save)
        program.close(status=0)
    for left in (save, killed):
        lines, _ = run(tmp_path, "resume", "1", *QUIET, "--save", left, typed=confirmed("d4"))
        assert "1, Pretas: Bauer Eva sieben Eva fünf." in lines
        assert "1. e4 e5 2. d4 *" in run(tmp_path, "record", "1", "--save", left)[0]


def test_how_to_go_on_is_said_only_when_it_is_true(tmp_path, save):
    with Talking(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save) as program:
        for line in ("e4", "sim"):
            program.type(line)
        program.wait_for("Jogam as Pretas")
        take_the_folder(save)
        program.close(status=0)
        program.wait_for("Esta partida foi gravada de novo")
        program.wait_for("A partida está guardada. Para continuar: ")
    assert "1. e4 *" in run(tmp_path, "record", "1", "--save", save)[0]


def test_where_nothing_can_be_written_nothing_is_played_and_nothing_is_promised(tmp_path, save):
    with Talking(tmp_path, "play", "--opponent", "human", *QUIET, "--save", save) as program:
        for line in ("e4", "sim"):
            program.type(line)
        program.wait_for("Jogam as Pretas")
        take_the_folder(save)
        save.write_text("in the way")
        program.type("e5")
        program.wait_for("Não foi possível guardar a partida: a pasta não existe. Nada foi jogado")
        program.close(status=0)
        program.wait_for("Não foi possível guardar a partida no fim: a pasta não existe.")
        program.wait_for("Até logo")
    assert not any("Para continuar" in line for line in program.lines)
