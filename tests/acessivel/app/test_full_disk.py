# SPDX-License-Identifier: GPL-3.0-or-later
"""While nothing can be kept, nothing is played: questions are answered, and the player can leave."""

from dataclasses import replace

import pytest
from support.played_devices import Table

from acessivel.app.activity import DeviceChanged, Reported, Tell, TellLater, TimePassed, TypedText
from acessivel.app.game import GameActivity
from acessivel.app.venue import AtComputer
from acessivel.devices.keyboard import TypedLine
from acessivel.dialogue.questions import NOTHING, Confirm
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.session.events import EngineFailed
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError

REFUSED = "The game could not be kept: there is no room left on the disk. Nothing was played; put that right, and go on."
SURE = "Do you want to stop? The game is kept."
E4 = "Bauer Eva zwei Eva vier?"


class Disk:
    """A game between two persons whose disk can be full."""

    def __init__(self, folder, monkeypatch, **setup):
        self._patch, self.journal = monkeypatch, Journal(folder)
        setup = Setup.of(language="en", opponent="human", **setup)
        stored = self.journal.begin(setup, "2026-01-01T00:00:00")
        self._table = Table(
            lambda loop: GameActivity(
                stored, self.journal, loop.devices, loop.report, AtComputer("acessivel resume {}".format)
            )
        )
        self.game, self._append = self._table.activity, self.journal.append

    def full(self):
        def is_full(*_):
            raise JournalError(Message.of("reason_full"))

        self._patch.setattr(self.journal, "append", is_full)

    def has_room(self):
        self._patch.setattr(self.journal, "append", self._append)

    def type(self, line):
        return self._table.happen(TypedLine(line))

    def told(self, input_, now_ms):
        """What is told of an input at this time of the loop, by its keys."""
        keys = []
        for output in self.game.handle(input_, now_ms):
            match output:
                case Tell(messages):
                    keys += [message.key for message in messages]
                case TellLater(message):
                    keys.append(message.key)
        return keys

    def left_ms(self, colour, now_ms):
        return self.game.state.game.clock.left(colour, self.game.on_clock(now_ms))

    @property
    def replayed(self):
        return self.journal.load(1).state


@pytest.fixture
def disk(tmp_path, monkeypatch):
    return Disk(tmp_path, monkeypatch)


def test_questions_are_answered_and_what_is_wrong_is_told_once(disk):
    disk.full()
    assert disk.type("last move") == [REFUSED, "No move has been made yet."]
    assert disk.type("what is on e2") == ["Eva zwei: pawn, White."]


def test_what_follows_of_a_long_answer_is_told(disk):
    disk.full()
    first = disk.type("help")
    assert disk.type("more") not in ([], first)


def test_nothing_is_played_or_asked_by_what_is_not_kept(disk):
    disk.full()
    assert disk.type("e4") == [REFUSED]
    assert disk.game.state.asking == NOTHING
    disk.has_room()
    assert disk.type("e4") == ["The game can be kept again.", E4]
    disk.full()
    assert disk.type("yes") == [REFUSED, E4]
    assert isinstance(disk.game.state.asking, Confirm)
    assert disk.type("last move")[-1] == E4


@pytest.mark.parametrize("full", [True, False])
def test_a_yes_to_the_question_whether_to_stop_leaves_and_plays_no_move(disk, full):
    disk.type("e4")
    disk.full()
    assert disk.type("stop") == [REFUSED, SURE]
    if not full:
        disk.has_room()
    disk.type("yes")
    assert disk.game.over
    assert disk.game.leave(0)[-1].messages[0].key == "kept"
    assert disk.game.state.game.played == disk.replayed.game.played == ()


def test_who_leaves_otherwise_while_that_is_asked_has_the_game_kept(disk):
    disk.type("e4")
    disk.full()
    disk.type("stop")
    disk.has_room()
    entries = disk.game._entries
    disk.game.handle(DeviceChanged("braille_lost"), 0)
    assert disk.game.leave(0)[-1].messages[0].key == "kept"
    assert disk.game._entries > entries
    assert isinstance(disk.replayed.asking, Confirm)


