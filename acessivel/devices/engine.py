# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine as the opponent, in a thread of its own; `chess.engine` speaks the protocol."""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import threading
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Protocol

import chess
import chess.engine

from acessivel.errors import trace
from acessivel.game.engine_choice import STEADY, Rated, choose
from acessivel.game.game import Game
from acessivel.game.levels import FULL_SKILL, Level, levels
from acessivel.rules.position import BLACK, COLOURS, WHITE
from acessivel.session.evaluation import Judgement
from acessivel.session.events import (
    DeviceNews,
    EngineAnswered,
    EngineCompared,
    EngineFailed,
    EngineJudged,
    EngineMoved,
    Event,
)
from acessivel.settings.settings import user_path
from voices.meaning import CommandName

_LOG = logging.getLogger(__name__)
_PLACES = ("stockfish", "/usr/games/stockfish", "/usr/local/bin/stockfish", "/opt/homebrew/bin/stockfish")
_PATIENCE_S = 20.0  # beyond the thinking time; after that the engine counts as dead
_CLOSING_S = 2.0  # for what it is asked last, and then for its end
_SLOW_S = 2.0  # beyond the thinking time; after that the player hears that the engine has not answered
_FIRST_DRAW_MOVE = 20  # before this move the engine refuses draws unless it stands badly
_EQUAL_CP, _BAD_CP = 0, -150  # at most that it accepts a draw with: late in the game, and early
_MATE_CP = 100_000
_ADVICE = chess.engine.Limit(time=1.0, depth=18)
_LINE = 3  # half-moves of advice
_MOVES_LEFT = 40  # what the clock shows must last for so many moves
_SHORTEST_S = 0.01
_ALL_MOVES = 500  # more than any position has, and the most that Stockfish accepts


def find_engine(configured: str | None = None) -> str | None:
    """The engine's program: the configured one, or Stockfish in its usual places."""
    places = (str(user_path(configured)),) if configured else _PLACES
    return next((found for place in places if (found := shutil.which(place))), None)


class _Checked(chess.engine.UciProtocol):
    """An engine that is ended as soon as it does not make sense: the library would wait for more of it."""

    _ended = False

    def _line_received(self, line: str) -> None:
        if self._ended:
            return
        try:
            self._check(line.split())
            super()._line_received(line)
        except (ValueError, IndexError, chess.engine.EngineError) as error:
            _LOG.warning("the engine makes no sense: %s", type(error).__name__)
            self._ended = True
            if self.transport:
                self.transport.kill()

    def _check(self, words: list[str]) -> None:
        """Raise ValueError or IndexError for a move that is not legal, or a number that no line can have."""
        if words[:1] == ["bestmove"] and words[1] not in ("(none)", "NULL"):
            self.board.parse_uci(words[1].lower())
        if words[:1] == ["info"] and "multipv" in words and "string" not in words:
            number = int(words[words.index("multipv") + 1])
            if not 1 <= number <= _ALL_MOVES:  # the library would make room for so many
                raise ValueError(words)


class Player(Protocol):
    """Plays the other side: each answer is one event, reported when it is available."""

    def ask_move(self, game: Game, now_ms: int) -> None:
        """Ask for a move, at this time on its clock."""

    def ask_draw(self, game: Game, colour: str) -> None:
        """Ask the side of a colour whether it accepts a draw."""

    def ask_advice(self, game: Game, about: str, ply: int) -> None:
        """Ask for advice in practice."""

    def close(self) -> None:
        """Release what it holds."""


