# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells as Unicode Braille patterns (U+2800 to U+28FF), and text files of them."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from typing import BinaryIO

BLANK = "⠀"
_FIRST = ord(BLANK)
_LONGEST = 10_000  # bytes of a line: a longer one is no page of Braille, and would fill the memory


class UnreadableError(ValueError):
    """A file that has the wrong content: in which line (from 1), and of which kind.

    `kind` is "character" (no Braille), "long" (too long a line), "xml" (no PEF) or "indent" (no paragraph).
    """

    def __init__(self, line: int, kind: str) -> None:
        super().__init__(f"line {line}: {kind}")
        self.line = line
        self.kind = kind


def pattern(cells: Iterable[int]) -> str:
    """Cells (bit 0 = dot 1 to bit 7 = dot 8) as Braille patterns."""
    return "".join(chr(_FIRST + cell) for cell in cells)


def cells(text: str) -> tuple[int, ...]:
    """Braille patterns as cells. Raises ValueError for any other character."""
    found = tuple(ord(sign) - _FIRST for sign in text)
    if any(not 0 <= cell <= 0xFF for cell in found):
        raise ValueError(f"not Braille: {text!r}")
    return found


def write(pages: Iterable[Iterable[str]]) -> Iterator[bytes]:
    """A text file in UTF-8: one line for each line, a form feed after each page."""
    for page in pages:
        yield "".join(f"{line}\n" for line in page).encode() + b"\f"


def read(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines of a text file with their numbers; a space is a blank, form feeds are left out."""
    for number, raw in lines(file):
        try:
            text = raw.removeprefix(codecs.BOM_UTF8).decode().replace(" ", BLANK)
            cells(text)
        except ValueError as error:
            raise UnreadableError(number, "character") from error
        yield number, text


def lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, without their ends and without form feeds."""
    number = 0
    while raw := file.readline(_LONGEST):
        number += 1
        if len(raw) == _LONGEST:
            raise UnreadableError(number, "long")
        if (text := raw.rstrip(b"\r\n\x1a").replace(b"\f", b"")) or raw.endswith(b"\n"):
            yield number, text
