# SPDX-License-Identifier: GPL-3.0-or-later
"""Any text -> cells, sign by sign, so that exactly the same text comes back: for names, dates and places."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable
from functools import cached_property

from braille.patterns import BLANK

# In this order: of two signs with the same cells the first keeps them, the other is written by its number.
# Letters with accents precede the accents alone, which some tables write as the letters' first cells.
_LATIN = sorted(map(chr, range(0xA1, 0x180)), key=str.isalpha, reverse=True)
_KNOWN = string.ascii_letters + ".,:-/" + string.punctuation + "".join(_LATIN)
_HEX = dict(zip("0123456789abcdef", "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏", strict=True))
_DIGIT = {cell: digit for digit, cell in _HEX.items()}
_MARK = "⠿⠿"


class SpellingError(ValueError):
    """Cells that are not text in this code."""


class Spelling:
    """Writes words with the table's cells for each sign; digits follow one number sign, if the code has one.

    A sign that the table lacks, or that could be mistaken for another, is written by its number in Unicode:
    between two marks (two full cells), as hexadecimal digits that are the letters a to p.
    """

    def __init__(
        self, sign: Callable[[str], str], numerals: Iterable[str], number_sign: str, letter_sign: str
    ) -> None:
        """`sign` gives the cells of a character, "" for none; `numerals` those of 0 to 9.

        `letter_sign` stands between a digit and a letter that would be mistaken for one.
        """
        self._sign = sign
        self._numerals = dict(zip("0123456789", numerals, strict=True))
        self._number_sign = number_sign
        self._letter_sign = letter_sign

    def write(self, text: str) -> str:
        """The words of a text, with one blank for each space."""
        return BLANK.join(map(self._word, text.split(" ")))

    def read(self, cells: str) -> str:
        """The text of these cells. Raises SpellingError if `write` does not make such cells."""
        return " ".join(map(self._read_word, cells.split(BLANK)))

    def _word(self, word: str) -> str:
        if not word:
            return _MARK + _MARK  # two adjacent spaces, which could be lost at the end of a line
        written = self._written(word, self._signs.keys() | self._numerals.keys())
        try:
            if self._read_word(written) == word:
                return written
        except SpellingError:
            pass
        return self._written(word, frozenset())

    def _written(self, word: str, known: Iterable[str]) -> str:
        text, counting = "", False
        for sign in word:
            if sign in known and sign in self._numerals:
                text += ("" if counting else self._number_sign) + self._numerals[sign]
            else:
                cells = self._signs[sign] if sign in known else _by_number(sign)
                text += self._letter_sign * (counting and cells[0] in self._digits) + cells
            counting = sign in known and sign in self._numerals
        return text

    def _read_word(self, cells: str) -> str:
        text, place, counting = "", 0, False
        while place < len(cells):
            end = cells.find(_MARK, place + len(_MARK)) if cells.startswith(_MARK, place) else -1
            if end > 0:
                text += _of_number(cells[place + len(_MARK) : end])
                place, counting = end + len(_MARK), False
            elif counting and cells[place] in self._digits:
                text += self._digits[cells[place]]
                place += 1
            elif counting and self._letter_sign and self._is_letter(cells, place):
                counting, place = False, place + len(self._letter_sign)
            elif self._number_sign and cells.startswith(self._number_sign, place):
                counting, place = True, place + len(self._number_sign)
            else:
                sign, place = self._longest(cells, place)
                text, counting = text + sign, False
        return text

    def _is_letter(self, cells: str, place: int) -> bool:
        after = place + len(self._letter_sign)
        return cells.startswith(self._letter_sign, place) and cells[after : after + 1] in self._digits

    def _longest(self, cells: str, place: int) -> tuple[str, int]:
        for length in range(self._most, 0, -1):
            if (found := self._meanings.get(cells[place : place + length])) and place + length <= len(cells):
                return found, place + length
        raise SpellingError(cells)

    @cached_property
    def _signs(self) -> dict[str, str]:
        """The signs that can be told from all those before them."""
        signs: dict[str, str] = {}
        taken: set[str] = set() if self._number_sign else set(self._numerals.values())
        for sign in _KNOWN:
            cells = self._sign(sign)
            if cells and not _made_of(cells, taken) and not cells.startswith(self._number_sign or BLANK):
                signs.setdefault(sign, cells)
                taken.add(cells)
        return signs

    @cached_property
    def _meanings(self) -> dict[str, str]:
        meanings = {cells: sign for sign, cells in self._signs.items()}
        return meanings if self._number_sign else meanings | self._digits

    @cached_property
    def _digits(self) -> dict[str, str]:
        return {cell: digit for digit, cell in self._numerals.items()}

    @cached_property
    def _most(self) -> int:
        return max(map(len, self._meanings))


def _made_of(cells: str, parts: set[str]) -> bool:
    """Whether cells could be read as a sequence of others."""
    return not cells or any(
        cells.startswith(part) and _made_of(cells[len(part) :], parts) for part in parts if part
    )


def _by_number(sign: str) -> str:
    return _MARK + "".join(_HEX[digit] for digit in f"{ord(sign):x}") + _MARK


def _of_number(cells: str) -> str:
    try:
        return chr(int("".join(_DIGIT[cell] for cell in cells), 16)) if cells else ""
    except (KeyError, ValueError, OverflowError) as error:
        raise SpellingError(cells) from error
