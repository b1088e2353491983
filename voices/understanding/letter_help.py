# SPDX-License-Identifier: GPL-3.0-or-later
"""A letter and a word that begins with it ("be wie Bella") -> the certain letter, or a contradiction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import NamedTuple

from voices.words.files import conventions
from voices.words.lexicon import FILES, MORE_DIGITS, RANKS, Vocabulary, plain, spellings, vocabulary, words_of

Spelled = tuple[str, ...]


class _Table(NamedTuple):
    """Everything in every spelling; `never` are numbers and the names of letters, which clarify nothing."""

    letters: Mapping[str, str]
    joins: frozenset[Spelled]
    helps: Mapping[str, str]
    never: frozenset[str]


def sure(file: str) -> str:
    """A letter that is certain, as a word that nobody says: "a" alone is also a filler in Portuguese."""
    return f"={file}"


def without_help(words: Spelled, language: str, convention: str) -> Spelled | None:
    """The words with each letter and its help as that `sure` letter; None if the two contradict each other.

    A word for a file supports that file and contradicts every other; any other word supports the letter that
    it begins with, and after another letter it stays, whether it makes sense there or not.
    """
    table = _table(language, convention)
    left: list[str] = []
    while words:
        letter, join = words[0], _join(words[1:], table.joins)
        word = "".join(words[1 + len(join) :][:1]) if join and letter in table.letters else ""
        helped = _denoted(word, table)
        if helped and helped != table.letters[letter] and word in table.helps:
            return None
        if helped and helped == table.letters[letter]:
            left.append(sure(helped))
            words = words[2 + len(join) :]
        else:
            left.append(letter)
            words = words[1:]
    return tuple(left)


def _join(words: Spelled, joins: frozenset[Spelled]) -> Spelled:
    return max((join for join in joins if words[: len(join)] == join), key=len, default=())


def _denoted(word: str, table: _Table) -> str | None:
    """The letter that a word supports, if it can support one."""
    if word in table.helps:
        return table.helps[word]
    return None if len(word) <= 1 or word in table.never else plain(word)[:1]


@cache
def _table(language: str, convention: str) -> _Table:
    own = vocabulary(language)
    given = [vocabulary(name) for name in dict.fromkeys((*conventions(), convention))]
    helps = [words.help[language] for words in given if language in words.help]
    tables = [*(words.phrases.get("file", {}) for words in given), *(help_.words for help_ in helps)]
    letters = {spelled: file for file in FILES for spelled in (file, *_spelled(own, "file", file))}
    numbers = (
        spelled
        for words in (own, *given)
        for section, values in (("rank", RANKS), ("number", MORE_DIGITS))
        for value in values
        for spelled in _spelled(words, section, value)
    )
    return _Table(
        letters=letters,
        joins=frozenset(
            words for help_ in helps for join in help_.joins for words in _in_every_spelling(join)
        ),
        helps={
            spelled: file
            for table in tables
            for file, words in table.items()
            for word in words
            for spelled in spellings(word)
        },
        never=frozenset((*numbers, *letters)),
    )


def _spelled(words: Vocabulary, section: str, value: str) -> Iterator[str]:
    for phrase in words.phrases.get(section, {}).get(value, ()):
        yield from spellings(phrase)


def _in_every_spelling(phrase: str) -> Iterator[Spelled]:
    return product(*(sorted(spellings(word)) for word in words_of(phrase)))
