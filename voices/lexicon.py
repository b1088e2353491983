# SPDX-License-Identifier: GPL-3.0-or-later
"""The spoken conventions and languages, loaded from `words/*.toml`: each word, its spellings, its sounds."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain

from voices.meaning import CommandName, Piece, Side

LANGUAGES = ("pt", "en", "de", "es")
CONVENTIONS = ("fide", "letters")
FILES = "abcdefgh"
RANKS = "12345678"
SLOTS = frozenset({"piece", "square", "file", "rank"})

_KEYS: Mapping[str, frozenset[str]] = {
    "letter": frozenset(Piece),
    "file": frozenset(FILES),
    "rank": frozenset(RANKS),
    "piece": frozenset(Piece),
    "plural": frozenset(Piece),
    "castling": frozenset(Side),
    "mark": frozenset({"capture", "check", "mate", "en_passant", "promotion", "filler"}),
    "answer": frozenset({"yes", "no"}),
    "command": frozenset(CommandName),
}
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_WORD = re.compile(r"\{\w+\}|[^\W_]+")


class VocabularyError(ValueError):
    """A file in `words/` that does not keep to the format; says which and where."""


def fold(text: str) -> str:
    """Lower case in composed form: what two spellings must share to be the same word."""
    return unicodedata.normalize("NFC", text.casefold())


def without_accents(text: str) -> str:
    """The plain letters of a folded text: "fünf" -> "funf"."""
    parts = unicodedata.normalize("NFD", text.replace("ß", "ss"))
    return "".join(c for c in parts if not unicodedata.combining(c))


def plain(text: str) -> str:
    """The spelling that a recogniser's dictionary uses: "fünf" -> "fuenf", "não" -> "nao"."""
    return without_accents(fold(text).translate(_UMLAUTS))


def spellings(word: str) -> frozenset[str]:
    """How a word may be typed: as it is, with umlauts written out, or with no accents at all."""
    folded = fold(word)
    return frozenset({folded, plain(folded), without_accents(folded)})


def words_of(phrase: str) -> tuple[str, ...]:
    """Split a phrase into its words and {slots}: "xeque-mate" has two."""
    return tuple(_WORD.findall(phrase))


def split_command(phrase: str) -> tuple[str, tuple[str, ...]]:
    """A command's fixed words and the slots that follow: "rank {rank}" -> ("rank", ("rank",))."""
    words = words_of(phrase)
    literal = [word for word in words if word[0] != "{"]
    return " ".join(literal), tuple(word[1:-1] for word in words[len(literal) :])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One file of `words/`: a convention or a language.

    `phrases` maps a section ("piece") and a value ("N") to its phrases, the spoken one first.
    `sounds` maps a word in `plain` spelling to its ARPAbet pronunciations.
    """

    name: str
    language: str
    phrases: Mapping[str, Mapping[str, tuple[str, ...]]]
    letters: Mapping[Piece, str]
    sounds: Mapping[str, tuple[str, ...]]

    def all(self, section: str) -> Iterator[tuple[str, str]]:
        """Every phrase of a section with its value."""
        for value, phrases in self.phrases.get(section, {}).items():
            for phrase in phrases:
                yield phrase, value

    def say(self, section: str, value: str) -> str:
        """The phrase that is spoken for a value; KeyError when this vocabulary has none."""
        return self.phrases[section][value][0]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is understood: the vocabularies in use first, then those of the other languages."""

    language: str
    likely: tuple[Vocabulary, ...]
    others: tuple[Vocabulary, ...]

    def pieces_for(self, letter: str) -> tuple[tuple[Piece, bool], ...]:
        """The pieces that a capital letter can name, with whether that is likely.

        The language in use decides; a letter that it does not use is read as any language has it.
        """
        own = [p for v in self.likely for p, sign in v.letters.items() if sign == letter]
        foreign = [p for v in self.others for p, sign in v.letters.items() if sign == letter]
        return tuple((piece, piece in own or not own) for piece in dict.fromkeys(chain(own, foreign)))


def _check(name: str, data: Mapping[str, object]) -> None:
    for section, allowed in _KEYS.items():
        table = data.get(section, {})
        if not isinstance(table, dict):
            raise VocabularyError(f"words/{name}.toml: [{section}] is not a table")
        unknown = set(table) - allowed
        if unknown:
            raise VocabularyError(f"words/{name}.toml: [{section}] does not know {sorted(unknown)}")
        for value, entry in table.items():
            if section == "letter":
                if not (isinstance(entry, str) and len(entry) == 1 and entry.isupper()):
                    raise VocabularyError(f"words/{name}.toml: letter.{value} is not one capital letter")
            elif not (isinstance(entry, list) and entry and all(isinstance(e, str) for e in entry)):
                raise VocabularyError(f"words/{name}.toml: {section}.{value} is not a list of phrases")
            elif not all(set(split_command(phrase)[1]) <= SLOTS for phrase in entry):
                raise VocabularyError(
                    f"words/{name}.toml: {section}.{value} has an unknown or misplaced slot"
                )


def parse_vocabulary(name: str, text: str) -> Vocabulary:
    """Read one file of `words/`; VocabularyError says what is wrong with it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VocabularyError(f"words/{name}.toml: {error}") from error
    _check(name, data)
    phrases = {
        section: {value: tuple(entry) for value, entry in data[section].items()}
        for section in _KEYS
        if section in data and section != "letter"
    }
    return Vocabulary(
        name=name,
        language=str(data["language"]),
        phrases=phrases,
        letters={Piece(key): sign for key, sign in data.get("letter", {}).items()},
        sounds={word: tuple(sounds) for word, sounds in data.get("sounds", {}).items()},
    )


@cache
def vocabulary(name: str) -> Vocabulary:
    """The convention or language of that name; KeyError when there is none."""
    if name not in (*LANGUAGES, "fide"):
        raise KeyError(name)
    return parse_vocabulary(name, resources.files("voices").joinpath(f"words/{name}.toml").read_text("utf-8"))


@cache
def lexicon(language: str) -> Lexicon:
    """What is understood by someone who uses this language: FIDE words and its own, then the others'."""
    return Lexicon(
        language=language,
        likely=(vocabulary("fide"), vocabulary(language)),
        others=tuple(vocabulary(other) for other in LANGUAGES if other != language),
    )
