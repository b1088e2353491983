# SPDX-License-Identifier: GPL-3.0-or-later
"""Vocabularies -> what each of their phrases can stand for, by its spellings: lexemes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from voices.meaning import Side
from voices.understanding.letter_help import sure
from voices.words.lexicon import (
    FILES,
    MORE_DIGITS,
    RANKS,
    Vocabulary,
    command_parts,
    spellings,
    vocabulary,
    words_of,
)

# One sign for each kind of word, so that an announcement is one regular expression; `re` compiles and keeps
# those that are used.
SIGNS = {
    "piece": "p",
    "plural": "p",
    "file": "f",
    "rank": "r",
    "number": "d",
    "count": "N",
    "castling": "c",
    "capture": "x",
    "check": "+",
    "mate": "#",
    "en_passant": "e",
    "promotion": "=",
    "castle": "k",
    "yes": "y",
    "no": "n",
    "colour": "w",
    "command": "!",
    "tail": "~",
}


class Lexeme(NamedTuple):
    """A word or phrase as one of the things that it can stand for."""

    sign: str
    value: str


class Phrases(NamedTuple):
    """Phrases by their spellings -> what they can stand for, together with the meaningless fillers.

    What can be a filler or a file is the file after the words `before_file`, and before those `after_file`.
    """

    meanings: dict[tuple[str, ...], tuple[Lexeme, ...]]
    fillers: frozenset[tuple[str, ...]]
    before_file: frozenset[tuple[str, ...]]
    after_file: frozenset[tuple[str, ...]]
    longest: int


@cache
def phrases(names: tuple[str, ...], *, typed: bool) -> Phrases:
    """The phrases of vocabularies, languages or conventions, by name; more of them can be `typed`."""
    meanings: dict[tuple[str, ...], dict[Lexeme, None]] = {(sure(f),): {Lexeme("f", f): None} for f in FILES}
    fillers: set[tuple[str, ...]] = set()
    beside: dict[str, set[tuple[str, ...]]] = {"before_file": set(), "after_file": set()}
    for name in names:
        for phrase, lexeme in _lexemes(vocabulary(name)):
            for spelling in each_spelling(words_of(phrase)):
                meanings.setdefault(spelling, {})[lexeme] = None
        for phrase, value in vocabulary(name).all("mark"):
            if value == "filler":
                fillers.update(each_spelling(words_of(phrase)))
        for phrase in vocabulary(name).typed.get("filler", ()) if typed else ():
            fillers.update(each_spelling(words_of(phrase)))
        for place, known in beside.items():
            for phrase in vocabulary(name).typed.get(place, ()):
                known.update(each_spelling(words_of(phrase)))
    return Phrases(
        {phrase: tuple(lexemes) for phrase, lexemes in meanings.items()},
        frozenset(fillers),
        frozenset(beside["before_file"]),
        frozenset(beside["after_file"]),
        max(map(len, meanings)),
    )


def _lexemes(words: Vocabulary) -> Iterator[tuple[str, Lexeme]]:
    for section in ("piece", "plural", "file", "rank", "number", "count", "castling"):
        for phrase, value in words.all(section):
            yield phrase, Lexeme(SIGNS[section], value)
    for section in ("mark", "answer", "denial", "colour"):
        for phrase, value in words.all(section):
            if value == "castle":
                yield from ((phrase, Lexeme(SIGNS[value], side)) for side in Side)
            elif value != "filler":
                yield phrase, Lexeme(SIGNS["colour" if section == "colour" else value], value)
    for phrase, name, choice in words.commands():
        head, slots, tail = command_parts(phrase)
        end = (tail.replace(" ", "_"),) if tail else ()
        yield head, Lexeme(SIGNS["command"], " ".join((f"{name}:{choice}", *slots, *end)))
        yield from ((tail, Lexeme(SIGNS["tail"], value)) for value in end)
    yield "x", Lexeme(SIGNS["capture"], "capture")
    yield from ((letter, Lexeme("f", letter)) for letter in FILES)
    yield from ((digit, Lexeme("r", digit)) for digit in RANKS)
    yield from ((digit, Lexeme("d", digit)) for digit in MORE_DIGITS)


def each_spelling(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A phrase in every way to spell its words."""
    return product(*(sorted(spellings(word)) for word in words))
