# SPDX-License-Identifier: GPL-3.0-or-later
"""A microphone or a WAV file as one source of audio blocks: mono s16le at 16 kHz, 30 ms each."""

from __future__ import annotations

import atexit
import contextlib
import math
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from voices.packages import MissingPartError, load

RATE = 16_000
BLOCK_MS = 30
BLOCK_BYTES = RATE * BLOCK_MS // 1000 * 2
# One utterance lasts a few seconds; a far longer file is the wrong file.
LONGEST_RECORDING_S = 300
_RATES = range(4_000, 768_001)
_MOST_CHANNELS = 64
_MICROPHONE_SILENT_S = 3.0
_CLOSING_S = 2.0
# How much sound a loudspeaker is given ahead, so that it does not stutter on a busy machine.
_AHEAD_S = 0.3


class SoundError(Exception):
    """A microphone or a recording cannot be used; `reason` is one sentence in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class SoundMissingError(SoundError):
    """A package that sound needs, or its C library, is not on this machine."""


class NoSuchMicrophoneError(SoundError):
    """No microphone has that name or number, or several have the name."""


class NoSuchRecordingError(SoundError):
    """There is no file of that name."""


class TooLongError(SoundError):
    """A recording is longer than LONGEST_RECORDING_S."""


class Source(Protocol):
    """Blocks of audio, each BLOCK_BYTES long; iterating raises SoundError if the sound breaks off.

    `waits` is true for a source that loses nothing while it is not read (a file).
    """

    waits: bool

    @property
    def waiting(self) -> int:
        """How many blocks were recorded but not read yet, including those on their way through the device."""

    def __iter__(self) -> Iterator[bytes]: ...

    def close(self) -> None:
        """Release the device or the file; a thread that iterates comes to the end."""


def is_recording(name: str) -> bool:
    """Whether the name given for a microphone is that of a file."""
    with contextlib.suppress(OSError):  # of a folder that nobody may look into, or too long a name
        return name.lower().endswith(".wav") or Path(name).is_file()
    return False


def open_source(microphone: str | None) -> Source:
    """The microphone of that name or number (None: the default one), or a WAV file. Raises SoundError."""
    if microphone is not None and is_recording(microphone):
        return open_wav(Path(microphone), realtime=False)
    return open_microphone(microphone)


def open_wav(path: Path, realtime: bool) -> Source:
    """A WAV file of any rate, width and number of channels. Raises SoundError if it is not sound.

    With `realtime` the blocks come as fast as they were spoken, otherwise as fast as they are read.
    """
    return _WavFile(path, realtime)


def open_microphone(device: str | None) -> Source:
    """The input device whose name contains `device` (or of that number; None: the default).

    Raises SoundError.
    """
    return _Microphone(device)


def microphones() -> tuple[str, ...]:
    """The names of the input devices, numbered where several are alike; none if they cannot be listed."""
    with contextlib.suppress(SoundError):
        sounddevice = _load("sounddevice")
        with contextlib.suppress(sounddevice.PortAudioError):
            devices = enumerate(sounddevice.query_devices())
            found = [(number, each["name"]) for number, each in devices if each["max_input_channels"]]
            names = Counter(name for _, name in found)
            return tuple(f"{number}: {name}" if names[name] > 1 else name for number, name in found)
    return ()


def has_loudspeaker() -> bool:
    """Whether there is a device that can play sound; true if that is unknown."""
    try:
        sounddevice = _load("sounddevice")
    except SoundError:
        return True
    try:
        return bool(sounddevice.query_devices(kind="output"))
    except (sounddevice.PortAudioError, ValueError):
        return False


def read_wav(path: Path) -> bytes:
    """A whole recording as mono s16le at 16 kHz.

    Raises SoundError, TooLongError if it exceeds LONGEST_RECORDING_S.
    """
    pieces, size = [], 0
    for block in open_wav(path, realtime=False):
        pieces.append(block)
        size += len(block)
        if size > LONGEST_RECORDING_S * RATE * 2:
            raise TooLongError(f"{path} is longer than {LONGEST_RECORDING_S // 60} minutes.")
    return b"".join(pieces)


def play(audio: bytes) -> None:
    """Play mono s16le sound at 16 kHz on the default loudspeaker, to its end.

    Raises SoundError without one.
    """
    sounddevice = _load("sounddevice")
    try:
        with sounddevice.RawOutputStream(
            samplerate=RATE, channels=1, dtype="int16", latency=_AHEAD_S
        ) as stream:
            # A stream that is stopped drops what is still ahead, up to twice as much as was asked for.
            stream.write(audio + bytes(round(2 * _AHEAD_S * RATE) * 2))
            stream.stop()
    except (sounddevice.PortAudioError, ValueError) as error:
        raise SoundError(f"The loudspeaker cannot be used: {_first_line(error)}") from error


def leave_portaudio() -> None:
    """Let the program end without PortAudio's own end, which waits for ever, or frees what is in use."""
    if sounddevice := sys.modules.get("sounddevice"):
        atexit.unregister(sounddevice._exit_handler)  # noqa: SLF001 - it has no other way


