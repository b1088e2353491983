# SPDX-License-Identifier: GPL-3.0-or-later
"""A position -> a diagram for paper: drawn, or with its empty squares counted, as the code requires."""

from __future__ import annotations

import re

from braille import board
from braille.notation import Code
from braille.patterns import pattern


def diagram(placement: str, code: Code) -> tuple[str, ...]:
    """The lines of a FEN's piece placement, the eighth rank first; raises as `board.ranks`.

    Drawn, each line begins with the rank's number. Counted, a run of empty squares is their number, and ranks
    that are completely empty are counted together.
    """
    ranks = board.ranks(placement, code)
    if not code.counted:
        return tuple(pattern(line.cells) for line in ranks)
    together = re.sub(r"8(?:/8)*", lambda found: str(8 * (found[0].count("/") + 1)), placement)
    return tuple(
        "".join(code.tokens.digits(sign) if sign.isdigit() else pattern(code.piece(sign)) for sign in row)
        for row in together.split("/")
    )
