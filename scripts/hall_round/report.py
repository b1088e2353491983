# SPDX-License-Identifier: GPL-3.0-or-later
"""What has come of a round: whether the hall knows what the journals know, and how soon it knew."""

from __future__ import annotations

import json
import pickle
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from acessivel.hall.board import Hall, HallRecord, TableGame
from acessivel.hall.entries import (
    ArbiterCalled,
    DrawStands,
    FlagsFell,
    GameEnded,
    HallEntry,
    OffencesCounted,
    RulingAwaited,
    entries,
)
from acessivel.storage.journal import Journal
from hall_round.plan import AT_DESK, CASES, COMMITTED, KNOWN, TOLD, Plan

_SEEN = 20  # letters of a sentence by which one knows on a display what it is about


@dataclass
class Outcome:
    """What has come of it: the tables of which the hall knows something else than their journals, if any."""

    wrong: list[int] = field(default_factory=list)
    entries: int = 0
    killed: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    """How often there was what arbiters are needed for, in all journals."""
    known_ms: list[float] = field(default_factory=list)
    shown_ms: list[float] = field(default_factory=list)
    spoken_ms: list[float] = field(default_factory=list)
    urgent: int = 0
    """How much of what is urgent came up, whether it was told by itself or only counted."""
    seconds: float = 0.0


def public(game: TableGame) -> TableGame:
    """What must be the same whenever it came: all but the times on the hall's clock."""
    return replace(game, at_ms=0, opened_ms=0, here_ms=0, clocks_ms=0, ahead={})  # which can be pickled


def compare(outcome: Outcome, folder: Path, tables: Mapping[int, Path]) -> None:
    """Find out of which tables the hall knows something else than their journals; `tables`: their folders."""
    known = {game.table: game for game in pickle.loads((folder / TOLD).read_bytes())}  # noqa: S301  # ours
    for table, own in tables.items():
        made = _made(own)
        told = _folded(table, made)
        outcome.entries += told.known
        outcome.happened.update(filter(None, map(_needs, made[1])))
        if known.get(table) != told:
            outcome.wrong.append(table)


def measure(outcome: Outcome, folder: Path, tables: Mapping[int, Path]) -> None:
    """How soon the hall knew each move, and each desk showed and said each case that came up.

    A case may only be counted there among others.
    """
    outcome.known_ms = list(known_after_ms(folder, tables))
    cases = _cases(tables.values())
    outcome.urgent = len(cases)
    for notes in folder.glob(f"{AT_DESK} *"):
        at_desk = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]
        for way, took_ms in (("shown", outcome.shown_ms), ("spoken", outcome.spoken_ms)):
            told = [(at, text) for how, at, text in at_desk if how == way]
            for case in cases:
                found = (at for at, text in told if at >= case.at and case.is_in(way, text))
                if at := next(found, None):
                    took_ms.append(1000 * (at - case.at))


def together(outcomes: Iterable[Outcome]) -> Outcome:
    """What has come of several rounds that were played at once."""
    first, *others = outcomes
    for one in others:
        first.wrong += one.wrong
        first.entries += one.entries
        first.killed += one.killed
        first.happened += one.happened
        first.known_ms += one.known_ms
        first.shown_ms += one.shown_ms
        first.spoken_ms += one.spoken_ms
        first.urgent += one.urgent
        first.seconds = max(first.seconds, one.seconds)
    return first


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
    return public(Hall().with_records(records).games[table, name])


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
        for line in (folder / CASES).read_text("utf-8").splitlines():
            kind, at, sentence, brief = json.loads(line)
            if kind == "flag" and flag:
                flag.sentences.append(sentence)
                flag.briefs.append(brief)
                continue
            cases.append(case := _Case(at, [sentence], [brief]))
            flag = case if kind == "flag" else flag
    return cases


def known_after_ms(folder: Path, tables: Mapping[int, Path]) -> Iterator[float]:
    """From the commit of each move at its table to the desk's knowledge, in ms."""
    known: dict[tuple[int, int], float] = {}
    for line in (folder / KNOWN).read_text("utf-8").splitlines():
        table, ply, at = line.split()
        known.setdefault((int(table), int(ply)), float(at))
    for number, own in tables.items():
        for line in (own / COMMITTED).read_text("utf-8").splitlines():
            ply, at = line.split()
            if (number, int(ply)) in known:
                yield 1000 * (known[number, int(ply)] - float(at))


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


def summary(plan: Plan, outcome: Outcome) -> Mapping[str, object]:
    """What is printed of a round."""
    return {
        "halls": plan.halls,
        "tables": plan.tables,
        "arbiters": plan.arbiters,
        "entries": outcome.entries,
        "killed": outcome.killed,
        "wrong": outcome.wrong,
        "seconds": round(outcome.seconds),
        **outcome.happened,
        **_percentiles("known", outcome.known_ms),
        "urgent": outcome.urgent,
        **_percentiles("cells", outcome.shown_ms),
        **_percentiles("voice", outcome.spoken_ms),
    }
