# SPDX-License-Identifier: GPL-3.0-or-later
"""No voice: every message ends at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from voices.speakers import Span
from voices.speakers.manner import Manner


class SilentSpeaker:
    """Says nothing."""

    name = "off"
    limits: Mapping[str, tuple[int, int]] = MappingProxyType({})
    began = 0.0
    failed = False
    cut = False

    def speak(self, spans: Sequence[Span], on_end: Callable[[], None]) -> None:  # noqa: ARG002 - the protocol's
        """End at once, in the caller's thread."""
        on_end()

    def take(self, manner: Manner) -> None:
        """Stay silent."""

    def hush(self) -> None:
        """Stay silent."""

    def close(self) -> None:
        """Stay silent."""
