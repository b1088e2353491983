# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of many tables over a real PostgreSQL, with all that can go wrong; says what arrives, and how soon.

Each table is a process with the program's own session, journal and outbox, and so is the desk. Servers, desk
and tables are killed, connections cut and held up; at the end the hall must know of each game what its
journal knows. Without trouble it measures from the journal's commit at a table to the desk's knowledge.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import pickle
import queue
import random
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing.process import BaseProcess
from pathlib import Path

from private_postgres import PrivatePostgres

from acessivel.game.game import Setup
from acessivel.hall.board import Hall, HallRecord, TableGame
from acessivel.hall.entries import ClocksShown, MoveMade, entries, to_json
from acessivel.hall.outbox import Outbox
from acessivel.hall.postgres import PostgresHall, PostgresTable, make_hall, make_login
from acessivel.hall.store import ArbiterDecision, HallLostError, PushedEntry
from acessivel.session import events as ev
from acessivel.session.step import step
from acessivel.storage.journal import Journal

_NAME = "hall"
# None inherits the connections of another.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["hall_round"])
# What is said at a table beside the moves, each now and then.
_WORDS = (
    ("threefold", "yes"), ("I claim a draw", "yes"), ("arbiter", "no"), ("offer a draw", "yes", "no"),
    ("stop the clock", "yes"), ("what time",), ("material",), ("arbiter", "yes", "1", "2", "yes"),
)  # fmt: skip
_DECISIONS = (
    ArbiterDecision("warn", (1,)), ArbiterDecision("time", (2, 1, 1, 0)), ArbiterDecision("coming"),
    ArbiterDecision("stop"), ArbiterDecision("go"),
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """A round: how many tables and moves, how fast, with which trouble, from which seed."""

    tables: int = 100
    plies: int = 80
    pace_s: float = 2.0
    trouble: bool = True
    seed: int = 1


@dataclass
class Outcome:
    """What has come of it: the tables of which the hall knows something else than their journals, if any."""

    wrong: list[int] = field(default_factory=list)
    entries: int = 0
    killed: int = 0
    delays_ms: list[float] = field(default_factory=list)
    seconds: float = 0.0


# A table


def _table(plan: Plan, number: int, dsn: str, folder: Path) -> None:
    """Play a game from where its journal has it, to its end or its last move."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    journal = Journal(folder)
    setup = Setup.of(clock="90+30", language="en", white=f"White {number}", black=f"Black {number}")
    begun = journal.games()
    game = begun[0].id if begun else journal.create(setup, f"2026-01-01T00:00:{number % 60:02d}")
    played = _Played(journal, game, folder, dsn, number)
    chance = random.Random(f"{plan.seed} {number} {played.entries}")
    time.sleep(chance.random() * plan.pace_s)
    while not played.over(plan.plies):
        played.turn(chance)
        played.proposals(plan.pace_s * chance.uniform(0.5, 1.5))
    (folder / "over").touch()
    while not ((folder / "leave").exists() and played.outbox.settled):  # what arbiters decide still comes
        played.proposals(0.2)
    played.outbox.leave()
    journal.close()


class _Played:
    """The game of a table, without a device: what is said comes from chance."""

    def __init__(self, journal: Journal, game: int, folder: Path, dsn: str, table: int) -> None:
        self.journal, self.game = journal, game
        stored = journal.load(game)
        self.state, self.entries = stored.state, stored.entries
        self.reports: queue.SimpleQueue[ev.Event] = queue.SimpleQueue()
        self.log = (folder / "committed").open("a", encoding="utf-8", buffering=1)
        self.outbox = Outbox(PostgresTable(dsn, table), journal.name(game), journal.history(game))
        self.outbox.start(self.reports.put)
        self.happen(ev.Resumed(hall=True) if self.entries else ev.Started(hall=True))
        self.happen(ev.SpeechEnded())

    def over(self, plies: int) -> bool:
        return self.state.game.result is not None or len(self.state.game.played) >= plies

    def happen(self, event: ev.Event) -> None:
        """As the program does: journalled first, then known, then told."""
        event = replace(event, at=max(event.at, self.state.now_ms))
        after, effects = step(self.state, event)
        self.journal.append(self.game, self.entries, event, self.state, after)
        made = len(after.game.played) - len(self.state.game.played)
        if made == 1:
            self.log.write(f"{len(after.game.played)} {time.monotonic()}\n")
        before, self.state = self.state, after
        self.entries += 1
        self.outbox.happened(before, event, after)
        for effect in effects:
            if isinstance(effect, ev.Again):
                self.happen(effect.event)
            if isinstance(effect, ev.SeekMate):
                self.happen(ev.MateSought())

    def turn(self, chance: random.Random) -> None:
        """One thing that the players do: most often a move."""
        now = self.state.now_ms + chance.choice((2000, 5000, 30_000, 60_000))
        self.happen(ev.Tick(at=now))
        if chance.random() < 0.08:
            for word in chance.choice(_WORDS):
                self.happen(ev.Heard(words=(word,)))
        if self.state.clocks.stopped:  # the players go on, or an arbiter comes and lets them
            for word in ("arbiter", "yes", "3", "yes") if self.state.hall.held else ("yes",):
                self.happen(ev.Heard(words=(word,)))
        if not self.state.game.result and (legal := self.state.game.position.legal):
            uci = chance.choice(legal).uci
            for word in (f"{uci[:2]} {uci[2:4]}", "yes", "queen", "yes"):
                plies = len(self.state.game.played)
                self.happen(ev.Heard(words=(word,)))
                if len(self.state.game.played) > plies:
                    break
        self.happen(ev.SpeechEnded())

    def proposals(self, seconds: float) -> None:
        """Apply what arbiters propose, for so long."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                self.happen(self.reports.get(timeout=left))


def _pushes(plan: Plan, ways: Mapping[int, str], folders: Mapping[int, Path]) -> None:
    """Tell the hall of many tables what games would: a move and the clocks, one table after the other."""
    stores = {table: PostgresTable(way, table) for table, way in ways.items()}
    for store in stores.values():
        store.alive()
    while not (next(iter(folders.values())).parent / "go").exists():
        time.sleep(0.1)
    began = time.monotonic()
    for ply in range(1, plan.plies + 1):
        colour = "white" if ply % 2 else "black"
        told = (MoveMade(ply, colour, "e2e4", "e4", 90_000), ClocksShown(colour, 90_000, 90_000))
        for place, (table, store) in enumerate(stores.items()):
            due = began + plan.pace_s * (ply + place / len(stores))
            time.sleep(max(0.0, due - time.monotonic()))
            with (folders[table] / "committed").open("a", encoding="utf-8") as log:
                log.write(f"{ply} {time.monotonic()}\n")
            store.append("a", [PushedEntry(2 * ply - 2 + n, to_json(one)) for n, one in enumerate(told)])
    for each in folders.values():
        (each / "over").touch()


# The desk


def _desk(plan: Plan, dsn: str, folder: Path) -> None:
    """Know all tables, decide something now and then, and write down what is known when it is asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    chance = random.Random(f"{plan.seed} desk {os.getpid()}")
    store, hall = PostgresHall(dsn), Hall()
    log = (folder / "known").open("a", encoding="utf-8", buffering=1)
    while True:
        with contextlib.suppress(HallLostError):
            records = store.since(hall.cursor)
            hall = hall.with_records(records)
            now = time.monotonic()
            for record in records:
                if isinstance(record.entry, MoveMade):
                    log.write(f"{record.table} {record.entry.ply} {now}\n")
            if plan.trouble and hall.tables and chance.random() < 0.2:
                game = chance.choice(list(hall.tables.values()))
                store.propose(game.table, game.game, "Eva", chance.choice(_DECISIONS))
            if (folder / "tell").exists():
                part = folder / "part"
                part.write_bytes(pickle.dumps([_public(one) for one in hall.games.values()]))
                part.replace(folder / "told")
                return
            store.wait(0.5)
            continue
        time.sleep(0.1)


def _public(game: TableGame) -> TableGame:
    """What must be the same whenever it came: all but the times on the hall's clock."""
    return replace(game, at_ms=0, opened_ms=0, clocks_ms=0, ahead={})  # which can be pickled


# Trouble on the way


class Proxy:
    """Between the tables and the server: holds up what is sent, and cuts connections."""

    def __init__(self, port: int, seed: int) -> None:
        self._to, self._chance = port, random.Random(seed)
        self.rough = False
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        started: queue.SimpleQueue[int] = queue.SimpleQueue()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        self.port = started.get()

    def cut(self) -> None:
        """Cut every connection."""
        self._loop.call_soon_threadsafe(lambda: [one.transport.abort() for one in self._open])

    def _run(self, started: queue.SimpleQueue[int]) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._pass, "127.0.0.1", 0, backlog=512))
        started.put(server.sockets[0].getsockname()[1])
        self._loop.run_forever()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, far_writer}
        ways = (self._pump(reader, far_writer), self._pump(far_reader, writer))
        await asyncio.gather(*ways, return_exceptions=True)
        self._open -= {writer, far_writer}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 14):
                if self.rough:
                    await asyncio.sleep(self._chance.choice((0, 0, 0, 0.05, 0.5)))
                    if self._chance.random() < 0.003:
                        break
                writer.write(data)
                await writer.drain()
        finally:
            writer.transport.abort()


