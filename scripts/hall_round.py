# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of many tables over a real PostgreSQL, with all that can go wrong; says what arrives, and how soon.

Each table is a process with the program's own session, journal and outbox, and so is the desk. Servers, desk
and tables are killed, connections cut and held up; at the end the hall must know of each game what its
journal knows. Without trouble it measures from the journal's commit at a table to the desk's knowledge, and,
of what is urgent, to the cells of an arbiter's display and to his voice, by the program's own desk.
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
import re
import signal
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

from private_postgres import PrivatePostgres

from acessivel.app.desk import DeskActivity
from acessivel.app.loop import Loop
from acessivel.devices import keys
from acessivel.devices.braille_panel import BraillePanel
from acessivel.devices.devices import Devices, SpeechDone
from acessivel.game.game import Setup
from acessivel.hall.board import Hall, HallRecord, TableGame
from acessivel.hall.cases import queue as queue_of_cases
from acessivel.hall.desk_link import DeskLink
from acessivel.hall.entries import (
    ArbiterCalled,
    ClocksShown,
    DrawStands,
    FlagsFell,
    GameEnded,
    HallEntry,
    MoveMade,
    OffencesCounted,
    RulingAwaited,
    entries,
    to_json,
)
from acessivel.hall.outbox import Outbox
from acessivel.hall.postgres import PostgresHall, PostgresTable, make_hall, make_login
from acessivel.hall.store import ArbiterDecision, HallLostError, PushedEntry
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Happening
from braille.displays.none import NoDisplay
from braille.notation import load_code
from braille.window import Size
from voices.speakers import Span
from voices.speakers.manner import Manner
from voices.speakers.speech import Speech

_NAME = "hall"
# None inherits the connections of another.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["hall_round"])
# What is said at a table beside the moves, each now and then.
_WORDS = (
    ("threefold", "yes"), ("I claim a draw", "yes"), ("arbiter", "no"), ("offer a draw", "yes", "no"),
    ("stop the clock", "yes"), ("what time",), ("material",), ("arbiter", "yes", "1", "2", "yes"),
)  # fmt: skip
# Each third table has no increment: flags fall, and draws are claimed with little time (10.2, 2009).
_SHORT = 3
_LITTLE_MS = 120_000
_SEEN = 20  # letters of a sentence by which one knows on a display what it is about
_ENGLISH = Renderer("en", "fide")
_URGENT = ("flag", "claim", "irregularity", "call")
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
    happened: Counter[str] = field(default_factory=Counter)
    """How often there was what arbiters are needed for, in all journals."""
    delays_ms: list[float] = field(default_factory=list)
    shown_ms: list[float] = field(default_factory=list)
    spoken_ms: list[float] = field(default_factory=list)
    urgent: int = 0
    """How much of what is urgent came up, whether it was told by itself or only counted."""
    seconds: float = 0.0


# A table


