# SPDX-License-Identifier: GPL-3.0-or-later
"""What can go wrong with the journal: errors whose reason tells the user why."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Literal

from acessivel.errors import reason
from acessivel.message import Message

_REASONS = {
    sqlite3.SQLITE_FULL: "reason_full",
    sqlite3.SQLITE_IOERR: "reason_full",
    sqlite3.SQLITE_BUSY: "reason_busy",
    sqlite3.SQLITE_LOCKED: "reason_busy",
    sqlite3.SQLITE_READONLY: "reason_read_only",
    sqlite3.SQLITE_CANTOPEN: "reason_read_only",
    sqlite3.SQLITE_PERM: "reason_read_only",
    sqlite3.SQLITE_NOTADB: "reason_damaged",
    sqlite3.SQLITE_CORRUPT: "reason_damaged",
}


class JournalError(Exception):
    """The journal cannot be opened, read or written; `reason` tells the user why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.key)
        self.reason = reason


class PlayedElsewhereError(JournalError):
    """Another program has continued the same game."""


class NoSuchGameError(JournalError):
    """No game has this number."""


@contextlib.contextmanager
def journal_errors(doing: Literal["reading", "writing"]) -> Iterator[None]:
    """Turn the errors of SQLite and of the system into a JournalError."""
    try:
        yield
    except sqlite3.Error as error:
        raise JournalError(Message.of(_REASONS.get(code_of(error), "reason_other"))) from error
    except UnicodeDecodeError as error:  # SQLite names a damaged part of the file by its bytes
        raise JournalError(Message.of("reason_damaged")) from error
    except OverflowError as error:
        raise NoSuchGameError(Message.of("no_game", id="?")) from error
    except OSError as error:
        raise JournalError(reason(error, doing)) from error


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 if there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
