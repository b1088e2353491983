# SPDX-License-Identifier: GPL-3.0-or-later
"""The spoken conventions (`words/*.toml`) and languages (`words/languages/*.toml`): words, spellings, sounds.

A language is a file there, and so is a convention: nothing else names them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Literal

import tomli

from voices.meaning import CommandName, Piece, Side
from voices.phones import phones
from voices.words import files
from voices.words.files import choices, languages

FILES = "abcdefgh"
RANKS = "12345678"
FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", (Piece(letter) for letter in 2 * "KQRBNP"), strict=True))
MORE_DIGITS = "90"  # what numbers need beyond the ranks
COUNTS = tuple(map(str, range(1, 100)))  # those that have words besides the ranks
SLOTS = frozenset({"piece", "square", "file", "rank", "number"})
# What is chosen by its name after a command, and the section with the names.
CHOSEN: Mapping[CommandName, str] = {
    CommandName.LANGUAGE: "languages",
    CommandName.CONVENTION: "conventions",
}

_KEYS: Mapping[str, frozenset[str] | None] = {
    "letter": frozenset(Piece),
    "file": frozenset(FILES),
    "rank": frozenset(RANKS),
    "number": frozenset(MORE_DIGITS),
    "count": frozenset(COUNTS),
    "piece": frozenset(Piece),
    "plural": frozenset(Piece),
    "castling": frozenset(Side),
    "mark": frozenset({"capture", "check", "mate", "en_passant", "promotion", "castle", "filler"}),
    "answer": frozenset({"yes", "no"}),
    "denial": frozenset({"no"}),  # a no in the words of a yes, which must not be heard as that
    "longer": frozenset({"yes", "no"}),  # the one that is named where the usual one was not heard
    # What is an answer when it is typed, and never heard; what may stand before a move, a piece or an answer,
    # or in a move.
    "typed": frozenset({"yes", "no", "before", "piece", "shade", "filler", "before_file", "after_file"}),
    "colour": frozenset({"white", "black"}),
    "command": frozenset(CommandName),
    "languages": None,  # by the names of files, including those that do not exist yet
    "conventions": None,
}
# What a language must have a phrase for; the rest is optional.
_NEEDED = (
    "file", "rank", "number", "piece", "plural", "castling", "answer", "denial", "colour", "command",
)  # fmt: skip
_NEEDED_MARKS = ("capture", "check", "mate", "en_passant")
_HELP, _CALLED, _ALOUD = "help", "called", "aloud"
_OTHER_KEYS = frozenset({"language", "sounds", "convention", _HELP, _CALLED, _ALOUD})
_PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "'": "", "’": ""})
_WORD = re.compile(r"\{\w+\}|[^\W_]+(?:['’][^\W_]+)*")


Sounds = Mapping[str, tuple[str, ...]]  # word in `plain` spelling -> its ARPAbet pronunciations
Problem = Literal[
    "not_readable", "not_toml", "not_a_table", "unknown", "missing", "not_a_letter", "not_phrases",
    "bad_slot", "twice", "bad_sounds", "like_yes",
]  # fmt: skip


class VocabularyError(ValueError):
    """A file of words with a wrong format: which file, where ("file.a"), and what is wrong."""

    def __init__(self, file: str, key: str, problem: Problem) -> None:
        super().__init__(f"{file}: {key} {problem.replace('_', ' ')}")
        self.file = file
        self.key = key
        self.problem: Problem = problem


def fold(text: str) -> str:
    """Lower case in composed form with a plain apostrophe: two spellings of the same word are equal."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.casefold()).replace("’", "'")


def without_accents(text: str) -> str:
    """The plain letters of a folded text: "fünf" -> "funf"."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text.replace("ß", "ss"))
    return "".join([c for c in parts if c.isascii() or not unicodedata.combining(c)])


def plain(text: str) -> str:
    """The spelling that a recogniser's dictionary uses: "fünf" -> "fuenf", "that's" -> "thats"."""
    if text.isascii() and "'" not in text:
        return text.lower()
    return without_accents(fold(text).translate(_PLAIN))


def spellings(word: str) -> frozenset[str]:
    """How a word may be typed: as it is, with umlauts written out, or with no accents at all."""
    folded = fold(word)
    if folded.isascii() and "'" not in folded:
        return frozenset({folded})
    return frozenset({folded, plain(folded), without_accents(folded)})


def words_of(phrase: str) -> tuple[str, ...]:
    """Split a phrase into its words and {slots}: "xeque-mate" has two."""
    return tuple(_WORD.findall(phrase))