def _table(plan: Plan, number: int, dsn: str, folder: Path) -> None:
    """Play a game from where its journal has it, to its end or its last move."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    journal = Journal(folder)
    short = number % _SHORT == 0
    clock, laws = ("10", "fide-2009") if short else ("90+30", "fide-2018")
    setup = Setup.of(clock=clock, laws=laws, language="en", white=f"White {number}", black=f"Black {number}")
    begun = journal.games()
    game = begun[0].id if begun else journal.create(setup, f"2026-01-01T00:00:{number % 60:02d}")
    played = _Played(journal, game, folder, dsn, number, notes=not plan.trouble)
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

    def __init__(  # noqa: PLR0913  # where it is, and what it tells
        self, journal: Journal, game: int, folder: Path, dsn: str, table: int, *, notes: bool
    ) -> None:
        """`notes`: write down when each case for an arbiter is committed."""
        self.journal, self.game, self.table = journal, game, table
        self.cases = (folder / "cases").open("a", encoding="utf-8", buffering=1) if notes else None
        self.hall, self.known = Hall(), frozenset[str]()
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
        committed = time.monotonic()
        made = len(after.game.played) - len(self.state.game.played)
        if made == 1:
            self.log.write(f"{len(after.game.played)} {committed}\n")
        before, self.state = self.state, after
        self.entries += 1
        self.outbox.happened(before, event, after)
        if self.cases:
            self._note((before, event, after), committed)
        for effect in effects:
            if isinstance(effect, ev.Again):
                self.happen(effect.event)
            if isinstance(effect, ev.SeekMate):
                self.happen(ev.MateSought())

    def _note(self, happening: Happening, committed: float) -> None:
        """Write down each case that comes up at a desk by this, and its sentence."""
        number = sum(game.known for game in self.hall.games.values())
        told = entries(*happening)
        self.hall = self.hall.with_records(
            HallRecord(self.table, "", number + place, 0, entry) for place, entry in enumerate(told)
        )
        waiting = queue_of_cases(self.hall, {}, 0)
        for case in waiting:
            by_flag = case.kind == "end" and self.hall.tables[self.table].flags
            kind = "flag" if by_flag else case.kind
            if kind in _URGENT and case.name not in self.known and self.cases:
                noted = [kind, committed, _ENGLISH.text(case.message), _ENGLISH.text(case.brief)]
                self.cases.write(json.dumps(noted) + "\n")
        self.known = frozenset(case.name for case in waiting)

    def turn(self, chance: random.Random) -> None:
        """One thing that the players do: most often a move."""
        now = self.state.now_ms + chance.choice((2000, 5000, 30_000, 60_000))
        self.happen(ev.Tick(at=now))
        if self.state.arbiter.pending:  # an arbiter comes, and rejects the claim
            for word in ("arbiter", "yes", "6", "2", "yes"):
                self.happen(ev.Heard(words=(word,)))
        if chance.random() < 0.08:
            words = ("I claim a draw", "yes") if self._in_trouble else chance.choice(_WORDS)
            for word in words:
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

    @property
    def _in_trouble(self) -> bool:
        """Whether who moves has little time."""
        clock = self.state.game.clock
        left = clock.left(self.state.game.position.turn, self.state.now_ms) if clock else None
        return left is not None and left < _LITTLE_MS

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


class _NotedVoice:
    """Says everything at once, and notes when it was given what."""

    name = "noted"

    def __init__(self, note: Callable[[str, str], None]) -> None:
        self._note = note

    def speak(self, spans: Sequence[Span], on_end: Callable[[], None]) -> None:
        self._note("spoken", " ".join(span.text for span in spans))
        on_end()

    def take(self, manner: Manner) -> None:
        pass

    def hush(self) -> None:
        pass

    def close(self) -> None:
        pass


class _NotedDisplay(NoDisplay):
    """A display of one row that notes when it was given other cells."""

    def __init__(self, note: Callable[[str, str], None]) -> None:
        super().__init__(Size(1, 80))
        code, letters = load_code("en8"), map(chr, range(33, 127))
        self._letters = {code.text(letter)[0]: letter for letter in letters}
        self._note = note

    def show(self, cells: Sequence[int]) -> None:
        if tuple(cells) != self.cells:
            self._note("shown", "".join(self._letters.get(cell, " ") for cell in cells))
        super().show(cells)


def _arbiter(dsn: str, folder: Path) -> None:
    """Sit at the program's own desk, and note what it gives to the voice and to the display, and when."""
    log = (folder / "at the desk").open("w", encoding="utf-8", buffering=1)

    def note(way: str, text: str) -> None:
        log.write(json.dumps([way, time.monotonic(), text]) + "\n")

    reports: queue.SimpleQueue[object] = queue.SimpleQueue()

    def on_spoken(number: int) -> None:
        reports.put(SpeechDone(number))

    voice = _NotedVoice(note)
    devices = Devices(lambda _: None, Speech(voice, on_spoken), voice, on_spoken)
    devices.bindings, devices.inputs = keys.load(place="hall"), {"display"}
    devices.panel = BraillePanel(_NotedDisplay(note), "en", "fide", bindings=devices.bindings)
    loop, link = Loop(devices, reports), DeskLink(PostgresHall(dsn), "Ana")
    activity = DeskActivity("Ana", ("en", "fide"), devices, link.wish)
    link.start(partial(loop.report_to, activity))
    loop.run(activity)


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
        arbiter = None if self.plan.trouble else _started(_arbiter, self.arbiter, self.folder)
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
        if arbiter:
            arbiter.kill()
            arbiter.join()
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
            made = _made(folder)
            told = _folded(table, made)
            self.outcome.entries += told.known
            self.outcome.happened.update(filter(None, map(_needs, made[1])))
            if known.get(table) != told:
                self.outcome.wrong.append(table)
        if not self.plan.trouble:
            self.outcome.delays_ms = list(_delays(self.folder, self.folders))
            self._urgent()

    def _urgent(self) -> None:
        """How soon the desk showed and said each case that came up; one may only be counted among others."""
        cases = _cases(self.folders.values())
        self.outcome.urgent = len(cases)
        at_desk = [json.loads(line) for line in (self.folder / "at the desk").read_text("utf-8").splitlines()]
        for way, delays in (("shown", self.outcome.shown_ms), ("spoken", self.outcome.spoken_ms)):
            told = [(at, text) for how, at, text in at_desk if how == way]
            for case in cases:
                found = (at for at, text in told if at >= case.at and case.is_in(way, text))
                if at := next(found, None):
                    delays.append(1000 * (at - case.at))


