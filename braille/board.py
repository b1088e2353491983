# SPDX-License-Identifier: GPL-3.0-or-later
"""A position -> eight lines of cells, one a rank."""

from __future__ import annotations

from braille.notation import Code
from braille.window import Line

_FILES = "abcdefgh"
_SIGNS = frozenset("KQRBNPkqrbnp12345678")


def ranks(placement: str, code: Code, from_black: bool = False) -> tuple[Line, ...]:
    """The ranks of a FEN's piece placement: each its number, then its eight squares, without blanks.

    Rank 8 comes first and file a is on the left; from Black's side it is rank 1 and file h.
    ValueError for a placement that does not describe eight ranks of eight squares.
    """
    rows = placement.split("/")
    if len(rows) != len(_FILES):
        raise ValueError(f"{len(rows)} ranks in {placement!r}")
    lines = [_rank(number, row, code, from_black) for number, row in zip(range(8, 0, -1), rows, strict=True)]
    return tuple(reversed(lines)) if from_black else tuple(lines)


def _rank(number: int, row: str, code: Code, from_black: bool) -> Line:
    if not _SIGNS.issuperset(row):
        raise ValueError(f"no pieces of a rank: {row!r}")
    symbols = "".join(" " * int(sign) if sign.isdigit() else sign for sign in row)
    if len(symbols) != len(_FILES):
        raise ValueError(f"a rank of {len(symbols)} squares: {row!r}")
    line = Line.of(code.text(str(number)))
    for index in reversed(range(8)) if from_black else range(8):
        light = (index + number) % 2 == 0
        cells = code.empty_square(light) if symbols[index] == " " else code.piece(symbols[index])
        line += Line(cells, (f"{_FILES[index]}{number}",) * len(cells))
    return line
