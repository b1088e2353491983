# SPDX-License-Identifier: GPL-3.0-or-later
"""Voices that speak, one file each, behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from voices.speakers.manner import Manner


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text in one language ("pt")."""

    text: str
    language: str


class SpeakerMissingError(Exception):
    """The voice cannot be used here; `reason` is one sentence in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SpeakerFailedError(Exception):
    """The voice has worked but no longer does; `reason` is one sentence in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Speaker(Protocol):
    """Speaks one message at a time."""

    @property
    def name(self) -> str:
        """The speaker's name in the command line."""

    @property
    def limits(self) -> Mapping[str, tuple[int, int]]:
        """The least and the most percent of what of a `Manner` it cannot follow everywhere, by name."""

    @property
    def began(self) -> float | None:
        """When it began what it speaks (as of `time.monotonic`): None while others speak, 0 if none can."""

    @property
    def failed(self) -> bool:
        """Whether it no longer works: what it was speaking has ended, and was perhaps not heard."""

    @property
    def cut(self) -> bool:
        """Whether another program has stopped what was spoken last."""

    def speak(self, spans: Sequence[Span], on_end: Callable[[], None]) -> None:
        """Stop what is being spoken and speak this; returns at once.

        `on_end` is called exactly once, in any thread: when the sound has ended, was stopped, or failed.
        Raises SpeakerFailedError if the voice no longer works; then `on_end` is not called.
        """

    def take(self, manner: Manner) -> None:
        """Apply these settings from the next message on; what the voice cannot do stays as it is."""

    def hush(self) -> None:
        """Stop speaking at once."""

    def close(self) -> None:
        """Stop speaking and release what it holds."""
