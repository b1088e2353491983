# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiter's menu: what can be decided, and what is asked for it, by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from acessivel.game.results import RESULTS
from acessivel.message import Duration, Message
from acessivel.rules.position import COLOURS
from acessivel.rules.scores import usual

# What can be decided, in the order of the menu, and what must be known for it.
MENU: Mapping[str, tuple[str, ...]] = {
    "warn": ("side",),
    "time": ("side", "direction", "minutes", "seconds"),
    "clocks": (),
    "restore": ("number", "side"),
    "result": ("score",),
    "claim": ("verdict",),
    "colours": (),
    "start": (),
    "more": ("found",),
}
# What else can have gone wrong: the list behind the menu's last number.
FOUND: Mapping[str, tuple[str, ...]] = {
    "board": (),
    "clock": (),
    "displaced": ("side",),
    "misplaced": ("number", "side"),
    "hands": ("side",),
    "position": (),
    "silent": ("side",),
    "left": ("side",),
    "late": ("absent", "minutes"),
}
# What is asked of him about a player who came too late, and about nothing else (6.7; 2014, 2018).
_ABSENCE: Mapping[str, tuple[str, ...]] = {"absence": ("absent", "stands")}
# What becomes of the clocks where it is asked by name: a table may have stopped them until the yes.
CLOCKS: Mapping[str, tuple[str, ...]] = {"stop": (), "go": ()}
_PARTS = {**MENU, **FOUND, **_ABSENCE, **CLOCKS}
# What the arbiter can make of a claim; the last only in the quickplay finish, and once (10.2b; 2001, 2009).
ClaimVerdict = Literal["accepted", "rejected", "postponed"]
VERDICTS: tuple[ClaimVerdict, ...] = ("accepted", "rejected", "postponed")
_MOST: Mapping[str, int] = {
    "what": len(MENU), "found": len(FOUND), "side": 2, "absent": 3, "direction": 2, "minutes": 180,
    "seconds": 59, "score": 4, "verdict": len(VERDICTS), "stands": 2,
}  # fmt: skip
_FROM_ZERO = frozenset({"minutes", "seconds"})
_SURE: Mapping[ClaimVerdict, str] = {
    "accepted": "ask_sure_claim", "rejected": "ask_sure_reject", "postponed": "ask_sure_postpone",
}  # fmt: skip
SCORES = ("1-0", "0-1", "1/2-1/2", "0-0")


@dataclass(frozen=True, slots=True)
class Deciding:
    """The arbiter decides: what, and the numbers given so far; `moves`: the number of the next move.

    `may_postpone`: the claim that he can decide is one that he may decide later.
    """

    moves: int
    what: str = ""
    given: tuple[int, ...] = ()
    may_postpone: bool = False

    @property
    def missing(self) -> str:
        """What is asked for: "what", a part of the decision, or "" if it only needs its yes."""
        if not self.what:
            return "what"
        parts = _PARTS[self.what]
        return parts[len(self.given)] if len(self.given) < len(parts) else ""

    def _value(self, part: str) -> int:
        return self.given[_PARTS[self.what].index(part)]

    @property
    def colour(self) -> str:
        """The side that the decision is about."""
        return COLOURS[self._value("side") - 1]

    @property
    def absent(self) -> tuple[str, ...]:
        """Who has not come in time: one side or both."""
        return COLOURS[self._value("absent") - 1 :][:1] or COLOURS

    @property
    def late_ms(self) -> int:
        """How late that is."""
        return 60_000 * self._value("minutes")

    @property
    def ms(self) -> int:
        """The time to add, negative to take away."""
        seconds = 60 * self._value("minutes") + self._value("seconds")
        return 1000 * (seconds if self._value("direction") == 1 else -seconds)

    @property
    def plies(self) -> int:
        """How many half-moves remain when the game goes back to a move, counted from move 1."""
        return 2 * (self._value("number") - 1) + COLOURS.index(self.colour)

    @property
    def score(self) -> str:
        """The result that is declared."""
        return SCORES[self._value("score") - 1]

    @property
    def verdict(self) -> ClaimVerdict:
        """What becomes of the claim."""
        return VERDICTS[self._value("verdict") - 1]

    @property
    def lost(self) -> bool:
        """Whether the game of a player who came too late is lost."""
        return self._value("stands") == 1


def on_absence(moves: int, absent: tuple[str, ...]) -> Deciding:
    """What the arbiter is asked about who came too late: "white", "black" or both."""
    return Deciding(moves, "absence", (3 if absent == COLOURS else COLOURS.index(absent[0]) + 1,))


def numbers(deciding: Deciding) -> range:
    """The numbers that answer what is asked for."""
    part = deciding.missing
    if not part:
        return range(0)
    most = deciding.moves if part == "number" else _MOST[part]
    if part == "verdict" and not deciding.may_postpone:
        most -= 1
    return range(part not in _FROM_ZERO, most + 1)


def score_written(deciding: Deciding, text: str) -> int | None:
    """The number of a result that was written ("1-0", "½-½"); None unless it is asked for and offered."""
    offered = deciding.missing == "score" and usual(text) in SCORES
    return SCORES.index(usual(text)) + 1 if offered else None


def question(deciding: Deciding) -> Message:
    """What is asked for, or whether the decision is meant."""
    if deciding.missing:
        later = "_or_later" if deciding.missing == "verdict" and deciding.may_postpone else ""
        return Message.of(f"ask_arbiter_{deciding.missing}{later}")
    key = f"ask_sure_{deciding.what}"
    match deciding.what:
        case "warn" | "displaced" | "hands" | "silent" | "left":
            return Message.of(key, colour=deciding.colour)
        case "time":
            key = "ask_sure_more" if deciding.ms >= 0 else "ask_sure_less"
            return Message.of(key, colour=deciding.colour, time=Duration(abs(deciding.ms)))
        case "restore" | "misplaced":
            return Message.of(key, number=deciding.given[0], colour=deciding.colour)
        case "result":
            return Message.of(key, result=Message.of(RESULTS[deciding.score]))
        case "claim":
            return Message.of(_SURE[deciding.verdict])
        case "absence":
            return Message.of(key if deciding.lost else "ask_sure_excused")
        case "late":
            time = Duration(deciding.late_ms)
            if deciding.absent == COLOURS:
                return Message.of("ask_sure_late_both", time=time)
            return Message.of(key, colour=deciding.absent[0], time=time)
    return Message.of(key)


def numbered(deciding: Deciding, number: int) -> Deciding:
    """The decision with one more number, which must be one of `numbers`."""
    if not deciding.what:
        return replace(deciding, what=tuple(MENU)[number - 1])
    if deciding.what == "more":
        return replace(deciding, what=tuple(FOUND)[number - 1])
    return replace(deciding, given=(*deciding.given, number))
