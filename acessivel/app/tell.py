# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells sentences outside a game: in lines, aloud, and in Braille."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from acessivel.app.activity import (
    Activity,
    Input,
    InputEnded,
    KeyPressed,
    Output,
    SpeechOver,
    Tell,
    TypedText,
    preferred,
)
from acessivel.app.loop import open_loop
from acessivel.devices import missing_devices
from acessivel.message import Message
from acessivel.settings.settings import Settings
from voices.grammar import grammar

Write = Callable[[str], None]


def tell(told: Sequence[Message], settings: Settings, write: Write) -> None:
    """Write and speak the sentences, and show them in Braille: on a display until Enter is pressed.

    Raises UserError if the table of the display's keys has a mistake.
    """
    settings = replace(settings, hear="keyboard", opponent="human", private_output="")
    with open_loop(settings, write, None, optional=missing_devices.OPTIONAL) as loop:
        waits = loop.devices.display_is_private
        if waits:
            loop.read_keys(sys.stdin)
        loop.run(TellingActivity(told, (settings.language, settings.convention), waits=waits))


class TellingActivity(Activity):
    """Told once; if a display shows it, it is over when Enter or another line is typed."""

    kind = "telling"

    def __init__(self, told: Sequence[Message], words: tuple[str, str], *, waits: bool) -> None:
        """`words`: the language and the convention; `waits`: somebody reads it in Braille."""
        self._told = tuple(told)
        self._words = words
        self._waits = waits

    @property
    def words(self) -> tuple[str, str]:
        """The user's language and convention."""
        return self._words

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """All of the sentences."""
        return (Tell((*self._told, *([Message.of("laws_enter")] if self._waits else []))),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # noqa: ARG002
        """End when it has been heard or read; how it is spoken can be changed meanwhile."""
        match input_:
            case KeyPressed() | TypedText() if told := preferred(input_, self._words):
                return told
            case SpeechOver() if not self._waits:
                self.over = True
            case TypedText() | KeyPressed("send" | "cancel"):
                self.over = True
            case InputEnded(last=last):
                self.over = self._waits and last
            case _:
                return None
        return ()

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Nothing but the preferences: there is no microphone here."""
        language, convention = self._words
        return grammar.expectation((), convention, language)

    def pending(self) -> tuple[Message, ...]:
        """The same again, with the new preferences."""
        return self._told
