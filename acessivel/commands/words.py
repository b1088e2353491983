# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel words`: the words of a convention, and which of them sound alike."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from voices.grammar import grammar
from voices.grammar.sound_alikes import alike
from voices.meaning import Piece
from voices.words.conventions import DEFAULT, SECTIONS
from voices.words.conventions import convention as convention_of
from voices.words.lexicon import plain, split_command, vocabulary

Words = Mapping[str, Mapping[str, tuple[str, ...]]]


def run(options: argparse.Namespace) -> int:
    """List the words of a convention. Raises UserError if they cannot be used."""
    settings = settings_of(options)
    if options.json:
        write_line(json.dumps(as_data(settings.convention, settings.language), ensure_ascii=False))
        return 0
    renderer = Renderer(settings.language)
    for line in lines(settings.convention, settings.language):
        write_line(renderer.text(line))
    return 0


def lines(convention: str, language: str) -> Iterator[Message]:
    """Everything that can be said, value by value, then what sounds alike, nearest first."""
    spoken = grammar.pronunciations(convention, language)
    yield Message.of("words_title", name=convention)
    for section, values in _words(convention, language).items():
        for value, phrases in values.items():
            key = section if section in ("file", "rank", "number", "piece", "command") else value
            shown = Piece(value) if section == "piece" else value
            words = _listed(phrases, spoken)
            yield Message.of(
                f"words_{key}", words=words, **({} if key in (value, "command") else {"value": shown})
            )
        if section == "file":
            yield from _help(convention, language)
    pairs = alike(convention, language)
    for pair in pairs:
        slot = Message.of(f"slot_{pair.slot}")
        yield Message.of("words_alike", one=pair.one, other=pair.other, slot=slot)
    if not pairs:
        yield Message.of("words_none_alike")


def as_data(convention: str, language: str) -> dict[str, Any]:
    """The same as data for programs."""
    spoken = grammar.pronunciations(convention, language)
    return {
        "convention": convention,
        "language": language,
        "words": {
            section: {
                value: {
                    "spoken": _spoken(phrases, spoken, heard=True),
                    "typed": _spoken(phrases, spoken, heard=False),
                }
                for value, phrases in values.items()
            }
            for section, values in _words(convention, language).items()
        },
        "help": [
            {"joins": help_.joins, "words": help_.words} for help_ in grammar.helps(convention, language)
        ],
        "alike": [asdict(pair) for pair in alike(convention, language)],
    }


def _words(convention: str, language: str) -> Words:
    """Section -> value -> phrases, the one that the program says first."""
    used, own = convention_of(convention, language), vocabulary(language)
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    sources = {section: used.spoken(section) for section in SECTIONS}
    sources |= {section: (own, vocabulary(DEFAULT)) for section in ("number", "answer")}
    for section, vocabularies in {**sources, "command": (own,)}.items():
        values = found.setdefault(section, {})
        for words in vocabularies:
            for phrase, value in words.all(section):
                if value != "filler":
                    values[value] = (*values.get(value, ()), phrase)
    return found


def _help(convention: str, language: str) -> Iterator[Message]:
    spoken = grammar.pronunciations(convention, language)
    for help_ in grammar.helps(convention, language):
        words = tuple(word for file in help_.words.values() for word in _spoken(file, spoken, heard=True))
        yield Message.of("words_help", joins=_listed(help_.joins, spoken), words=words)


def _listed(phrases: Iterable[str], spoken: Mapping[str, object]) -> Message | tuple[str, ...]:
    """Phrases in a line; those that are understood only if typed are listed separately."""
    heard, typed = (_spoken(phrases, spoken, heard=heard) for heard in (True, False))
    return Message.of("words_typed", words=heard, typed=typed) if typed else heard


def _spoken(phrases: Iterable[str], spoken: Mapping[str, object], *, heard: bool) -> tuple[str, ...]:
    """The phrases that can be heard, or the others; each once, without a piece or place that may follow."""
    found: dict[str, str] = {}
    for phrase in phrases:
        literal, slots = split_command(phrase)
        if all(plain(word) in spoken for word in literal.split()) is heard:
            found.setdefault(plain(literal), literal if slots else phrase)
    return tuple(found.values())
