# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes to a tournament's file: pairings, results and byes; the changed lines are read again, as strictly.

All other lines stay as they are, so that what this program does not know is not lost.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from acessivel.laws.editions import Points
from acessivel.rules.position import BLACK, WHITE
from acessivel.tournaments import fields
from acessivel.tournaments.rounds import Board, boards
from acessivel.tournaments.standings import Standing, standings
from acessivel.tournaments.tournament import Entrant, Tournament, TrfError
from acessivel.tournaments.trf import ENGINE_COLOURS, FIRST_ROUND, POINTS, RANK, ROUND, read

LETTERS = {WHITE: "W", BLACK: "B"}  # of line 152
MATCH_POINTS = Points(win=2, draw=1, loss=0, absent=0)  # of TRF26, where the file has no line 362
_NEW_CODES = ("142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "310")
_CELL = 8  # columns of a round without the two blanks behind it

Cells = dict[int, tuple[int, str]]  # start number -> round and what stands in its columns


def version(event: Tournament) -> int:
    """The version of a file, 26 or 16, by the records in it."""
    codes = {line[:3] for line in event.lines}
    return 26 if codes & frozenset(_NEW_CODES) else 16


def changed(event: Tournament, lines: Sequence[str]) -> Tournament:
    """A tournament with other lines. Raises TrfError if they are wrong."""
    return read(event.line_end.join(lines))


def with_round(
    event: Tournament,
    number: int,
    pairs: Sequence[tuple[int, int]],
    free: int | None,
    tie_breaks: Sequence[str],
) -> Tournament:
    """A tournament with the pairings of a round, White first; `free` gets the bye of the pairing."""
    cells: Cells = {}
    for white, black in pairs:
        cells[white] = number, f"{black:>4} w"
        cells[black] = number, f"{white:>4} b"
    if free is not None:
        cells[free] = number, "0000 - U"
    for player in event.players.values():
        agreed = event.bye(player.number, number) or player.paired(number).sign.strip()
        if player.number not in cells:
            cells[player.number] = number, f"0000 - {agreed or 'Z'}"
    return _with_cells(event, cells, tie_breaks)


def with_results(
    event: Tournament, number: int, results: Mapping[Board, tuple[str, str]], tie_breaks: Sequence[str]
) -> Tournament:
    """A tournament with the signs of White and Black at some boards of a round, and the points and ranks.

    The tables of the rounds that are paired already keep their numbers, whatever the points are now.
    """
    cells: Cells = {}
    for board, (white, black) in results.items():
        cells[board.white] = number, f"{board.black:>4} w {white}"
        cells[board.black] = number, f"{board.white:>4} b {black}"
    later = range(number + 1, event.paired_rounds + 1)
    return with_tables(_with_cells(event, cells, tie_breaks), event, later)


def with_tables(event: Tournament, before: Tournament, rounds: Iterable[int]) -> Tournament:
    """A tournament whose tables in some rounds have the numbers that they had before, with the same pairs."""
    lines = []
    for number in rounds:
        kept = [frozenset((board.white, board.black)) for board in boards(before, number)]
        now = [frozenset((board.white, board.black)) for board in boards(event, number)]
        if kept != now and set(kept) == set(now):
            pairs = (f"{board.white}-{board.black}" for board in boards(before, number))
            lines.append(f"### Tables of round {number}: {' '.join(pairs)}")
    return changed(event, appended(event.lines, lines)) if lines else event


def with_byes(
    event: Tournament, number: int, kind: str, players: Collection[int], tie_breaks: Sequence[str]
) -> Tournament:
    """A tournament in which players have agreed a bye for a round: "F", "H" or "Z"; "" for none."""
    if version(event) < 26:
        cell = f"0000 - {kind}" if kind else ""
        return _with_cells(event, dict.fromkeys(event.players.keys() & players, (number, cell)), tie_breaks)
    before = [bye for bye in event.byes if bye.round == number]
    kept = [replace(bye, numbers=tuple(n for n in bye.numbers if n not in players)) for bye in before]
    lines = [bye_line(bye.kind, number, bye.numbers) for bye in kept if bye.numbers]
    lines += [bye_line(kind, number, sorted(players))] if kind and players else []
    others = [line for line in event.lines if not _is_bye_of(line, number)]
    if number == event.paired_rounds + 1:
        others = [*_present(others, event.players)]
    found = changed(event, appended(others, lines))
    agreed = [n for n in event.players.keys() & players if event.players[n].paired(number).sign.strip()]
    return _with_cells(found, dict.fromkeys(agreed, (number, "")), tie_breaks) if agreed else found


def _is_bye_of(line: str, number: int) -> bool:
    return line.startswith("240") and line[6:9].strip().lstrip("0") == str(number)


def _present(lines: Iterable[str], players: Collection[int]) -> Iterator[str]:
    """Lines in which no XXZ names some players any more as absent in the coming round."""
    for line in lines:
        if not line.startswith("XXZ"):
            yield line
        elif kept := [number for number in line[3:].split() if int(number) not in players]:
            yield f"XXZ {' '.join(kept)}{_parted(line)[1]}"


def with_head(event: Tournament, code: str, text: str) -> Tournament:
    """A tournament with a line of its section, in the place of the one that it had, or in order."""
    lines = [line for line in event.lines if line[:3] != code]
    at = next(
        (at for at, line in enumerate(lines) if line[:3] == "001" or (line[2:3] == "2" and line[:3] > code)),
        len(lines),
    )
    return changed(event, [*lines[:at], f"{code} {text}", *lines[at:]])


def with_first_colour(event: Tournament, colour: str) -> Tournament:
    """A tournament with the colour of the first player in the first round; an engine's other words stay."""
    if version(event) == 26:
        return with_head(event, "152", LETTERS[colour])
    words = (word for line in event.lines if line.startswith("XXC") for word in line[3:].split())
    others = [word for word in words if word not in ENGINE_COLOURS]
    return with_head(event, "XXC", " ".join((f"{colour}1", *others)))


def bye_line(kind: str, number: int, players: Sequence[int]) -> str:
    """The record 240 of an agreed bye."""
    return f"240 {kind} {number:>3}" + "".join(f" {player:>4}" for player in players)


def appended(lines: Sequence[str], more: Sequence[str]) -> list[str]:
    """Lines with others behind them, and an empty one at the end if there was one."""
    last = 1 if lines and not lines[-1] else 0
    return [*lines[: len(lines) - last], *more, *lines[len(lines) - last :]]


def _with_cells(event: Tournament, cells: Cells, tie_breaks: Sequence[str]) -> Tournament:
    """A tournament with other rounds of players, and the points and ranks that follow from them."""
    lines = list(event.lines)
    for number, (round_, cell) in cells.items():
        at = event.players[number].line - 1
        start = FIRST_ROUND + ROUND * (round_ - 1)
        line, end = _parted(lines[at])
        line = line.ljust(start + ROUND)
        lines[at] = (line[:start] + cell.ljust(_CELL) + line[start + _CELL :]).rstrip() + end
    coming = event.paired_rounds + 1
    told = {number for number, (round_, _) in cells.items() if round_ == coming}
    return recounted(event, [*_present(lines, told)], tie_breaks)


def recounted(event: Tournament, lines: Sequence[str], tie_breaks: Sequence[str]) -> Tournament:
    """A tournament with other lines, whose points and ranks are counted anew."""
    blank = [_put(line, POINTS, "") if line.startswith("001") else line for line in lines]
    return with_standings(changed(event, blank), tie_breaks)


def with_standings(event: Tournament, tie_breaks: Sequence[str]) -> Tournament:
    """A tournament with points and ranks of players and teams as its results give them.

    Those of players follow from all that is in the file, also of a round that is not over.
    """
    lines = list(event.lines)
    field = fields.players(event, max((len(player.rounds) for player in event.players.values()), default=0))
    for standing in standings(field, tie_breaks):
        player = event.players[standing.number]
        points = _points(event, player) + field.bonus.get(player.number, 0.0)
        line = _put(lines[player.line - 1], POINTS, f"{points:.1f}")
        lines[player.line - 1] = _put(line, RANK, str(standing.rank))
    if event.of_teams and lines[event.teams[0].line - 1].startswith("310"):
        # Those of an individual tournament that does not say so have no matches.
        with contextlib.suppress(TrfError):
            for standing in standings(fields.teams(event, MATCH_POINTS, swiss=True), ("board_points",)):
                team = next(team for team in event.teams if team.number == standing.number)
                lines[team.line - 1] = team_totals(lines[team.line - 1], standing)
    return changed(event, lines)


def team_totals(line: str, standing: Standing) -> str:
    """The line 310 of a team with its match points, board points and rank."""
    board_points = standing.values[0] or 0.0
    line = _put(line, slice(54, 60), f"{standing.points:.1f}")
    line = _put(line, slice(61, 67), f"{board_points:.1f}")
    return _put(line, slice(68, 71), str(standing.rank))


def _points(event: Tournament, player: Entrant) -> float:
    """What a player's rounds have given; the bye of a team is not his."""
    return sum(played.points for played in player.rounds if not event.of_his_team(played))


def _put(line: str, columns: slice, text: str) -> str:
    """A line with a text at the right end of some columns; all else stays, blanks at its end as well."""
    width = columns.stop - columns.start
    line, end = _parted(line)
    padded = line.ljust(columns.stop)
    return padded[: columns.start] + text[-width:].rjust(width) + padded[columns.stop :] + end


def _parted(line: str) -> tuple[str, str]:
    """A line, and the first half of its end where that differs from line to line."""
    content = line.removesuffix("\r")
    return content, line[len(content) :]
