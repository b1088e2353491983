# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine as the opponent: what it is told of the clock, and castling in Chess960 to and fro."""

import os
import queue
import sys
from dataclasses import replace

import pytest

from acessivel.devices.engine import Opponent, find_engine
from acessivel.game.game import Game, Setup
from acessivel.rules.position import Position
from acessivel.session.events import DeviceNews, EngineFailed, EngineJudged, EngineMoved
from voices.meaning import Castling
from voices.understanding.meanings import read

needs_engine = pytest.mark.skipif(not find_engine(), reason="no Stockfish here")

# An engine that writes down what it is asked, and answers with Black's or White's pawn.
TALKS = """#!{python}
import sys
log = open({log!r}, "a")
for line in sys.stdin:
    log.write(line)
    log.flush()
    match line.split():
        case ["uci"]: print("id name fake\\nuciok", flush=True)
        case ["isready"]: print("readyok", flush=True)
        case ["go", *_]: print("bestmove e2e4", flush=True)
        case ["quit"]: break
"""

# An engine that writes its number when it is asked to `go`, and hangs when it comes to a word.
HANGS = """#!{python}
import os, sys, time
for line in sys.stdin:
    if line.startswith("go"):
        open({asked!r}, "w").write(str(os.getpid()))
    if line.startswith({at!r}):
        time.sleep(100)
    match line.split():
        case ["uci"]: print("id name fake\\nuciok", flush=True)
        case ["isready"]: print("readyok", flush=True)
        case ["go", *_]: print("bestmove e2e4", flush=True)
"""


def test_a_configured_engine_can_be_in_the_folder_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "sf").touch(0o755)
    assert find_engine("~/sf") == str(tmp_path / "sf")
    assert find_engine("~/other") is None


@pytest.fixture
def engine(tmp_path):
    """The program of a recording engine, and what it was asked to `go` by."""
    log, program = tmp_path / "asked", tmp_path / "engine"
    program.write_text(TALKS.format(python=sys.executable, log=str(log)))
    program.chmod(0o755)

    def asked():
        words = [line.split()[1:] for line in log.read_text().splitlines() if line.startswith("go ")][-1]
        return dict(zip(words[::2], map(int, words[1::2]), strict=True))

    return str(program), asked


def answer(program, level, game, now_ms=0):
    answers = queue.SimpleQueue()
    opponent = Opponent(program, level, answers.put)
    opponent.ask_move(game, now_ms)
    try:
        return answers.get(timeout=30)
    finally:
        opponent.close()


def timed(clock, *, white_ms=None, ran_ms=0):
    game = Game.new(Setup.of(clock=clock))
    watch = game.clock if white_ms is None else game.clock.corrected({"white": white_ms}, 0)
    return replace(game, clock=watch.start("white", 0)), ran_ms


@pytest.mark.parametrize(
    ("clock", "white_ms", "ran_ms", "asked"),
    [
        # With much time the level decides: a second and a half at most, 18 half-moves.
        ("90+30", None, 10_000, {"wtime": 5_420_000, "btime": 5_430_000, "winc": 30_000, "binc": 30_000}),
        ("90/40+30", None, 0, {"wtime": 5_400_000, "btime": 5_400_000, "movestogo": 40}),
    ],
)
def test_the_engine_is_told_both_clocks(engine, clock, white_ms, ran_ms, asked):
    program, heard = engine
    game, now_ms = timed(clock, white_ms=white_ms, ran_ms=ran_ms)
    assert answer(program, 8, game, now_ms) == EngineMoved(uci="e2e4", plies=0)
    assert heard().items() >= {**asked, "movetime": 1500, "depth": 18}.items()


@pytest.mark.parametrize(
    ("clock", "left_ms", "most_ms"),
    [("5", 20_000, 500), ("5", 2_000, 50), ("5", 100, 10), ("5+2", 2_000, 1050)],
)
def test_it_thinks_shorter_when_its_time_is_short(engine, clock, left_ms, most_ms):
    program, heard = engine
    game, now_ms = timed(clock, white_ms=left_ms)
    answer(program, 8, game, now_ms)
    assert heard()["movetime"] == most_ms


def test_without_a_clock_the_level_alone_counts(engine):
    program, heard = engine
    answer(program, 8, Game.new(Setup()))
    assert heard() == {"movetime": 1500, "depth": 18}


@pytest.mark.parametrize("hangs_at", ["go", "quit"])
def test_an_engine_that_hangs_is_ended_with_the_program(tmp_path, monkeypatch, hangs_at):
    monkeypatch.setattr("acessivel.devices.engine._CLOSING_S", 0.5)
    program, asked = tmp_path / "engine", tmp_path / "asked"
    program.write_text(HANGS.format(python=sys.executable, at=hangs_at, asked=str(asked)))
    program.chmod(0o755)
    os.mkfifo(asked)
    opponent = Opponent(str(program), 1, lambda _: None)
    opponent.ask_move(Game.new(Setup()), 0)
    pid = int(asked.read_text())
    opponent.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_engine_that_is_none_is_reported(tmp_path):
    program = tmp_path / "no-engine"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    assert isinstance(answer(str(program), 1, Game.new(Setup())), EngineFailed)


# Only castling mates: the rook could not come to its file by itself.
MATES = [
    ("king and rook change places", "5kr1/6p1/8/8/8/8/4R3/5KR1 w G - 0 1", "5RK1"),
    ("only the rook moves", "5k2/8/8/8/8/6R1/4R3/6KR w H - 0 1", "5RK1"),
    ("both move", "3k4/8/8/8/8/2R5/4R3/RK6 w A - 0 1", "2KR4"),
]