def _load(package: str) -> Any:
    try:
        return load(package, "voice")
    except MissingPartError as error:
        raise SoundMissingError(error.reason) from error


class _Converter:
    """Converts sound of any rate and number of channels to blocks."""

    def __init__(self, rate: int, channels: int) -> None:
        if rate not in _RATES:
            raise SoundError(f"A sample rate of {rate} Hz cannot be used.")
        if not 1 <= channels <= _MOST_CHANNELS:
            raise SoundError(f"Sound with {channels} channels cannot be used.")
        self._numpy = _load("numpy")
        self._stream = _load("soxr").ResampleStream(rate, RATE, 1, dtype="float32") if rate != RATE else None
        self._rest = b""

    def convert(self, samples: Any, *, last: bool = False) -> Iterator[bytes]:
        """Whole blocks from float32 samples, shape (frames, channels), -1..1; the last one padded."""
        numpy = self._numpy
        # Clipped before anything is reckoned with it: a file of floats can have the largest there are.
        mono = numpy.nan_to_num(samples).clip(-1, 1).mean(axis=1, dtype="float32")
        if self._stream is not None:
            mono = self._stream.resample_chunk(mono, last=last)
        self._rest += (mono.clip(-1, 1) * 32767).round().astype("<i2").tobytes()
        if last:
            self._rest += bytes(-len(self._rest) % BLOCK_BYTES)
        whole = len(self._rest) // BLOCK_BYTES * BLOCK_BYTES
        ready, self._rest = self._rest[:whole], self._rest[whole:]
        for start in range(0, whole, BLOCK_BYTES):
            yield ready[start : start + BLOCK_BYTES]


