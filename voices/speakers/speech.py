# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages to speak: numbered; a new one interrupts the one before, and the end of each is an event."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

from voices.speakers import Span, Speaker

_LEAST_S = 10.0  # a minimum, in addition to a second for
_SLOWEST = 4  # characters


def longest_s(spans: Sequence[Span]) -> float:
    """How many seconds a voice may take to say these; one that takes longer counts as stuck."""
    return _LEAST_S + sum(len(span.text) for span in spans) / _SLOWEST


class Speech:
    """Speaks messages; `on_ended` is called once for each, with its number, in any thread."""

    def __init__(self, speaker: Speaker, on_ended: Callable[[int], None]) -> None:
        self._speaker = speaker
        self._on_ended = on_ended
        self._lock = threading.Lock()
        self._last = 0
        self._unended: set[int] = set()

    @property
    def speaking(self) -> bool:
        """Whether a message has not ended yet."""
        return bool(self._unended)

    def say(self, spans: Sequence[Span]) -> int:
        """Speak a message instead of the one being spoken; returns its number, 1 for the first.

        Raises SpeakerFailedError if the speaker no longer works: there is no message then. A speaker without
        sound may end the message before this returns.
        """
        with self._lock:
            self._last += 1
            number = self._last
            self._unended.add(number)
        try:
            self._speaker.speak(spans, partial(self._ended, number))
        except BaseException:
            self._unended.discard(number)
            raise
        return number

    def use(self, speaker: Speaker) -> None:
        """Speak with another speaker from now on; what the one before has not ended is not told any more."""
        with self._lock:
            self._speaker = speaker
            self._unended.clear()

    def hush(self) -> None:
        """Stop speaking at once; the message being spoken ends."""
        self._speaker.hush()

    def _ended(self, number: int) -> None:
        with self._lock:
            if number not in self._unended:
                return
            self._unended.remove(number)
        self._on_ended(number)
