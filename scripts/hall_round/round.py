# SPDX-License-Identifier: GPL-3.0-or-later
"""A round: its processes, and the trouble that is made for them."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

from private_postgres import PrivatePostgres

from acessivel.hall.database import make_hall, make_login
from acessivel.hall.postgres import PostgresHall
from hall_round import desk, report, tables
from hall_round.plan import AT_DESK, GO, LEAVE, OVER, TELL, Plan
from hall_round.proxy import Proxy
from hall_round.report import Outcome

_CONNECTIONS = 40  # to a hall, beside those of its tables
_TOLD_FIRST = 2  # of what a desk says, before all that comes up: a welcome, and what waits
_LEAVES_S = 120  # how long a table or the desk may take to its end
# None inherits the connections of another.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["hall_round.desk", "hall_round.tables"])


def play_round(plan: Plan, folder: Path) -> Outcome:
    """Play a round of each hall in an empty folder, and compare what the halls know with the journals."""
    server = _server(plan, folder)
    try:
        rounds = []
        for number in range(1, plan.halls + 1):
            (own := folder / f"hall-{number}").mkdir()
            share = replace(plan, tables=plan.tables // plan.halls, seed=plan.seed + number - 1)
            rounds.append(_Round(share, own, server, f"hall{number}"))
        with ThreadPoolExecutor(plan.halls) as pool:
            return report.together(pool.map(_Round.played, rounds))
    finally:
        server.stop()


def measure_pushes(plan: Plan, folder: Path, processes: int = 8) -> Outcome:
    """How soon a desk knows what so many tables tell, of which some share a process, and play no games."""
    server = _server(plan, folder)
    try:
        made = _Round(plan, folder, server, "hall")
        for each in made.folders.values():
            each.mkdir()
        made.desk()
        shares = [list(made.folders)[first::processes] for first in range(processes)]
        pushing = [
            _started(
                tables.push,
                plan,
                {one: made.directly(one) for one in share},
                {one: made.folders[one] for one in share},
            )
            for share in shares
        ]
        while server.sessions(made.name) < plan.tables:
            time.sleep(1)
        (folder / GO).touch()
        for process in pushing:
            process.join()
        time.sleep(2)
        known_ms = list(report.known_after_ms(folder, made.folders))
        return Outcome(entries=2 * plan.tables * plan.plies, known_ms=known_ms)
    finally:
        server.stop()


def _server(plan: Plan, folder: Path) -> PrivatePostgres:
    return PrivatePostgres(folder / "server", connections=plan.tables + _CONNECTIONS * plan.halls)


def _sits(notes: Path) -> bool:
    """Whether a desk has welcomed its arbiter, and told what waits."""
    return notes.exists() and notes.read_text("utf-8").count('["spoken", ') >= _TOLD_FIRST


class _Round:
    """The processes of a round in the hall of a name, and what becomes of them."""

    def __init__(self, plan: Plan, folder: Path, server: PrivatePostgres, name: str) -> None:
        self.plan, self.folder, self.server, self.name = plan, folder, server, name
        self.outcome, self.chance = Outcome(), random.Random(plan.seed)
        make_hall(server.admin, name)
        self.arbiter = server.dsn(
            name, f"eva_{name}", make_login(server.admin, name, "arbiter", f"eva_{name}")
        )
        self.proxy = Proxy(server.port, plan.seed)
        self.folders = {table: folder / f"table-{table}" for table in range(1, plan.tables + 1)}
        store = PostgresHall(self.arbiter)
        self.keys = {table: store.make_key(table) for table in self.folders}
        store.close()

    def directly(self, table: int) -> str:
        """How a table reaches the server without the proxy."""
        return self.server.dsn(self.name, f"{self.name}_table_{table}", self.keys[table])

    def _way(self, table: int) -> str:
        """How a table reaches the server: by the proxy."""
        return self.directly(table).replace(f"port={self.server.port}", f"port={self.proxy.port}")

    def played(self) -> Outcome:
        """Let all games come to their end, whatever happens, and say what the hall knows of them."""
        began = time.monotonic()
        for each in self.folders.values():
            each.mkdir()
        follows = self.desk()
        arbiters = range(0 if self.plan.trouble else self.plan.arbiters)
        at_desks = [self.folder / f"{AT_DESK} {one}" for one in arbiters]
        sitting = [_started(desk.sit, self.arbiter, notes) for notes in at_desks]
        while not all(map(_sits, at_desks)):  # what has come up before is only counted there
            time.sleep(0.1)
        playing = {table: self._table(table) for table in self.folders}
        while not all((each / OVER).exists() for each in self.folders.values()):
            time.sleep(0.5)
            if self.plan.trouble:
                self._trouble(follows, playing)
            follows = follows if follows.is_alive() else self.desk()
            playing = {table: one if one.is_alive() else self._table(table) for table, one in playing.items()}
        self._end(follows, playing)
        for one in sitting:
            one.kill()
            one.join()
        report.compare(self.outcome, self.folder, self.folders)
        if not self.plan.trouble:
            report.measure(self.outcome, self.folder, self.folders)
        self.outcome.seconds = time.monotonic() - began
        return self.outcome

    def _end(self, follows: BaseProcess, playing: Mapping[int, BaseProcess]) -> None:
        """Let the tables tell the rest, and then the desk what it knows."""
        self.proxy.rough = False
        for each in self.folders.values():
            (each / LEAVE).touch()
        for one in playing.values():
            one.join(_LEAVES_S)
        (self.folder / TELL).touch()
        follows.join(_LEAVES_S)

    def _table(self, number: int) -> BaseProcess:
        return _started(tables.play, self.plan, number, self._way(number), self.folders[number])

    def desk(self) -> BaseProcess:
        """Start the desk."""
        return _started(desk.follow, self.plan, self.arbiter, self.folder)

    def _trouble(self, follows: BaseProcess, playing: Mapping[int, BaseProcess]) -> None:
        """Kill or cut something, or let the connections be rough or smooth."""
        match self.chance.randrange(12):
            case 0:
                self.server.kill()
                time.sleep(self.chance.uniform(0, 2))
                self.server.start()
                self.outcome.killed += 1
            case 1:
                self._kill(follows)
            case 2 | 3:
                self._kill(self.chance.choice(list(playing.values())))
            case 4:
                self.proxy.cut()
            case 5 | 6:
                self.proxy.rough = not self.proxy.rough

    def _kill(self, process: BaseProcess) -> None:
        if process.is_alive():
            os.kill(process.pid or 0, signal.SIGKILL)
            process.join()
            self.outcome.killed += 1


def _started(do: Callable[..., None], *values: object) -> BaseProcess:
    process = _PROCESSES.Process(target=do, args=values, daemon=True)
    process.start()
    return process
