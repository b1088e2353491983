# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel record`: a game of the journal, or files of PGN or Braille -> PGN, text or Braille."""

from __future__ import annotations

import argparse
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from acessivel.app.patience import patiently
from acessivel.commands.output import opened_output
from acessivel.commands.run_settings import settings_of
from acessivel.commands.stored_games import is_number, load_game, stops
from acessivel.devices.installation import install
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.records import braille_record, pgn, readers
from acessivel.records.braille_record import Kept, RecordError
from acessivel.settings.settings import Settings
from acessivel.storage.stored_game import Stored
from braille import brf, pages, patterns, pef
from braille.liblouis import LiblouisMissingError
from braille.notation import Code, code_names, load_code
from braille.pages import Paragraph, Sheet
from braille.patterns import UnreadableError

_FORMS = {".txt": "text", ".brf": "brf", ".pef": "pef"}  # by the end of a file's name; PGN for any other
_PROGRESS = 1000  # games between two lines on standard error


def run(options: argparse.Namespace) -> int:
    """Write the record to `-o FILE` or standard output. Raises UserError if that cannot be done."""
    settings = settings_of(options)
    options.format = options.format or _FORMS.get(Path(options.output or "").suffix.lower(), "pgn")
    try:
        with opened_output(options.output) as file, patiently(settings, aloud=False):
            for block in _blocks(options, settings):
                file.write(block)
    except RecordError as error:
        raise UserError(error.message) from error
    except UnreadableError as error:
        raise UserError(readers.unreadable(error, options.source)) from error
    except LiblouisMissingError as error:
        raise UserError(Message.of("missing_liblouis", how=install("liblouis"))) from error
    return 0


def _blocks(options: argparse.Namespace, settings: Settings) -> Iterator[bytes]:
    """The bytes of the record, a game or a page at a time."""
    if is_number(options.source) and options.format in pgn.RECORDS:
        stored = _stored(options, settings)
        text = pgn.RECORDS[options.format](stored.state.setup, stored.state.game, stored.started)
        return iter([text.encode()])
    found = _games(options, settings)
    if not is_number(options.source):
        found = _counted(found, settings)
    if options.format == "pgn":
        return (pgn.export(kept.game).encode() for kept in found)
    if options.format == "text":
        return (pgn.scoresheet(kept.game, settings.language).encode() for kept in found)
    return _braille(options, settings, found)


def _braille(options: argparse.Namespace, settings: Settings, games: Iterator[Kept]) -> Iterator[bytes]:
    code = readers.code_of(options.code, settings.language)
    if options.format == "brf" and code.dots == 8:
        six = ", ".join(name for name in code_names() if load_code(name).dots == 6)
        raise UserError(Message.of("brf_needs_six", code=code.name, codes=six))
    sheet = _sheet(options)
    page = pef.page(sheet, code.dots) if options.format == "pef" else sheet
    paginated = pages.paginate(_paragraphs(games, code, options.diagram), page)
    match options.format:
        case "brf":
            return brf.write(paginated)
        case "pef":
            source = options.source if is_number(options.source) else str(Path(options.source).absolute())
            name = uuid.uuid5(uuid.NAMESPACE_URL, f"acessivel:{source}:{code.name}").urn
            title = Renderer(code.language).text(Message.of("record_title", source=Path(options.source).name))
            return pef.write(paginated, sheet, pef.About(name, title, code.language), code.dots)
    return patterns.write(paginated)


def _paragraphs(games: Iterator[Kept], code: Code, diagrams: frozenset[int]) -> Iterator[Paragraph | None]:
    """The records of the games. Raises UserError after the last if no game comes to one of the diagrams."""
    most = 0
    for number, kept in enumerate(games):
        if number:
            yield None
        if diagrams:
            most = max(most, sum(1 for _ in kept.game.mainline_moves()))
        yield from braille_record.paragraphs(kept, code, diagrams)
    if beyond := [ply for ply in sorted(diagrams) if ply > most]:
        raise UserError(Message.of("diagram_beyond", number=beyond[0], count=most))


def _sheet(options: argparse.Namespace) -> Sheet:
    named = pages.sheets()
    sheet = named[options.sheet or next(iter(named))]
    width = sheet.width if options.width is None else options.width
    lines = sheet.lines if options.lines is None else options.lines
    try:
        return Sheet(width, lines)
    except ValueError as error:
        values = {"width": width, "lines": lines, "least": pages.LEAST_WIDTH, "most": pages.MOST}
        raise UserError(Message.of("bad_sheet", **values)) from error


def _games(options: argparse.Namespace, settings: Settings) -> Iterator[Kept]:
    """The games of `options.source`: one of the journal, those of a file, of standard input, or copied."""
    if is_number(options.source):
        return readers.of_journal(_stored(options, settings))
    return readers.from_file(options.source, options.code, settings.language)


def _stored(options: argparse.Namespace, settings: Settings) -> Stored:
    """A game of the journal, in a language that is asked for, or else in its own.

    If it is damaged, standard error says where it stops.
    """
    stored = load_game(settings, int(options.source))
    if options.language:
        setup = replace(stored.state.setup, language=options.language)
        stored = replace(stored, state=replace(stored.state, setup=setup))
    for message in stops(stored):
        sys.stderr.write(Renderer(settings.language).text(message) + "\n")
    return stored


def _counted(games: Iterator[Kept], settings: Settings) -> Iterator[Kept]:
    """The games; reports their number on standard error from time to time."""
    renderer = Renderer(settings.language)
    for number, game in enumerate(games, start=1):
        yield game
        if number % _PROGRESS == 0:
            sys.stderr.write(renderer.text(Message.of("record_progress", count=number)) + "\n")
