# SPDX-License-Identifier: GPL-3.0-or-later
"""Game -> PGN with the clock times, or a scoresheet in plain text; `chess.pgn` writes the PGN."""

from __future__ import annotations

import io
from collections.abc import Iterator

import chess
import chess.pgn

from acessivel import queries
from acessivel.clock import TimeControl
from acessivel.game import Game, Setup
from acessivel.rendering import Renderer
from acessivel.rules import WHITE
from voices.lexicon import vocabulary
from voices.meaning import MovePattern, Piece

_TIME_FORFEIT = ("flag", "flag_no_mate")


def pgn(setup: Setup, game: Game, started: str) -> str:
    """The game in PGN's export format, with {[%clk]} comments where it was played with a clock."""
    record = chess.pgn.Game()
    record.headers["Date"] = started[:10].replace("-", ".")
    record.headers["White"], record.headers["Black"] = setup.white, setup.black
    record.headers["Result"] = game.result.score if game.result else "*"
    if setup.fen:
        record.setup(chess.Board(game.start.fen))
    control = TimeControl.parse(setup.clock)
    record.headers["TimeControl"] = control.pgn if control else "-"
    if game.result:
        record.headers["Termination"] = "time forfeit" if game.result.reason in _TIME_FORFEIT else "normal"
    else:
        record.headers["Termination"] = "unterminated"
    node: chess.pgn.GameNode = record
    for move in game.played:
        node = node.add_main_variation(chess.Move.from_uci(move.fact.uci))
        if move.left_ms is not None:
            node.set_clock(move.left_ms // 1000)
    text = io.StringIO()
    record.accept(chess.pgn.FileExporter(text))
    return text.getvalue().rstrip("\n") + "\n"


def text(setup: Setup, game: Game, started: str) -> str:
    """The game as a scoresheet: players, date, one line a move in the language's letters, the result."""
    renderer = Renderer(setup.language, setup.convention)
    lines = [f"{setup.white} - {setup.black}", started[:10]]
    if setup.fen:
        lines.append(game.start.fen)
    lines += _moves(game, setup.language)
    if game.result:
        lines.append(f"{game.result.score} {renderer.text(queries.over(game))}")
    else:
        lines.append("*")
    return "\n".join(lines) + "\n"


def _moves(game: Game, language: str) -> Iterator[str]:
    line = ""
    for number, move in enumerate(game.played):
        fact = move.fact
        if fact.colour == WHITE or number == 0:
            if line:
                yield line
            line = f"{fact.number}." if fact.colour == WHITE else f"{fact.number}..."
        en_passant = isinstance(fact.meaning, MovePattern) and fact.meaning.en_passant
        line += f" {local_san(fact.san, language)}" + (" e.p." if en_passant else "")
    if line:
        yield line


def local_san(san: str, language: str) -> str:
    """SAN with the piece letters of a language: "Nf3" -> "Cf3"."""
    letters = vocabulary(language).letters
    return "".join(letters[Piece(c)] if c in "KQRBN" else c for c in san)


RECORDS = {"pgn": pgn, "text": text}
