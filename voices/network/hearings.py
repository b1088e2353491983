# SPDX-License-Identifier: GPL-3.0-or-later
"""What an utterance sounds like -> the same as a network might have heard it as well: later, and faster."""

from __future__ import annotations

from typing import Any

import numpy as np

COUNT = 3
FOR_ANSWERS = 2  # the first ones: an answer is short
_LATER = 2  # frames of 10 ms: half of what a network has one output for
_SHORTER = 0.88

Array = np.ndarray[Any, Any]


def hearings(bands: Array) -> tuple[Array, ...]:
    """Mel bands (frames, 40) as they are, 20 ms later, and in less time.

    A network is seldom mistaken in the same way of each: where its 40 ms begin is chance, and the voices that
    it learnt from spoke faster than most who announce.
    """
    later = np.concatenate([np.repeat(bands[:1], _LATER, axis=0), bands])
    return bands, later, _shorter(bands)


def _shorter(bands: Array) -> Array:
    """Interpolated between frames."""
    if len(bands) < 2:
        return bands
    at = np.linspace(0, len(bands) - 1, max(2, round(len(bands) * _SHORTER)))
    before = np.minimum(at.astype(int), len(bands) - 2)
    share = (at - before)[:, None]
    return np.asarray(bands[before] * (1 - share) + bands[before + 1] * share, np.float32)
