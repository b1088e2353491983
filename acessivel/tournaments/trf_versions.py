# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament's file in the other version: TRF26 has records for what pairing engines added to TRF16.

What a version has no place for is left out, and told; all that is not known to this program stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from acessivel.tournaments.tournament import USUAL_POINTS, Accelerated, Prohibited, Team, Tournament
from acessivel.tournaments.trf import ENGINE_COLOURS, MOST_ROUNDS, TABLES
from acessivel.tournaments.trf_edit import (
    LETTERS,
    appended,
    bye_line,
    changed,
    recounted,
    version,
    with_byes,
    with_standings,
)

# Records of TRF26 that TRF16 cannot express: team matches, codes of tie-breaks and tempos, and remarks.
_ONLY_26 = frozenset(
    ("###", "172", "182", "192", "202", "212", "222", "299", "300", "320", "330", "352", "362", "801", "802")
)
# Symbol of line 162 -> codes of JaVaFo, and lines of bbpPairings.
_ENGINE_CODES: Mapping[str, tuple[str, str]] = {
    "W": ("W", "BBW"), "D": ("D", "BBD"), "L": ("WL BL", "BBL"),
    "A": ("ZPB FL", "BBZ BBF"), "P": ("PAB", "BBU"),
}  # fmt: skip
_MOST_ACCELERATED = 30  # rounds: whoever accelerates more has made a mistake
_ENGINE_LINES = frozenset(("XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"))


def as_version(
    event: Tournament, wanted: int, tie_breaks: Sequence[str]
) -> tuple[Tournament, tuple[str, ...]]:
    """A tournament in a version, 16 or 26, and the codes of the records that had to be left out."""
    if wanted == version(event):
        return event, ()
    return _as_16(event, tie_breaks) if wanted == 16 else (_as_26(event, tie_breaks), ())


def _as_16(event: Tournament, tie_breaks: Sequence[str]) -> tuple[Tournament, tuple[str, ...]]:
    coming = event.paired_rounds + 1
    old_teams = any(line.startswith("013") for line in event.lines)
    lines: list[str] = []
    last = event.planned or MOST_ROUNDS
    dropped = {"260" for each in event.prohibited if each.rounds[0] > coming or each.rounds[1] < last}
    if event.of_teams:
        dropped |= {line[:3] for line in event.lines if line.startswith("250")}
    for number, line in enumerate(event.lines, 1):
        code = line[:3]
        if code in _ONLY_26 and not TABLES.fullmatch(line):
            dropped.add(code)
        elif code == "310":
            lines += [_old_team(team) for team in event.teams if team.line == number and not old_teams]
        elif code in ("142", "152", "162"):
            head = _head_16(event, code)
            lines += head
            dropped |= {code} if line[3:].strip() and not head else set()
        elif code not in ("240", "250", "260"):
            lines.append(line)
    lines = appended(lines, [*_prohibited_16(event, coming), *_accelerated_16(event)])
    found = recounted(event, lines, tie_breaks) if event.abnormal else changed(event, lines)
    for bye in event.byes:
        if bye.round == coming and not event.of_teams:
            found = with_byes(found, coming, bye.kind, bye.numbers, tie_breaks)
        elif bye.round >= coming or event.of_teams:
            dropped.add("240")
    return found, tuple(sorted(dropped))


def _head_16(event: Tournament, code: str) -> list[str]:
    """What the engines have for the number of rounds, the first colour and the scoring system."""
    if code == "142":
        return [f"XXR {event.planned}"] if event.planned else []
    if code == "152":
        return [f"XXC {event.colour}1"] if event.colour else []
    given = {symbol: points for symbol, points in event.points.items() if symbol in _ENGINE_CODES}
    codes = (
        f"{code}={points:g}" for symbol, points in given.items() for code in _ENGINE_CODES[symbol][0].split()
    )
    lines = [
        f"{code} {points:4.1f}"
        for symbol, points in given.items()
        for code in _ENGINE_CODES[symbol][1].split()
    ]
    return [f"XXS {' '.join(codes)}", *lines]


