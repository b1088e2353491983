# SPDX-License-Identifier: GPL-3.0-or-later
"""Braille chess codes as data (`codes/*.toml`); a move, a square or a text -> cells."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from braille import liblouis

_PIECES = frozenset("KQRBNP")
_TEXTS = ("name", "language", "source", "table")
_KEYS = {*_TEXTS, "dots", "pieces", "board"}


class CodeError(ValueError):
    """A file in `codes/` that does not keep to the format; says which file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Code:
    """A Braille chess code: 6 or 8 dots, a table of liblouis for text, and letters for the pieces.

    `pieces` maps the English letters KQRBNP to the code's; `empty` has the signs of an empty white and
    an empty black square.
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
        """A piece on the board by its letter in FEN: a capital for White, a small letter for Black."""
        letter = self.pieces[symbol.upper()]
        return self.text(letter if symbol.isupper() else letter.lower())

    def empty_square(self, light: bool) -> tuple[int, ...]:
        """An empty white (light) or black square of the board."""
        return self.text(self.empty[0 if light else 1])


def parse_code(name: str, text: str) -> Code:
    """Read one file of `codes/`; CodeError says what is wrong with it."""
    try:
        data = tomllib.loads(text)
        return _checked(name, data)
    except ValueError as error:
        raise CodeError(f"codes/{name}.toml: {error}") from error


def _checked(name: str, data: dict[str, Any]) -> Code:
    if set(data) != _KEYS:
        raise ValueError(f"missing or unknown: {', '.join(sorted(set(data) ^ _KEYS))}")
    for key in _TEXTS:
        if not isinstance(data[key], str) or not data[key]:
            raise ValueError(f"{key} is not a text")
    if data["name"] != name:
        raise ValueError(f"name is {data['name']}")
    if type(data["dots"]) is not int or data["dots"] not in (6, 8):
        raise ValueError("dots is neither 6 nor 8")
    pieces = _signs(data, "pieces", _PIECES)
    if not all(letter.isupper() for letter in pieces.values()):
        raise ValueError("[pieces] has a letter that is not a capital")
    board = _signs(data, "board", frozenset({"white", "black"}))
    # One of the pieces' letters, capital or small, or a blank would not be told from an empty square.
    if not set(board.values()).isdisjoint({" ", *pieces.values(), *map(str.lower, pieces.values())}):
        raise ValueError("[board] has the sign of a piece, or a blank")
    texts = {key: data[key] for key in _TEXTS}
    empty = board["white"], board["black"]
    return Code(**texts, dots=data["dots"], pieces=MappingProxyType(pieces), empty=empty)


def _signs(data: dict[str, Any], section: str, keys: frozenset[str]) -> dict[str, str]:
    """A section that gives each of its keys a character of its own."""
    signs = data[section]
    if not isinstance(signs, dict) or set(signs) != keys:
        raise ValueError(f"[{section}] needs {' '.join(sorted(keys))}")
    if not all(isinstance(sign, str) and len(sign) == 1 for sign in signs.values()):
        raise ValueError(f"[{section}] has a value that is not one character")
    if len(set(signs.values())) < len(signs):
        raise ValueError(f"[{section}] has a character twice")
    return signs


def code_names() -> tuple[str, ...]:
    """The names of the codes that there are, in alphabetical order."""
    files = resources.files("braille").joinpath("codes").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@cache
def load_code(name: str) -> Code:
    """The code of that name; KeyError when there is none, CodeError when its file is wrong."""
    if name not in code_names():
        raise KeyError(name)
    return parse_code(name, resources.files("braille").joinpath(f"codes/{name}.toml").read_text("utf-8"))
