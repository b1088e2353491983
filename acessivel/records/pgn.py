# SPDX-License-Identifier: GPL-3.0-or-later
"""Game -> PGN with the clock times, or a scoresheet in plain text; `chess.pgn` writes the PGN."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import chess
import chess.pgn

from acessivel.clock.time_control import Mode, TimeControl
from acessivel.game.game import Game, Setup
from acessivel.game.results import termination
from acessivel.messages.rendering import Renderer, printable
from acessivel.queries import openings, queries
from acessivel.rules.position import WHITE
from voices.meaning import MovePattern, Piece
from voices.words.lexicon import vocabulary

# Endings that neither a note tells, as nobody claims or decides them, nor the last position shows.
_UNSEEN = frozenset({"fivefold", "seventyfive", "dead_position"})
# A tag of our own: what PGN has is the same for Bronstein and delay.
BRONSTEIN = ("DelayMode", "Bronstein")
_QUOTED = re.compile(r'["\\]')
# The words of a comment between its braces; what it has for programs is one.
_WORD = re.compile(r"(?:^\{ )?(?:\[%[^\]]*\]|\S)+(?: \}$)?")


def pgn(setup: Setup, game: Game, started: str) -> str:
    """The game in PGN's export format, with {[%clk]} comments if it was played with a clock."""
    record = chess.pgn.Game()
    record.headers.update({"Date": _day(started), **_tags(setup)})
    if setup.practice:  # with hints and moves taken back, it must not pass for a competition game
        record.headers["Event"] = "Practice"
    record.headers.update(_at_server(setup))
    record.headers["White"], record.headers["Black"] = setup.players.white, setup.players.black
    record.headers["Result"] = known_result(game.result.score if game.result else "*")
    if setup.beginning.fen or game.start.chess960:
        record.setup(chess.Board(game.start.fen, chess960=game.start.chess960))
    control = TimeControl.parse(setup.timing.clock)
    record.headers["TimeControl"] = control.pgn if control else "-"
    if control and control.mode is Mode.BRONSTEIN:
        record.headers[BRONSTEIN[0]] = BRONSTEIN[1]
    if game.result and (opening := openings.opening(game)):
        record.headers["ECO"] = opening.eco
        record.headers["Opening"] = Renderer("en").text(opening.name)
    record.headers["Termination"] = termination(game.result.reason if game.result else None)
    nodes: list[chess.pgn.GameNode] = [record]
    # PGN cannot express an illegal move that stands, nor what follows it: a comment does.
    legal = next((n for n, move in enumerate(game.played) if move.fact.irregular), len(game.played))
    for move in game.played[:legal]:
        nodes.append(nodes[-1].add_main_variation(chess.Move.from_uci(move.fact.uci)))
        if move.left_ms is not None:
            nodes[-1].set_clock(move.left_ms // 1000)
    _comment(nodes, game, Renderer(setup.language, setup.convention))
    return export(record)


def _tags(setup: Setup) -> dict[str, str]:
    """The tags of the file from which the game came here."""
    return dict(setup.beginning.before.tags) if setup.beginning.before else {}


def _day(started: str) -> str:
    """The day on which the game began here, as PGN has it."""
    return started[:10].replace("-", ".")


def _at_server(setup: Setup) -> dict[str, str]:
    """The tags of a game that was played at a server, as such servers write them."""
    there = setup.online
    if setup.opponent != "online":
        return {}
    tags = {"Event": f"{'Rated' if there.rated else 'Casual'} {there.speed} game".replace("  ", " ")}
    ratings = {"WhiteElo": there.white_rating, "BlackElo": there.black_rating}
    return {**tags, "Site": there.address, **{tag: str(elo) for tag, elo in ratings.items() if elo}}


def _comment(nodes: Sequence[chess.pgn.GameNode], game: Game, renderer: Renderer) -> None:
    """Add the notes of a game, what follows the last move that PGN can express, and what ended it unseen."""
    legal = len(nodes) - 1
    notes = sorted(game.notes, key=lambda note: not note.sign)  # a sign stands directly at its move
    told: dict[int, list[str]] = {ply: [] for ply in range(len(game.played) + 1)}
    for ply, move in enumerate(game.played[legal:], legal + 1):
        told[ply].append(move.fact.numbered)
    for note in notes:
        ply = min(note.ply, len(game.played))
        told[ply].append(note.signs(ply) or renderer.text(note.message))
    for ply, words in told.items():
        node = nodes[min(ply, legal)]
        node.comment = " ".join((node.comment, *words)).strip()
    unseen = [renderer.text(queries.over(game))] if game.result and game.result.reason in _UNSEEN else []
    score = game.result.score if game.result else "*"
    rest = (*unseen, *([] if known_result(score) == score else [score]))
    nodes[-1].comment = " ".join((nodes[-1].comment, *rest)).strip()


def known_result(score: str) -> str:
    """A result as PGN has it: a game that both lose has none, and "0-0" would be read as a castling move."""
    return score if score in ("1-0", "0-1", "1/2-1/2") else "*"


def export(game: chess.pgn.Game) -> str:
    """Any game in PGN's export format, in lines of 80 characters, with the empty line after it."""
    return f"{game.accept(_Exporter(columns=80))}\n\n"


class _Exporter(chess.pgn.StringExporter):
    """Writes the value of a tag in one line, its quotes and backslashes as PGN 7 has them."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        super().visit_header(tagname, _QUOTED.sub(r"\\\g<0>", printable(tagvalue)))

    def visit_comment(self, comment: str) -> None:
        for word in _WORD.findall(f"{{ {comment.replace('}', '').strip()} }}"):
            self.write_token(f"{word} ")
        self.force_movenumber = True


def text(setup: Setup, game: Game, started: str) -> str:
    """The game as a scoresheet: players, date, one line a move in the language's letters, the result."""
    renderer = Renderer(setup.language, setup.convention)
    day = _tags(setup).get("Date", _day(started)).replace(".", "-")
    lines = [printable(f"{setup.players.white} - {setup.players.black}"), printable(day)]
    if setup.beginning.fen or game.start.chess960:
        lines.append(game.start.fen)
    lines += _moves(game, setup.language)
    plies = len(game.played)
    words = (note for note in game.notes if not note.signs(plies))
    lines += (f"({min(note.ply, plies)}) {renderer.text(note.message)}" for note in words)
    if game.result:
        lines.append(f"{game.result.score} {renderer.text(queries.over(game))}")
    else:
        lines.append("*")
    return "\n".join(lines) + "\n"


def scoresheet(game: chess.pgn.Game, language: str) -> str:
    """The main line of any game as a scoresheet: players, date, one line a move, the result."""
    headers, board = {name: printable(value) for name, value in game.headers.items()}, game.board()
    lines = [f"{headers['White']} - {headers['Black']}", headers["Date"]]
    if "FEN" in headers:
        lines.append(headers["FEN"])
    for node in game.mainline():
        san = local_san(board.san(node.move), language) + (" e.p." if board.is_en_passant(node.move) else "")
        if board.turn == chess.WHITE or node.parent is game:
            lines.append(f"{board.fullmove_number}.{'' if board.turn == chess.WHITE else '..'} {san}")
        else:
            lines[-1] += f" {san}"
        board.push(node.move)
    return "\n".join((*lines, headers["Result"])) + "\n\n"


def _moves(game: Game, language: str) -> Iterator[str]:
    line = ""
    signs = {note.ply: note.sign for note in game.notes if note.sign}
    for number, move in enumerate(game.played):
        fact = move.fact
        if fact.colour == WHITE or number == 0:
            if line:
                yield line
            line = f"{fact.number}." if fact.colour == WHITE else f"{fact.number}..."
        en_passant = isinstance(fact.meaning, MovePattern) and fact.meaning.en_passant
        line += f" {local_san(fact.san, language)}" + (" e.p." if en_passant else "")
        line += signs.get(number + 1, "")
    if line:
        yield line


def local_san(san: str, language: str) -> str:
    """SAN with the piece letters of a language: "Nf3" -> "Cf3"."""
    letters = vocabulary(language).letters
    return "".join(letters[Piece(c)] if c in "KQRBN" else c for c in san)


RECORDS = {"pgn": pgn, "text": text}
FORMATS = (*RECORDS, "brf", "pef", "unicode")
