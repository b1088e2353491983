# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk at its hall's store: one thread brings the news, another carries out what is wished."""

from __future__ import annotations

import itertools
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from acessivel.clock.computer_sleep import EvenClock
from acessivel.errors import trace
from acessivel.hall.cases import is_lost
from acessivel.hall.desk import DeskNews, Propose, Release, Take, Wish
from acessivel.hall.store import HallLostError, HallStore, KeyRefusedError, NotKeptError, Proposal, Taken

_LOG = logging.getLogger(__name__)
_WAIT_S = 1.0  # at most, until the next look at the store
_QUIET_LOOKS = 5  # after which the desk is told the time, although nothing is new
_PRESENT_S = 1.0  # how often the store is told that the arbiter is there, which it has to write
_AGAIN_S = 2.0  # until a store that is lost is asked again
_TRIES_UNTOLD = 2  # before it is told that something is late


@dataclass(frozen=True, slots=True)
class StoreNews:
    """The hall's store is lost, or back.

    `unsent`: what this wish asked for was not done. `late`: nobody knows yet whether it was; it will be.
    """

    lost: bool
    unsent: Wish | None = None
    late: Wish | None = None


def news(
    store: HallStore,
    by: str,
    cursor: Mapping[tuple[int, str], int],
    present: Mapping[str, int] | None = None,
) -> DeskNews:
    """What the store has to say from a cursor on, as of `Hall.cursor`.

    `present`: who is there, if that was asked a moment ago; else the store is told that he is.
    """
    present = store.present(by) if present is None else present
    return DeskNews(store.now_ms(), store.since(cursor), store.seen(), store.taken(), present)


def fulfil(
    store: HallStore, by: str, wish: Wish, *, key: str = "", ago_ms: int = 0
) -> Proposal | Taken | None:
    """Carry out what was wished so long ago; returns what has come of it.

    With the same `key` it can be done again, if nobody knows whether it was, and is done once.
    """
    match wish:
        case Propose(table, game, decision):
            proposal = Proposal(0, table, game, by, decision, ago_ms)
            return replace(proposal, id=store.propose(proposal, key=key))
        case Take(item):
            return store.take(item, by)
        case Release(item, by=holder):
            store.release(item, holder)
    return None


class DeskLink:
    """Reports `DeskNews`, `Proposal`, `Taken` and `StoreNews` until it is closed; `wish` never waits."""

    def __init__(self, store: HallStore, by: str) -> None:
        self._store, self._by = store, by
        self._clock = EvenClock()
        self._wishes: queue.SimpleQueue[tuple[Wish, float] | None] = queue.SimpleQueue()
        self._asked_for = self._finished = 0
        self._lost = False
        self._follow: Callable[[DeskNews], None] = lambda _: None
        self._report: Callable[[object], None] = lambda _: None
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._bring, name="hall news", daemon=True),
            threading.Thread(target=self._carry_out, name="hall wishes", daemon=True),
        ]

    def follow(self, follow: Callable[[DeskNews], None]) -> None:
        """Let somebody else have the news as well, from the start on."""
        self._follow = follow

    def start(self, report: Callable[[object], None]) -> None:
        """Begin to report."""
        self._report = report
        for thread in self._threads:
            thread.start()

    def wish(self, wish: Wish) -> None:
        """Ask for something; what comes of it is reported."""
        self._asked_for += 1
        self._wishes.put((wish, self._clock()))

    @property
    def unsent(self) -> bool:
        """Whether something that was wished is not carried out yet."""
        return self._asked_for > self._finished

    def close(self) -> None:
        """Let everything that is wished be carried out, and end."""
        self._wishes.put(None)
        self._threads[1].join(_AGAIN_S)
        self._ended.set()
        self._threads[0].join(2 * _WAIT_S)

    def _bring(self) -> None:
        """Bring what is new, and now and then the time; say when the store is lost, and when it is back."""
        last, looks, since_ms = None, 0, 0
        cursor: dict[tuple[int, str], int] = {}
        present, asked_s = None, 0.0
        while not self._ended.is_set():
            try:
                if time.monotonic() - asked_s >= _PRESENT_S:
                    present, asked_s = None, time.monotonic()
                found = news(self._store, self._by, cursor, present)
                present = found.present
                if self._lost or not since_ms:
                    since_ms = found.now_ms
                if self._lost:
                    self._lost = False
                    self._report(StoreNews(lost=False))
                found = replace(found, since_ms=since_ms)
                gone = {n: is_lost(one, found.now_ms, since_ms) for n, one in found.seen.items()}
                known = found.taken, gone
                looks += 1
                if found.records or known != last or looks >= _QUIET_LOOKS:
                    cursor |= {(one.table, one.game): one.number + 1 for one in found.records}
                    last, looks = known, 0
                    self._follow(found)
                    self._report(found)
                self._store.wait(_WAIT_S)
            except Exception as error:  # noqa: BLE001 - no error here may leave the desk without news unawares
                if self._ended.is_set():
                    return
                if not self._lost:
                    self._lost = True
                    _LOG.info("the hall's store is lost: %s", trace(error))
                    self._report(StoreNews(lost=True))
                self._ended.wait(_AGAIN_S)

    def _carry_out(self) -> None:
        while asked := self._wishes.get():
            wish, at_s = asked
            try:
                done = self._done(wish, at_s)
            except Exception as error:  # noqa: BLE001 - what is wished next is to be carried out all the same
                _LOG.info("not carried out: %s", trace(error))
                self._report(StoreNews(lost=self._lost, unsent=wish))
            else:
                if done:
                    self._report(done)
            self._finished += 1

    def _done(self, wish: Wish, at_s: float) -> Proposal | Taken | None:
        """Carry out what was wished, again and again while the store is lost: it may have been done unheard.

        Once more at once, as a connection that is lost is made anew by that; then it is told.
        """
        key = secrets.token_hex(16)
        for tried in itertools.count(1):
            ago_ms = round(1000 * (self._clock() - at_s))
            try:
                return fulfil(self._store, self._by, wish, key=key, ago_ms=ago_ms)
            except NotKeptError:
                raise
            except (HallLostError, KeyRefusedError) as error:
                _LOG.info("not carried out yet: %s", trace(error))
                if tried == _TRIES_UNTOLD:
                    self._report(StoreNews(lost=self._lost, late=wish))
                if tried >= _TRIES_UNTOLD and self._ended.wait(_AGAIN_S):
                    break
        return None