# The round


def play_round(plan: Plan, folder: Path) -> Outcome:
    """Play a round in an empty folder, and compare what the hall knows with the journals."""
    server = PrivatePostgres(folder / "server", connections=plan.tables + 40)
    try:
        return _Round(plan, folder, server).played()
    finally:
        server.stop()


def measure_pushes(plan: Plan, folder: Path, processes: int = 8) -> Outcome:
    """How soon a desk knows what so many tables tell, of which some share a process, and play no games."""
    server = PrivatePostgres(folder / "server", connections=plan.tables + 40)
    try:
        made = _Round(plan, folder, server)
        for each in made.folders.values():
            each.mkdir()
        made.desk()
        shares = [list(made.folders)[first::processes] for first in range(processes)]
        pushing = [
            _started(
                _pushes,
                plan,
                {one: made.directly(one) for one in share},
                {one: made.folders[one] for one in share},
            )
            for share in shares
        ]
        while server.sessions(_NAME) < plan.tables:
            time.sleep(1)
        (folder / "go").touch()
        for process in pushing:
            process.join()
        time.sleep(2)
        return Outcome(entries=2 * plan.tables * plan.plies, delays_ms=list(_delays(folder, made.folders)))
    finally:
        server.stop()


class _Round:
    """The processes of a round, and what becomes of them."""

    def __init__(self, plan: Plan, folder: Path, server: PrivatePostgres) -> None:
        self.plan, self.folder, self.server = plan, folder, server
        self.outcome, self.chance = Outcome(), random.Random(plan.seed)
        make_hall(server.admin, _NAME)
        self.arbiter = server.dsn(_NAME, "eva", make_login(server.admin, _NAME, "arbiter", "eva"))
        self.proxy = Proxy(server.port, plan.seed)
        self.folders = {table: folder / f"table-{table}" for table in range(1, plan.tables + 1)}
        store = PostgresHall(self.arbiter)
        self.keys = {table: store.make_key(table) for table in self.folders}
        store.close()

    def directly(self, table: int) -> str:
        """How a table reaches the server without the proxy."""
        return self.server.dsn(_NAME, f"{_NAME}_table_{table}", self.keys[table])

    def _way(self, table: int) -> str:
        """How a table reaches the server: by the proxy."""
        return self.directly(table).replace(f"port={self.server.port}", f"port={self.proxy.port}")

    def played(self) -> Outcome:
        """Let all games come to their end, whatever happens, and say what the hall knows of them."""
        began = time.monotonic()
        for each in self.folders.values():
            each.mkdir()
        desk = self.desk()
        tables = {table: self._table(table) for table in self.folders}
        while not all((each / "over").exists() for each in self.folders.values()):
            time.sleep(0.5)
            if self.plan.trouble:
                self._trouble(desk, tables)
            desk = desk if desk.is_alive() else self.desk()
            tables = {table: one if one.is_alive() else self._table(table) for table, one in tables.items()}
        self.proxy.rough = False
        for each in self.folders.values():
            (each / "leave").touch()
        for one in tables.values():
            one.join(120)
        (self.folder / "tell").touch()
        desk.join(120)
        self._compare()
        self.outcome.seconds = time.monotonic() - began
        return self.outcome

    def _table(self, number: int) -> BaseProcess:
        return _started(_table, self.plan, number, self._way(number), self.folders[number])

    def desk(self) -> BaseProcess:
        """Start the desk."""
        return _started(_desk, self.plan, self.arbiter, self.folder)

    def _trouble(self, desk: BaseProcess, tables: Mapping[int, BaseProcess]) -> None:
        """Kill or cut something, or let the connections be rough or smooth."""
        match self.chance.randrange(12):
            case 0:
                self.server.kill()
                time.sleep(self.chance.uniform(0, 2))
                self.server.start()
                self.outcome.killed += 1
            case 1:
                self._kill(desk)
            case 2 | 3:
                self._kill(self.chance.choice(list(tables.values())))
            case 4:
                self.proxy.cut()
            case 5 | 6:
                self.proxy.rough = not self.proxy.rough

    def _kill(self, process: BaseProcess) -> None:
        if process.is_alive():
            os.kill(process.pid or 0, signal.SIGKILL)
            process.join()
            self.outcome.killed += 1

    def _compare(self) -> None:
        known = {game.table: game for game in pickle.loads((self.folder / "told").read_bytes())}  # noqa: S301  # ours
        for table, folder in self.folders.items():
            told = _from_journal(table, folder)
            self.outcome.entries += told.known
            if known.get(table) != told:
                self.outcome.wrong.append(table)
        self.outcome.delays_ms = [] if self.plan.trouble else list(_delays(self.folder, self.folders))


