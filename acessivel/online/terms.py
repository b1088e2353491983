# SPDX-License-Identifier: GPL-3.0-or-later
"""What kind of game is wanted at a server, and whether the server has such games."""

from __future__ import annotations

from dataclasses import dataclass

from acessivel.errors import UserError
from acessivel.message import Message

DAYS = (1, 2, 3, 5, 7, 10, 14)  # that a move may take in a correspondence game
_QUARTERS = (0.25, 0.5, 0.75, 1.5)  # minutes beside the whole ones
_MOST_MINUTES, _SEEK_INCREMENT, _CHALLENGE_INCREMENT = 180, 180, 60
_SEEK_S, _CHALLENGE_S = 480, 180  # how long a player needs at least: rapid, blitz
_MOVES = 40  # for which the increment counts in that


@dataclass(frozen=True, slots=True)
class Terms:
    """A kind of game: minutes and seconds for each move, or days for each move; neither: without a limit.

    `colour`: the own one, "" for any; `ratings`: the lowest and the highest of the opponent in a seek.
    """

    minutes: float = 0
    increment: int = 0
    days: int = 0
    rated: bool = False
    colour: str = ""
    ratings: tuple[int, int] | None = None

    @property
    def clocked(self) -> bool:
        """Whether it is played with a clock."""
        return bool(self.minutes or self.increment)

    @property
    def estimate_s(self) -> float:
        """How many seconds a player has for a game of usual length: the server's measure of speed."""
        return self.minutes * 60 + _MOVES * self.increment

    @property
    def slow_enough(self) -> bool:
        """Whether the server lets it be played this way at all."""
        return not self.clocked or self.estimate_s >= _CHALLENGE_S


def seek_form(terms: Terms) -> dict[str, str]:
    """The form of a seek. Raises UserError if the server has no such seeks: which it has."""
    form = {"rated": _yes(terms.rated), "variant": "standard"}
    if terms.clocked:
        _check_clock(terms, _SEEK_INCREMENT)
        if terms.estimate_s < _SEEK_S:
            raise UserError(Message.of("online_seek_too_fast"))
        form |= {"time": f"{terms.minutes:g}", "increment": str(terms.increment)}
    else:
        form["days"] = _days(terms)
    if terms.colour:
        form["color"] = terms.colour
    if terms.ratings:
        low, high = terms.ratings
        if low >= high:
            raise UserError(Message.of("online_ratings", low=low, high=high))
        form["ratingRange"] = f"{low}-{high}"
    return form


def challenge_form(terms: Terms) -> dict[str, str]:
    """The form of a challenge, of a game against the server's engine, or of a link.

    Raises UserError if the server has no such games: which it has.
    """
    form = {"rated": _yes(terms.rated), "variant": "standard", "color": terms.colour or "random"}
    if terms.clocked:
        _check_clock(terms, _CHALLENGE_INCREMENT)
        if not terms.slow_enough:
            raise UserError(Message.of("online_challenge_too_fast"))
        form |= {"clock.limit": f"{terms.minutes * 60:.0f}", "clock.increment": str(terms.increment)}
    elif terms.days:
        form["days"] = _days(terms)
    elif terms.rated:
        raise UserError(Message.of("online_unlimited_rated"))
    return form


def _check_clock(terms: Terms, most_increment: int) -> None:
    whole = terms.minutes == int(terms.minutes) and 0 <= terms.minutes <= _MOST_MINUTES
    if not (whole or terms.minutes in _QUARTERS):
        raise UserError(Message.of("online_minutes", most=_MOST_MINUTES))
    if not 0 <= terms.increment <= most_increment:
        raise UserError(Message.of("online_increment", most=most_increment))


def _days(terms: Terms) -> str:
    if terms.days not in DAYS:
        raise UserError(Message.of("online_which_days", days=tuple(map(str, DAYS))))
    return str(terms.days)


def _yes(value: bool) -> str:
    return "true" if value else "false"
