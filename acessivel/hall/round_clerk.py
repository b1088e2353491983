# SPDX-License-Identifier: GPL-3.0-or-later
"""A round's keeper at work beside the desk, in a thread that may wait for files; its broadcast in another."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from acessivel.errors import UserError, cannot_write, trace
from acessivel.hall import live_pgn
from acessivel.hall.board import HallRecord
from acessivel.hall.desk import DeskNews
from acessivel.hall.round_keeper import RoundKeeper
from acessivel.hall.tournament_round import Seats, next_pairings, results, seats
from acessivel.message import Message, Messages
from acessivel.storage.tournament_file import bad_line
from acessivel.tournaments.tournament import Tournament, TrfError

if TYPE_CHECKING:
    from acessivel.hall.broadcast import Broadcast  # its package may be missing

_LOG = logging.getLogger(__name__)
_LOOK_S = 1.0  # between two looks at what is delayed


@dataclass(frozen=True, slots=True)
class RoundNews:
    """What an arbiter should know of the round: sentences, and what each table can be told.

    `seats`: who plays at each; `next`: what its players have next, nothing until the next round is paired.
    `over`: all results of the round are in the file; `last`: it is the last one of the tournament. `coming`:
    the first round that is not paired, 0 once all are. `games`: the name of that which counts at each table;
    `results`: those that the file has, by their tables; `unbegun`: the tables at which none of it was begun.
    """

    number: int = 0
    told: Messages = ()
    over: bool = False
    last: bool = False
    coming: int = 0
    seats: Mapping[int, Seats] = field(default_factory=lambda: MappingProxyType({}))
    next: Mapping[int, Message] = field(default_factory=lambda: MappingProxyType({}))
    games: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    results: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    unbegun: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class BroadcastNews:
    """What an arbiter should know of the broadcast."""

    told: Messages


_Paired = Callable[[Tournament], tuple[Tournament, Messages]]


@dataclass(frozen=True, slots=True)
class _Pair:
    """That the next round is to be paired, and how."""

    paired: _Paired


class RoundClerk:
    """Reports `RoundNews` and `BroadcastNews` until it is closed; `informed` never waits."""

    def __init__(
        self,
        keeper: RoundKeeper,
        number: int,
        report: Callable[[RoundNews | BroadcastNews], None],
        broadcast: Broadcast | None = None,
    ) -> None:
        """`number`: that of the round; `broadcast`: where its live games are pushed to."""
        self._keeper, self._number, self._report = keeper, number, report
        self._news: queue.SimpleQueue[DeskNews | _Pair | None] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._run, name="hall round", daemon=True)]
        if broadcast:
            push = partial(self._push, broadcast)
            self._threads.append(threading.Thread(target=push, name="hall broadcast", daemon=True))
        for thread in self._threads:
            thread.start()

    def informed(self, news: DeskNews) -> None:
        """Take what is new in the hall."""
        self._news.put(news)

    def pair(self, paired: _Paired) -> None:
        """Have the next round paired as of `RoundKeeper.pair`; what comes of it is reported."""
        self._news.put(_Pair(paired))

    def live(self, if_none_match: str) -> tuple[int, Mapping[str, str], bytes]:
        """What is answered to who asks for the live games, as of `live_pgn.answered`."""
        return live_pgn.answered(self._keeper.live_text, if_none_match)

    def close(self) -> None:
        """Let everything that is new be kept and pushed, and end."""
        self._news.put(None)
        for thread in self._threads:
            thread.join(5 * _LOOK_S)
            self._ended.set()

    def _push(self, broadcast: Broadcast) -> None:
        """Push the live games as they change, and once more at the end."""
        ended = False
        while not ended:
            ended = self._ended.wait(max(_LOOK_S, broadcast.pause_s))
            try:
                told = broadcast.push(self._keeper.live_text) if self._keeper.live_text else ()
            except Exception as error:  # noqa: BLE001 - the desk and the next push go on
                _LOG.error("unexpected %s", trace(error))
                continue
            if told:
                self._report(BroadcastNews(told))
        broadcast.close()

    def _run(self) -> None:
        last, now_ms, heard = RoundNews(), 0, time.monotonic()
        while True:
            records: tuple[HallRecord, ...] = ()
            done: Messages = ()
            try:
                match self._news.get(timeout=_LOOK_S):
                    case None:
                        return
                    case _Pair(paired):
                        done = self._pair(paired)
                    case DeskNews() as news:
                        records, now_ms, heard = news.records, news.now_ms, time.monotonic()
            except queue.Empty:
                pass
            if not (now_ms or done):
                continue
            try:
                told = self._keeper.follow(records, now_ms + round(1000 * (time.monotonic() - heard)))
                found = self._found((*done, *told))
            except Exception as error:  # noqa: BLE001 - the desk and the next look go on
                _LOG.error("unexpected %s", trace(error))
                continue
            if found.told or found != last:
                last = replace(found, told=())
                self._report(found)

    def _pair(self, paired: _Paired) -> Messages:
        """What there is to be told of a round that was to be paired."""
        try:
            return self._keeper.pair(paired)
        except UserError as error:
            return (error.message,)
        except TrfError as error:
            return (bad_line(self._keeper.stored.path, error).message,)
        except OSError as error:
            return (cannot_write(error, Path(error.filename or self._keeper.stored.path)).message,)
        except Exception as error:  # noqa: BLE001 - results are to be written all the same
            _LOG.error("unexpected %s", trace(error))
            return (Message.of("round_pairing_error"),)

    def _found(self, told: Messages) -> RoundNews:
        event = self._keeper.stored.event
        here = seats(event, self._number)
        paired = event.paired_rounds > self._number
        following = next_pairings(event, self._number) if paired else {}
        planned, all_paired = event.planned, 0 < event.planned <= event.paired_rounds
        return RoundNews(
            self._number,
            told,
            event.rounds >= self._number,
            0 < planned <= self._number,
            0 if all_paired else event.paired_rounds + 1,
            MappingProxyType(dict(here)),
            MappingProxyType(dict(following)),
            MappingProxyType(dict(self._keeper.games)),
            MappingProxyType(dict(results(event, self._number))),
            self._keeper.unbegun,
        )
