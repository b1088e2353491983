# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+C while something happens in a game: it has happened then, wholly, and what comes of it is told."""

import signal
import threading

import pytest
from support.played_devices import Table

from acessivel.app.activity import Tell, TypedText
from acessivel.app.game import GameActivity
from acessivel.app.interruption import deferred
from acessivel.app.venue import AtComputer
from acessivel.devices.devices import Devices
from acessivel.devices.microphone import MicrophoneGate
from acessivel.game.game import Setup
from acessivel.storage.journal import Journal

MATE = ("f3", "yes", "e5", "yes", "g4", "yes", "Qh4")


def interrupts(*_):
    signal.raise_signal(signal.SIGINT)


class Recording:
    """A recorder, as of --tape, that is being written when Ctrl+C is pressed, or fails."""

    happened = staticmethod(interrupts)

    def close(self):
        pass


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path)


@pytest.fixture
def announced(journal):
    """A game that the next yes ends by mate."""
    stored = journal.begin(Setup.of(language="en", opponent="human", clock="5"), "2026-01-01T00:00:00")
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))
    for line in MATE:
        table.activity.handle(TypedText(line), 1000)
    return table.activity


def left(game):
    """What is told at the end, by its keys."""
    told = (output for output in game.leave(2000) if isinstance(output, Tell))
    return [message.key for output in told for message in output.messages]


def kept(journal):
    result = journal.load(1).state.game.result
    return result and result.score


@pytest.mark.parametrize("during", ["commit", "tape", "effects"])
def test_a_move_during_which_it_is_pressed_is_played_and_its_result_kept_and_told(
    announced, journal, monkeypatch, during
):
    if during == "commit":  # it takes effect as soon as the data is on the disk
        there = journal._at_the_path
        monkeypatch.setattr(journal, "_at_the_path", lambda: (interrupts(), there())[1])
    elif during == "tape":
        announced._devices.recorder = Recording()
    else:
        monkeypatch.setattr(announced, "_leave_talk", interrupts)
    with pytest.raises(KeyboardInterrupt):
        announced.handle(TypedText("yes"), 1000)
    monkeypatch.undo()
    announced._devices.recorder = None
    told = left(announced)
    assert "over" in told
    assert "played_elsewhere" not in told
    assert kept(journal) == "0-1"


def test_what_stands_in_the_journal_has_happened_though_the_tape_fails(announced, journal, monkeypatch):
    def fails(*_):
        raise ValueError

    announced._devices.recorder = Recording()
    monkeypatch.setattr(Recording, "happened", fails)
    with pytest.raises(ValueError):  # noqa: PT011  # an error of the program
        announced.handle(TypedText("yes"), 1000)
    left(announced)
    assert announced.state.game.result
    assert kept(journal) == "0-1"


def test_it_is_told_how_to_go_on_with_a_game_that_has_just_begun(journal, monkeypatch):
    stored = journal.begin(Setup.of(language="en", opponent="human"), "2026-01-01T00:00:00")
    begin = journal.append
    monkeypatch.setattr(journal, "append", lambda *how: (begin(*how), interrupts())[0])
    devices = Devices(print, None, None, microphone=MicrophoneGate(None))
    game = GameActivity(stored, journal, devices, print, AtComputer("resume {}".format))
    with pytest.raises(KeyboardInterrupt):
        game.start(0)
    assert "kept" in left(game)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_for_the_end_and_the_next_one_for_nothing(sign):
    was = signal.signal(sign, signal.default_int_handler)
    reached = []
    try:
        with pytest.raises(KeyboardInterrupt), deferred():  # noqa: PT012  # it comes at its end
            with deferred():
                signal.raise_signal(sign)
            reached.append("end")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(sign)
    finally:
        signal.signal(sign, was)
    assert reached == ["end"]


def test_a_signal_is_not_lost_when_what_it_has_interrupted_fails():
    with pytest.raises(KeyboardInterrupt), deferred():  # noqa: PT012  # it comes at its end
        signal.raise_signal(signal.SIGINT)
        raise ValueError


def test_a_thread_which_gets_no_signals_is_left_alone():
    done = []

    def work():
        with deferred():
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [signal.default_int_handler]
