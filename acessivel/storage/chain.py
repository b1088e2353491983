# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of a game as a chain of hashes (SHA-256), which shows what is missing or was changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from acessivel.message import Message


class Entry(NamedTuple):
    """An event as JSON with its effect: the move in UCI or how many were taken back, and the result as JSON.

    `link` is the hash of all this and of the link before it.
    """

    number: int
    event: str
    move: str | None
    result: str | None
    link: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """The first thing in a stored game that is "changed", "missing" or "unreadable": an entry by its number.

    None for what was agreed.
    """

    kind: str
    entry: int | None = None

    @property
    def message(self) -> Message:
        """What is wrong, as part of a sentence."""
        if self.entry is None:
            return Message.of(f"damaged_agreed_{self.kind}")
        return Message.of(f"damaged_{self.kind}", entry=self.entry + 1)


def origin(started: str, setup: str) -> bytes:
    """The first link, of when a game began and what was agreed for it."""
    return _hash(b"", started, setup)


def linked(before: bytes, number: int, event: str, move: str | None, result: str | None) -> Entry:
    """An entry with its link to the one before."""
    return Entry(number, event, move, result, _hash(before, number, event, move, result))


def relinked(first: bytes, entries: Iterable[Entry]) -> list[Entry]:
    """Entries with links made anew."""
    made: list[Entry] = []
    for each in entries:
        made.append(linked(made[-1].link if made else first, *each[:4]))
    return made


def sound(first: bytes, entries: Sequence[Entry], count: int) -> tuple[Sequence[Entry], Damage | None]:
    """The entries before the first damage, and that damage; `count`: how many there should be."""
    before = first
    for number, entry in enumerate(entries):
        if entry.number != number:
            return entries[:number], Damage("missing", number)
        if linked(before, *entry[:4]) != entry:
            return entries[:number], Damage("changed", number)
        before = entry.link
    return entries, None if len(entries) >= count else Damage("missing", len(entries))


def _hash(before: bytes, *values: object) -> bytes:
    return hashlib.sha256(before + json.dumps(values, default=repr).encode()).digest()
