# SPDX-License-Identifier: GPL-3.0-or-later
"""PGN files of any length -> their games, one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, TextIO, cast

import chess
import chess.pgn

from acessivel.message import Message
from acessivel.records.braille_record import IllegalMoveError, RecordError
from acessivel.records.pgn import known_result
from acessivel.records.pgn_lines import PgnLines
from acessivel.rules import chess960
from acessivel.rules.scores import usual

_FOR_PROGRAMS = re.compile(r"\[%[^\]]*\]")  # clocks, arrows and evaluations mean nothing to a reader
_ESCAPED = re.compile(r'\\(["\\])')  # PGN 7: in the value of a tag
_QUOTED = re.compile(r"'([^']{1,40})'")


def games(file: BinaryIO) -> Iterator[chess.pgn.Game]:
    """The games of a file. Raises RecordError with game and line if one cannot be read or played."""
    lines = PgnLines(file)
    number = 0
    while game := _next(lines):
        if lines.too_long or not game.told:
            raise RecordError(Message.of("no_pgn", line=lines.number))
        number += 1
        if wrong := _beginning_refused(game, number):
            raise RecordError(wrong)
        if mistake := _first(lines.stray, game.mistake):
            line, move = mistake
            wrong = Message.of("bad_pgn", game=number, line=line, move=move)
            if game.illegal and mistake is game.mistake:
                raise IllegalMoveError(wrong, game, number, move, line)
            raise RecordError(wrong)
        yield game
    if lines.too_long:
        raise RecordError(Message.of("no_pgn", line=lines.number))
    if not number:
        raise RecordError(Message.of("record_empty"))


def beginning(game: chess.pgn.Game) -> tuple[str | None, str]:
    """The FEN that a game begins with, None for the initial position, and its variant."""
    board = game.board()
    if board.chess960:  # without a FEN, a game of Chess960 begins like any other
        return board.fen(), chess960.FREE
    return game.headers.get("FEN"), chess960.STANDARD


def is_whole(game: chess.pgn.Game) -> bool:
    """Whether a game ends with the result that PGN requires; without it, the file may be cut off."""
    return not isinstance(game, _NotedGame) or game.whole


@dataclass(frozen=True, slots=True)
class Recorded:
    """A move of a record as plain data; the first, without a move, is the start.

    `uci`: `NULL_MOVE` where a side passes; `parent`: its index in the list; `left_ms`: what its player had
    left, if recorded; `nags`: the numbers of PGN's annotation glyphs.
    """

    uci: str = ""
    parent: int = 0
    left_ms: int | None = None
    comments: tuple[str, ...] = ()
    nags: tuple[int, ...] = ()


def recorded(game: chess.pgn.Game, *, variations: bool = True) -> tuple[Recorded, ...]:
    """The moves of a game, with or without its variations, each after the one that it follows."""
    found = []
    waiting: list[tuple[chess.pgn.GameNode, int]] = [(game, 0)]
    while waiting:
        node, parent = waiting.pop()
        clock = node.clock()
        starting = node.starting_comment if isinstance(node, chess.pgn.ChildNode) else ""
        texts = (" ".join(_FOR_PROGRAMS.sub(" ", text).split()) for text in (starting, node.comment))
        found.append(
            Recorded(
                "" if node.move is None else node.move.uci(),
                parent,
                None if clock is None else round(clock * 1000),
                tuple(filter(None, texts)),
                tuple(sorted(node.nags)),
            )
        )
        following = node.variations if variations else node.variations[:1]
        waiting += [(variation, len(found) - 1) for variation in reversed(following)]
    return tuple(found)


def _beginning_refused(game: chess.pgn.Game, number: int) -> Message | None:
    """Why a game cannot begin as its tags say; None if it can."""
    try:
        played = game.headers.variant()
    except ValueError:  # unknown to the library
        played = None
    if played is not chess.Board:
        return Message.of("other_variant", game=number, variant=game.headers["Variant"])
    try:
        game.board()
    except ValueError:
        return Message.of("from_bad_position", number=number, reasons=(Message.of("bad_position_no_fen"),))
    return None


def _first(stray: tuple[int, str] | None, mistake: tuple[int, str] | None) -> tuple[int, str] | None:
    """The mistake that comes first; what is stray in a line is why a move there cannot be understood."""
    return mistake if mistake and not (stray and stray[0] <= mistake[0]) else stray


def _next(lines: PgnLines) -> _NotedGame | None:
    """The next game, with the comments that stand before its tags; None at the end of the file.

    Raises RecordError for what the library cannot read, and for comments without a game.
    """
    before = ""
    while (game := _read(lines)) and game.comment and not (game.told or lines.stray):
        before = f"{before} {game.comment}".strip()
    if game:
        game.comment = f"{before} {game.comment}".strip()
    elif before:
        raise RecordError(Message.of("no_pgn", line=lines.number))
    return game


def _read(lines: PgnLines) -> _NotedGame | None:
    """What comes before the next empty line. Raises RecordError for what the library cannot read."""
    lines.begin_game()
    try:
        return chess.pgn.read_game(cast("TextIO", lines), Visitor=lambda: _NotedGameBuilder(lines))
    except ValueError as error:  # an annotation glyph of thousands of digits
        raise RecordError(Message.of("no_pgn", line=lines.number)) from error


def _result(tag: str) -> str:
    """A result in a tag as one of PGN's four: "½-½" is a draw, and other words are none."""
    return known_result(usual(tag))


class _NotedGame(chess.pgn.Game):
    """What was read: `told`, a tag, a move or a result; `whole`, its result at the end; the first `mistake`.

    The mistake is its line and its text; `illegal`: it is a move of the main line.
    """

    told = False
    whole = False
    mistake: tuple[int, str] | None = None
    illegal = False


class _NotedGameBuilder(chess.pgn.GameBuilder[_NotedGame]):
    """Notes where the first mistake is, and whether there was any part of a game at all."""

    def __init__(self, lines: PgnLines) -> None:
        super().__init__(Game=_NotedGame)
        self._lines = lines

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.game.told = True
        value = _ESCAPED.sub(r"\1", tagvalue)
        super().visit_header(tagname, _result(value) if tagname == "Result" else value)

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        move = super().parse_san(board, san)
        if not move and board.is_check():  # whoever passes would leave the king to be taken
            raise chess.IllegalMoveError(f"illegal: '{san}' in check")
        return move

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.game.told = True
        super().visit_move(board, move)

    def end_variation(self) -> None:
        # After a mistake in the main line `chess.pgn` takes any ")" for the end of a variation.
        if len(self.variation_stack) > 1:
            super().end_variation()

    def visit_result(self, result: str) -> None:
        self.game.whole = True
        super().visit_result(result)

    def handle_error(self, error: Exception) -> None:
        self.game.told = True
        found = _QUOTED.search(str(error))
        moves = (chess.IllegalMoveError, chess.AmbiguousMoveError, chess.InvalidMoveError)
        if not self.game.mistake and len(self.variation_stack) == 1:
            self.game.illegal = isinstance(error, moves)
        self.game.mistake = self.game.mistake or (self._lines.number, found[1] if found else str(error)[:60])
