# SPDX-License-Identifier: GPL-3.0-or-later
"""Any text -> cells, sign by sign, so that exactly the same comes back: for names, dates and comments."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from braille.patterns import BLANK

# In this order: of two signs with the same cells the first keeps them, the other is written by its number.
# Letters with accents precede the accents alone, which some tables write as the letters' first cells.
_LATIN = sorted(map(chr, range(0xA1, 0x180)), key=str.isalpha, reverse=True)
_PRINT = map(chr, (*range(0x2010, 0x2045), 0x20AC, *range(0x2190, 0x2194), *range(0x2248, 0x2266)))
_KNOWN = (*string.ascii_letters, *".,:-/", *string.punctuation, *_LATIN, *_PRINT)
_HEX = dict(zip("0123456789abcdef", "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏", strict=True))
_DIGIT = {cell: digit for digit, cell in _HEX.items()}
_AROUND = "⠿⠿"
_IN_NUMBERS = ",."  # a digit follows them without another number sign
_WORDS = 1 << 13  # as many words are remembered with their cells, and as many the other way round
_MOST_MISTAKES = 50  # in a word with more of them every sign is written by its number
_BY_NUMBER = "\0"  # stands for a sign that was written by its number, where its neighbours are looked at
MARKS = ("number", "letter", "capital", "capitals", "capitals_end")


class SpellingError(ValueError):
    """Cells that are not text in this code."""


@dataclass(frozen=True, slots=True)
class SpellingRules:
    """What a code has beside the cells of each character.

    `marks`, "" for none: "number"; "letter", between a digit and a letter that would be mistaken for one;
    "capital"; "capitals", before two or more; "capitals_end", before a small letter after them. `numerals`
    are the cells of 0 to 9. `openings`: signs such as "¿" with the cells of another, "?", from which they are
    told by standing at the beginning of a word. `never_after_letters`: signs with the cells of a letter and a
    point, as which they are read after a letter.
    """

    marks: Mapping[str, str]
    numerals: tuple[str, ...]
    openings: Mapping[str, str]
    never_after_letters: str


class Spelling:
    """Writes words with a code's cells for each sign; number signs and capital signs, if the code has them.

    A number sign counts until something else than a digit, a comma or a point follows. A capital sign stands
    before one capital, another before two or more. A sign that the code lacks, or that could be mistaken for
    another where it stands, is written by its number in Unicode: between two marks (each two full cells), as
    hexadecimal digits that are the letters a to p.
    """

    def __init__(self, sign: Callable[[str], str], chosen: Collection[str], rules: SpellingRules) -> None:
        """`sign` gives the cells of a character, "" for none; those of `chosen` precede all others."""
        self._sign = sign
        self._chosen = chosen
        self._marks = rules.marks
        self._numerals = dict(zip("0123456789", rules.numerals, strict=True))
        self._digits = {cell: digit for digit, cell in self._numerals.items()}
        self._openings = rules.openings
        self._never_after_letters = rules.never_after_letters
        self._cells_of = lru_cache(_WORDS)(self._write_word)
        self._word_of = lru_cache(_WORDS)(self._read_word)

    def write(self, text: str) -> str:
        """The words of a text, with one blank for each space."""
        return BLANK.join(map(self._cells_of, text.split(" ")))

    def read(self, cells: str) -> str:
        """The text of these cells. Raises SpellingError if `write` does not make such cells."""
        return " ".join(map(self._word_of, cells.split(BLANK)))

    def _write_word(self, word: str) -> str:
        if not word:
            return _AROUND + _AROUND  # two adjacent spaces, which could be lost at the end of a line
        by_number: set[int] = set()
        while True:
            written = self._written(word, by_number)
            again = list[tuple[str, bool]]()
            try:
                again.extend(self._signs_in(written))
            except SpellingError:
                mistake = len(again)
            else:
                if (text := self._opened(again)) == word:
                    return written
                mistake = next((n for n, sign in enumerate(word) if text[n : n + 1] != sign), len(word))
            left = set(range(len(word))) - by_number
            nearest = min(left, key=lambda place: abs(place - mistake))
            by_number |= {nearest} if len(by_number) < _MOST_MISTAKES else left

    def _written(self, word: str, by_number: Collection[int]) -> str:
        """The cells of a word, with the signs at these places by their numbers."""
        text, counting, place = "", False, 0
        while place < len(word):
            sign, end = word[place], place + 1
            if place not in by_number and sign in self._numerals:
                text += self._marks["number"] * (not counting) + self._numerals[sign]
                counting = True
            elif place not in by_number and sign in self._signs:
                cells = self._signs[sign]
                text += self._marks["letter"] * (counting and cells[0] in self._digits) + cells
                counting = counting and sign in _IN_NUMBERS
            elif (end := self._end_of_capitals(word, place, by_number)) > place:
                small_follows = end < len(word) and end not in by_number and word[end].islower()
                text, counting = text + self._capitals(word[place:end], small_follows), False
            else:
                text, counting, end = text + _by_number(sign), False, place + 1
            place = end
        return text

    def _end_of_capitals(self, word: str, place: int, by_number: Collection[int]) -> int:
        while place < len(word) and place not in by_number and self._is_capital(word[place]):
            place += 1
        return place

    def _is_capital(self, sign: str) -> bool:
        small = sign.lower()
        return bool(self._marks["capital"]) and small != sign == small.upper() and small in self._signs

    def _capitals(self, capitals: str, small_follows: bool) -> str:
        cells = [self._signs[sign.lower()] for sign in capitals]
        end = self._marks["capitals_end"]
        if len(cells) > 1 and self._marks["capitals"] and (end or not small_follows):
            return self._marks["capitals"] + "".join(cells) + end * small_follows
        return "".join(self._marks["capital"] + each for each in cells)

    def _read_word(self, cells: str) -> str:
        return self._opened(list(self._signs_in(cells)))

    def _signs_in(self, cells: str) -> Iterator[tuple[str, bool]]:
        """The signs of a word, and whether each was written by its number."""
        place, mark, last = 0, "", ""  # the mark that counts: of a number, of a capital, or of capitals
        while place < len(cells):
            around = cells.find(_AROUND, place + len(_AROUND)) if cells.startswith(_AROUND, place) else -1
            if around > 0:
                if code := cells[place + len(_AROUND) : around]:
                    yield _of_number(code), True
                place, mark, last = around + len(_AROUND), "", ""
            elif mark == "number" and cells[place] in self._digits:
                yield self._digits[cells[place]], False
                place, last = place + 1, ""
            elif end := self._end_of_mark(cells, place, mark):
                place, mark = end, ""
            else:
                found, place = self._longest(cells, place, last)
                if found in MARKS:
                    if mark == "capital" or (
                        found == "number" and cells[place : place + 1] not in self._digits
                    ):
                        raise SpellingError(cells)
                    mark, last = found, ""
                    continue
                capital = found.upper() if len(found.upper()) == 1 else found
                if mark == "capital" and capital == found:
                    raise SpellingError(cells)
                yield (capital if mark.startswith("capital") else found), False
                counts = capital != found if mark == "capitals" else mark == "number" and found in _IN_NUMBERS
                mark, last = (mark if counts else ""), found

    def _end_of_mark(self, cells: str, place: int, mark: str) -> int:
        """Where the sign ends that ends a number, or capitals, before a small letter; 0 if none is there."""
        sign = {"number": self._marks["letter"], "capitals": self._marks["capitals_end"]}.get(mark, "")
        end = place + len(sign)
        if not sign or not cells.startswith(sign, place) or end == len(cells):
            return 0
        return end if mark == "capitals" or cells[end] in self._digits else 0

    def _longest(self, cells: str, place: int, last: str) -> tuple[str, int]:
        """The sign, or the name of the mark, with the most cells after the last sign, and where it ends."""
        for end in range(min(place + self._most, len(cells)), place, -1):
            found = self._meanings.get(cells[place:end], "")
            if found and not (found in self._never_after_letters and last.isalpha()):
                return found, end
        raise SpellingError(cells)

    def _opened(self, signs: list[tuple[str, bool]]) -> str:
        """The text of some signs, with what opens a word told from what closes one."""
        text = "".join(sign for sign, _ in signs)
        if not self._openings:
            return text
        shape = "".join(_BY_NUMBER if by_number else sign for sign, by_number in signs)
        end = found.end() if (found := self._beginning.match(shape)) else 0
        opened = (self._opened_by.get(sign, text[place]) for place, sign in enumerate(shape[:end]))
        return "".join(opened) + text[end:]

    @cached_property
    def _opened_by(self) -> dict[str, str]:
        return {closing: opening for opening, closing in self._openings.items()}

    @cached_property
    def _beginning(self) -> re.Pattern[str]:
        """What opens a word: some of these signs before something else, and a letter or another after it."""
        closing = re.escape("".join(self._openings.values()))
        return re.compile(rf"[^\w{closing}]*[{closing}]+(?=[^{closing}])(?=.*[\w{closing}])", re.DOTALL)

    @cached_property
    def _signs(self) -> dict[str, str]:
        """The signs that can be told from all those before them."""
        signs: dict[str, str] = {}
        taken: set[str] = set() if self._marks["number"] else set(self._numerals.values())
        for sign in (*self._chosen, *_KNOWN):
            cells = "" if sign in self._openings or self._has_small(sign) else self._sign(sign)
            if not cells or sign in signs or BLANK in cells or cells in taken or cells in self._leading:
                continue
            if sign in self._chosen or not (self._is_marked(cells, signs) or _made_of(cells, taken)):
                signs[sign] = cells
                taken.add(cells)
        return signs | {opening: signs[closing] for opening, closing in self._openings.items()}

    def _is_marked(self, cells: str, signs: Mapping[str, str]) -> bool:
        """Whether cells could be read as a digit or a capital after its mark."""
        number, capital = self._marks["number"], self._marks["capital"]
        if number and cells.startswith(number):
            return cells[len(number) :][:1] in self._digits
        small = (signs[sign] for sign in signs if sign.isalpha())
        return bool(capital) and cells.startswith(capital) and cells[len(capital) :] in small

    def _has_small(self, sign: str) -> bool:
        return bool(self._marks["capital"]) and sign.lower() != sign

    @cached_property
    def _leading(self) -> dict[str, str]:
        """The marks that stand before a sign, by their cells."""
        names = ("number", "capital", "capitals")
        return {self._marks[name]: name for name in names if self._marks[name]}

    @cached_property
    def _meanings(self) -> dict[str, str]:
        signs = {cells: sign for sign, cells in self._signs.items() if sign not in self._openings}
        return ({} if self._marks["number"] else self._digits) | signs | self._leading

    @cached_property
    def _most(self) -> int:
        return max(map(len, self._meanings))


def _made_of(cells: str, parts: Collection[str]) -> bool:
    """Whether cells could be read as a sequence of others."""
    return not cells or any(cells.startswith(part) and _made_of(cells[len(part) :], parts) for part in parts)


def _by_number(sign: str) -> str:
    return _AROUND + "".join(_HEX[digit] for digit in f"{ord(sign):x}") + _AROUND


def _of_number(cells: str) -> str:
    try:
        return chr(int("".join(_DIGIT[cell] for cell in cells), 16))
    except (KeyError, ValueError, OverflowError) as error:
        raise SpellingError(cells) from error
