# SPDX-License-Identifier: GPL-3.0-or-later
"""What is being said ends once, at the end of the newest; a voice that fails or does not end is given up."""

from acessivel.devices.devices import Devices
from acessivel.devices.voice_watchdog import VoiceWatchdog, longest_s
from voices.speakers import Span, SpeakerFailedError
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech


class Lasting(SilentSpeaker):
    """A voice that goes on until the test ends it, or fails when it should speak."""

    def __init__(self, *, fails=False):
        self.fails = fails

    def speak(self, *_):
        if self.fails:
            raise SpeakerFailedError("gone")


def saying(**how):
    speaker = Lasting(**how)
    return VoiceWatchdog(Devices(print, Speech(speaker, lambda _: None), speaker, lambda _: None))


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
    it.lost()
    assert it.say(spans("two"))  # the silence that took its place ends
