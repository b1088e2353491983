# SPDX-License-Identifier: GPL-3.0-or-later
"""The conventions of announcing: whose words are said and understood, from the `[convention]` of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from voices.meaning import Piece, Side
from voices.words.files import conventions, languages
from voices.words.lexicon import (
    FILES,
    RANKS,
    Help,
    Vocabulary,
    VocabularyError,
    all_sounds,
    is_path,
    label,
    plain,
    spellings,
    split_command,
    vocabulary,
    words_of,
)

DEFAULT = "fide"
OWN = "language"  # stands for the vocabulary of the user's language
# What each way to announce needs words for; without `en_passant` and the like a move has no full form.
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "file": tuple(FILES),
    "rank": tuple(RANKS),
    "piece": tuple(Piece),
    "castling": tuple(Side),
    "mark": ("capture", "check", "mate", "en_passant"),
}
SECTIONS = tuple(_NEEDED)
_WRITTEN = ("words", "letters")

Way = Mapping[str, Vocabulary]  # section -> where its words come from


@dataclass(frozen=True, slots=True)
class Convention:
    """The ways to announce for a user of a language: the program says the first, and understands all.

    `letters`: squares are written "e4" for the eye. `help` can follow a letter of the language.
    """

    ways: tuple[Way, ...]
    letters: bool = False
    help: Help | None = None

    def spoken(self, section: str) -> tuple[Vocabulary, ...]:
        """The vocabularies that a section's words can come from; the program says the first."""
        return tuple({way[section].name: way[section] for way in self.ways}.values())

    @property
    def vocabularies(self) -> tuple[Vocabulary, ...]:
        """Every vocabulary used in announcements; the program says the first."""
        return tuple({words.name: words for way in self.ways for words in way.values()}.values())

    def letter_help(self, words: Vocabulary) -> Help | None:
        """The help that can follow the words for files in a vocabulary; only a language's letters have it."""
        return self.help if words.name in languages() else None


@cache
def convention(name: str, language: str) -> Convention:
    """A convention by its name, or a user's own by its path. Raises VocabularyError, saying what is wrong."""
    try:
        header = dict(vocabulary(name).convention)
    except KeyError as error:
        raise VocabularyError(label(name), "", "not_readable") from error
    file = label(name)
    ways, written, helps = header.pop("ways", None), header.pop("written", "words"), header.pop("help", [])
    for key in header:
        raise VocabularyError(file, f"convention.{key}", "unknown")
    if not isinstance(ways, list) or not ways:
        raise VocabularyError(file, "convention.ways", "missing")
    if written not in _WRITTEN:
        raise VocabularyError(file, "convention.written", "unknown")
    if not isinstance(helps, list):
        raise VocabularyError(file, "convention.help", "not_phrases")
    given = tuple(_named(name, "convention.help", language, each) for each in helps)
    help_ = _help(name, language, given)
    found = Convention(tuple(_way(name, language, way) for way in ways), written == "letters", help_)
    _check_meanings((vocabulary(language), vocabulary(DEFAULT), *found.vocabularies))
    return found


def _named(name: str, key: str, language: str, wanted: object) -> Vocabulary:
    """The vocabulary that a convention names: the user's language, its own file, or one of the program's."""
    if wanted == OWN:
        return vocabulary(language)
    if is_path(name) and wanted == Path(name).stem:
        return vocabulary(name)
    if not isinstance(wanted, str) or wanted not in conventions():
        raise VocabularyError(label(name), key, "unknown")
    return vocabulary(wanted)


def _way(name: str, language: str, way: object) -> Way:
    """One way to announce; sections that it does not name are in the user's language."""
    if not isinstance(way, dict):
        raise VocabularyError(label(name), "convention.ways", "not_a_table")
    for section in way:
        if section not in SECTIONS:
            raise VocabularyError(label(name), f"convention.ways.{section}", "unknown")
    found = {
        section: _named(name, f"convention.ways.{section}", language, way.get(section, OWN))
        for section in SECTIONS
    }
    for section, words in found.items():
        for value in _NEEDED[section]:
            _check_said(words, section, value)
    return found


def _check_said(words: Vocabulary, section: str, value: str) -> None:
    """Check that the program has a word for everything it says, and recognises it when the user says it."""
    if value not in words.phrases.get(section, {}):
        raise VocabularyError(label(words.name), f"{section}.{value}", "missing")
    for word in map(plain, words_of(words.say(section, value))):
        if word not in words.sounds:
            raise VocabularyError(label(words.name), f"sounds.{word}", "missing")


def _check_meanings(used: tuple[Vocabulary, ...]) -> None:
    """Check that no phrase stands for two things: "dama" for a file and for a piece."""
    owners: dict[str, tuple[str, str]] = {}
    for words in used:
        for section in (*SECTIONS, "answer", "command"):
            for phrase, value in words.all(section):
                # Several commands may begin alike; the words that follow distinguish them.
                meaning = section, value if section != "command" else ""
                for spelled in spellings(split_command(phrase)[0]):
                    if value != "filler" and owners.setdefault(spelled, meaning) != meaning:
                        raise VocabularyError(label(words.name), f"{section}.{value}", "twice")


def _help(name: str, language: str, given: tuple[Vocabulary, ...]) -> Help | None:
    """Everything that can follow a letter in a language: the words for files of `given`, and their help."""
    helps = [words.help[language] for words in given if language in words.help]
    if given and language in (own := vocabulary(language)).help:
        helps.append(own.help[language])
    tables = [*(words.phrases.get("file", {}) for words in given), *(help_.words for help_ in helps)]
    owners: dict[str, str] = {}
    for file, word in ((file, word) for table in tables for file, words in table.items() for word in words):
        if owners.setdefault(plain(word), file) != file:
            raise VocabularyError(label(name), f"help.{language}.{file}", "twice")
    if not helps:
        return None
    return Help(
        joins=tuple(dict.fromkeys(join for help_ in helps for join in help_.joins)),
        words={file: tuple(word for table in tables for word in table.get(file, ())) for file in FILES},
        sounds=all_sounds(*(words.sounds for words in given), *(help_.sounds for help_ in helps)),
    )
