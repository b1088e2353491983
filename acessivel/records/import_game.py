# SPDX-License-Identifier: GPL-3.0-or-later
"""`play --from FILE`: a game from PGN or a Braille record, or a position from EPD or FEN, continued here."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from acessivel.clock.time_control import ClockNotationError, TimeControl
from acessivel.errors import UserError, cannot_read
from acessivel.game.game import Beginning, Players, Setup
from acessivel.game.imported import Before
from acessivel.message import Message, Messages
from acessivel.records import pgn_files, readers
from acessivel.records.braille_record import Kept, RecordError
from acessivel.records.pgn import BRONSTEIN
from acessivel.records.pgn_input import INPUTS
from acessivel.rules import chess960
from acessivel.rules.position import BLACK, COLOURS, WHITE, BadFenError, Position, other
from acessivel.settings.settings import Settings
from braille.patterns import UnreadableError

_POSITIONS = (".epd", ".fen")
_RECORDS = (".pgn", ".brf", ".pef", ".txt")
_LONGEST = 1 << 12  # characters of a line: a longer one is no position
_UNKNOWN = ("", "?", "-", "????.??.??")
# Tags that the record writes itself, since their values can change, or that nothing is known of in the end.
_ANEW = frozenset({
    "White", "Black", "Result", "TimeControl", BRONSTEIN[0], "Termination", "FEN", "SetUp", "PlyCount",
    "ECO", "Opening", "Variation", "EndTime", "EndDate",
})  # fmt: skip
# One operation of EPD: its name, and its value with or without quotes.
_OPERATION = re.compile(r'\s*([A-Za-z]\w*)(?:\s+("[^"]*"|[^;"]*))?\s*;?')
_PERIOD = re.compile(r"(?:(\d{1,3})/)?(\d{1,5})(?:\+(\d{1,4})(d?))?", re.ASCII)
_AT = re.compile(r"(\d{1,4})(\.{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Imported:
    """What a file contains: where the game began, its events, its players; "" stands for no clock."""

    fen: str | None
    free: bool
    before: Before
    clock: str = ""
    players: tuple[str, str] = ("", "")


def continued(setup: Setup, settings: Settings, options: argparse.Namespace) -> Setup:
    """What is agreed for the game of a file. Raises UserError with one sentence if it cannot be continued.

    The clock is the requested one, else that of the file if it notes the times; of a file without a clock
    the times go on in the one that is agreed. The players of the file stay in the record if two people play
    on, with their titles and ratings.
    """
    if options.fen:
        raise UserError(Message.of("from_and_fen"))
    path, number = Path(options.origin), options.game or 1
    kind = path.suffix.lower()
    if kind in _POSITIONS:
        found = _position(path, number)
        if options.at:
            raise UserError(Message.of("from_at_position", file=str(path)))
    elif kind in _RECORDS or str(path) in INPUTS:
        given = TimeControl.parse(setup.timing.clock)
        found = _game(_nth(path, number, settings, options), options.at, number, given)
    else:
        raise UserError(Message.of("from_what", file=str(path), kinds=(*_RECORDS, *_POSITIONS)))
    goes_on = found.before.times and (options.clock is None or not found.clock)
    before = found.before if setup.opponent == "human" else _without_players(found.before)
    setup = replace(
        setup,
        beginning=Beginning(
            fen=found.fen,
            variant=chess960.FREE if found.free else chess960.STANDARD,
            before=before if goes_on else replace(before, times=()),
        ),
        timing=replace(setup.timing, clock=found.clock) if goes_on and found.clock else setup.timing,
    )
    if setup.opponent == "human":
        white, black = found.players
        setup = replace(setup, players=Players(white or setup.players.white, black or setup.players.black))
    return setup


def without_clock(setup: Setup, options: argparse.Namespace) -> Messages:
    """That the times of a file do not go on, if neither it nor an option says in which clock."""
    before = setup.beginning.before
    lost = before and before.left_ms and not before.times
    return (Message.of("from_no_control"),) if lost and options.clock is None else ()


def _without_players(before: Before) -> Before:
    """Without what the tags tell of players who do not go on: "WhiteElo", "BlackTitle"."""
    return replace(
        before, tags=tuple(tag for tag in before.tags if not tag[0].startswith(("White", "Black")))
    )


def _nth(path: Path, number: int, settings: Settings, options: argparse.Namespace) -> Kept:
    try:
        games = readers.from_file(str(path), options.code, settings.language)
        kept = next(islice(games, number - 1, None), None)
    except RecordError as error:
        raise UserError(Message.of("reconcile_file", file=str(path), reason=error.message)) from error
    except UnreadableError as error:
        raise UserError(readers.unreadable(error, str(path))) from error
    if kept is None:
        raise UserError(Message.of("from_no_game", file=str(path), number=number))
    return kept


def _game(kept: Kept, at: str | None, number: int, given: TimeControl | None) -> _Imported:
    """The game up to a move; its times go on in its own clock, or else in the one that is `given`."""
    game = kept.game
    board = game.board()
    fen, variant = pgn_files.beginning(game)
    start = _start(fen, number, variant)
    moves: list[str] = []
    left: list[int | None] = []
    if at is None and not pgn_files.is_whole(game):
        raise UserError(Message.of("from_cut", number=number))
    plies = None if at is None else _plies(at, start)
    for node in islice(game.mainline(), plies):
        if not node.move:
            passes = {"colour": COLOURS[not board.turn], "move": board.fullmove_number}
            raise UserError(Message.of("from_passes", number=number, **passes))
        moves.append(board.uci(node.move))
        clock = node.clock()
        left.append(None if clock is None else round(clock * 1000))
        board.push(node.move)
    if plies is not None and len(moves) < plies:
        raise UserError(Message.of("from_no_move", number=at, last=board.fullmove_number))
    bronstein = game.headers.get(BRONSTEIN[0]) == BRONSTEIN[1]
    own = _control(game.headers.get("TimeControl", ""), "b" if bronstein else "d")
    control = own or given
    noted = any(node.clock() is not None for node in game.mainline())  # before the move or after it
    times = _times(left, start.turn, control) if noted and control else ()
    tags = tuple((n, v) for n, v in game.headers.items() if n not in _ANEW and v not in _UNKNOWN)
    players = [game.headers.get(name, "?") for name in ("White", "Black")]
    white, black = ("" if player in _UNKNOWN else player for player in players)
    before = Before(tuple(moves), tuple(left) if noted else (), times, tags)
    return _Imported(fen, variant != chess960.STANDARD, before, str(own or ""), (white, black))


def _start(fen: str | None, number: int, variant: str = chess960.STANDARD) -> Position:
    try:
        return Position.start(fen, variant)
    except BadFenError as error:
        raise UserError(Message.of("from_bad_position", number=number, reasons=error.reasons)) from error


def _plies(at: str, start: Position) -> int:
    """How many half-moves come before the requested one: "23" is White's, "23..." Black's."""
    found = _AT.fullmatch(at)
    if not found:
        raise UserError(Message.of("from_bad_move", text=at))
    colour = BLACK if len(found[2]) > 1 else WHITE
    plies = 2 * (int(found[1]) - start.fullmove) + COLOURS.index(colour) - COLOURS.index(start.turn)
    if plies < 0:
        raise UserError(Message.of("from_no_move_yet", number=at, first=start.fullmove))
    return plies


def _times(left: list[int | None], first: str, control: TimeControl) -> tuple[int, ...]:
    """What both clocks show after the last move; a missing time is the time at the start."""
    shown = dict.fromkeys(COLOURS, control.main_at(1))
    for ply, ms in enumerate(left):
        if ms is not None:
            shown[first if ply % 2 == 0 else other(first)] = ms
    return tuple(shown[colour] for colour in COLOURS)


def _control(tag: str, delay: str) -> TimeControl | None:
    """PGN's TimeControl ("40/5400+30:1800+30", in seconds); None if the clock does not support it.

    `delay`: what a delay in it is, by its letter in our notation.
    """
    periods = [_PERIOD.fullmatch(period) for period in tag.split(":")]
    read = [found.groups() for found in periods if found]
    if len(read) < len(periods):
        return None
    notation = [f"{int(main) / 60:.6f}{f'/{moves}' if moves else ''}" for moves, main, _, _ in read]
    first = next((n for n, (_, _, extra, _) in enumerate(read) if extra and int(extra)), None)
    if first is not None:
        start = 1 + sum(int(moves or 0) for moves, _, _, _ in read[:first])
        notation.append(f"{read[first][2]}{delay if read[first][3] else 's'}@{start}")
    try:
        return TimeControl.parse("+".join(notation))
    except ClockNotationError:
        return None


def _position(path: Path, number: int) -> _Imported:
    """The position in a line of a file, not counting empty lines and those that begin with #."""
    line = next(islice(_lines(path), number - 1, None), None)
    if line is None:
        raise UserError(Message.of("from_no_game", file=str(path), number=number))
    fields = line.split(None, 4)
    rest = fields[4] if len(fields) > 4 else ""
    counters = re.match(r"(\d+)\s+(\d+)(?=[\s;]|$)", rest, re.ASCII)  # of a FEN; a note may follow
    rest = rest[counters.end() :] if counters else rest
    operations = {n: (v or "").strip(' "') for n, v in _OPERATION.findall(rest)}
    quiet, move = counters.groups() if counters else (operations.get("hmvc"), operations.get("fmvn"))
    fen = " ".join((*fields[:4], quiet or "0", move or "1"))
    start = _start(fen, number)
    tags = (("Event", operations["id"]),) if operations.get("id") else ()
    return _Imported(fen, start.chess960, Before(tags=tags))


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            while line := file.readline(_LONGEST):
                if line.strip() and not line.startswith("#"):
                    yield line.strip()
    except OSError as error:
        raise cannot_read(error, str(path)) from error
