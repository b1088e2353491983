# SPDX-License-Identifier: GPL-3.0-or-later
"""Paragraphs of Braille patterns -> numbered pages, and the paragraphs again from their lines.

A paragraph begins at cell 3 and continues at cell 1. Only a word longer than the line is ever broken; its
rest begins at cell 5. A page's number stands alone in its first line, at the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tomli

from braille.patterns import BLANK, UnreadableError

Page = tuple[str, ...]
LEAST_WIDTH = 12  # the shortest line that holds every move whole
MOST = 1000  # cells or lines: a larger sheet does not exist
_FIRST, _NEXT, _REST = (
    2,
    0,
    4,
)  # blanks before a paragraph's first line, before the others, and before the rest of a long word
_LINES_FOR_NUMBER = 5  # on a smaller page the number would take too much room
_NUMBER_SIGN = "⠼"
_DIGITS = "⠚⠁⠃⠉⠙⠑⠋⠛⠓⠊"


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of a line and the lines of a page. Raises ValueError if they are too few or too many."""

    width: int
    lines: int

    def __post_init__(self) -> None:
        if not LEAST_WIDTH <= self.width <= MOST or not 1 <= self.lines <= MOST:
            raise ValueError(f"no sheet has {self.lines} lines of {self.width} cells")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Units that stay together in a line; one that is longer than a line is broken between its parts.

    With `lines` each unit begins a line, and the whole paragraph stands on one page if a page can hold it.
    """

    units: tuple[tuple[str, ...], ...]
    lines: bool = False

    @classmethod
    def of_words(cls, text: str) -> Paragraph:
        """The words of a text between its blanks; two adjacent blanks have an empty word between them."""
        return cls(tuple((word,) for word in text.split(BLANK)))


@cache
def sheets() -> Mapping[str, Sheet]:
    """The named sheets (`sheets.toml`)."""
    data = tomli.loads(Path(__file__).with_name("sheets.toml").read_text("utf-8"))
    return {name: Sheet(**values) for name, values in data.items()}


def paginate(paragraphs: Iterable[Paragraph | None], sheet: Sheet) -> Iterator[Page]:
    """The pages of some paragraphs, None being an empty line; holds one page at a time."""
    number, page = 1, _head(1, sheet)
    for paragraph in paragraphs:
        lines = layout(paragraph, sheet.width) if paragraph else [""]
        kept = (
            paragraph is not None
            and paragraph.lines
            and len(lines) <= sheet.lines - len(_head(number, sheet))
        )
        for place, line in enumerate(lines):
            if len(page) + (len(lines) if kept and place == 0 else 1) > sheet.lines:
                yield tuple(page)
                number += 1
                page = _head(number, sheet)
            page.append(line)
    if len(page) > len(_head(number, sheet)):
        yield tuple(page)


def _head(number: int, sheet: Sheet) -> list[str]:
    """The line with the page's number, if there is room for one."""
    if sheet.lines < _LINES_FOR_NUMBER:
        return []
    text = _NUMBER_SIGN + "".join(_DIGITS[int(digit)] for digit in str(number))
    return [text.rjust(sheet.width, BLANK)]


def layout(paragraph: Paragraph, width: int) -> list[str]:
    """The lines of a paragraph, without trailing blanks."""
    lines, line, fresh = [], BLANK * _FIRST, True
    for unit in paragraph.units:
        if paragraph.lines and not fresh:
            lines.append(line)
            line, fresh = BLANK * _NEXT, True
        for part in _fitting(unit, width - (len(line) if fresh else 0)):
            room = width - len(line) - (not fresh)
            if len(part) > room and not fresh:
                lines.append(line)
                line, fresh, room = BLANK * _NEXT, True, width - _NEXT
            line += BLANK * (not fresh) + part[:room]
            fresh = False
            for start in range(room, len(part), width - _REST):
                lines.append(line)
                line = BLANK * _REST + part[start : start + width - _REST]
    return [text.rstrip(BLANK) for text in (*lines, line)]


def _fitting(unit: tuple[str, ...], room: int) -> tuple[str, ...]:
    """The whole unit if a line has room for it, else its parts."""
    whole = "".join(unit)
    return (whole,) if len(whole) <= room else tuple(part.strip(BLANK) for part in unit)


@dataclass(frozen=True, slots=True)
class Found:
    """A paragraph that was read: its text, with a blank between words, and where in it each line begins."""

    text: str
    places: tuple[tuple[int, int], ...]

    def line(self, place: int = 0) -> int:
        """The number of the line in which a cell of the text stands."""
        return next(number for start, number in reversed(self.places) if start <= place)


def paragraphs(lines: Iterable[tuple[int, str]]) -> Iterator[Found | None]:
    """The paragraphs of some numbered lines, None being an empty line; holds one paragraph at a time.

    Raises UnreadableError ("indent") if a line begins where no line of a paragraph can.
    """
    text, places = "", list[tuple[int, int]]()
    for number, raw in lines:
        line = raw.rstrip(BLANK)
        indent = len(line) - len(line.lstrip(BLANK))
        if indent > _REST:  # the number of a page
            continue
        if places and (indent == _FIRST or not line):
            yield Found(text, tuple(places))
            text, places = "", []
        if not line:
            yield None
        elif indent == _FIRST:
            text, places = line[indent:], [(0, number)]
        elif places and indent in (_NEXT, _REST):
            places.append((len(text), number))
            text += (BLANK if indent == _NEXT else "") + line[indent:]
        else:
            raise UnreadableError(number, "indent")
    if places:
        yield Found(text, tuple(places))
