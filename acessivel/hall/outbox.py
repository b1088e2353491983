# SPDX-License-Identifier: GPL-3.0-or-later
"""What a table's game tells the hall, in a thread of its own: the game never waits for it.

Nothing is kept here but in memory: after a new start everything is made anew from the journal. That is sent
from the beginning, also when the hall was lost, and the hall passes over what it has. If it has another
course of the game than the table's journal, which is the authority, the game is told anew under another name.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from acessivel.errors import trace
from acessivel.hall import entries
from acessivel.hall.entries import HallEntry, ProposalAnswered
from acessivel.hall.store import (
    LONGEST_ENTRY,
    HallLostError,
    KeyRefusedError,
    Proposal,
    PushedEntry,
    TableStore,
)
from acessivel.messages import wire
from acessivel.session.events import Event, HallNews, Proposed
from acessivel.session.state import State
from acessivel.storage.stored_game import Happening

ALIVE_S = 5.0
"""How often a table says that it is there."""
_BATCH = 50  # entries at once
_PATIENCE_S = 5.0  # without the hall, before anybody is told
_PAUSES_S = (0.2, 0.5, 1.0, 2.0, 5.0)  # between the tries to reach it
_AGAIN_S = 3.0  # after which a proposal that was not dealt with is reported again
_LEAVE_S = 2.0  # to send what is left when the program ends
_TOO_LONG = '{"kind":"TooLong"}'  # told in place of what no hall takes: else nothing more could be told
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Outgoing:
    """An entry as it is sent, and when it happened, in s on the thread's clock."""

    text: str
    at_s: float


