# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk at its store: news come, wishes are carried out, and a store that is lost is told once and found again."""

import queue

import pytest
from support.desks import HallRoom

from acessivel.hall.desk import DeskNews, Propose, Release, Take
from acessivel.hall.desk_link import DeskLink, StoreNews
from acessivel.hall.store import ArbiterDecision, HallLostError, Proposal, Taken

SECONDS = 20


class Reports(queue.SimpleQueue):
    def next(self, kind):
        """The next report of a kind, which is awaited."""
        while not isinstance(found := self.get(timeout=SECONDS), kind):
            pass
        return found

    def numbers(self):
        """The numbers of the next new entries."""
        while not (records := self.next(DeskNews).records):
            pass
        return [record.number for record in records]


@pytest.fixture
def room(tmp_path):
    found = HallRoom(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def linked(room, monkeypatch):
    monkeypatch.setattr("acessivel.hall.desk_link._AGAIN_S", 0.01)
    link, reports = DeskLink(room.store, "Eva"), Reports()
    link.start(reports.put)
    yield link, reports
    link.close()


def test_each_entry_comes_once_and_what_is_wished_is_done(room, linked):
    link, reports = linked
    assert reports.next(DeskNews).records == ()
    game = room.table(1)
    assert reports.numbers() == list(range(len(game.records)))
    before = len(game.records)
    game.say("e4", "yes")
    room.push()
    assert reports.numbers() == list(range(before, len(game.records)))
    link.wish(Take("a case"))
    taken = reports.next(Taken)
    assert (taken.item, taken.by) == ("a case", "Eva")
    decision = ArbiterDecision("stop")
    link.wish(Propose(1, game.game, decision))
    assert reports.next(Proposal).decision == decision
    room.push()
    assert game.state.clocks.stopped
    link.wish(Release("a case"))
    while any(one.item == "a case" for one in reports.next(DeskNews).taken):
        pass


@pytest.mark.parametrize("error", [HallLostError, ZeroDivisionError])
def test_a_store_that_is_lost_is_told_once_and_so_is_that_it_is_back(room, linked, monkeypatch, error):
    link, reports = linked
    reports.next(DeskNews)

    def lost(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(room.store, "since", lost)
        patch.setattr(room.store, "take", lost)
        assert reports.next(StoreNews) == StoreNews(lost=True)
        link.wish(Take("a case"))
        assert reports.next(StoreNews) == StoreNews(lost=True, unsent=Take("a case"))
    room.now_ms += 60_000
    assert reports.next(StoreNews) == StoreNews(lost=False)
    assert reports.next(DeskNews).since_ms == room.now_ms
