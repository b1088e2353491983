# SPDX-License-Identifier: GPL-3.0-or-later
"""What the voice is saying now, and how long that may take before the voice counts as lost."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from acessivel.devices.devices import Devices
from voices.speakers import Span, SpeakerFailedError
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import longest_s

_OTHERS_S = 60.0  # while others speak with the same voice
_PAUSE_S = 60.0  # before a voice that was given up is tried again; twice as long each time


class VoiceWatchdog:
    """What is being said with the voice of these devices, until `ended` is called at its end."""

    def __init__(self, devices: Devices) -> None:
        self._devices = devices
        self._number: int | None = None
        self._since = 0.0
        self._stopped = False
        self._spans: Sequence[Span] = ()
        self._anew = False  # the voice was opened anew, and has said nothing to its end since
        self._again: float | None = None  # when one that was given up is tried again
        self._pause_s = _PAUSE_S

    @property
    def heard(self) -> bool:
        """Whether what was said last could be heard: a voice has said it, and was not stopped."""
        return not self._stopped and self._devices.speaks

    @property
    def now(self) -> bool:
        """Whether something is being said."""
        return self._number is not None

    @property
    def left_s(self) -> float | None:
        """How many seconds it may still take, 0 if it took too long or failed; None if nothing is said."""
        if not self.now:
            return None
        if self._devices.speaker.failed:
            return 0.0
        now, most_s, began = monotonic(), longest_s(self._spans), self._devices.speaker.began
        if began is None:  # it is looked at again in time, should it begin meanwhile
            return max(0.0, min(most_s, self._since + _OTHERS_S + most_s - now))
        return max(0.0, max(self._since, began) + most_s - now)

    def say(self, spans: Sequence[Span]) -> bool:
        """Say something, interrupting what is being said; returns whether the voice works."""
        if self._again and monotonic() >= self._again:
            self._again = None
            self._devices.speak_with(self._devices.open_voice())
            if not self._devices.speaks:
                self._give_up()
        self._spans = spans
        self._since = monotonic()
        self._stopped = False
        try:
            self._number = self._devices.speech.say(spans)
        except SpeakerFailedError:
            return False
        return True

    def ended(self, number: int) -> bool:
        """Something has been said to its end; returns whether it was what is being said.

        That of a voice that has failed is not over: `left_s` says that it is lost.
        """
        ended = number == self._number and not self._devices.speaker.failed
        if ended:
            self._number = None
            self._stopped = self._stopped or self._devices.speaker.cut
            if self.heard:
                self._anew, self._pause_s = False, _PAUSE_S
        return ended

    def hush(self) -> None:
        """Stop speaking at once; `ended` is still called."""
        if self.now:
            self._stopped = True
            self._devices.speech.hush()

    def lost(self) -> bool:
        """The voice has failed, or does not finish: say this again with the voice opened anew.

        Returns whether that can be heard, or was lost before; else it goes on without a voice for a while.
        """
        self._number = None
        if not self._anew:
            self._anew = True
            self._devices.speak_with(self._devices.open_voice())
            if self.say(self._spans) and self.heard:
                return True
        self._number = None
        known = self._pause_s > _PAUSE_S
        self._give_up()
        if known:
            self.say(self._spans)
        return known

    def _give_up(self) -> None:
        """Go on without a voice for a while."""
        self._devices.speak_with(SilentSpeaker())
        self._again, self._pause_s = monotonic() + self._pause_s, 2 * self._pause_s
