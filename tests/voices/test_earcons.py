# SPDX-License-Identifier: GPL-3.0-or-later
import sys
import threading

import numpy as np

from voices import earcons


def test_the_flag_is_three_falling_tones_that_neither_clip_nor_click():
    sound = np.frombuffer(earcons.flag(), "<i2").astype(float)
    tones = np.split(sound, 3)
    pitches = [np.abs(np.fft.rfft(tone)).argmax() * 48_000 / len(tone) for tone in tones]
    assert np.allclose(pitches, [1320, 880, 440], atol=48_000 / len(tones[0]))
    assert np.abs(sound).max() < 32_767
    assert all(abs(edge) < 500 for tone in tones for edge in tone[[0, 1, -2, -1]])


def test_where_no_sound_can_be_played_nothing_happens(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    monkeypatch.setitem(sys.modules, "sounddevice", None)  # as if it were not installed
    earcons.play_flag()
    for thread in threading.enumerate():
        if thread.name == "earcon":
            thread.join(10)
    assert not failed
