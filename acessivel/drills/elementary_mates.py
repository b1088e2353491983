# SPDX-License-Identifier: GPL-3.0-or-later
"""The elementary mates: a position to win on the board, against the engine, within fifty moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from acessivel.drills.question import SQUARES
from acessivel.rules.position import WHITE, BadFenError, Fact, Position, is_light
from voices.meaning import Check, Place
from voices.words.lexicon import FILES, RANKS

MOVES = 50  # of the stronger side (art. 9.3; 2018)
# White's pieces beside the king.
ENDINGS: Mapping[str, str] = {"queen": "Q", "rook": "R", "bishops": "BB", "knight": "BN"}


def position(rng: Random, ending: str) -> Position:
    """A position of an ending with White to move, in which Black's king is not next to a piece."""
    pieces = ENDINGS[ending]
    while True:
        squares = rng.sample(SQUARES, len(pieces) + 2)
        king, own = squares[1], squares[2:]
        if pieces == "BB" and is_light(own[0]) == is_light(own[1]):
            continue
        placed = dict(zip(squares, f"Kk{pieces}", strict=True))
        try:
            found = Position.start(_fen(placed))
        except BadFenError:
            continue
        if not any(_beside(king, place) for place in own):
            return found


def won(facts: Sequence[Fact]) -> bool:
    """Whether White has mated with the last move, within the fifty."""
    mated = bool(facts) and facts[-1].colour == WHITE and facts[-1].meaning.check is Check.MATE
    return mated and sum(fact.colour == WHITE for fact in facts) <= MOVES


def _fen(placed: Mapping[Place, str]) -> str:
    ranks = "/".join("".join(placed.get(Place(file, rank), " ") for file in FILES) for rank in RANKS[::-1])
    return f"{re.sub(' +', lambda empty: str(len(empty[0])), ranks)} w - - 0 1"


def _beside(one: Place, other: Place) -> bool:
    ways = ((one.file, other.file), (one.rank, other.rank))
    return all(a and b and abs(ord(a) - ord(b)) <= 1 for a, b in ways)
