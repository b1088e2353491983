# SPDX-License-Identifier: GPL-3.0-or-later
"""A hall in PostgreSQL: as its arbiters reach it, and as a table does.

The tables are the truth: NOTIFY only wakes who waits. psycopg never connects anew by itself, and waits for
ever on a server that hangs; here a lost connection is made again with the next call, and one that does not
answer is cut.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import select
import socket
import ssl
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from acessivel.hall import entries
from acessivel.hall.board import HallRecord
from acessivel.hall.key_file import TableKey
from acessivel.hall.store import (
    HallLostError,
    HallStore,
    KeyRefusedError,
    NotKeptError,
    Proposal,
    PushedEntry,
    Seen,
    TableStore,
    Taken,
    read_proposal,
)
from acessivel.messages import wire

CONNECT_S = 5
_ANSWER_S = 10.0  # for a call: after that the connection is cut
_LONGEST_AGO_MS = 10**12  # that the database takes: the clock of a table may be decades wrong
_PROPOSING = 0x61636568  # the lock of those who propose
_INSERT = """
INSERT INTO hall.entries (table_no, game, number, entry, ago_ms)
SELECT %s, %s, * FROM unnest(%s::int[], %s::jsonb[], %s::bigint[]) ON CONFLICT DO NOTHING
"""
_OTHERS = """
SELECT p.number FROM unnest(%s::int[], %s::jsonb[]) AS p (number, entry) JOIN hall.entries AS e
ON (e.table_no, e.game, e.number) = (%s, %s, p.number) AND e.entry <> p.entry ORDER BY p.number
"""
# In no hall does a proposal have the number of another, not even after it was put back or made anew.
_PROPOSE = """
INSERT INTO hall.proposals (id, table_no, game, proposal, key)
SELECT greatest(coalesce(max(id), 0) + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint), %s, %s, %s,
nullif(%s, '') FROM hall.proposals RETURNING id
"""
_PROPOSALS = """
SELECT id, proposal::text, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM hall.proposals
WHERE table_no = %s AND game = %s AND id > %s ORDER BY id
"""
_SINCE = """
SELECT e.table_no, e.game, e.number, (extract(epoch FROM e.at) * 1000)::bigint - e.ago_ms, e.entry::text
FROM hall.games AS g
LEFT JOIN unnest(%s::int[], %s::text[], %s::int[]) AS c (table_no, game, known) USING (table_no, game)
JOIN hall.entries AS e ON (e.table_no, e.game) = (g.table_no, g.game) AND e.number >= coalesce(c.known, 0)
WHERE g.known > coalesce(c.known, 0)
ORDER BY e.table_no, e.game, e.number
"""
_TAKE = "INSERT INTO hall.taken (item, by) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_TAKEN = "SELECT item, by, (extract(epoch FROM at) * 1000)::bigint FROM hall.taken"
_PRESENT = """
INSERT INTO hall.present (by) VALUES (%s) ON CONFLICT (by) DO UPDATE SET at = clock_timestamp()
"""
# Errors that no new connection mends: the key is wrong or revoked, or this is not what it is for.
_REFUSED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidAuthorizationSpecification)
_NOT_KEPT = (psycopg.DataError, psycopg.IntegrityError)  # the server has answered so
_REFUSED_TEXT = re.compile("password authentication failed|not permitted to log in|no pg_hba.conf entry")


def plain(error: psycopg.Error) -> Exception:
    """An error of the server as one of `store`."""
    if isinstance(error, _REFUSED) or _REFUSED_TEXT.search(str(error)):
        return KeyRefusedError(str(error))
    return (NotKeptError if isinstance(error, _NOT_KEPT) else HallLostError)(str(error))


class _Reconnecting:
    """A connection that is made when it is needed, and again when it was lost; its calls come one by one."""

    def __init__(self, dsn: str, *channels: str) -> None:
        self._dsn, self._channels = dsn, channels
        self._lock = threading.Lock()
        self._open: psycopg.Connection[Any] | None = None
        self._woken, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query. Raises as of `store`."""
        with self._lock, self._used() as connection:
            cursor = connection.execute(query, values)
            return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def transaction(self) -> Iterator[psycopg.Connection[Any]]:
        """Some queries that hold together. Raises as of `store`."""
        with self._lock, self._used() as connection, connection.transaction():
            yield connection

    def encrypted(self, password: str, role: str) -> str:
        """What proves a password to the server, without telling it."""
        with self._lock, self._used() as connection:
            proof = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
            return proof.decode()

    def wait(self, timeout_s: float) -> None:
        """Return at a notification, after so many seconds, or at a `wake`."""
        with self._lock:
            with self._used() as connection:
                if any(True for _ in connection.notifies(timeout=0)):
                    return
            server, woken = connection.fileno(), self._woken.fileno()
            ready, _, _ = select.select([server, woken], [], [], timeout_s)
            if woken in ready:
                self._woken.recv(1 << 12)
            if server in ready:
                with self._used() as connection:
                    any(True for _ in connection.notifies(timeout=0))

    def wake(self) -> None:
        """Let `wait` return."""
        with contextlib.suppress(OSError):  # it is full, or closed
            self._wakes.send(b".")

    def close(self) -> None:
        """Close it for good."""
        self.wake()
        with self._lock:
            if self._open:
                self._open.close()
            self._woken.close()
            self._wakes.close()

    @contextlib.contextmanager
    def _used(self) -> Iterator[psycopg.Connection[Any]]:
        try:
            connection = self._open or self._connected()
            with _cut_when_it_hangs(connection):
                yield connection
        except psycopg.Error as error:
            if self._open and self._open.broken:
                self._open.close()
                self._open = None
            raise plain(error) from error

    def _connected(self) -> psycopg.Connection[Any]:
        self._open = psycopg.connect(
            self._dsn, autocommit=True, connect_timeout=CONNECT_S, application_name="acessivel"
        )
        for channel in self._channels:
            self._open.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        return self._open


