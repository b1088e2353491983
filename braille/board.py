# SPDX-License-Identifier: GPL-3.0-or-later
"""A position -> eight lines of cells, one a rank."""

from __future__ import annotations

from braille.notation import Code
from braille.window import Line

_FILES = "abcdefgh"


def ranks(placement: str, code: Code, *, from_black: bool = False) -> tuple[Line, ...]:
    """The ranks of a FEN's piece placement, each its number and its eight squares without blanks.

    Rank 8 comes first and file a is on the left; for Black it is rank 1 and file h.
    """
    lines = []
    for rank, row in zip("87654321", placement.split("/"), strict=True):
        symbols = "".join(" " * int(sign) if sign.isdigit() else sign for sign in row)
        squares = list(zip(_FILES, symbols, strict=True))
        cells, names = list(code.text(rank)), [None] * len(code.text(rank))
        for file, symbol in reversed(squares) if from_black else squares:
            light = (_FILES.index(file) + int(rank)) % 2 == 0
            drawn = code.empty_square(light) if symbol == " " else code.piece(symbol)
            cells += drawn
            names += [f"{file}{rank}"] * len(drawn)  # type: ignore[list-item]
        lines.append(Line(tuple(cells), tuple(names)))
    return tuple(reversed(lines)) if from_black else tuple(lines)
