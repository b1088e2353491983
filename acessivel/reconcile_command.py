# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel reconcile`: two records of a game -> where they part, in lines, aloud and in Braille."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from acessivel import chess960, queries, record_command, scoresheets
from acessivel.braille_records import RecordError
from acessivel.game import Game, Setup
from acessivel.journal import Stored
from acessivel.message import Duration, Message
from acessivel.options import UserError
from acessivel.reconciling import Has, Verdict, Written, clocks, compare
from acessivel.rules import COLOURS, Position
from acessivel.settings import Settings
from acessivel.telling import tell
from braille.patterns import UnreadableError

Write = Callable[[str], None]
_LONGEST = 1 << 20  # bytes of a scoresheet
_FAULTS = {
    "": "reconcile_has",
    "ended": "reconcile_ends",
    "illegal": "reconcile_illegal",
    "ambiguous": "reconcile_ambiguous",
    "unread": "reconcile_unread",
}


@dataclass(frozen=True, slots=True)
class _Record:
    """A record by its name, where its game begins (None: where the other's does), and its moves."""

    name: str
    start: Position | None
    moves: tuple[Written, ...]


def run(options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored], write: Write) -> int:
    """Tell where the records part; UserError, with file and line, for one that cannot be read."""
    one, two = (_record(source, options, settings, load) for source in (options.one, options.two))
    start = one.start or two.start or Position.start()
    if one.start and two.start and one.start.fen != two.start.fen:
        raise UserError(Message.of("reconcile_starts", one=one.name, two=two.name))
    verdict = compare(start, one.moves, two.moves, settings.language)
    tell(tuple(_told(verdict, start, one, two)), settings, write)
    return 0


def _record(
    source: str, options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored]
) -> _Record:
    if source.isdecimal():
        game = load(int(source)).state.game
        moves = (Written(move.fact.uci, 0, move.left_ms) for move in game.played)
        return _Record(source, game.start, tuple(moves))
    try:
        sheet = _scoresheet(Path(source))
        if sheet is not None:
            return _Record(source, None, scoresheets.moves(sheet))
        kept = next(record_command.from_file(source, options, settings))
    except RecordError as error:
        raise UserError(Message.of("reconcile_file", file=source, reason=error.message)) from error
    except UnreadableError as error:
        raise UserError(record_command.unreadable(error, source)) from error
    board = kept.game.board()
    variant = chess960.FREE if board.chess960 else chess960.STANDARD
    start = Position.start(kept.game.headers.get("FEN"), variant)
    written = []
    for node in kept.game.mainline():
        left = node.clock()
        written.append(Written(board.uci(node.move), 0, None if left is None else round(left * 1000)))
        board.push(node.move)
    return _Record(source, start, tuple(written))


def _scoresheet(path: Path) -> str | None:
    """The text of a .txt file that is not in Braille, else None; UserError when it cannot be read."""
    if path.suffix.lower() != ".txt":
        return None
    try:
        with path.open("rb") as file:
            raw = file.read(_LONGEST)
    except OSError as error:
        raise UserError(record_command.cannot_read(error, str(path))) from error
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return None if any("\u2800" <= sign <= "\u28ff" for sign in text) else text


def _told(verdict: Verdict, start: Position, one: _Record, two: _Record) -> Iterator[Message]:
    position, count = verdict.position, len(verdict.agreed)
    if verdict.parts is None:
        yield Message.of("reconcile_same", count=count)
    elif count:
        last = verdict.agreed[-1]
        yield Message.of("reconcile_until", colour=last.colour, number=last.number, move=last)
    else:
        yield Message.of("reconcile_nothing")
    yield Message.of("reconcile_position", colour=position.turn)
    variant = chess960.FREE if position.chess960 else chess960.STANDARD
    yield from queries.ranks(Game.new(Setup(fen=position.fen, variant=variant)))
    yield Message.of("reconcile_fen", fen=position.fen)
    for record in (one, two):
        yield _clocks(record, count, start)
    if verdict.parts:
        for record, has in zip((one, two), verdict.parts, strict=True):
            yield _has(record.name, has, position)
        yield Message.of("reconcile_law")


def _clocks(record: _Record, plies: int, start: Position) -> Message:
    left = clocks(record.moves, plies, start.turn)
    if len(left) < len(COLOURS):
        return Message.of("reconcile_no_clocks", file=record.name)
    times = {colour: Duration(left[colour]) for colour in COLOURS}
    return Message.of("reconcile_clocks", file=record.name, **times)


def _has(name: str, has: Has, position: Position) -> Message:
    values = {"file": name, "colour": position.turn, "number": position.fullmove, "text": has.text}
    if has.reason:
        values["reason"] = has.reason
    return Message.of(_FAULTS[has.fault], **values)
