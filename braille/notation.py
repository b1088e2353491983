# SPDX-License-Identifier: GPL-3.0-or-later
"""Braille chess codes as data (`codes/*.toml`); moves, pieces, names and words in each."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli

from braille import liblouis, patterns
from braille.patterns import BLANK
from braille.spelling import MARKS, Spelling, SpellingRules
from braille.tokens import FILES, ROWS, SIGNS, Tokens

_PIECES = "KQRBNP"
_FIGURES = "♔♕♖♗♘♙"
_FIGURE_OF_BLACK = ord("♚") - ord("♔")
_TEXTS = ("name", "language", "source", "table")
_BETWEEN_NUMBERS = re.compile(r"(?<=\d)\s(?=\d)")  # UEB has a sign for a blank inside one number
_OPTIONAL_TEXTS = ("literary", "text_table", "openings", "never_after_letters")
_NEEDED = {*_TEXTS, "dots", "pieces", "board"}
_POSSIBLE = {*_NEEDED, *_OPTIONAL_TEXTS, "check_first", "signs", "text", "diagram"}


class CodeError(ValueError):
    """A file in `codes/` with a wrong format; the text names the file and what is wrong."""


@dataclass(frozen=True)
class Code:
    """A Braille chess code: 6 or 8 dots, a table of liblouis for text, and letters for the pieces.

    `pieces` maps the English letters KQRBNP to the code's; `empty` has the signs of an empty white and an
    empty black square. `signs` has the cells, as Braille patterns, of everything that the code writes
    differently from the table, by the names of `tokens.SIGNS` and `tokens.ROWS`. `text_table` is the table
    for words; `in_text` has what differs from it, by single characters, by the names of `spelling.MARKS` and
    by "numerals N"; `openings` and `never_after_letters` are those of `SpellingRules`. `literary` names the
    code in which sentences are written. With `check_first` a check stands before the target square. `figures`
    are the twelve pieces KQRBNPkqrbnp on a board, "" where they are the letters; with `counted` a diagram
    counts its empty squares.
    """

    name: str
    language: str
    dots: int
    source: str
    table: str
    pieces: Mapping[str, str]
    empty: tuple[str, str]
    literary: str
    check_first: bool
    signs: Mapping[str, str]
    text_table: str
    in_text: Mapping[str, str]
    openings: Mapping[str, str]
    never_after_letters: str
    figures: str
    counted: bool

    def text(self, text: str) -> tuple[int, ...]:
        """Plain text in cells; marks that the table lacks are spelled. Raises as `liblouis.cells` does."""
        cells: tuple[int, ...] = ()
        end = 0
        for found in self._lacking.finditer(text):
            before = "a" if text[: found.start()][-1:].isalpha() else ""
            spelled = patterns.cells(self.spelling.write(before + found[0]))
            cells += self._by_table(text[end : found.start()]) + spelled[len(before) :]
            end = found.end()
        return cells + self._by_table(text[end:])

    def _by_table(self, text: str) -> tuple[int, ...]:
        first, *others = (liblouis.cells(part, self.table) for part in _BETWEEN_NUMBERS.split(text))
        return first + tuple(cell for part in others for cell in (0, *part))

    @cached_property
    def _lacking(self) -> re.Pattern[str]:
        """The marks that the table lacks, or for which [text] has other cells."""
        lacking = []
        for mark in string.punctuation if self.text_table == self.table else "":
            alone = liblouis.known_cells(mark, self.table)
            after_letter = liblouis.cells(f"a{mark}", self.table)[1:]
            if patterns.cells(self.spelling.write(mark)) not in (alone, after_letter):
                lacking.append(re.escape(mark))
        return re.compile("|".join(lacking) or "(?!)")

    def move(self, san: str) -> tuple[int, ...]:
        """A move in SAN with English letters; other text sign by sign, as far as the code has the signs."""
        try:
            return patterns.cells(self.tokens.write(san))
        except ValueError:
            return tuple(cell for sign in san for cell in self._sign(sign))

    def piece(self, symbol: str) -> tuple[int, ...]:
        """A piece on the board by its letter in FEN: a capital for White, a small letter for Black."""
        if self.figures:
            return patterns.cells(self.figures[(_PIECES + _PIECES.lower()).index(symbol)])
        letter = self.pieces[symbol.upper()]
        if letter in _FIGURES:
            return self.text(letter if symbol.isupper() else chr(ord(letter) + _FIGURE_OF_BLACK))
        return self.text(letter if symbol.isupper() else letter.lower())

    def empty_square(self, light: bool) -> tuple[int, ...]:
        """An empty white (light) or black square of the board."""
        return self.text(self.empty[0 if light else 1])

    @cached_property
    def single_signs(self) -> frozenset[int]:
        """The cells that are a letter, a digit or a punctuation mark by themselves."""
        written = map(self.text, string.ascii_letters + string.digits + string.punctuation)
        return frozenset(cells[0] for cells in written if len(cells) == 1)

    @cached_property
    def ranks(self) -> Mapping[int, str]:
        """The ranks by their cells in a square; some codes have the same for punctuation marks."""
        return {self.move(rank)[-1]: rank for rank in ROWS["ranks"]}

    @cached_property
    def tokens(self) -> Tokens:
        """Moves, their numbers, results, times and PGN's commands, to Braille patterns and back."""
        return Tokens(self._signs, self.spelling, check_first=self.check_first)

    @cached_property
    def spelling(self) -> Spelling:
        """Names, dates and places, to Braille patterns and back."""
        written = self._signs | dict(self.in_text)
        rules = SpellingRules(
            marks={name: written.get(name, "") for name in MARKS},
            numerals=tuple(written[f"numerals {digit}"] for digit in ROWS["numerals"]),
            openings=self.openings,
            never_after_letters=self.never_after_letters,
        )
        return Spelling(self._in_text, [sign for sign in self.in_text if len(sign) == 1], rules)

    @property
    def sentences(self) -> Spelling:
        """Comments, to Braille patterns and back."""
        return (self if self.literary == self.name else load_code(self.literary)).spelling

    def bracket(self, sign: str) -> str:
        """One of { } [ ] in Braille patterns: these enclose a comment, and a diagram's caption."""
        return patterns.pattern(liblouis.known_cells(sign, self.table))

    @cached_property
    def _signs(self) -> dict[str, str]:
        signs = {name: self._of_table(name) for name in (*SIGNS, *FILES) if name not in ("number", "letter")}
        signs["number"] = signs["letter"] = ""
        for row, names in ROWS.items():
            for name in names:
                signs[f"{row} {name}"] = self._character(name)
        return signs | dict(self.signs)

    def _of_table(self, name: str) -> str:
        """A sign as the table and [text] write it, with the code's letter for a piece."""
        return "".join(map(self._character, self.pieces.get(name, name)))

    def _character(self, sign: str) -> str:
        if sign in self.in_text and self.text_table == self.table:
            return self.in_text[sign]
        return patterns.pattern(liblouis.known_cells(sign, self.table))

    def _in_text(self, sign: str) -> str:
        if sign in self.in_text:
            return self.in_text[sign]
        return patterns.pattern(liblouis.known_cells(sign, self.text_table))

    def _sign(self, sign: str) -> tuple[int, ...]:
        name = f"ranks {sign}" if sign in ROWS["ranks"] else sign
        return (
            patterns.cells(self._signs[name])
            if name in self._signs
            else self.text(self.pieces.get(sign, sign))
        )