def _started(do: Callable[..., None], *values: object) -> BaseProcess:
    process = _PROCESSES.Process(target=do, args=values, daemon=True)
    process.start()
    return process


def _made(folder: Path) -> tuple[str, list[HallEntry]]:
    """The name of the game in a journal, and all its entries."""
    journal = Journal(folder)
    game = journal.games()[0].id
    journal.load(game)
    made = [entry for happening in journal.history(game)() for entry in entries(*happening)]
    name = journal.name(game)
    journal.close()
    return name, made


def _folded(table: int, made: tuple[str, list[HallEntry]]) -> TableGame:
    """What the entries of a game come to, without a hall."""
    name, told = made
    records = (HallRecord(table, name, number, 0, entry) for number, entry in enumerate(told))
    return _public(Hall().with_records(records).games[table, name])


def _needs(entry: HallEntry) -> str:
    """For what an entry needs an arbiter, or what it says that he should know; "" for nothing."""
    match entry:
        case FlagsFell():
            return "flags"
        case RulingAwaited(key) if key:
            return "claims to decide"
        case ArbiterCalled(waiting=True):
            return "calls"
        case DrawStands(colour) if colour:
            return "draw offers"
        case OffencesCounted(colours) if colours:
            return "illegal moves"
        case GameEnded(score) if score != "*":
            return "ends"
    return ""


@dataclass
class _Case:
    """What an arbiter must know, when it was committed, and the words by which he may know it."""

    at: float
    sentences: list[str]
    briefs: list[str]

    def is_in(self, way: str, text: str) -> bool:
        """Whether it is told by a text; a display shows the beginning of a sentence, or a few words."""
        if way == "spoken":
            return any(sentence in text for sentence in self.sentences)
        text = " ".join(text.split())
        begins = any(sentence[:_SEEN] in text for sentence in self.sentences)
        return begins or any(re.search(rf"(?<!\d){re.escape(brief)}", text) for brief in self.briefs)


def _cases(folders: Iterable[Path]) -> list[_Case]:
    """What came up at the tables; a flag and the end of the game by it are one."""
    cases: list[_Case] = []
    for folder in folders:
        flag: _Case | None = None
        for line in (folder / "cases").read_text("utf-8").splitlines():
            kind, at, sentence, brief = json.loads(line)
            if kind == "flag" and flag:
                flag.sentences.append(sentence)
                flag.briefs.append(brief)
                continue
            cases.append(case := _Case(at, [sentence], [brief]))
            flag = case if kind == "flag" else flag
    return cases


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


def _percentiles(name: str, delays_ms: Iterable[float]) -> Mapping[str, float]:
    """How many were measured, and how long they took; nothing for none."""
    delays = sorted(delays_ms)
    if not delays:
        return {}
    return {
        name: len(delays),
        f"{name}_median_ms": round(statistics.median(delays), 1),
        f"{name}_p95_ms": round(delays[int(0.95 * len(delays))], 1),
        f"{name}_p99_ms": round(delays[int(0.99 * len(delays))], 1),
        f"{name}_most_ms": round(delays[-1], 1),
    }


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
    told = {
        "tables": plan.tables,
        "entries": outcome.entries,
        "killed": outcome.killed,
        "wrong": outcome.wrong,
        "seconds": round(outcome.seconds),
        **outcome.happened,
        **_percentiles("known", outcome.delays_ms),
        "urgent": outcome.urgent,
        **_percentiles("cells", outcome.shown_ms),
        **_percentiles("voice", outcome.spoken_ms),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
