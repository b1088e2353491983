# SPDX-License-Identifier: GPL-3.0-or-later
"""The sounds of a known sentence are found in its recording by the real pocketsphinx."""

from __future__ import annotations

import numpy as np
import pytest
from sound_places import places

from voices.network.sentences import Word
from voices.network.speakers import TrainingVoice, speak
from voices.sound.source import RATE

WORDS = (("S", "EH", "V", "AH", "N"), ("B", "R", "AA", "V", "OW"))


@pytest.fixture(scope="module")
def spoken() -> np.ndarray:
    """Two words by espeak-ng."""
    voice = TrainingVoice("espeak", "en-us", 1.0, 1.0, 1.0)
    sentence = tuple(Word("", "en", sounds=" ".join(word)) for word in WORDS)
    return speak([(voice, sentence)], 1)[0]


def test_each_sound_has_a_place_after_the_one_before(spoken: np.ndarray) -> None:
    found = places(spoken, WORDS)
    assert len(found) == 10
    edges = [edge for place in found for edge in place]
    assert edges == sorted(edges)
    assert all(start < end for start, end in found)
    assert edges[-1] <= len(spoken) * 100 // RATE


def test_the_sounds_of_a_word_are_where_they_are_loud_or_hiss(spoken: np.ndarray) -> None:
    found = places(spoken, WORDS)
    level = [float(np.abs(spoken[start * 160 : end * 160].astype(int)).mean()) for start, end in found]
    assert min(level[1], level[7]) > 2 * level[0]  # vowels, and the hiss before them


def test_a_sentence_that_was_not_said_in_that_time_has_no_places(spoken: np.ndarray) -> None:
    assert places(spoken[: RATE // 5], WORDS * 4) == ()
