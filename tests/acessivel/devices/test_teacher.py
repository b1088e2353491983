# SPDX-License-Identifier: GPL-3.0-or-later
import threading
from dataclasses import replace

import numpy as np
import pytest

from acessivel.devices import teacher as teachers
from acessivel.devices.teacher import Confirmed, Teacher
from acessivel.settings import changed_settings, profiles
from acessivel.settings.settings import Settings, file_path
from voices.hearing.learnt import MOST_SAMPLES, Learnt
from voices.network.adaptation import Correction
from voices.recognisers import Correctable
from voices.recognisers.network import NetworkRecogniser

SOUND = (np.random.default_rng(1).normal(size=8000) * 3000).astype("<i2").tobytes()
CORRECTION = Correction("one", ("*",), np.ones((1, 3), np.float32), np.ones(1, np.float32))


class PlayedListener:
    def __init__(self, *ears):
        self.ears = ears
        self.hearing = False
        self.corrected = threading.Event()
        self.corrections = ()

    def correct(self, corrections):
        self.corrections = corrections
        self.corrected.set()


def settings(folder, profile=""):
    return Settings(language="en", convention="letters", save=str(folder), profile=profile)


def move(words="e four", probability=0.4):
    return Confirmed("en", "letters", [(words, SOUND)], [(probability, True)])


def test_what_was_confirmed_is_stored_before_the_program_ends(tmp_path):
    teacher = Teacher(settings(tmp_path), PlayedListener())
    for _ in range(3):
        teacher.teach(move())
    teacher.close()
    learnt = profiles.learnt(settings(tmp_path))
    assert [(one.words, one.language, one.convention) for one in learnt.samples] == [
        ("e four", "en", "letters")
    ] * 3
    assert learnt.readings == ((0.4, True),) * 3
    Teacher(settings(tmp_path, "ana"), PlayedListener()).close()
    assert profiles.learnt(settings(tmp_path, "ana")) is None  # nothing was said
    again = Teacher(settings(tmp_path), PlayedListener())
    again.teach(move("d four"))
    again.close()
    assert len(profiles.learnt(settings(tmp_path)).samples) == 4


def test_a_few_announcements_let_the_listener_hear_better(tmp_path, monkeypatch):
    listener = PlayedListener(object())
    taught = []

    def teach(learnt, ears, before_step):
        assert ears == listener.ears
        before_step()
        taught.append(len(learnt.samples))
        return replace(learnt, corrections=(CORRECTION,))

    monkeypatch.setattr("voices.hearing.learning.taught", teach)
    needed = []
    teacher = Teacher(settings(tmp_path), listener, needed.append)
    for _ in range(6):
        teacher.teach(move())
    assert listener.corrected.wait(60)
    teacher.close()
    assert taught == [5]
    assert needed == [0.55]
    assert listener.corrections == (CORRECTION,)
    found = profiles.learnt(settings(tmp_path))
    assert len(found.samples) == 6 < MOST_SAMPLES
    assert [one.outputs for one in found.corrections] == [CORRECTION.outputs]


def test_what_is_removed_meanwhile_stays_removed(tmp_path):
    before = Teacher(settings(tmp_path), PlayedListener())
    before.teach(move())
    before.close()
    listener, needed = PlayedListener(), []
    teacher = Teacher(settings(tmp_path), listener, needed.append)
    profiles.remove(settings(tmp_path), profiles.DEFAULT)
    teacher.teach(move("d four"))
    teacher.close()
    assert [one.words for one in profiles.learnt(settings(tmp_path)).samples] == ["d four"]
    assert (listener.corrected.is_set(), listener.corrections) == (True, ())  # nor is it heard with
    assert needed == [0.5]


