# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel hall`: the desk of the arbiters of many tables, the keys of the tables, a hall on a server."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import re
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from acessivel.app.desk import DeskActivity
from acessivel.app.loop import open_loop
from acessivel.app.tell import tell
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.event_round import paired, told_round
from acessivel.commands.output import write_line
from acessivel.devices.installation import install
from acessivel.errors import UserError, cannot_read, cannot_write
from acessivel.hall import key_file
from acessivel.hall.desk import PairRound, Wish
from acessivel.hall.desk_link import DeskLink
from acessivel.hall.key_file import TableKey
from acessivel.hall.live_pgn import would_lose
from acessivel.hall.round_clerk import RoundClerk
from acessivel.hall.round_games import RoundGames, item_among
from acessivel.hall.round_keeper import RoundKeeper
from acessivel.hall.store import HallLostError, HallStore, KeyRefusedError
from acessivel.message import Message, Messages
from acessivel.messages import shell
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage import tournament_file
from acessivel.tournaments.regulation import regulation
from acessivel.tournaments.tournament import Tournament
from voices.packages import MissingPartError, load
from voices.understanding import desk_words

if TYPE_CHECKING:
    from acessivel.hall.broadcast import Broadcast  # its package may be missing

_FOLDER = "hall"  # in that of the games
_MOST_TABLES = 1000  # that can be named at once
_RANGE = re.compile(r"([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?", re.ASCII)
_PAGES = ("arbiter", "spectator")


@dataclass(frozen=True, slots=True)
class OpenHall:
    """A hall that is open: its store, where its tables find it, and by what they know it (PEM).

    `notes`: what there is to be said of that.
    """

    store: HallStore
    addresses: tuple[str, ...] = ()
    certificate: str = ""
    notes: Messages = ()


def run(options: argparse.Namespace) -> int:
    """Sit down at the desk, keep keys, or make a hall on a server. Raises UserError if it cannot be done."""
    settings = device_settings_of(options)
    _check(settings.hall, typed=options.hall is not None)
    try:
        if options.keeping is None:
            _desk(options, settings)
        elif options.keeping in _SERVER:
            _tell(_SERVER[options.keeping](options, settings), settings)
        else:
            with _opened(settings, options, serves=False) as hall:
                _tell(_KEEPING[options.keeping](hall, options, settings), settings)
    except HallLostError as error:
        raise UserError(Message.of("hall_not_opened", address=_shown(settings))) from error
    except KeyRefusedError as error:
        key = "hall_no_superuser" if options.keeping in _SERVER else "hall_refused"
        raise UserError(Message.of(key, address=_shown(settings))) from error
    except MissingPartError as error:
        raise UserError(Message.of("missing_hall", how=install("hall"))) from error
    return 0


def _tell(done: Iterable[Message], settings: Settings) -> None:
    """Tell what was done; also if an error has kept the rest from being done."""
    told: list[Message] = []
    try:
        told.extend(done)
    finally:
        if told:
            tell(told, settings, write_line)


def _shown(settings: Settings) -> str:
    """Where the hall is, without anybody's password."""
    return _of_the_tables(settings.hall) if settings.hall else str(settings.folder / _FOLDER)


# The desk


def _desk(options: argparse.Namespace, settings: Settings) -> None:
    settings = replace(settings, opponent="human", web=True)
    by = options.arbiter or settings.name or getpass.getuser()
    sounds = desk_words.words(settings.language).sounds
    with _opened(settings, options, serves=True) as hall, contextlib.ExitStack() as stack:
        keeps = _keeper(options, hall.store, by)
        broadcast = _broadcast(options, settings.online_server)
        with open_loop(
            settings, write_line, sys.stdin, place="hall", sounds=sounds, optional=("hear",)
        ) as loop:
            for message in _how_to_join(hall, settings):
                loop.tell_first(message)
            loop.offer_pages(_PAGES, "hall_web_open")
            link = DeskLink(hall.store, by)
            clerk: RoundClerk | None = None

            def wish(one: Wish) -> None:
                if not isinstance(one, PairRound):
                    link.wish(one)
                elif clerk:
                    clerk.pair(partial(paired, engine=settings.pairing_engine))

            activity = DeskActivity(
                by,
                (settings.language, settings.convention),
                loop.devices,
                wish,
                lambda: link.unsent,
                confirm=settings.confirm,
                delay_ms=60_000 * options.delay,
            )
            report = partial(loop.report_to, activity)
            if keeps:
                clerk = RoundClerk(*keeps, report, broadcast)
                stack.callback(clerk.close)
                link.follow(clerk.informed)
                loop.offer_live(clerk.live)
            link.start(report)
            stack.callback(link.close)
            loop.run(activity)


def _how_to_join(hall: OpenHall, settings: Settings) -> Iterator[Message]:
    """What is typed at the tables, and that they need keys."""
    first, *others = hall.addresses
    yield Message.of("hall_join", name=shell.NAME, address=first)  # each table has its own program
    for address in others:
        yield Message.of("hall_join_or", address=address)
    yield from hall.notes
    if not hall.store.keys():
        yield _no_keys(settings)


