# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel record`: a game of the journal, or files of PGN or Braille -> PGN, text or Braille."""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from acessivel.commands.options import UserError
from acessivel.devices.devices import install
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.records import braille_record, pgn, pgn_files
from acessivel.records.braille_record import Kept, RecordError
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Stored
from braille import brf, pages, patterns, pef
from braille.liblouis import LiblouisMissingError
from braille.notation import Code, code_names, load_code
from braille.pages import Paragraph, Sheet
from braille.patterns import UnreadableError

_PROGRESS = 1000  # games between two lines on standard error
_READERS: Mapping[str, Callable[[BinaryIO], Iterator[tuple[int, str]]]] = {
    ".brf": brf.read,
    ".pef": pef.read,
    ".txt": patterns.read,
}
_WRITING_REASONS = {
    errno.ENOSPC: "reason_full",
    errno.EDQUOT: "reason_full",
    errno.EACCES: "reason_read_only",
    errno.EPERM: "reason_read_only",
    errno.EROFS: "reason_read_only",
    errno.EISDIR: "reason_folder",
    errno.ENOENT: "reason_no_folder",
    errno.ENOTDIR: "reason_no_folder",
}
_READING_REASONS = {
    errno.EACCES: "reason_not_allowed",
    errno.EISDIR: "reason_folder",
    errno.ENOENT: "reason_not_there",
    errno.ENOTDIR: "reason_not_there",
}
_UNREADABLE = {
    "character": "unreadable_character",
    "long": "unreadable_long",
    "xml": "unreadable_xml",
    "indent": "unreadable_indent",
}


def run(options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored]) -> int:
    """Write the record to `-o FILE` or standard output; UserError says what cannot be read or written."""
    try:
        with output(options.output) as file:
            for block in _blocks(options, settings, load):
                file.write(block)
    except RecordError as error:
        raise UserError(error.message) from error
    except UnreadableError as error:
        raise UserError(unreadable(error, options.source)) from error
    except LiblouisMissingError as error:
        raise UserError(Message.of("missing_liblouis", how=install("liblouis"))) from error
    return 0


def _blocks(
    options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored]
) -> Iterator[bytes]:
    """The bytes of the record, a game or a page at a time."""
    if options.source.isdecimal() and options.format in pgn.RECORDS:
        stored = load(int(options.source))
        text = pgn.RECORDS[options.format](stored.state.setup, stored.state.game, stored.started)
        return iter([text.encode()])
    found = games(options, settings, load)
    if not options.source.isdecimal():
        found = _counted(found, settings)
    if options.format == "pgn":
        return (f"{pgn.export(kept.game)}\n\n".encode() for kept in found)
    if options.format == "text":
        return (pgn.scoresheet(kept.game, settings.language).encode() for kept in found)
    return _braille(options, settings, found)


def _braille(options: argparse.Namespace, settings: Settings, games: Iterator[Kept]) -> Iterator[bytes]:
    code = _code(options, settings)
    if options.format == "brf" and code.dots == 8:
        six = ", ".join(name for name in code_names() if load_code(name).dots == 6)
        raise UserError(Message.of("brf_needs_six", code=code.name, codes=six))
    sheet = _sheet(options)
    paginated = pages.paginate(_paragraphs(games, code, options.diagram), sheet)
    match options.format:
        case "brf":
            return brf.write(paginated)
        case "pef":
            source = options.source if options.source.isdecimal() else str(Path(options.source).absolute())
            name = uuid.uuid5(uuid.NAMESPACE_URL, f"acessivel:{source}:{code.name}").urn
            title = Renderer(code.language).text(Message.of("record_title", source=Path(options.source).name))
            return pef.write(paginated, sheet, pef.About(name, title, code.language), code.dots)
    return patterns.write(paginated)


def _paragraphs(games: Iterator[Kept], code: Code, diagrams: frozenset[int]) -> Iterator[Paragraph | None]:
    for number, kept in enumerate(games):
        if number:
            yield None
        yield from braille_record.paragraphs(kept, code, diagrams)


def _code(options: argparse.Namespace, settings: Settings) -> Code:
    """The code that was asked for, or else the six-dot one of the language, which every embosser knows."""
    if options.code not in (None, "auto"):
        return load_code(options.code)
    return next(
        code for code in map(load_code, code_names()) if (code.language, code.dots) == (settings.language, 6)
    )


