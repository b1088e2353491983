# SPDX-License-Identifier: GPL-3.0-or-later
"""When the program listens, whether a tone says so, and which utterances began too early to be an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from acessivel.session.preferences import NO_MICROPHONE
from voices.hearing.utterances import Listener, Utterance

Expectation = Callable[[], tuple[str, Sequence[str]]]

# An output that is stuck must not leave the program deaf.
_LONGEST_TONE_S = 1.0
# The room goes on sounding after the loudspeaker.
_ECHO_S = 0.06
# A voice that stops itself does so with each message, most as soon as it is noticed, a slow one later. No
# player stops so many in a row, of which those that are stopped at once count more.
_AT_ONCE_S = 1.5
_AT_ONCE, _IN_A_ROW = 3, 6


@dataclass(frozen=True, slots=True)
class TonePlayed:
    """The tone of that number, which says that the program listens, is over."""

    number: int


PlayTone = Callable[[TonePlayed], None]
"""Plays the tone, and reports this when it is over."""


class MicrophoneGate:
    """Lets a listener listen whenever the program does not speak.

    With `headphones` it listens while the program speaks too, and so where it is `interruptible`, though that
    may be heard as well. If it `finds_out`, it does so when the microphone does not hear the loudspeaker,
    until the program has stopped itself. The warning that the
    microphone gives only silence can always be spoken over. With `push_to_talk` it listens only from one
    press of the talk key to the next, or until something new is said. When the player has switched listening
    off, nothing is heard.
    """

    def __init__(  # noqa: PLR0913  # how it listens
        self,
        listener: Listener | None = None,
        *,
        push_to_talk: bool = False,
        headphones: bool = False,
        interruptible: bool = False,
        finds_out: bool = False,
        confirm: str = "any",
    ) -> None:
        """`confirm`: what may say yes, as in `events.Started`."""
        self._listener = listener
        self._lost: Listener | None = None  # until its microphone is back
        self._push_to_talk = push_to_talk
        self._headphones, self._interruptible = headphones, interruptible
        self._finds_out = finds_out
        self._unheard = False  # what the program says, by the microphone
        self._cut = 0  # how often it was interrupted since something was said to its end
        self._began = 0.0  # to say what was told last
        # The turn in which it was told that the microphone gives only silence, and that in which it listened
        # while the program spoke.
        self._warned: int | None = None
        self._over: int | None = None
        self.confirm = confirm
        self._told = 0  # counts what was said, to know whether an answer belongs to the last of it
        self._resumed: int | None = None
        self._pressed = False
        self._closed = False  # while somebody was speaking, by what was told unasked
        self._listens = True
        self._tones = 0
        self._tone_in: int | None = None  # the turn whose tone has been begun
        self._tone_until = 0.0

    @property
    def talk(self) -> str:
        """How the microphone is opened, as of `preferences.Preferences`."""
        if self._listener is None:
            return NO_MICROPHONE
        return "push" if self._push_to_talk else "hands-free"

    @property
    def interruptible(self) -> bool:
        """Whether it listens while the program speaks."""
        return self._interruptible or self.hears_player_alone

    @property
    def hears_player_alone(self) -> bool:
        """Whether it does not hear what the program says."""
        return self._headphones or (self._unheard and not self._push_to_talk)

    @property
    def takes_early(self) -> bool:
        """Whether what is said while the program speaks is heard too, though it answers nothing."""
        return self.interruptible or self._over == self._told

    @property
    def turn(self) -> int:
        """The number of what was told last; `Utterance.turn` is that of the last that was over before it."""
        return self._told

    @property
    def warns(self) -> bool:
        """Whether it was told last that the microphone gives only silence."""
        return self._warned == self._told

    @property
    def deaf(self) -> bool:
        """Whether the player has switched listening off."""
        return not self._listens

    def adopt(self, *, push_to_talk: bool, listens: bool) -> None:
        """Open the microphone in another way from now on, or not at all.

        One that is lost will open as it did.
        """
        if self._lost:
            self._listens = listens
            return
        if self._listener and listens and not self._listens:
            self._listener.measure_anew()  # what was wrong while nobody wanted to know is told now
        self._push_to_talk, self._listens = push_to_talk, listens
        self._pressed, self._closed, self._resumed, self._tone_in = False, False, None, None
        if self._listener and (push_to_talk or not listens):
            self._listener.pause()

    @property
    def has_talk_key(self) -> bool:
        """Whether the talk key does anything."""
        return self._push_to_talk and self._listens and self._listener is not None

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking to the program, or has pressed the talk key to do so."""
        return self._listener is not None and self._listens and (self._pressed or self._listener.hearing)

    def press(self) -> bool:
        """The talk key was pressed: begin to listen, or end the utterance; returns whether that was lost.

        It was if something was told meanwhile that nobody had asked for: then nothing begins either.
        """
        if not self._listener or not self.has_talk_key:
            return False
        if self._closed:
            self._closed = False
            return True
        if self._pressed and self._resumed is not None:
            self._listener.release()
        self._pressed = not self._pressed
        self._tone_in = None
        return False

    def told(self, *, asked: bool) -> None:
        """The program begins to say something new; `asked`: as an answer to the user."""
        self._told += 1
        self._began = time.monotonic()
        self._resumed = self._tone_in = None
        if self._listener:
            self._listener.says_another()
        if self._listener and not self.interruptible:
            self._listener.pause()
            self._closed = not asked and (self._closed or self._pressed)
            self._pressed = False

    def warned(self) -> None:
        """What was told last says that the microphone gives only silence: it hears no loudspeaker either."""
        self._warned = self._told

    def speaks(self, *, now: bool) -> None:
        """Whether the program speaks now."""
        if self._listener:
            self._listener.speaks(now=now)

    def loudspeaker_unheard(self) -> None:
        """The microphone does not hear the loudspeaker."""
        self._unheard, self._cut = self._finds_out, 0

    def said_to_its_end(self) -> None:
        """Nobody has interrupted what was told last: who was speaking knows of it by now."""
        self._cut, self._closed = 0, False

    def interrupts(self) -> bool:
        """Somebody begins to speak while the program does: returns whether that stops the program's voice.

        If what was found out is no longer true, it is the program itself.
        """
        if not self.takes_early:
            return False
        self._cut += _AT_ONCE if time.monotonic() - self._began < _AT_ONCE_S else 1
        self._unheard = self._unheard and self._cut < _IN_A_ROW
        return True

    def heard(self, utterance: Utterance) -> bool:
        """Whether an utterance began after everything had been said to its end."""
        self._resumed = self._tone_in = None
        self._pressed = False
        return utterance.turn == self._told

    @property
    def left_s(self) -> float | None:
        """How many seconds the tone may still take before it is time to listen; None without one."""
        waits = self._tone_in is not None and self._resumed is None
        return max(0.0, self._tone_until - time.monotonic()) if waits else None

    def tone_played(self, tone: TonePlayed) -> None:
        """A tone is over: it is time to listen when the room is quiet again."""
        if tone.number == self._tones:
            self._tone_until = min(self._tone_until, time.monotonic() + _ECHO_S)

    def listen(self, expectation: Expectation, *, speaking: bool, tone: PlayTone | None = None) -> None:
        """Listen if it is time to; nothing said now can answer what is still being spoken.

        With a `tone` that is played first, and is not to be heard except with headphones.
        """
        silent = not self._listens or (self._push_to_talk and not self._pressed)
        if self._listener is None or silent or (speaking and not (self.interruptible or self.warns)):
            return
        self._over = self._told if speaking else self._over
        turn = self._told - 1 if speaking else self._told
        if turn == self._resumed:
            return
        if tone and not speaking and self._tone_in != turn:
            self._begin_tone(turn, tone)
        if not self.left_s:
            self._listener.expect(*expectation())
            self._listener.resume(turn, held_open=self._push_to_talk)
            self._resumed = turn

    def _begin_tone(self, turn: int, tone: PlayTone) -> None:
        self._tone_in = turn
        self._tones += 1
        self._tone_until = time.monotonic() + (0 if self.interruptible else _LONGEST_TONE_S)
        tone(TonePlayed(self._tones))

    def lost(self) -> None:
        """The microphone is no longer available, until it is back."""
        self._lost, self._listener, self._tone_in = self._listener or self._lost, None, None

    def back(self) -> bool:
        """The microphone gives sound again; returns whether it is that which was lost last."""
        self._listener, self._lost = self._lost, None
        self._pressed, self._resumed, self._cut, self._unheard = False, None, 0, False
        self._closed = False
        return self._listener is not None
