# SPDX-License-Identifier: GPL-3.0-or-later
"""An enrolment: what cannot be stored, and the answer to whether the recordings may be kept."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from support.played_devices import Table

from acessivel.app import enrolment
from acessivel.app.activity import SpokenToEnd, Tell
from acessivel.app.enrolment import EnrolmentActivity
from acessivel.commands import enrol
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import Settings
from braille.displays import NamedKey, Pressed
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser


def test_what_cannot_be_stored_is_told_and_ends_it_with_an_error(monkeypatch):
    reason = Message.of("enrol_not_kept", folder="there")

    def finish(*_):
        raise UserError(reason)

    monkeypatch.setattr(enrolment, "prompts", lambda *_: ())  # nothing has to be said
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    activity = EnrolmentActivity(Settings(language="en"), SimpleNamespace(), lambda _: None, finish)
    activity.start(0)
    activity.handle(SpokenToEnd(), 0)  # the welcome; then the room is measured
    activity._go_on(-60.0, 0)
    while not activity.over:
        assert activity.handle(SpokenToEnd(), 0) is not None
    assert activity.status == 1
    assert activity.leave(0) == (Tell((reason, Message.of("enrol_left"))),)


def heard(words):
    """What all ears have heard alike."""
    names = ("pocketsphinx", "network")
    return tuple(Hypothesis(words, each, 0.0, name) for name in names for each in ("all", "expected"))


@pytest.fixture
def asked(monkeypatch):
    """An enrolment that asks whether the recordings may be kept, and what its end is told of that."""
    monkeypatch.setattr(enrolment, "prompts", lambda *_: ())
    monkeypatch.setattr(EnrolmentActivity, "_measure", lambda _: None)
    kept = []

    def finish(_level, _recordings, agreed):
        kept.append(agreed)
        return (Message.of("enrol_done", name="ana"),)

    def make(loop):
        keeps = enrol._keeping(Path("there"))
        return EnrolmentActivity(Settings(language="en"), loop.devices, loop.report, finish, keeps=keeps)

    table = Table(make)
    table.spoken()
    table.loop._channels.do(table.activity._go_on(-60.0, 0))  # the room is measured
    table.settle()
    table.spoken()
    return table, kept


def finished(table):
    while not table.activity.over:
        table.spoken()


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
