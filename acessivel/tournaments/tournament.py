# SPDX-License-Identifier: GPL-3.0-or-later
"""A tournament as values: players, teams, rounds, and what its organisers have laid down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

PairingKind = Literal["played", "forfeit", "bye", "absent", "paired"]

# Sign of a result in a file -> what happened, and which symbol of the scoring system it counts as.
SIGNS: Mapping[str, tuple[PairingKind, str]] = {
    "1": ("played", "W"), "=": ("played", "D"), "0": ("played", "L"),
    "W": ("played", "W"), "D": ("played", "D"), "L": ("played", "L"),
    "+": ("forfeit", "W"), "-": ("forfeit", "A"),
    "U": ("bye", "P"), "F": ("bye", "W"), "H": ("bye", "D"), "Z": ("absent", "A"), " ": ("absent", "A"),
}  # fmt: skip
# What a win, a draw, a loss, an absence and an unknown result give, if the file does not say otherwise. A
# pairing-allocated bye (P) is worth a win.
USUAL_POINTS: Mapping[str, float] = {"W": 1.0, "D": 0.5, "L": 0.0, "A": 0.0, "X": 0.5}
_INDIVIDUAL = re.compile(r"individual|einzel", re.IGNORECASE)


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
    those that the game gives in this tournament; `sign` is the result as the file writes it.
    """

    kind: PairingKind
    opponent: int | None = None
    colour: str | None = None
    points: float = 0.0
    sign: str = field(default=" ", compare=False)

    @property
    def took_part(self) -> bool:
        """Whether the player was paired, or got the bye of the pairing; one agreed before is no pairing."""
        return self.opponent is not None or self.sign in "+-U"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player by the start number; `born` is "2010/05/17", a year, or "".

    `points` are those that the file states, None without any. `title`, `rating` and `identity` are as FIDE
    has them, "" if there is none.
    """

    number: int
    name: str
    born: str
    points: float | None
    rounds: tuple[Pairing, ...]
    line: int
    title: str = ""
    rating: str = ""
    identity: str = ""

    def paired(self, number: int) -> Pairing:
        """The round of a number, from 1; one that is not in the file was not played."""
        return self.rounds[number - 1] if number <= len(self.rounds) else Pairing("absent")


@dataclass(frozen=True, slots=True)
class Team:
    """A team: the start numbers of its players in the order of their boards; its number is from 1."""

    name: str
    players: tuple[int, ...]
    line: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Bye:
    """A bye agreed before the pairing: "F" a full point, "H" half, "Z" none; for players, or for teams."""

    kind: str
    round: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TeamByes:
    """What the bye of the pairing gives to a team, and who had it: round -> number."""

    match_points: float
    game_points: float
    by_round: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Forfeited:
    """A match between teams that did not take place; `result` is "+-", "-+" or "--", White's team first."""

    result: str
    round: int
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class Abnormal:
    """Points that differ from the scoring system; `kind` is a sign of a result, "" for a bonus or a penalty.

    `round` None: all rounds; no `numbers`: every player, or every team. `match_points` None: as usual.
    """

    kind: str
    match_points: float | None
    points: float
    round: int | None
    numbers: frozenset[int]

    def applies(self, sign: str, number: int, round_: int) -> bool:
        """Whether it is about this result of this competitor."""
        return (
            self.kind == {"1": "W", "=": "D", "0": "L"}.get(sign, sign)
            and self.round in (None, round_)
            and (not self.numbers or number in self.numbers)
        )


@dataclass(frozen=True, slots=True)
class Accelerated:
    """Fictitious points that count only for the pairing: from a round to another, for a row of players."""

    points: float
    rounds: tuple[int, int]
    players: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Prohibited:
    """Players who must not meet, from a round to another."""

    rounds: tuple[int, int]
    players: tuple[int, ...]


@dataclass(frozen=True)
class Tournament:
    """A tournament as its file has it: `system` is the text of line 092, `begins` the date of line 042.

    `lines` are those of the file, which end with `line_end`: what this program does not know stays in them.
    `planned`: how many rounds it will have, 0 if the file does not say; `colour`: that of the first player in
    the first round; `code`: the encoded kind of tournament (192); `dates`: of each round, "26/05/29" or "".
    `line_ups`: (round, team) -> who sat at its boards, 0 at an empty one, where that was not the usual order.
    `tables`: round -> its pairs in the order of their tables, where results written since give another.
    """

    name: str = ""
    system: str = ""
    begins: str = ""
    players: Mapping[int, Entrant] = field(default_factory=dict)
    teams: tuple[Team, ...] = ()
    lines: tuple[str, ...] = ()
    line_end: str = "\n"
    place: str = ""
    planned: int = 0
    colour: str | None = None
    code: str = ""
    dates: tuple[str, ...] = ()
    points: Mapping[str, float] = field(default_factory=lambda: USUAL_POINTS)
    match_points: Mapping[str, float] = field(default_factory=dict)
    byes: tuple[Bye, ...] = ()
    team_byes: TeamByes | None = None
    forfeited: tuple[Forfeited, ...] = ()
    line_ups: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    abnormal: tuple[Abnormal, ...] = ()
    accelerated: tuple[Accelerated, ...] = ()
    prohibited: tuple[Prohibited, ...] = ()
    tables: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The file itself."""
        return self.line_end.join(self.lines)

    @cached_property
    def of_teams(self) -> bool:
        """Whether teams meet; those of an individual tournament are only classified."""
        return bool(self.teams) and not _INDIVIDUAL.search(self.system)

    @cached_property
    def paired_rounds(self) -> int:
        """How many rounds are paired: those before the first one in which nobody has an opponent."""
        number = 0
        while any(player.paired(number + 1).took_part for player in self.players.values()):
            number += 1
        return number

    @cached_property
    def rounds(self) -> int:
        """How many rounds are over: those before the first one that has no pairing, or a pending result."""
        for number in range(1, self.paired_rounds + 1):
            if any(player.paired(number).kind == "paired" for player in self.players.values()):
                return number - 1
        return self.paired_rounds

    def of_his_team(self, played: Pairing) -> bool:
        """Whether a player's round is the bye that the pairing gave to the team, whose points are not his."""
        return self.team_byes is not None and played.sign == "U"

    def bye(self, player: int, number: int) -> str | None:
        """The kind of the bye that a player has agreed for a round, None without one."""
        if self.of_teams:
            return None
        return next((b.kind for b in self.byes if b.round == number and player in b.numbers), None)
