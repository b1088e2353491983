# SPDX-License-Identifier: GPL-3.0-or-later
"""How much shorter a speaker's vocal tract is than most men's, told from the pitch of the voice."""

from __future__ import annotations

from typing import Any

import numpy as np

from voices.network.features import features
from voices.sound.source import RATE

_WINDOW = RATE // 25  # 40 ms: three periods of the lowest voice
_HOP = RATE // 50
_FFT = 2048
_LAGS = 2 * RATE  # a second: half a sample matters where a harmonic of 2 kHz is loud, and a voice of 200 Hz
_LOWEST_HZ, _HIGHEST_HZ = 70, 400
_VOICED = 0.6  # of the energy of a frame must come back a period later
_AS_VOICED = 0.9  # a shorter period is preferred to twice as long a one if it is nearly as good
_FEWEST = 4  # voiced frames
_LOUD = 0.1  # of the power of the loudest frames
# The warp is the pitch in parts of a man's to this power, and never less than 1.
_USUAL_HZ, _POWER, _MOST = 130.0, 0.3, 1.25

Array = np.ndarray[Any, Any]


def normalised(samples: Array) -> Array:
    """Mel bands as of `features`, their frequencies stretched as the speaker's vocal tract is shorter."""
    return features(samples, warp(samples))


def warp(samples: Array) -> float:
    """From 1.0, for a man or if there is no voice, to 1.25, for a child: the factor of the frequencies."""
    pitch = pitch_hz(samples)
    return float(np.clip((pitch / _USUAL_HZ) ** _POWER, 1.0, _MOST)) if pitch else 1.0


def pitch_hz(samples: Array) -> float:
    """The median pitch (Hz) of the voiced parts of mono samples at 16 kHz; 0.0 if hardly any are.

    By the normalised autocorrelation of the loud frames (Boersma 1993): a hum in the pauses is not the voice.
    """
    count = 1 + (samples.size - _WINDOW) // _HOP
    if count < _FEWEST:
        return 0.0
    audio = np.ascontiguousarray(samples, np.float32)
    frames = np.lib.stride_tricks.as_strided(
        audio, (count, _WINDOW), (audio.strides[0] * _HOP, audio.strides[0]), writeable=False
    )
    power = frames.var(axis=1)
    frames = frames[power > _LOUD * np.quantile(power, 0.95)]
    if len(frames) < _FEWEST:
        return 0.0
    window = np.hanning(_WINDOW).astype(np.float32)
    found = _autocorrelation((frames - frames.mean(axis=1, keepdims=True)) * window)
    own = _autocorrelation(window)
    found = found / found[:, :1] / (own / own[0])
    shortest = _LAGS // _HIGHEST_HZ
    periods = found[:, shortest - 1 : _LAGS // _LOWEST_HZ + 1]
    middle = periods[:, 1:-1]
    peaks = np.where((middle >= periods[:, :-2]) & (middle >= periods[:, 2:]), middle, 0.0)
    best = peaks.max(axis=1)
    first = shortest + np.argmax(peaks >= _AS_VOICED * best[:, None], axis=1)
    voiced = best > _VOICED
    return float(_LAGS / np.median(first[voiced])) if np.count_nonzero(voiced) >= _FEWEST else 0.0


def _autocorrelation(frames: Array) -> Array:
    """That of each frame, at lags (half samples) up to the longest period."""
    power = np.abs(np.fft.rfft(frames, _FFT)) ** 2
    return np.asarray(np.fft.irfft(power, _FFT * _LAGS // RATE)[..., : _LAGS // _LOWEST_HZ + 2], np.float32)