def _sheet(options: argparse.Namespace) -> Sheet:
    named = pages.sheets()
    sheet = named[options.sheet or next(iter(named))]
    width, lines = options.width or sheet.width, options.lines or sheet.lines
    try:
        return Sheet(width, lines)
    except ValueError as error:
        values = {"width": width, "lines": lines, "least": pages.LEAST_WIDTH, "most": pages.MOST}
        raise UserError(Message.of("bad_sheet", **values)) from error


def games(options: argparse.Namespace, settings: Settings, load: Callable[[int], Stored]) -> Iterator[Kept]:
    """The games of `options.source`: one of the journal, or those of a file; errors as of `from_file`."""
    if options.source.isdecimal():
        return of_journal(load(int(options.source)))
    return from_file(options.source, options, settings)


def of_journal(stored: Stored) -> Iterator[Kept]:
    """A game of the journal as the only one of its record."""
    game, setup = stored.state.game, stored.state.setup
    text = io.BytesIO(pgn.pgn(setup, game, stored.started).encode())
    reason = f"end_{game.result.reason}" if game.result else None
    return (Kept(kept, reason) for kept in pgn_files.games(text))


def numbered(
    found: Iterator[Kept], number: int | None, source: str, *, lone: bool = False
) -> tuple[Kept, bool]:
    """The game of that number, else the first, and whether there are more that could be meant; UserError.

    `lone`: the only game of a file is the one, whatever its number.
    """
    count, kept = 0, None
    for count, kept in enumerate(found, 1):
        if count == (number or 1):
            return kept, number is None and _goes_on(found)
    if kept and count == 1 and lone:
        return kept, False
    raise UserError(Message.of("replay_no_game", file=source, count=count))


def _goes_on(found: Iterator[Kept]) -> bool:
    try:
        return next(found, None) is not None
    except (RecordError, UnreadableError):
        return True  # something follows, which nobody has asked for


def unreadable(error: UnreadableError, source: str) -> Message:
    """What is wrong with a Braille file, and in which line."""
    return Message.of(_UNREADABLE[error.kind], file=source, line=error.line)


def cannot_read(error: OSError, source: str) -> Message:
    """Why a file cannot be read."""
    reason = Message.of(_READING_REASONS.get(error.errno or 0, "reason_other"))
    return Message.of("cannot_read", file=source, reason=reason)


def from_file(source: str, options: argparse.Namespace, settings: Settings) -> Iterator[Kept]:
    """The games of a file of PGN or Braille (in `options.code`); RecordError, UnreadableError, UserError."""
    path = Path(source)
    kind = path.suffix.lower()
    if kind not in (".pgn", *_READERS):
        raise UserError(Message.of("record_what", source=source))
    try:
        with path.open("rb") as file:
            if kind == ".pgn":
                yield from map(Kept, pgn_files.games(file))
            else:
                found = pages.paragraphs(_READERS[kind](file))
                yield from map(Kept, braille_record.games(found, _code(options, settings)))
    except OSError as error:
        raise UserError(cannot_read(error, source)) from error


def _counted(games: Iterator[Kept], settings: Settings) -> Iterator[Kept]:
    """The games; how many there were is told on standard error from time to time."""
    renderer = Renderer(settings.language)
    for number, game in enumerate(games, start=1):
        yield game
        if number % _PROGRESS == 0:
            sys.stderr.write(renderer.text(Message.of("record_progress", count=number)) + "\n")


@contextlib.contextmanager
def output(path: Path | None) -> Iterator[BinaryIO]:
    """Where to write: standard output, or a file that is there only when all of it is.

    A device or a pipe is written to as it is; another file takes its name when it is whole.
    """
    if path is None:
        with _standard_output() as file:
            yield file
        return
    whole = not path.exists() or path.is_file()
    written = path.resolve().with_name(f".{path.name}.{os.getpid()}.part") if whole else path
    try:
        with written.open("xb" if whole else "wb") as file:
            yield file
            if whole:
                file.flush()
                os.fsync(file.fileno())
        if whole:
            written.replace(path.resolve())
    except OSError as error:
        reason = Message.of(_WRITING_REASONS.get(error.errno or 0, "reason_other"))
        raise UserError(Message.of("cannot_write", file=str(path), reason=reason)) from error
    finally:
        if whole:
            written.unlink(missing_ok=True)


@contextlib.contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # what is left cannot be written either
        reason = Message.of(_WRITING_REASONS.get(error.errno or 0, "reason_other"))
        raise UserError(Message.of("cannot_write", file="-", reason=reason)) from error