@needs_engine
@pytest.mark.parametrize(("fen", "rank"), [mate[1:] for mate in MATES], ids=[mate[0] for mate in MATES])
def test_the_engine_castles_in_chess960_and_it_is_told_as_castling(fen, rank):
    game = Game.new(Setup.of(variant="chess960", fen=fen))
    moved = answer(find_engine(), 8, game)
    (fact,) = (fact for fact in game.position.legal if fact.uci == moved.uci)
    assert isinstance(fact.meaning, Castling)
    after = game.play(fact, 0)
    assert after.position.placement.split("/")[-1] == rank
    assert after.result.reason == "checkmate"


# Each form of castling (F.3b, 2009), as a person announces it; the engine must understand the position after it.
ANNOUNCED = [
    ("4k3/8/8/8/8/8/p7/4K2R w H - 0 1", ("kurze Rochade", "0-0", "O-O", "e1h1"), "5RK1"),
    ("4k3/8/8/8/8/8/p7/5KR1 w G - 0 1", ("kurze Rochade", "0-0", "O-O", "f1g1"), "5RK1"),
    ("4k3/8/8/8/8/8/p7/6KR w H - 0 1", ("kurze Rochade", "0-0", "O-O", "g1h1"), "5RK1"),
    ("4k3/8/8/8/8/8/p7/4KR2 w F - 0 1", ("kurze Rochade", "0-0", "O-O", "e1f1"), "5RK1"),
    ("4k3/8/8/8/8/8/7p/3RK3 w D - 0 1", ("lange Rochade", "0-0-0", "O-O-O", "e1d1"), "2KR4"),
    ("4k3/8/8/8/8/8/7p/RK6 w A - 0 1", ("lange Rochade", "0-0-0", "O-O-O", "b1a1"), "2KR4"),
    ("4k3/8/8/8/8/8/7p/R1K5 w A - 0 1", ("lange Rochade", "0-0-0", "O-O-O", "c1a1"), "2KR4"),
]


@needs_engine
@pytest.mark.parametrize(("fen", "forms", "rank"), ANNOUNCED)
def test_castling_in_every_announced_form_is_understood_by_the_engine(fen, forms, rank):
    position = Position.start(fen, "chess960")
    facts = {fact for form in forms for fact in position.matching(read(form, "de")[0].meaning)}
    (fact,) = facts
    game = Game.new(Setup.of(variant="chess960", fen=fen)).play(fact, 0)
    assert game.position.placement.split("/")[-1] == rank
    moved = answer(find_engine(), 1, game)
    assert moved.plies == 1
    assert moved.uci in {legal.uci for legal in game.position.legal}


# What an engine answers to "go".
SENSELESS = {
    "a move that is not legal": ["info depth 1 multipv 1 score cp 1 pv e2e4", "bestmove e2e5"],
    "no move": ["bestmove (none)"],
    "a line that is not legal": ["info depth 1 multipv 1 score cp 1 pv e2e5", "bestmove e2e4"],
    "more lines than any position has": ["info multipv 999999999 score cp 1 pv e2e4", "bestmove e2e4"],
    "a line before the first": ["info multipv -7 score cp 1 pv e2e4", "bestmove e2e4"],
    "no evaluation": ["info depth 1 multipv 1 pv e2e4", "bestmove e2e4"],
    "nothing but a move": ["bestmove"],
}


@pytest.fixture
def senseless(tmp_path):
    def made(lines):
        program = tmp_path / "engine"
        says = "\\n".join(lines)
        text = TALKS.format(python=sys.executable, log=str(tmp_path / "asked"))
        text = text.replace('print("bestmove e2e4", flush=True)', f'print("{says}", flush=True)')
        text = text.replace(
            "id name fake", "id name fake\\noption name MultiPV type spin default 1 min 1 max 500"
        )
        program.write_text(text)
        program.chmod(0o755)
        return str(program)

    return made


@pytest.mark.parametrize("lines", SENSELESS.values(), ids=SENSELESS.keys())
def test_an_engine_without_sense_is_not_waited_for(senseless, lines, monkeypatch):
    monkeypatch.setattr("acessivel.devices.engine._PATIENCE_S", 3600)  # the test would not end
    answers = queue.SimpleQueue()
    opponent = Opponent(senseless(lines), 1, answers.put)
    game = Game.new(Setup.of())
    try:
        for ask in (lambda: opponent.ask_move(game, 0), lambda: opponent.ask_advice(game, "hint", 0)):
            ask()
            while isinstance(answer := answers.get(timeout=60), DeviceNews):
                pass
            assert isinstance(answer, EngineFailed | EngineJudged)
    finally:
        opponent.close()


def test_a_weak_level_plays_with_an_engine_that_has_one_line_only(engine):
    program, _ = engine
    assert answer(program, 1, Game.new(Setup.of())).uci == "e2e4"


def test_that_the_engine_is_slow_is_told(senseless, monkeypatch):
    monkeypatch.setattr("acessivel.devices.engine._SLOW_S", 0.0)
    monkeypatch.setattr("acessivel.devices.engine._PATIENCE_S", 0.5)
    answers = queue.SimpleQueue()
    opponent = Opponent(senseless([""]), 1, answers.put)
    try:
        opponent.ask_move(Game.new(Setup.of()), 0)
        assert answers.get(timeout=60) == DeviceNews(key="engine_slow")
        assert isinstance(answers.get(timeout=60), EngineFailed)
    finally:
        opponent.close()
