# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that the network knows, each with its language; everything else is filler to it."""

from __future__ import annotations

from functools import cache

from voices.lexicon import LANGUAGES, plain, vocabulary

# Output 0 is CTC's blank, output 1 any other speech.
BLANK = ""
FILLER = "*"


def token(language: str, word: str) -> str:
    """The name of a word (in plain spelling) among the network's outputs."""
    return f"{language}:{word}"


@cache
def pronunciations() -> dict[str, tuple[str, ...]]:
    """Every word that is trained, as its token, with its ARPAbet pronunciations."""
    found: dict[str, tuple[str, ...]] = {}
    for name in ("fide", *LANGUAGES):
        words = vocabulary(name)
        for word, sounds in words.sounds.items():
            key = token(words.language, word)
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *sounds)))
    nato = vocabulary("nato")
    for phrase, _ in nato.all("file"):
        if plain(phrase) in nato.sounds:
            found[token("nato", plain(phrase))] = nato.sounds[plain(phrase)]
    return found


def outputs() -> tuple[str, ...]:
    """The network's outputs in their order."""
    return (BLANK, FILLER, *sorted(pronunciations()))
