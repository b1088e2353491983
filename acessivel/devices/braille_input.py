# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed on a Braille display, in characters or in the dots of the code in use."""

from __future__ import annotations

import string
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, product

from braille import liblouis, patterns
from braille.displays import Character, Dots
from braille.notation import Code, display_code, load_code
from braille.spelling import SpellingError
from braille.tokens import FILES, TokenError
from voices.grammar import grammar

_ACCENTED = tuple(sign for sign in map(chr, range(0xC0, 0x100)) if sign.isalpha())
_MARKS = {*string.punctuation, *"¿¡"}
_MOST_SHARED = 8  # cells of a word, each of which can be several signs


@dataclass(frozen=True)
class BrailleInput:
    """The keys typed so far, in a code; `text` is what they say, `cells` how they are shown."""

    code: Code
    convention: str
    language: str
    keys: tuple[Character | Dots, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keys)

    def with_key(self, key: Character | Dots) -> BrailleInput:
        """With one more key."""
        return replace(self, keys=(*self.keys, key))

    def shorter(self) -> BrailleInput:
        """Without the last key."""
        return replace(self, keys=self.keys[:-1])

    def cleared(self) -> BrailleInput:
        """With all typing cleared."""
        return replace(self, keys=())

    @property
    def cells(self) -> tuple[int, ...]:
        """Dots as they were typed, characters as the code has them."""
        return tuple(
            cell
            for key in self.keys
            for cell in ((key.cell,) if isinstance(key, Dots) else self.code.text(key.character))
        )

    @property
    def text(self) -> str:
        """The announcement or the words typed."""
        said = []
        for is_dots, keys in groupby(self.keys, lambda key: isinstance(key, Dots)):
            if is_dots:
                said.append(self._read(tuple(key.cell for key in keys if isinstance(key, Dots))))
            else:
                said.extend(key.character for key in keys if isinstance(key, Character))
        return "".join(said)

    def _read(self, cells: tuple[int, ...]) -> str:
        """A move of the code in the letters of the user's language, or else words."""
        try:
            san = self.code.tokens.read(patterns.pattern(cells))
        except TokenError:
            return self._words(cells)
        letters = display_code(self.language).pieces
        return "".join(letters.get(sign, sign) for sign in san)

    def _words(self, cells: tuple[int, ...]) -> str:
        read = self._word_of_six_dots if self.code.dots == 6 else self._word
        *before, last = (tuple(map(ord, word)) for word in "".join(map(chr, cells)).split("\0"))
        return " ".join((*map(read, before), self._square_at_end(last, alone=not before) or read(last)))

    def _square_at_end(self, cells: tuple[int, ...], *, alone: bool) -> str:
        """The rank that is all that was typed, or the square that ends a command, in the cells of a move.

        These can be those of punctuation marks, with which nothing else is typed that way.
        """
        *file, rank = cells or (0,)
        files = {self.code.move(sign): sign for sign in FILES}
        fits = not file if alone else tuple(file) in files
        return files.get(tuple(file), "") + self.code.ranks[rank] if fits and rank in self.code.ranks else ""

    def _word_of_six_dots(self, cells: tuple[int, ...]) -> str:
        """A word in which a capital or a digit takes two cells; liblouis misreads some digits and letters.

        In German a known word may be spelled as in literary Braille, in the cells of no other known word.
        """
        word = liblouis.text(cells, self.code.table)
        try:
            spelled = self.code.spelling.read(patterns.pattern(cells))
        except SpellingError:
            return word
        known = _known_words(self.convention, self.language)
        if word.lower() not in known and spelled.lower() in known:
            return spelled
        is_text = all(sign.isalnum() or sign in _MARKS for sign in word)
        return word if is_text and self.code.text(word) == cells else spelled

    def _word(self, cells: tuple[int, ...]) -> str:
        """A word of eight dots, sign by sign: of several that share a cell, those that make a known word."""
        signs = _signs(self.code.name, self.convention, self.language)
        each = [signs.get(cell, ("?",)) for cell in cells]
        usual = "".join(alike[0] for alike in each)
        if sum(len(alike) > 1 for alike in each) > _MOST_SHARED:
            return usual
        known = _known_words(self.convention, self.language)
        return next((w for w in map("".join, product(*each)) if w.lower() in known), usual)


@cache
def _signs(code_name: str, convention: str, language: str) -> dict[int, tuple[str, ...]]:
    """The signs for each cell of a code of eight dots, those of a keyboard first."""
    code = load_code(code_name)
    usual, words = string.ascii_letters + string.punctuation, "".join(_known_words(convention, language))
    found: dict[int, tuple[str, ...]] = {}
    for sign in dict.fromkeys((*string.digits, *usual, *sorted(words), *_ACCENTED)):
        cells = code.text(sign)
        if len(cells) == 1 and (sign == "?" or code.text("?") != cells):
            found[cells[0]] = (*found.get(cells[0], ()), sign)
    return found


@cache
def _known_words(convention: str, language: str) -> frozenset[str]:
    spelled = grammar.spellings(convention, language).values()
    return frozenset(part.lower() for words in spelled for word in words for part in word.split())
