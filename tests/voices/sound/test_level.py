# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.synthetic import espeak

from voices.sound.level import CLIPPED_SHARE, DEAD_S, QUIET_DBFS, Meter, Trouble, dbfs
from voices.sound.source import BLOCK_BYTES, BLOCK_MS, RATE, read_wav

DEAD_BLOCKS = round(DEAD_S * 1000 / BLOCK_MS)


def blocks(samples: np.ndarray) -> Iterator[bytes]:
    audio = samples.round().clip(-32768, 32767).astype("<i2").tobytes()
    for start in range(0, len(audio) - BLOCK_BYTES + 1, BLOCK_BYTES):
        yield audio[start : start + BLOCK_BYTES]


def tone(level: float, seconds: float) -> np.ndarray:
    """A tone whose RMS is at a level in dBFS."""
    amplitude = 32768 * 10 ** (level / 20) * np.sqrt(2)
    return amplitude * np.sin(2 * np.pi * 440 * np.arange(round(seconds * RATE)) / RATE)


def told(meter: Meter, samples: np.ndarray, *, speech: bool = False) -> list[Trouble]:
    return [found for block in blocks(samples) if (found := meter.take(block, speech=speech))]


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE))


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_microphone_without_any_sound_is_dead_once_the_time_is_over(step: int) -> None:
    meter = Meter()
    dither = np.where(np.arange(round(3 * DEAD_S * RATE)) % 2, step, -step)
    found = [meter.take(block, speech=False) for block in blocks(dither)]
    assert found.index(Trouble.DEAD) == DEAD_BLOCKS - 1
    assert [trouble for trouble in found if trouble] == [Trouble.DEAD]


@pytest.mark.parametrize("step", [3, -400])
def test_so_is_one_that_gives_the_same_all_the_time(step: int) -> None:
    constant = np.full(round(2 * DEAD_S * RATE), step)
    assert told(Meter(), constant) == [Trouble.DEAD]
    constant[:: BLOCK_BYTES // 8] += 1
    assert told(Meter(), constant) == []


def test_the_noise_of_a_quiet_room_is_no_death() -> None:
    noise = np.random.default_rng(1).normal(0, 32768 * 10 ** (-80 / 20), round(3 * DEAD_S * RATE))
    assert told(Meter(), noise) == []


def test_a_microphone_that_dies_again_is_told_again() -> None:
    meter = Meter()
    assert told(meter, silence(DEAD_S + 1)) == [Trouble.DEAD]
    assert told(meter, tone(-30, 1)) == []
    # It has come back by itself after DEAD_S + 1: twice that is not yet over.
    assert told(meter, silence(2 * DEAD_S)) == []
    assert told(meter, silence(DEAD_S)) == [Trouble.DEAD]


def test_a_headset_that_gives_nothing_between_words_is_soon_believed() -> None:
    meter = Meter()
    said = []
    for seconds in (1, 2, 4, 7, 12, 20, 35):
        said += told(meter, silence(seconds)) + told(meter, tone(-30, 1), speech=True)
    assert said == []


@pytest.mark.parametrize(("level", "quiet"), [(QUIET_DBFS - 2, True), (QUIET_DBFS + 2, False), (-26, False)])
def test_speech_below_the_threshold_is_quiet(level: float, quiet: bool) -> None:
    assert told(Meter(), tone(level, 4), speech=True) == ([Trouble.QUIET] if quiet else [])


def test_what_is_not_speech_is_neither_quiet_nor_clipping() -> None:
    meter = Meter()
    assert told(meter, tone(QUIET_DBFS - 10, 4)) == []
    assert told(meter, tone(3, 4)) == []


def test_quiet_is_told_again_only_after_it_was_better() -> None:
    meter = Meter()
    assert told(meter, tone(QUIET_DBFS - 2, 4), speech=True) == [Trouble.QUIET]
    # About the threshold, up and down: still the same trouble.
    for _ in range(3):
        assert told(meter, tone(QUIET_DBFS + 1, 4), speech=True) == []
        assert told(meter, tone(QUIET_DBFS - 1, 4), speech=True) == []
    assert told(meter, tone(QUIET_DBFS + 10, 4), speech=True) == []
    assert told(meter, tone(QUIET_DBFS - 2, 4), speech=True) == [Trouble.QUIET]


def test_pauses_between_words_make_nobody_quiet() -> None:
    meter = Meter()
    for _ in range(20):
        assert told(meter, tone(QUIET_DBFS + 2, 0.3), speech=True) == []
        assert told(meter, tone(-75, 0.3), speech=True) == []


@pytest.mark.parametrize(("share", "clipping"), [(CLIPPED_SHARE * 0.8, False), (CLIPPED_SHARE * 1.2, True)])
def test_the_share_of_samples_at_full_scale(share: float, clipping: bool) -> None:
    samples = tone(-20, 4)
    cut = np.random.default_rng(2).permutation(samples.size)[: round(share * samples.size)]
    samples[cut] = 32767 * np.sign(samples[cut] + 0.5)
    assert told(Meter(), samples, speech=True) == ([Trouble.CLIPPING] if clipping else [])


def test_real_speech_is_judged_by_how_far_it_is_turned_up(tmp_path: Path) -> None:
    audio = read_wav(espeak("Springer Gustav eins Felix drei", tmp_path / "said.wav"))
    samples = np.frombuffer(audio, "<i2").astype(float)
    samples *= 32767 / np.abs(samples).max()
    for gain_db, trouble in ((-50, Trouble.QUIET), (-20, None), (-1, None), (20, Trouble.CLIPPING)):
        turned = samples * 10 ** (gain_db / 20)
        assert told(Meter(), turned, speech=True) == ([trouble] if trouble else []), gain_db


def test_levels() -> None:
    meter = Meter()
    assert meter.peak == dbfs(0) == -np.inf
    told(meter, tone(-23, 1))
    assert meter.peak == pytest.approx(-20, abs=0.1)