def test_a_no_to_it_goes_back_to_what_was_asked(disk):
    disk.type("e4")
    disk.full()
    disk.type("stop")
    assert disk.type("last move")[-1] == SURE
    assert disk.type("no") == ["We go on.", E4]
    disk.has_room()
    disk.type("yes")
    assert len(disk.replayed.game.played) == 1


def test_what_answers_it_not_is_held_against_what_was_asked_before(disk):
    disk.type("e4")
    disk.full()
    disk.type("stop")
    disk.has_room()
    assert disk.type("d4")[-1] == "Bauer David zwei David vier?"
    assert disk.replayed.asking == disk.game.state.asking


def test_the_question_that_is_open_again_is_told_with_what_cannot_be_kept(disk):
    disk.type("e4")
    disk.full()
    disk.type("stop")
    assert disk.type("d4") == [REFUSED, E4]


def test_a_press_that_cannot_be_kept_is_not_told_as_made(tmp_path, monkeypatch):
    disk = Disk(tmp_path, monkeypatch, clock="5", strict=True, supervised=False)
    disk.type("last move")
    disk.full()
    assert disk.type("press") == [REFUSED]
    assert disk.game.state.clocks.pressed is None


def test_what_happens_by_itself_waits_until_that_is_answered(disk):
    disk.full()
    disk.type("stop")
    disk.has_room()
    entries = disk.game._entries
    disk.game.handle(Reported(EngineFailed()), 0)
    assert disk.game._entries == entries
    disk.type("no")
    disk.game.handle(TimePassed(quiet=False), 0)
    assert disk.game._entries > entries


@pytest.fixture
def timed(tmp_path, monkeypatch):
    """White has moved, Black's minute runs, and his yes to e5 could not be kept."""
    disk = Disk(tmp_path, monkeypatch, clock="1")
    for line in ("e4", "yes", "e5"):
        disk.game.handle(TypedText(line), 1000)
    disk.full()
    assert disk.told(TypedText("yes"), 3000) == ["not_saved", "ask_move"]
    return disk


def test_the_clock_stands_while_nothing_can_be_kept_and_goes_on_from_there(timed):
    assert timed.told(TimePassed(quiet=False), 70_000) == []
    assert timed.left_ms("black", 70_000) == 60_000
    assert timed.game.wakes_in_ms(70_000, quiet=True) == 1000
    timed.has_room()
    assert timed.told(TimePassed(quiet=False), 71_000) == ["kept_again", "clocks_stood", "ask_move"]
    assert timed.left_ms("black", 71_500) == 59_500
    timed.told(TypedText("yes"), 72_000)
    assert timed.replayed.game.clock.black.main_ms == 59_000
    assert timed.game.state.game.result is None


def test_that_it_has_stood_is_told_before_what_the_player_does_then(timed):
    timed.has_room()
    assert timed.told(TypedText("yes"), 70_000)[:3] == ["kept_again", "clocks_stood", "played"]
    assert timed.left_ms("black", 70_000) == 60_000


def test_a_no_to_stopping_goes_back_to_what_was_asked_while_the_clock_stands(timed):
    assert timed.told(TypedText("stop"), 4000) == ["ask_stop"]
    assert timed.told(TimePassed(quiet=False), 5000) == []
    assert timed.told(TypedText("no"), 6000) == ["going_on", "ask_move"]


def test_a_flag_does_not_fall_in_time_that_is_not_kept(timed):
    assert timed.told(TypedText("clock"), 70_000) == ["time_left", "time_left", "ask_move"]
    timed.has_room()
    timed.told(TimePassed(quiet=False), 80_000)
    timed.told(TimePassed(quiet=False), 139_000)
    assert timed.game.state.game.result is None
    timed.told(TimePassed(quiet=False), 141_000)
    assert timed.game.state.game.result.reason == "flag"


def test_nothing_is_said_of_clocks_where_there_are_none(disk):
    disk.full()
    disk.told(TypedText("e4"), 1000)
    disk.has_room()
    assert disk.told(TimePassed(quiet=False), 2000) == ["kept_again"]


def test_the_time_of_a_server_goes_on(tmp_path, monkeypatch):
    disk = Disk(tmp_path, monkeypatch)
    disk.game.state = replace(disk.game.state, setup=replace(disk.game.state.setup, opponent="online"))
    disk.full()
    disk.told(TypedText("e4"), 1000)
    assert disk.game.on_clock(5000) == 5000
