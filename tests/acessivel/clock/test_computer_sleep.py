# SPDX-License-Identifier: GPL-3.0-or-later
"""The clocks stand still while the computer sleeps; that is told where one was running, not at a server."""

import time
from dataclasses import replace

import pytest
from support.played_devices import Table

from acessivel.app.activity import TimePassed
from acessivel.app.game import GameActivity
from acessivel.clock.computer_sleep import LEAST_S, asleep_s
from acessivel.devices.keyboard import TypedLine
from acessivel.game.game import Setup
from acessivel.storage.journal import Journal

STOOD = "The clocks stood still meanwhile."


@pytest.fixture
def game(tmp_path):
    def make(clock):
        journal = Journal(tmp_path)
        stored = journal.begin(Setup.of(language="en", opponent="human", clock=clock), "2026-01-01T00:00:00")
        table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))
        table.happen(TypedLine("e4"))
        table.happen(TypedLine("yes"))
        table.spoken()
        return table

    return make


@pytest.fixture
def sleeps(monkeypatch):
    """Let the computer sleep for so many seconds."""

    def sleep(seconds):
        awake = asleep_s()
        monkeypatch.setattr("acessivel.app.game_time.asleep_s", lambda: awake + seconds)

    return sleep


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(8, "8 seconds"), (1799.99, "30 minutes"), (1830, "30 minutes"), (8 * 3600 + 5, "8 hours")],
)
def test_it_is_told_once_before_what_is_told_then(game, sleeps, seconds, told):
    table = game("25")
    sleeps(seconds)
    assert table.happen(TypedLine("e5")) == [
        f"The computer slept for {told}.",
        STOOD,
        "Bauer Eva sieben Eva fünf?",
    ]
    assert STOOD not in table.happen(TypedLine("yes"))


def test_it_is_told_by_itself_with_what_is_asked(game, sleeps):
    table = game("25")
    table.happen(TypedLine("e5"))
    sleeps(60)
    table.loop._channels.do(table.activity.handle(TimePassed(quiet=False), 5000))
    assert table.lines[-3:] == ["The computer slept for 1 minute.", STOOD, "Bauer Eva sieben Eva fünf?"]


def test_it_is_not_told_where_no_clock_runs(game, sleeps):
    table = game("none")
    sleeps(1800)
    assert STOOD not in table.happen(TypedLine("e5"))


def test_what_is_shorter_is_no_sleep(game, sleeps):
    table = game("25")
    sleeps(LEAST_S - 1)
    assert STOOD not in table.happen(TypedLine("e5"))


def test_the_clocks_of_a_server_have_gone_on(game, sleeps):
    table = game("25")
    state = table.activity.state
    table.activity.state = replace(state, setup=replace(state.setup, opponent="online"))
    sleeps(1800)
    assert STOOD not in table.happen(TypedLine("clock"))


@pytest.mark.parametrize("counted", [True, False])
def test_the_system_counts_it_or_the_time_of_day_tells(monkeypatch, counted):
    slept_s = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(time, "time", lambda: 5000.0 + (0 if counted else slept_s))
    if counted:
        monkeypatch.setattr(time, "CLOCK_BOOTTIME", 7, raising=False)
        monkeypatch.setattr(time, "clock_gettime", lambda _: 100.0 + slept_s, raising=False)
    else:
        monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    before = asleep_s()
    slept_s = 1800.0
    assert asleep_s() - before == 1800
