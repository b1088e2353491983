# SPDX-License-Identifier: GPL-3.0-or-later
"""When the program listens, and which utterances began too early to be an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from acessivel.session.preferences import NO_MICROPHONE
from voices.hearing.utterances import Listener, Utterance

Expectation = Callable[[], tuple[str, Sequence[str]]]


class MicrophoneGate:
    """Lets a listener listen whenever the program does not speak.

    With `headphones` it listens while the program speaks too. With `push_to_talk` it listens only from one
    press of the talk key to the next, or until something new is said. When the player has switched listening
    off, nothing is heard.
    """

    def __init__(
        self,
        listener: Listener | None = None,
        *,
        push_to_talk: bool = False,
        headphones: bool = False,
        confirm: str = "any",
    ) -> None:
        """`confirm`: what may say yes, as in `events.Started`."""
        self._listener = listener
        self._push_to_talk = push_to_talk
        self.headphones = headphones
        self.confirm = confirm
        self._told = 0  # counts what was said, to know whether an answer belongs to the last of it
        self._resumed: int | None = None
        self._pressed = False
        self._listens = True

    @property
    def talk(self) -> str:
        """How the microphone is opened, as of `preferences.Preferences`."""
        if self._listener is None:
            return NO_MICROPHONE
        return "push" if self._push_to_talk else "hands-free"

    @property
    def deaf(self) -> bool:
        """Whether the player has switched listening off."""
        return not self._listens

    def adopt(self, *, push_to_talk: bool, listens: bool) -> None:
        """Open the microphone in another way from now on, or not at all."""
        self._push_to_talk, self._listens = push_to_talk, listens
        self._pressed, self._resumed = False, None
        if self._listener and not listens:
            self._listener.pause()

    @property
    def has_talk_key(self) -> bool:
        """Whether the talk key does anything."""
        return self._push_to_talk and self._listens and self._listener is not None

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking to the program, or has pressed the talk key to do so."""
        return self._listener is not None and self._listens and (self._pressed or self._listener.hearing)

    def press(self) -> None:
        """The talk key was pressed: begin to listen, or end the utterance."""
        if not self._listener or not self.has_talk_key:
            return
        if self._pressed and self._resumed is not None:
            self._listener.release()
        self._pressed = not self._pressed

    def told(self) -> None:
        """The program begins to say something new."""
        self._told += 1
        self._resumed = None
        if self._listener and not self.headphones:
            self._listener.pause()
            self._pressed = False

    def heard(self, utterance: Utterance) -> bool:
        """Whether an utterance began after everything had been said to its end."""
        self._resumed = None
        self._pressed = False
        return utterance.turn == self._told

    def listen(self, expectation: Expectation, *, speaking: bool) -> None:
        """Listen if it is time to; nothing said now can answer what is still being spoken."""
        silent = not self._listens or (self._push_to_talk and not self._pressed)
        if self._listener is None or silent or (speaking and not self.headphones):
            return
        turn = self._told - 1 if speaking else self._told
        if turn != self._resumed:
            self._listener.expect(*expectation())
            self._listener.resume(turn, held_open=self._push_to_talk)
            self._resumed = turn

    def lost(self) -> None:
        """The microphone is no longer available."""
        self._listener = None
