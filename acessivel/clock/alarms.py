# SPDX-License-Identifier: GPL-3.0-or-later
"""What a clock announces by itself: its marks (appendix for the blind, point 4), alarms, a fallen flag."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from acessivel.clock.clock import Clock
from acessivel.message import Duration, Message
from acessivel.rules.position import COLOURS

_NOTATION = re.compile(r"(\d{1,4})([ms])", re.ASCII)
_UNITS_MS = {"m": 60_000, "s": 1000}
_MARK_MS, _DOUBLE_MARK_MS = 5 * 60_000, 15 * 60_000
_MARK_LATE_MS = 30_000  # A mark that could not be announced for so long is dropped.
_LONGEST_MS = 24 * 3_600_000

# What has been announced: (colour, how often its clock had been set by then, ms left). 0 is the flag.
Rung = frozenset[tuple[str, int, int]]


class AlarmNotationError(ValueError):
    """Alarms that are neither times such as "5m,30s" nor "none"."""


@cache
def parse(text: str) -> tuple[int, ...]:
    """Read "5m,2m,30s" as times left, in ms, longest first; "none" is (). Raises AlarmNotationError."""
    if text == "none":
        return ()
    found = [_NOTATION.fullmatch(one.strip()) for one in text.split(",")]
    times = {int(one[1]) * _UNITS_MS[one[2]] for one in found if one}
    if None in found or not all(0 < ms <= _LONGEST_MS for ms in times):
        raise AlarmNotationError(text)
    return tuple(sorted(times, reverse=True))


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be announced now, in order, and what counts as announced from now on."""

    messages: tuple[Message, ...]
    rung: Rung


def due(clock: Clock, now_ms: int, alarms: tuple[int, ...], rung: Rung) -> Due:
    """The marks and alarms that both sides have reached, at most one message a side: the newest.

    Each sounds once after each setting of the clock. Without alarms there are no marks either.
    """
    messages = []
    for colour in COLOURS:
        left = clock.left(colour, now_ms)
        come_to = [ms for ms in _times(clock, colour, alarms) if ms >= left]
        new = [ms for ms in come_to if _key(clock, colour, ms) not in rung]
        rung |= {_key(clock, colour, ms) for ms in new}
        if new and left and min(new) == min(come_to) and not _is_late_mark(min(new), left, alarms):
            kind = "clock_alarm" if min(new) in alarms else _mark(min(new))
            messages.append(Message.of(kind, colour=colour, time=Duration(max(1000, round(left, -3)))))
    return Due(tuple(messages), rung)


def next_in(clock: Clock, now_ms: int, alarms: tuple[int, ...]) -> int | None:
    """In how many ms the running side reaches its next mark, alarm or flag fall; None if it never does."""
    if not clock.running:
        return None
    times = (*_times(clock, clock.running, alarms), 0)
    return min((ms for time in times if (ms := clock.reaches(time, now_ms)) is not None), default=None)


def fallen(clock: Clock, now_ms: int, rung: Rung) -> Rung:
    """The fallen flags that have not been announced yet, to be counted as announced."""
    down = (colour for colour in COLOURS if clock.down(colour, now_ms))
    return frozenset(_key(clock, colour, 0) for colour in down) - rung


def told(fallen: Rung) -> tuple[Message, ...]:
    """The sides whose flags have been announced as fallen."""
    colours = {colour for colour, _, __ in fallen}
    return tuple(Message.of("flag_fell", colour=colour) for colour in COLOURS if colour in colours)


def _times(clock: Clock, colour: str, alarms: tuple[int, ...]) -> Iterator[int]:
    """The times left at which something is announced, below what the clock was set to."""
    if alarms:
        started = clock.side(colour).set_ms
        yield from (ms for ms in alarms if ms < started)
        yield from (ms for ms in range(_MARK_MS, started, _MARK_MS) if ms not in alarms)


def _is_late_mark(ms: int, left: int, alarms: tuple[int, ...]) -> bool:
    return ms not in alarms and left < ms - _MARK_LATE_MS


def _mark(ms: int) -> str:
    return "clock_mark" if ms % _DOUBLE_MARK_MS else "clock_double_mark"


def _key(clock: Clock, colour: str, ms: int) -> tuple[str, int, int]:
    return colour, clock.side(colour).settings, ms
