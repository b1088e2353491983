# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament's file -> the field of its players, and that of its teams, with their completed rounds."""

from __future__ import annotations

from collections.abc import Mapping

from acessivel.laws.editions import Points
from acessivel.tournaments.standings import Field, Scale, Scored
from acessivel.tournaments.trf import Entrant, Pairing, Team, Tournament, TrfError

_FREE = Pairing("absent")


def players(event: Tournament) -> Field:
    """Every player by start number; a Swiss tournament."""
    rounds = {
        number: tuple(
            Scored(played.opponent, played.kind == "played", played.points)
            for played in _completed(player, event.rounds)
        )
        for number, player in event.players.items()
    }
    return Field(rounds, Scale(1, 0.5, 0))


def teams(event: Tournament, points: Points, *, swiss: bool) -> Field:
    """Every team by its place in the file, from 1. Raises TrfError if it meets two teams in one round.

    A match is won by more points on the boards. `points.absent` is for a team that did not appear: nobody
    played on its boards, and it won none of them. A bye counts as a win, a half-point bye as a draw.
    """
    home = {player: number for number, team in enumerate(event.teams, 1) for player in team.players}
    rounds = {
        number: tuple(_match(event, team, home, at, points) for at in range(event.rounds))
        for number, team in enumerate(event.teams, 1)
    }
    return Field(rounds, Scale(points.win, points.draw, points.loss), swiss)


def _completed(player: Entrant, count: int) -> tuple[Pairing, ...]:
    """The completed rounds; one that is not in the file was not played."""
    return (*player.rounds[:count], *[_FREE] * (count - len(player.rounds)))


def _match(event: Tournament, team: Team, home: Mapping[int, int], at: int, points: Points) -> Scored:
    """One round of a team."""
    members = [_completed(event.players[number], event.rounds)[at] for number in team.players]
    boards = [board for board in members if board.opponent is not None]
    met = {home.get(board.opponent) for board in boards if board.opponent is not None}
    if len(met) > 1 or None in met:
        raise TrfError(team.line, "trf_match", round=at + 1)
    mine = tuple(board.points for board in boards)
    if not boards:
        gained = tuple(board.points for board in members if board.kind == "bye")
        most = max(gained, default=0)
        return Scored(
            None,
            played=False,
            points={1: points.win, 0.5: points.draw}.get(most, points.absent),
            boards=gained,
        )
    (opponent,) = met
    theirs = sum(
        _completed(event.players[b.opponent], event.rounds)[at].points
        for b in boards
        if b.opponent is not None
    )
    played = any(board.kind == "played" for board in boards)
    if sum(mine) == theirs:
        result = points.draw if played else points.absent
    else:
        result = points.win if sum(mine) > theirs else points.loss if played else points.absent
    return Scored(opponent, played, result, mine)