def test_what_is_removed_is_heard_with_no_more_also_when_nothing_is_learnt_any_more(tmp_path, monkeypatch):
    """As with `learn off` and `profile reset` in another window."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    changed_settings.keep(file_path(), "learn", "on")
    profiles.store_learnt(settings(tmp_path), profiles.DEFAULT, Learnt().with_reading(0.9, right=True))
    listener, needed = PlayedListener(), []
    listener.corrections = (CORRECTION,)
    teacher = Teacher(settings(tmp_path), listener, needed.append)
    changed_settings.keep(file_path(), "learn", "off")
    profiles.remove(settings(tmp_path), profiles.DEFAULT)
    for _ in range(2):
        teacher.teach(move())
    teacher.close()
    assert (listener.corrections, needed) == ((), [0.5])
    assert profiles.learnt(settings(tmp_path)) is None


def test_what_cannot_be_read_is_not_replaced(tmp_path):
    """It may be a disk that fails for a moment; `acessivel profile` tells it, and removes it."""
    file = profiles.learnt_path(settings(tmp_path), profiles.DEFAULT)
    file.parent.mkdir()
    file.write_bytes(b"PK")
    teacher = Teacher(settings(tmp_path), PlayedListener())
    teacher.teach(move())
    teacher.close()
    assert file.read_bytes() == b"PK"


def test_what_an_old_version_has_learnt_is_learnt_anew(tmp_path, monkeypatch):
    file = profiles.learnt_path(settings(tmp_path), profiles.DEFAULT)
    file.parent.mkdir()
    with monkeypatch.context() as before:
        before.setattr("voices.hearing.learnt._FORMAT", 1)
        file.write_bytes(Learnt().written())
    assert not profiles.is_damaged(settings(tmp_path))
    teacher = Teacher(settings(tmp_path), PlayedListener())
    teacher.teach(move())
    teacher.close()
    assert [one.words for one in profiles.learnt(settings(tmp_path)).samples] == ["e four"]


def test_two_programs_that_learn_of_one_speaker_keep_what_both_heard(tmp_path):
    one, other = (Teacher(settings(tmp_path), PlayedListener()) for _ in range(2))
    one.teach(move())
    one.close()
    other.teach(move("d four"))
    other.close()
    assert [each.words for each in profiles.learnt(settings(tmp_path)).samples] == ["e four", "d four"]


@pytest.mark.parametrize("change", ["removed", "learnt from"])
def test_what_is_changed_while_it_learns_is_not_put_back(tmp_path, monkeypatch, change):
    listener = PlayedListener(object())

    def teach(learnt, _ears, _before_step):
        if change == "removed":
            profiles.remove(settings(tmp_path), profiles.DEFAULT)
        else:
            profiles.store_learnt(settings(tmp_path), profiles.DEFAULT, learnt.with_reading(0.9, right=True))
        return replace(learnt, corrections=(CORRECTION,))

    monkeypatch.setattr("voices.hearing.learning.taught", teach)
    teacher = Teacher(settings(tmp_path), listener)
    for _ in range(5):
        teacher.teach(move())
    teacher._lessons.put(None)
    teacher._thread.join()
    found = profiles.learnt(settings(tmp_path))
    assert (found is None) == (change == "removed")
    assert not found or (len(found.readings), found.corrections) == (6, ())
    assert listener.corrections == ()


@pytest.mark.parametrize(("before", "now", "learns"), [
    ("on", "on", True), ("on", "off", False), ("on", "ask", False), ("ask", "ask", True), ("ask", "on", True),
])  # fmt: skip
def test_who_wants_no_learning_any_more_is_not_learnt_from(tmp_path, monkeypatch, before, now, learns):
    """As with `acessivel config set learn off` in another terminal."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    changed_settings.keep(file_path(), "learn", before)
    teacher = Teacher(settings(tmp_path), PlayedListener())
    changed_settings.keep(file_path(), "learn", now)
    teacher.teach(move())
    teacher.close()
    assert (profiles.learnt(settings(tmp_path)) is not None) == learns


def test_learning_waits_while_somebody_speaks_and_ends_with_the_program(tmp_path, monkeypatch):
    listener = PlayedListener(object())
    listener.hearing = True
    waits = threading.Event()

    def teach(_learnt, _ears, before_step):
        waits.set()
        before_step()
        pytest.fail("somebody speaks")

    monkeypatch.setattr("voices.hearing.learning.taught", teach)
    teacher = Teacher(settings(tmp_path), listener)
    for _ in range(7):
        teacher.teach(move())
    assert waits.wait(60)
    teacher.close()
    assert listener.corrections == ()
    assert len(profiles.learnt(settings(tmp_path)).samples) == 7  # what came after that is stored too


def test_a_folder_that_cannot_be_written_ends_the_learning_and_nothing_else(tmp_path, caplog):
    (tmp_path / "profiles").write_text("a file")
    teacher = Teacher(settings(tmp_path), PlayedListener())
    teacher.teach(move())
    teacher.close()
    assert "nothing more is learnt" in caplog.text


def test_the_network_can_be_corrected():
    network = NetworkRecogniser()
    assert isinstance(network, Correctable)
    network.correct([CORRECTION])  # of other weights: it is not used
    network.correct([])
    assert teachers._EVERY > 1
