# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from voices.speakers import Span, SpeakerFailedError
from voices.speakers.manner import Manner
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech

HELLO = [Span("hello", "en")]


class Stage:
    """A speaker whose messages end when the test says so."""

    name = "stage"
    began = 0.0
    failed = False
    cut = False

    def __init__(self) -> None:
        self.spoken: list[Sequence[Span]] = []
        self.ends: list[Callable[[], None]] = []
        self.broken = False

    def speak(self, spans: Sequence[Span], on_end: Callable[[], None]) -> None:
        if self.broken:
            raise SpeakerFailedError("gone")
        self.hush()
        self.spoken.append(spans)
        self.ends.append(on_end)

    def take(self, manner: Manner) -> None:
        self.manner = manner

    def hush(self) -> None:
        for end in self.ends:
            end()

    def close(self) -> None:
        self.hush()


def test_each_message_ends_once_and_the_newest_preempts() -> None:
    ended: list[int] = []
    stage = Stage()
    speech = Speech(stage, ended.append)
    assert not speech.speaking
    first, second = speech.say(HELLO), speech.say(HELLO)
    assert (first, second) == (1, 2)
    assert ended == [first]
    assert speech.speaking
    stage.ends[1]()
    speech.hush()
    assert ended == [first, second]
    assert not speech.speaking


def test_hush_ends_the_message() -> None:
    ended: list[int] = []
    speech = Speech(Stage(), ended.append)
    number = speech.say(HELLO)
    speech.hush()
    assert ended == [number]


def test_a_speaker_that_fails_leaves_no_message() -> None:
    ended: list[int] = []
    stage = Stage()
    speech = Speech(stage, ended.append)
    stage.broken = True
    with pytest.raises(SpeakerFailedError):
        speech.say(HELLO)
    assert not speech.speaking
    assert ended == []


def test_silence_ends_at_once() -> None:
    ended: list[int] = []
    speaker = SilentSpeaker()
    speech = Speech(speaker, ended.append)
    assert speech.say(HELLO) == 1
    assert ended == [1]
    assert not speech.speaking
    speech.hush()
    speaker.close()
    assert ended == [1]