def split_command(phrase: str) -> tuple[str, tuple[str, ...]]:
    """A command's fixed words and its slots: "last {number} moves" -> ("last moves", ("number",))."""
    head, slots, tail = command_parts(phrase)
    return " ".join(filter(None, (head, tail))), slots


@cache
def command_parts(phrase: str) -> tuple[str, tuple[str, ...], str]:
    """A command's first words, its slots, and the words after these: ("last", ("number",), "moves")."""
    words = words_of(phrase)
    if "{" not in phrase:
        return " ".join(words), (), ""
    places = [n for n, word in enumerate(words) if word[0] == "{"] or [len(words)]
    head, slots, tail = words[: places[0]], words[places[0] : places[-1] + 1], words[places[-1] + 1 :]
    return " ".join(head), tuple(word.strip("{}") for word in slots), " ".join(tail)


@dataclass(frozen=True, slots=True)
class Help:
    """What can be said after a letter to clarify it: "as in", and words for each file."""

    joins: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    sounds: Sounds


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a language or a convention in a language."""

    words: tuple[str, ...]
    sounds: Sounds


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One file of words: of a language, or of a convention.

    `phrases` maps a section ("piece") and a value ("N") to its phrases, the spoken one first. `language` is
    empty if any voice may speak the words. `help` is by language, and so is `called`: the name of the
    language or convention itself. `conventions` reads `convention`. `typed` are answers that nobody says, "y"
    for "yes", and what can stand `before` a move or an order, or before a `piece` that is asked for, "a", and
    each `shade` of a square, "light", which is no side that answers, and the `filler` of typed moves alone;
    `longer` are those that are named. `aloud` spells words as a voice of a language is to read them, by
    language, where it would read another word.
    """

    name: str
    language: str
    phrases: Mapping[str, Mapping[str, tuple[str, ...]]]
    letters: Mapping[Piece, str]
    sounds: Sounds
    help: Mapping[str, Help] = field(default_factory=dict)
    called: Mapping[str, Name] = field(default_factory=dict)
    convention: Mapping[str, object] = field(default_factory=dict)
    typed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    longer: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aloud: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def all(self, section: str) -> Iterator[tuple[str, str]]:
        """Every phrase of a section with its value."""
        for value, phrases in self.phrases.get(section, {}).items():
            for phrase in phrases:
                yield phrase, value

    def say(self, section: str, value: str) -> str:
        """The phrase that is spoken for a value. Raises KeyError if this vocabulary has none."""
        return self.phrases[section][value][0]

    def read_aloud(self, text: str, language: str) -> str:
        """A text of these words as it is given to a voice of a language."""
        spelled = self.aloud.get(language, {})
        return " ".join(spelled.get(word, word) for word in text.split(" "))

    def longer_answer(self, value: str) -> str:
        """The yes or no to say where the usual one was not heard: the second, unless another is named."""
        return self.longer.get(value, self.phrases["answer"][value][:2])[-1]

    def commands(self) -> Iterator[tuple[str, CommandName, str]]:
        """Every phrase of a command, for one with a choice also a phrase for each: its name, the choice."""
        for name in map(CommandName, self.phrases.get("command", {})):
            for phrase, choice in self.ways(name):
                yield phrase, name, choice

    def spoken_commands(self) -> Iterator[tuple[str, CommandName, str]]:
        """Those that can be heard: without its choice a command is only typed, as it is too like others."""
        return (found for found in self.commands() if found[2] or found[1] not in CHOSEN)

    def ways(self, name: CommandName) -> Iterator[tuple[str, str]]:
        """Every phrase of one command, with the choice that it names; those that name none come last."""
        phrases = self.phrases.get("command", {}).get(name, ())
        if name in CHOSEN:
            for phrase in phrases:
                for called, choice in self.all(CHOSEN[name]):
                    yield phrase.replace(f"{{{name}}}", called), choice
        for phrase in phrases:
            yield (split_command(phrase)[0] if name in CHOSEN else phrase), ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is understood: the vocabularies in use first, then those of the other languages."""

    language: str
    likely: tuple[Vocabulary, ...]

    @property
    def others(self) -> tuple[Vocabulary, ...]:
        """The vocabularies of the other languages, read only when one is needed."""
        return tuple(vocabulary(other) for other in languages() if other != self.language)

    def pieces_for(self, letter: str) -> tuple[tuple[Piece, bool], ...]:
        """The pieces that a capital letter or a figurine can name, with whether that is likely.

        The language in use decides; a letter that it does not use is read as in any other language.
        """
        if letter in FIGURINES:
            return ((FIGURINES[letter], True),)
        own = [p for v in self.likely for p, sign in v.letters.items() if sign == letter]
        foreign = [p for v in self.others for p, sign in v.letters.items() if sign == letter]
        return tuple((piece, piece in own or not own) for piece in dict.fromkeys(chain(own, foreign)))


def all_sounds(*known: Sounds) -> Sounds:
    """The pronunciations of several vocabularies together."""
    found: dict[str, tuple[str, ...]] = {}
    for word, variants in chain.from_iterable(sounds.items() for sounds in known):
        found[word] = tuple(dict.fromkeys((*found.get(word, ()), *variants)))
    return found


def label(name: str) -> str:
    """The name of a file of words in messages: the user's own by its path."""
    if is_path(name):
        return name
    return f"words/languages/{name}.toml" if name in languages() else f"words/{name}.toml"


