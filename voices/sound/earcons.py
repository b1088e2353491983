# SPDX-License-Identifier: GPL-3.0-or-later
"""Earcons: short tones of our own: one for each kind of message, with its sentence; and one for listening."""

from __future__ import annotations

import importlib
import logging
import math
import struct
import threading
import time
from collections.abc import Callable, Iterable, Mapping

from voices.sound.source import leave_portaudio

RATE = 48_000
_LOUDNESS = 0.6  # of full scale
_LONGEST_S = 1.0
_playing: list[threading.Thread] = []
_LOG = logging.getLogger(__name__)
# Each sound as its tones: Hz, and ms. They differ in direction, pitch and number, for people who hear few
# frequencies.
_TONES: Mapping[str, tuple[tuple[float, int], ...]] = {
    "border": ((330.0, 90),),
    "capture": ((660.0, 60), (440.0, 90)),
    "check": ((880.0, 70), (1175.0, 110)),
    "refusal": ((220.0, 110), (165.0, 150)),
    "low_time": ((990.0, 50), (990.0, 50), (990.0, 50)),
    "flag": ((1320.0, 120), (880.0, 120), (440.0, 120)),
    "ready": ((523.0, 45), (784.0, 45)),
}
READY = "ready"
"""The one that comes without a sentence: the program listens from now on."""
KNOWN = tuple(_TONES)
NAMES = tuple(name for name in KNOWN if name != READY)
"""Those that accompany sentences: what "all" means."""


class EarconsError(ValueError):
    """Earcons that are neither "none" nor names, or "all", joined by commas."""


def parse(text: str) -> tuple[str, ...]:
    """Read "all,ready", "none" or "check,border" as names, in the order of `KNOWN`. Raises EarconsError."""
    if text == "none":
        return ()
    named = {name.strip() for name in text.split(",")}
    if "all" in named:
        named = named - {"all"} | set(NAMES)
    if not named <= set(KNOWN):
        raise EarconsError(text)
    return tuple(name for name in KNOWN if name in named)


def written(names: Iterable[str]) -> str:
    """The text that `parse` reads as these names."""
    text = ",".join(names)
    return text.replace(",".join(NAMES), "all") or "none"


def sound(name: str) -> bytes:
    """An earcon: mono s16le at 48 kHz. Raises KeyError if there is none of that name."""
    return b"".join(_tone(frequency, ms) for frequency, ms in _TONES[name])


def play(names: Iterable[str], on_end: Callable[[], None] = lambda: None) -> None:
    """Play earcons one after another on the default loudspeaker, in the background; then call `on_end`.

    Without a loudspeaker nothing is played, and `on_end` is called all the same.
    """
    if samples := b"".join(map(sound, names)):
        thread = threading.Thread(target=_play, args=(samples, on_end), name="earcon", daemon=True)
        thread.start()
        _playing[:] = [each for each in (*_playing, thread) if each.is_alive()]
    else:
        on_end()


def finish() -> None:
    """Wait a moment for the end of what is being played: PortAudio must not end before."""
    until = time.monotonic() + _LONGEST_S
    try:
        for thread in _playing:
            thread.join(max(0.0, until - time.monotonic()))
    finally:
        if any(thread.is_alive() for thread in _playing):
            leave_portaudio()


def _tone(frequency: float, ms: int) -> bytes:
    """One tone, faded in and out so that it does not click."""
    count = RATE * ms // 1000
    peak = 32767 * _LOUDNESS
    samples = (
        round(peak * math.sin(math.pi * n / count) * math.sin(2 * math.pi * frequency * n / RATE))
        for n in range(count)
    )
    return struct.pack(f"<{count}h", *samples)


def _play(samples: bytes, on_end: Callable[[], None]) -> None:
    try:
        sounddevice = importlib.import_module("sounddevice")
        with sounddevice.RawOutputStream(samplerate=RATE, channels=1, dtype="int16") as stream:
            stream.write(samples)
            stream.stop()  # when all of it has been played
    # ImportError, OSError: the package or its C library is missing; PortAudioError: no device, or a busy one.
    except Exception as error:  # noqa: BLE001 - a sound that cannot be played must not end a game
        _LOG.info("no earcon: %s", error)
    on_end()
