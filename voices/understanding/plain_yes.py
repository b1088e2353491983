# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether what was typed or heard is plainly a yes, since a yes plays a move."""

from __future__ import annotations

import re

from voices.words import files
from voices.words.lexicon import fold, spellings, vocabulary, words_of

_PLAIN = r"¡?[^\W\d_]+(?:(?:,? +|')[^\W\d_]+)*[.,!]?"


def says_yes(text: str, language: str, *, typed: bool) -> bool:
    """Whether words that can mean a yes are written as one: plain words, at most a point or the like after.

    "(yes)", "-yes" and "yes?" may be slips or doubts. Accents may be left out in the user's own language,
    as many type: "si" is a yes in Spanish, where it is nothing else on its own, but not in Portuguese. Beside
    a no of that language nothing is one: in Spanish "no confirmo" denies. Where "no" means nothing, as in
    Portuguese, what is typed beside the no of another language is none either.
    """
    said = fold(text.strip())
    denying = files.languages() if typed else (language,)
    noes = {fold(no) for each in denying for no in answers(each, "no")}
    if not re.fullmatch(_PLAIN, said) or noes & {*words_of(said)}:
        return False
    own = (spelled for yes in answers(language, "yes") for spelled in spellings(yes))
    others = (fold(yes) for other in files.languages() for yes in answers(other, "yes"))
    return any(set(words_of(yes)) <= set(words_of(said)) for yes in (*own, *others))


def answers(language: str, value: str) -> tuple[str, ...]:
    """The words of a language for "yes" or "no"."""
    return vocabulary(language).phrases["answer"][value]
