# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that the network knows, each with its language; every other word is filler to it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from voices.words.files import conventions, languages
from voices.words.lexicon import Sounds, Vocabulary, vocabulary

# Output 0 is CTC's blank, output 1 any other speech.
BLANK = ""
FILLER = "*"


def token(owner: str, word: str) -> str:
    """The name among the network's outputs of a word (in plain spelling) of a language or convention."""
    return f"{owner}:{word}"


def owner(words: Vocabulary) -> str:
    """Whose words a file holds: a language's, or the convention's if any voice may speak them."""
    return words.language or words.name


@cache
def pronunciations() -> dict[str, tuple[str, ...]]:
    """Every trained word, as its token, with its ARPAbet pronunciations."""
    found: dict[str, tuple[str, ...]] = {}
    for whose, known in _known():
        for word, sounds in known.items():
            key = token(whose, word)
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *sounds)))
    return found


def _known() -> Iterator[tuple[str, Sounds]]:
    """The words of every language and convention, and those that clarify letters, each with its owner."""
    for name in dict.fromkeys((*languages(), *conventions())):
        words = vocabulary(name)
        yield owner(words), words.sounds
        for language, help_ in words.help.items():
            yield language, help_.sounds


def outputs() -> tuple[str, ...]:
    """The network's outputs in their order."""
    return (BLANK, FILLER, *sorted(pronunciations()))
