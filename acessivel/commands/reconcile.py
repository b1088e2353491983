# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel reconcile`: two records of a game -> where they diverge, in lines, aloud and in Braille."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from acessivel.app.patience import patiently
from acessivel.app.tell import tell
from acessivel.commands import new_game, played_game
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.given_position import position_of
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import is_number, load_game, stops
from acessivel.errors import UserError, cannot_read
from acessivel.game.game import Game, Setup
from acessivel.message import Duration, Message
from acessivel.queries import queries
from acessivel.records import readers, restart, scoresheets
from acessivel.records.braille_record import IllegalMoveError, RecordError
from acessivel.records.pgn import local_san
from acessivel.records.pgn_files import beginning, recorded
from acessivel.records.reconciliation import Has, Verdict, Written, clocks, compare
from acessivel.rules import chess960
from acessivel.rules.position import COLOURS, NULL_MOVE, Position
from acessivel.settings.settings import Settings
from braille.patterns import UnreadableError

_RECORDS = 2  # White's and Black's
_LONGEST = 1 << 20  # bytes of a scoresheet
# What is wrong with a record, the worst first.
_FAULTS = {
    "illegal": "reconcile_illegal",
    "unread": "reconcile_unread",
    "ambiguous": "reconcile_ambiguous",
    "ended": "reconcile_ends",
    "": "reconcile_has",
}


@dataclass(frozen=True, slots=True)
class _Record:
    """A record by its name, where its game begins (None: where the other's does), and its moves.

    `setup`: what was agreed for a game of the journal; `players`: the names of a file's White and Black.
    `damage`: where a damaged game of the journal stops.
    """

    name: str
    start: Position | None
    moves: tuple[Written, ...]
    setup: Setup | None = None
    players: tuple[str, str] = ("?", "?")
    damage: tuple[Message, ...] = ()


def run(options: argparse.Namespace) -> int:
    """Tell where the records diverge; with `--resume` continue the game from there.

    Raises UserError, with file and line, if a record cannot be read.
    """
    codes = options.code or [None]
    if len(codes) > _RECORDS:
        raise UserError(Message.of("reconcile_codes"))
    settings = device_settings_of(argparse.Namespace(**{**vars(options), "code": codes[0]}))
    with patiently(settings, aloud=True):
        one = _record(options.one, codes[0], options, settings)
        two = _record(options.two, codes[-1], options, settings)
        start = one.start or two.start or Position.start()
        if one.start and two.start and one.start.fen != two.start.fen:
            raise UserError(Message.of("reconcile_starts", one=one.name, two=two.name))
        _check_numbers(start, (one, two))
        verdict = compare(start, one.moves, two.moves, settings.language)
    told = (*one.damage, *two.damage, *_told(verdict, start, one, two))
    if options.resume:
        setup = _restarted(options, settings, start, verdict, (one, two))
        played_game.begin(setup, played_game.as_agreed(settings, setup), told)
    else:
        tell(told, settings, write_line)
    return 0


def _check_numbers(start: Position, records: tuple[_Record, _Record]) -> None:
    """Raise UserError if moves are missing before the first one; they may be numbered from 1 in any game."""
    for record in records:
        for move in record.moves[:1]:
            if move.number not in (0, 1, start.fullmove):
                why = scoresheets.out_of_order(move.line, move.number)
                raise UserError(Message.of("reconcile_file", file=record.name, reason=why))


def _restarted(
    options: argparse.Namespace,
    settings: Settings,
    start: Position,
    verdict: Verdict,
    records: tuple[_Record, _Record],
) -> Setup:
    """What is agreed for the game that continues; that of the journal, if one record is from there.

    A clock that is named counts all the same. Raises UserError if it cannot be read.
    """
    new_game.check_clock(settings)
    agreed = next((record.setup for record in records if record.setup), None)
    if agreed and options.clock is not None:
        agreed = replace(agreed, timing=replace(agreed.timing, clock=settings.clock))
    names = next((r.players for r in records if r.players != ("?", "?")), ("?", "?"))
    setup = agreed or Setup.of(
        language=settings.language,
        convention=settings.convention,
        clock=settings.clock,
        laws=settings.laws,
        fen=None if start == Position.start() else start.fen,
        variant=chess960.FREE if start.chess960 else chess960.STANDARD,
        white=names[0],
        black=names[1],
    )
    told = [clocks(record.moves, len(verdict.agreed), start.turn) for record in records]
    shown = next((times for times in told if len(times) == len(COLOURS)), {})
    return restart.restarted(
        setup,
        verdict.agreed,
        tuple(record.name for record in records),
        (options.white_time, options.black_time),
        tuple(shown[colour] for colour in COLOURS) if shown else (),
    )


