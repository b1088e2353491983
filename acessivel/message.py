# SPDX-License-Identifier: GPL-3.0-or-later
"""A message as a value: which sentence of the catalogue, and the facts in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence by its key in `messages/LANGUAGE/*.toml`, with named values.

    Values are facts, places, pieces, colours, durations in ms, numbers, spans, names of languages and
    conventions, commands to type, messages or tuples of these; they become words only in `rendering`, so
    that speech, Braille and screen agree.
    """

    key: str
    values: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, key: str, **values: object) -> Message:
        """A message with its values by name."""
        return cls(key, tuple(sorted(values.items())))


Messages = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Duration:
    """A time in milliseconds, spoken as a sentence."""

    ms: int

    @classmethod
    def left(cls, ms: int) -> Duration:
        """What is left, up to whole seconds as clocks show it: only a fallen flag has 0."""
        return cls(-(-ms // 1000) * 1000)


@dataclass(frozen=True, slots=True)
class ToType:
    """A command to type in a terminal: read in full, but `spoken` without what nobody can follow by ear."""

    text: str
    spoken: str

    @classmethod
    def name(cls, text: str) -> ToType:
        """A name that somebody has given: "white" is no colour in it."""
        return cls(text, text)
