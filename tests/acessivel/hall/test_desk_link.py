# SPDX-License-Identifier: GPL-3.0-or-later
"""A desk at its store: news come, wishes are carried out, and a store that is lost is told once and found again."""

import queue
import threading

import pytest
from support.desks import HallRoom

from acessivel.clock import computer_sleep
from acessivel.hall.desk import DeskNews, Propose, Release, Take
from acessivel.hall.desk_link import DeskLink, StoreNews
from acessivel.hall.store import ArbiterDecision, HallLostError, NotKeptError, Proposal, Taken

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
    link.wish(Release("a case", "Eva"))
    while any(one.item == "a case" for one in reports.next(DeskNews).taken):
        pass


@pytest.mark.parametrize("error", [HallLostError, ZeroDivisionError])
def test_a_store_that_is_lost_is_told_once_and_so_is_that_it_is_back(room, linked, monkeypatch, error):
    _, reports = linked
    reports.next(DeskNews)

    def lost(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(room.store, "since", lost)
        assert reports.next(StoreNews) == StoreNews(lost=True)
    room.now_ms += 60_000
    assert reports.next(StoreNews) == StoreNews(lost=False)
    assert reports.next(DeskNews).since_ms == room.now_ms


MORE_TIME = ArbiterDecision("time", (1, 1, 2, 0))


def test_a_decision_whose_answer_was_lost_is_given_once_and_never_told_as_not_sent(room, linked, monkeypatch):
    link, reports = linked
    game = room.table(1)
    propose, answers = room.store.propose, iter((HallLostError, HallLostError, None))

    def cut_off(*values, **more):
        number = propose(*values, **more)
        if error := next(answers):
            raise error
        return number

    monkeypatch.setattr(room.store, "propose", cut_off)
    before = game.state.game.clock.left("white", 0)
    link.wish(wish := Propose(1, game.game, MORE_TIME))
    link.wish(Take("a case"))
    told = []
    while not told or not isinstance(told[-1], Taken):
        if not isinstance(found := reports.get(timeout=SECONDS), DeskNews):
            told.append(found)
    assert [type(one) for one in told] == [StoreNews, Proposal, Taken]
    assert (told[0].unsent, told[0].late) == (None, wish)
    room.push()
    assert game.state.game.clock.left("white", 0) == before + 120_000


def test_a_decision_that_waited_while_the_computer_slept_is_as_old_as_it_is(room, linked, monkeypatch):
    link, reports = linked
    game, asleep = room.table(1), computer_sleep.asleep_s()
    propose, ago = room.store.propose, []

    def sleeps_once(proposal, **more):
        ago.append(proposal.ago_ms)
        if len(ago) == 1:
            monkeypatch.setattr(computer_sleep, "asleep_s", lambda: asleep + 3600)
            raise HallLostError
        return propose(proposal, **more)

    monkeypatch.setattr(room.store, "propose", sleeps_once)
    link.wish(Propose(1, game.game, MORE_TIME))
    reports.next(Proposal)
    assert ago[0] < 3_600_000 <= ago[1]


def test_as_long_as_a_wish_is_not_carried_out_something_is_unsent(room, linked, monkeypatch):
    link, reports = linked
    assert not link.unsent
    tried, there = threading.Event(), threading.Event()
    take = room.store.take

    def late(*values):
        tried.set()
        if not there.is_set():
            raise HallLostError
        return take(*values)

    monkeypatch.setattr(room.store, "take", late)
    link.wish(Take("a case"))
    assert tried.wait(SECONDS)
    assert link.unsent
    there.set()
    reports.next(Taken)
    link.wish(Take("another"))
    reports.next(Taken)
    link.close()
    assert not link.unsent


def test_the_same_decision_that_was_taken_twice_is_two(room, linked):
    link, reports = linked
    game = room.table(1)
    for _ in range(2):
        link.wish(Propose(1, game.game, MORE_TIME))
    first, second = reports.next(Proposal), reports.next(Proposal)
    assert first.id < second.id


@pytest.mark.parametrize("error", [NotKeptError, ZeroDivisionError])
def test_what_the_store_does_not_take_is_told_and_the_next_is_done(room, linked, monkeypatch, error):
    link, reports = linked

    def refused(*_, **__):
        raise error

    monkeypatch.setattr(room.store, "propose", refused)
    link.wish(wish := Propose(1, "a", MORE_TIME))
    link.wish(Take("a case"))
    assert reports.next(StoreNews) == StoreNews(lost=False, unsent=wish)
    assert reports.next(Taken).item == "a case"
