# SPDX-License-Identifier: GPL-3.0-or-later
"""Exercises from EPD and PGN, and games from PGN: those of the program, or from a file of the user."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import chess
import chess.pgn

from acessivel.drills.games import Played
from acessivel.drills.tactics import Exercise
from acessivel.message import Message
from acessivel.records import pgn_files
from acessivel.records.braille_record import RecordError
from acessivel.rules.position import BadFenError, Position

_Item = TypeVar("_Item")
_MOST = 2000  # games or exercises of a file: more than anyone can practise, and still read in seconds
_LONGEST = 4096  # bytes of an EPD record


def own_exercises() -> tuple[Exercise, ...]:
    """The mates and tactics of the program."""
    return _found(_from_epd(_own("exercises.epd")), "exercises.epd")


def own_games() -> tuple[Played, ...]:
    """The games of the program."""
    return _found(_games(_own("games.pgn")), "games.pgn")


def exercises(path: Path) -> tuple[Exercise, ...]:
    """The exercises of a file: EPD by its suffix, PGN otherwise.

    Raises RecordError with the line, or OSError.
    """
    with path.open("rb") as file:
        epd = path.suffix.lower() == ".epd"
        return _found(_from_epd(file) if epd else _from_pgn(file), str(path))


def games(path: Path) -> tuple[Played, ...]:
    """The games of a PGN file that have moves. Raises RecordError with the line, or OSError."""
    with path.open("rb") as file:
        return _found(_games(file), str(path))


def _own(name: str) -> BinaryIO:
    return io.BytesIO(Path(__file__).with_name(name).read_bytes())


def _found(found: Iterator[_Item], name: str) -> tuple[_Item, ...]:
    """All items, at most `_MOST`. Raises RecordError if there are none."""
    every = tuple(islice(found, _MOST))
    if not every:
        raise RecordError(Message.of("drill_nothing_there", file=name))
    return every


def _from_epd(file: BinaryIO) -> Iterator[Exercise]:
    """An exercise for each record with bm, pv or dm; `#` begins a comment."""
    for number, raw in enumerate(iter(lambda: file.readline(_LONGEST), b""), 1):
        line = raw.decode("utf-8", errors="replace").removeprefix("\ufeff").strip()
        if line and not line.startswith("#"):
            try:
                found = _exercise(line)
            except (ValueError, AssertionError, IndexError, TypeError, AttributeError) as error:
                raise RecordError(Message.of("drill_bad_epd", line=number)) from error
            if found:
                yield found


def _exercise(line: str) -> Exercise | None:
    """The exercise of an EPD record; None if it has no solution. Raises ValueError if it is not legal."""
    board = chess.Board(None)
    said: dict[str, Any] = board.set_epd(line)
    if not board.is_valid():
        raise ValueError(line)
    best, way = said.get("bm") or [], said.get("pv") or []
    mate = said.get("dm")
    mate = mate if isinstance(mate, int) and mate > 0 else 0
    if mate == 1 and not (best or way):
        best = [move for move in board.legal_moves if _mates(board, move)]
    if not (best or way):
        return None
    solution = way if way and (not best or way[0] in best) else best[:1]
    if not all(solution):
        raise ValueError("a side that passes solves nothing")
    ucis = tuple(move.uci() for move in solution)
    # A mate is asked for only as far as its moves are known; the player makes the last move.
    ucis = ucis[: 2 * mate - 1] if mate else ucis
    ucis = ucis if len(ucis) % 2 else ucis[:-1]
    whole = mate if len(ucis) == 2 * mate - 1 else 0
    return Exercise(board.fen(), ucis, frozenset(move.uci() for move in best), whole)


def _from_pgn(file: BinaryIO) -> Iterator[Exercise]:
    """An exercise for each game with its own starting position: the side to move has to find the moves."""
    for game in pgn_files.games(file):
        start, line = _played(game)
        line = line if len(line) % 2 else line[:-1]
        if "FEN" in game.headers and line:
            end = game.board()
            for uci in line:
                end.push_uci(uci)
            mate = (len(line) + 1) // 2 if end.is_checkmate() else 0
            yield Exercise(start.fen, line, mate=mate)


def _games(file: BinaryIO) -> Iterator[Played]:
    for game in pgn_files.games(file):
        start, line = _played(game)
        if line:
            yield Played(start, line)


def _played(game: chess.pgn.Game) -> tuple[Position, tuple[str, ...]]:
    """How a game begins, and its moves as far as both sides make them: in an annotated game one may pass.

    Raises RecordError if its position cannot be played from.
    """
    board = game.board()
    fen, line = board.fen(), []
    try:
        start = Position.start(fen)
    except BadFenError as error:
        raise RecordError(Message.of("bad_fen", fen=fen[:100], reasons=error.reasons)) from error
    for move in takewhile(bool, game.mainline_moves()):
        line.append(board.uci(move, chess960=start.chess960))
        board.push(move)
    return start, tuple(line)


def _mates(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return after.is_checkmate()
