# SPDX-License-Identifier: GPL-3.0-or-later
"""A tape that grows by segments, is whole after any crash, and is one FLAC file in the end."""

import io

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from voices.sound.source import RATE
from voices.sound.tape import Tape, TapeDamagedError, encoded


def noise(seed, seconds=0.5):
    return np.random.default_rng(seed).integers(-9000, 9000, round(seconds * RATE), "<i2").tobytes()


def taped(path, *sounds, begin=0.0):
    tape = Tape(path)
    for sound in sounds:
        begin = tape.add(sound, begin)
    return tape


def test_what_is_added_can_be_read_before_and_after_it_is_joined(tmp_path):
    path = tmp_path / "tape-1.flac"
    tape = taped(path, noise(1), noise(2))
    assert not path.exists()
    assert Tape(path).end() == 1.0
    assert Tape(path).read(0.25, 0.75) == noise(1)[8000:] + noise(2)[:8000]
    tape.finish()
    assert [file.name for file in tmp_path.iterdir()] == ["tape-1.flac"]
    assert soundfile.info(path).format == "FLAC"
    assert soundfile.info(path).samplerate == RATE
    assert Tape(path).read(0, 1) == noise(1) + noise(2)


def test_a_tape_is_gone_on_with(tmp_path):
    path = tmp_path / "tape-1.flac"
    taped(path, noise(1)).finish()
    taped(path, noise(2), begin=Tape(path).end()).finish()
    assert Tape(path).read(0, 1) == noise(1) + noise(2)


def test_a_crash_between_joining_and_clearing_doubles_nothing(tmp_path):
    path = tmp_path / "tape-1.flac"
    taped(path, noise(1), noise(2)).finish()
    taped(path, noise(1))  # the segment that was joined is still there
    assert Tape(path).end() == 1.0
    Tape(path).finish()
    assert Tape(path).read(0, 1) == noise(1) + noise(2)


def test_half_a_segment_that_a_crash_has_left_is_none(tmp_path):
    path = tmp_path / "tape-1.flac"
    taped(path, noise(1))
    (tmp_path / "tape-1.parts" / "000000008000.part").write_bytes(b"fLaC")
    assert Tape(path).end() == 0.5
    Tape(path).finish()
    assert [file.name for file in tmp_path.iterdir()] == ["tape-1.flac"]


def test_silence_stands_for_what_is_gone(tmp_path):
    path = tmp_path / "tape-1.flac"
    taped(path, noise(1), begin=1.0).finish()
    assert Tape(path).read(0, 1.5) == bytes(2 * RATE) + noise(1)


def test_a_file_that_is_no_sound_is_damaged(tmp_path):
    path = tmp_path / "tape-1.flac"
    path.write_text("no sound")
    with pytest.raises(TapeDamagedError):
        Tape(path).end()
    with pytest.raises(TapeDamagedError):
        Tape(path).finish()
    assert path.read_text() == "no sound"


def test_a_segment_that_cannot_be_read_is_left_out_and_set_aside(tmp_path):
    path, folder = tmp_path / "tape-1.flac", tmp_path / "tape-1.parts"
    taped(path, noise(1)).finish()
    taped(path, noise(2), noise(3), begin=0.5)
    (folder / "000000008000.flac").write_bytes(b"")
    assert Tape(path).end() == 1.5
    for _ in range(2):
        assert Tape(path).read(0, 1.5) == noise(1) + bytes(RATE) + noise(3)
        Tape(path).finish()
        assert [file.name for file in folder.iterdir()] == ["000000008000.damaged"]


@given(st.lists(st.tuples(st.integers(1, 900), st.booleans()), max_size=6), st.data())
@settings(max_examples=examples(25), deadline=None)
def test_any_stretch_is_what_was_added(tmp_path_factory, pieces, data):
    path = tmp_path_factory.mktemp("tape") / "tape-1.flac"
    whole, begin = b"", 0.0
    for number, (samples, joins) in enumerate(pieces):
        sound = noise(number, samples / RATE)
        begin = Tape(path).add(sound, begin)
        whole += sound
        if joins:
            Tape(path).finish()
    first = data.draw(st.integers(0, len(whole) // 2))
    last = data.draw(st.integers(first, len(whole) // 2))
    assert Tape(path).end() == pytest.approx(len(whole) / 2 / RATE)
    assert Tape(path).read(first / RATE, last / RATE) == whole[2 * first : 2 * last]


@pytest.mark.parametrize("form", ["flac", "wav"])
def test_sound_as_a_file_has_every_sample(form):
    samples, rate = soundfile.read(io.BytesIO(encoded(noise(3), form)), dtype="int16")
    assert rate == RATE
    assert samples.astype("<i2").tobytes() == noise(3)
