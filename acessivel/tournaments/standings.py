# SPDX-License-Identifier: GPL-3.0-or-later
"""Standings with tie-breaks, for players and teams alike; each splits the groups that the last one left tied.

Unplayed rounds follow FIDE Handbook C.02, article 13, as it stood until 2023. In a Swiss tournament a player
with an unplayed round meets a virtual opponent, who had the same points before that round, takes the other
result of it, and draws from then on; for the tie-breaks of his opponents each of his unplayed rounds counts
as a draw. In a round-robin a result by forfeit counts like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Scored:
    """One round of a competitor, for whom a win gives `win` points (of the `Scale`).

    `opponent`: its number, None if there was none. `played`: whether it was played and not forfeited.
    `boards`: the points of each board in a match of teams, first board first.
    """

    opponent: int | None
    played: bool
    points: float
    boards: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """What a win, a draw and a loss give."""

    win: float
    draw: float
    loss: float

    def share(self, points: float) -> float:
        """A result as a share of a win: 1, 0.5 or 0."""
        return {self.win: 1.0, self.draw: 0.5}.get(points, 0.0)

    def other(self, points: float) -> float:
        """What the opponent gets."""
        return {self.win: self.loss, self.draw: self.draw}.get(points, self.win)


@dataclass(frozen=True)
class Field:
    """All competitors by number, with their completed rounds. `swiss` is false for a round-robin.

    `bonus`: points that a competitor has got or, if negative, lost outside of the rounds.
    """

    rounds: Mapping[int, tuple[Scored, ...]]
    scale: Scale
    swiss: bool = True
    bonus: Mapping[int, float] = field(default_factory=dict)

    def score(self, number: int) -> float:
        """The points of a competitor."""
        # Points have one decimal; a sum of them in floating point may not equal another.
        return round(sum(scored.points for scored in self.rounds[number]) + self.bonus.get(number, 0), 1)

    @cached_property
    def counted(self) -> Mapping[int, float]:
        """Each score as it counts for the opponents: in a Swiss, unplayed rounds count as draws."""
        return {
            number: sum(s.points if s.played or not self.swiss else self.scale.draw for s in rounds)
            for number, rounds in self.rounds.items()
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings. `values`: one for each tie-break, None where it does not apply."""

    rank: int
    number: int
    points: float
    values: tuple[float | None, ...]


Group = tuple[int, ...]
Values = Mapping[int, float | None]


def standings(field: Field, tie_breaks: Sequence[str]) -> tuple[Standing, ...]:
    """The standings by points, then by each tie-break of `TIE_BREAKS`; equal competitors share a rank."""
    groups = _split([tuple(field.rounds)], {number: field.score(number) for number in field.rounds})
    values: dict[int, tuple[float | None, ...]] = dict.fromkeys(field.rounds, ())
    for name in tie_breaks:
        found: dict[int, float | None] = {}
        for group in groups:
            found |= TIE_BREAKS[name](field, group)
        groups = _split(groups, found)
        values = {number: (*before, found[number]) for number, before in values.items()}
    return tuple(_ranked(field, groups, values))


def _split(groups: Sequence[Group], values: Values) -> list[Group]:
    """Groups in descending order of value; in a group either all have a value or none has."""
    parts: list[Group] = []
    for group in groups:
        falling = sorted(group, key=lambda number: -(values[number] or 0))
        parts += [tuple(equal) for _, equal in groupby(falling, lambda number: values[number] or 0)]
    return parts


def _ranked(
    field: Field, groups: Sequence[Group], values: Mapping[int, tuple[float | None, ...]]
) -> Iterator[Standing]:
    rank = 1
    for group in groups:
        for number in sorted(group):
            yield Standing(rank, number, field.score(number), values[number])
        rank += len(group)


def _direct_encounter(field: Field, group: Group) -> Values:
    """The points against each other, if there are two or more and, in a Swiss, all have played all."""
    tied = frozenset(group)
    met = ({n, *(s.opponent for s in field.rounds[n] if s.played)} for n in group)
    if len(group) < 2 or (field.swiss and not all(tied <= each for each in met)):
        return dict.fromkeys(group)
    return {n: sum(s.points for s in _among(field, n, tied)) for n in group}


def _among(field: Field, number: int, group: frozenset[int]) -> list[Scored]:
    """The rounds of a competitor against a group; in a Swiss only those that were played."""
    rounds = field.rounds[number]
    return [s for s in rounds if s.opponent in group and (s.played or not field.swiss)]


def _opponents(field: Field, number: int) -> list[tuple[float, float]]:
    """For each round: the share of a win that was scored, and the opponent's score as tie-breaks count it."""
    told: list[tuple[float, float]] = []
    before, rounds = 0.0, field.rounds[number]
    for passed, scored in enumerate(rounds, 1):
        if scored.opponent is not None and (scored.played or not field.swiss):
            counts = field.counted[scored.opponent]
        elif field.swiss:
            counts = before + field.scale.other(scored.points) + field.scale.draw * (len(rounds) - passed)
        else:
            continue  # the bye of an odd round-robin
        told.append((field.scale.share(scored.points), counts))
        before += scored.points
    return told


def _buchholz(field: Field, group: Group) -> Values:
    return {number: sum(counts for _, counts in _opponents(field, number)) for number in group}


def _buchholz_cut_1(field: Field, group: Group) -> Values:
    """Buchholz without the lowest of the opponents."""
    counted = {number: [counts for _, counts in _opponents(field, number)] for number in group}
    return {number: sum(each) - min(each, default=0) for number, each in counted.items()}


def _sonneborn_berger(field: Field, group: Group) -> Values:
    """The scores of beaten opponents, and half of those drawn with."""
    return {n: sum(share * counts for share, counts in _opponents(field, n)) for n in group}


def _wins(field: Field, group: Group) -> Values:
    """The rounds that brought a win's points, whether played or not."""
    return {n: float(sum(s.points == field.scale.win for s in field.rounds[n])) for n in group}


def _board_points(field: Field, group: Group) -> Values:
    return {n: sum(sum(s.boards) for s in field.rounds[n]) for n in group}


def _board_points_among_tied(field: Field, group: Group) -> Values:
    tied = frozenset(group)
    return {n: sum(sum(s.boards) for s in _among(field, n, tied)) for n in group}


def _bsv(field: Field, group: Group) -> Values:
    """Each board's points times its weight: the last board counts once, the one before twice, and so on."""
    most = max((len(s.boards) for rounds in field.rounds.values() for s in rounds), default=0)
    return {
        n: sum((most - at) * points for s in field.rounds[n] for at, points in enumerate(s.boards))
        for n in group
    }


TIE_BREAKS: Mapping[str, Callable[[Field, Group], Values]] = {
    "match_points": lambda field, group: {number: field.score(number) for number in group},
    "direct_encounter": _direct_encounter,
    "buchholz_cut_1": _buchholz_cut_1,
    "buchholz": _buchholz,
    "sonneborn_berger": _sonneborn_berger,
    "wins": _wins,
    "board_points": _board_points,
    "board_points_among_tied": _board_points_among_tied,
    "bsv": _bsv,
}
