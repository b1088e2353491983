# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of one place of the program, such as a replay, in a language, with their sounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

import tomli

from voices import data
from voices.grammar import grammar
from voices.meaning import Number
from voices.understanding.meanings import read
from voices.words.lexicon import Sounds, VocabularyError

PhraseKey = TypeVar("PhraseKey", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class PhraseTable(Generic[PhraseKey]):
    """The phrases of each thing to say in a language, the one that the program says first; their sounds."""

    phrases: Mapping[PhraseKey, tuple[str, ...]]
    sounds: Sounds


def load(kind: str, section: str, said: type[PhraseKey], language: str) -> PhraseTable[PhraseKey]:
    """The table of a language in the folder `kind`, which has a phrase for each value of `said`.

    Raises VocabularyError if there is no such file, or if it cannot be used.
    """
    file = data.files(Path(__file__).with_name(kind), kind).get(language)
    if file is None:
        raise VocabularyError(f"{kind}/{language}.toml", section, "missing")
    try:
        found = tomli.loads(file.read_text("utf-8"))
    except tomli.TOMLDecodeError as error:
        raise VocabularyError(f"{kind}/{language}.toml", str(error.lineno), "not_toml") from error
    if missing := [each for each in said if not found.get(section, {}).get(each)]:
        raise VocabularyError(f"{kind}/{language}.toml", f"{section}.{missing[0]}", "missing")
    phrases = {each: tuple(found[section][each]) for each in said}
    sounds = {word: tuple(variants) for word, variants in found.get("sounds", {}).items()}
    return PhraseTable(phrases, sounds)


def heard(table: PhraseTable[PhraseKey], said: PhraseKey, convention: str, language: str) -> Iterator[str]:
    """The phrases of one thing to say in which every word has a known pronunciation."""
    known = _known(convention, language) | table.sounds.keys()
    for phrase in map(grammar.plain_phrase, table.phrases[said]):
        if known.issuperset(phrase.split()):
            yield phrase


def number(said: Iterable[str], language: str, convention: str, digits: int) -> int | None:
    """The number that these words say, or that is written in at most so many digits; None for no number."""
    text = " ".join(said)
    if text.isascii() and text.isdigit() and len(text) <= digits:
        return int(text)
    meanings = (reading.meaning for reading in read(text, language, convention) if reading.likely)
    return next((meaning.value for meaning in meanings if isinstance(meaning, Number)), None)


@cache
def _known(convention: str, language: str) -> frozenset[str]:
    return frozenset(grammar.pronunciations(convention, language))
