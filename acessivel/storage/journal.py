# SPDX-License-Identifier: GPL-3.0-or-later
"""The append-only store of all games: an event stands there, at its path, before it is acted on."""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from acessivel.game.game import Setup
from acessivel.game.results import termination
from acessivel.message import Message
from acessivel.session.events import Event, from_json, to_json
from acessivel.session.state import State
from acessivel.storage import chain, private_files, stored_game
from acessivel.storage.chain import Entry
from acessivel.storage.journal_errors import (
    JournalError,
    NoSuchGameError,
    PlayedElsewhereError,
    code_of,
    journal_errors,
)
from acessivel.storage.journal_file import FILE_NAME, open_to_read, open_to_write, transaction
from acessivel.storage.stored_game import GameRows, Happening, Stored

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# What reading a row raises whose values are not what the program wrote.
_UNREADABLE = (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError)
_SUMMARY = """
SELECT count(*),
    coalesce(sum(CASE WHEN move LIKE '-%' THEN CAST(move AS INTEGER)
                      ELSE 1 + length(move) - length(replace(move, ' ', '')) END)
        FILTER (WHERE move IS NOT NULL), 0),
    (SELECT result FROM entry WHERE game = :game ORDER BY number DESC LIMIT 1)
FROM entry WHERE game = :game
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A line in the list of games; of a damaged one only what could be read of it.

    `reason`: what ended it, in a word that is the same in every language; "" if nothing has. `termination`:
    PGN's word for that.
    """

    id: int
    started: str
    white: str
    black: str
    result: str
    plies: int
    reason: str
    termination: str
    damaged: bool


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Archive]:
    """The games in a folder, which is left as it is. Raises JournalError if they cannot be read."""
    with journal_errors("reading"), open_to_read(folder) as db:
        yield Archive(db)