class Outbox:
    """Tells the hall of one game from `start` until `leave`."""

    def __init__(
        self,
        store: TableStore,
        game: str,
        before: Callable[[], Iterable[Happening]],
        *,
        ago_s: float = 0.0,
        done: Callable[[], None] | None = None,
    ) -> None:
        """Begin with what has happened `before`, in order, which is asked for in the thread.

        `ago_s`: how long ago the game began. A game that nobody plays any more is told only that, as of its
        beginning, and then `done` is called in the thread.
        """
        self._store, self._game, self._before = store, game, before
        self._began_s = time.monotonic() - ago_s
        self._report: Callable[[Event], None] = _to_nobody
        self._done = done
        self._happened: deque[tuple[float, Happening]] = deque()
        self._told: list[_Outgoing] = []
        self._name: str | None = None  # under which the hall has the game; None: to be found out
        self._sent = 0
        self._open: dict[int, tuple[Proposal, float]] = {}  # not dealt with yet, and since when they are here
        self._answered: set[int] = set()
        self._fetched = 0
        self._reported_s: float | None = None
        self._alive_s: float | None = None
        self._reached_s: float | None = None
        self._lost = False
        self._leaves = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self, report: Callable[[Event], None] | None = None) -> None:
        """Begin to tell; what arbiters propose, and that the hall is lost, goes to `report` as events."""
        self._report = report or self._report
        self._thread.start()

    def happened(self, before: State, event: Event, after: State) -> None:
        """An event stands in the journal; nothing is waited for, nor can anything fail."""
        self._happened.append((time.monotonic(), (before, event, after)))
        self._store.wake()

    def leave(self) -> bool:
        """The table ends by itself: send what is left, if the hall is there; returns whether it has all."""
        self.end()
        self._thread.join(_LEAVE_S)
        return self.settled

    def end(self) -> None:
        """Send what is left, if the hall is there, without being waited for."""
        self._leaves.set()
        self._store.wake()

    @property
    def settled(self) -> bool:
        """Whether the hall has all that has happened."""
        return self._name is not None and not self._happened and self._sent == len(self._told)

    def _run(self) -> None:
        try:
            for happening in self._before():
                late = self._told and not self._done
                self._tell(happening, time.monotonic() if late else self._began_s)
            while not (self._leaves.is_set() or (self._done and self.settled)):
                self._reach()
            if not self._lost and not (self._done and self.settled):
                self._exchange(leaves=self._done is None)
            if self._done and self.settled:
                self._done()
        except (HallLostError, KeyRefusedError):
            pass
        except Exception as error:  # noqa: BLE001 - no error here may end the game
            _LOG.error("unexpected %s", trace(error))
            self._report(HallNews(lost=True))
        finally:
            self._store.close()

    def _reach(self) -> None:
        """Exchange what is there, and wait for more; or try again after a while."""
        for pause in itertools.chain(_PAUSES_S, itertools.repeat(_PAUSES_S[-1])):
            try:
                self._exchange(leaves=False)
                self._found()
                if self._done:
                    return
                self._store.wait(self._name or "", self._fetched, ALIVE_S)
            except (HallLostError, KeyRefusedError) as error:
                _LOG.info("hall: %s", type(error).__name__)
                self._name = self._alive_s = None
                self._missed(refused=isinstance(error, KeyRefusedError))
                if self._leaves.wait(pause):
                    return
            else:
                return

    def _missed(self, *, refused: bool) -> None:
        """Say that the hall is lost: at once if that is no matter of waiting, or if it was never reached."""
        never = self._reached_s is None
        missed_s = time.monotonic() - (self._reached_s or 0)
        if not self._lost and (never or refused or missed_s >= _PATIENCE_S):
            self._lost = True
            self._report(HallNews(lost=True, never=never, refused=refused))

    def _found(self) -> None:
        self._reached_s = time.monotonic()
        if self._lost:
            self._lost = False
            self._report(HallNews(lost=False))

    def _exchange(self, *, leaves: bool) -> None:
        """Send what the hall lacks, say that the table is there, and take what is proposed."""
        while self._happened and not (len(self._happened) == 1 and _goes_on(self._happened[0][1][2])):
            at_s, happening = self._happened[0]
            self._tell(happening, at_s)
            self._happened.popleft()
        name = self._name = self._name or self._agreed()
        if not self._pushed(name):
            self._name = None  # the hall has lost some, or another has told it of this game
            raise HallLostError(name)
        if leaves or self._alive_s is None or time.monotonic() - self._alive_s >= ALIVE_S:
            self._store.alive(leaves=leaves)
            self._alive_s = time.monotonic()
        if not leaves:
            self._take(name)

    def _tell(self, happening: Happening, at_s: float) -> None:
        for entry in entries.entries(*happening):
            text = entries.to_json(entry)
            self._told.append(_Outgoing(text if len(text) <= LONGEST_ENTRY else _TOO_LONG, at_s))
            self._noticed(entry)

    def _noticed(self, entry: HallEntry) -> None:
        if isinstance(entry, ProposalAnswered):
            self._answered.add(entry.proposal)
            self._open.pop(entry.proposal, None)

    def _agreed(self) -> str:
        """The name under which the hall has the same course of the game as the journal, and no more."""
        for number in itertools.count():
            name = f"{self._game}.{number}" if number else self._game
            self._sent = 0
            if self._pushed(name):
                return name
            _LOG.info("hall: another course of the game %s", name)
        raise AssertionError

    def _pushed(self, name: str) -> bool:
        """Send what was not sent under this name; returns whether the hall has just that of the game then."""
        has = self._sent
        while self._sent < len(self._told):
            batch = self._told[self._sent : self._sent + _BATCH]
            now_s = time.monotonic()
            pushed = [
                PushedEntry(number, one.text, max(0, round(1000 * (now_s - one.at_s))))
                for number, one in enumerate(batch, self._sent)
            ]
            has = self._store.append(name, pushed)
            if has < self._sent + len(batch):
                return False
            self._sent += len(batch)
        return has == self._sent

    def _take(self, name: str) -> None:
        """Report what arbiters have proposed, and once more what was not dealt with."""
        new = self._store.proposals(name, self._fetched)
        for one in new:
            self._fetched = one.id
            if one.id not in self._answered:
                self._open[one.id] = one, time.monotonic()
        late = self._reported_s is None or time.monotonic() - self._reported_s >= _AGAIN_S
        if new or (self._open and late):
            self._reported_s = time.monotonic()
            for one, here_s in self._open.values():
                self._report(_event(one, round(1000 * (time.monotonic() - here_s))))


def _goes_on(state: State) -> bool:
    """Whether what follows at once belongs to what has happened: what a flag that fell leads to."""
    return bool(state.flags.fell) and not state.mate.seeking


def _to_nobody(event: Event) -> None:
    """Report something to nobody."""


def _event(proposal: Proposal, here_ms: int) -> Proposed:
    decision = proposal.decision
    return Proposed(
        id=proposal.id,
        by=proposal.by,
        what=decision.what,
        given=decision.given,
        about=decision.about,
        plies=decision.plies,
        message=wire.to_json(decision.message) if decision.message else "",
        ago_ms=proposal.ago_ms + here_ms,
    )
