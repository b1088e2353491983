# SPDX-License-Identifier: GPL-3.0-or-later
"""Sounds that say something without a word: the fall of a flag, as three falling tones."""

from __future__ import annotations

import importlib
import logging
import math
import struct
import threading

_RATE = 48_000
_FLAG_HZ = (1320.0, 880.0, 440.0)
_TONE_S = 0.12
_LOUDNESS = 0.6  # of full scale
_LOG = logging.getLogger(__name__)


def flag() -> bytes:
    """The sound of a fallen flag: mono s16le at 48 kHz, 0.36 s."""
    return b"".join(map(_tone, _FLAG_HZ))


def play_flag() -> None:
    """Play it on the default loudspeaker, in the background; where there is none, nothing happens."""
    threading.Thread(target=_play, args=(flag(),), name="earcon", daemon=True).start()


def _tone(frequency: float) -> bytes:
    """One tone that swells and fades, so that it does not click."""
    count = round(_RATE * _TONE_S)
    peak = 32767 * _LOUDNESS
    samples = (
        round(peak * math.sin(math.pi * n / count) * math.sin(2 * math.pi * frequency * n / _RATE))
        for n in range(count)
    )
    return struct.pack(f"<{count}h", *samples)


def _play(samples: bytes) -> None:
    try:
        sounddevice = importlib.import_module("sounddevice")
        with sounddevice.RawOutputStream(samplerate=_RATE, channels=1, dtype="int16") as stream:
            stream.write(samples)
            stream.stop()  # when all of it has been played
    # ImportError, OSError: the package or its C library is missing; PortAudioError: no device, or a busy one.
    except Exception as error:  # noqa: BLE001 - a sound that cannot be played must not end a game
        _LOG.info("no earcon: %s", error)