@contextlib.contextmanager
def _cut_when_it_hangs(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """End the connection from our side if what is asked of it takes too long: libpq itself waits for ever."""
    ours = socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)

    def cut() -> None:
        with contextlib.suppress(OSError):  # it is closed
            ours.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(_ANSWER_S, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        ours.close()


def table_dsn(address: str, key: TableKey, path: Path) -> str:
    """How the table of a key reaches a hall at "postgresql://HOST:PORT/NAME"; `path`: where the key is.

    The server is known by the certificate in the key's file, or by its name and a known authority. Raises
    ValueError for another address.
    """
    try:
        name = psycopg.conninfo.conninfo_to_dict(address).get("dbname")
        if not name:
            raise ValueError(address)
        known = (
            {"sslmode": "verify-ca", "sslrootcert": str(path.absolute())}
            if key.certificate
            else {"sslmode": "verify-full", "sslrootcert": ssl.get_default_verify_paths().cafile}
        )
        return psycopg.conninfo.make_conninfo(
            address,
            user=f"{name}_table_{key.table}",
            password=key.key,
            channel_binding="require",
            **known,
        )
    except psycopg.ProgrammingError as error:
        raise ValueError(address) from error


def desk_dsn(address: str) -> str:
    """How a desk reaches a hall: an address that says nothing of TLS is not taken for one without it.

    A server elsewhere must prove then that it knows the password, and over this very connection: nobody who
    stands between them can. Raises ValueError if it is no address.
    """
    try:
        given = psycopg.conninfo.conninfo_to_dict(address)
        here = str(given.get("host") or "/").startswith("/")
        if here or given.keys() & {"sslmode", "channel_binding"}:
            return address
        return psycopg.conninfo.make_conninfo(address, channel_binding="require")
    except psycopg.ProgrammingError as error:
        raise ValueError(address) from error


class PostgresTable(TableStore):
    """The hall as a table reaches it: `dsn` names its role and its key."""

    def __init__(self, dsn: str, table: int) -> None:
        self._table = table
        self._connection = _Reconnecting(dsn, f"hall_{table}")

    def append(self, game: str, pushed: Sequence[PushedEntry]) -> int:
        """As of `TableStore.append`."""
        known = "SELECT coalesce(max(known), 0) FROM hall.games WHERE table_no = %s AND game = %s"
        with self._connection.transaction() as connection:
            (has,) = connection.execute(known, (self._table, game)).fetchone() or (0,)
            if not pushed or pushed[0].number > has:
                return int(has)
            numbers = [one.number for one in pushed]
            texts, ago = [one.text for one in pushed], [min(one.ago_ms, _LONGEST_AGO_MS) for one in pushed]
            kept = connection.execute(_INSERT, (self._table, game, numbers, texts, ago)).rowcount
            has = max(has, numbers[-1] + 1)
            if kept < len(pushed):
                others = connection.execute(_OTHERS, (numbers, texts, self._table, game)).fetchall()
                if others:
                    has = others[0][0]
                    raise psycopg.Rollback
        return int(has)

    def alive(self, *, leaves: bool = False) -> None:
        """As of `TableStore.alive`."""
        self._connection.ask("SELECT hall.alive(%s)", leaves)

    def proposals(self, game: str, after: int) -> tuple[Proposal, ...]:
        """As of `TableStore.proposals`."""
        rows = self._connection.ask(_PROPOSALS, self._table, game, after)
        return tuple(read_proposal((number, text), now_ms) for number, text, now_ms in rows)

    def wait(self, game: str, after: int, timeout_s: float) -> None:  # noqa: ARG002  # whatever is new
        """As of `TableStore.wait`."""
        self._connection.wait(timeout_s)

    def wake(self) -> None:
        """As of `TableStore.wake`."""
        self._connection.wake()

    def close(self) -> None:
        """As of `TableStore.close`."""
        self._connection.close()


class PostgresHall(HallStore):
    """The hall as an arbiter's desk reaches it: `dsn` names his role."""

    def __init__(self, dsn: str) -> None:
        self._connection = _Reconnecting(dsn)
        self._listening = _Reconnecting(dsn, "hall")

    def since(self, cursor: Mapping[tuple[int, str], int]) -> tuple[HallRecord, ...]:
        """As of `HallStore.since`."""
        tables, games = [table for table, _ in cursor], [game for _, game in cursor]
        rows = self._connection.ask(_SINCE, tables, games, list(cursor.values()))
        return tuple(
            HallRecord(table, game, number, at, entries.read(text)) for table, game, number, at, text in rows
        )

    def wait(self, timeout_s: float) -> None:
        """As of `HallStore.wait`."""
        self._listening.wait(timeout_s)

    def seen(self) -> Mapping[int, Seen]:
        """As of `HallStore.seen`."""
        rows = self._connection.ask(
            "SELECT table_no, (extract(epoch FROM at) * 1000)::bigint, leaves FROM hall.seen"
        )
        return {table: Seen(at, left) for table, at, left in rows}

    def now_ms(self) -> int:
        """As of `HallStore.now_ms`."""
        return int(
            self._connection.ask("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")[0][0]
        )

    def propose(self, proposal: Proposal, *, key: str = "") -> int:
        """As of `HallStore.propose`."""
        text = wire.to_json(proposal)
        with self._connection.transaction() as connection:  # one by one, so that no number comes late
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_PROPOSING,))
            there = connection.execute("SELECT id FROM hall.proposals WHERE key = %s", (key,)).fetchone()
            (number,) = (
                there
                or connection.execute(_PROPOSE, (proposal.table, proposal.game, text, key)).fetchone()
                or (0,)
            )
        return int(number)

    def take(self, item: str, by: str) -> Taken:
        """As of `HallStore.take`."""
        found: list[tuple[Any, ...]] = []
        while not found:  # who had it may give it back meanwhile
            self._connection.ask(_TAKE, item, by)
            found = self._connection.ask(f"{_TAKEN} WHERE item = %s", item)
        return Taken(*found[0])

    def release(self, item: str, by: str) -> None:
        """As of `HallStore.release`."""
        self._connection.ask("DELETE FROM hall.taken WHERE item = %s AND by = %s", item, by)

    def taken(self) -> tuple[Taken, ...]:
        """As of `HallStore.taken`."""
        return tuple(Taken(*row) for row in self._connection.ask(f"{_TAKEN} ORDER BY at, item"))

    def present(self, by: str) -> Mapping[str, int]:
        """As of `HallStore.present`."""
        self._connection.ask(_PRESENT, by)
        return dict(
            self._connection.ask("SELECT by, (extract(epoch FROM at) * 1000)::bigint FROM hall.present")
        )

    def make_key(self, table: int) -> str:
        """As of `HallStore.make_key`."""
        key = secrets.token_urlsafe(24)
        ((name,),) = self._connection.ask("SELECT current_database()")
        proof = self._connection.encrypted(key, f"{name}_table_{table}")
        self._connection.ask("SELECT hall.make_key(%s, %s)", table, proof)
        self._end_sessions(table)
        return key

    def revoke_key(self, table: int) -> None:
        """As of `HallStore.revoke_key`."""
        self._connection.ask("SELECT hall.revoke_key(%s)", table)
        self._end_sessions(table)

    def keys(self) -> Collection[int]:
        """As of `HallStore.keys`."""
        return [
            table for (table,) in self._connection.ask("SELECT table_no FROM hall.keys ORDER BY table_no")
        ]

    def _end_sessions(self, table: int) -> None:
        """Only once it stands that the old key is no good: until then, who is cut off can come back."""
        self._connection.ask("SELECT hall.end_sessions(%s)", table)

    def close(self) -> None:
        """As of `HallStore.close`."""
        self._listening.close()
        self._connection.close()
