# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of a round as PGN, for those who follow: one text of all tables, with the clocks.

A delay is a matter of which entries the hall is folded from: only those that are old enough.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import chess
import chess.pgn

from acessivel.clock.time_control import TimeControl
from acessivel.game.results import termination
from acessivel.hall.board import Hall, TableGame
from acessivel.hall.entries import GameOpened
from acessivel.hall.tournament_round import counted
from acessivel.records import pgn
from acessivel.rules.position import Position
from acessivel.tournaments.rounds import Board, boards
from acessivel.tournaments.tournament import Entrant, Tournament

Tags = tuple[tuple[str, str], ...]
GameTexts = dict[Board, tuple[TableGame | None, Tags, str, str]]
NO_RESULTS: Mapping[int, str] = MappingProxyType({})

# What readers of PGN take for the end of a tag; the library writes it as it is.
_DATE = re.compile(r"(20)?\d\d/\d\d/\d\d", re.ASCII)
_TAGS = re.compile(rb'[\s\xef\xbb\xbf]*(\[\w+ "|\Z)')
_FORFEITS = {"+-": "1-0", "-+": "0-1", "--": "*"}
_BREAKING = str.maketrans({'"': "'", "\\": "/"})
MEDIA_TYPE = "application/x-chess-pgn; charset=utf-8"


def live_pgn(
    event: Tournament,
    number: int,
    hall: Hall,
    known: GameTexts | None = None,
    results: Mapping[int, str] = NO_RESULTS,
) -> str:
    """All games of a round in the order of the tables, each with a result of "*" until it is over.

    A game that has not begun has no moves. After an illegal move that stood, PGN can express nothing more:
    what was played then is in a comment. `known` keeps the texts of games for the next call, as most have no
    news, nor have the players' names; it is for one round. `results`: by the table, those that count instead
    of what was played.
    """
    known = {} if known is None else known
    tables, games = boards(event, number), counted(event, number, hall)
    for board in tables:
        game = games.get(board.table)
        about = tuple(_tags(event, number, board, game)), results.get(board.table, "")
        if board not in known or known[board][0] is not game or known[board][1:3] != about:
            known[board] = game, *about, pgn.export(_game(game, *about))
    return "".join(known[board][3] for board in tables)


def illegal_tables(event: Tournament, number: int, hall: Hall) -> tuple[int, ...]:
    """The tables of a round at which an illegal move has stood: PGN does not go on after it."""
    games = counted(event, number, hall)
    return tuple(table for table, game in games.items() if any(move.irregular for move in game.moves))


def etag(text: str) -> str:
    """What tells one state of the file from another, as HTTP has it (RFC 9110, 8.8.3)."""
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def answered(text: str, if_none_match: str) -> tuple[int, Mapping[str, str], bytes]:
    """Status, header and body for who asks for the file, and may have this state of it already."""
    tag = etag(text)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Content-Type": MEDIA_TYPE}
    known = {each.strip().removeprefix("W/") for each in if_none_match.split(",")}
    return (304, headers, b"") if known & {tag, "*"} else (200, headers, text.encode())


def write(path: Path, text: str) -> bool:
    """Write the file, if it says anything new; whoever reads it finds it whole. Raises OSError."""
    with suppress(OSError, UnicodeDecodeError):
        if path.read_bytes().decode() == text:
            return False
    new = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        new.write_bytes(text.encode())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    return True


def would_lose(path: Path) -> bool:
    """Whether a file is there that holds something else than games: to write it would take that away."""
    try:
        return path.is_file() and not _TAGS.match(path.read_bytes())
    except OSError:  # writing will tell
        return False


def _game(game: TableGame | None, tags: Tags, result: str) -> chess.pgn.Game:
    record = chess.pgn.Game()
    record.headers.update({tag: text.translate(_BREAKING) for tag, text in tags})
    if game and game.opened:
        with suppress(ValueError):  # what no table agrees on: the others are not to suffer for it
            _begin(record, game.opened)
            _moves(record, game)
    if result:
        _overrule(record, result, game.ended.score if game else "*")
    return record


def _overrule(record: chess.pgn.Game, result: str, played: str) -> None:
    """Set another result than the one that was played, which a comment tells, as one that PGN has not."""
    record.headers["Result"] = known = pgn.known_result(_FORFEITS.get(result, result))
    record.headers["Termination"] = termination("late" if result in _FORFEITS else "arbiter")
    end = record.end()
    told = (result if known == "*" else "", f"{played} at the board" if played != "*" else "")
    end.comment = " ".join(filter(None, (end.comment, *told)))


def _begin(record: chess.pgn.Game, opened: GameOpened) -> None:
    """Set the position and the clock. Raises ValueError if they are none."""
    control = TimeControl.parse(opened.clock)
    start = Position.start(opened.fen, opened.variant)
    if opened.fen or start.chess960:
        record.setup(chess.Board(start.fen, chess960=start.chess960))
    record.headers["TimeControl"] = control.pgn if control else "-"


def _tags(event: Tournament, number: int, board: Board, game: TableGame | None) -> Iterator[tuple[str, str]]:
    dates = event.dates[number - 1 : number]
    date = dates[0][-8:] if dates and _DATE.fullmatch(dates[0]) else ""
    if not date and game is not None and game.opened_ms:
        date = datetime.fromtimestamp(game.opened_ms / 1000, UTC).astimezone().strftime("%y/%m/%d")
    yield "Event", event.name or "?"
    yield "Site", event.place or "?"
    yield "Date", f"20{date.replace('/', '.')}" if date else "????.??.??"
    yield "Round", f"{number}.{board.table}"
    yield "Board", str(board.table)
    yield from _of_player("White", event.players[board.white])
    yield from _of_player("Black", event.players[board.black])


def _of_player(side: str, player: Entrant) -> Iterator[tuple[str, str]]:
    """A player's tags; what the file does not have is left out."""
    yield side, player.name
    tags = {"Elo": player.rating, "Title": player.title.upper(), "FideId": player.identity}
    yield from ((f"{side}{tag}", text) for tag, text in tags.items() if text)


def _moves(record: chess.pgn.Game, game: TableGame) -> None:
    """Add the moves with their clocks, the result, and in a comment what PGN cannot express."""
    node: chess.pgn.GameNode = record
    position = record.board()
    rest: list[str] = []
    for move in game.moves:
        made = None if rest or move.irregular else _legal(position, move.uci)
        if made is None:
            rest.append(move.san)
            continue
        position.push(made)
        node = node.add_main_variation(made)
        if move.left_ms is not None:
            node.set_clock(move.left_ms // 1000)
    record.headers["Result"] = known = pgn.known_result(game.ended.score)
    rest += [game.ended.score] if game.over and known != game.ended.score else []
    if rest:
        node.comment = " ".join((node.comment, *rest)).strip()
    record.headers["Termination"] = termination(game.ended.reason if game.over else None)


def _legal(position: chess.Board, uci: str) -> chess.Move | None:
    """A move that a table has told, if it is one in this position."""
    try:
        move = chess.Move.from_uci(uci)
    except ValueError:
        return None
    return move if position.is_legal(move) else None
