# SPDX-License-Identifier: GPL-3.0-or-later
"""The desks of a round: one that knows and decides, and the program's own, with what it shows and says."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import random
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from acessivel.app.desk import DeskActivity
from acessivel.app.loop import Loop
from acessivel.devices import keys
from acessivel.devices.braille_panel import BraillePanel
from acessivel.devices.devices import Devices, SpeechDone
from acessivel.hall.board import Hall
from acessivel.hall.desk_link import DeskLink
from acessivel.hall.entries import MoveMade
from acessivel.hall.postgres import PostgresHall
from acessivel.hall.store import ArbiterDecision, HallLostError, Proposal
from braille.displays.none import NoDisplay
from braille.notation import load_code
from braille.window import Size
from hall_round.plan import KNOWN, TELL, TOLD, Plan
from hall_round.report import public
from voices.speakers import Span
from voices.speakers.manner import Manner
from voices.speakers.speech import Speech

_DECISIONS = (
    ArbiterDecision("warn", (1,)), ArbiterDecision("time", (2, 1, 1, 0)), ArbiterDecision("coming"),
    ArbiterDecision("stop"), ArbiterDecision("go"),
)  # fmt: skip


class _NotedVoice:
    """Says everything at once, and notes when it was given what."""

    name = "noted"
    began = 0.0
    failed = cut = False
    limits: Mapping[str, tuple[int, int]] = MappingProxyType({})

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


def sit(dsn: str, notes: Path) -> None:
    """Sit at the program's own desk, and note what it gives to the voice and to the display, and when."""
    log = notes.open("w", encoding="utf-8", buffering=1)

    def note(way: str, text: str) -> None:
        log.write(json.dumps([way, time.monotonic(), text]) + "\n")

    reports: queue.SimpleQueue[object] = queue.SimpleQueue()

    def on_spoken(number: int) -> None:
        reports.put(SpeechDone(number))

    voice = _NotedVoice(note)
    devices = Devices(lambda _: None, Speech(voice, on_spoken), voice)
    devices.bindings, devices.inputs = keys.load(place="hall"), {"display"}
    devices.panel = BraillePanel(_NotedDisplay(note), "en", "fide", bindings=devices.bindings)
    loop, link = Loop(devices, reports), DeskLink(PostgresHall(dsn), "Ana")
    activity = DeskActivity("Ana", ("en", "fide"), devices, link.wish)
    link.start(partial(loop.report_to, activity))
    loop.run(activity)


def follow(plan: Plan, dsn: str, folder: Path) -> None:
    """Know all tables, decide something now and then, and write down what is known when it is asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    chance = random.Random(f"{plan.seed} desk {os.getpid()}")
    store, hall = PostgresHall(dsn), Hall()
    log = (folder / KNOWN).open("a", encoding="utf-8", buffering=1)
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
                decision = replace(chance.choice(_DECISIONS), plies=len(game.moves))
                store.propose(Proposal(0, game.table, game.game, "Eva", decision))
            if (folder / TELL).exists():
                part = folder / "part"
                part.write_bytes(pickle.dumps([public(one) for one in hall.games.values()]))
                part.replace(folder / TOLD)
                return
            store.wait(0.5)
            continue
        time.sleep(0.1)
