# SPDX-License-Identifier: GPL-3.0-or-later
"""The append-only store of all games in one SQLite file, and the replay of a game from it."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from acessivel.dialogue.questions import NOTHING
from acessivel.errors import reason
from acessivel.game.game import Game, Result, Setup
from acessivel.game.imported import Before
from acessivel.game.results import termination
from acessivel.message import Message
from acessivel.session.events import Event, from_json, to_json
from acessivel.session.state import State
from acessivel.session.step import step
from voices.meaning import MovePattern, Place
from voices.words.files import languages

FILE_NAME = "games.sqlite3"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started TEXT NOT NULL,
    setup TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS entry (
    game INTEGER NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    move TEXT,
    result TEXT,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS entry_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'append only'); END;
"""

_SQLITE_REASONS = {
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


@dataclass(frozen=True, slots=True)
class Listed:
    """A line in the list of games.

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


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as it stands in the journal: when it began (ISO 8601) and its present state."""

    id: int
    started: str
    state: State
    entries: int


class Journal:
    """One file of games. Every call that writes returns after the data is on the disk."""

    def __init__(self, folder: Path) -> None:
        """Open or create the journal of a folder. Raises JournalError if that fails."""
        self.folder = folder
        with _errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.executescript(_SCHEMA)
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def create(self, setup: Setup, started: str) -> int:
        """Begin the record of a game; returns its number."""
        with _errors():
            row = self._db.execute(
                "INSERT INTO game (started, setup) VALUES (?, ?)", (started, json.dumps(setup.flat()))
            )
        if row.lastrowid is None:
            raise JournalError(Message.of("reason_other"))
        return row.lastrowid

    def append(self, game: int, number: int, event: Event, before: State, after: State) -> None:
        """Write an event and its effect on the game, before it is acted on.

        If its number is already taken, another program is playing the same game.
        """
        result = json.dumps(asdict(after.game.result)) if after.game.result else None
        with _errors():
            self._db.execute(
                "INSERT INTO entry (game, number, event, move, result) VALUES (?, ?, ?, ?, ?)",
                (game, number, to_json(event), _new_move(before, after), result),
            )

    def games(self) -> tuple[Listed, ...]:
        """All games, oldest first."""
        with _errors():
            rows = self._db.execute(
                "SELECT id, started, setup, (SELECT coalesce(sum("
                "CASE WHEN move LIKE '-%' THEN CAST(move AS INTEGER) ELSE 1 END"
                "), 0) FROM entry WHERE game = id AND move IS NOT NULL),"
                " (SELECT result FROM entry WHERE game = id ORDER BY number DESC LIMIT 1)"
                " FROM game ORDER BY id"
            ).fetchall()
        return tuple(
            Listed(
                number,
                started,
                setup.players.white,
                setup.players.black,
                result.score if result else "*",
                plies + len(setup.beginning.before.moves if setup.beginning.before else ()),
                result.reason if result else "",
                termination(result.reason if result else None),
            )
            for number, started, text, plies, stored in rows
            for setup, result in ((_setup(text), _result(stored)),)
        )

    def load(self, game: int, convention: str | None = None) -> Stored:
        """A game by its number, replayed. Raises NoSuchGameError if there is none.

        A convention other than its own can be given if the words of its own are gone (VocabularyError). A
        game whose language is gone continues in English.
        """
        with _errors():
            found = self._db.execute("SELECT started, setup FROM game WHERE id = ?", (game,)).fetchone()
            if found is None:
                raise NoSuchGameError(Message.of("no_game", id=game))
            rows = self._db.execute(
                "SELECT event, move, result FROM entry WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
        setup = _setup(found[1])
        language = setup.language if setup.language in languages() else "en"
        state = State.new(replace(setup, language=language, convention=convention or setup.convention))
        for event, move, result in rows:
            state = _as_recorded(state, step(state, from_json(event))[0], move, result)
        return Stored(game, found[0], state, len(rows))

    def unfinished(self) -> int | None:
        """The number of the newest game without a result; a demonstration does not count."""
        with _errors():
            demos = {
                number
                for number, setup in self._db.execute("SELECT id, setup FROM game")
                if _setup(setup).demo
            }
        unfinished = (game.id for game in self.games() if game.result == "*" and game.id not in demos)
        return max(unfinished, default=None)


def _as_recorded(before: State, after: State, move: str | None, result: str | None) -> State:
    """The replayed state with the recorded move and result: a newer program may read events differently."""
    recorded = _result(result)
    if _new_move(before, after) != move:
        after = replace(after, game=_moved(before.game, move, after.now_ms), asking=NOTHING)
    if after.game.result != recorded:
        after = replace(after, game=replace(after.game, result=recorded), asking=NOTHING)
    return after


def _result(stored: str | None) -> Result | None:
    """A result as the journal stores it, if there is one."""
    return Result(**json.loads(stored)) if stored else None


def _moved(game: Game, move: str | None, now_ms: int) -> Game:
    """A game after a recorded move, or after moves were taken back."""
    if move and move.startswith("-"):
        return game.back_to(len(game.played) + int(move), now_ms)
    facts = list(game.position.legal)
    if move:
        squares = MovePattern(Place(*move[2:4]), origin=Place(*move[:2]))
        facts += game.position.irregular(squares)
    fact = next((fact for fact in facts if fact.uci == move), None)
    return game.play(fact, now_ms) if fact else game


def _new_move(before: State, after: State) -> str | None:
    """The move that was made, in UCI, or how many moves were taken back: "-1"."""
    added = len(after.game.played) - len(before.game.played)
    if added < 0:
        return str(added)
    return after.game.played[-1].fact.uci if added else None


def _setup(text: str) -> Setup:
    """What was agreed, as the journal stores it; fields that this version does not know are ignored."""
    known = Setup().flat().keys()
    data = {key: value for key, value in json.loads(text).items() if key in known}
    return Setup.of(**data | {"before": Before.of(data["before"]) if data.get("before") else None})


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0)
        if code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
            raise PlayedElsewhereError(Message.of("played_elsewhere")) from error
        raise JournalError(Message.of(_SQLITE_REASONS.get(code & 0xFF, "reason_other"))) from error
    except OverflowError as error:
        raise NoSuchGameError(Message.of("no_game", id="?")) from error
    except OSError as error:
        raise JournalError(reason(error, "writing")) from error