def is_path(name: str) -> bool:
    """Whether a name is the path of a user's own file of words."""
    return name.endswith(".toml")


def _check(name: str, data: Mapping[str, object]) -> None:
    for key in data:
        if key not in _KEYS and key not in _OTHER_KEYS:
            raise VocabularyError(label(name), key, "unknown")
    for section, allowed in _KEYS.items():
        table = _table(name, data, section)
        for value, entry in table.items():
            if allowed is not None and value not in allowed:
                raise VocabularyError(label(name), f"{section}.{value}", "unknown")
            if section == "letter":
                if not (isinstance(entry, str) and len(entry) == 1 and entry.isupper()):
                    raise VocabularyError(label(name), f"{section}.{value}", "not_a_letter")
            else:
                _check_phrases(name, f"{section}.{value}", entry)
    for value, entry in _table(name, data, "longer").items():
        answers = _table(name, data, "answer").get(value, ())
        if not (isinstance(entry, list) and isinstance(answers, list) and set(entry) <= set(answers)):
            raise VocabularyError(label(name), f"longer.{value}", "unknown")


def _table(name: str, data: Mapping[str, object], key: str) -> dict[str, object]:
    table = data.get(key, {})
    if not isinstance(table, dict):
        raise VocabularyError(label(name), key, "not_a_table")
    return table


def _check_phrases(name: str, key: str, entry: object) -> tuple[str, ...]:
    if not (isinstance(entry, list) and entry and all(isinstance(phrase, str) for phrase in entry)):
        raise VocabularyError(label(name), key, "not_phrases")
    parts = [command_parts(phrase) for phrase in entry]
    if not all(map(any, parts)):
        raise VocabularyError(label(name), key, "not_phrases")
    command = key.removeprefix("command.")
    chosen = command if command != key and command in CHOSEN else None
    for head, slots, _ in parts:
        # A choice is allowed only in its own command.
        if not head or not (slots == (chosen,) if chosen else SLOTS.issuperset(slots)):
            raise VocabularyError(label(name), key, "bad_slot")
    return tuple(entry)


def _sounds(name: str, key: str, data: Mapping[str, object], said: Iterator[str]) -> Sounds:
    """The pronunciations of words that are said, checked to consist of known sounds."""
    known = set(map(plain, words_of(" ".join(said))))
    found, every = {}, phones()
    for word, entry in _table(name, data, "sounds").items():
        if word not in known:
            raise VocabularyError(label(name), f"{key}.{word}", "unknown")
        variants = (
            [one for one in entry if isinstance(one, str) and one.split()] if isinstance(entry, list) else []
        )
        if not variants or variants != entry or not every.issuperset(" ".join(variants).split()):
            raise VocabularyError(label(name), f"{key}.{word}", "bad_sounds")
        found[word] = tuple(variants)
    return found


def _helps(name: str, data: Mapping[str, object]) -> Iterator[tuple[str, Help]]:
    for language in (helps := _table(name, data, _HELP)):
        key = f"{_HELP}.{language}"
        if language not in languages():
            raise VocabularyError(label(name), key, "unknown")
        table = _table(name, helps, language)
        for part in table:
            if part not in {*FILES, "joins", "sounds"}:
                raise VocabularyError(label(name), f"{key}.{part}", "unknown")
        if "joins" not in table:
            raise VocabularyError(label(name), f"{key}.joins", "missing")
        joins, *words = (
            _check_phrases(name, f"{key}.{part}", table.get(part))
            for part in ("joins", *FILES)
            if part in table
        )
        files = [file for file in FILES if file in table]
        yield (
            language,
            Help(
                joins,
                dict(zip(files, words, strict=True)),
                _sounds(name, f"{key}.sounds", table, chain(joins, *words)),
            ),
        )


