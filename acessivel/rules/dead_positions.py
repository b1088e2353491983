# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a side can still mate by any series of legal moves (art. 5.2.2, 6.9; 2018): proved, or open."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import islice
from typing import Literal, NamedTuple

import chess

from acessivel.rules.unwinnable import cannot_mate

CanMate = Literal["yes", "no", "undecided"]

# How many positions to look at: while somebody waits; after he was told to wait; after each move.
AT_ONCE = 6_000
THOROUGHLY = 120_000
AFTER_A_MOVE = 40
_SHARE = 64  # positions in turn for each plan; the first has more


def can_mate(board: chess.Board, colour: chess.Color, positions: int = AT_ONCE) -> CanMate:
    """Whether a side could mate if both sides helped: "no" is proved, "yes" was found, else "undecided".

    Looks at a limited number of positions, so that the answer is the same on every machine. Neither
    repetitions nor the number of quiet moves end a series.
    """
    return search(board, colour, positions).verdict


def is_dead(board: chess.Board, positions: int = AFTER_A_MOVE) -> bool:
    """Whether it is proved that no series of legal moves leads to mate by either side."""
    most = positions // 4  # with as many moves no search can prove a "no"
    few = len(list(islice(board.legal_moves, most))) < most
    sides = chess.COLORS
    return all(
        cannot_mate(board, side) or (few and can_mate(board, side, positions) == "no") for side in sides
    )


def identity(board: chess.Board) -> Hashable:
    """What makes two positions the same for all future moves (art. 9.2.2; 2018)."""
    key: Hashable = board._transposition_key()  # noqa: SLF001  # the library offers it only as text (FEN)
    return key


class Search(NamedTuple):
    """The answer of a search: how many positions were looked at, and the moves to a mate that was found."""

    verdict: CanMate
    positions: int = 0
    line: tuple[chess.Move, ...] = ()


def search(board: chess.Board, colour: chess.Color, positions: int) -> Search:
    """Look for a mate by several plans in turn: one often finds at once what another misses."""
    from acessivel.rules.mating_plans import plans  # noqa: PLC0415 - most positions need no search

    if board.is_checkmate():
        return Search("yes" if board.turn is not colour else "no")
    if cannot_mate(board, colour):
        return Search("no")
    searches = [_planned(board, colour, plan) for plan in plans(board, colour)]
    looked = 0
    while True:
        for number, planned in enumerate(searches):
            share = min(_SHARE if number else 4 * _SHARE, positions - looked)
            before = looked
            while looked - before < share:
                found = next(planned)
                looked += found.positions
                if found.verdict != "undecided":
                    return Search(found.verdict, looked, found.line)
            if looked >= positions:
                return Search("undecided", looked)


def _planned(
    board: chess.Board, colour: chess.Color, plan: Callable[[chess.Board, chess.Color], int]
) -> Iterator[Search]:
    """Positions that can arise, the nearest to a mate by a plan first, the newest of equals.

    Yields after each position whose moves were looked at; "no" when none is left.
    """
    start = board.copy(stack=False)
    seen: set[Hashable] = {identity(start)}
    came: dict[Hashable, tuple[Hashable, chess.Move]] = {}
    waiting: list[tuple[int, int, chess.Board]] = [(0, 0, start)]
    while waiting:
        _, __, here = heapq.heappop(waiting)
        before, known = identity(here), len(seen)
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            key = identity(after)
            if key in seen:
                continue
            seen.add(key)
            came[key] = (before, move)
            if after.turn is not colour and after.is_checkmate():
                yield Search("yes", len(seen) - known, _line(came, key))
                return
            if not cannot_mate(after, colour):
                heapq.heappush(waiting, (plan(after, colour), -len(seen), after))
        yield Search("undecided", len(seen) - known)
    yield Search("no")


def _line(came: Mapping[Hashable, tuple[Hashable, chess.Move]], key: Hashable) -> tuple[chess.Move, ...]:
    moves: list[chess.Move] = []
    while key in came:
        key, move = came[key]
        moves.append(move)
    return tuple(reversed(moves))