def _record(source: str, code: str | None, options: argparse.Namespace, settings: Settings) -> _Record:
    if is_number(source):
        stored = load_game(settings, int(source))
        state = stored.state
        moves = (Written(move.fact.uci, 0, move.left_ms) for move in state.game.played)
        return _Record(source, state.game.start, tuple(moves), state.setup, damage=stops(stored))
    try:
        sheet = _scoresheet(Path(source))
        if sheet is not None:
            return _Record(source, None, scoresheets.moves(sheet))
        return _of_file(source, code, options, settings)
    except RecordError as error:
        raise UserError(Message.of("reconcile_file", file=source, reason=error.message)) from error
    except UnreadableError as error:
        raise UserError(readers.unreadable(error, source)) from error


def _of_file(source: str, code: str | None, options: argparse.Namespace, settings: Settings) -> _Record:
    """A record of PGN or Braille, up to an illegal move, if there is one. Raises as `from_file` does."""
    wrong: tuple[Written, ...] = ()
    try:
        games = readers.from_file(source, code, settings.language)
        game = readers.numbered(games, options.game, source, lone=True)[0].game
    except IllegalMoveError as error:
        if error.number != (options.game or error.number):
            raise
        game = error.game
        wrong = (Written(local_san(error.move, settings.language), error.line),)
    moves = recorded(game, variations=False)[1:]
    written = (Written("--" if move.uci == NULL_MOVE else move.uci, 0, move.left_ms) for move in moves)
    players = (game.headers.get("White", "?"), game.headers.get("Black", "?"))
    return _Record(source, position_of(*beginning(game)), (*written, *wrong), players=players)


def _scoresheet(path: Path) -> str | None:
    """The text of a .txt file that is not in Braille, else None. Raises UserError if it cannot be read."""
    if path.suffix.lower() != ".txt":
        return None
    try:
        with path.open("rb") as file:
            raw = file.read(_LONGEST)
    except OSError as error:
        raise cannot_read(error, str(path)) from error
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return None if any("\u2800" <= sign <= "\u28ff" for sign in text) else text


def _told(verdict: Verdict, start: Position, one: _Record, two: _Record) -> Iterator[Message]:
    """First what differs, then where: the last move and the position on which the records agree."""
    position, count = verdict.position, len(verdict.agreed)
    if verdict.parts is None:
        damaged = one.damage or two.damage
        yield Message.of("reconcile_same_so_far" if damaged else "reconcile_same", count=count)
        return
    yield from _parting((one, two), verdict.parts, position)
    if count:
        last = verdict.agreed[-1]
        yield Message.of("reconcile_until", colour=last.colour, number=last.number, move=last)
    else:
        yield Message.of("reconcile_nothing")
    if position.legal:
        yield Message.of("reconcile_position", colour=position.turn)
    else:
        yield Message.of("reconcile_position_over")
    variant = chess960.FREE if position.chess960 else chess960.STANDARD
    yield from queries.ranks(Game.new(Setup.of(fen=position.fen, variant=variant)))
    yield Message.of("reconcile_fen", fen=position.fen)
    for each in (one, two):
        yield _clocks(each, count, start)
    yield Message.of("reconcile_law")


def _parting(
    records: tuple[_Record, _Record], parts: tuple[Has, Has], position: Position
) -> Iterator[Message]:
    """In one sentence which move differs; or what is wrong with a record, the worst first, and the other."""
    one, two = records
    if not any(has.fault for has in parts):
        texts = {"one": one.name, "text": parts[0].text, "two": two.name, "other": parts[1].text}
        yield Message.of("reconcile_differ", colour=position.turn, number=position.fullmove, **texts)
        return
    both = zip(records, parts, strict=True)
    for record, has in sorted(both, key=lambda each: tuple(_FAULTS).index(each[1].fault)):
        yield _has(record.name, has, position)


def _clocks(record: _Record, plies: int, start: Position) -> Message:
    left = clocks(record.moves, plies, start.turn)
    if len(left) < len(COLOURS):
        return Message.of("reconcile_no_clocks", file=record.name)
    times = {colour: Duration.left(left[colour]) for colour in COLOURS}
    return Message.of("reconcile_clocks", file=record.name, **times)


def _has(name: str, has: Has, position: Position) -> Message:
    values = {"file": name, "colour": position.turn, "number": position.fullmove, "text": has.text}
    if has.reason:
        values["reason"] = has.reason
    return Message.of(_FAULTS[has.fault], **values)
