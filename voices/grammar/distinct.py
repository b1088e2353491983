# SPDX-License-Identifier: GPL-3.0-or-later
"""A file, a rank or a piece in words that nobody takes for another, as a question between them names it."""

from __future__ import annotations

from functools import cache

from voices.grammar.grammar import pronunciations
from voices.grammar.sound_alikes import NEAR, pronounced
from voices.meaning import Distinct, Piece, Place
from voices.phones import distance
from voices.speakers import Span
from voices.words.conventions import convention as convention_of


def in_words(said: Distinct, convention: str, language: str) -> Span:
    """A letter with its help ("b as in Bella"), anything else by its usual word if no other's is near.

    Otherwise by the one of its words that is farthest from theirs, of those that can be heard.
    """
    used, (section, value) = convention_of(convention, language), _sought(said.said)
    words = used.ways[0][section]
    help_ = used.letter_help(words) if section == "file" else None
    usual, *more = words.phrases[section][value]
    if help_:
        phrase = f"{usual} {help_.joins[0]} {help_.words[value][0]}"
    else:
        known = pronunciations(convention, language)
        heard = (usual, *(phrase for phrase in more if pronounced(phrase, known)))
        others = [words.say(*_sought(other)) for other in said.others]
        phrase = max(
            heard, key=lambda way: min([NEAR, *(_unlike(way, one, convention, language) for one in others)])
        )
    return Span(phrase, words.language or language)


def aloud(said: Distinct, convention: str, language: str) -> str:
    """The same as a voice is given it."""
    words = convention_of(convention, language).ways[0][_sought(said.said)[0]]
    found = in_words(said, convention, language)
    return words.read_aloud(found.text, found.language)


def unlike(one: Place | Piece, other: Place | Piece, convention: str, language: str) -> float:
    """How different two files, ranks or pieces sound as they are said: 0 the same, about 1 wholly."""
    way = convention_of(convention, language).ways[0]
    said = (way[section].say(section, value) for section, value in map(_sought, (one, other)))
    return _unlike(*said, convention, language)


def _sought(said: Place | Piece) -> tuple[str, str]:
    """The section of the words of a file, a rank or a piece, and the value there."""
    if isinstance(said, Piece):
        return "piece", said
    return ("file", said.file) if said.file else ("rank", str(said.rank))


@cache
def _unlike(phrase: str, other: str, convention: str, language: str) -> float:
    known = pronunciations(convention, language)
    pairs = ((a, b) for a in pronounced(phrase, known) for b in pronounced(other, known))
    return min((distance(a, b) for a, b in pairs), default=1.0)
