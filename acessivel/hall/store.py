# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a hall keeps what its tables tell and what its arbiters propose: what each side can ask of it.

A table reaches it with its key, as a `TableStore`, and sees and adds nothing but its own; the arbiter's desk
reaches all of it, as a `HallStore`. Every call raises `HallLostError` if the store cannot be reached, and
`KeyRefusedError` if the key is not, or no longer, good for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from acessivel.hall.board import HallRecord
from acessivel.message import Message
from acessivel.messages import wire


class HallLostError(Exception):
    """The hall's store cannot be reached now; it may come back."""


class NotKeptError(HallLostError):
    """The store is reached, and does not take just this."""


class KeyRefusedError(Exception):
    """The key is unknown or revoked, or this is not what it is for."""


@dataclass(frozen=True, slots=True)
class PushedEntry:
    """An entry on its way: its number in the game, its JSON, and how many ms ago it happened."""

    number: int
    text: str
    ago_ms: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ArbiterDecision:
    """What an arbiter wants a table to apply, which its session rules on as on his word at the table.

    `what`: "stop" or "go" for the clocks, "announce" for a message to be told, or a key of
    `arbiter_menu.MENU` ("warn", "time", "restore", "result", "claim" ...) or `FOUND`, with the numbers
    `given` as they are asked for there. `about`: for a "claim" or an "absence", the key of the ruling that he
    decides on; `plies`: how many moves he has seen, so that nothing is decided about another position.
    """

    what: str
    given: tuple[int, ...] = ()
    about: str = ""
    plies: int = 0
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A decision on its way to a table: its number in the hall, for which game, and which arbiter made it.

    `id`: 0 until the hall has given it one. `ago_ms`: how long ago he did; the desk and the hall have each
    measured how long they had it.
    """

    id: int
    table: int
    game: str
    by: str
    decision: ArbiterDecision
    ago_ms: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Seen:
    """When a table was last there, on the hall's clock in ms since 1970; `left`: it has ended by itself."""

    at_ms: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What an arbiter has taken on: `item` names it as the desk does ("12/g/claim")."""

    item: str
    by: str
    at_ms: int


PROPOSAL = (Proposal, ArbiterDecision)
"""What `wire.from_json` must know to read one."""
LONGEST_ENTRY = 8000
"""How many characters the JSON of an entry may have."""


def read_proposal(row: tuple[int, str], now_ms: int) -> Proposal:
    """The proposal that a store keeps by its number and its JSON. Raises ValueError if that is none.

    `now_ms`: on the hall's clock, of which the number tells when the store has got it.
    """
    number, text = row
    proposal: Proposal = wire.from_json(text, PROPOSAL)
    return replace(proposal, id=number, ago_ms=proposal.ago_ms + max(0, now_ms - number))


class TableStore(ABC):
    """The hall as one table reaches it."""

    @abstractmethod
    def append(self, game: str, pushed: Sequence[PushedEntry]) -> int:
        """Keep these entries, whose numbers follow on each other; one that is there already is passed over.

        Returns how many the hall has then. If it lacks some before these, or has others in their place, it
        keeps none of them, and returns up to where it has the same.
        """

    @abstractmethod
    def alive(self, *, leaves: bool = False) -> None:
        """Say that the table is there, or that it ends by itself."""

    @abstractmethod
    def proposals(self, game: str, after: int) -> tuple[Proposal, ...]:
        """What arbiters have proposed for a game, from the number behind `after` on, in order."""

    @abstractmethod
    def wait(self, game: str, after: int, timeout_s: float) -> None:
        """Return when there may be something new for `proposals`, after so many seconds, or at a `wake`."""

    @abstractmethod
    def wake(self) -> None:
        """Let a `wait` in another thread return, or the next one if there is none."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection."""


class HallStore(ABC):
    """The hall as the arbiter's desk reaches it."""

    @abstractmethod
    def since(self, cursor: Mapping[tuple[int, str], int]) -> tuple[HallRecord, ...]:
        """All entries from these numbers on, as of `Hall.cursor`; those of unknown games from 0 on."""

    @abstractmethod
    def wait(self, timeout_s: float) -> None:
        """Return when something new may be there, or after so many seconds."""

    @abstractmethod
    def seen(self) -> Mapping[int, Seen]:
        """When each table was last there."""

    @abstractmethod
    def now_ms(self) -> int:
        """The hall's clock, in ms since 1970."""

    @abstractmethod
    def propose(self, proposal: Proposal, *, key: str = "") -> int:
        """Send a proposal, still without a number, to its table; returns its number.

        With the same `key` again it is the same proposal, which is kept once. Raises NotKeptError too.
        """

    @abstractmethod
    def take(self, item: str, by: str) -> Taken:
        """Take something on, unless somebody has; returns who has it now, since when."""

    @abstractmethod
    def release(self, item: str, by: str) -> None:
        """Give back what this arbiter has taken on."""

    @abstractmethod
    def taken(self) -> tuple[Taken, ...]:
        """What arbiters have taken on."""

    @abstractmethod
    def present(self, by: str) -> Mapping[str, int]:
        """Say that this arbiter is there; returns when each was there last, in ms since 1970."""

    @abstractmethod
    def make_key(self, table: int) -> str:
        """A new key for a table, in place of any that it had."""

    @abstractmethod
    def revoke_key(self, table: int) -> None:
        """End the key of a table, and what it is connected with now."""

    @abstractmethod
    def keys(self) -> Collection[int]:
        """The tables that have a key."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connection; a `wait` in another thread ends."""
