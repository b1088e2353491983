# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout of a board and words on a display of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from braille.window import BOARD_ROWS, Line, Size, Window

LEAST_COLUMNS = 12  # the narrowest display, and the narrowest column of words beside a board
_GAP = 1  # blank cells between the board and the words
_NO_CORNER = Line.of(())


@dataclass(frozen=True, slots=True)
class Texts:
    """All that is not the board: paragraphs that pan, between a head and a foot that stay.

    Beside a board the head has the first rows, and the last line of the foot the last one; its other lines
    stand above that, as many as the paragraphs leave room for. Elsewhere the paragraphs stand between the
    head and the last line of the foot.
    """

    paragraphs: Sequence[Sequence[Line]]
    head: Sequence[Line] = ()
    foot: Sequence[Line] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """What a display shows: a board that stays, if there is room for it, and a window on all else.

    The words stand beside the board if at least twelve cells are left for them, or else below it. A display
    with fewer rows than a board has only the window, with the board's ranks after the words. The corner, a
    cell or none, is the last of the first row, whatever is shown. Immutable.
    """

    board: tuple[Line, ...]
    window: Window
    size: Size
    head: tuple[Line, ...] = ()
    foot: tuple[Line, ...] = ()
    beside: bool = False
    corner: Line = _NO_CORNER

    @classmethod
    def of(
        cls, board: Sequence[Line], words: Callable[[Size], Texts], size: Size, corner: Line = _NO_CORNER
    ) -> Layout:
        """The layout with the window at its top.

        `board` is eight lines, or none outside a game; `words` gives the words for a room.
        """
        board = tuple(board)
        inner = Size(size.rows, size.columns - len(corner))
        room = _room(board, inner)
        if not (room and board):
            told = words(inner)
            return cls((), Window.of((*_all(told), board), inner), size, corner=corner)
        told = words(room)
        if room.rows < inner.rows:
            return cls(board, Window.of(_all(told), room), size, corner=corner)
        head, foot = (Window.of([lines], room).rows for lines in (told.head, told.foot))
        left = Size(max(1, room.rows - len(head) - bool(foot)), room.columns)
        window = Window.of(told.paragraphs, left)
        return cls(board, window, size, head, foot, beside=True, corner=corner)

    def cells(self) -> tuple[int, ...]:
        """Exactly rows x columns cells, row by row."""
        return self._shown().cells

    def mark(self, cell: int) -> object | None:
        """What the cell with a number, counted from 0, stands for; routing keys give that number."""
        marks = self._shown().marks
        return marks[cell] if 0 <= cell < len(marks) else None

    def pan(self, window: Window) -> Layout:
        """The layout with its window panned; the same if it already shows everything."""
        return self if self.window.whole else replace(self, window=window)

    def _shown(self) -> Line:
        columns = self.size.columns - len(self.corner)
        rows = [row.padded(columns + len(self.corner)) for row in self._rows(columns)]
        rows[0] = rows[0][:columns] + self.corner
        return _joined(rows)

    def _rows(self, columns: int) -> list[Line]:
        words = _split(self.window.visible(), self.window.size.columns)
        if not self.board:
            return words
        if not self.beside:
            return [*self.board, *words]
        words = [*self.head, *self._with_foot(words)]
        left = columns - self.window.size.columns
        board = (*self.board, *(Line.of(()) for _ in range(self.size.rows - len(self.board))))
        return [line.padded(left) + row for line, row in zip(board, words, strict=True)]

    def _with_foot(self, words: list[Line]) -> list[Line]:
        """The rows of the window, and below them as much of the foot as there is room for."""
        if not self.foot:
            return words
        used = len(self.window.rows) if self.window.whole else len(words)
        free = len(words) - used - bool(used) if used < len(words) else 0  # a blank row below the words
        shown = self.foot[-1 - max(0, free) :]
        return [*words[: len(words) + 1 - len(shown)], *shown]


def _all(words: Texts) -> tuple[Sequence[Line], ...]:
    """All in one window."""
    return words.head, *words.paragraphs, words.foot[-1:]


def _room(board: Sequence[Line], size: Size) -> Size | None:
    """The room for words beside or below a board; None if the board has no place of its own."""
    if not board:
        return size
    columns = size.columns - max(map(len, board)) - _GAP
    if size.rows >= BOARD_ROWS and columns >= LEAST_COLUMNS:
        return Size(size.rows, columns)
    if size.rows > BOARD_ROWS and max(map(len, board)) <= size.columns:
        return Size(size.rows - BOARD_ROWS, size.columns)
    return None


def _split(shown: Line, columns: int) -> list[Line]:
    return [shown[start : start + columns] for start in range(0, len(shown), columns)]


def _joined(lines: Sequence[Line]) -> Line:
    return sum(lines, Line.of(()))
