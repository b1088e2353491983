# SPDX-License-Identifier: GPL-3.0-or-later
"""What is being said ends once, at the end of the newest; a voice that fails or does not end is given up."""

import pytest
from support.played_devices import Voice

from acessivel.devices import private_voice
from acessivel.devices.devices import Devices
from acessivel.devices.voice_watchdog import VoiceWatchdog
from voices.sound.outputs import AudioOutput
from voices.speakers import Span
from voices.speakers.speech import Speech, longest_s


class Clock:
    """The time, as the test says."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for module in ("voice_watchdog", "private_voice"):
        monkeypatch.setattr(f"acessivel.devices.{module}.monotonic", clock)
    return clock


def saying(*, fails=False):
    speaker = Voice()
    speaker.fails = fails
    return VoiceWatchdog(Devices(print, Speech(speaker, lambda _: None), speaker))


def spans(text):
    return (Span(text, "en"),)


def test_only_the_end_of_the_newest_is_the_end():
    it = saying()
    assert (it.now, it.left_s) == (False, None)
    assert it.say(spans("one"))
    assert it.say(spans("two"))
    assert not it.ended(1)
    assert it.now
    assert it.ended(2)
    assert not it.ended(2)
    assert not it.now


def test_what_another_program_has_stopped_was_not_heard():
    it = saying()
    for number, cut in ((1, False), (2, True), (3, False)):
        it.say(spans("one"))
        it._devices.speaker.cut = cut
        assert it.ended(number)
        assert it.heard is not cut


def test_a_long_sentence_may_take_longer_and_a_voice_that_is_lost_says_nothing():
    it = saying()
    assert longest_s(spans("x" * 400)) > longest_s(spans("x"))
    it.say(spans("x" * 400))
    assert 0 < it.left_s <= longest_s(spans("x" * 400))
    it.lost()
    assert not it.now


def test_a_voice_that_fails_is_told_of():
    it = saying(fails=True)
    assert not it.say(spans("one"))
    assert not it.lost()
    assert it.say(spans("two"))  # the silence that took its place ends


def test_what_could_not_be_said_is_said_by_the_voice_opened_anew_once():
    it = saying(fails=True)
    opened = []
    it._devices.open_voice = lambda: opened.append(Voice()) or opened[-1]
    assert not it.say(spans("one"))
    assert it.lost()
    assert it.now
    assert it._devices.speaker is opened[0]
    assert not it.lost()  # nothing was said to its end meanwhile
    assert len(opened) == 1
    assert not it.now


def test_what_ends_as_the_voice_fails_was_not_said():
    it = saying()
    assert it.say(spans("one"))
    it._devices.speaker.failed = True
    assert not it.ended(it._number)
    assert (it.now, it.left_s) == (True, 0)
    opened = []
    it._devices.open_voice = lambda: opened.append(Voice()) or opened[-1]
    assert it.lost()
    assert opened[-1].said == ["one"]
    opened[-1].failed = True
    assert not it.ended(it._number)
    assert not it.lost()  # the voice opened anew fails as well: it is given up
    assert len(opened) == 1


def test_a_voice_that_has_spoken_again_is_opened_anew_again():
    it = saying(fails=True)
    it._devices.open_voice = Voice
    assert not it.say(spans("one"))
    assert it.lost()
    assert it.ended(it._number)
    it.say(spans("two"))
    assert it.lost()


def test_the_time_that_a_voice_may_take_runs_from_when_it_begins(clock):
    it = saying()
    voice, most_s = it._devices.speaker, longest_s(spans("one"))
    voice.began = None  # another program speaks
    it.say(spans("one"))
    clock.now += 2 * most_s
    assert 0 < it.left_s <= most_s  # looked at again before it could have taken too long
    voice.began = clock.now
    assert it.left_s == most_s
    clock.now += most_s
    assert it.left_s == 0


def test_a_voice_that_never_begins_is_lost_all_the_same(clock):
    it = saying()
    it._devices.speaker.began = None
    it.say(spans("one"))
    clock.now += 1000
    assert it.left_s == 0


def test_a_voice_that_was_given_up_is_tried_again_after_a_pause_and_its_loss_told_once(clock):
    it = saying(fails=True)
    opened = []

    def open_voice():
        opened.append(Voice())
        opened[-1].fails = len(opened) < 3
        return opened[-1]

    it._devices.open_voice = open_voice
    it._devices.voice_is_private = True
    assert not it.say(spans("one"))
    assert not it.lost()
    assert it.say(spans("two"))
    assert (len(opened), it._devices.private) == (1, False)
    clock.now += 60
    assert not it.say(spans("three"))
    assert it.lost()
    assert it.now  # the silence that takes its place ends
    clock.now += 60
    assert it.say(spans("four"))
    assert len(opened) == 2
    clock.now += 60
    assert it.say(spans("five"))
    assert opened[-1].said == ["five"]
    assert it._devices.private


def test_a_voice_that_is_not_there_when_it_is_tried_again_is_tried_once_more(clock):
    it = saying(fails=True)
    assert not it.say(spans("one"))
    assert not it.lost()  # there is none to be opened
    clock.now += 60
    assert it.say(spans("two"))
    it._devices.open_voice = Voice
    clock.now += 120
    assert it.say(spans("three"))
    assert it.heard


def test_a_private_voice_may_take_no_longer(clock, monkeypatch):
    monkeypatch.setattr(private_voice, "outputs", lambda: (AudioOutput("jack", "Headphones"),))
    speaker = Voice()
    it = private_voice.PrivateVoice(speaker, "jack")
    assert it.left_s is None
    it.say(spans("one"))
    assert it.left_s == longest_s(spans("one"))
    clock.now += it.left_s
    assert it.left_s == 0
    speaker.end()
    assert it.left_s is None


def test_what_a_private_voice_ends_as_it_fails_was_not_said_either(monkeypatch):
    monkeypatch.setattr(private_voice, "outputs", lambda: (AudioOutput("jack", "Headphones"),))
    speaker = Voice()
    it = private_voice.PrivateVoice(speaker, "jack")
    it.say(spans("one"))
    speaker.failed = True
    speaker.end()
    assert not it.speaking
    assert it.left_s == 0
