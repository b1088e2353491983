# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads FIDE's Tournament Report File (TRF16, FIDE Handbook C.04 annex 2) strictly, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from acessivel.rules.position import BLACK, WHITE

PairingKind = Literal["played", "forfeit", "bye", "absent", "paired"]

_COLOURS = {"w": WHITE, "b": BLACK, "-": None, " ": None}
# Result sign -> what happened, and the points of a game (C.04 annex 2: result of round).
_RESULTS: Mapping[str, tuple[PairingKind, float]] = {
    "1": ("played", 1), "=": ("played", 0.5), "0": ("played", 0),
    "W": ("played", 1), "D": ("played", 0.5), "L": ("played", 0),
    "+": ("forfeit", 1), "-": ("forfeit", 0),
    "U": ("bye", 1), "F": ("bye", 1), "H": ("bye", 0.5), "Z": ("absent", 0), " ": ("absent", 0),
}  # fmt: skip
_OPPOSITE = {1.0: 0.0, 0.5: 0.5, 0.0: 1.0}
_FIRST_ROUND, _ROUND = 91, 10  # columns, counted from 0
_NAME = slice(14, 47)
_MOST = 9999


class TrfError(ValueError):
    """A line that is malformed; `key` names the sentence that says so, `line` counts from 1."""

    def __init__(self, line: int, key: str, **values: object) -> None:
        super().__init__(f"line {line}: {key}")
        self.line = line
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True)
class Pairing:
    """A player's round. `paired`: there is an opponent, but no result yet.

    `opponent` is a start number, or None; `colour` that of the player, None without a board. `points` are
    those of the game: 1, 0.5 or 0.
    """

    kind: PairingKind
    opponent: int | None = None
    colour: str | None = None
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player by the start number; `born` is "2010/05/17", a year, or ""."""

    number: int
    name: str
    born: str
    points: float | None
    rounds: tuple[Pairing, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Team:
    """A team: the start numbers of its players in the order of their boards."""

    name: str
    players: tuple[int, ...]
    line: int


@dataclass(frozen=True)
class Tournament:
    """A tournament as its file has it: `system` is the text of line 092, `begins` the date of line 042."""

    name: str = ""
    system: str = ""
    begins: str = ""
    players: Mapping[int, Entrant] = field(default_factory=dict)
    teams: tuple[Team, ...] = ()

    @cached_property
    def rounds(self) -> int:
        """How many rounds are over: those in which no result is pending."""
        lengths = [len(player.rounds) for player in self.players.values()]
        for number in range(max(lengths, default=0)):
            in_round = [p.rounds[number] for p in self.players.values() if number < len(p.rounds)]
            if any(played.kind == "paired" for played in in_round):
                return number
        return max(lengths, default=0)


def read(text: str) -> Tournament:
    """A tournament from the text of its file. Raises TrfError for the first line that is wrong."""
    players: dict[int, Entrant] = {}
    teams: list[Team] = []
    heads = {"012": "", "092": "", "042": ""}
    lines = text.removeprefix("\ufeff").splitlines()
    for count, line in enumerate(lines, 1):
        code = line[:3]
        if len(line) > 3 and line[3] != " " and (code in heads or code in ("001", "013")):
            raise TrfError(count, "trf_columns")
        if code == "001":
            player = _player(line, count)
            if player.number in players:
                raise TrfError(count, "trf_twice", number=player.number)
            players[player.number] = player
        elif code == "013":
            teams.append(_team(line, count))
        elif code in heads:
            heads[code] = line[4:].strip()
        elif line.strip() and not (code.isalnum() or code == "###"):
            raise TrfError(count, "trf_columns")
    if not players:
        raise TrfError(max(1, len(lines)), "trf_no_players")
    _check_pairings(players)
    _check_teams(players, teams)
    return Tournament(heads["012"], heads["092"], heads["042"], players, tuple(teams))


def _player(line: str, count: int) -> Entrant:
    number = _start_number(line[4:8], count)
    name = " ".join(line[_NAME].replace(",", ", ").split())
    if not name:
        raise TrfError(count, "trf_no_name")
    return Entrant(
        number, name, line[69:79].strip(), _points(line[80:84], count), tuple(_rounds(line, count)), count
    )


def _start_number(text: str, count: int) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST):
        raise TrfError(count, "trf_number", text=text)
    return int(text)


def _points(text: str, count: int) -> float | None:
    text = text.strip()
    if not text:
        return None
    whole, _, half = text.partition(".")
    if not (text.isascii() and whole.isdigit() and half in ("", "0", "5")):
        raise TrfError(count, "trf_points", text=text)
    return float(text)


def _rounds(line: str, count: int) -> list[Pairing]:
    columns = line.rstrip()[_FIRST_ROUND:]
    starts = range(0, len(columns), _ROUND)
    return [
        _round(columns[start : start + _ROUND].ljust(_ROUND), count, number)
        for number, start in enumerate(starts, 1)
    ]


def _round(cells: str, count: int, number: int) -> Pairing:
    """One round: opponent in four columns, colour, result, with blanks between and after."""
    who, colour, result = cells[:4].strip(), cells[5].lower(), cells[7].upper()
    if cells[4] + cells[6] + cells[8:10] != "    " or colour not in _COLOURS:
        raise TrfError(count, "trf_round", round=number)
    if who in ("", "0000"):
        if result not in "UFHZ-+ " or _COLOURS[colour]:
            raise TrfError(count, "trf_round", round=number)
        points = _RESULTS[result][1]
        return Pairing("bye" if points else "absent", points=points)
    opponent = _start_number(who, count)
    if _COLOURS[colour] is None and result not in "+-":
        raise TrfError(count, "trf_round", round=number)
    if result == " ":
        return Pairing("paired", opponent, _COLOURS[colour])
    if result not in _RESULTS or _RESULTS[result][0] not in ("played", "forfeit"):
        raise TrfError(count, "trf_round", round=number)
    kind, points = _RESULTS[result]
    return Pairing(kind, opponent, _COLOURS[colour], points)


def _team(line: str, count: int) -> Team:
    name = line[4:36].strip()
    members = [_start_number(part, count) for part in line[36:].split()]
    if not name or not members:
        raise TrfError(count, "trf_team")
    return Team(name, tuple(members), count)


def _check_pairings(players: Mapping[int, Entrant]) -> None:
    """Check that two opponents agree about their game: one result, and different colours."""
    for player in players.values():
        total = sum(played.points for played in player.rounds)
        if player.points not in (None, total):
            raise TrfError(player.line, "trf_sum", told=player.points, total=total)
        for number, mine in enumerate(player.rounds):
            if mine.opponent is None:
                continue
            other = players.get(mine.opponent)
            if other is None or other is player:
                raise TrfError(player.line, "trf_opponent", number=mine.opponent, round=number + 1)
            his = other.rounds[number] if number < len(other.rounds) else Pairing("absent")
            agrees = (
                his.opponent == player.number
                and his.kind == mine.kind
                and (mine.colour is None or mine.colour != his.colour)
                and (mine.kind != "played" or his.points == _OPPOSITE[mine.points])
                and (mine.kind != "forfeit" or his.points + mine.points <= 1)
            )
            if not agrees:
                raise TrfError(player.line, "trf_disagree", number=mine.opponent, round=number + 1)


def _check_teams(players: Mapping[int, Entrant], teams: list[Team]) -> None:
    seen: set[int] = set()
    for team in teams:
        for number in team.players:
            if number not in players:
                raise TrfError(team.line, "trf_no_player", number=number)
            if number in seen:
                raise TrfError(team.line, "trf_in_two_teams", number=number)
            seen.add(number)
