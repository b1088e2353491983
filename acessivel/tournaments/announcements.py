# SPDX-License-Identifier: GPL-3.0-or-later
"""A round in sentences: who plays whom at which table, and a player's next game."""

from __future__ import annotations

from collections.abc import Iterator

from acessivel.message import Message
from acessivel.tournaments.rounds import Board, boards, spoken, told
from acessivel.tournaments.tournament import Entrant, Tournament


def round_told(event: Tournament, number: int) -> Iterator[Message]:
    """The tables of a round with the results that are there, and who has no opponent."""
    tables = boards(event, number)
    if not tables:
        yield Message.of("round_not_paired", round=number)
        return
    yield Message.of("round_tables", round=number, count=len(tables))
    for board in tables:
        yield _table(event, number, board)
    for name, points in _byes(event, number):
        yield Message.of("round_bye", name=name, points=points)


def as_data(event: Tournament, number: int) -> list[dict[str, int | str]]:
    """The tables of a round for other programs: start numbers, and the result, "*" without one."""
    players = event.players
    return [
        {
            "table": board.table,
            "white": board.white,
            "black": board.black,
            "result": told(
                players[board.white].paired(number).sign, players[board.black].paired(number).sign
            ),
        }
        for board in boards(event, number)
    ]


def next_pairing(event: Tournament, player: Entrant, after: int = 0) -> Message:
    """A player's game in the first round that is not over; `after`: in the round that follows that one."""
    coming = max(event.rounds, after) + 1
    paired = player.paired(coming)
    if event.paired_rounds < coming and not (paired.sign.strip() or event.bye(player.number, coming)):
        if event.planned and coming > event.planned:
            return Message.of("event_last_round", name=player.name, round=coming - 1)
        return Message.of("event_not_paired", name=player.name, round=coming)
    if paired.opponent is None:
        return Message.of("event_bye", name=player.name, round=coming)
    opponent = event.players[paired.opponent]
    values = {"name": player.name, "round": coming, "opponent": opponent.name, "number": opponent.number}
    if paired.colour is None or paired.kind == "forfeit":
        return Message.of("event_forfeit", **values)
    table = next(
        board.table for board in boards(event, coming) if player.number in (board.white, board.black)
    )
    return Message.of("event_pairing", colour=paired.colour, table=table, **values)


def _byes(event: Tournament, number: int) -> Iterator[tuple[str, float]]:
    """Who has a bye in a round, and the points for it; the match points of a team whose bye it is."""
    given = event.team_byes
    for team in event.teams:
        if given and given.by_round.get(number) == team.number:
            yield team.name, given.match_points
    for player in event.players.values():
        played = player.paired(number)
        if played.kind == "bye" and not event.of_his_team(played):
            yield player.name, played.points


def _table(event: Tournament, number: int, board: Board) -> Message:
    white, black = event.players[board.white], event.players[board.black]
    result = told(white.paired(number).sign, black.paired(number).sign)
    values = {"table": board.table, "white": white.name, "black": black.name}
    if result == "*":
        return Message.of("round_table", **values)
    return Message.of("round_result", result=spoken(result), **values)