def parse_code(name: str, text: str) -> Code:
    """Read one file of `codes/`. Raises CodeError, which says what is wrong with it."""
    try:
        data = tomli.loads(text)
        return _checked(name, data)
    except ValueError as error:
        raise CodeError(f"codes/{name}.toml: {error}") from error


def _checked(name: str, data: dict[str, Any]) -> Code:
    if wrong := (_NEEDED - set(data)) | (set(data) - _POSSIBLE):
        raise ValueError(f"missing or unknown: {', '.join(sorted(wrong))}")
    for key in (*_TEXTS, *(key for key in _OPTIONAL_TEXTS if key in data)):
        if not isinstance(data[key], str) or not data[key]:
            raise ValueError(f"{key} is not a text")
    if data["name"] != name:
        raise ValueError(f"name is {data['name']}")
    if type(data["dots"]) is not int or data["dots"] not in (6, 8):
        raise ValueError("dots is neither 6 nor 8")
    if type(data.get("check_first", False)) is not bool:
        raise ValueError("check_first is neither true nor false")
    pieces = _characters(data, "pieces", frozenset(_PIECES))
    if not all(letter.isupper() or letter in _FIGURES for letter in pieces.values()):
        raise ValueError("[pieces] has a letter that is not a capital")
    board = _characters(data, "board", frozenset({"white", "black"}))
    # A piece's letter, capital or small, or a blank could not be told from an empty square.
    if not set(board.values()).isdisjoint({" ", *pieces.values(), *map(str.lower, pieces.values())}):
        raise ValueError("[board] has the sign of a piece, or a blank")
    figures, counted = _diagram(data)
    return Code(
        **{key: data[key] for key in _TEXTS},
        dots=data["dots"],
        pieces=MappingProxyType(pieces),
        empty=(board["white"], board["black"]),
        literary=data.get("literary", name),
        check_first=data.get("check_first", False),
        signs=MappingProxyType(_signs(data, "signs", {*SIGNS, *ROWS})),
        text_table=data.get("text_table", data["table"]),
        in_text=MappingProxyType(_signs(data, "text", {*MARKS, "numerals"})),
        openings=MappingProxyType(_openings(data.get("openings", ""))),
        never_after_letters=data.get("never_after_letters", ""),
        figures=figures,
        counted=counted,
    )


