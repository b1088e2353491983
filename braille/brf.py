# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of six-dot cells <-> BRF: North American Braille ASCII, lines end in CR LF, pages in a form feed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from braille import patterns
from braille.patterns import UnreadableError

# The characters of the cells 0 to 63, by their dots (bit 0 = dot 1), as in liblouis's en-us-brf.dis.
_ASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="
_TO_ASCII = str.maketrans(dict(zip(map(chr, range(0x2800, 0x2840)), _ASCII, strict=True)))
_CELLS = {sign: chr(0x2800 + cell) for cell, sign in enumerate(_ASCII)}
# Some programs write small letters, and with them the signs 32 places higher in ASCII.
_FROM_ASCII = _CELLS | {chr(ord(sign) + 32): cell for sign, cell in _CELLS.items() if "@" <= sign <= "^"}


class EightDotsError(ValueError):
    """A cell with dot 7 or 8: BRF has no character for it."""


def write(pages: Iterable[Iterable[str]]) -> Iterator[bytes]:
    """The text of the pages, one by one. Raises EightDotsError for a cell that BRF lacks."""
    for page in pages:
        text = "".join(f"{line}\r\n" for line in page)
        if any(cell > "⠿" for cell in text):
            raise EightDotsError(text)
        yield text.translate(_TO_ASCII).encode("ascii") + b"\f"


def read(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines as Braille patterns, with their numbers. Raises UnreadableError if the file is not BRF."""
    for number, raw in patterns.lines(file):
        try:
            yield number, "".join(_FROM_ASCII[chr(byte)] for byte in raw)
        except KeyError as error:
            raise UnreadableError(number, "character") from error
