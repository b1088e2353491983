# SPDX-License-Identifier: GPL-3.0-or-later
"""The arbiter's desk as a value: what the hall tells it, what he orders, what is told him and done for him.

No device, no store, no time of day: `desk_news` takes what a store has had to say, `desk_orders` what the
arbiter says; wishes are what the store is to be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from acessivel.dialogue import arbiter_menu
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.hall.board import Hall, HallRecord, TableGame
from acessivel.hall.cases import HallCase, is_lost
from acessivel.hall.store import ArbiterDecision, Proposal, Seen, Taken
from acessivel.hall.tournament_round import Seats, played
from acessivel.message import Message, Messages
from acessivel.session.state import State

_HERE_MS = 60_000  # how long an arbiter is there who has said nothing
DONE = "/done"  # what a settled case is called in the store, where all arbiters see it
SAID_AT_ONCE = 3  # cases that come up together; of more the number is told
# What can be announced to all tables, in the order of the list.
ANNOUNCEMENTS = tuple(f"hall_says_{name}" for name in ("soon", "begin", "quiet", "phones", "stay", "end"))


@dataclass(frozen=True, slots=True)
class DeskNews:
    """What a store has had to say since the last news; `now_ms` is the hall's clock.

    `seen`, `taken` and `present` are all that there is, `records` only what is new. `since_ms`: since when
    the store is reached, on that clock.
    """

    now_ms: int
    records: tuple[HallRecord, ...] = ()
    seen: Mapping[int, Seen] = field(default_factory=lambda: MappingProxyType({}))
    taken: tuple[Taken, ...] = ()
    present: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    since_ms: int = 0


@dataclass(frozen=True, slots=True)
class Propose:
    """Propose a decision to a table."""

    table: int
    game: str
    decision: ArbiterDecision


@dataclass(frozen=True, slots=True)
class Take:
    """Take something on, or note that it is settled."""

    item: str


@dataclass(frozen=True, slots=True)
class Release:
    """Give back what this arbiter has taken on."""

    item: str
    by: str


@dataclass(frozen=True, slots=True)
class PairRound:
    """Have a round of the tournament paired."""

    number: int


Wish = Propose | Take | Release | PairRound


@dataclass(frozen=True, slots=True)
class Decides:
    """What is being decided about a game: `about` which ruling, after how many moves.

    `at_once`: what is asked is only about that ruling; after a no the whole menu follows. `taken`: the name
    of the case that he has taken on by this, "" if there is none or he had it before.
    """

    table: int
    game: str
    about: str
    plies: int
    deciding: Deciding
    at_once: bool = False
    taken: str = ""


@dataclass(frozen=True, slots=True)
class Announces:
    """Which of the `ANNOUNCEMENTS` is meant."""


@dataclass(frozen=True, slots=True)
class DeskSure:
    """Whether something is meant; with a yes the wishes follow, for the desk as it is by then."""

    question: Message
    wishes: Callable[[Desk], tuple[Wish, ...]]


Asked = Decides | Announces | DeskSure


@dataclass(frozen=True, slots=True)
class Desk:
    """What one arbiter has before him: the hall, what waits in it, and the table that he looks at."""

    by: str
    words: tuple[str, str]
    """His language and convention."""
    hall: Hall = field(default_factory=Hall)
    seen: Mapping[int, Seen] = field(default_factory=lambda: MappingProxyType({}))
    taken: Mapping[str, Taken] = field(default_factory=lambda: MappingProxyType({}))
    present: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    now_ms: int = 0
    """The hall's clock when it was heard of last."""
    since_ms: int = 0
    """Since when the store is reached, on that clock."""
    waiting: tuple[HallCase, ...] = ()
    """What waits, the most urgent first."""
    settled: frozenset[str] = frozenset()
    """The names of cases that he has settled, until the store says so."""
    ready: bool = False
    """The hall was heard of."""
    untold: frozenset[str] = frozenset()
    """The names of cases that are to be told by themselves."""
    proposed: Mapping[int, Proposal] = field(default_factory=lambda: MappingProxyType({}))
    """This arbiter's decisions that no table has answered yet."""
    applied: tuple[Proposal, ...] = ()
    """Those that tables have applied, still to be told."""
    overtaken: Messages = ()
    """Why what he decides about is no longer his to decide, or has no answer, still to be told."""
    passed: frozenset[str] = frozenset()
    """The names of the cases that "next" has told since it began anew."""
    table: int = 0
    """The table that he looks at; 0 for none."""
    case: str = ""
    """The name of the case that he is at."""
    taking: str = ""
    """The name of the case that he has asked to have, until the store has said who has it."""
    state: State | None = None
    """The game at that table."""
    asked: Asked | None = None
    seats: Mapping[int, Seats] = field(default_factory=lambda: MappingProxyType({}))
    """Who is expected at each table in this round; nothing without a tournament's file."""
    counted: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """The name of the game that counts at each table in this round."""
    results: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """The results of this round that the tournament's file has, by their tables."""
    unbegun: frozenset[int] = frozenset()
    """The tables of this round at which none of its games was begun."""
    coming: int = 0
    """The first round of the tournament that is not paired; 0 if all are, or without a tournament's file."""

    @property
    def game(self) -> TableGame | None:
        """The game at the table that he looks at."""
        return self.hall.tables.get(self.table)

    @property
    def at(self) -> HallCase | None:
        """The case that he is at, if it still waits; else the first of the table that he looks at."""
        own = [case for case in self.waiting if case.table == self.table]
        return next((case for case in own if case.name == self.case), own[0] if own else None)

    @property
    def playing(self) -> Mapping[int, TableGame]:
        """The games that have no result, and are not adjourned, by their tables."""
        return {n: game for n, game in self.hall.tables.items() if not (game.over or game.adjourned.when)}

    @property
    def ended(self) -> tuple[TableGame, ...]:
        """The game with a result at each table: the one that counts in the round, or else the last."""
        games = (
            self.hall.games.get((number, self.counted.get(number, "")), last)
            for number, last in self.hall.tables.items()
        )
        return tuple(game for game in games if game.over)

    def counts_to(self, table: int) -> int:
        """Until when a table's clocks are known, on the hall's clock: now, or when it was there last."""
        seen = self.seen.get(table)
        return seen.at_ms if seen and is_lost(seen, self.now_ms, self.since_ms) else self.now_ms

    def unheard_ms(self, game: TableGame) -> int:
        """For how long nothing was heard of a table whose clock may run on; 0 if it is there, or has left."""
        seen = self.seen.get(game.table)
        if not seen or seen.left or not game.clocks.running or game.over or game.adjourned.when:
            return 0
        return self.now_ms - self.counts_to(game.table)

    def seat(self, game: TableGame) -> Seats | None:
        """Who is expected to play a game; None if it is not one of the round."""
        return self.seats.get(game.table) if self.counted.get(game.table) == game.game else None

    def overruled(self, game: TableGame) -> str:
        """The result that the tournament's file has in place of what was played, "" if it has no other."""
        result = self.results.get(game.table, "") if self.seat(game) else ""
        return "" if not result or result == played(game) else result

    @property
    def unplayed(self) -> Mapping[int, str]:
        """The results in the file of the tables where none of the round's games is, nor another is played."""
        at = self.hall.tables
        return {
            number: result
            for number, result in self.results.items()
            if number not in at or (number in self.unbegun and at[number].over)
        }

    @property
    def announcements(self) -> Messages:
        """What can be announced, in the order of the list; last who sits where, if that is known."""
        seats = (Message.of("desk_seats"),) if self.seats else ()
        return (*map(Message.of, ANNOUNCEMENTS), *seats)

    def taker(self, case: HallCase) -> str:
        """Who has taken a case on, "" for nobody."""
        found = self.taken.get(case.name)
        return found.by if found else ""

    def is_here(self, by: str) -> bool:
        """Whether an arbiter has a desk that has reached the hall as lately as this one, or almost."""
        return by == self.by or self.present.get(self.by, 0) - self.present.get(by, 0) < _HERE_MS

    def other(self, case: HallCase) -> str:
        """Who else has taken a case on and is here, "" for nobody: of who is gone it can be taken over."""
        by = self.taker(case)
        return by if by != self.by and self.is_here(by) else ""

    @property
    def urgent(self) -> bool:
        """Whether something is to be told by itself that should not wait."""
        return any(case.name in self.untold and case.urgent for case in self.waiting)

    @property
    def has_news(self) -> bool:
        """Whether anything is to be told by itself."""
        return bool(self.untold or self.applied or self.overtaken)

    def expects(self) -> tuple[int, ...]:
        """The numbers that answer what is asked; those of the tables if nothing is."""
        match self.asked:
            case Decides(deciding=deciding):
                return tuple(arbiter_menu.numbers(deciding))
            case Announces():
                return tuple(range(1, len(self.announcements) + 1))
            case DeskSure():
                return ()
        return tuple(self.hall.tables)


DeskStep = tuple[Desk, Messages, tuple[Wish, ...]]