def _characters(data: dict[str, Any], section: str, keys: frozenset[str]) -> dict[str, str]:
    """A section that gives each of its keys a character of its own."""
    signs = data[section]
    if not isinstance(signs, dict) or set(signs) != keys:
        raise ValueError(f"[{section}] needs {' '.join(sorted(keys))}")
    if not all(isinstance(sign, str) and len(sign) == 1 for sign in signs.values()):
        raise ValueError(f"[{section}] has a value that is not one character")
    if len(set(signs.values())) < len(signs):
        raise ValueError(f"[{section}] has a character twice")
    return signs


def _cells(data: dict[str, Any], section: str) -> dict[str, str]:
    """A section of Braille patterns, if it is present."""
    found = data.get(section, {})
    if not isinstance(found, dict):
        raise ValueError(f"[{section}] is no table")  # noqa: TRY004  # every mistake in a file is a ValueError
    for key, cells in found.items():
        if not isinstance(cells, str) or any(
            not 0 <= ord(cell) - ord(BLANK) < 1 << data["dots"] for cell in cells
        ):
            raise ValueError(f"[{section}] {key} is not in Braille patterns of {data['dots']} dots")
    return found


def _signs(data: dict[str, Any], section: str, known: Collection[str]) -> dict[str, str]:
    """[signs] or [text], with each row split into its signs; [text] knows every single character as well."""
    signs = _cells(data, section)
    unknown = {name for name in signs if name not in known and (len(name) > 1 or section == "signs")}
    if unknown:
        raise ValueError(f"[{section}] does not know {', '.join(sorted(unknown))}")
    for row in ROWS.keys() & signs.keys():
        cells = signs.pop(row)
        if not len(cells) == len(set(cells)) == len(ROWS[row]):
            raise ValueError(f"[{section}] {row} needs {len(ROWS[row])} different cells")
        signs |= {f"{row} {name}": cell for name, cell in zip(ROWS[row], cells, strict=True)}
    return signs


def _openings(pairs: str) -> dict[str, str]:
    """Pairs such as "¿?¡!": what opens a word, and the sign with the same cells."""
    if len(pairs) % 2 or len(set(pairs)) < len(pairs):
        raise ValueError("openings is not pairs of different characters")
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def _diagram(data: dict[str, Any]) -> tuple[str, bool]:
    """[diagram], if it is present: the figures, and whether empty squares are counted."""
    found = data.get("diagram", {"figures": "", "counted": False})
    if (
        not isinstance(found, dict)
        or set(found) != {"figures", "counted"}
        or type(found["counted"]) is not bool
    ):
        raise ValueError("[diagram] needs figures and counted")
    figures = _cells({"dots": data["dots"], "diagram": {"figures": found["figures"]}}, "diagram")["figures"]
    if figures and not len(figures) == len(set(figures)) == 2 * len(_PIECES):
        raise ValueError("[diagram] figures needs 12 different cells")
    return figures, found["counted"]


def code_of(language: str, dots: int) -> Code | None:
    """The code of a language with 6 or 8 dots: the one named like that ("pt6"), else the first; or None."""
    if (name := f"{language}{dots}") in code_names():
        return load_code(name)
    codes = (code for code in map(load_code, code_names()) if (code.language, code.dots) == (language, dots))
    return next(codes, None)


def display_code(language: str) -> Code:
    """The code for a display in a language: its code of eight dots, else of six, else the English one."""
    return code_of(language, 8) or code_of(language, 6) or load_code("en8")


def code_names() -> tuple[str, ...]:
    """The names of the available codes, in alphabetical order."""
    return tuple(sorted(_files()))


@cache
def _files() -> Mapping[str, Path]:
    """The files of codes: the program's, overridden by those of the folders in ACESSIVEL_LANGUAGES."""
    own = Path(__file__).with_name("codes")
    named = filter(None, os.environ.get("ACESSIVEL_LANGUAGES", "").split(os.pathsep))
    places = (own, *(Path(name, "codes") for name in named))
    files = (file for place in places if place.is_dir() for file in place.iterdir())
    return {file.name.removesuffix(".toml"): file for file in files if file.name.endswith(".toml")}


@cache
def load_code(name: str) -> Code:
    """Load the code of that name. Raises KeyError if there is none, CodeError if its file is wrong."""
    if name not in code_names():
        raise KeyError(name)
    code = parse_code(name, _files()[name].read_text("utf-8"))
    if code.literary not in code_names():
        raise CodeError(f"codes/{name}.toml: literary names no code")
    return code
