# SPDX-License-Identifier: GPL-3.0-or-later
"""What a regulation prescribes: the order of tie-breaks and the age groups, checked on load."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import tomli

from acessivel.tournaments.standings import TIE_BREAKS

NAME = "desporto-escolar-2022"


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """A group by the years of birth, both inclusive, in the season of the regulation."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Regulation:
    """Tie-breaks by their names in `standings`, in order; age groups from the season `season` on."""

    pairing_program: str
    individual: tuple[str, ...]
    team_swiss: tuple[str, ...]
    team_round_robin: tuple[str, ...]
    season: int
    first_cycle: tuple[AgeGroup, ...]
    later_cycles: tuple[AgeGroup, ...]

    def age_group(self, born: int, season: int, *, first_cycle: bool) -> str | None:
        """The age group for a year of birth in the season beginning in another year; None if none fits."""
        year = born - (season - self.season)
        groups = self.first_cycle if first_cycle else self.later_cycles
        return next((group.name for group in groups if group.first <= year <= group.last), None)


@cache
def regulation() -> Regulation:
    """The regulation of Portuguese school sport. Raises ValueError if its file has a mistake."""
    return parse(Path(__file__).with_name(f"{NAME}.toml").read_text("utf-8"))


def parse(text: str) -> Regulation:
    """A regulation from TOML. Raises ValueError, which names what is wrong with it."""
    data = tomli.loads(text)
    ages = data.get("ages", {})
    program, season = data.get("pairing_program"), ages.get("season")
    if not isinstance(program, str) or type(season) is not int:
        raise ValueError("pairing_program, ages.season: a name and a year")
    return Regulation(
        pairing_program=program,
        individual=_order("individual", data),
        team_swiss=_order("team_swiss", data),
        team_round_robin=_order("team_round_robin", data),
        season=season,
        first_cycle=_groups("first_cycle", ages),
        later_cycles=_groups("later_cycles", ages),
    )


def _order(key: str, data: dict[str, Any]) -> tuple[str, ...]:
    names = data.get(key)
    if not isinstance(names, list) or not names or any(name not in TIE_BREAKS for name in names):
        raise ValueError(f"{key}: {names}")
    return tuple(names)


def _groups(key: str, ages: dict[str, Any]) -> tuple[AgeGroup, ...]:
    """The groups of one table, which together cover every year of birth once."""
    groups = tuple(
        AgeGroup(each["name"], each.get("from", 0), each.get("to", 9999)) for each in ages.get(key, [])
    )
    ordered = sorted(groups, key=lambda group: group.first)
    whole = ordered and ordered[0].first == 0 and ordered[-1].last == 9999
    if not whole or any(one.last + 1 != next_.first for one, next_ in pairwise(ordered)):
        raise ValueError(f"ages.{key}: years are missing or stand twice")
    return groups