class Archive:
    """The games of one file, to be read."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def games(self) -> tuple[Listed, ...]:
        """All games, oldest first; a damaged one is marked, and spares the others."""
        with journal_errors("reading"):
            rows = self._db.execute(
                "SELECT id, started, setup, origin, entries FROM game ORDER BY id"
            ).fetchall()
            return tuple(self._listed(*row) for row in rows)

    def load(self, game: int, convention: str | None = None) -> Stored:
        """A game by its number, replayed as far as it can be read. Raises NoSuchGameError if there is none.

        A convention other than its own can be given if the words of its own are gone (VocabularyError). A
        game whose language is gone continues in English.
        """
        with journal_errors("reading"):
            kept = self._read(game, partly=True)
        if kept is None:
            raise NoSuchGameError(Message.of("no_game", id=game))
        return stored_game.replayed(game, kept, convention)

    def setups(self) -> Iterator[tuple[int, Setup]]:
        """What was agreed for each game, newest first, as far as it can be read."""
        with journal_errors("reading"):
            rows = self._db.execute("SELECT id, setup FROM game ORDER BY id DESC").fetchall()
        for number, text in rows:
            try:
                setup = stored_game.setup_of(text)
            except _UNREADABLE:
                continue
            yield number, setup

    def unfinished(self) -> tuple[int, ...]:
        """The numbers of the games without a result, newest first; without demonstrations."""
        with journal_errors("reading"):
            demos = {number for number, setup in self.setups() if setup.demo}
        return tuple(
            game.id
            for game in reversed(self.games())
            if game.result == "*" and not game.reason and game.id not in demos
        )

    def _read(self, game: int, *, partly: bool = False) -> GameRows | None:
        """A game as it stands in the file; None if it is not there. `partly`: as far as that can be read."""
        row = self._db.execute(
            "SELECT started, setup, origin, entries FROM game WHERE id = ?", (game,)
        ).fetchone()
        if row is None:
            return None
        started, setup, origin, count = row
        return GameRows(started, setup, origin, self._entries(game, partly=partly), count)

    def _entries(self, game: int, *, partly: bool) -> list[Entry]:
        found: list[Entry] = []
        try:
            for row in self._db.execute(
                "SELECT number, event, move, result, link FROM entry WHERE game = ? ORDER BY number", (game,)
            ):
                found.append(Entry(*row))  # noqa: PERF401 - what comes before the damage stays
        except sqlite3.DatabaseError as error:
            if not partly or code_of(error) != sqlite3.SQLITE_CORRUPT:
                raise
        return found

    def _listed(self, game: int, started: str, text: str, origin: bytes, entries: int) -> Listed:
        setup, plies, score, reason, ended, damaged = Setup(), 0, "*", "", termination(None), False
        try:
            setup = stored_game.setup_of(text)
            plies = len(setup.beginning.before.moves if setup.beginning.before else ())
            count, moves, last = self._db.execute(_SUMMARY, {"game": game}).fetchone()
            damaged = (count, chain.origin(started, text)) != (entries, origin)
            plies += moves
            if result := stored_game.result_of(last):
                score, reason, ended = str(result.score), result.reason, termination(result.reason)
            datetime.fromisoformat(started)
        except _UNREADABLE:
            damaged = True
        white, black = str(setup.players.white), str(setup.players.black)
        return Listed(game, started, white, black, score, plies, reason, ended, damaged)


class Journal(Archive):
    """One file of games, open for play. Every call that writes returns after the data is on the disk.

    It remembers the games that it has made or loaded, to write them anew if their file is taken away.
    """

    def __init__(self, folder: Path) -> None:
        """Open or create the journal of a folder. Raises JournalError if that fails."""
        self.folder = folder
        self._games: dict[int, GameRows] = {}
        self._open()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def try_writing(self) -> None:
        """Find out whether games can be kept, without a trace. Raises JournalError if not."""
        with journal_errors("writing"):
            with transaction(self._db):
                self._db.execute("UPDATE game SET head = head WHERE id = 0")  # refused in a read-only file
            private_files.try_writing(self.folder)

    def create(self, setup: Setup, started: str) -> int:
        """Begin the record of a game; returns its number."""
        # A mark that nothing else reads: two games of the same second and agreement are two all the same.
        text = json.dumps({**setup.flat(), "mark": secrets.token_hex(8)})
        kept = GameRows(started, text, chain.origin(started, text))
        with journal_errors("writing"), transaction(self._db):
            number = self._insert(kept, None)
        self._games[number] = kept
        return number

    def begin(self, setup: Setup, started: str) -> Stored:
        """A new game, before its first event; `started`: when it begins (ISO 8601)."""
        return Stored(self.create(setup, started), started, State.new(setup), 0)

    def load(self, game: int, convention: str | None = None) -> Stored:
        """A game by its number, as in an archive; it can go on then."""
        with journal_errors("reading"):
            if kept := self._read(game, partly=True):
                self._games[game] = kept
        return super().load(game, convention)

    def append(self, game: int, number: int, event: Event, before: State, after: State) -> int | None:
        """Write an event and its effect on a game made or loaded here, before it is acted on.

        If the file has been taken away meanwhile, the whole game is written anew; then its number is
        returned, which is another if the file that is there now has another game with it. Raises
        PlayedElsewhereError if another program has gone on with the game, JournalError if it cannot be kept.
        """
        result = json.dumps(asdict(after.game.result)) if after.game.result else None
        kept = self._games[game]
        if len(kept.entries) != number:
            raise PlayedElsewhereError(Message.of("played_elsewhere"))
        change = stored_game.change_of(before, after)
        return self._stand(game, [chain.linked(kept.head, number, to_json(event), change, result)])

    def secure(self, game: int) -> int | None:
        """Make sure that a game stands in the file at its path, as `append` does."""
        return self._stand(game, [])

    def name(self, game: int) -> str:
        """A name of a game made or loaded here that no other has, on any computer; it has it for good."""
        return self._games[game].origin.hex()[:16]

    def history(self, game: int) -> Callable[[], Iterator[Happening]]:
        """What has happened in a game made or loaded here until now, to be asked for in any thread."""
        kept = self._games[game]
        rows = replace(kept, entries=list(kept.entries))
        return lambda: stored_game.happened(rows)

    def events(self, game: int) -> Iterator[Event]:
        """What has happened in a game made or loaded here, whether its words are there or not."""
        return (from_json(entry.event) for entry in self._games[game].entries)

    def _open(self) -> None:
        with journal_errors("writing"):
            self._db = open_to_write(self.folder)
            self._file = self._at_the_path()

    def _at_the_path(self) -> tuple[int, int] | None:
        """Which file is at the path: its device and inode; None if there is none."""
        try:
            found = (self.folder / FILE_NAME).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _stand(self, game: int, added: list[Entry]) -> int | None:
        """Let a game stand in the file at its path with these entries more; its number if that is a new file.

        SQLite refuses to write to a file that has been moved; afterwards it is looked at once more.
        """
        kept, anew = self._games[game], None
        with journal_errors("writing"):
            try:
                with transaction(self._db):
                    known = self._write(game, kept, added)
            except sqlite3.Error as error:
                known = code_of(error) in _BUSY and not added  # then it has only been looked for
                if code_of(error) in _BUSY and added:
                    raise
            if not known or self._at_the_path() != self._file:
                anew = self._write_anew(game, kept, added)
        kept.entries += added
        kept.count = len(kept.entries)
        if anew:
            self._games[anew] = kept
        return anew

    def _write(self, game: int, kept: GameRows, added: list[Entry]) -> bool:
        """Write new entries of a game, if it stands in the open file as it is remembered.

        Raises PlayedElsewhereError if it has gone on there.
        """
        found = self._db.execute("SELECT head, entries FROM game WHERE id = ?", (game,)).fetchone()
        if found == (kept.head, kept.count):
            self._insert_entries(game, added)
            return True
        there = self._read(game)
        _check_elsewhere(there, kept.entries)
        return False

    def _write_anew(self, game: int, kept: GameRows, added: list[Entry]) -> int | None:
        """Write a game to the file that is at the path now.

        Returns its number there; None if all but `added` stood there already.
        """
        self._db.close()
        self._open()
        whole = [*kept.entries, *added]
        with transaction(self._db):
            there = self._read(game)
            _check_elsewhere(there, whole)
            if there and there.origin == kept.origin and there.entries == whole[: len(there.entries)]:
                self._insert_entries(game, whole[len(there.entries) :])
                return game if len(there.entries) < len(kept.entries) else None
            game = self._insert(kept, None if there else game)
            self._insert_entries(game, whole)
        return game

    def _insert(self, kept: GameRows, number: int | None) -> int:
        """A game without entries; a number of its own if none is given."""
        row = self._db.execute(
            "INSERT INTO game (id, started, setup, origin, head) VALUES (?, ?, ?, ?, ?)",
            (number, kept.started, kept.setup, kept.origin, kept.origin),
        )
        if row.lastrowid is None:
            raise JournalError(Message.of("reason_other"))
        return row.lastrowid

    def _insert_entries(self, game: int, entries: list[Entry]) -> None:
        self._db.executemany(
            "INSERT INTO entry (game, number, event, move, result, link) VALUES (?, ?, ?, ?, ?, ?)",
            [(game, *entry) for entry in entries],
        )
        if entries:
            self._db.execute(
                "UPDATE game SET head = ?, entries = ? WHERE id = ?",
                (entries[-1].link, entries[-1].number + 1, game),
            )


def _check_elsewhere(there: GameRows | None, remembered: list[Entry]) -> None:
    """Raise PlayedElsewhereError if a game has gone on in a file beyond what is remembered of it."""
    if there and len(there.entries) > len(remembered) and there.entries[: len(remembered)] == remembered:
        raise PlayedElsewhereError(Message.of("played_elsewhere"))
