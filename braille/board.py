# SPDX-License-Identifier: GPL-3.0-or-later
"""A position -> eight lines of cells, one a rank."""

from __future__ import annotations

from braille.notation import Code
from braille.window import Line

_FILES = "abcdefgh"
_SIGNS = frozenset("KQRBNPkqrbnp12345678")
_DOT_8 = 0x80
# Before a square if dot 8 cannot be added to the piece itself: dots 7 8, or 4 5 6 in six dots.
_MARK_OF_8, _MARK_OF_6 = 0xC0, 0x38


def ranks(
    placement: str,
    code: Code,
    *,
    from_black: bool = False,
    cursor: str | None = None,
    columns: int | None = None,
) -> tuple[Line, ...]:
    """The ranks of a FEN's piece placement: each its number, then its eight squares.

    Rank 8 comes first and file a is on the left; from Black's side it is rank 1 and file h. The square of the
    `cursor` ("e4") gets dot 8. If the code has six dots, or dot 8 would make other signs of its pieces, the
    square is preceded by a mark: dots 4 5 6, or 7 8.

    The squares follow each other without blanks, as on a display of one line, unless there are `columns`
    cells for each rank: then every file stands in a column of its own, with a blank where the code needs room
    for the cursor. Raises ValueError if the placement does not describe eight ranks of eight squares.
    """
    rows = placement.split("/")
    if len(rows) != len(_FILES):
        raise ValueError(f"{len(rows)} ranks in {placement!r}")
    mark = _mark(code)
    width = max(len(cells) for cells in _alphabet(code)) + bool(mark)
    number_width = max(len(code.text(str(number))) for number in range(1, 9))
    columned = columns is not None and number_width + len(_FILES) * width <= columns
    lines = []
    for number, row in zip(range(8, 0, -1), rows, strict=True):
        line = Line.of(code.text(str(number)))
        for name, symbol in _squares(number, row, from_black=from_black):
            light = (_FILES.index(name[0]) + number) % 2 == 0
            cells = code.empty_square(light) if symbol == " " else code.piece(symbol)
            line += _square(cells, name, width if columned else 0, mark if name == cursor else None)
        lines.append(line)
    return tuple(reversed(lines)) if from_black else tuple(lines)


def _squares(number: int, row: str, *, from_black: bool) -> list[tuple[str, str]]:
    """The squares of a rank in order, each with its piece or a blank."""
    if not _SIGNS.issuperset(row):
        raise ValueError(f"no pieces of a rank: {row!r}")
    symbols = "".join(" " * int(sign) if sign.isdigit() else sign for sign in row)
    if len(symbols) != len(_FILES):
        raise ValueError(f"a rank of {len(symbols)} squares: {row!r}")
    squares = [(f"{file}{number}", symbol) for file, symbol in zip(_FILES, symbols, strict=True)]
    return squares[::-1] if from_black else squares


def _square(cells: tuple[int, ...], name: str, width: int, mark: tuple[int, ...] | None) -> Line:
    """The cells of a square, padded with blanks on the left; `mark` as of `_mark` if the cursor is there."""
    if mark == ():
        cells = tuple(cell | _DOT_8 for cell in cells)
    cells = (*(mark or ()), *cells)
    blanks = (0,) * (width - len(cells))
    return Line.of(blanks + cells, name)


def _mark(code: Code) -> tuple[int, ...]:
    """The cell before the square of the cursor; none if dot 8 is free to be added to the square itself."""
    if code.dots == 6:
        return (_MARK_OF_6,)
    squares = [cell for cells in _alphabet(code) for cell in cells]
    taken = {*squares, *code.single_signs}
    return () if taken.isdisjoint(cell | _DOT_8 for cell in squares) else (_MARK_OF_8,)


def _alphabet(code: Code) -> list[tuple[int, ...]]:
    """The cells of everything that can be on a square."""
    return [*map(code.piece, "KQRBNPkqrbnp"), code.empty_square(light=True), code.empty_square(light=False)]
