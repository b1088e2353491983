# SPDX-License-Identifier: GPL-3.0-or-later
"""No display: remembers what it was asked to show."""

from __future__ import annotations

from collections.abc import Sequence

from braille.window import ONE_ROW, Size


class NoDisplay:
    """Shows nothing."""

    name = "off"

    def __init__(self, size: Size = ONE_ROW) -> None:
        self.size = size
        self.cells: tuple[int, ...] = ()

    def show(self, cells: Sequence[int]) -> None:
        """Remember the cells."""
        self.cells = tuple(cells)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
