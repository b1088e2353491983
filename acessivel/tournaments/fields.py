# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament's file -> the field of its players, and that of its teams, with their completed rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from acessivel.laws.editions import Points
from acessivel.tournaments.standings import Field, Scale, Scored
from acessivel.tournaments.tournament import SIGNS, Pairing, Team, Tournament, TrfError


def players(event: Tournament, rounds: int | None = None) -> Field:
    """Every player by start number, after a number of rounds or all completed ones; a Swiss tournament."""
    count = event.rounds if rounds is None else rounds
    found = {
        number: tuple(
            Scored(
                played.opponent,
                played.kind == "played",
                0.0 if event.of_his_team(played) else played.points,
            )
            for played in map(player.paired, range(1, count + 1))
        )
        for number, player in event.players.items()
    }
    return Field(
        found,
        Scale(event.points["W"], event.points["D"], event.points["L"]),
        bonus=_bonus(event, of_teams=False),
    )


def teams(event: Tournament, points: Points, *, swiss: bool, rounds: int | None = None) -> Field:
    """Every team by its number, after a number of rounds or all completed ones.

    A match is won by more points on the boards. `points.absent` is for a team that did not appear: nobody
    played on its boards, and it won none of them. A bye counts as a won match, a half-point bye as a drawn
    one, if the file does not say what it gives; the file's scoring system goes before `points`. Raises
    TrfError if a team meets two others in one round.
    """
    given = event.match_points
    matches = _Matches(
        event,
        Points(
            win=given.get("TW", points.win),
            draw=given.get("TD", points.draw),
            loss=given.get("TL", points.loss),
            absent=points.absent,
        ),
        {player: team.number for team in event.teams for player in team.players},
    )
    count = event.rounds if rounds is None else rounds
    found = {
        team.number: tuple(matches.match(team, number) for number in range(1, count + 1))
        for team in event.teams
    }
    scale = Scale(matches.points.win, matches.points.draw, matches.points.loss)
    return Field(found, scale, swiss, _bonus(event, of_teams=True))


def line_up(event: Tournament, team: Team, number: int) -> tuple[int, ...]:
    """Who sits at the boards of a team in a round, the first board first; 0 at one that stays empty."""
    given = event.line_ups.get((number, team.number))
    if given is not None:
        return given
    paired = ((player, event.players[player].paired(number)) for player in team.players)
    return tuple(player for player, played in paired if played.opponent is not None or played.sign == "+")


@dataclass(frozen=True)
class _Matches:
    """The matches of a tournament of teams; `home`: the number of each player's team."""

    event: Tournament
    points: Points
    home: Mapping[int, int]

    def match(self, team: Team, number: int) -> Scored:
        """One round of a team, with the points that the file gives it by way of exception."""
        sign, scored = self._match(team, number)
        for special in self.event.abnormal:
            if (
                special.kind
                and special.match_points is not None
                and special.applies(sign, team.number, number)
            ):
                return replace(scored, points=special.match_points, boards=self._even(special.points))
        return scored

    def _match(self, team: Team, number: int) -> tuple[str, Scored]:
        """The sign of the result, and the round."""
        paired = [self.event.players[player].paired(number) for player in team.players]
        met = {self.home.get(played.opponent) for played in paired if played.opponent is not None}
        if len(met) > 1 or met & {None, team.number}:
            raise TrfError(team.line, "trf_match", round=number)
        forfeited = _forfeited(self.event, team, number)
        if forfeited:
            absent, sign = forfeited
            return sign, Scored(absent, False, self._worth(sign), self._boards(team, number))
        if not met:
            return self._free(team, number, paired)
        (opponent,) = met
        mine, theirs = self._gained(team.number, number), self._gained(opponent, number)
        played = any(each.kind == "played" for each in paired)
        sign = "D" if mine == theirs else "W" if mine > theirs else "L"
        sign = sign if played else "+" if sign == "W" else "-"
        return sign, Scored(opponent, played, self._worth(sign), self._boards(team, number))

    def _free(self, team: Team, number: int, paired: Sequence[Pairing]) -> tuple[str, Scored]:
        """A round without an opponent: the bye of the pairing, one that was agreed, or an absence."""
        given = self.event.team_byes
        if given and given.by_round.get(number) == team.number:
            return "U", Scored(None, False, given.match_points, self._even(given.game_points))
        agreed = next((b.kind for b in self.event.byes if b.round == number and team.number in b.numbers), "")
        if agreed:
            each = self.event.points[SIGNS[agreed][1]]
            return agreed, Scored(None, False, self._worth(agreed), (each,) * self.width)
        byes = [played for played in paired if played.kind == "bye"]
        best = "H" if byes and all(played.sign == "H" for played in byes) else "U" if byes else "Z"
        return best, Scored(None, False, self._worth(best), tuple(played.points for played in byes))

    def _worth(self, sign: str) -> float:
        """The match points of a result."""
        worth = {"W": self.points.win, "P": self.points.win, "D": self.points.draw, "L": self.points.loss}
        return worth.get(SIGNS[sign][1], self.points.absent)

    def _boards(self, team: Team, number: int) -> tuple[float, ...]:
        seats = line_up(self.event, team, number)
        return tuple(self.event.players[seat].paired(number).points if seat else 0.0 for seat in seats)

    def _gained(self, team: int | None, number: int) -> float:
        """The points on the boards of a team."""
        members = (player for player, of in self.home.items() if of == team)
        return round(sum(self.event.players[player].paired(number).points for player in members), 1)

    @cached_property
    def width(self) -> int:
        """How many boards a team has: as many as any has had."""
        rounds = range(1, self.event.rounds + 1)
        return max((len(line_up(self.event, t, n)) for t in self.event.teams for n in rounds), default=0)

    def _even(self, points: float) -> tuple[float, ...]:
        """The points of a match that nobody played, spread over the boards."""
        return (points / self.width,) * self.width if self.width else ()


def _forfeited(event: Tournament, team: Team, number: int) -> tuple[int, str] | None:
    """The opponent of a match that did not take place, and how it ended for the team: "+" or "-"."""
    for match in event.forfeited:
        if match.round == number and team.number in (match.white, match.black):
            at_white = team.number == match.white
            return (match.black, match.result[0]) if at_white else (match.white, match.result[1])
    return None


def _bonus(event: Tournament, *, of_teams: bool) -> dict[int, float]:
    """The points that competitors have got or lost outside of their rounds."""
    numbers = [team.number for team in event.teams] if of_teams else list(event.players)
    return {
        number: sum(
            (special.match_points or 0.0) if of_teams else special.points
            for special in event.abnormal
            if not special.kind and (not special.numbers or number in special.numbers)
        )
        for number in numbers
        if of_teams == event.of_teams
    }
