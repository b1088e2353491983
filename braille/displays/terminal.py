# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells as Unicode Braille, a line of text for each row, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from braille.patterns import BLANK, pattern
from braille.window import Size

_SCREEN = Size(rows=12, columns=40)  # room for a board and what is said about it


class TerminalDisplay:
    """Writes the rows when they change; blank rows and trailing blanks are left out."""

    name = "terminal"

    def __init__(self, write: Callable[[str], None], size: Size = _SCREEN) -> None:
        self.size = size
        self._write = write
        self._shown: tuple[int, ...] = ()

    def show(self, cells: Sequence[int]) -> None:
        """Write the rows."""
        if tuple(cells) == self._shown:
            return
        self._shown = tuple(cells)
        for start in range(0, len(cells), self.size.columns):
            row = pattern(cells[start : start + self.size.columns]).rstrip(BLANK)
            if row:
                self._write(row)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
