# SPDX-License-Identifier: GPL-3.0-or-later
"""Audio blocks -> the trouble with a microphone: it gives no sound, too little, or too much.

Levels are in dBFS: decibels relative to the loudest that 16 bits can hold. The thresholds were measured on
synthetic announcements recognised by pocketsphinx; the level of speech is that of the louder half of its
blocks.
"""

from __future__ import annotations

import math
import struct
from collections import deque
from collections.abc import Sequence
from enum import StrEnum

from voices.sound.source import BLOCK_BYTES, BLOCK_MS

# Two steps of the converter. Even a quiet room through a poor microphone is at least 10 dB louder.
DEAD_DBFS = -84.0
# The least that 16 bits can distinguish from silence.
QUIETEST_DBFS = -96.0
# Longer than a pause for breath, shorter than the patience of a person who gets no answer.
DEAD_S = 5.0
# With the noise of a quiet room (-66 dBFS) 94 % of the announcements were right at -26 dBFS, 85 % at -42,
# 65 % at -46, 35 % at -50; from about -56 on, speech is not even noticed.
QUIET_DBFS = -44.0
# How far above the minimum a microphone must rise after being too quiet, so that this is not reported twice.
_MARGIN_DB = 4.0
# Samples at full scale: with 3 % of them 96 % of the announcements were right, with 6 % 94, with 21 % 83.
CLIPPED_SHARE = 0.05
_FULL_SCALE = 32_000  # -0.2 dBFS: a change of the sample rate rounds the cut-off peaks
# One announcement, or a few answers.
_JUDGED_S = 1.5
_SAMPLES = BLOCK_BYTES // 2


class Trouble(StrEnum):
    """What can be wrong with a microphone."""

    DEAD = "dead"
    QUIET = "quiet"
    CLIPPING = "clipping"


class Meter:
    """Follows the sound of a microphone; reports each trouble when it begins, and again if it comes back."""

    def __init__(self, dead_s: float = DEAD_S) -> None:
        self._patience = _blocks(dead_s)
        self._longest_gap = 0
        self._still = 0  # blocks without any sound so far
        # For the last blocks of speech: the power, and how many samples are at full scale.
        self._speech: deque[tuple[float, int]] = deque(maxlen=_blocks(_JUDGED_S))
        self._present: set[Trouble] = set()
        self.peak = -math.inf

    @property
    def dead(self) -> bool:
        """Whether the microphone gives only silence."""
        return Trouble.DEAD in self._present

    def take(self, block: bytes, *, speech: bool) -> Trouble | None:
        """Measure the next block (mono s16le); returns the trouble that it shows, if that is new.

        `speech`: whether somebody is speaking in it; only speech can be too quiet, or cut off.
        """
        samples = struct.unpack(f"<{len(block) // 2}h", block)
        loudest = max(map(abs, samples), default=0)
        self.peak = max(self.peak, dbfs(loudest))
        is_constant = len({*samples}) == 1  # a device that is mute may give another one than 0
        if found := self._look_for_sound(-math.inf if is_constant else dbfs(loudest)):
            return found
        if not speech:
            return None
        clipped = sum(abs(sample) >= _FULL_SCALE for sample in samples) if loudest >= _FULL_SCALE else 0
        self._speech.append((sum(sample * sample for sample in samples) / _SAMPLES, clipped))
        return self._judge_speech() if len(self._speech) == self._speech.maxlen else None

    def _look_for_sound(self, loudest: float) -> Trouble | None:
        """Look for sound; a microphone that recovered by itself counts as dead only after a longer silence.

        Headsets and noise suppression give no sound at all while nobody speaks.
        """
        if loudest > DEAD_DBFS:
            self._longest_gap = max(self._longest_gap, self._still)
            self._still = 0
            self._present.discard(Trouble.DEAD)
            return None
        self._still += 1
        dead = self._still >= max(self._patience, 2 * self._longest_gap)
        return self._changed(Trouble.DEAD, begins=dead, ends=False)

    def _judge_speech(self) -> Trouble | None:
        powers = sorted((power for power, _ in self._speech), reverse=True)
        louder = powers[: len(powers) // 2]
        level = dbfs(math.sqrt(sum(louder) / len(louder)))
        share = sum(clipped for _, clipped in self._speech) / (len(self._speech) * _SAMPLES)
        quiet = self._changed(Trouble.QUIET, begins=level < QUIET_DBFS, ends=level >= QUIET_DBFS + _MARGIN_DB)
        clipping = self._changed(
            Trouble.CLIPPING, begins=share > CLIPPED_SHARE, ends=share < CLIPPED_SHARE / 2
        )
        return quiet or clipping

    def _changed(self, trouble: Trouble, *, begins: bool, ends: bool) -> Trouble | None:
        """Store the present trouble; returns it if it is new."""
        if begins and trouble not in self._present:
            self._present.add(trouble)
            return trouble
        if ends:
            self._present.discard(trouble)
        return None


def dbfs(amplitude: float) -> float:
    """An amplitude in steps of 16 bits as a level; silence is minus infinity."""
    return 20 * math.log10(amplitude / 32_768) if amplitude else -math.inf


def room_dbfs(blocks: Sequence[bytes]) -> float:
    """The level of a room in which nobody speaks (mono s16le): that of the quieter half of its blocks."""
    powers = sorted(
        sum(sample * sample for sample in samples) / max(1, len(samples))
        for samples in (struct.unpack(f"<{len(block) // 2}h", block) for block in blocks)
    )
    quieter = powers[: max(1, len(powers) // 2)]
    level = dbfs(math.sqrt(sum(quieter) / len(quieter))) if quieter else -math.inf
    return max(QUIETEST_DBFS, min(0.0, level))


def _blocks(seconds: float) -> int:
    return round(seconds * 1000 / BLOCK_MS)
