# SPDX-License-Identifier: GPL-3.0-or-later
"""How different two pronunciations are, by the articulation of their sounds, described in `phones.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import tomli

SoundSequence = tuple[str, ...]
_ROUNDED = 1e-9  # more than sums of costs are rounded by


@cache
def _table() -> Mapping[str, Any]:
    return tomli.loads(Path(__file__).with_name("phones.toml").read_text("utf-8"))


@cache
def phones() -> frozenset[str]:
    """The names of the sounds of ARPAbet."""
    return frozenset(name for kind in ("consonant", "vowel", "double") for name in _table()[kind])


@cache
def vowels() -> frozenset[str]:
    """Those of them that are vowels or begin with one."""
    table = _table()
    return frozenset(
        {*table["vowel"], *(name for name, parts in table["double"].items() if parts[0] in table["vowel"])}
    )


@cache
def single(pronunciation: str) -> SoundSequence:
    """A pronunciation as its sounds, diphthongs split: "D R AY" -> D, R, AA, IY."""
    doubles = _table()["double"]
    return tuple(part for sound in pronunciation.split() for part in doubles.get(sound, (sound,)))


def edits(one: SoundSequence, other: SoundSequence) -> int:
    """How many sounds must be added, left out or changed to turn one into the other."""
    row = list(range(len(other) + 1))
    for at, sound in enumerate(one, 1):
        last, row[0] = row[0], at
        for place, known in enumerate(other, 1):
            last, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, last + (sound != known))
    return row[-1]


def distance(one: SoundSequence, other: SoundSequence, most: float = 1.0) -> float:
    """How different two words are, per sound of the longer one: 0 the same, about 1 nothing in common.

    The cheapest way to turn one into the other by adding, leaving out and changing sounds. Beyond `most` it
    may be any number above it.
    """
    longest = max(len(one), len(other))
    left, dear = _least(one, other), most * longest + _ROUNDED
    if max(left, _least(other, one)) > dear:
        return most + 1
    cheapest = _cheapest(other)
    added = [_extra(sound) for sound in other]
    row = [0.0, *accumulate(added)]
    for sound in one:
        extra, changes = _extra(sound), _changes(sound)
        before, last = row, row[0] + extra
        row = [last]
        for at, known in enumerate(other):
            last = min(before[at + 1] + extra, last + added[at], before[at] + changes[known])
            row.append(last)
        left -= cheapest[sound]  # what the sounds after it cost at least
        if min(row) + left > dear:
            return most + 1
    return row[-1] / longest


def _least(one: SoundSequence, other: SoundSequence) -> float:
    """A lower bound of the cost: each sound of one is dropped, or becomes one of the other's."""
    return sum(map(_cheapest(other).__getitem__, one))


@cache
def _cheapest(word: SoundSequence) -> Mapping[str, float]:
    """The least cost of each sound when it is matched with a word."""
    return {
        sound: min(_extra(sound), *(_change(sound, known) for known in word), _table()["cost"]["most"])
        for sound in phones()
    }


@cache
def _extra(sound: str) -> float:
    return float(_table()["weak"].get(sound, _table()["cost"]["extra"]))


@cache
def _changes(sound: str) -> Mapping[str, float]:
    """The cost of changing a sound into each."""
    return {other: _change(sound, other) for other in phones()}


@cache
def _change(sound: str, other: str) -> float:
    """The cost of changing one sound into another; the same both ways."""
    table, cost = _table(), _table()["cost"]
    if sound == other:
        return 0.0
    for pair in (f"{sound} {other}", f"{other} {sound}"):
        if pair in table["near"]:
            return float(table["near"][pair])
    for kind, steps in (("consonant", ("place", "hiss", "voice")), ("vowel", ("height", "depth"))):
        if sound in table[kind] and other in table[kind]:
            ways = (table[kind][sound], table[kind][other])
            found = sum(cost[step] * abs(ways[0][step] - ways[1][step]) for step in steps)
            found += cost["manner"] * (ways[0].get("manner") != ways[1].get("manner"))
            return min(float(cost["most"]), float(found))
    return float(cost["most"])
