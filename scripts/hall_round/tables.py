# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of a round: games without devices, in which chance says what players say."""

from __future__ import annotations

import contextlib
import json
import queue
import random
import signal
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from acessivel.game.game import Setup
from acessivel.hall.board import Hall, HallRecord
from acessivel.hall.cases import queue as queue_of_cases
from acessivel.hall.entries import ClocksShown, MoveMade, entries, to_json
from acessivel.hall.outbox import Outbox
from acessivel.hall.postgres import PostgresTable
from acessivel.hall.store import PushedEntry
from acessivel.messages.rendering import Renderer
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.step import step
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Happening
from hall_round.plan import CASES, COMMITTED, GO, LEAVE, OVER, Plan

# What is said at a table beside the moves, each now and then.
_WORDS = (
    ("threefold", "yes"), ("I claim a draw", "yes"), ("arbiter", "no"), ("offer a draw", "yes", "no"),
    ("stop the clock",), ("what time",), ("material",), ("arbiter", "yes", "1", "2", "yes"),
)  # fmt: skip
# Each third table has no increment: flags fall, and draws are claimed with little time (10.2, 2009).
_SHORT = 3
# At each fifth table an illegal move stands until it is found, which the arbiter must know.
_STRICT, _ILLEGAL = 5, 0.03
_LITTLE_MS = 120_000
_ENGLISH = Renderer("en", "fide")
_URGENT = ("flag", "claim", "irregularity", "call")


def play(plan: Plan, number: int, dsn: str, folder: Path) -> None:
    """Play a game from where its journal has it, to its end or its last move."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    journal = Journal(folder)
    short = number % _SHORT == 0
    clock, laws = ("10", "fide-2009") if short else ("90+30", "fide-2018")
    players = {"white": f"White {number}", "black": f"Black {number}"}
    setup = Setup.of(clock=clock, laws=laws, strict=number % _STRICT == 0, language="en", **players)
    begun = journal.games()
    game = begun[0].id if begun else journal.create(setup, f"2026-01-01T00:00:{number % 60:02d}")
    played = _Played(journal, game, folder, dsn, number, notes=not plan.trouble)
    chance = random.Random(f"{plan.seed} {number} {played.entries}")
    time.sleep(chance.random() * plan.pace_s)
    while not played.over(plan.plies):
        played.turn(chance)
        played.proposals(plan.pace_s * chance.uniform(0.5, 1.5))
    (folder / OVER).touch()
    while not ((folder / LEAVE).exists() and played.outbox.settled):  # what arbiters decide still comes
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
        self.cases = (folder / CASES).open("a", encoding="utf-8", buffering=1) if notes else None
        self.hall, self.known = Hall(), frozenset[str]()
        stored = journal.load(game)
        self.state, self.entries = stored.state, stored.entries
        self.reports: queue.SimpleQueue[ev.Event] = queue.SimpleQueue()
        self.log = (folder / COMMITTED).open("a", encoding="utf-8", buffering=1)
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
            if isinstance(effect, ef.Again):
                self.happen(effect.event)
            if isinstance(effect, ef.SeekMate):
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
            self._say("arbiter", "yes", "6", "2", "yes")
        if self.state.clocks.stopped:  # the players go on, or an arbiter comes and lets them
            self._say(*(("arbiter", "yes", "3", "yes") if self.state.hall.held else ("yes",)))
        if chance.random() < 0.08:
            self._say(*(("I claim a draw", "yes") if self._in_trouble else chance.choice(_WORDS)))
        waits = self.state.clocks.stopped or self.state.game.result  # stopped until the next turn
        if not waits and (legal := self.state.game.position.legal):
            origin, target = (uci := chance.choice(legal).uci)[:2], uci[2:4]
            if self.state.setup.rulebook.strict and chance.random() < _ILLEGAL:
                target = chance.choice("abcdefgh") + chance.choice("12345678")
            for word in (f"{origin} {target}", "yes", "queen", "yes"):
                plies = len(self.state.game.played)
                self._say(word)
                if len(self.state.game.played) > plies:
                    break
        self.happen(ev.SpeechEnded())

    def _say(self, *words: str) -> None:
        """Say these words, each after what was told before has been heard to its end."""
        for word in words:
            self.happen(ev.SpeechEnded())
            self.happen(ev.Heard(words=(word,)))

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


def push(plan: Plan, ways: Mapping[int, str], folders: Mapping[int, Path]) -> None:
    """Tell the hall of many tables what games would: a move and the clocks, one table after the other."""
    stores = {table: PostgresTable(way, table) for table, way in ways.items()}
    for store in stores.values():
        store.alive()
    while not (next(iter(folders.values())).parent / GO).exists():
        time.sleep(0.1)
    began = time.monotonic()
    for ply in range(1, plan.plies + 1):
        colour = "white" if ply % 2 else "black"
        told = (MoveMade(ply, colour, "e2e4", "e4", 90_000), ClocksShown(colour, 90_000, 90_000))
        for place, (table, store) in enumerate(stores.items()):
            due = began + plan.pace_s * (ply + place / len(stores))
            time.sleep(max(0.0, due - time.monotonic()))
            with (folders[table] / COMMITTED).open("a", encoding="utf-8") as log:
                log.write(f"{ply} {time.monotonic()}\n")
            store.append("a", [PushedEntry(2 * ply - 2 + n, to_json(one)) for n, one in enumerate(told)])
    for each in folders.values():
        (each / OVER).touch()
