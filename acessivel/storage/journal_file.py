# SPDX-License-Identifier: GPL-3.0-or-later
"""The SQLite file of the journal: recognised, brought up to date, and opened to write or only to read.

It has no write-ahead log, so that a copy of the one file has every entry. A transaction is on the disk when
it ends: with `journal_mode = TRUNCATE` and `synchronous = FULL` SQLite syncs the file, and then the end of
the rollback journal as well, so that neither a crash nor a power cut takes an entry away that was acted on.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from acessivel.message import Message
from acessivel.storage import chain, private_files
from acessivel.storage.chain import Entry
from acessivel.storage.journal_errors import JournalError, code_of

FILE_NAME = "games.sqlite3"
VERSION = 1
_APPLICATION = 0x61636573  # "aces"
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - for a private folder in it; room there when the disk is full
_BESIDE = ("", "-wal", "-journal")  # what else SQLite may need of a file that a crash left open
# Why SQLite could not read in place: it would have had to write (a log's index, a transaction's end).
_NEEDS_WRITING = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
)

_TABLES = {
    "game": """CREATE TABLE IF NOT EXISTS game (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        started TEXT NOT NULL,
        setup TEXT NOT NULL
    )""",
    "entry": """CREATE TABLE IF NOT EXISTS entry (
        game INTEGER NOT NULL REFERENCES game (id),
        number INTEGER NOT NULL,
        event TEXT NOT NULL,
        move TEXT,
        result TEXT,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID""",
}
_COLUMNS = {"game": {"id", "started", "setup"}, "entry": {"game", "number", "event", "move", "result"}}
_CHAIN = (
    "ALTER TABLE game ADD COLUMN origin BLOB",
    "ALTER TABLE game ADD COLUMN head BLOB",
    "ALTER TABLE game ADD COLUMN entries INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE entry ADD COLUMN link BLOB",
    "DROP TRIGGER IF EXISTS entry_stays",
    "DROP TRIGGER IF EXISTS entry_kept",
)
_TRIGGERS = (
    "CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'append only'); END",
    "CREATE TRIGGER entry_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'append only'); END",
)


def open_to_write(folder: Path) -> sqlite3.Connection:
    """Open or create the file in a folder, which is made if it is not there.

    Raises JournalError for a file of another program or a newer version, which stays untouched; sqlite3.Error
    or OSError if it cannot be written.
    """
    private_files.make_folder(folder)
    path = folder / FILE_NAME
    private_files.make_file(path)
    with _recognised(path):
        pass
    db = _connected(path, "rw")
    try:
        db.execute("PRAGMA journal_mode = TRUNCATE")
        db.execute("PRAGMA synchronous = FULL")
        _upgrade(db)
    except BaseException:
        db.close()
        raise
    private_files.restrict(path)
    return db


@contextlib.contextmanager
def open_to_read(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open the file in a folder without writing anything there; no file is one without games.

    Raises JournalError, sqlite3.Error or OSError, as `open_to_write` does.
    """
    path = folder / FILE_NAME
    if not path.exists():
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            _upgrade(db)
            yield db
        return
    with _recognised(path) as found:
        if _version(found) == VERSION:
            yield found
            return
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            found.backup(db)
            db.text_factory = found.text_factory
            _upgrade(db)
            yield db


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; on the disk when this ends."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    db.text_factory = lambda text: text.decode("utf-8", "replace")  # one damaged row spares the others
    return db


@contextlib.contextmanager
def _recognised(path: Path) -> Iterator[sqlite3.Connection]:
    """The file to read, if it is ours: in place, or else a copy of it with what lies beside it."""
    with contextlib.ExitStack() as stack:
        try:
            db = stack.enter_context(contextlib.closing(_connected(path, "ro")))
            _version(db)
        except sqlite3.Error as error:
            if code_of(error) not in _NEEDS_WRITING:
                raise
            db = stack.enter_context(_copied(path))
            _version(db)
        yield db


@contextlib.contextmanager
def _copied(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy for reading what cannot be read in place; nobody is writing then. Raises OSError."""
    within = _IN_MEMORY if _IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=within) as folder:
        for each in (path.with_name(path.name + ending) for ending in _BESIDE):
            if not each.name.endswith(_BESIDE[1:]) or each.exists():
                shutil.copyfile(each, Path(folder) / each.name)
        with contextlib.closing(_connected(Path(folder) / path.name, "rw")) as db:
            yield db


def _version(db: sqlite3.Connection) -> int:
    """The version of a journal; 0 for an empty file or one of the first programs, which had no number.

    Raises JournalError if it is newer, or no journal.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application == _APPLICATION:
        if version > VERSION:
            raise JournalError(Message.of("reason_newer"))
        return int(version)
    tables = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    first = all(
        {column[1] for column in db.execute(f"PRAGMA table_info({name})")} == _COLUMNS[name]
        if name in _COLUMNS
        else name == "sqlite_sequence"
        for (name,) in tables
    )
    if application or version or not first:
        raise JournalError(Message.of("reason_foreign", file=FILE_NAME))
    return 0


def _upgrade(db: sqlite3.Connection) -> None:
    """Bring a journal up to date, or make an empty file one."""
    if _version(db) == VERSION:
        return
    with transaction(db):
        if _version(db) == VERSION:  # another program was faster
            return
        for statement in (*_TABLES.values(), *_CHAIN):
            db.execute(statement)
        _link(db)
        for statement in _TRIGGERS:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(f"PRAGMA user_version = {VERSION}")


def _link(db: sqlite3.Connection) -> None:
    """Make the chains of games that have none."""
    for game, started, setup in db.execute("SELECT id, started, setup FROM game").fetchall():
        origin = chain.origin(started, setup)
        rows = db.execute(
            "SELECT number, event, move, result FROM entry WHERE game = ? ORDER BY number", (game,)
        ).fetchall()
        entries = chain.relinked(origin, (Entry._make((*row, b"")) for row in rows))
        db.executemany(
            "UPDATE entry SET link = ? WHERE game = ? AND number = ?",
            [(entry.link, game, entry.number) for entry in entries],
        )
        last = entries[-1] if entries else None
        db.execute(
            "UPDATE game SET origin = ?, head = ?, entries = ? WHERE id = ?",
            (origin, last.link if last else origin, last.number + 1 if last else 0, game),
        )
