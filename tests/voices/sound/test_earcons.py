# SPDX-License-Identifier: GPL-3.0-or-later
"""The earcons: each is heard, none clips or clicks, no two are alike, and each can be turned off."""

import subprocess
import sys
import threading
from itertools import combinations

import numpy as np
import pytest
from support.pulse import PrivatePulse

from voices.sound import earcons


def samples(name):
    return np.frombuffer(earcons.sound(name), "<i2").astype(float)


def test_the_flag_is_three_falling_tones():
    tones = np.split(samples("flag"), 3)
    pitches = [np.abs(np.fft.rfft(tone)).argmax() * earcons.RATE / len(tone) for tone in tones]
    assert np.allclose(pitches, [1320, 880, 440], atol=earcons.RATE / len(tones[0]))


@pytest.mark.parametrize("name", earcons.KNOWN)
def test_an_earcon_is_short_and_neither_clips_nor_clicks(name):
    sound = samples(name)
    assert 0.05 < len(sound) / earcons.RATE < 0.5
    assert 10_000 < np.abs(sound).max() < 32_767
    assert np.abs(np.diff(sound)).max() < 5000
    assert np.abs(sound[[0, -1]]).max() < 500


@pytest.mark.parametrize(("one", "other"), list(combinations(earcons.KNOWN, 2)))
def test_no_two_are_alike(one, other):
    first, second = samples(one), samples(other)
    length = max(len(first), len(second))
    first, second = (np.pad(sound, (0, length - len(sound))) for sound in (first, second))
    likeness = abs(np.correlate(first, second)[0]) / np.sqrt((first @ first) * (second @ second))
    assert likeness < 0.5


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("all", earcons.NAMES),
        ("none", ()),
        ("check", ("check",)),
        ("flag, capture", ("capture", "flag")),
        ("ready", ("ready",)),
        ("all,ready", (*earcons.NAMES, "ready")),
        ("ready, check, all", (*earcons.NAMES, "ready")),
    ],
)
def test_what_is_named_is_read_and_written(text, names):
    assert earcons.parse(text) == names
    assert earcons.parse(earcons.written(names)) == names


@pytest.mark.parametrize("text", ["", "bell", "none,ready", "all,none", "check,"])
def test_what_names_none_is_refused(text):
    with pytest.raises(earcons.EarconsError):
        earcons.parse(text)


def test_where_no_sound_can_be_played_nothing_happens(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    monkeypatch.setitem(sys.modules, "sounddevice", None)  # as if it were not installed
    ended = threading.Event()
    earcons.play(["flag"], ended.set)
    assert ended.wait(10)
    for thread in threading.enumerate():
        if thread.name == "earcon":
            thread.join(10)
    assert not failed


ENDS = """
import sys
from voices.sound import earcons
for _ in "hear", "leave":
    earcons.play(["flag"], lambda: print("ended", flush=True))
    earcons.finish()
    sys.stdin.readline()
"""


def ending(pulse):
    """A program of its own, because PortAudio ends with it: a line lets it play again, and another end."""
    return subprocess.Popen(
        [sys.executable, "-c", ENDS], env=pulse.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_the_program_ends_after_what_is_being_played():
    with PrivatePulse() as pulse, ending(pulse) as process:
        assert process.communicate(timeout=30)[0] == "ended\nended\n"
        assert process.returncode == 0


def test_the_program_ends_though_what_is_played_does_not():
    with PrivatePulse() as pulse, ending(pulse) as process:
        assert process.stdout.readline() == "ended\n"
        with pulse.hanging():
            process.stdin.close()
            assert process.wait(30) == 0


def test_the_end_of_nothing_is_told_too():
    ended = []
    earcons.play([], lambda: ended.append(True))
    assert ended == [True]
