# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads FIDE's Tournament Report File strictly, line by line: TRF26 and TRF16 (FIDE Handbook C.04.A).

Of the extensions that pairing engines have for TRF16 these are read: the number of rounds (XXR), the first
colour (XXC), who is absent (XXZ), who must not meet (XXP), accelerations (XXA), the scoring system (XXS, BBW
and others).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from acessivel.rules.position import BLACK, WHITE
from acessivel.tournaments.tournament import (
    SIGNS,
    USUAL_POINTS,
    Abnormal,
    Accelerated,
    Bye,
    Entrant,
    Forfeited,
    Pairing,
    Prohibited,
    Team,
    TeamByes,
    Tournament,
    TrfError,
)

_COLOURS = {"w": WHITE, "b": BLACK, "-": None, " ": None}
# A remark that other programs skip: the tables of a round as they were published, by start numbers.
TABLES = re.compile(r"### Tables of round (\d{1,3}):((?: \d{1,4}-\d{1,4})+) *", re.ASCII)
FIRST_ROUND, ROUND = 91, 10  # columns, counted from 0, here and below
POINTS, RANK = slice(80, 84), slice(85, 89)
_NAME = slice(14, 47)
_MOST = 9999  # a number has four columns at most
MOST_ROUNDS = 999  # a number of rounds has three columns
_LAST_ROUND = 22  # a number of line 299 that ends later is a competitor's: files differ by three columns
_POINTS = re.compile(r"-?\d+(\.\d?)?", re.ASCII)
_AMOUNT = re.compile(r"-?(\d{1,4}(\.\d)?|\.\d)", re.ASCII)
_COUNT = re.compile(r"\d{1,4}", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass
class _Records:
    """What has been read so far."""

    heads: dict[str, str] = field(default_factory=dict)
    dates: tuple[str, ...] = ()
    players: dict[int, Entrant] = field(default_factory=dict)
    teams: list[Team] = field(default_factory=list)
    old_teams: list[Team] = field(default_factory=list)
    points: dict[str, float] = field(default_factory=dict)
    match_points: dict[str, float] = field(default_factory=dict)
    byes: list[Bye] = field(default_factory=list)
    team_byes: TeamByes | None = None
    forfeited: list[Forfeited] = field(default_factory=list)
    line_ups: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    abnormal: list[Abnormal] = field(default_factory=list)
    accelerated: list[Accelerated] = field(default_factory=list)
    prohibited: list[Prohibited] = field(default_factory=list)
    absent: list[int] = field(default_factory=list)
    tables: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)


def read(text: str) -> Tournament:
    """A tournament from the text of its file. Raises TrfError for the first line that is wrong."""
    text = text.removeprefix("\ufeff")
    end = _LINE_END.search(text)
    # Where both are used, a line keeps the "\r" at its end.
    mixed = set(_LINE_END.findall(text)) == {"\r\n", "\n"}
    line_end = "\n" if mixed or not end else end[0]
    lines = text.split("\n") if mixed else _LINE_END.split(text)
    found = _Records()
    for count, line in enumerate(lines, 1):
        _line(found, line.removesuffix("\r"), count)
    if not found.players:
        raise TrfError(max(1, len(lines)), "trf_no_players")
    event = _tournament(found, lines, line_end)
    _check_pairings(event)
    _check_teams(event)
    return event


def _line(found: _Records, line: str, count: int) -> None:
    """Read one line; one with a code that is not known is kept as it is."""
    code = line[:3]
    if control := _CONTROL.search(line):
        raise TrfError(count, "trf_control", number=control.end())
    if code in _KNOWN and line[3:4].strip():
        raise TrfError(count, "trf_columns")
    if code in _READERS:
        try:
            _READERS[code](found, line, count)
        except ValueError as error:
            raise (
                error if isinstance(error, TrfError) else TrfError(count, "trf_record", code=code)
            ) from error
    elif code in _HEADS:
        found.heads[code] = line[4:].strip()
    elif kept := TABLES.fullmatch(line):
        pairs = (pair.split("-") for pair in kept[2].split())
        found.tables[int(kept[1])] = tuple((int(white), int(black)) for white, black in pairs)


