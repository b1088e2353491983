# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL of the tests' own, and a hall in it."""

import contextlib
import itertools
import tempfile
from pathlib import Path

import psycopg
from private_postgres import PrivatePostgres

from acessivel.hall.database import make_hall, make_login
from acessivel.hall.postgres import PostgresHall, PostgresTable

_names = itertools.count(1)


@contextlib.contextmanager
def server(**how):
    """A server that is ended with what uses it."""
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        running = PrivatePostgres(Path(folder), safe=False, **how)
        try:
            yield running
        finally:
            running.stop()


class PostgresOfTests:
    """A hall in a server: what `test_stores` asks of every kind of hall."""

    def __init__(self, server):
        self.server, self.name = server, f"hall{next(_names)}"
        make_hall(server.admin, self.name)
        self._arbiters = []
        self.hall = self.another_desk()
        self._open = [self.hall]

    def another_desk(self):
        login = f"{self.name}_arbiter_{len(self._arbiters)}"
        dsn = self.server.dsn(self.name, login, make_login(self.server.admin, self.name, "arbiter", login))
        self._arbiters.append(dsn)
        return PostgresHall(dsn)

    def dsn(self, table, key):
        return self.server.dsn(self.name, f"{self.name}_table_{table}", key)

    def table(self, table, key):
        found = PostgresTable(self.dsn(table, key), table)
        self._open.append(found)
        return found

    def admin(self):
        return psycopg.connect(self.server.admin, dbname=self.name, autocommit=True)

    def close(self):
        for one in self._open:
            one.close()
