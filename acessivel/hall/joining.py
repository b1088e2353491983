# SPDX-License-Identifier: GPL-3.0-or-later
"""How a table joins a hall, by its address and a key's file, and tells it of the games that are played."""

from __future__ import annotations

import contextlib
import hashlib
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from acessivel.devices.installation import install
from acessivel.errors import UserError, cannot_read
from acessivel.hall import key_file, last_hall, unsent
from acessivel.hall.key_file import TableKey
from acessivel.hall.outbox import Outbox
from acessivel.hall.store import TableStore
from acessivel.message import Message
from acessivel.settings.settings import Settings, user_path
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError
from acessivel.storage.stored_game import Stored
from voices.packages import MissingPartError, load
from voices.words.lexicon import VocabularyError

_KEY_FILE = "hall.key"


@dataclass(frozen=True, slots=True)
class Joined:
    """A table in a hall: which, as the settings name it, and what reaches the hall, anew for each game.

    `known_by`: what no other hall has, wherever it is.
    """

    settings: Settings
    reach: Callable[[], TableStore]
    known_by: str


def joined(settings: Settings) -> Joined | None:
    """The table in the hall of the settings; None without one. The hall is not asked yet.

    Raises UserError if the key or the address is no good, or something is not installed.
    """
    if not settings.hall:
        return None
    try:
        path = user_path(settings.hall_key) if settings.hall_key else settings.folder / _KEY_FILE
        key = _key(path, settings.table)
        reach = _reaching(settings.hall, key, path)
    except MissingPartError as error:
        raise UserError(Message.of("missing_hall", how=install("hall"))) from error
    except (ValueError, ssl.SSLError) as error:
        raise UserError(Message.of("hall_address_wrong", address=settings.hall)) from error
    return Joined(replace(settings, table=key.table), reach, _known_by(settings.hall, key))


def _known_by(address: str, key: TableKey) -> str:
    """The certificate of a hall of one computer, whose address may change; else the address."""
    own = key.certificate if urlsplit(address).scheme == "https" else ""
    return hashlib.sha256((own or address).encode()).hexdigest()


@contextlib.contextmanager
def told(
    place: Joined | None,
    journal: Journal,
    stored: Stored,
) -> Iterator[Outbox | None]:
    """What tells the hall of a game of the journal once it is started; None without a hall.

    What halls may lack of games that were played before is told as well, each to its own.
    """
    if place is None:
        yield None
        return
    game = stored.id
    before = [number for number in unsent.numbers(journal.folder) if number != game]
    outboxes = [one for number in before if (one := _of_the_rest(place, journal, number))]
    for one in outboxes:
        one.start()
    with contextlib.suppress(OSError, ValueError):
        last_hall.remember(place.settings, game, place.known_by)
        unsent.add(journal.folder, game)
    outbox = Outbox(place.reach(), journal.name(game), journal.history(game), ago_s=_ago_s(stored))
    try:
        yield outbox
    finally:
        for one in outboxes:
            one.end()  # what they have not sent is told with the next game
        if outbox.leave():
            with contextlib.suppress(OSError):
                unsent.remove(journal.folder, game)


def _of_the_rest(place: Joined, journal: Journal, number: int) -> Outbox | None:
    """What tells what its hall lacks of a game that is not played now; None if one of them is out of reach.

    `place`: that of the game which is played now: the same table may have a new key, its hall a new address.
    """

    def done() -> None:
        with contextlib.suppress(OSError):
            unsent.remove(journal.folder, number)

    try:
        stored = journal.load(number)
        own = last_hall.recalled(replace(place.settings, hall="", hall_key="", table=0), number)
        known_by = last_hall.known_by(journal.folder, number)
        same = (known_by, own.table) == (place.known_by, place.settings.table)
        at = place if same else joined(own)
    except (JournalError, VocabularyError, UserError):
        return None
    if at is None or at.known_by != (known_by or at.known_by):
        return None
    return Outbox(at.reach(), journal.name(number), journal.history(number), ago_s=_ago_s(stored), done=done)


def _ago_s(stored: Stored) -> float:
    """How long ago a game began: the hall takes the one begun or resumed last for that at the table."""
    ago = datetime.now().astimezone() - datetime.fromisoformat(stored.started).astimezone()
    return max(0.0, ago.total_seconds())


def _key(path: Path, table: int) -> TableKey:
    """The key in a file, which must be that of the table, unless it is 0."""
    try:
        key = key_file.read(path)
    except FileNotFoundError as error:
        raise UserError(Message.of("hall_key_missing", file=str(path))) from error
    except OSError as error:
        raise cannot_read(error, str(path)) from error
    except ValueError as error:
        raise UserError(Message.of("hall_key_wrong", file=str(path))) from error
    if table not in (0, key.table):
        raise UserError(Message.of("hall_key_of_another", file=str(path), table=key.table))
    return key


def _reaching(address: str, key: TableKey, path: Path) -> Callable[[], TableStore]:
    """Raises ValueError for an address of another kind, and MissingPartError without its library."""
    if urlsplit(address).scheme in ("postgresql", "postgres"):
        load("psycopg", "hall")
        from acessivel.hall import postgres  # noqa: PLC0415 - the extra may be missing

        dsn = postgres.table_dsn(address, key, path)
        return lambda: postgres.PostgresTable(dsn, key.table)
    from acessivel.hall.http_table import HttpTable  # noqa: PLC0415 - only a table needs it

    HttpTable(address, key).close()
    return lambda: HttpTable(address, key)