class Opponent:
    """Asks the engine in the background, and reports each answer as one event.

    A failed engine is reported as `EngineFailed`; the next question restarts it.
    """

    def __init__(
        self, program: str, level: int, report: Callable[[Event], None], chance: Random | None = None
    ) -> None:
        """Start at a level, with a `chance` for the slips of a weak one."""
        self._program = program
        self._level = levels()[level]
        self._report = report
        self._chance = chance or Random()  # noqa: S311  # nothing is kept secret by it
        self._questions: queue.SimpleQueue[Callable[[], Event] | None] = queue.SimpleQueue()
        self._engine: chess.engine.SimpleEngine | None = None
        self._thread = threading.Thread(target=self._work, name="opponent", daemon=True)
        self._thread.start()

    def ask_move(self, game: Game, now_ms: int) -> None:
        """Let the engine think about its move, no longer than its clock allows."""
        self._questions.put(lambda: self._move(game, now_ms))

    def ask_draw(self, game: Game, colour: str) -> None:
        """Ask the engine, playing a colour, whether it accepts a draw."""
        self._questions.put(lambda: self._draw(game, colour))

    def ask_advice(self, game: Game, about: str, ply: int) -> None:
        """Ask the engine what a command wants to know about the position after so many half-moves."""
        advise = self._compare if about == CommandName.WHY else partial(self._judge, about)
        self._questions.put(lambda: advise(game, ply))

    def close(self) -> None:
        """End the engine, also one that hangs, and the thread; a pending answer is not reported."""
        self._report = lambda _: None
        self._questions.put(None)
        self._thread.join(_CLOSING_S)
        if self._thread.is_alive() and (engine := self._engine):
            engine.close()
            self._thread.join(_CLOSING_S)

    @property
    def pid(self) -> int | None:
        """The process id of the running engine."""
        return self._engine.transport.get_pid() if self._engine else None

    def _work(self) -> None:
        while question := self._questions.get():
            slow = threading.Timer(self._level.seconds + _SLOW_S, self._tell_slow)
            slow.daemon = True
            slow.start()
            try:
                event = question()
            except Exception as error:  # noqa: BLE001 - whatever the engine does, the game goes on
                _LOG.warning("the engine failed: %s", trace(error))
                self._end_engine()
                event = EngineFailed()
            finally:
                slow.cancel()
            self._report(event)
        self._end_engine()

    def _tell_slow(self) -> None:
        self._report(DeviceNews(key="engine_slow"))

    def _move(self, game: Game, now_ms: int) -> Event:
        limit = _limit(game, self._level, now_ms)
        engine, board = self._running(), _board(game)
        if self._level.weakness == STEADY or "MultiPV" not in engine.options:
            played = engine.play(board, limit)
            uci = played.move.uci() if played.move else None
        else:
            found = engine.analyse(board, limit, multipv=_ALL_MOVES)
            rated = [Rated(i["pv"][0].uci(), _worth(i, board.turn)) for i in found if i.get("pv")]
            uci = choose(rated, self._level.weakness, self._chance) if rated else None
        return EngineMoved(uci=uci, plies=len(game.played)) if uci else EngineFailed()

    def _draw(self, game: Game, colour: str) -> Event:
        info = self._running().analyse(_board(game), chess.engine.Limit(time=0.3, depth=14))
        late = game.position.fullmove >= _FIRST_DRAW_MOVE
        worth = _worth(info, colour == "white")
        return EngineAnswered(accepts=worth <= (_EQUAL_CP if late else _BAD_CP))

    def _judge(self, about: str, game: Game, ply: int) -> Event:
        judged = self._judgement(game, ply)
        return EngineJudged(about=about, ply=ply, cp=judged.cp, mate=judged.mate, line=judged.line)

    def _compare(self, game: Game, ply: int) -> Event:
        best, after = self._judgement(game, ply - 1), self._judgement(game, ply)
        return EngineCompared(
            ply=ply,
            best_cp=best.cp,
            best_mate=best.mate,
            best=best.line,
            cp=after.cp,
            mate=after.mate,
            reply=after.line,
        )

    def _judgement(self, game: Game, ply: int) -> Judgement:
        """The engine's evaluation at full strength, whatever level it plays at."""
        engine, board = self._running(), _board(game, ply)
        full = {"Skill Level": FULL_SKILL} if "Skill Level" in engine.options else {}
        info = engine.analyse(board, _ADVICE, options=full)
        score = info["score"].white()
        line = tuple(move.uci() for move in info.get("pv", ())[:_LINE])
        return Judgement(score.score() or 0, score.mate() or 0, line)

    def _running(self) -> chess.engine.SimpleEngine:
        if self._engine is None:
            self._engine = chess.engine.SimpleEngine.popen(_Checked, self._program, timeout=_PATIENCE_S)
            if "Skill Level" in self._engine.options:
                self._engine.configure({"Skill Level": self._level.skill})
        return self._engine

    def _end_engine(self) -> None:
        if engine := self._engine:
            with contextlib.suppress(chess.engine.EngineError, TimeoutError, OSError):
                engine.quit()
            engine.close()
            self._engine = None


def _worth(info: chess.engine.InfoDict, colour: chess.Color) -> int:
    """The value of a position for a side, in centipawns; a mate counts more the nearer it is."""
    return info["score"].pov(colour).score(mate_score=_MATE_CP)


def _limit(game: Game, level: Level, now_ms: int) -> chess.engine.Limit:
    """The limit of depth and time at a level; with a clock the engine knows both times, and saves its own."""
    clock = game.clock
    if clock is None:
        return chess.engine.Limit(time=level.seconds, depth=level.depth)
    me = game.position.turn
    left = {colour: clock.left(colour, now_ms) / 1000 for colour in COLOURS}
    # The increment of each move beside the main time, whether given before or after the move.
    extra = {colour: clock.control.extra_at(clock.side(colour).moves + 1) / 1000 for colour in COLOURS}
    spared = max(_SHORTEST_S, left[me] / _MOVES_LEFT + extra[me] / 2)
    return chess.engine.Limit(
        time=min(level.seconds, spared),
        depth=level.depth,
        white_clock=left[WHITE],
        black_clock=left[BLACK],
        white_inc=extra[WHITE],
        black_inc=extra[BLACK],
        remaining_moves=clock.moves_to_go(me),
    )


def _board(game: Game, plies: int | None = None) -> chess.Board:
    """The position after so many half-moves, or after all of them."""
    board = chess.Board(game.start.fen, chess960=game.start.chess960)
    for move in game.played[:plies]:
        board.push_uci(move.fact.uci)
    return board
