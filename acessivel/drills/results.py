# SPDX-License-Identifier: GPL-3.0-or-later
"""The scores of the drills in the data folder: one line of JSON for each round, append-only."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

FILE_NAME = "drills.jsonl"


@dataclass(frozen=True, slots=True)
class DrillResult:
    """A round: the drill, when it ended (ISO 8601, local), the right answers `of` how many, the seconds."""

    drill: str
    date: str
    right: int
    of: int
    seconds: int

    @property
    def percent(self) -> int:
        """The share of right answers."""
        return round(100 * self.right / self.of)


def keep(folder: Path, result: DrillResult) -> None:
    """Append a round to the file, which only its owner can read. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    file = os.open(folder / FILE_NAME, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        end = os.lseek(file, 0, os.SEEK_END)
        torn = end > 0 and os.pread(file, 1, end - 1) != b"\n"  # a line that a crash cut short
        os.write(file, ("\n" * torn + json.dumps(asdict(result)) + "\n").encode())
        os.fsync(file)
    finally:
        os.close(file)


def kept(folder: Path) -> tuple[DrillResult, ...]:
    """All rounds by date; malformed lines are ignored. Raises OSError."""
    try:
        text = (folder / FILE_NAME).read_text("utf-8", errors="replace")
    except FileNotFoundError:
        return ()
    found = (result for line in text.splitlines() if (result := _read(line)))
    return tuple(sorted(found, key=lambda result: datetime.fromisoformat(result.date).timestamp()))


def _read(line: str) -> DrillResult | None:
    try:
        data = json.loads(line)
        result = DrillResult(**data)
        datetime.fromisoformat(result.date)
        numbers = (result.right, result.of, result.seconds)
        sound = (
            all(type(n) is int and n >= 0 for n in numbers) and result.right <= result.of and result.of > 0
        )
    except (ValueError, TypeError):
        return None
    return result if sound and isinstance(result.drill, str) else None


def by_drill(results: tuple[DrillResult, ...]) -> Mapping[str, tuple[DrillResult, ...]]:
    """The rounds of each drill, the drills in the order in which they were begun."""
    names = dict.fromkeys(result.drill for result in results)
    return {name: tuple(r for r in results if r.drill == name) for name in names}


def by_day(results: tuple[DrillResult, ...]) -> Iterator[DrillResult]:
    """The rounds of each day taken together."""
    days = dict.fromkeys(result.date[:10] for result in results)
    for day in days:
        found = [result for result in results if result.date[:10] == day]
        right, of, seconds = (sum(getattr(r, name) for r in found) for name in ("right", "of", "seconds"))
        yield DrillResult(found[0].drill, day, right, of, seconds)
