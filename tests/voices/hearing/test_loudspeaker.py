# SPDX-License-Identifier: GPL-3.0-or-later
"""A voice from the loudspeaker is noticed in the room, also a faint one; where there is none, that is found out."""

import numpy as np
import pytest
from support.synthetic import espeak

from voices.hearing.loudspeaker import LoudspeakerWatch
from voices.sound.disturbance import noise, speech_level
from voices.sound.source import BLOCK_BYTES, BLOCK_MS, RATE, read_wav

WELCOME_S = 2.0  # what the shortest beginning of a game takes


@pytest.fixture(scope="module")
def voice(tmp_path_factory):
    """What the program says, in two voices."""
    folder = tmp_path_factory.mktemp("said")
    texts = {"pt-br": "Jogam as Brancas, lance um. Anuncie um lance.", "de": "Weiß ist am Zug, Zug 1."}
    said = [read_wav(espeak(text, folder / f"{name}.wav", name)) for name, text in texts.items()]
    return [np.frombuffer(audio, "<i2").astype(float) for audio in said]


def at(dbfs):
    return 32768 * 10 ** (dbfs / 20)


def room(dbfs, seconds=WELCOME_S, kind="pink", seed=1):
    return noise(kind, round(seconds * RATE), np.random.default_rng(seed)) * at(dbfs)


def found(watch, sound, *, speaking=True):
    """How many seconds of the sound pass until it is found out; None if it is not."""
    audio = sound.round().clip(-32768, 32767).astype("<i2").tobytes()
    for number, start in enumerate(range(0, len(audio) - BLOCK_BYTES + 1, BLOCK_BYTES), 1):
        if watch.take(audio[start : start + BLOCK_BYTES], speaking=speaking):
            return number * BLOCK_MS / 1000
    return None


@pytest.mark.parametrize("kind", ["white", "pink", "brown", "hum"])
@pytest.mark.parametrize("dbfs", [-75, -66, -55])
def test_a_room_without_a_voice_is_found_out_within_two_seconds(kind, dbfs):
    assert found(LoudspeakerWatch(), room(dbfs, kind=kind)) <= WELCOME_S


@pytest.mark.parametrize("above_db", [12, 20, 40])
def test_a_voice_from_the_loudspeaker_is_noticed(voice, above_db):
    for said in voice:
        heard = room(-66, 0.3 + said.size / RATE)
        heard[-said.size :] += said / speech_level(said) * at(-66 + above_db)
        assert found(LoudspeakerWatch(), heard) is None


def test_it_takes_more_than_one_sentence_where_they_are_short():
    watch = LoudspeakerWatch()
    assert found(watch, room(-66, 1.2)) is None
    assert found(watch, room(-66, 1.0), speaking=False) is None
    assert found(watch, room(-66, 1.5)) is not None


@pytest.mark.parametrize("dbfs", [-45, -30])
def test_in_a_loud_room_nothing_is_found_out(dbfs):
    assert found(LoudspeakerWatch(), room(dbfs, 10)) is None


def test_a_microphone_that_gives_only_silence_says_nothing_about_the_loudspeaker():
    assert found(LoudspeakerWatch(), np.zeros(10 * RATE)) is None


def test_while_the_program_is_silent_nothing_is_found_out():
    assert found(LoudspeakerWatch(), room(-66, 10), speaking=False) is None
