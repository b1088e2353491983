# SPDX-License-Identifier: GPL-3.0-or-later
"""Journals as the first programs wrote them, and journals with damage."""

import contextlib
import sqlite3

from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.journal_file import FILE_NAME

STARTED = "2026-01-01T00:00:00"

_FIRST = """
PRAGMA journal_mode = WAL;
CREATE TABLE game (id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, setup TEXT NOT NULL);
CREATE TABLE entry (
    game INTEGER NOT NULL REFERENCES game (id), number INTEGER NOT NULL, event TEXT NOT NULL, move TEXT,
    result TEXT, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER entry_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'append only'); END;
"""


def database(folder):
    return contextlib.closing(sqlite3.connect(folder / FILE_NAME, isolation_level=None))


def first_version(folder, *games):
    """A journal of the first programs; each game is its setup and the rows (event, move, result)."""
    folder.mkdir(exist_ok=True)
    with database(folder) as db:
        db.executescript(_FIRST)
        for setup, rows in games:
            game = db.execute("INSERT INTO game (started, setup) VALUES (?, ?)", (STARTED, setup)).lastrowid
            db.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?)", [(game, n, *row) for n, row in enumerate(rows)]
            )


def damage(folder, statement):
    """Change what stands in the file of a journal, behind the program's back."""
    with database(folder) as db:
        kept = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in kept:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement)
        for _, made in kept:
            db.execute(made)


def played(journal, *words, **agreed):
    """A game in which these words were typed; its number."""
    setup = Setup.of(**agreed)
    game, state = journal.create(setup, STARTED), State.new(setup)
    for number, event in enumerate((ev.Started(), *(ev.Heard(words=(word,)) for word in words))):
        after, _ = step(state, event)
        journal.append(game, number, event, state, after)
        state = after
    return game


def rows_of(folder, game=1):
    """What a game consists of, as `first_version` takes it."""
    with database(folder) as db:
        (setup,) = db.execute("SELECT setup FROM game WHERE id = ?", (game,)).fetchone()
        found = "SELECT event, move, result FROM entry WHERE game = ? ORDER BY number"
        return setup, db.execute(found, (game,)).fetchall()


def as_first_version(folder, *games):
    """The same folder with a journal of the first programs instead."""
    found = [rows_of(folder, game) for game in games]
    (folder / FILE_NAME).unlink()
    first_version(folder, *found)
