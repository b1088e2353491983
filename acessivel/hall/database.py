# SPDX-License-Identifier: GPL-3.0-or-later
"""How the database of a hall is made in PostgreSQL or brought up to date, and who may log in to it."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any

import psycopg
from psycopg import sql

from acessivel.hall.postgres import CONNECT_S, plain

_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}", re.ASCII)
_IN_GROUP = """
SELECT 1 FROM pg_auth_members WHERE member = %s::regrole AND roleid = %s::regrole
"""
_ROLES = ("owner", "people", "table", "arbiter", "viewer")
# The owner makes the keys of the tables, and ends what is connected with one.
_RIGHTS = (
    "ALTER ROLE {hall}_owner CREATEROLE",
    "GRANT {hall}_table, {hall}_people TO {hall}_owner WITH ADMIN OPTION",
    "GRANT pg_signal_backend TO {hall}_owner",
)
_DATABASE = (
    "REVOKE ALL ON DATABASE {hall} FROM PUBLIC",
    "GRANT CONNECT ON DATABASE {hall} TO {hall}_people",
)


@contextlib.contextmanager
def _superuser(dsn: str, database: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection that makes what is a superuser's to make. Raises as of `store`."""
    try:
        with psycopg.connect(dsn, dbname=database, autocommit=True, connect_timeout=CONNECT_S) as server:
            yield server
    except psycopg.Error as error:
        raise plain(error) from error


def make_hall(dsn: str, name: str) -> None:
    """Make the database of a hall, or bring it up to date; `dsn` names a superuser, whatever its database.

    Raises HallLostError and KeyRefusedError, and ValueError for a name that is not of small letters or that
    another database has.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(name)
    with _superuser(dsn, "postgres") as server:
        owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s"
        there = server.execute(owner, (name,)).fetchone()
        if there and there[0] != f"{name}_owner":
            raise ValueError(name)
        _make_roles(server, name)
        if not there:
            _run(
                server,
                "CREATE DATABASE {hall} OWNER {hall}_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'",
                name,
            )
        for right in _DATABASE:
            _run(server, right, name)
    with _superuser(dsn, name) as hall, hall.transaction():
        _run(hall, "SET ROLE {hall}_owner", name)
        hall.execute("CREATE SCHEMA IF NOT EXISTS hall")
        hall.execute(
            "CREATE TABLE IF NOT EXISTS hall.versions (version int PRIMARY KEY, at timestamptz DEFAULT now())"
        )
        ((has,),) = hall.execute("SELECT coalesce(max(version), 0) FROM hall.versions").fetchall()
        for version, text in enumerate(_migrations(), 1):
            if version > has:
                _run(hall, text, name)
                hall.execute("INSERT INTO hall.versions (version) VALUES (%s)", (version,))


def _make_roles(server: psycopg.Connection[Any], name: str) -> None:
    for group in _ROLES:
        role = f"{name}_{group}"
        if not server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone():
            server.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
    for right in _RIGHTS:
        _run(server, right, name)


def make_login(dsn: str, name: str, group: str, login: str) -> str:
    """Let somebody log in to a hall as an "arbiter" or a "viewer"; returns the password, a new one each time.

    `dsn` names a superuser, whatever its database. Raises HallLostError and KeyRefusedError, and ValueError
    for a login that is not of small letters or that the server has for something else.
    """
    if not _NAME.fullmatch(login):
        raise ValueError(login)
    password = secrets.token_urlsafe(24)
    role, groups = sql.Identifier(login), [f"{name}_{one}" for one in (group, "people")]
    with _superuser(dsn, "postgres") as server, server.transaction():
        proof = server.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256")
        if not server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (login,)).fetchone():
            server.execute(sql.SQL("CREATE ROLE {}").format(role))
        elif not server.execute(_IN_GROUP, (login, groups[0])).fetchone():
            raise ValueError(login)
        server.execute(sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(role, sql.Literal(proof.decode())))
        for one in groups:
            server.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(one), role))
    return password


def _migrations() -> Sequence[str]:
    files = (
        one
        for one in resources.files(__package__).joinpath("migrations").iterdir()
        if one.name.endswith(".sql")
    )
    return [one.read_text("utf-8") for one in sorted(files, key=lambda one: one.name)]


def _run(connection: psycopg.Connection[Any], text: str, name: str) -> None:
    """Run our own SQL about the hall of this name, which was checked."""
    connection.execute(text.replace("{hall}", name).encode())
