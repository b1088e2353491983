# SPDX-License-Identifier: GPL-3.0-or-later
"""Disturbs recordings as real rooms, microphones and people do: noise, echo, pauses, clipped starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from voices.sound.source import RATE

Array = np.ndarray[Any, Any]
NOISES = ("white", "pink", "brown", "hum", "clicks", "music", "babble")
_TALKERS = 6
_LOWEST_HZ = 20.0


def noise(kind: str, samples: int, chance: np.random.Generator, speech: Sequence[Array] = ()) -> Array:
    """Noise of a kind with an RMS of 1; babble is made of `speech`. Raises ValueError for an unknown kind."""
    if kind == "babble":
        made = sum((_talk(samples, chance, speech) for _ in range(_TALKERS)), np.zeros(samples))
    elif kind in _MAKERS:
        made = _MAKERS[kind](samples, chance)
    else:
        raise ValueError(f"no noise called {kind}")
    return np.asarray(made / max(float(np.sqrt(np.mean(made**2))), 1e-9), np.float32)


def add_noise(audio: Array, noise_of_one: Array, snr_db: float) -> Array:
    """The sound with noise (RMS 1), so many dB below its speech."""
    return np.asarray(audio + noise_of_one * (speech_level(audio) * 10 ** (-snr_db / 20)), np.float32)


def speech_level(audio: Array) -> float:
    """The RMS of the louder half of the sound, so that pauses do not count."""
    frame = RATE // 50
    if audio.size < frame:
        return float(np.sqrt(np.mean(audio.astype(float) ** 2))) if audio.size else 0.0
    power = np.mean(audio[: audio.size // frame * frame].reshape(-1, frame).astype(float) ** 2, axis=1)
    return float(np.sqrt(np.mean(power[power >= power.max() / 1000])))


def room(chance: np.random.Generator, seconds: float) -> Array:
    """The impulse response of an invented room with a reverberation time (60 dB) in seconds."""
    length = max(RATE // 50, round(seconds * RATE))
    tail = chance.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    tail[: RATE // 400] = 0
    response = tail / np.sqrt(np.sum(tail**2)) * 10 ** (-chance.uniform(0, 12) / 20)
    response[0] = 1.0
    return np.asarray(response, np.float32)


def echoed(audio: Array, response: Array) -> Array:
    """The sound as heard in a room, equally loud."""
    # The Fourier transform is fastest for powers of two.
    length = 1 << (audio.size + response.size).bit_length()
    wet = np.fft.irfft(np.fft.rfft(audio, length) * np.fft.rfft(response, length), length)
    wet = wet[: audio.size + RATE // 5].astype(np.float32)
    return np.asarray(wet * (np.abs(audio).max(initial=1e-9) / max(float(np.abs(wet).max(initial=0)), 1e-9)))


def _white(samples: int, chance: np.random.Generator) -> Array:
    return chance.standard_normal(samples)


def _pink(samples: int, chance: np.random.Generator) -> Array:
    return _sloping(samples, chance, 0.5)


def _brown(samples: int, chance: np.random.Generator) -> Array:
    return _sloping(samples, chance, 1.0)


def _sloping(samples: int, chance: np.random.Generator, slope: float) -> Array:
    """White noise whose amplitudes fall with a power of the frequency, constant below 20 Hz."""
    spectrum = np.fft.rfft(chance.standard_normal(samples))
    hz = np.maximum(np.fft.rfftfreq(samples, 1 / RATE), _LOWEST_HZ)
    return np.asarray(np.fft.irfft(spectrum / hz**slope, samples))


def _hum(samples: int, chance: np.random.Generator) -> Array:
    time = np.arange(samples) / RATE
    base = chance.choice([50, 60, 100])
    tones = sum(np.sin(2 * np.pi * base * n * time + chance.uniform(0, 6)) / n for n in range(1, 8))
    return np.asarray(tones + 0.1 * chance.standard_normal(samples))


def _clicks(samples: int, chance: np.random.Generator) -> Array:
    """Chess clocks, pieces set down, keys: short decaying knocks."""
    made = 0.003 * chance.standard_normal(samples)
    for _ in range(max(1, round(samples / RATE * chance.uniform(0.5, 6)))):
        at, length = chance.integers(0, samples), int(chance.integers(40, 1600))
        knock = (
            chance.standard_normal(length) * np.exp(-np.arange(length) * 6 / length) * chance.uniform(0.2, 1)
        )
        made[at : at + length] += knock[: max(0, samples - at)]
    return made


def _music(samples: int, chance: np.random.Generator) -> Array:
    """A melody with chords: notes of a few harmonics that swell and fade."""
    made = np.zeros(samples)
    for _ in range(max(2, round(samples / RATE * chance.uniform(2, 8)))):
        at, length = int(chance.integers(0, samples)), int(chance.uniform(0.1, 0.9) * RATE)
        time = np.arange(min(length, samples - at)) / RATE
        pitch = 110 * 2 ** (chance.integers(0, 37) / 12)
        tone = sum(
            np.sin(2 * np.pi * pitch * n * time) / n**1.5 for n in range(1, int(chance.integers(2, 7)))
        )
        made[at : at + time.size] += tone * np.exp(-time * chance.uniform(1, 6)) * np.minimum(1, time * 100)
    return made + 1e-4 * chance.standard_normal(samples)


def _talk(samples: int, chance: np.random.Generator, speech: Sequence[Array]) -> Array:
    """One person talking without a pause."""
    made = np.zeros(samples)
    at = -int(chance.integers(0, RATE))
    while at < samples:
        piece = speech[int(chance.integers(0, len(speech)))].astype(np.float32)
        piece = piece[-at:] if at < 0 else piece
        at = max(at, 0)
        made[at : at + piece.size] += piece[: samples - at] * chance.uniform(0.5, 1)
        at += piece.size + int(chance.integers(0, RATE // 5))
        if not piece.size:
            at += RATE // 10
    return made


_MAKERS: dict[str, Callable[[int, np.random.Generator], Array]] = {
    "white": _white, "pink": _pink, "brown": _brown, "hum": _hum, "clicks": _clicks, "music": _music,
}  # fmt: skip