def _tournament(found: _Records, lines: list[str], line_end: str) -> Tournament:
    heads = {code: found.heads.get(code, "") for code in _HEADS}
    points = {**USUAL_POINTS, **found.points}
    event = Tournament(
        name=heads["012"],
        place=heads["022"],
        begins=heads["042"],
        system=heads["092"] or heads["192"],
        dates=found.dates,
        planned=_planned(heads["142"] or heads["XXR"]),
        colour=_first_colour(heads["152"], heads["XXC"]),
        code=heads["192"],
        players=found.players,
        teams=tuple(found.teams or found.old_teams),
        lines=tuple(lines),
        line_end=line_end,
        points={"P": points["W"]} | points,
        match_points=found.match_points,
        byes=tuple(found.byes),
        team_byes=found.team_byes,
        forfeited=tuple(found.forfeited),
        line_ups=found.line_ups,
        abnormal=tuple(found.abnormal),
        accelerated=tuple(found.accelerated),
        prohibited=tuple(found.prohibited),
        tables=found.tables,
    )
    event = replace(event, players={n: _scored(event, player) for n, player in event.players.items()})
    coming = Bye("Z", event.paired_rounds + 1, tuple(found.absent))
    return replace(event, byes=(*event.byes, coming)) if found.absent else event


def _planned(text: str) -> int:
    """How many rounds there will be; 0 if the file does not say, or a program has put another thing there."""
    return int(text) if re.fullmatch(r"\d{1,3}", text, re.ASCII) else 0


def _first_colour(fide: str, engine: str) -> str | None:
    if fide.upper() in ("W", "B"):
        return _COLOURS[fide.lower()]
    return next((colour for word, colour in ENGINE_COLOURS.items() if word in engine.split()), None)


def _scored(event: Tournament, player: Entrant) -> Entrant:
    """A player whose rounds have their points by the scoring system."""
    rounds = tuple(
        replace(played, points=_points_of(event, player.number, at, played))
        for at, played in enumerate(player.rounds, 1)
    )
    return replace(player, rounds=rounds)


def _points_of(event: Tournament, number: int, round_: int, played: Pairing) -> float:
    if played.kind == "paired":
        return 0.0
    if not event.of_teams:
        for special in event.abnormal:
            if special.kind and special.applies(played.sign, number, round_):
                return special.points
    return event.points[SIGNS[played.sign][1]]


def _player(found: _Records, line: str, count: int) -> None:
    number = _number(line[4:8], count)
    if number in found.players:
        raise TrfError(count, "trf_twice", number=number)
    name = " ".join(line[_NAME].replace(",", ", ").split())
    if not name:
        raise TrfError(count, "trf_no_name")
    found.players[number] = Entrant(
        number,
        name,
        line[69:79].strip(),
        _points(line[POINTS], count),
        tuple(_rounds(line, count)),
        count,
        title=line[10:13].strip(),
        rating=line[48:52].strip(),
        identity=line[57:68].strip(),
    )


def _number(text: str, count: int) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST):
        raise TrfError(count, "trf_number", text=text)
    return int(text)


def _points(text: str, count: int) -> float | None:
    text = text.strip()
    if not text:
        return None
    if not _POINTS.fullmatch(text):
        raise TrfError(count, "trf_points", text=text)
    return float(text)


def _rounds(line: str, count: int) -> Iterator[Pairing]:
    columns = line.rstrip()[FIRST_ROUND:]
    for number, start in enumerate(range(0, len(columns), ROUND), 1):
        yield _round(columns[start : start + ROUND].ljust(ROUND), count, number)


def _round(cells: str, count: int, number: int) -> Pairing:
    """One round: opponent in four columns, colour, result, with blanks between and after."""
    who, colour, sign = cells[:4].strip(), cells[5].lower(), cells[7].upper()
    if cells[4] + cells[6] + cells[8:10] != "    " or colour not in _COLOURS:
        raise TrfError(count, "trf_round", round=number)
    if who in ("", "0000"):
        if sign not in "UFHZ-+ " or _COLOURS[colour]:
            raise TrfError(count, "trf_round", round=number)
        won = SIGNS[sign][1] != "A"
        return Pairing("bye" if won else "absent", sign=sign)
    opponent = _number(who, count)
    if _COLOURS[colour] is None and sign not in "+-":
        raise TrfError(count, "trf_round", round=number)
    if sign == " ":
        return Pairing("paired", opponent, _COLOURS[colour])
    if sign not in SIGNS or SIGNS[sign][0] not in ("played", "forfeit"):
        raise TrfError(count, "trf_round", round=number)
    return Pairing(SIGNS[sign][0], opponent, _COLOURS[colour], sign=sign)


def _accelerated(found: _Records, line: str, _: int) -> None:
    """Only those of players: in a tournament of teams it is match points."""
    if line[9:13].strip():
        rounds = _count(line[14:17]), _count(line[18:21])
        found.accelerated.append(
            Accelerated(_amount(line[9:13]), rounds, (_count(line[22:26]), _count(line[27:31])))
        )


