# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of cells -> the rows x columns cells of a display, panning, and what a cell stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

BOARD_ROWS = 8  # from so many rows on, the lines of a block are placed below one another


@dataclass(frozen=True, slots=True)
class Size:
    """The rows and columns of a display, in cells. Raises ValueError unless both are at least 1."""

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1:
            raise ValueError(f"no display has {self.rows} rows of {self.columns} cells")


ONE_ROW = Size(rows=1, columns=40)  # the most common display


@dataclass(frozen=True, slots=True)
class Line:
    """A line of cells; `marks` says what each cell stands for, if anything.

    On a board that is the name of the square ("e4"); elsewhere whatever the caller makes of a routing key.
    """

    cells: tuple[int, ...]
    marks: tuple[object | None, ...]

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.marks):
            raise ValueError(f"{len(self.cells)} cells with {len(self.marks)} marks")

    @classmethod
    def of(cls, cells: Iterable[int], mark: object | None = None) -> Line:
        """A line whose cells all stand for the same thing, or for nothing."""
        cells = tuple(cells)
        return cls(cells, (mark,) * len(cells))

    def __add__(self, other: Line) -> Line:
        return Line(self.cells + other.cells, self.marks + other.marks)

    def __getitem__(self, part: slice) -> Line:
        return Line(self.cells[part], self.marks[part])

    def __len__(self) -> int:
        return len(self.cells)

    def padded(self, columns: int) -> Line:
        """The line with blanks up to a number of cells; a longer line stays as it is."""
        return self + _blanks(columns - len(self))

    def words(self) -> Iterator[Line]:
        """The runs of cells between blanks."""
        start = 0
        for end, cell in enumerate((*self.cells, 0)):
            if cell == 0:
                if end > start:
                    yield self[start:end]
                start = end + 1


BLANK = Line((0,), (None,))


@dataclass(frozen=True, slots=True)
class Window:
    """The part of some paragraphs that a display shows; immutable. `Window.of` makes one.

    A paragraph is lines that flow together. A row never breaks inside a word, unless the word is longer than
    the row. Each paragraph begins a row, and on a display that can hold a board, so does each of its lines.
    """

    rows: tuple[Line, ...]
    """All rows, without trailing blanks."""
    tops: tuple[int, ...]
    """The row at which each paragraph begins, rising."""
    size: Size
    top: int = 0
    """The row that is shown first."""

    @classmethod
    def of(cls, paragraphs: Iterable[Sequence[Line]], size: Size) -> Window:
        """The window at the top of the paragraphs; blank paragraphs take no row."""
        rows: list[Line] = []
        tops: list[int] = []
        for lines in paragraphs:
            if flowed := _flow(lines, size):
                tops.append(len(rows))
                rows += flowed
        return cls(tuple(rows), tuple(tops), size)

    def cells(self) -> tuple[int, ...]:
        """Exactly rows x columns cells, row by row."""
        return self.visible().cells

    def mark(self, cell: int) -> object | None:
        """What the cell with a number, counted from 0, stands for; routing keys give that number."""
        marks = self.visible().marks
        return marks[cell] if 0 <= cell < len(marks) else None

    def right(self) -> Window:
        """The next rows, if there are any."""
        top = self.top + self.size.rows
        return replace(self, top=top) if top < len(self.rows) else self

    def left(self) -> Window:
        """The rows before."""
        return replace(self, top=max(0, self.top - self.size.rows))

    def down(self) -> Window:
        """The beginning of the next paragraph, if there is one."""
        return replace(self, top=next((top for top in self.tops if top > self.top), self.top))

    def up(self) -> Window:
        """The beginning of this paragraph, or of the one before."""
        return replace(self, top=next((top for top in reversed(self.tops) if top < self.top), 0))

    def home(self) -> Window:
        """The top."""
        return replace(self, top=0)

    def end(self) -> Window:
        """The last rows, as panning comes to them."""
        last = max(0, len(self.rows) - 1)
        return replace(self, top=last - (last - self.top) % self.size.rows)

    @property
    def whole(self) -> bool:
        """Whether the display shows everything at once."""
        return len(self.rows) <= self.size.rows

    @property
    def place(self) -> tuple[int, int]:
        """The paragraph at the top, and how many of its non-blank cells precede: the same on any display."""
        paragraph = max((n for n, top in enumerate(self.tops) if top <= self.top), default=0)
        start = self.tops[paragraph] if self.tops else 0
        return paragraph, sum(map(_filled, self.rows[start : self.top]))

    def at(self, paragraph: int, passed: int) -> Window:
        """The window from the row with the cell that follows so many of a paragraph, or on its last row."""
        if paragraph >= len(self.tops):
            return self.home()
        end = self.tops[paragraph + 1] if paragraph + 1 < len(self.tops) else len(self.rows)
        for top in range(self.tops[paragraph], end):
            passed -= _filled(self.rows[top])
            if passed < 0:
                return replace(self, top=top)
        return replace(self, top=end - 1)

    def visible(self) -> Line:
        """The cells that are shown, with what they stand for."""
        shown = Line((), ())
        for row in self.rows[self.top : self.top + self.size.rows]:
            shown += row.padded(self.size.columns)
        return shown.padded(self.size.rows * self.size.columns)


def _flow(lines: Sequence[Line], size: Size) -> list[Line]:
    """The rows of a paragraph, without trailing blanks."""
    rows: list[list[Line]] = []
    room = 0
    for line in lines:
        fresh = size.rows >= BOARD_ROWS or not rows
        for word in line.words():
            for part in _parts(word, size.columns):
                if not fresh and len(part) < room:
                    rows[-1] += (BLANK, part)
                    room -= 1 + len(part)
                else:
                    rows.append([part])
                    room = size.columns - len(part)
                fresh = False
    return [_joined(row) for row in rows]


def _joined(lines: Iterable[Line]) -> Line:
    """Lines joined one after the other."""
    cells, marks = zip(*((line.cells, line.marks) for line in lines), strict=True)
    return Line(tuple(chain(*cells)), tuple(chain(*marks)))


def _parts(word: Line, columns: int) -> Iterator[Line]:
    """The word, or the rows that it fills if it is longer than one."""
    for start in range(0, len(word), columns):
        yield word[start : start + columns]


def _filled(row: Line) -> int:
    return sum(map(bool, row.cells))


def _blanks(count: int) -> Line:
    return Line((0,) * max(0, count), (None,) * max(0, count))
