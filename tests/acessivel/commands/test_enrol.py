# SPDX-License-Identifier: GPL-3.0-or-later
"""What is learnt of the speaker, or removed, while an enrolment fits; and devices that take long to open."""

import threading
from datetime import date
from types import SimpleNamespace

import numpy as np
import pytest

from acessivel.app import patience
from acessivel.app.speaker_fit import Fitted, Judged, Labelled
from acessivel.commands import enrol
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.hearing.learnt import Learnt
from voices.hearing.profile import Profile

SOUNDS = [(np.random.default_rng(seed).normal(size=8000) * 3000).astype("<i2").tobytes() for seed in range(3)]
EMPTY = Judged(0, 0, 0, (), ())
ANA = Profile("ana", date(2026, 1, 2), -50.0, 0.0, {})


@pytest.mark.parametrize(
    ("meanwhile", "known"),
    [
        ("nothing", ["before", "enrolled"]),
        ("learnt", ["before", "in a game", "enrolled"]),
        ("removed", ["enrolled"]),
    ],
)
def test_what_is_learnt_or_removed_meanwhile_stays_so(tmp_path, monkeypatch, meanwhile, known):
    settings = Settings(language="en", convention="letters", save=str(tmp_path), profile="ana")
    before, game, said = (
        Labelled(words, sound, (words,), judges=False)
        for words, sound in zip(("before", "in a game", "enrolled"), SOUNDS, strict=True)
    )

    def told(learnt, *recordings):
        for one in recordings:
            learnt = learnt.with_recording(one.words, "en", "letters", one.audio)
        return learnt

    profiles.store_learnt(settings, "ana", told(Learnt(), before))

    def fit(_settings, profile, recordings, learnt, *, learns):
        assert learns
        if meanwhile == "learnt":
            profiles.store_learnt(settings, "ana", told(learnt, game))
        if meanwhile == "removed":
            profiles.remove(settings, "ana")
        return Fitted(profile, told(learnt, *recordings), EMPTY, EMPTY)

    monkeypatch.setattr(enrol, "fit", fit)
    made = enrol._fitted(settings, ANA, [said], learns=True)
    assert [one.words for one in made.learnt.samples] == known


def test_devices_that_take_long_to_open_are_waited_for_aloud(tmp_path, monkeypatch):
    waited = threading.Event()

    def opened(_):
        assert waited.wait(20)
        raise UserError(Message.of("enrol_no_microphone"))

    monkeypatch.setattr(enrol, "open_recogniser", lambda _: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(enrol, "opened_microphone", opened)
    monkeypatch.setattr(patience, "_tell", lambda _done, aloud, *_: aloud and waited.set())
    with pytest.raises(UserError):
        enrol.enrol(Settings(language="en", save=str(tmp_path)), None, None)


@pytest.mark.parametrize(("learn", "told"), [("on", True), ("off", False), ("ask", False)])
def test_who_agreed_that_it_learns_is_told_what_is_not_learnt_without_recordings(tmp_path, learn, told):
    asked = enrol._keeping(tmp_path, learn)
    for message in (asked.refused, asked.unanswered):
        sentence = Renderer("en").text(message)
        assert sentence.startswith("No recording will be kept.")
        assert ("only which pronunciations fit you" in sentence) == told
