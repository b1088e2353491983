# SPDX-License-Identifier: GPL-3.0-or-later
"""A table in a hall, in the real loop: what arbiters decide is told there, and that the hall is lost is not."""

import threading
import time
from dataclasses import replace

import pytest
from support.played_devices import Table

from acessivel.app.game import GameActivity
from acessivel.app.venue import InHall
from acessivel.devices.keyboard import TypedLine
from acessivel.game.game import Setup
from acessivel.hall import outbox as outboxes
from acessivel.hall.board import Hall
from acessivel.hall.outbox import Outbox
from acessivel.hall.sqlite import SqliteHall
from acessivel.hall.store import ArbiterDecision, Proposal
from acessivel.session import events as ev
from acessivel.session.state import HallState
from acessivel.storage.journal import Journal

PATIENCE_S = 30
SETUP = Setup.of(opponent="human", clock="90+30", language="en")


class TableInHall:
    """A table of which a hall is told, and the hall."""

    def __init__(self, folder):
        self.hall = SqliteHall(folder / "hall")
        self.journal = Journal(folder / "games")
        self.key = self.hall.make_key(12)
        stored = self.journal.begin(SETUP, "2026-01-01T00:00:00")
        number = stored.id
        self.reported = threading.Event()

        def make(loop):
            store = self.hall.table(12, self.key)
            self.outbox = Outbox(store, self.journal.name(number), self.journal.history(number))
            game = GameActivity(stored, self.journal, loop.devices, loop.report, InHall(self.outbox))

            def report(event):
                loop.report_to(game, event)
                self.reported.set()

            self.outbox.start(report)
            return game

        self.table = Table(make)
        self.table.spoken()

    def type(self, *words):
        return [line for word in words for line in self.table.happen(TypedLine(word))]

    def decide(self, what, *given):
        """What is written at the table about a decision from the desk."""
        game = self.known(lambda game: len(game.moves) == len(self.table.activity.state.game.played))
        self.reported.clear()
        before = len(self.table.lines)
        self.hall.propose(Proposal(0, 12, game.game, "Eva", ArbiterDecision(what, given)))
        assert self.reported.wait(PATIENCE_S)
        self.table.settle()
        return self.table.lines[before:]

    def known(self, wanted):
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            game = Hall().with_records(self.hall.since({})).tables.get(12)
            if game and wanted(game):
                return game
            self.hall.wait(1)
        raise AssertionError(game)

    def close(self):
        self.outbox.leave()
        self.journal.close()
        self.hall.close()


@pytest.fixture
def room(tmp_path):
    made = TableInHall(tmp_path)
    yield made
    made.close()


def test_a_decision_is_written_spoken_and_felt_with_who_has_made_it(room):
    lines = room.decide("warn", 1)
    assert lines == ["From the arbiters' desk, Eva.", "White is warned by the arbiter."]
    assert room.table.voice.said[-1] == "From the arbiters' desk, Eva. White is warned by the arbiter. "
    assert [one.by for one in room.known(lambda game: game.answered).answered] == ["Eva"]


def test_a_move_that_was_announced_is_neither_played_nor_lost_by_a_decision(room):
    room.type("e4")
    assert room.decide("time", 1, 1, 5, 0)[-1] == "Bauer Eva zwei Eva vier?"
    room.type("yes")
    assert [move.san for move in room.known(lambda game: game.moves).moves] == ["e4"]


def test_a_call_is_answered_at_the_table(room):
    assert "The arbiter has been called." in room.type("arbiter", "no")
    room.known(lambda game: game.called)
    assert room.decide("coming") == ["Eva, the arbiter, is coming."]
    room.known(lambda game: not game.called)


def test_what_a_decision_interrupts_is_said_before_it(room):
    room.table.activity.state = replace(room.table.activity.state, hall=HallState(joined=True, called=True))
    room.type("e4", "yes")
    room.decide("coming")
    move, _, coming = room.table.voice.said[-1].partition("Eva, the arbiter, is coming.")
    assert "Bauer Eva zwei Eva vier." in move
    assert coming.strip() == ""


def test_that_the_hall_is_lost_is_not_heard_at_the_table(room, monkeypatch):
    monkeypatch.setattr(outboxes, "_PATIENCE_S", 0)
    room.known(lambda game: game.opened)
    said, lines = list(room.table.voice.said), list(room.table.lines)
    room.reported.clear()
    room.hall.revoke_key(12)
    room.outbox._store.wake()
    assert room.reported.wait(PATIENCE_S)
    room.table.settle()
    assert room.table.activity.state.hall.lost
    assert (room.table.voice.said, room.table.lines) == (said, lines)
    assert any("The hall is not reached" in line for line in room.type("arbiter", "yes"))


def test_a_decision_for_a_game_that_is_over_does_not_reach_the_next(room):
    other = object()
    before = room.table.activity.state
    room.table.loop.report_to(other, ev.Proposed(id=1, by="Eva", what="warn", given=(1,)))
    room.table.settle()
    assert room.table.activity.state == before
