# SPDX-License-Identifier: GPL-3.0-or-later
"""What `acessivel event` changes in a tournament's file: byes, pairings, results, and its version."""

from __future__ import annotations

import argparse
import secrets
from collections import Counter
from collections.abc import Collection

from acessivel.commands.run_settings import settings_of
from acessivel.devices import pairing_engine
from acessivel.errors import UserError
from acessivel.message import Message, Messages
from acessivel.rules.position import BLACK, WHITE
from acessivel.storage import tournament_file
from acessivel.storage.tournament_file import StoredTournament
from acessivel.tournaments import pairing
from acessivel.tournaments.regulation import regulation
from acessivel.tournaments.rounds import boards, signs
from acessivel.tournaments.tournament import Tournament
from acessivel.tournaments.trf_edit import (
    version,
    with_byes,
    with_first_colour,
    with_head,
    with_results,
    with_round,
)
from acessivel.tournaments.trf_versions import as_version

# Option -> kind of the bye, and what is said.
_BYES = {"absent": "Z", "half_bye": "H", "present": ""}
_SAID = {"absent": "round_absent", "half_bye": "round_half_bye", "present": "round_present"}


def carried_out(stored: StoredTournament, options: argparse.Namespace) -> tuple[Tournament, Messages]:
    """The tournament after what the options want changed, written to its file, and what was done.

    Raises UserError, and then nothing is written.
    """
    event = stored.event
    done: list[Message] = []
    steps = (_rounds, _byes, _results, _paired, _converted)
    for step in steps:
        event, said = step(event, options)
        done += said
    if event is not stored.event or options.output:
        path = options.output or stored.path
        encoding = stored.encoding if version(event) == version(stored.event) else "utf-8"
        read = stored.read if path == stored.path else None
        tournament_file.save(StoredTournament(event, path, encoding, read))
        done.append(Message.of("event_written", file=str(path)))
    return event, tuple(done)


def told_round(event: Tournament, options: argparse.Namespace) -> int:
    """The round that is told: the one that was asked for, or the last one that is paired."""
    return int(options.round) if options.round else max(1, event.paired_rounds)


def _rounds(event: Tournament, options: argparse.Namespace) -> tuple[Tournament, Messages]:
    """How many rounds there will be. Raises UserError if more are paired."""
    if not options.rounds or options.rounds == event.planned:
        return event, ()
    if options.rounds < event.paired_rounds:
        raise UserError(Message.of("round_count_low", count=event.paired_rounds))
    return with_head(event, "142" if version(event) == 26 else "XXR", str(options.rounds)), ()


def _byes(event: Tournament, options: argparse.Namespace) -> tuple[Tournament, Messages]:
    """Who will not play in the coming round.

    Raises UserError if it is paired already, or the tournament has no such round, or is one of teams, or if
    two things are said of a player.
    """
    wanted = {field: getattr(options, field) for field in _BYES if getattr(options, field)}
    number = options.round or event.paired_rounds + 1
    if wanted and number <= event.paired_rounds:
        raise UserError(Message.of("round_paired_already", round=number))
    if wanted and event.planned and number > event.planned:
        raise UserError(Message.of("round_beyond", count=event.planned, round=number))
    if wanted and event.of_teams:
        raise UserError(Message.of("round_team_byes"))
    named = Counter(player for players in wanted.values() for player in players)
    if twice := [player for player, count in sorted(named.items()) if count > 1]:
        raise UserError(Message.of("round_two_byes", player=twice[0]))
    done: list[Message] = []
    for field, players in wanted.items():
        _check(event, players)
        event = with_byes(event, number, _BYES[field], players, regulation().individual)
        names = tuple(event.players[player].name for player in sorted(players))
        done.append(Message.of(_SAID[field], round=number, names=names))
    return event, tuple(done)


def _check(event: Tournament, players: Collection[int]) -> None:
    """Raise UserError for the first number that no player has."""
    for player in sorted(players):
        if player not in event.players:
            raise UserError(Message.of("event_no_player", player=str(player)))


def _results(event: Tournament, options: argparse.Namespace) -> tuple[Tournament, Messages]:
    """Write the results of tables. Raises UserError for a table that the round does not have."""
    if not options.results:
        return event, ()
    number = told_round(event, options)
    tables = {board.table: board for board in boards(event, number)}
    for table in options.results:
        if table not in tables:
            raise UserError(Message.of("round_no_table", round=number, table=table))
    found = {tables[table]: signs(result) for table, result in options.results.items()}
    return with_results(event, number, found, regulation().individual), (
        Message.of("round_results", count=len(found)),
    )


def _paired(event: Tournament, options: argparse.Namespace) -> tuple[Tournament, Messages]:
    """Pair the next round with the user's engine."""
    if not options.pair:
        return event, ()
    return paired(event, settings_of(options).pairing_engine, options.first_colour)


def paired(event: Tournament, engine: str, first_colour: str | None = None) -> tuple[Tournament, Messages]:
    """A tournament whose next round an engine has paired, as of `pairing_engine.pair`. Raises UserError.

    The first colour is drawn by lot if nobody has named it.
    """
    done: list[Message] = []
    if not event.paired_rounds and (first_colour or not event.colour):
        colour = first_colour or secrets.choice((WHITE, BLACK))
        event = with_first_colour(event, colour)
        done += [] if first_colour else [Message.of("round_first_colour", colour=colour)]
    order = regulation().individual
    try:
        task = pairing.task(event, order)
        pairs, free = pairing.answer(event, task.round, pairing_engine.pair(engine, task))
    except pairing.PairingError as error:
        raise UserError(error.message) from error
    return with_round(event, task.round, pairs, free, order), tuple(done)


def _converted(event: Tournament, options: argparse.Namespace) -> tuple[Tournament, Messages]:
    """The file in the version that was asked for."""
    if not options.trf:
        return event, ()
    event, dropped = as_version(event, int(options.trf), regulation().individual)
    return event, (Message.of("event_left_out", codes=dropped),) if dropped else ()
