# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an utterance begins and ends in a stream of audio blocks, also for people who think aloud."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from voices.packages import load
from voices.sound.source import BLOCK_MS, RATE

# A window of 0.3 s finds short words, 0.8 s misses them all.
_WINDOW_S = 0.3
# The silence that has passed when it is noticed: the window, and the echo of the last sound, which counts as
# speech. Measured on four voices: 0.42 to 0.49 s.
_NOTICED_S = 0.42
# The window has passed when speech is noticed; more holds the first consonant, and what the room is like:
# with 0.2 s of it, nine more of 900 yeses and noes are not understood.
_BEFORE_S = _WINDOW_S + 0.4
# Endless noise would be one endless utterance.
LONGEST_S = 15.0


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence: how many end a complete utterance, and how many an incomplete one may contain.

    The second is never shorter than the first.
    """

    silence: float = 0.5
    pause: float = 1.5


class Endpointer:
    """Finds where an utterance begins and ends, block by block.

    `complete` says whether what was heard so far can be the whole. It is asked once in each silence, as soon
    as that is noticed, so that the answer is there when the silence is long enough. While `held_open`, no
    silence ends an utterance. `cut`: no silence has ended the last one, though it might have.
    """

    def __init__(
        self, patience: Patience | None = None, complete: Callable[[], bool] = lambda: False
    ) -> None:
        self._vad = load("pocketsphinx", "voice").Endpointer(
            window=_WINDOW_S, sample_rate=RATE, frame_length=BLOCK_MS / 1000
        )
        patience = patience or Patience()
        self._complete = complete
        self._silence = _blocks(patience.silence - _NOTICED_S)
        # Speech that begins just after the pause still has to be noticed.
        self._pause = max(self._silence, _blocks(patience.pause - _NOTICED_S + _WINDOW_S))
        self._silent = 0  # blocks since silence was noticed
        self._is_whole = False  # what was said before it
        # Silence that counts as speech only if more speech follows: recognisers hear words in it.
        self._held: deque[bytes] = deque(maxlen=self._pause)
        self._before: deque[bytes] = deque(maxlen=round(_BEFORE_S * 1000 / BLOCK_MS))
        self._taken = self._given = 0  # blocks
        self.within = self.cut = False
        self.held_open = False

    @property
    def begun(self) -> bool:
        """Whether it has taken any block."""
        return self._taken > 0

    @property
    def in_speech(self) -> bool:
        """Whether somebody is speaking now, without a pause."""
        return bool(self._vad.in_speech)

    @property
    def began(self) -> int:
        """How many blocks ago the speech that has just been noticed began; 0 is the last block."""
        start_s = float(self._vad.speech_start)
        return self._taken - 1 - round(start_s * 1000 / BLOCK_MS)

    def take(self, block: bytes) -> bytes:
        """The new speech in this block; `within`: whether the utterance goes on."""
        self._taken += 1
        self._vad.process(block)
        if not self.within:
            return self._look_for_speech(block)
        self._held.append(block)
        speech = b""
        if self.in_speech:
            self._given += len(self._held)
            self._silent, self._is_whole = 0, False
            speech = b"".join(self._held)
            self._held.clear()
        else:
            self._silent += 1
        self.within = not self._ends()
        return speech

    def _look_for_speech(self, block: bytes) -> bytes:
        self._before.append(block)
        if not self.in_speech:
            return b""
        self.within, self.cut = True, False
        self._silent, self._given = 0, len(self._before)
        self._held.clear()
        speech = b"".join(self._before)
        self._before.clear()
        return speech

    def _ends(self) -> bool:
        if (self._given + len(self._held)) * BLOCK_MS >= LONGEST_S * 1000:
            self.cut = not self.held_open
            return True
        if self.held_open:
            return False
        if self._silent == 1:
            self._is_whole = self._complete()
        return self._silent >= self._pause or (self._silent >= self._silence and self._is_whole)


def _blocks(seconds: float) -> int:
    """How many blocks after it was noticed a silence has become so much longer."""
    return 1 + max(0, math.ceil(round(seconds * 1000 / BLOCK_MS, 6)))
