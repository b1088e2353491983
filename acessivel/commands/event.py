# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel event`: a tournament's file told in lines, aloud and in Braille; another program pairs it."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from acessivel.app.tell import tell
from acessivel.commands import event_round
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.errors import UserError
from acessivel.laws.editions import edition
from acessivel.message import Message
from acessivel.storage import tournament_file
from acessivel.tournaments import announcements, fields
from acessivel.tournaments.regulation import NAME, regulation
from acessivel.tournaments.standings import Standing, standings
from acessivel.tournaments.sums import summed
from acessivel.tournaments.tournament import Entrant, Tournament, TrfError
from voices.speakers import Span
from voices.words.lexicon import plain

_SEASON_BEGINS = 9  # the month
_MONTH = r"(0?[1-9]|1[0-2])\b"
_DATE = re.compile(rf"(\d{{4}})\W+{_MONTH}|\d\d?\W+{_MONTH}\W+(\d{{4}})\b", re.ASCII)
_ROUND_ROBIN = re.compile(r"robin|todos contra todos|poule|rundenturnier|jeder gegen jeden", re.IGNORECASE)
_TIE_BREAKS = {
    "match_points": "tie_match_points",
    "direct_encounter": "tie_direct_encounter",
    "buchholz_cut_1": "tie_buchholz_cut",
    "buchholz": "tie_buchholz",
    "sonneborn_berger": "tie_sonneborn_berger",
    "wins": "tie_wins",
    "board_points": "tie_board_points",
    "board_points_among_tied": "tie_board_points_among",
    "bsv": "tie_bsv",
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """Standings with the names of their lines and tie-breaks."""

    lines: tuple[Standing, ...]
    names: dict[int, str]
    tie_breaks: tuple[str, ...]


def run(options: argparse.Namespace) -> int:
    """Tell the standings, a round, or everything about one player, and what was changed before.

    Raises UserError if the file cannot be used, or what is wanted of it cannot be done.
    """
    settings = device_settings_of(options)
    try:
        event, done = event_round.carried_out(tournament_file.load(options.event), options)
        number = event_round.told_round(event, options)
        if not options.json and (done or options.pairings):
            tell((*done, *announcements.round_told(event, number)), settings, write_line)
            return 0
        players, teams = _players(event), _teams(event, options.system, options.pupils)
    except TrfError as error:
        raise tournament_file.bad_line(options.event, error) from error
    if options.json:
        data = {
            **_as_data(event, players, teams),
            "round": number,
            "tables": announcements.as_data(event, number),
        }
        write_line(json.dumps(data, ensure_ascii=False))
        return 0
    if options.player:
        player = _found(event, options.player)
        told = tuple(_about(event, player, players, options))
    else:
        told = tuple(_standings(event, players, teams, options.pupils))
    tell(told, settings, write_line)
    return 0


def _players(event: Tournament) -> Ranked:
    names = {number: player.name for number, player in event.players.items()}
    order = regulation().individual
    return Ranked(standings(fields.players(event), order), names, order)


def _teams(event: Tournament, system: str | None, pupils: int | None) -> Ranked | None:
    """The standings of the teams, by the given system or that of the file; None if there are no teams.

    Without tie-breaks they are sums of what the players have won individually.
    """
    points = edition(NAME).team_points
    if not event.teams or points is None:
        return None
    names = {team.number: team.name for team in event.teams}
    if system == "individual" or (not system and not event.of_teams):
        return Ranked(summed(event, pupils), names, ())
    swiss = system == "swiss" if system else not _ROUND_ROBIN.search(event.system)
    rules = regulation()
    order = rules.team_swiss if swiss else rules.team_round_robin
    return Ranked(standings(fields.teams(event, points, swiss=swiss), order), names, order)


def _found(event: Tournament, wanted: str) -> Entrant:
    """A player by start number, by the full name, or by a part of it that no other player has."""
    if wanted.isascii() and wanted.isdigit():
        if int(wanted) in event.players:
            return event.players[int(wanted)]
        raise UserError(Message.of("event_no_player", player=wanted))
    names = {number: plain(player.name) for number, player in event.players.items()}
    for fits in (lambda name: name == plain(wanted), lambda name: plain(wanted) in name):
        found = [event.players[number] for number, name in names.items() if fits(name)]
        if len(found) == 1:
            return found[0]
        if found:
            listed = tuple(f"{player.number} {player.name}" for player in found[:10])
            raise UserError(Message.of("event_many_players", player=wanted, names=listed))
    raise UserError(Message.of("event_no_player", player=wanted))


def _about(
    event: Tournament, player: Entrant, table: Ranked, options: argparse.Namespace
) -> Iterator[Message]:
    """A player's next pairing, place and age group."""
    yield announcements.next_pairing(event, player)
    line = next(line for line in table.lines if line.number == player.number)
    yield Message.of(
        "event_place",
        name=player.name,
        rank=line.rank,
        points=line.points,
        count=event.rounds,
    )
    named = zip(table.tie_breaks, line.values, strict=True)
    yield Message.of(
        "event_values",
        values=tuple(
            Message.of("tie_value", name=Message.of(_TIE_BREAKS[name]), value=_number(value))
            for name, value in named
        ),
    )
    yield _age_group(event, player, options)


def _age_group(event: Tournament, player: Entrant, options: argparse.Namespace) -> Message:
    """The age group by year of birth and season; for each school cycle, if none is given."""
    year = re.match(r"(?:19|20)\d\d", player.born)
    if not year:
        return Message.of("event_no_birth", name=player.name)
    season = options.season or _season(event)
    groups = {
        key: regulation().age_group(int(year[0]), season, first_cycle=key == "event_first_cycle")
        for key in ("event_first_cycle", "event_later_cycles")
        if options.cycle in (None, "1" if key == "event_first_cycle" else "2")
    }
    told = tuple(Message.of(key, group=Span(group, "pt")) for key, group in groups.items() if group)
    return Message.of("event_age_groups", name=player.name, season=f"{season}/{season + 1}", groups=told)


def _season(event: Tournament) -> int:
    """The year in which the school year of a tournament began; without a date that is read, the present one.

    Programs write the year first or, against the format, the day.
    """
    found = _DATE.match(event.begins)
    today = date.today()  # noqa: DTZ011 - of the user's own calendar
    year, month = (
        (int(found[1] or found[4]), int(found[2] or found[3])) if found else (today.year, today.month)
    )
    return year if month >= _SEASON_BEGINS else year - 1


def _standings(
    event: Tournament,
    players: Ranked,
    teams: Ranked | None,
    pupils: int | None,
) -> Iterator[Message]:
    name = event.name or "-"
    yield Message.of("event_players", event=name, count=event.rounds, names=_names(players.tie_breaks))
    yield from _lines(players)
    if teams and not teams.tie_breaks:
        yield Message.of("event_sums", count=event.rounds)
        yield Message.of("event_pupils", count=pupils) if pupils else Message.of("event_all_pupils")
        for line in teams.lines:
            yield Message.of("event_sum", rank=line.rank, name=teams.names[line.number], points=line.points)
    elif teams:
        yield Message.of("event_teams", count=event.rounds, names=_names(teams.tie_breaks))
        yield from _lines(teams)
        if "bsv" in teams.tie_breaks:
            yield Message.of("event_bsv", program=regulation().pairing_program)


def _names(tie_breaks: Sequence[str]) -> tuple[Message, ...]:
    return tuple(Message.of(_TIE_BREAKS[name]) for name in tie_breaks)


def _lines(table: Ranked) -> Iterator[Message]:
    for line in table.lines:
        yield Message.of(
            "event_line",
            rank=line.rank,
            name=table.names[line.number],
            points=line.points,
            values=tuple(_number(value) for value in line.values),
        )


def _number(value: float | None) -> float | str:
    """A dash for none."""
    return "-" if value is None else value


def _as_data(event: Tournament, players: Ranked, teams: Ranked | None) -> dict[str, Any]:
    """The same as data for programs."""

    def lines(table: Ranked) -> list[dict[str, Any]]:
        return [
            {
                "rank": line.rank,
                "number": line.number,
                "name": table.names[line.number],
                "points": line.points,
                "tie_breaks": dict(zip(table.tie_breaks, line.values, strict=True)),
            }
            for line in table.lines
        ]

    return {
        "event": event.name,
        "rounds": event.rounds,
        "players": lines(players),
        "teams": lines(teams) if teams else [],
    }
