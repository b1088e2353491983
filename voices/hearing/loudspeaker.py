# SPDX-License-Identifier: GPL-3.0-or-later
"""What a microphone hears while the program speaks -> that it does not hear the loudspeaker."""

from __future__ import annotations

import math
import struct
from collections import deque
from itertools import pairwise

from voices.sound.level import dbfs
from voices.sound.source import BLOCK_MS

# How much of what is said has to pass unheard, and how much of its beginning says nothing: a voice takes some
# time to its first sound.
_JUDGED = 1500 // BLOCK_MS
_BEGINNING = 500 // BLOCK_MS
# A quiet room stays within 3 dB; a voice that is heard rises 10 dB above its own pauses even if it is faint.
_STEADY_DB = 6.0
# In a louder room a voice may be there and not be noticed.
_QUIET_ROOM_DBFS = -50.0


class LoudspeakerWatch:
    """Notices that the level stays that of the room for as long as the program speaks.

    The player's own voice is a reason for doubt, and so is a microphone without any sound.
    """

    def __init__(self) -> None:
        self._levels: deque[float] = deque(maxlen=_JUDGED)
        self._said = 0  # blocks since the program began to speak

    def take(self, block: bytes, *, speaking: bool) -> bool:
        """Take the next block (mono s16le); returns whether the program has spoken long enough unheard."""
        if not speaking:
            self._said = 0
            return False
        self._said += 1
        if self._said <= _BEGINNING:
            return False
        self._levels.append(_level(block))
        if len(self._levels) < _JUDGED:
            return False
        levels = sorted(self._levels)
        quiet, usual, loud = levels[0], levels[_JUDGED // 4], levels[-_JUDGED // 20]
        unheard = quiet > -math.inf and usual <= _QUIET_ROOM_DBFS and loud - usual < _STEADY_DB
        if unheard:
            self._levels.clear()
        return unheard


def _level(block: bytes) -> float:
    """The level in dBFS of the differences from sample to sample, in which rumbling hardly counts."""
    samples = struct.unpack(f"<{len(block) // 2}h", block)
    power = sum((later - sample) ** 2 for sample, later in pairwise(samples)) / max(1, len(samples))
    return dbfs(math.sqrt(power))
