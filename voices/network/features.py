# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound -> the network's input: the logarithms of 40 mel bands every 10 ms."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from voices.sound.source import RATE

BANDS = 40  # of the mel scale
HOP = RATE // 100
_WINDOW = RATE // 40
_FFT = 512  # samples, of which a window fills the first
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 7600.0
# Sound is normalised to one loudness; anything more than 80 dB below it is silence.
_LOUDNESS = 0.05
_SILENCE = 1e-8 * _FFT

Array = np.ndarray[Any, Any]


def features(
    samples: Array, warp: float = 1.0, spectra: Callable[[Array, int], Array] = np.fft.rfft
) -> Array:
    """Log mel bands (frames, 40), float32, each with its mean subtracted, of mono samples at 16 kHz.

    `warp` stretches the frequencies, as a longer or shorter vocal tract would. `spectra`: the Fourier
    transform of rows, each padded to so many samples. No frames for less than 25 ms.
    """
    audio = samples.astype(np.float32)
    audio = (
        audio * np.float32(_LOUDNESS / max(float(np.sqrt(np.mean(audio**2))), 1e-6)) if audio.size else audio
    )
    count = 1 + (audio.size - _WINDOW) // HOP
    if count < 1:
        return np.zeros((0, BANDS), np.float32)
    frames = np.lib.stride_tricks.as_strided(
        audio, (count, _WINDOW), (audio.strides[0] * HOP, audio.strides[0]), writeable=False
    )
    power = np.abs(spectra(frames * np.hanning(_WINDOW).astype(np.float32), _FFT)) ** 2
    bands = np.log(power.astype(np.float32) @ _mel(round(warp, 2)) + np.float32(_SILENCE))
    return np.asarray(bands - bands.mean(axis=0, keepdims=True), np.float32)


def above_noise_db(samples: Array) -> float:
    """How far the loudest 20th part of a recording stands above its softest tenth (decibels).

    It is more than 40 in a quiet room and less than 20 where others talk or a fan runs nearby.
    """
    count = samples.size // (2 * HOP)
    if not count:
        return 0.0
    power = np.mean(samples[: count * 2 * HOP].astype(np.float32).reshape(count, -1) ** 2, axis=1)
    loud, soft = np.quantile(10 * np.log10(power + 1), (0.95, 0.1))
    return float(loud - soft)


@cache
def _mel(warp: float) -> Array:
    """The triangular filters (257, 40) on the mel scale of O'Shaughnessy."""
    lowest, highest = (2595 * np.log10(1 + hz / 700) for hz in (_LOWEST_HZ, _HIGHEST_HZ))
    edges = 700 * (10 ** (np.linspace(lowest, highest, BANDS + 2) / 2595) - 1) * warp
    bins = np.arange(_FFT // 2 + 1) * RATE / _FFT
    rising = (bins[:, None] - edges[None, :-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[None, 2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling)).astype(np.float32)
