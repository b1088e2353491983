# SPDX-License-Identifier: GPL-3.0-or-later
"""What an existing pairing engine is asked, and what it answers: the rules of pairing are its own.

The question is a file in TRF16 with the extensions that both JaVaFo and bbpPairings read; the answer has the
number of pairs, and a line "white black" for each, with 0 as the opponent of who gets the bye.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from acessivel.message import Message
from acessivel.tournaments.rounds import boards
from acessivel.tournaments.tournament import Tournament
from acessivel.tournaments.trf_edit import with_byes
from acessivel.tournaments.trf_versions import as_version

_DUTCH = re.compile(r"FIDE_DUTCH(_20\d\d)?(_BAKU)?|")
_BURSTEIN = re.compile(r"FIDE_BURSTEIN(_BAKU)?")
_PAIR = re.compile(r"(\d{1,4})\s+(\d{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Task:
    """A round to pair: the text of the engine's file, the system, and whether Baku's acceleration applies."""

    round: int
    text: str
    system: str
    baku: bool


class PairingError(ValueError):
    """A round that cannot be paired; the message says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


def task(event: Tournament, tie_breaks: Sequence[str]) -> Task:
    """The next round as an engine is asked for it. Raises PairingError if it cannot be asked."""
    coming = event.rounds + 1
    if event.of_teams:
        raise PairingError(Message.of("pairing_teams"))
    if event.paired_rounds >= coming:
        open_boards = [
            b.table for b in boards(event, coming) if event.players[b.white].paired(coming).kind == "paired"
        ]
        raise PairingError(
            Message.of("pairing_round_open", round=coming, tables=tuple(map(str, open_boards[:10])))
        )
    if not event.planned:
        raise PairingError(Message.of("pairing_no_rounds"))
    if coming > event.planned:
        raise PairingError(Message.of("pairing_all_played", count=event.planned))
    if event.abnormal:
        raise PairingError(Message.of("pairing_abnormal"))
    code = event.code.upper()
    system = "dutch" if _DUTCH.fullmatch(code) else "burstein" if _BURSTEIN.fullmatch(code) else ""
    if not system:
        raise PairingError(Message.of("pairing_system", system=event.code))
    asked, _ = as_version(event, 16, tie_breaks)
    # Not all engines know XXZ.
    for bye in asked.byes:
        asked = with_byes(asked, bye.round, bye.kind, bye.numbers, tie_breaks)
    # What an engine takes for two letters would shift its columns; it needs no names. It may refuse teams and
    # remarks.
    lines = (line for line in asked.lines if not line.startswith(("013", "###")))
    text = asked.line_end.join(lines).encode("ascii", "replace").decode("ascii")
    return Task(coming, text, system, code.endswith("_BAKU") and not event.accelerated)


def answer(event: Tournament, number: int, text: str) -> tuple[tuple[tuple[int, int], ...], int | None]:
    """The pairs of an engine's answer, White first, and who gets the bye.

    Raises PairingError if it leaves out or doubles a player, or pairs two who have met or must not meet.
    """
    lines = text.split("\n")
    found = [_PAIR.fullmatch(line.strip()) for line in lines[1:] if line.strip()]
    pairs = [(int(match[1]), int(match[2])) for match in found if match]
    players = [player for pair in pairs for player in pair if player]
    byes = [white for white, black in pairs if not black]
    games = tuple((white, black) for white, black in pairs if black)
    away = {
        n for n, each in event.players.items() if event.bye(n, number) or each.paired(number).sign.strip()
    }
    whole = (
        lines[0].strip() == str(len(pairs))
        and all(found)
        and sorted(players) == sorted(event.players.keys() - away)
        and len(byes) <= 1
        and not any(_barred(event, number, *pair) for pair in games)
    )
    if not whole:
        raise PairingError(Message.of("pairing_wrong", text=text[:200].strip()))
    return games, byes[0] if byes else None


def _barred(event: Tournament, number: int, white: int, black: int) -> bool:
    """Whether two players have met at the board, or must not meet in a round."""
    met = any(each.opponent == black and each.kind == "played" for each in event.players[white].rounds)
    return met or any(
        each.rounds[0] <= number <= each.rounds[1] and white in each.players and black in each.players
        for each in event.prohibited
    )
