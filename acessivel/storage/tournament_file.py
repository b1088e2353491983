# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament's file on disk: read in UTF-8 or as Windows writes it, and written whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from acessivel.errors import UserError, cannot_read, cannot_write
from acessivel.message import Message
from acessivel.tournaments import trf
from acessivel.tournaments.tournament import Tournament, TrfError

_LARGEST = 10_000_000  # bytes; ten thousand players with twenty rounds have a third of it


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament with the path and the encoding of its file, and what stood there when it was read."""

    event: Tournament
    path: Path
    encoding: str = "utf-8"
    read: bytes | None = None


def load(path: Path) -> StoredTournament:
    """The tournament of a file. Raises UserError if it cannot be read, or has a mistake."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise cannot_read(error, str(path)) from error
    if len(data) > _LARGEST:
        raise UserError(Message.of("event_too_long", file=str(path)))
    encoding = _encoding(data)
    try:
        return StoredTournament(trf.read(data.decode(encoding)), path, encoding, data)
    except TrfError as error:
        raise bad_line(path, error) from error


def _encoding(data: bytes) -> str:
    """UTF-8, or what programs for Windows write; in Latin-1 every byte is a letter, so that none is lost."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    for encoding in ("utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            data.decode(encoding)
            return encoding
    return "latin-1"


def bad_line(path: Path, error: TrfError) -> UserError:
    """Say which line of a file is wrong, and why."""
    why = Message.of(error.key, **error.values)
    return UserError(Message.of("event_bad_line", file=str(path), line=error.line, reason=why))


def save(stored: StoredTournament) -> None:
    """Write a tournament's file; whoever reads it finds the old one or the new one.

    Raises UserError; also if another program has written to it since it was read.
    """
    path = stored.path.resolve()
    new = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        data = stored.event.text.encode(stored.encoding)
    except UnicodeEncodeError:
        data = stored.event.text.encode()
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if stored.read is not None and path.read_bytes() != stored.read:
            raise UserError(Message.of("event_changed", file=str(stored.path)))
        new.replace(path)
    except OSError as error:
        raise cannot_write(error, stored.path) from error
    finally:
        new.unlink(missing_ok=True)
