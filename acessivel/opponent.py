# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine as the opponent, in a thread of its own; `chess.engine` speaks the protocol."""

from __future__ import annotations

import contextlib
import queue
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass

import chess
import chess.engine

from acessivel.events import EngineAnswered, EngineFailed, EngineMoved, Event
from acessivel.game import Game
from acessivel.settings import LEVELS

_PLACES = ("stockfish", "/usr/games/stockfish", "/usr/local/bin/stockfish", "/opt/homebrew/bin/stockfish")
_PATIENCE_S = 20.0  # beyond the thinking time, after which the engine counts as dead
_FIRST_DRAW_MOVE = 20  # before that the engine plays on unless it stands badly
_EQUAL_CP, _BAD_CP = 0, -150


@dataclass(frozen=True, slots=True)
class _Strength:
    """How an engine plays at a level: Stockfish's skill 0 to 20, depth in plies, and seconds at most."""

    skill: int
    depth: int
    seconds: float


_STRENGTHS = dict(
    zip(
        LEVELS,
        (
            _Strength(0, 1, 0.1),
            _Strength(2, 2, 0.1),
            _Strength(4, 3, 0.1),
            _Strength(7, 5, 0.2),
            _Strength(10, 7, 0.3),
            _Strength(13, 9, 0.5),
            _Strength(17, 12, 0.8),
            _Strength(20, 18, 1.5),
        ),
        strict=True,
    )
)


def find_engine(configured: str | None = None) -> str | None:
    """The engine's program: the configured one, or Stockfish in the usual places."""
    places = (configured,) if configured else _PLACES
    return next((found for place in places if (found := shutil.which(place))), None)


class Opponent:
    """Asks the engine in the background, and reports each answer as one event.

    A failed engine is reported as `EngineFailed`; the next question starts it anew.
    """

    def __init__(self, program: str, level: int, report: Callable[[Event], None]) -> None:
        self._program = program
        self._strength = _STRENGTHS[level]
        self._report = report
        self._questions: queue.SimpleQueue[Callable[[], Event] | None] = queue.SimpleQueue()
        self._engine: chess.engine.SimpleEngine | None = None
        self._thread = threading.Thread(target=self._work, name="opponent", daemon=True)
        self._thread.start()

    def ask_move(self, game: Game) -> None:
        """Let it think about its move."""
        self._questions.put(lambda: self._move(game))

    def ask_draw(self, game: Game, colour: str) -> None:
        """Ask it, playing a colour, whether it accepts a draw."""
        self._questions.put(lambda: self._draw(game, colour))

    def close(self) -> None:
        """End the engine and the thread; an answer still awaited is not reported."""
        self._report = lambda _: None
        self._questions.put(None)
        self._thread.join(_PATIENCE_S)

    @property
    def pid(self) -> int | None:
        """The process id of the running engine."""
        return self._engine.transport.get_pid() if self._engine else None

    def _work(self) -> None:
        while question := self._questions.get():
            try:
                event = question()
            except (chess.engine.EngineError, TimeoutError, OSError):
                self._end_engine()
                event = EngineFailed()
            self._report(event)
        self._end_engine()

    def _move(self, game: Game) -> Event:
        engine = self._running()
        limit = chess.engine.Limit(time=self._strength.seconds, depth=self._strength.depth)
        played = engine.play(_board(game), limit)
        if not played.move:
            return EngineFailed()
        return EngineMoved(uci=played.move.uci(), plies=len(game.played))

    def _draw(self, game: Game, colour: str) -> Event:
        info = self._running().analyse(_board(game), chess.engine.Limit(time=0.3, depth=14))
        score = info["score"].pov(colour == "white").score(mate_score=100_000)
        late = game.position.fullmove >= _FIRST_DRAW_MOVE
        return EngineAnswered(accepts=score <= (_EQUAL_CP if late else _BAD_CP))

    def _running(self) -> chess.engine.SimpleEngine:
        if self._engine is None:
            self._engine = chess.engine.SimpleEngine.popen_uci(self._program, timeout=_PATIENCE_S)
            if "Skill Level" in self._engine.options:
                self._engine.configure({"Skill Level": self._strength.skill})
        return self._engine

    def _end_engine(self) -> None:
        engine, self._engine = self._engine, None
        if engine:
            with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
                engine.quit()
            engine.close()


def _board(game: Game) -> chess.Board:
    board = chess.Board(game.start.fen, chess960=game.start.chess960)
    for move in game.played:
        board.push_uci(move.fact.uci)
    return board