def _old_team(team: Team) -> str:
    return f"013 {team.name[:32]:<32}" + " ".join(f"{player:>4}" for player in team.players)


def _prohibited_16(event: Tournament, coming: int) -> Iterator[str]:
    """Those that hold for the round that is paired next."""
    for each in event.prohibited:
        if each.rounds[0] <= coming <= each.rounds[1]:
            yield "XXP " + " ".join(map(str, each.players))


def _accelerated_16(event: Tournament) -> Iterator[str]:
    """The fictitious points of each player, round by round."""
    for number in event.players:
        given = [each for each in event.accelerated if each.players[0] <= number <= each.players[1]]
        rounds = range(1, min(max((each.rounds[1] for each in given), default=0), _MOST_ACCELERATED) + 1)
        by_round = {
            at: each.points for at in rounds for each in given if each.rounds[0] <= at <= each.rounds[1]
        }
        if by_round:
            yield f"XXA {number:>4} " + " ".join(f"{by_round.get(at, 0.0):4.1f}" for at in rounds)


def _as_26(event: Tournament, tie_breaks: Sequence[str]) -> Tournament:
    lines: list[str] = []
    teams = {team.line: team for team in event.teams}
    for number, line in enumerate(event.lines, 1):
        code = line[:3]
        if code == "XXR" and event.planned:
            lines.append(f"142 {event.planned}")
        elif code == "XXC":
            lines += _configuration_26(line)
        elif code in _ENGINE_LINES:
            lines += [] if any(each.startswith("162") for each in lines) else [_points_26(event)]
        elif code == "013" and number in teams:
            lines.append(_team_26(teams[number]))
        elif code not in ("XXZ", "XXP", "XXA"):
            lines.append(line)
    more = (
        *(bye_line(bye.kind, bye.round, bye.numbers) for bye in event.byes),
        *(_prohibited_26(event, each) for each in event.prohibited),
        *_accelerated_26(event.accelerated),
    )
    found = changed(event, appended(lines, more))
    return with_standings(found, tie_breaks) if found.of_teams else found


def _configuration_26(line: str) -> Iterator[str]:
    """The first colour that engines are told, and what only they know."""
    words = line[3:].split()
    yield from (f"152 {LETTERS[colour]}" for word, colour in ENGINE_COLOURS.items() if word in words)
    if others := [word for word in words if word not in ENGINE_COLOURS]:
        yield f"XXC {' '.join(others)}"


def _points_26(event: Tournament) -> str:
    """Line 162 with what differs from the usual."""
    usual = {"P": event.points["W"], **USUAL_POINTS}
    differing = (symbol for symbol in "WDLAPX" if event.points[symbol] != usual[symbol])
    cells = (f" {symbol}{event.points[symbol]:4.1f}" for symbol in differing)
    return "162 " + "   ".join(cells)


def _team_26(team: Team) -> str:
    players = "".join(f" {player:>4}" for player in team.players)
    return f"310 {team.number:>3} {team.name:<32}{'':>32}{players}"


def _prohibited_26(event: Tournament, each: Prohibited) -> str:
    first, last = each.rounds[0], min(each.rounds[1], event.planned or MOST_ROUNDS)
    return f"260 {first:>3} {last:>3}" + "".join(f" {player:>4}" for player in each.players)


def _accelerated_26(given: Sequence[Accelerated]) -> Iterator[str]:
    """A line for each round and each row of players with the same fictitious points."""
    by_round = sorted(given, key=lambda each: (each.rounds, each.points, each.players))
    for (rounds, points), row in groupby(by_round, lambda each: (each.rounds, each.points)):
        for _, run in groupby(enumerate(row), lambda at: at[1].players[0] - at[0]):
            each = [accelerated for _, accelerated in run]
            first, last = each[0].players[0], each[-1].players[1]
            yield f"250      {points:4.1f} {rounds[0]:>3} {rounds[1]:>3} {first:>4} {last:>4}"
