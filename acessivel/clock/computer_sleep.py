# SPDX-License-Identifier: GPL-3.0-or-later
"""For how long the computer has slept, which its steady clock does not count."""

from __future__ import annotations

import time

LEAST_S = 5.0
"""What is shorter is no sleep: where the time of day tells it, that may only have been set."""


def asleep_s() -> float:
    """A number of seconds that grows by as many as the computer sleeps; nothing else is to be read in it."""
    counts_sleep = getattr(time, "CLOCK_BOOTTIME", None)
    now_s = time.time() if counts_sleep is None else time.clock_gettime(counts_sleep)
    return now_s - time.monotonic()
