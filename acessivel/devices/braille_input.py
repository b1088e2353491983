# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed on a Braille display, in characters or in the dots of the code in use."""

from __future__ import annotations

import contextlib
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, product

from braille import liblouis, patterns
from braille.displays import Character, Dots
from braille.notation import Code, display_code, load_code
from braille.patterns import BLANK
from braille.spelling import SpellingError
from braille.tokens import FILES, TokenError
from voices.grammar import grammar
from voices.meaning import Answer, Castling, MovePattern
from voices.understanding import meanings

_ACCENTED = tuple(sign for sign in map(chr, range(0xC0, 0x100)) if sign.isalpha())
_MARKS = {*string.punctuation, *"¿¡"}
_MOST_SHARED = 8  # cells of a word, each of which can be several signs
_SQUARES = re.compile(r"\W*(?:[a-h][1-8]\W*)*")
_MOST_OF_MOVES = 5  # words of a line, each of which can be a part of a move


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
        """The announcement or the words typed, with one blank between them."""
        said = []
        for is_dots, keys in groupby(self.keys, lambda key: isinstance(key, Dots)):
            if is_dots:
                said.append(self._read(tuple(key.cell for key in keys if isinstance(key, Dots))))
            else:
                said.extend(key.character for key in keys if isinstance(key, Character))
        return " ".join("".join(said).split())

    def _read(self, cells: tuple[int, ...]) -> str:
        """A move of the code in the letters of the user's language, or else words.

        The cells of a rank in a move can be those of a mark in a word: of all that a line can be, the first
        that means something is taken.
        """
        words = patterns.pattern(cells).split(BLANK)
        alone = sum(map(bool, words)) == 1
        each = [self._readings(word, alone=alone) for word in words]
        usual = " ".join(readings[-1] for readings in each)
        if sum(len(readings) > 1 for readings in each) > _MOST_OF_MOVES:
            return usual
        lines = map(" ".join, product(*each))
        return next((line for line in lines if line == usual or self._is_meant(line)), usual)

    def _is_meant(self, line: str) -> bool:
        """Whether a line means something, or is a move with what may stand beside it: "e4 draw"."""
        if meanings.read(line, self.language, self.convention):
            return True
        first, *others = line.split()
        found = meanings.read(first, self.language, self.convention)
        known = _known_words(self.convention, self.language)
        return any(isinstance(reading.meaning, MovePattern | Castling) for reading in found) and all(
            _SQUARES.fullmatch(other) or other.lower() in known for other in others
        )

    def _readings(self, word: str, *, alone: bool) -> tuple[str, ...]:
        """What a word can be: as a part of a move, and last as a word; a move `alone` can be nothing else.

        A letter that is an answer in the user's language is no piece alone: "s" is a yes.
        """
        plain, move, part = self._plain(word), self._move(word), self._in_move(word)
        if alone and (move or self._answers(plain)):
            return (move or plain,)
        return (*dict.fromkeys(one for one in (move, part) if one and one != plain), plain)

    def _answers(self, word: str) -> bool:
        found = meanings.read_typed(word, self.language, self.convention)
        return any(isinstance(reading.meaning, Answer) for reading in found)

    def _move(self, word: str) -> str:
        """A move of the code, also before a full stop, in the letters of the user's language; "" for none."""
        stop, letters = patterns.pattern(self.code.text(".")), display_code(self.language).pieces
        for cells, end in ((word, ""), (word.removesuffix(stop), ".")):
            with contextlib.suppress(TokenError):
                san = self.code.tokens.read(cells).strip()
                return "".join(letters.get(sign, sign) for sign in san) + end
        return ""

    def _in_move(self, word: str) -> str:
        """A word with squares, beside signs or others; a number, a piece, a sign of moves; "" for none."""
        signs = _signs_of_moves(self.code.name)
        if signs.number and signs.number in word:
            return ""
        if signs.square.search(word):
            betweens, parts = signs.betweens, signs.between.split(word)
            return "".join(betweens.get(part) or self._move(part) or self._squares(part) for part in parts)
        if all(cell in signs.digits for cell in word):
            return "".join(signs.digits[cell] for cell in word)
        sign = signs.pieces.get(word) or signs.betweens.get(word, "")
        return display_code(self.language).pieces.get(sign, sign)

    def _squares(self, part: str) -> str:
        """A part of a move, whose squares are in the cells of the code."""
        signs, text, end = _signs_of_moves(self.code.name), "", 0
        for found in signs.square.finditer(part):
            text += self._plain(part[end : found.start()]) + signs.files[found[1]] + signs.ranks[found[2]]
            end = found.end()
        return text + self._plain(part[end:])

    def _plain(self, word: str) -> str:
        """A word in the cells of words."""
        cells = patterns.cells(word)
        return self._word_of_six_dots(cells) if self.code.dots == 6 else self._word(cells)

    def _word_of_six_dots(self, cells: tuple[int, ...]) -> str:
        """A word in which a capital or a digit takes two cells; liblouis misreads some signs.

        In German a known word may be spelled as in literary Braille, in the cells of no other known word.
        """
        word = liblouis.text(cells, self.code.table)
        try:
            spelled = self.code.spelling.read(patterns.pattern(cells))
        except SpellingError:
            return word
        beside = _marks_beside_numbers(self.code.name)
        marked = beside.place.sub(lambda letter: beside.marks[letter[0]], spelled)
        if self.code.text(marked) == cells:
            spelled = marked
        known = _known_words(self.convention, self.language)
        if word.lower() not in known and spelled.lower() in known:
            return spelled
        if len(spelled) <= len(word) and self._writes(spelled, cells):
            return spelled
        is_text = all(sign.isalnum() or sign in _MARKS for sign in word)
        return word if is_text and self.code.text(word) == cells else spelled

    def _writes(self, spelled: str, cells: tuple[int, ...]) -> bool:
        """Whether a code in which moves and words have the same cells writes a word like this."""
        written = (self.code.text(spelled), patterns.cells(self.code.spelling.write(spelled)))
        return self.code.text_table == self.code.table and cells in written

    def _word(self, cells: tuple[int, ...]) -> str:
        """A word of eight dots, sign by sign: of several that share a cell, those that make a known word."""
        signs = _signs(self.code.name, self.convention, self.language)
        each = [signs.get(cell, ("?",)) for cell in cells]
        usual = "".join(alike[0] for alike in each)
        if sum(len(alike) > 1 for alike in each) > _MOST_SHARED:
            return usual
        known = _known_words(self.convention, self.language)
        return next((w for w in map("".join, product(*each)) if w.lower() in known), usual)


