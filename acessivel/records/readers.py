# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of the journal, or of a file of PGN or Braille, one at a time."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from acessivel.errors import UserError, cannot_read
from acessivel.message import Message
from acessivel.records import braille_record, pgn, pgn_files
from acessivel.records.braille_record import Kept, RecordError
from acessivel.records.pgn_input import INPUTS
from acessivel.storage.stored_game import Stored
from braille import brf, notation, pages, patterns, pef
from braille.notation import Code, code_names, load_code
from braille.patterns import UnreadableError
from voices.meaning import Called, CommandName

_READERS: Mapping[str, Callable[[BinaryIO], Iterator[tuple[int, str]]]] = {
    ".brf": brf.read,
    ".pef": pef.read,
    ".txt": patterns.read,
}
_UNREADABLE = {
    "character": "unreadable_character",
    "long": "unreadable_long",
    "xml": "unreadable_xml",
    "indent": "unreadable_indent",
}


def code_of(name: str | None, language: str) -> Code:
    """The Braille code of that name, or else the language's six-dot code, which every embosser knows.

    Raises UserError if the language has none.
    """
    if name not in (None, "auto"):
        return load_code(name)
    if code := notation.code_of(language, 6):
        return code
    six = ", ".join(name for name in code_names() if load_code(name).dots == 6)
    called = Called(CommandName.LANGUAGE, language)
    raise UserError(Message.of("no_six_dots", language=called, codes=six))


def of_journal(stored: Stored) -> Iterator[Kept]:
    """A game of the journal as the only one of its record."""
    game, setup = stored.state.game, stored.state.setup
    text = io.BytesIO(pgn.pgn(setup, game, stored.started).encode())
    reason = f"end_{game.result.reason}" if game.result else None
    return (Kept(kept, reason) for kept in pgn_files.games(text))


def numbered(
    found: Iterator[Kept], number: int | None, source: str, *, lone: bool = False
) -> tuple[Kept, bool]:
    """The game with a number, or else the first, and whether more could be meant. Raises UserError.

    `lone`: the only game of a file is taken, whatever its number.
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
        return True  # the file goes on after the games that were asked for


def unreadable(error: UnreadableError, source: str) -> Message:
    """What is wrong with a Braille file, and in which line."""
    return Message.of(_UNREADABLE[error.kind], file=source, line=error.line)


def from_file(source: str, code: str | None, language: str) -> Iterator[Kept]:
    """The games of a file of PGN, or of Braille in the code of that name (as of `code_of`).

    `source`: its path; "-" is PGN from standard input, "clipboard" from the clipboard. Raises RecordError,
    UnreadableError or UserError.
    """
    if source in INPUTS:
        yield from map(Kept, pgn_files.games(INPUTS[source]()))
        return
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
                yield from map(Kept, braille_record.games(found, code_of(code, language)))
    except OSError as error:
        raise cannot_read(error, source) from error
