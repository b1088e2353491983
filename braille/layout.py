# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout of a board and words on a display of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from braille.window import BOARD_ROWS, Line, Size, Window

LEAST_COLUMNS = 12  # the narrowest display, and the narrowest column of words beside a board
_GAP = 1  # blank cells between the board and the words


@dataclass(frozen=True, slots=True)
class Layout:
    """What a display shows: a board that stays, if there is room for it, and a window on all else.

    The words stand beside the board if at least twelve cells are left for them, or else below it. A display
    with fewer rows than a board has only the window, with the board's ranks after the words. Immutable.
    """

    board: tuple[Line, ...]
    window: Window
    size: Size
    beside: bool = False

    @classmethod
    def of(
        cls, board: Sequence[Line], words: Callable[[Size], Iterable[Sequence[Line]]], size: Size
    ) -> Layout:
        """The layout with the window at its top.

        `board` is eight lines, or none outside a game; `words` gives the paragraphs for a room.
        """
        board = tuple(board)
        room = _room(board, size)
        if not room:
            return cls((), Window.of((*words(size), board), size), size)
        beside = room.rows == size.rows and bool(board)
        return cls(board, Window.of(words(room), room), size, beside)

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
        if not self.board:
            return self.window.visible()
        shown = self.window.visible()
        width = self.window.size.columns
        rows = [shown[start : start + width] for start in range(0, len(shown), width)]
        if not self.beside:
            return _joined([line.padded(self.size.columns) for line in self.board]) + shown
        left = self.size.columns - width
        lines = (*self.board, *(Line.of(()) for _ in range(self.size.rows - len(self.board))))
        return _joined([line.padded(left) + row for line, row in zip(lines, rows, strict=True)])


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


def _joined(lines: Sequence[Line]) -> Line:
    return sum(lines, Line.of(()))