def _engine_accelerated(found: _Records, line: str, _: int) -> None:
    number = _count(line[4:8])
    for at, points in enumerate(map(_amount, line[9:].split()), 1):
        if points:
            found.accelerated.append(Accelerated(points, (at, at), (number, number)))


def _prohibited(found: _Records, line: str, _: int) -> None:
    rounds = _count(line[4:7]), _count(line[8:11])
    found.prohibited.append(Prohibited(rounds, tuple(map(_count, line[11:].split()))))


def _engine_prohibited(found: _Records, line: str, _: int) -> None:
    found.prohibited.append(Prohibited((1, MOST_ROUNDS), tuple(map(_count, line[3:].split()))))


def _dates(found: _Records, line: str, _: int) -> None:
    """In the columns of their rounds, some of which may have none; or one after the other elsewhere."""
    cells = tuple(line[at : at + ROUND].strip() for at in range(FIRST_ROUND, len(line.rstrip()), ROUND))
    elsewhere = line[4:FIRST_ROUND].strip() or any(len(cell.split()) > 1 for cell in cells)
    found.dates = tuple(line[4:].split()) if elsewhere else cells


def _old_team(found: _Records, line: str, count: int) -> None:
    members = tuple(_number(part, count) for part in line[36:].split())
    _add_team(found.old_teams, Team(line[4:36].strip(), members, count, len(found.old_teams) + 1))


def _team(found: _Records, line: str, count: int) -> None:
    members = tuple(_number(part, count) for part in line[73:].split())
    number = _number(line[4:7], count)
    if any(team.number == number for team in found.teams):
        raise TrfError(count, "trf_team_twice", number=number)
    _add_team(found.teams, Team(line[8:40].strip(), members, count, number))


def _add_team(teams: list[Team], team: Team) -> None:
    if not team.name or not team.players:
        raise TrfError(team.line, "trf_team")
    teams.append(team)


def _amount(text: str) -> float:
    """Points such as "11.5" or "-1.0". Raises ValueError for anything else."""
    if not _AMOUNT.fullmatch(text.strip()):
        raise ValueError(text)
    return float(text)


def _count(text: str) -> int:
    """A number of a round, a player or a team, 0 for none. Raises ValueError for anything else."""
    if not _COUNT.fullmatch(text.strip()):
        raise ValueError(text)
    return int(text)


def _symbols(line: str) -> dict[str, float]:
    """A scoring system: symbol and points from column 5 on, nine columns each."""
    cells = (line[start : start + 9] for start in range(4, len(line.rstrip()), 9))
    return {cell[:2].strip().upper(): _amount(cell[2:6]) for cell in cells}


def _scoring(found: _Records, line: str, _: int) -> None:
    found.points |= _symbols(line)


def _team_scoring(found: _Records, line: str, _: int) -> None:
    found.match_points |= _symbols(line)


def _engine_points(found: _Records, line: str, _: int) -> None:
    """What JaVaFo calls codes ("W=3 D=1") and bbpPairings lines ("BBW  3.0")."""
    if line.startswith("XXS"):
        parts = [part.split("=") for part in line[3:].split()]
        given = [(_ENGINE_POINTS[code], value) for code, value in parts if code in _ENGINE_POINTS]
    else:
        given = [(_ENGINE_POINTS[line[:3]], line[3:])]
    found.points |= {symbol: _amount(value) for symbol, value in given}


def _engine_configuration(found: _Records, line: str, _: int) -> None:
    """Words in one line, or in several."""
    found.heads["XXC"] = f"{found.heads.get('XXC', '')} {line[3:]}"


def _engine_absent(found: _Records, line: str, _: int) -> None:
    found.absent += map(_count, line[3:].split())


def _bye(found: _Records, line: str, _: int) -> None:
    kind = line[4:5].upper()
    if kind not in ("F", "H", "Z"):
        raise ValueError(kind)
    found.byes.append(Bye(kind, _count(line[6:9]), tuple(map(_count, line[10:].split()))))


def _team_bye(found: _Records, line: str, _: int) -> None:
    columns = line.rstrip()
    who = (columns[start : start + 3].strip() for start in range(14, len(columns), 4))
    by_round = {at: _count(number) for at, number in enumerate(who, 1) if number and _count(number)}
    found.team_byes = TeamByes(_amount(line[4:8]), _amount(line[9:13]), by_round)