@contextlib.contextmanager
def _opened(settings: Settings, options: argparse.Namespace, *, serves: bool) -> Iterator[OpenHall]:
    """The hall of the settings: PostgreSQL by its address, else that of this computer, which it then serves.

    Raises UserError, MissingPartError, HallLostError and KeyRefusedError.
    """
    if settings.hall:
        address = settings.hall
        with contextlib.closing(_in_postgresql(address)) as store:
            store.now_ms()  # whether it can be reached
            yield OpenHall(store, (_of_the_tables(address),), _root_certificate(address))
        return
    for package in ("cryptography", "ifaddr", "starlette", "uvicorn"):
        load(package, "hall")
    from acessivel.hall.certificate import own_certificate  # noqa: PLC0415 - the extra may be missing
    from acessivel.hall.service import HallService  # noqa: PLC0415
    from acessivel.hall.sqlite import SqliteHall  # noqa: PLC0415

    folder = settings.folder / _FOLDER
    try:
        store = SqliteHall(folder)
        with contextlib.closing(store):
            if not serves:
                yield OpenHall(store, (), own_certificate(folder)[0].read_text("utf-8"))
                return
            with contextlib.closing(HallService(store, folder, port=options.hall_port)) as service:
                notes = tuple(_served(service.port, options.hall_port, service.lan_addresses))
                yield OpenHall(store, service.addresses, service.certificate, notes)
    except OSError as error:
        raise cannot_write(error, folder) from error


def _served(port: int, wanted: int, networks: Collection[str]) -> Iterator[Message]:
    """What keeps tables from finding a hall that is served."""
    if port != wanted:
        yield Message.of("hall_port_taken", wanted=wanted, port=port)
    if not networks:
        yield Message.of("hall_no_network")


def _in_postgresql(address: str) -> HallStore:
    """The hall in a PostgreSQL server, by the arbiter's own login."""
    load("psycopg", "hall")
    from acessivel.hall.postgres import PostgresHall, desk_dsn  # noqa: PLC0415 - the extra may be missing

    try:
        return PostgresHall(desk_dsn(address))
    except ValueError as error:
        raise UserError(Message.of("hall_desk_address", address=_of_the_tables(address))) from error


def _check(address: str, *, typed: bool) -> None:
    """Raise UserError if the address is none of a PostgreSQL server; not `typed`: it is in the settings."""
    if address and urlsplit(address).scheme not in ("postgresql", "postgres"):
        key = "hall_desk_address" if typed else "hall_desk_setting"
        raise UserError(Message.of(key, address=_of_the_tables(address)))


def _of_the_tables(address: str) -> str:
    """What a table types: the address without the login of the arbiter."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _root_certificate(address: str) -> str:
    """The certificate by which the server is known, "" if a known authority has signed it."""
    for path in parse_qs(urlsplit(address).query).get("sslrootcert", ()):
        try:
            return "" if path == "system" else Path(path).read_text("utf-8")
        except OSError as error:
            raise cannot_read(error, path) from error
    return ""


def _keeper(options: argparse.Namespace, store: HallStore, by: str) -> tuple[RoundKeeper, int] | None:
    """Who keeps the round of the tournament, and its number; None without one. Raises UserError."""
    if options.tournament is None:
        if options.live or options.broadcast or options.round:
            raise UserError(Message.of("hall_no_tournament"))
        return None
    stored = tournament_file.load(options.tournament)
    if options.live and would_lose(options.live):
        raise UserError(Message.of("hall_live_other", file=str(options.live)))
    number = told_round(stored.event, options)
    delay_ms = 60_000 * options.delay
    file = stored.path.name
    games = RoundGames(number, partial(_paired_ms, store, by, file), partial(_noted_ms, store, file))
    return RoundKeeper(stored, games, regulation().individual, options.live, delay_ms), number


def _paired_ms(store: HallStore, by: str, file: str, event: Tournament, number: int) -> int | None:
    """When the first desk saw that a round is paired, on the hall's clock; None if the hall is lost."""
    try:
        known = (one.item for one in store.taken())
        return store.take(item_among(known, file, event, number), by).at_ms
    except (HallLostError, KeyRefusedError):
        return None


def _noted_ms(store: HallStore, file: str, event: Tournament, number: int) -> int | None:
    """The same, without noting it now; None also if no desk has seen it."""
    try:
        known = {one.item: one.at_ms for one in store.taken()}
    except (HallLostError, KeyRefusedError):
        return None
    return known.get(item_among(known, file, event, number))


def _broadcast(options: argparse.Namespace, server: str) -> Broadcast | None:
    """Where the games are pushed to, by the number of a round or its address. Raises UserError."""
    if not options.broadcast:
        return None
    try:
        load("httpx", "online")
    except MissingPartError as error:
        raise UserError(Message.of("missing_online", how=install("online"))) from error
    from acessivel.hall.broadcast import Broadcast  # noqa: PLC0415 - the extra may be missing

    try:
        return Broadcast(options.broadcast.rstrip("/").rpartition("/")[2], _token(options.token), server)
    except ValueError as error:
        raise UserError(Message.of("hall_broadcast_round", round=options.broadcast)) from error


