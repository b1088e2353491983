# SPDX-License-Identifier: GPL-3.0-or-later
"""A hall of one computer: what its tables tell, in an SQLite file beside the games of the arbiter's desk."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from acessivel.clock.computer_sleep import EvenClock
from acessivel.hall import entries
from acessivel.hall.board import HallRecord
from acessivel.hall.store import (
    LONGEST_ENTRY,
    HallLostError,
    HallStore,
    KeyRefusedError,
    Proposal,
    PushedEntry,
    Seen,
    TableStore,
    Taken,
    read_proposal,
)
from acessivel.messages import wire
from acessivel.storage import private_files

FILE_NAME = "hall.sqlite3"
_APPLICATION = 0x61636568  # "aceh"
_GAME = re.compile(r"[0-9a-f.]{1,40}", re.ASCII)
_BEHIND = "SELECT number, entry FROM entries WHERE table_no = ? AND game = ? AND number >= ?"
# In no hall does a proposal have the number of another, not even after its file was put back or made anew.
_PROPOSE = """
INSERT INTO proposals (id, table_no, proposal, key)
SELECT max(coalesce(max(id), 0) + 1, ?), ?, ?, nullif(?, '') FROM proposals
"""
# The computer's clock may be behind the one by which the file was written: what is new is always the newest.
_NEWEST = """
SELECT coalesce(max(ms), 0) FROM (
    SELECT max(at_ms) AS ms FROM entries UNION SELECT max(id) FROM proposals UNION SELECT max(at_ms) FROM seen
    UNION SELECT max(at_ms) FROM taken UNION SELECT max(at_ms) FROM present
)
"""
# What brings the file from each version to the next.
_MIGRATIONS = (
    """
    CREATE TABLE entries (
        table_no INTEGER NOT NULL, game TEXT NOT NULL, number INTEGER NOT NULL, at_ms INTEGER NOT NULL,
        entry TEXT NOT NULL, PRIMARY KEY (table_no, game, number)
    ) WITHOUT ROWID;
    CREATE TABLE games (
        table_no INTEGER NOT NULL, game TEXT NOT NULL, known INTEGER NOT NULL, PRIMARY KEY (table_no, game)
    ) WITHOUT ROWID;
    CREATE TABLE proposals (
        id INTEGER PRIMARY KEY AUTOINCREMENT, table_no INTEGER NOT NULL, proposal TEXT NOT NULL
    );
    CREATE TABLE seen (table_no INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, leaves INTEGER NOT NULL);
    CREATE TABLE taken (item TEXT PRIMARY KEY, by TEXT NOT NULL, at_ms INTEGER NOT NULL);
    CREATE TABLE present (by TEXT PRIMARY KEY, at_ms INTEGER NOT NULL);
    CREATE TABLE keys (table_no INTEGER PRIMARY KEY, hash BLOB NOT NULL);
    CREATE TRIGGER entry_stays BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'append only'); END;
    CREATE TRIGGER entry_kept BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'append only'); END;
    CREATE TRIGGER proposal_kept BEFORE DELETE ON proposals BEGIN SELECT RAISE(ABORT, 'append only'); END;
    """,
    """
    ALTER TABLE proposals ADD COLUMN key TEXT;
    CREATE UNIQUE INDEX proposed_once ON proposals (key);
    """,
)


class SqliteHall(HallStore):
    """The hall's file; its calls can come from every thread."""

    def __init__(self, folder: Path, clock: Callable[[], float] | None = None) -> None:
        """Open or create the file in a folder. Raises HallLostError if it cannot be."""
        self._clock = EvenClock(clock)
        self._ahead_ms = 0
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._changes = 0
        self._seen_change = 0
        self._closed = False
        self.proposing: list[Callable[[int], None]] = []  # told of each table to which something is proposed
        private_files.make_folder(folder)
        private_files.make_file(folder / FILE_NAME)
        with _lost():
            self._db = sqlite3.connect(folder / FILE_NAME, isolation_level=None, check_same_thread=False)
            self._upgrade()
            (newest_ms,) = self._db.execute(_NEWEST).fetchone()
        self._ahead_ms = max(0, newest_ms - self.now_ms())

    def _upgrade(self) -> None:
        db = self._db
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if application not in (0, _APPLICATION) or version > len(_MIGRATIONS):
            raise HallLostError(FILE_NAME)
        for number, step in enumerate(_MIGRATIONS[version:], version + 1):
            marks = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {number};"
            db.executescript(f"BEGIN IMMEDIATE; {step} {marks} COMMIT;")

    # The tables' side

    def table(self, table: int, key: str) -> SqliteTable:
        """The hall as the table with this key reaches it. Raises KeyRefusedError if the key is not good."""
        self.check(table, key)
        return SqliteTable(self, table, key)

    def check(self, table: int, key: str) -> None:
        """Raise KeyRefusedError if this is not the key of the table."""
        found = self._all("SELECT hash FROM keys WHERE table_no = ?", table)
        if not found or not hmac.compare_digest(found[0][0], _hash(key)):
            raise KeyRefusedError(table)

    def append(self, table: int, game: str, pushed: Sequence[PushedEntry]) -> int:
        """As of `TableStore.append`. Raises ValueError for what no table of ours sends."""
        if not _GAME.fullmatch(game) or any(len(one.text) > LONGEST_ENTRY for one in pushed):
            raise ValueError(game)
        with self._written() as db:
            found = db.execute(
                "SELECT known FROM games WHERE table_no = ? AND game = ?", (table, game)
            ).fetchone()
            known: int = found[0] if found else 0
            there = dict(db.execute(_BEHIND, (table, game, pushed[0].number if pushed else known)))
            for one in pushed:
                if there.get(one.number, one.text) != one.text:
                    return one.number
            for one in pushed:
                if one.number == known:
                    now_ms = self.now_ms()
                    at = now_ms - min(max(0, one.ago_ms), now_ms)
                    db.execute(
                        "INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (table, game, known, at, one.text)
                    )
                    known += 1
            db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", (table, game, known))
        return known

    def alive(self, table: int, *, leaves: bool) -> None:
        """As of `TableStore.alive`."""
        with self._written(news=leaves) as db:
            db.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", (table, self.now_ms(), leaves))

    def proposals(self, table: int, game: str, after: int) -> tuple[Proposal, ...]:
        """As of `TableStore.proposals`."""
        asked = "SELECT id, proposal FROM proposals WHERE id > ? AND table_no = ? ORDER BY id"
        found = [read_proposal(row, self.now_ms()) for row in self._all(asked, after, table)]
        return tuple(one for one in found if one.game == game)

    # The desk's side

    def since(self, cursor: Mapping[tuple[int, str], int]) -> tuple[HallRecord, ...]:
        """As of `HallStore.since`."""
        found: list[HallRecord] = []
        for table, game, known in self._all(
            "SELECT table_no, game, known FROM games ORDER BY table_no, game"
        ):
            if (first := cursor.get((table, game), 0)) < known:
                asked = (
                    "SELECT number, at_ms, entry FROM entries"
                    " WHERE table_no = ? AND game = ? AND number >= ? ORDER BY number"
                )
                rows = self._all(asked, table, game, first)
                found += (HallRecord(table, game, n, at, entries.read(text)) for n, at, text in rows)
        return tuple(found)

    def wait(self, timeout_s: float) -> None:
        """As of `HallStore.wait`."""
        with self._news:
            self._news.wait_for(lambda: self._closed or self._changes != self._seen_change, timeout_s)
            self._seen_change = self._changes

    def seen(self) -> Mapping[int, Seen]:
        """As of `HallStore.seen`; while it was closed, or slept, no table could be seen: no table's doing."""
        self.now_ms()  # which finds out whether it has slept
        since_ms = round(self._clock.woke_s * 1000) + self._ahead_ms
        rows = self._all("SELECT * FROM seen")
        return {n: Seen(at if left else max(at, since_ms), bool(left)) for n, at, left in rows}

    def now_ms(self) -> int:
        """As of `HallStore.now_ms`."""
        return round(self._clock() * 1000) + self._ahead_ms

    def propose(self, proposal: Proposal, *, key: str = "") -> int:
        """As of `HallStore.propose`."""
        text = wire.to_json(proposal)
        with self._written() as db:
            there = db.execute("SELECT id FROM proposals WHERE key = ?", (key,)).fetchone()
            number = (
                there[0]
                if there
                else db.execute(_PROPOSE, (self.now_ms(), proposal.table, text, key)).lastrowid
            )
        for tell in tuple(self.proposing):
            tell(proposal.table)
        return int(number or 0)

    def take(self, item: str, by: str) -> Taken:
        """As of `HallStore.take`."""
        with self._written() as db:
            db.execute("INSERT OR IGNORE INTO taken VALUES (?, ?, ?)", (item, by, self.now_ms()))
            (found,) = db.execute("SELECT item, by, at_ms FROM taken WHERE item = ?", (item,))
        return Taken(*found)

    def release(self, item: str, by: str) -> None:
        """As of `HallStore.release`."""
        with self._written() as db:
            db.execute("DELETE FROM taken WHERE item = ? AND by = ?", (item, by))

    def taken(self) -> tuple[Taken, ...]:
        """As of `HallStore.taken`."""
        return tuple(
            Taken(*row) for row in self._all("SELECT item, by, at_ms FROM taken ORDER BY at_ms, item")
        )

    def present(self, by: str) -> Mapping[str, int]:
        """As of `HallStore.present`."""
        with self._written(news=False) as db:
            db.execute("INSERT OR REPLACE INTO present VALUES (?, ?)", (by, self.now_ms()))
        return dict(self._all("SELECT by, at_ms FROM present"))

    def make_key(self, table: int) -> str:
        """As of `HallStore.make_key`."""
        key = secrets.token_urlsafe(24)
        with self._written() as db:
            db.execute("INSERT OR REPLACE INTO keys VALUES (?, ?)", (table, _hash(key)))
        return key

    def revoke_key(self, table: int) -> None:
        """As of `HallStore.revoke_key`."""
        with self._written() as db:
            db.execute("DELETE FROM keys WHERE table_no = ?", (table,))

    def keys(self) -> Collection[int]:
        """As of `HallStore.keys`."""
        return [table for (table,) in self._all("SELECT table_no FROM keys ORDER BY table_no")]

    def close(self) -> None:
        """As of `HallStore.close`."""
        with self._news:
            self._closed = True
            self._news.notify_all()
            self._db.close()

    # The file

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, _lost():
            return self._db.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def _written(self, *, news: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction; then whoever waits for `news` is told."""
        with self._lock, _lost():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            if news:
                self._changes += 1
                self._news.notify_all()


class SqliteTable(TableStore):
    """A table at the computer of the hall itself."""

    def __init__(self, hall: SqliteHall, table: int, key: str) -> None:
        self._hall, self._table, self._key = hall, table, key
        self._news = threading.Event()
        hall.proposing.append(self._proposed)

    def append(self, game: str, pushed: Sequence[PushedEntry]) -> int:
        """As of `TableStore.append`."""
        self._hall.check(self._table, self._key)
        return self._hall.append(self._table, game, pushed)

    def alive(self, *, leaves: bool = False) -> None:
        """As of `TableStore.alive`."""
        self._hall.check(self._table, self._key)
        self._hall.alive(self._table, leaves=leaves)

    def proposals(self, game: str, after: int) -> tuple[Proposal, ...]:
        """As of `TableStore.proposals`."""
        self._hall.check(self._table, self._key)
        return self._hall.proposals(self._table, game, after)

    def wait(self, game: str, after: int, timeout_s: float) -> None:  # noqa: ARG002  # whatever is new
        """As of `TableStore.wait`."""
        self._news.wait(timeout_s)
        self._news.clear()

    def wake(self) -> None:
        """As of `TableStore.wake`."""
        self._news.set()

    def close(self) -> None:
        """As of `TableStore.close`."""
        self._hall.proposing.remove(self._proposed)

    def _proposed(self, table: int) -> None:
        if table == self._table:
            self._news.set()


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()  # of a key that is long and random


@contextlib.contextmanager
def _lost() -> Iterator[None]:
    """Raise HallLostError in place of an error of SQLite."""
    try:
        yield
    except sqlite3.Error as error:
        raise HallLostError(str(error)) from error
