# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls as values, and their notation: `90/40+30+30s` is 40 moves in 90 min, then 30, 30 s a move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_NUMBER = r"\d{1,5}(?:\.\d{1,6})?"
_PERIOD = re.compile(rf"({_NUMBER})(?:/(\d{{1,3}}))?", re.ASCII)
_EXTRA = re.compile(rf"({_NUMBER})([sbd]?)(?:@(\d{{1,3}}))?", re.ASCII)
_LONGEST_MS = 24 * 3_600_000
_MINUTE_MS, _SECOND_MS = 60_000, 1000


class ClockNotationError(ValueError):
    """A time control that cannot be read, or that leaves no time to move in."""


class Mode(StrEnum):
    """What the seconds for each move are, by the letter of the notation (art. 6.3 and its comments, 2014)."""

    FISCHER = "s"  # added before move 1 and after each completed move
    BRONSTEIN = "b"  # the part of them that was used is added back after the move
    DELAY = "d"  # they pass first, and only then the main time


@dataclass(frozen=True, slots=True)
class Period:
    """A time in ms for so many moves of each side; 0 moves: for all that remain."""

    main_ms: int
    moves: int = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Periods, and the extra time of each move from move `extra_from` on; no extra is sudden death.

    A last period with a number of moves is repeated. Moves are counted from 1 for each side.
    """

    periods: tuple[Period, ...]
    extra_ms: int = 0
    mode: Mode = Mode.FISCHER
    extra_from: int = 1

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """Read `PERIOD+PERIOD+...+EXTRA`, or "none". Raises ClockNotationError for anything else.

        PERIOD: MINUTES or MINUTES/MOVES. EXTRA: SECONDS with s (Fischer), b (Bronstein) or d (delay), and
        @MOVE with the first move of the period in which it begins. After a period without MOVES only the
        extra can follow, so the letter may be left out: "15+5" is 15 minutes and 5 s a move.
        """
        if text == "none":
            return None
        fields = text.strip().split("+")
        periods: list[Period] = []
        while fields and (not periods or periods[-1].moves) and (found := _PERIOD.fullmatch(fields[0])):
            periods.append(Period(round(float(found[1]) * _MINUTE_MS), int(found[2] or 0)))
            if found[2] and not periods[-1].moves:
                raise ClockNotationError(text)
            fields.pop(0)
        control = cls(tuple(periods))
        if len(fields) == 1 and periods and (found := _EXTRA.fullmatch(fields[0])):
            fields.pop()
            seconds, mode, start = found.groups()
            if extra_ms := round(float(seconds) * _SECOND_MS):
                control = cls(tuple(periods), extra_ms, Mode(mode or "s"), int(start or 1))
        if fields or not control._is_playable():
            raise ClockNotationError(text)
        return control

    def __str__(self) -> str:
        """The notation that `parse` reads."""
        parts = [f"{_number(p.main_ms, _MINUTE_MS)}{f'/{p.moves}' if p.moves else ''}" for p in self.periods]
        if self.extra_ms:
            plain = self.mode is Mode.FISCHER and self.extra_from == 1 and self.periods == self.periods[:1]
            letter = "" if plain and not self.periods[0].moves else self.mode
            start = f"@{self.extra_from}" if self.extra_from > 1 else ""
            parts.append(f"{_number(self.extra_ms, _SECOND_MS)}{letter}{start}")
        return "+".join(parts)

    @property
    def pgn(self) -> str:
        """PGN's TimeControl: "40/5400+30:1800+30", in seconds.

        PGN knows neither Bronstein nor delay. Both are "time delay" in art. 6.3c (2014), and get the "d" that
        chess.pgn reads, to which another letter is a mistake.
        """
        return ":".join(
            f"{f'{p.moves}/' if p.moves else ''}{_number(p.main_ms, _SECOND_MS)}{self._pgn_extra(start)}"
            for p, start in zip(self.periods, self._starts(), strict=True)
        )

    def total_ms(self, moves: int) -> int:
        """The main times of all periods plus the extra time of so many moves, in ms."""
        return sum(p.main_ms for p in self.periods) + moves * self.extra_ms

    def main_at(self, move: int) -> int:
        """The main time of the period that begins with a move, in ms; 0 if none does."""
        for period, start in zip(self.periods, self._starts(), strict=True):
            if move == start:
                return period.main_ms
        last, start = self.periods[-1], self._starts()[-1]
        repeated = last.moves and move > start and (move - start) % last.moves == 0
        return last.main_ms if repeated else 0

    def extra_at(self, move: int) -> int:
        """The extra time that a move gets beside the main time, in ms."""
        return self.extra_ms if move >= self.extra_from else 0

    def next_period(self, move: int) -> int | None:
        """The first move of the period after the one that a move is in; None in the last period."""
        later = [start for start in self._starts() if start > move]
        if later:
            return later[0]
        last, start = self.periods[-1], self._starts()[-1]
        return move + last.moves - (move - start) % last.moves if last.moves else None

    def _starts(self) -> tuple[int, ...]:
        """The first move of each period."""
        return tuple(1 + sum(p.moves for p in self.periods[:n]) for n in range(len(self.periods)))

    def _pgn_extra(self, start: int) -> str:
        if not self.extra_at(start):
            return ""
        return f"+{_number(self.extra_ms, _SECOND_MS)}{'' if self.mode is Mode.FISCHER else 'd'}"

    def _is_playable(self) -> bool:
        """Whether there is time for the first move, and nothing is longer than a day."""
        if not self.periods or max(self.extra_ms, *(p.main_ms for p in self.periods)) > _LONGEST_MS:
            return False
        first = self.extra_at(1) if self.mode is Mode.FISCHER else 0
        return self.periods[0].main_ms + first > 0 and self.extra_from in self._starts()


def _number(ms: int, unit_ms: int) -> str:
    return f"{ms / unit_ms:.6f}".rstrip("0").rstrip(".")
