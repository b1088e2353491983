# SPDX-License-Identifier: GPL-3.0-or-later
"""Braille chess codes as data (`codes/*.toml`); a move, a square or a text -> cells."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from braille import liblouis

_PIECES = frozenset("KQRBNP")
_TEXTS = ("name", "language", "source", "table")


class CodeError(ValueError):
    """A file in `codes/` that does not keep to the format; says which and where."""


@dataclass(frozen=True, slots=True)
class Code:
    """A Braille chess code: 6 or 8 dots, a table of liblouis for text, and letters for the pieces.

    `pieces` maps the English letters KQRBNP to the code's; `empty` has the signs of an empty white and
    black square.
    """

    name: str
    language: str
    dots: int
    source: str
    table: str
    pieces: Mapping[str, str]
    empty: tuple[str, str]

    def text(self, text: str) -> tuple[int, ...]:
        """Plain text in cells; errors as of `liblouis.cells`."""
        return liblouis.cells(text, self.table)

    def move(self, san: str) -> tuple[int, ...]:
        """A move in SAN with English letters, in cells with the letters of the code."""
        return self.text("".join(self.pieces.get(sign, sign) for sign in san))

    def piece(self, symbol: str) -> tuple[int, ...]:
        """A piece on the board by its letter in FEN: capital for white, small for black."""
        letter = self.pieces[symbol.upper()]
        return self.text(letter if symbol.isupper() else letter.lower())

    def empty_square(self, light: bool) -> tuple[int, ...]:
        """An empty square of the board."""
        return self.text(self.empty[0 if light else 1])


def parse_code(name: str, text: str) -> Code:
    """Read one file of `codes/`; CodeError says what is wrong with it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CodeError(f"codes/{name}.toml: {error}") from error
    for key in _TEXTS:
        if not isinstance(data.get(key), str):
            raise CodeError(f"codes/{name}.toml: {key} is missing")
    if data.get("dots") not in (6, 8):
        raise CodeError(f"codes/{name}.toml: dots is neither 6 nor 8")
    pieces, board = data.get("pieces", {}), data.get("board", {})
    if set(pieces) != _PIECES or len(set(pieces.values())) != len(_PIECES):
        raise CodeError(f"codes/{name}.toml: [pieces] needs six different letters for K Q R B N P")
    empty = board.get("white"), board.get("black")
    if not all(isinstance(sign, str) and len(sign) == 1 for sign in empty) or empty[0] == empty[1]:
        raise CodeError(f"codes/{name}.toml: [board] needs two different signs, white and black")
    return Code(
        **{key: data[key] for key in _TEXTS}, dots=data["dots"], pieces=pieces, empty=(empty[0], empty[1])
    )


def code_names() -> tuple[str, ...]:
    """The codes that there are."""
    files = resources.files("braille").joinpath("codes").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@cache
def load_code(name: str) -> Code:
    """The code of that name; KeyError when there is none."""
    if name not in code_names():
        raise KeyError(name)
    return parse_code(name, resources.files("braille").joinpath(f"codes/{name}.toml").read_text("utf-8"))