def _started(do: Callable[..., None], *values: object) -> BaseProcess:
    process = _PROCESSES.Process(target=do, args=values, daemon=True)
    process.start()
    return process


def _from_journal(table: int, folder: Path) -> TableGame:
    """What the entries of a journal come to, without a hall."""
    journal = Journal(folder)
    game = journal.games()[0].id
    journal.load(game)
    told = [entry for happening in journal.history(game)() for entry in entries(*happening)]
    name = journal.name(game)
    journal.close()
    records = (HallRecord(table, name, number, 0, entry) for number, entry in enumerate(told))
    return _public(Hall().with_records(records).games[table, name])


def _delays(folder: Path, folders: Mapping[int, Path]) -> Iterator[float]:
    """From the commit of each move at its table to the desk's knowledge, in ms."""
    known: dict[tuple[int, int], float] = {}
    for line in (folder / "known").read_text("utf-8").splitlines():
        table, ply, at = line.split()
        known.setdefault((int(table), int(ply)), float(at))
    for table, each in folders.items():
        for line in (each / "committed").read_text("utf-8").splitlines():
            number, at = line.split()
            if (table, int(number)) in known:
                yield 1000 * (known[table, int(number)] - float(at))


def main() -> None:
    """Play a round, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--plies", type=int, default=80)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between the moves of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smooth", action="store_true", help="no trouble: measures how soon a move is known")
    parser.add_argument(
        "--pushes", action="store_true", help="as smooth, without games: for very many tables"
    )
    given = parser.parse_args()
    plan = Plan(given.tables, given.plies, given.pace, not (given.smooth or given.pushes), given.seed)
    with tempfile.TemporaryDirectory(prefix="hall") as folder:
        Path(folder).chmod(0o755)
        outcome = (measure_pushes if given.pushes else play_round)(plan, Path(folder))
    delays = sorted(outcome.delays_ms)
    told = {
        "tables": plan.tables,
        "entries": outcome.entries,
        "killed": outcome.killed,
        "wrong": outcome.wrong,
        "seconds": round(outcome.seconds),
    }
    if delays:
        told |= {
            "moves": len(delays),
            "median_ms": round(statistics.median(delays), 1),
            "p95_ms": round(delays[int(0.95 * len(delays))], 1),
            "p99_ms": round(delays[int(0.99 * len(delays))], 1),
            "most_ms": round(delays[-1], 1),
        }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