@dataclass(frozen=True)
class _SignsOfMoves:
    """What stands in moves, by its cells.

    `betweens`: what is between two squares; `number`: what stands before a digit in words, "" for nothing.
    """

    pieces: Mapping[str, str]
    files: Mapping[str, str]
    ranks: Mapping[str, str]
    digits: Mapping[str, str]
    betweens: Mapping[str, str]
    number: str
    square: re.Pattern[str]
    between: re.Pattern[str]


@cache
def _signs_of_moves(code_name: str) -> _SignsOfMoves:
    code = load_code(code_name)
    pieces = {patterns.pattern(code.move(piece)): piece for piece in code.pieces}
    files = {patterns.pattern(code.move(file)): file for file in FILES}
    ranks = {patterns.pattern((cell,)): rank for cell, rank in code.ranks.items()}
    digits = {code.tokens.digits(digit): digit for digit in string.digits} | ranks
    written = (code.text("-"), "-"), (code.text("x"), "x"), (code.move("x"), "x")
    betweens = {patterns.pattern(cells): sign for cells, sign in written}
    number = patterns.pattern(code.text("1")[:-1])
    square = re.compile(f"({'|'.join(files)})({'|'.join(ranks)})")
    between = re.compile(f"({'|'.join(betweens)})")
    return _SignsOfMoves(pieces, files, ranks, digits, betweens, number, square, between)


@dataclass(frozen=True)
class _MarksBesideNumbers:
    """The letters with the cells that a mark has beside a number, with that mark, and where it stands."""

    marks: Mapping[str, str]
    place: re.Pattern[str]


@cache
def _marks_beside_numbers(code_name: str) -> _MarksBesideNumbers:
    """In Portuguese "1)" has the cells of "1ã", and "(1" those of "ê1", in which no word begins."""
    code, one = load_code(code_name), len(load_code(code_name).text("1"))
    after = {code.text(f"1{mark}")[one:]: mark for mark in string.punctuation}
    before = {code.text(f"{mark}1")[:-one]: mark for mark in string.punctuation}
    letters = {sign: liblouis.known_cells(sign, code.table) for sign in _ACCENTED}
    opens, closes = (
        {sign: marks[cells] for sign, cells in letters.items() if cells in marks} for marks in (before, after)
    )
    place = rf"(?<!\w)[{''.join(opens)}](?=\d)|(?<=\d)[{''.join(closes)}]"
    return _MarksBesideNumbers(opens | closes, re.compile(place if opens and closes else "(?!)"))


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
