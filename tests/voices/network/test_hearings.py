# SPDX-License-Identifier: GPL-3.0-or-later
"""An utterance as it is, half an output later, and in less time: nothing of it is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices.network.features import BANDS, HOP
from voices.network.hearings import COUNT, hearings
from voices.sound.source import RATE


def spoken(frames: int) -> np.ndarray:
    """Mel bands (frames, 40) that rise evenly, so that a frame's value is its time."""
    return np.repeat(np.arange(frames, dtype=np.float32)[:, None], BANDS, axis=1)


@given(st.integers(0, 600))
def test_each_has_the_utterance_from_its_start_to_its_end(frames):
    bands = spoken(frames)
    found = hearings(bands)
    assert len(found) == COUNT
    assert np.array_equal(found[0], bands)
    for one in found:
        assert (one.dtype, one.shape[1]) == (np.float32, BANDS)
        assert np.array_equal(one[:1], bands[:1])
        assert np.allclose(one[-1:], bands[-1:])


def test_the_second_is_20_ms_later():
    _, later, _ = hearings(spoken(50))
    assert (len(later) - 50) * HOP == RATE // 50
    assert np.array_equal(later[2:], spoken(50))


def test_the_third_takes_an_eighth_less_time_and_is_even():
    _, _, shorter = hearings(spoken(100))
    assert len(shorter) == 88
    assert np.diff(shorter[:, 0]) == pytest.approx(99 / 87, abs=1e-4)