def _token(path: Path | None) -> str:
    """The token in a file. Raises UserError if there is none."""
    if path is None:
        raise UserError(Message.of("hall_no_token"))
    try:
        token = path.read_text("utf-8").strip()
    except OSError as error:
        raise cannot_read(error, str(path)) from error
    except UnicodeDecodeError:
        token = ""
    if not token:
        raise UserError(Message.of("hall_no_token"))
    return token


# The hall on a server, by a superuser's login


def _make_hall(_: argparse.Namespace, settings: Settings) -> Iterator[Message]:
    """Make the database of the hall, or bring it up to date."""
    name = _database(settings.hall)
    from acessivel.hall.database import make_hall  # noqa: PLC0415 - the extra may be missing

    try:
        make_hall(settings.hall, name)
    except ValueError as error:
        raise UserError(Message.of("hall_bad_name", name=name)) from error
    yield Message.of("hall_made", address=_of_the_tables(settings.hall))


def _make_logins(group: str, options: argparse.Namespace, settings: Settings) -> Iterator[Message]:
    """Let people log in to the hall; their addresses are only written, since the passwords are in them."""
    hall = _database(settings.hall)
    from acessivel.hall.database import make_login  # noqa: PLC0415 - the extra may be missing

    if not options.tables:
        raise UserError(Message.of("hall_whose_login"))
    parts = urlsplit(settings.hall)
    for login in options.tables:
        try:
            password = make_login(settings.hall, hall, group, login)
        except ValueError as error:
            raise UserError(Message.of("hall_bad_name", name=login[:100])) from error
        server = parts.netloc.rpartition("@")[2] or socket.getfqdn()
        address = parts._replace(netloc=f"{login}:{password}@{server}").geturl()
        write_line(f"acessivel hall --hall '{address}'" if group == "arbiter" else address)
        yield Message.of("hall_login_made", name=login)


def _database(address: str) -> str:
    """The name of the hall in a PostgreSQL server's address. Raises UserError, and MissingPartError."""
    name = urlsplit(address).path.lstrip("/")
    if not name:
        raise UserError(Message.of("hall_which_server"))
    load("psycopg", "hall")
    return name


_SERVER: Mapping[str, Callable[[argparse.Namespace, Settings], Iterable[Message]]] = {
    "make": _make_hall,
    "arbiter": partial(_make_logins, "arbiter"),
    "viewer": partial(_make_logins, "viewer"),
}


# The keys of the tables


def _make(hall: OpenHall, options: argparse.Namespace, settings: Settings) -> Iterator[Message]:
    """Make a key for each table, each in a file of its own; of a range only those that are missing."""
    folder = options.output or settings.folder / _FOLDER
    known = frozenset(hall.store.keys())
    wanted = _tables(options.tables)
    kept = tuple(table for table, alone in wanted.items() if table in known and not alone)
    for table in (one for one in wanted if one not in kept):
        path = folder / f"table-{table}.key"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            key_file.prepare(path)  # a new key ends the old one, also if nobody can have it
            key_file.write(path, TableKey(table, hall.store.make_key(table), hall.certificate))
        except OSError as error:
            raise cannot_write(error, path) from error
        key = "hall_key_anew" if table in known else "hall_key_made"
        yield Message.of(key, table=table, file=str(path))
    if kept:
        anew = command("hall", None, settings, "key", str(kept[0]))
        yield Message.of("hall_keys_kept", tables=kept, anew=anew)
    if len(kept) < len(wanted):
        yield Message.of("hall_key_how")


def _revoke(hall: OpenHall, options: argparse.Namespace, _: Settings) -> Iterator[Message]:
    known = frozenset(hall.store.keys())
    wanted = _tables(options.tables)
    for table in wanted:
        if table in known:
            hall.store.revoke_key(table)
            yield Message.of("hall_key_revoked", table=table)
    if none := tuple(table for table in wanted if table not in known):
        yield Message.of("hall_keys_none", tables=none)


def _list(hall: OpenHall, _: argparse.Namespace, settings: Settings) -> Messages:
    tables = tuple(sorted(hall.store.keys()))
    return (Message.of("hall_keys", tables=tables) if tables else _no_keys(settings),)


def _no_keys(settings: Settings) -> Message:
    return Message.of("hall_no_keys", make=command("hall", None, settings, "key", "1-20"))


_KEEPING = {"key": _make, "revoke": _revoke, "keys": _list}


def _tables(named: Iterable[str]) -> Mapping[int, bool]:
    """The tables of some numbers and ranges such as "1-20", and whether each is named alone.

    Raises UserError for anything else.
    """
    tables: dict[int, bool] = {}
    for one in named:
        found = _RANGE.fullmatch(one)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if not first <= last < first + _MOST_TABLES:
            raise UserError(Message.of("hall_bad_tables", text=one[:100]))
        alone = found is not None and found[2] is None
        tables |= {table: alone or tables.get(table, False) for table in range(first, last + 1)}
    if not tables:
        raise UserError(Message.of("hall_which_tables"))
    return tables