class _WavFile:
    """A WAV file."""

    waiting = 0  # each block comes when it is read

    def __init__(self, path: Path, realtime: bool) -> None:
        self.waits = not realtime
        self._path = path
        self._soundfile = _load("soundfile")
        self._closed = False
        try:
            if not path.exists():
                raise NoSuchRecordingError(f"There is no file {path}.")
            if not path.is_file():
                raise SoundError(f"{path} is not a file.")
            # Opened here only to reject at once a file that is not sound.
            with self._soundfile.SoundFile(path) as file:
                empty = file.frames == 0
                _Converter(file.samplerate, file.channels)
        except (OSError, RuntimeError, ValueError) as error:  # the last of a name that is no UTF-8
            raise SoundError(f"{path} cannot be read as sound: {_first_line(error)}") from error
        if empty:
            raise SoundError(f"{path} contains no sound.")

    def __iter__(self) -> Iterator[bytes]:
        due = time.monotonic()
        for block in self._blocks():
            if self._closed:
                return
            if not self.waits:
                due += BLOCK_MS / 1000
                time.sleep(max(0.0, due - time.monotonic()))
            yield block

    def close(self) -> None:
        self._closed = True

    def _blocks(self) -> Iterator[bytes]:
        try:
            with self._soundfile.SoundFile(self._path) as file:
                convert = _Converter(file.samplerate, file.channels).convert
                for samples in file.blocks(file.samplerate // 10, dtype="float32", always_2d=True):
                    yield from convert(samples)
                yield from convert(file.read(0, dtype="float32", always_2d=True), last=True)
        except (OSError, RuntimeError) as error:
            raise SoundError(f"{self._path} cannot be read as sound: {_first_line(error)}") from error


class _Microphone:
    """An input device; the driver's own thread fills a queue, so that a dead device is noticed."""

    waits = False

    def __init__(self, device: str | None) -> None:
        self._sounddevice = _load("sounddevice")
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._numpy = _load("numpy")
        number = self._number(device)
        # PortAudioError is an Exception of its own.
        try:
            self._channels, rate = self._format(number)
            self._converter = _Converter(rate, self._channels)
            self._stream = self._sounddevice.RawInputStream(
                samplerate=rate,
                blocksize=rate * BLOCK_MS // 1000,
                device=number,
                channels=self._channels,
                dtype="int16",
                callback=self._arrived,
                finished_callback=self._finished,
            )
            self._stream.start()
            self._late = math.ceil(float(self._stream.latency) * 1000 / BLOCK_MS)
        except (self._sounddevice.PortAudioError, ValueError) as error:
            which = (
                "no microphone can be opened"
                if device is None
                else f"the microphone {device} cannot be opened"
            )
            raise SoundError(f"{which.capitalize()}: {_first_line(error)}") from error

    def __iter__(self) -> Iterator[bytes]:
        while True:
            arrived = self._next()
            if arrived is None:
                if self._stream.closed:
                    return
                raise SoundError("The microphone has gone away.")
            samples = self._numpy.frombuffer(arrived, dtype="int16").reshape(-1, self._channels)
            yield from self._converter.convert(samples / self._numpy.float32(32768))

    def _next(self) -> bytes | None:
        """The next samples; one wait alone may have passed while the program itself was stopped (Ctrl+Z)."""
        for _ in range(2):
            with contextlib.suppress(queue.Empty):
                return self._queue.get(timeout=_MICROPHONE_SILENT_S / 2)
        raise SoundError("The microphone has stopped giving sound.")

    @property
    def waiting(self) -> int:
        return self._queue.qsize() + self._late

    def close(self) -> None:
        # A sound server that hangs never lets go of it.
        closing = threading.Thread(target=self._stream.close, name="microphone-close", daemon=True)
        closing.start()
        closing.join(_CLOSING_S)
        if closing.is_alive():
            leave_portaudio()
        self._queue.put(None)

    def _arrived(self, data: Any, _frames: int, _time: Any, _status: Any) -> None:
        self._queue.put(bytes(data))

    def _finished(self) -> None:
        self._queue.put(None)

    def _number(self, device: str | None) -> int | None:
        if device is None:
            return None
        try:
            named = int(device) if device.isdecimal() else device
            return int(self._sounddevice.query_devices(named, "input")["index"])
        except (self._sounddevice.PortAudioError, ValueError, OverflowError) as error:
            why = f"The microphone {device} cannot be opened: {_first_line(error)}"
            raise NoSuchMicrophoneError(why) from error

    def _format(self, device: int | None) -> tuple[int, int]:
        """Channels and sample rate: 16 kHz mono if the device can do that, else the device's own."""
        found = self._sounddevice.query_devices(device, "input")
        own, most = int(found["default_samplerate"]), int(found["max_input_channels"])
        for channels, rate in ((1, RATE), (1, own)):
            try:
                self._sounddevice.check_input_settings(device, channels, "int16", samplerate=rate)
            except self._sounddevice.PortAudioError:
                continue
            return channels, rate
        return min(most, 2), own


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
