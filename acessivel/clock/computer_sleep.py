# SPDX-License-Identifier: GPL-3.0-or-later
"""For how long the computer has slept, which its steady clock does not count, and a clock that does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LEAST_S = 5.0
"""What is shorter is no sleep: where the time of day tells it, that may only have been set."""


def asleep_s() -> float:
    """A number of seconds that grows by as many as the computer sleeps; nothing else is to be read in it."""
    counts_sleep = getattr(time, "CLOCK_BOOTTIME", None)
    now_s = time.time() if counts_sleep is None else time.clock_gettime(counts_sleep)
    return now_s - time.monotonic()


class EvenClock:
    """The time of day in s: it goes on evenly, awake or asleep, whatever becomes of the computer's clock.

    It can be asked from every thread. `woke_s`: what it showed when the computer had slept last, or else
    when it was made.
    """

    def __init__(self, awake_s: Callable[[], float] | None = None) -> None:
        """`awake_s`: a time that goes on while the computer is awake; else the one of day as it is now."""
        began_s = time.time() - time.monotonic()
        self._awake_s = awake_s or (lambda: began_s + time.monotonic())
        self._lock = threading.Lock()
        self._asleep_s = asleep_s()
        self._slept_s = 0.0
        self.woke_s = self._awake_s()

    def __call__(self) -> float:
        """The time now."""
        with self._lock:
            before_s, now_s = self._asleep_s, asleep_s()
            if abs(now_s - before_s) >= LEAST_S:
                self._asleep_s = now_s
            if now_s - before_s >= LEAST_S:
                self._slept_s += now_s - before_s
                self.woke_s = self._awake_s() + self._slept_s
            return self._awake_s() + self._slept_s
