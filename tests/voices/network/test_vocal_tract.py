# SPDX-License-Identifier: GPL-3.0-or-later
"""The pitch of made vowels is known, and so is what a shorter vocal tract does to their formants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.examples import examples

from voices.network.features import BANDS, features
from voices.network.vocal_tract import normalised, pitch_hz, warp
from voices.sound.source import RATE

AH, EE, OO = (750.0, 1250.0, 2600.0), (300.0, 2300.0, 3000.0), (330.0, 800.0, 2400.0)
_WIDTH_HZ = 90.0  # of each formant


def vowel(
    hz: float, formants: Sequence[float] = AH, loudness: float = 3000, seconds: float = 0.4
) -> np.ndarray:
    """Harmonics of a pitch, as loud as the formants let them be."""
    time = np.arange(int(seconds * RATE)) / RATE
    harmonics = np.arange(hz, 7000, hz)
    loud = sum(1 / (1 + ((harmonics - one) / _WIDTH_HZ) ** 2) for one in formants) + 0.01
    sound = np.sin(2 * np.pi * harmonics[:, None] * time).T @ loud
    return (sound * loudness / np.std(sound)).clip(-32768, 32767).astype(np.int16)


@given(st.floats(75, 380), st.sampled_from([AH, EE, OO]), st.sampled_from([50, 3000, 8000]))
@example(233.625, EE, 50)  # 68.5 samples a period, of which a loud harmonic has 7
@settings(max_examples=examples(40), deadline=None)
def test_the_pitch_of_a_vowel_is_found_at_any_loudness(hz, formants, loudness):
    assert pitch_hz(vowel(hz, formants, loudness)) == pytest.approx(hz, rel=0.01)


def test_silence_noise_and_a_click_have_no_pitch_and_are_taken_as_they_are():
    noise = np.random.default_rng(1).normal(0, 3000, RATE).astype(np.int16)
    for sound in (np.zeros(0, np.int16), np.zeros(RATE, np.int16), noise, noise[:300]):
        assert (pitch_hz(sound), warp(sound)) == (0.0, 1.0)
    assert normalised(np.zeros(10, np.int16)).shape == (0, BANDS)
    assert np.array_equal(normalised(noise), features(noise))


def test_silence_around_a_vowel_does_not_hide_its_pitch():
    quiet = np.zeros(RATE // 5, np.int16)
    assert pitch_hz(np.concatenate([quiet, vowel(200), quiet])) == pytest.approx(200, rel=0.04)


@pytest.mark.parametrize("hz", [110, 210])
@pytest.mark.parametrize("hum", [100, 150, 200, 300, 400])
def test_a_hum_20_db_below_the_voice_is_not_taken_for_it_though_it_fills_the_pauses(hz, hum):
    quiet = np.zeros(RATE // 2, np.int16)
    said = np.concatenate([quiet, vowel(hz), quiet])
    below = np.sin(2 * np.pi * hum * np.arange(said.size) / RATE) * np.sqrt(2) * 300
    assert pitch_hz(said + below) == pytest.approx(hz, rel=0.04)


def test_a_mans_voice_is_taken_as_it_is_and_nobodys_is_stretched_by_more_than_a_quarter():
    assert [warp(vowel(hz)) for hz in (90, 120)] == [1.0, 1.0]
    assert 1.1 < warp(vowel(210)) < warp(vowel(255)) < warp(vowel(390)) == 1.25


def test_what_a_child_says_looks_more_like_what_a_man_says():
    def said(hz: float, shorter: float) -> np.ndarray:
        return np.concatenate([vowel(hz, [shorter * one for one in formants]) for formants in (AH, EE, OO)])

    def alike(one: np.ndarray, other: np.ndarray) -> float:
        return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])

    man, child = features(said(110, 1.0)), said(270, 1.22)
    assert alike(normalised(child), man) > alike(features(child), man) + 0.1