def _called(name: str, data: Mapping[str, object]) -> Iterator[tuple[str, Name]]:
    """The names that a file gives itself in other languages, which need not exist."""
    for language in (tables := _table(name, data, _CALLED)):
        key, table = f"{_CALLED}.{language}", _table(name, tables, language)
        if unknown := set(table) - {"words", "sounds"}:
            raise VocabularyError(label(name), f"{key}.{min(unknown)}", "unknown")
        words = _check_phrases(name, f"{key}.words", table.get("words"))
        yield language, Name(words, _sounds(name, f"{key}.sounds", table, iter(words)))


def _read_aloud(
    name: str, data: Mapping[str, object], said: Iterator[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """How voices are given words that are said, by language, which need not exist."""
    known = set(words_of(" ".join(said)))
    for language in (tables := _table(name, data, _ALOUD)):
        table = _table(name, tables, language)
        for word, spelled in table.items():
            if word not in known:
                raise VocabularyError(label(name), f"{_ALOUD}.{language}.{word}", "unknown")
            if not (isinstance(spelled, str) and words_of(spelled)):
                raise VocabularyError(label(name), f"{_ALOUD}.{language}.{word}", "not_phrases")
        yield language, {word: str(spelled) for word, spelled in table.items()}


def parse_vocabulary(name: str, text: str) -> Vocabulary:
    """Read one file of words. Raises VocabularyError, which says what is wrong with it."""
    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise VocabularyError(label(name), str(error.lineno), "not_toml") from error
    _check(name, data)
    phrases = {
        section: {value: tuple(entry) for value, entry in data[section].items()}
        for section in _KEYS
        if section in data and section not in ("letter", "longer", "typed")
    }
    language = data.get("language", name if name in languages() else "")
    said = [split_command(p)[0] for table in phrases.values() for entry in table.values() for p in entry]
    found = Vocabulary(
        name=name,
        language=str(language),
        phrases=phrases,
        letters={Piece(key): sign for key, sign in data.get("letter", {}).items()},
        typed={key: tuple(entry) for key, entry in data.get("typed", {}).items()},
        longer={key: tuple(entry) for key, entry in data.get("longer", {}).items()},
        sounds=_sounds(name, "sounds", data, iter(said)),
        help=dict(_helps(name, data)),
        called=dict(_called(name, data)),
        aloud=dict(_read_aloud(name, data, iter(said))),
        convention=_table(name, data, "convention"),
    )
    if language not in ("", *languages()):
        raise VocabularyError(label(name), "language", "unknown")
    return found


@cache
def vocabulary(name: str) -> Vocabulary:
    """The words of that name, or of a user's own file by its path; a language has names for all the others.

    Raises KeyError if there are none of that name, VocabularyError if a file cannot be read or is incomplete.
    """
    found = _read(name)
    return _whole(found) if name in languages() else found


@cache
def _read(name: str) -> Vocabulary:
    if not is_path(name):
        return parse_vocabulary(name, files.text(name))
    try:
        text = Path(name).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise VocabularyError(name, "", "not_readable") from error
    return parse_vocabulary(name, text)


def _whole(own: Vocabulary) -> Vocabulary:
    """A language with all names of languages and conventions. Raises VocabularyError if something is missing.

    If it lacks a name, that is taken from the file of the named one: its name there in this language, or else
    its own.
    """
    needed = [(section, str(value)) for section in _NEEDED for value in _KEYS[section] or ()]
    for section, value in (*needed, *(("mark", mark) for mark in _NEEDED_MARKS)):
        if value not in own.phrases.get(section, {}):
            raise VocabularyError(label(own.name), f"{section}.{value}", "missing")
    phrases, sounds = dict(own.phrases), own.sounds
    for command, section in CHOSEN.items():
        known = dict(own.phrases.get(section, {}))
        for name in choices(command):
            if name not in known:
                called = _name(_read(name), section, own.name)
                known[name] = called.words
                sounds = {**called.sounds, **sounds}
        phrases[section] = {name: known[name] for name in choices(command)}
    return replace(own, phrases=phrases, sounds=sounds)


def _name(words: Vocabulary, section: str, language: str) -> Name:
    """The name of a language or a convention in a language."""
    if called := words.called.get(language):
        return called
    itself = words.phrases.get(section, {}).get(words.name, (words.name,))
    said = {plain(word) for phrase in itself for word in words_of(phrase)}
    return Name(itself, {word: words.sounds[word] for word in said if word in words.sounds})


@cache
def lexicon(language: str) -> Lexicon:
    """What a user of this language can say: FIDE words and its own, then those of the other languages."""
    return Lexicon(language=language, likely=(vocabulary("fide"), vocabulary(language)))
