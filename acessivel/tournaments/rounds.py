# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of a round: who sits where, and what a result is in the file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from acessivel.laws.editions import Points
from acessivel.message import Message
from acessivel.rules.position import BLACK, WHITE
from acessivel.rules.scores import usual
from acessivel.tournaments import fields
from acessivel.tournaments.standings import Field
from acessivel.tournaments.tournament import SIGNS, Entrant, Tournament, TrfError

_MATCH = Points(win=2, draw=1, loss=0, absent=0)
# A result -> White's sign and Black's in the file: of a game, and of one in which not both have moved, which
# FIDE does not rate. "+" won and "-" lost by forfeit; "*" takes a result back.
_RESULTS: Mapping[str, tuple[str, str]] = {
    "1-0": ("10", "WL"), "0-1": ("01", "LW"), "1/2-1/2": ("==", "DD"), "0-0": ("00", "LL"),
    "1/2-0": ("=0", "DL"), "0-1/2": ("0=", "LD"),
    "+-": ("+-", "+-"), "-+": ("-+", "-+"), "--": ("--", "--"), "*": ("  ", "  "),
}  # fmt: skip
_WORDS = {
    "1-0": "result_white", "0-1": "result_black", "1/2-1/2": "result_draw", "0-0": "result_lost",
    "1/2-0": "result_half_white", "0-1/2": "result_half_black",
    "+-": "result_forfeit_white", "-+": "result_forfeit_black", "--": "result_forfeit_both",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Board:
    """A table of a round, with the start numbers of its players."""

    table: int
    white: int
    black: int


def boards(event: Tournament, number: int) -> tuple[Board, ...]:
    """The tables of a round, from 1, in the order in which FIDE has pairings published (Handbook C.04.2).

    That is by the points of the better player, those of both, and the better's number. In a tournament of
    teams the matches stand in that order, each with its boards. The numbers of a round in the file stay.
    """
    pairs = [
        (player.number, paired.opponent)
        for player in event.players.values()
        if (paired := player.paired(number)).opponent is not None and _has_white(event, player, number)
    ]
    order = _order(fields.players(event, number - 1))
    if event.of_teams:
        # Those of an individual tournament that does not say so meet several others in a round.
        with contextlib.suppress(TrfError):
            order = _order_of_boards(event, number)
    published = event.tables.get(number, ())
    if set(map(frozenset, published)) == set(map(frozenset, pairs)):
        order = _order_as_published(published)
    return tuple(Board(at, *pair) for at, pair in enumerate(sorted(pairs, key=order), 1))


def signs(result: str, *, plies: int = 2) -> tuple[str, str]:
    """The signs of White and Black for a result such as "1-0", "½-½", "=", "+-" (forfeit) or "*" (none yet).

    `plies`: how many half-moves were made. Raises ValueError for what is no result.
    """
    played, unrated = _RESULTS.get(usual(result)) or ("", "")
    if not played:
        raise ValueError(result)
    found = played if plies >= 2 else unrated
    return found[0], found[1]


def told(white: str, black: str) -> str:
    """The result that a pair of signs stands for, "*" for none."""
    found = SIGNS[white], SIGNS[black]
    usual = ((result, pairs[0]) for result, pairs in _RESULTS.items())
    return next((result for result, pair in usual if (SIGNS[pair[0]], SIGNS[pair[1]]) == found), "*")


def spoken(result: str) -> Message:
    """A result other than "*" in words."""
    return Message.of(_WORDS[result])


def _has_white(event: Tournament, player: Entrant, number: int) -> bool:
    """Whether a player sits at the white pieces; without colours, whether he has the smaller number."""
    mine = player.paired(number)
    other = mine.opponent or 0
    his = event.players[other].paired(number)
    if mine.colour is None and his.colour is None:
        return player.number < other
    return mine.colour == WHITE or his.colour == BLACK


def _order(field: Field) -> Callable[[tuple[int, int]], tuple[float, ...]]:
    """The place of a pair of competitors."""

    def place(pair: tuple[int, int]) -> tuple[float, ...]:
        better = min(pair, key=lambda number: (-field.score(number), number))
        return -field.score(better), -sum(map(field.score, pair)), better

    return place


def _order_as_published(tables: Iterable[tuple[int, int]]) -> Callable[[tuple[int, int]], tuple[float, ...]]:
    """The place that a pair has in the file, whoever has White there."""
    places = {frozenset(pair): at for at, pair in enumerate(tables)}
    return lambda pair: (places[frozenset(pair)],)


def _order_of_boards(event: Tournament, number: int) -> Callable[[tuple[int, int]], tuple[float, ...]]:
    """The place of a board in its match, and of the match among the others."""
    of_match = _order(fields.teams(event, _MATCH, swiss=True, rounds=number - 1))
    home = {player: team for team in event.teams for player in team.players}

    def place(pair: tuple[int, int]) -> tuple[float, ...]:
        teams = [home[player] for player in pair if player in home]
        if len(teams) < 2:
            return (0.0, 0.0, 0.0, pair[0])
        first = min(teams, key=lambda team: team.number)
        seats = fields.line_up(event, first, number)
        seat = next(player for player in pair if home[player] is first)
        board = seats.index(seat) if seat in seats else len(seats)
        return *of_match((teams[0].number, teams[1].number)), board

    return place