def _forfeit(found: _Records, line: str, _: int) -> None:
    result = line[4:6]
    if result not in ("+-", "-+", "--"):
        raise ValueError(result)
    found.forfeited.append(Forfeited(result, _count(line[7:10]), _count(line[11:14]), _count(line[15:18])))


def _line_up(found: _Records, line: str, _: int) -> None:
    found.line_ups[_count(line[4:7]), _count(line[8:11])] = tuple(map(_count, line[16:].split()))


def _abnormal(found: _Records, line: str, _: int) -> None:
    """Points have a decimal point, rounds and competitors none."""
    kind = line[4:5].upper()
    if kind not in ("", " ", *"WDLFHZ+-"):
        raise ValueError(kind)
    points, round_, numbers = [], None, []
    for part in re.finditer(r"\S+", line[5:]):
        if "." in part[0]:
            points.append(_amount(part[0]))
        elif part.end() + 5 <= _LAST_ROUND:
            round_ = _count(part[0]) or None
        else:
            numbers.append(_count(part[0]))
    match_points = points[0] if len(points) > 1 else None
    found.abnormal.append(
        Abnormal(kind.strip(), match_points, points[-1] if points else 0.0, round_, frozenset(numbers) - {0})
    )


_HEADS = frozenset(("012", "022", "032", "042", "092", "142", "152", "192", "XXR", "XXC"))
ENGINE_COLOURS = {"white1": WHITE, "black1": BLACK}
_ENGINE_POINTS = {
    "W": "W", "WW": "W", "D": "D", "WD": "D", "WL": "L", "ZPB": "A", "FL": "A", "PAB": "P",
    "BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "A", "BBU": "P",
}  # fmt: skip
_READERS: Mapping[str, Callable[[_Records, str, int], None]] = {
    "001": _player,
    "132": _dates,
    "013": _old_team,
    "310": _team,
    "162": _scoring,
    "362": _team_scoring,
    "240": _bye,
    "320": _team_bye,
    "330": _forfeit,
    "300": _line_up,
    "299": _abnormal,
    "250": _accelerated,
    "260": _prohibited,
    "XXA": _engine_accelerated,
    "XXP": _engine_prohibited,
    "XXS": _engine_points,
    "XXZ": _engine_absent,
    "XXC": _engine_configuration,
} | dict.fromkeys(("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"), _engine_points)
_KNOWN = _HEADS | _READERS.keys()


def _check_pairings(event: Tournament) -> None:
    """Check the sums of points, and that two opponents agree about their game."""
    for player in event.players.values():
        totals = _totals(event, player)
        if player.points is not None and player.points not in totals:
            raise TrfError(player.line, "trf_sum", told=player.points, total=totals[0])
        for number, mine in enumerate(player.rounds, 1):
            if mine.opponent is None:
                continue
            other = event.players.get(mine.opponent)
            if other is None or other is player:
                raise TrfError(player.line, "trf_opponent", number=mine.opponent, round=number)
            if not _agree(player.number, mine, other.paired(number)):
                raise TrfError(player.line, "trf_disagree", number=mine.opponent, round=number)


def _totals(event: Tournament, player: Entrant) -> tuple[float, ...]:
    """The sums that the file may state: programs count a pending game, and a team's bye, or do not."""
    total = sum(played.points for played in player.rounds)
    if not event.of_teams:
        total += sum(
            special.points for special in event.abnormal
            if not special.kind and (not special.numbers or player.number in special.numbers)
        )  # fmt: skip
    pending = event.points["X"] * sum(played.kind == "paired" for played in player.rounds)
    free = sum(played.points for played in player.rounds if played.sign == "U") if event.of_teams else 0
    found = total, total + pending, total - free, total - free + pending
    return tuple(round(each, 1) for each in found)


def _agree(number: int, mine: Pairing, his: Pairing) -> bool:
    """Whether both lines tell the same game; an arbiter may give less than a point in all."""
    won = ("W", "D"), ("D", "W"), ("W", "W")
    return (
        his.opponent == number
        and his.kind == mine.kind
        and (mine.colour is None or mine.colour != his.colour)
        and (SIGNS[mine.sign][1], SIGNS[his.sign][1]) not in won
    )


def _check_teams(event: Tournament) -> None:
    seen: set[int] = set()
    for team in event.teams:
        for number in team.players:
            if number not in event.players:
                raise TrfError(team.line, "trf_no_player", number=number)
            if number in seen:
                raise TrfError(team.line, "trf_in_two_teams", number=number)
            seen.add(number)
