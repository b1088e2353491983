# SPDX-License-Identifier: GPL-3.0-or-later
"""A message as a value: which sentence of the catalogue, and the facts that it tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence by its key in `messages/LANGUAGE/*.toml`, with named values.

    Values are facts, places, pieces, colours, durations in ms, numbers, spans, messages or tuples of these;
    they become words only in `rendering`, so that speech, Braille and screen tell the same.
    """

    key: str
    values: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, key: str, **values: object) -> Message:
        """A message with its values by name."""
        return cls(key, tuple(sorted(values.items())))


@dataclass(frozen=True, slots=True)
class Duration:
    """A time in milliseconds, told as a sentence."""

    ms: int
