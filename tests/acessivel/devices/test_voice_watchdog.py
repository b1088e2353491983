# SPDX-License-Identifier: GPL-3.0-or-later
"""What is being said ends once, at the end of the newest; a voice that fails or does not end is given up."""

from support.played_devices import Voice

from acessivel.devices.devices import Devices
from acessivel.devices.voice_watchdog import VoiceWatchdog, longest_s
from voices.speakers import Span
from voices.speakers.speech import Speech


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


def test_a_voice_that_has_spoken_again_is_opened_anew_again():
    it = saying(fails=True)
    it._devices.open_voice = Voice
    assert not it.say(spans("one"))
    assert it.lost()
    assert it.ended(it._number)
    it.say(spans("two"))
    assert it.lost()
