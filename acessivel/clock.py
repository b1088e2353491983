# SPDX-License-Identifier: GPL-3.0-or-later
"""The chess clock as a value: sudden death and Fischer; the time of day is always passed in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from acessivel.rules import BLACK, WHITE

_CONTROL = re.compile(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")
_LONGEST_MS = 24 * 3_600_000


class ClockNotationError(ValueError):
    """A time control that is not MINUTES or MINUTES+SECONDS."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Main time and Fischer increment, in ms; an increment of 0 is sudden death (art. 6.3, 2014)."""

    main_ms: int
    increment_ms: int = 0

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """Read "15+5" (minutes and seconds), "90" or "none"; ClockNotationError for anything else."""
        if text == "none":
            return None
        found = _CONTROL.fullmatch(text.strip())
        if not found:
            raise ClockNotationError(text)
        control = cls(round(float(found[1]) * 60_000), round(float(found[2] or 0) * 1000))
        if (
            control.main_ms + control.increment_ms <= 0
            or max(control.main_ms, control.increment_ms) > _LONGEST_MS
        ):
            raise ClockNotationError(text)
        return control

    @property
    def pgn(self) -> str:
        """The value of PGN's TimeControl header: seconds, "+", seconds."""
        increment = f"+{self.increment_ms / 1000:g}" if self.increment_ms else ""
        return f"{self.main_ms / 1000:g}{increment}"


@dataclass(frozen=True, slots=True)
class Clock:
    """What both sides have left, in ms, and whose time runs since when."""

    control: TimeControl
    white_ms: int
    black_ms: int
    running: str | None = None
    since_ms: int = 0

    @classmethod
    def of(cls, control: TimeControl) -> Clock:
        """A clock at rest; the Fischer increment counts from the first move on."""
        start = control.main_ms + control.increment_ms
        return cls(control, start, start)

    def left(self, colour: str, now_ms: int) -> int:
        """What a side has left, in ms, never below 0."""
        spent = now_ms - self.since_ms if self.running == colour else 0
        return max(0, (self.white_ms if colour == WHITE else self.black_ms) - spent)

    def start(self, colour: str, now_ms: int) -> Clock:
        """Let the time of one side run."""
        return replace(self.stop(now_ms), running=colour, since_ms=now_ms)

    def stop(self, now_ms: int) -> Clock:
        """Let no time run."""
        return replace(
            self,
            white_ms=self.left(WHITE, now_ms),
            black_ms=self.left(BLACK, now_ms),
            running=None,
            since_ms=now_ms,
        )

    def completed(self, colour: str, now_ms: int) -> Clock:
        """Stop after a completed move of a side, and give it the increment; nobody's time runs."""
        stopped = self.stop(now_ms)
        if colour == WHITE:
            return replace(stopped, white_ms=stopped.white_ms + self.control.increment_ms)
        return replace(stopped, black_ms=stopped.black_ms + self.control.increment_ms)

    def flag(self, now_ms: int) -> str | None:
        """The side whose flag has fallen, if any."""
        return self.running if self.running and self.left(self.running, now_ms) == 0 else None

    def flag_in(self, now_ms: int) -> int | None:
        """In how many ms a flag falls if nothing happens; None when no time runs."""
        return self.left(self.running, now_ms) if self.running else None
