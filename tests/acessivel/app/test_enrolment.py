# SPDX-License-Identifier: GPL-3.0-or-later
"""An enrolment: what cannot be stored, and the answer to whether the recordings may be kept."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.played_devices import Table

from acessivel.app import enrolment, patience
from acessivel.app.activity import Reported, SpeechOver, Tell, TimePassed
from acessivel.app.enrolment import EnrolmentActivity
from acessivel.commands import enrol
from acessivel.devices.keyboard import TypedLine
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import Settings
from braille.displays import NamedKey, Pressed
from voices.hearing.utterances import SourceFailed, Utterance
from voices.recognisers import Hypothesis
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser


def test_what_cannot_be_stored_is_told_and_ends_it_with_an_error(monkeypatch):
    reason = Message.of("enrol_not_kept", folder="there")

    def keep():
        raise UserError(reason)

    reports = queue.SimpleQueue()
    monkeypatch.setattr(enrolment, "prompts", lambda *_: ())  # nothing has to be said
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    activity = EnrolmentActivity(Settings(language="en"), SimpleNamespace(), reports.put, lambda *_: keep)
    activity.start(0)
    activity.handle(SpeechOver(heard=True), 0)  # the welcome; then the room is measured
    activity._go_on(-60.0, 0)
    while activity.wakes_in_ms(0, quiet=True) is None:
        assert activity.handle(SpeechOver(heard=True), 0) is not None
    assert activity.handle(Reported(reports.get(timeout=20)), 0) == ()
    assert activity.over
    assert activity.status == 1
    assert activity.leave(0) == (Tell((reason, Message.of("enrol_left"))),)


def heard(words):
    """What all ears have heard alike."""
    names = ("pocketsphinx", "network")
    return tuple(Hypothesis(words, each, 0.0, name) for name in names for each in ("all", "expected"))


def measured(table):
    """The welcome is over, and the room is measured."""
    table.spoken()
    table.loop._channels.do(table.activity._go_on(-60.0, 0))
    table.settle()
    table.spoken()


@pytest.fixture
def asked(monkeypatch):
    """An enrolment that asks whether the recordings may be kept, and what its end is told of that."""
    monkeypatch.setattr(enrolment, "prompts", lambda *_: ())
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    kept = []

    def finish(_level, _recordings, agreed):
        kept.append(agreed)
        return lambda: (Message.of("enrol_done", play="play"),)

    def make(loop):
        keeps = enrol._keeping(Path("there"), "ask")
        return EnrolmentActivity(Settings(language="en"), loop.devices, loop.report, finish, keeps=keeps)

    table = Table(make)
    measured(table)
    return table, kept


def finished(table):
    while not table.activity.over:
        if table.speaks:
            table.spoken()
        else:  # it compares
            table.loop.take(table.reports.get(timeout=20))


@pytest.mark.parametrize(("words", "agreed"), [("yes", True), ("no", False)])
def test_an_answer_to_whether_recordings_are_kept_is_heard_by_all_ears_as_in_a_game(asked, words, agreed):
    table, kept = asked
    assert isinstance(table.ear.recogniser, JoinedRecogniser)
    assert "kurze rochade" in table.activity.expectation()[0]
    table.happen(Utterance(heard(words), 0.0, table.ear.turn))
    assert table.activity.status == 0
    finished(table)
    assert isinstance(table.ear.recogniser, PocketsphinxRecogniser)
    assert kept == [agreed]


def test_a_spoken_stop_leaves_the_enrolment(asked):
    table, kept = asked
    table.happen(Utterance(heard("stop"), 0.0, table.ear.turn))
    assert (table.activity.over, table.activity.status, kept) == (True, 0, [])


def test_a_key_that_stops_the_voice_after_the_answer_changes_nothing(asked):
    table, kept = asked
    table.happen(Pressed(NamedKey.ESCAPE))
    table.happen(Pressed(NamedKey.ENTER))
    finished(table)
    assert kept == [False]


@pytest.fixture
def comparing(monkeypatch):
    """An enrolment that compares until the test lets it go on; and what is stored."""
    monkeypatch.setattr(enrolment, "prompts", lambda *_: ())
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    goes_on, stored = threading.Event(), []

    def finish(*_):
        assert goes_on.wait(20)
        return lambda: stored.append(1) or (Message.of("enrol_done", play="play"),)

    def make(loop):
        return EnrolmentActivity(Settings(language="en"), loop.devices, loop.report, finish)

    table = Table(make)
    measured(table)
    while table.speaks:
        table.spoken()
    yield table, goes_on, stored
    goes_on.set()


def test_while_it_compares_it_says_so_again_and_takes_keys(comparing):
    table, goes_on, stored = comparing
    (line,) = table.activity.handle(TimePassed(quiet=True), 10_000_000)
    assert line == Tell((patience.WORKING,))
    assert table.happen(Pressed(NamedKey.ESCAPE)) == []
    goes_on.set()
    finished(table)
    assert stored == [1]
    assert "To play with it: play" in table.lines[-1]


def test_who_leaves_while_it_compares_keeps_nothing(comparing):
    table, _, stored = comparing
    table.happen(TypedLine("stop"))
    assert (table.activity.over, table.activity.status, stored) == (True, 0, [])


def test_a_comparison_that_fails_ends_it(comparing):
    table, goes_on, stored = comparing
    table.loop.take(enrolment._Compared(ValueError()))
    assert "went wrong" in table.lines[-1]
    table.spoken()
    assert (table.activity.over, table.activity.status, stored) == (True, 1, [])
    goes_on.set()


def test_without_its_microphone_it_ends_at_once_and_only_that_is_told(monkeypatch):
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    table = Table(lambda loop: EnrolmentActivity(Settings(language="en"), loop.devices, loop.report, print))
    measured(table)
    assert "Say: Springer Anna eins" in table.lines
    assert table.happen(SourceFailed("unplugged")) == [
        "The microphone is gone, so the enrolment cannot go on."
    ]
    table.spoken()
    assert (table.activity.over, table.activity.status) == (True, 1)
    assert table.activity.leave(0) == (Tell((Message.of("enrol_left"),)),)


def test_when_all_is_said_it_needs_no_microphone(comparing):
    table, goes_on, stored = comparing
    assert table.happen(SourceFailed("unplugged")) == []
    goes_on.set()
    finished(table)
    assert (table.activity.status, stored) == (0, [1])


@pytest.mark.parametrize("spoken", [False, True])
def test_what_is_typed_at_a_prompt_tells_it_again_and_how_to_leave(monkeypatch, spoken):
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    table = Table(lambda loop: EnrolmentActivity(Settings(language="en"), loop.devices, loop.report, print))
    measured(table)
    if spoken:
        table.spoken()
    prompt, leave = "Say: Springer Anna eins", "To leave, type stop."
    assert table.happen(TypedLine("repeat")) == [prompt]
    for typed in ("help", "yes", "e4"):
        assert table.happen(TypedLine(typed)) == [prompt, leave]
    table.spoken()
    assert table.activity.listens
    table.activity.handle(SpeechOver(heard=True), 5_000)
    assert table.activity.wakes_in_ms(5_000, quiet=True) == 12_000  # as long as after the prompt itself
