# SPDX-License-Identifier: GPL-3.0-or-later
"""Audio blocks -> one FLAC file that grows by whole segments, so that a crash loses none of it.

Only the owner may read it: it has what was said in a room.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voices.packages import load
from voices.sound.source import RATE

FORMATS = ("flac", "wav")
_SUBTYPE = "PCM_16"
_OWNER = 0o600  # the rights of its files
_DAMAGED = ".damaged"  # ends the name of a segment that is set aside
_BLOCK = 10 * RATE  # samples read at once


class TapeDamagedError(Exception):
    """A file of the tape cannot be read as sound."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class Tape:
    """A recording that can be continued: mono, 16 kHz, s16le; times are in seconds from its beginning.

    Each utterance is a segment of its own beside the file, named by the sample at which it begins, until
    `finish` joins it to the file. A segment that lies before the end of the file has been joined already, so
    a crash at any moment loses nothing and duplicates nothing. One that cannot be read is left out, and set
    aside when the others are joined. Raises MissingPartError without the package
    soundfile.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._soundfile = load("soundfile", "voice")

    def end(self) -> float:
        """How long it is. Raises TapeDamagedError or OSError if that cannot be determined."""
        return max((begin + count for begin, count, _ in self._pieces()), default=0) / RATE

    def add(self, audio: bytes, begin: float) -> float:
        """Store an utterance that begins at a time, on disk when this returns; returns its end.

        Raises OSError.
        """
        folder = self._segments
        folder.mkdir(mode=0o700, exist_ok=True)
        segment = folder / f"{round(begin * RATE):012}.flac"
        written = segment.with_suffix(".part")
        try:
            written.touch(_OWNER)
            with written.open("wb") as file:
                file.write(encoded(audio, "flac"))
                file.flush()
                os.fsync(file.fileno())
            written.replace(segment)
        finally:
            written.unlink(missing_ok=True)
        return begin + len(audio) // 2 / RATE

    def finish(self) -> None:
        """Join the segments to the file. Raises OSError or TapeDamagedError, and then changes nothing."""
        pieces = self._pieces()
        damaged = set(self._later()).difference(path for _, _, path in pieces)
        if any(path != self.path for _, _, path in pieces):
            written = self.path.with_name(f".{self.path.name}.part")
            try:
                written.touch(_OWNER)
                self._join(pieces, written)
                written.replace(self.path)
            finally:
                written.unlink(missing_ok=True)
        if self._segments.is_dir():
            for segment in self._segments.iterdir():
                if segment in damaged:
                    segment.rename(segment.with_suffix(_DAMAGED))
                elif segment.suffix != _DAMAGED:
                    segment.unlink(missing_ok=True)
            with contextlib.suppress(OSError):  # what is set aside stays
                self._segments.rmdir()

    def read(self, begin: float, end: float) -> bytes:
        """A stretch of it, mono s16le at 16 kHz; gaps are silence. Raises OSError or TapeDamagedError."""
        first, last = round(begin * RATE), round(end * RATE)
        sound = bytearray(2 * (last - first))
        for start, count, path in self._pieces():
            since, until = max(first, start), min(last, start + count)
            if since < until:
                with self._opened(path) as file:
                    file.seek(since - start)
                    found = file.read(until - since, dtype="int16").astype("<i2").tobytes()
                sound[2 * (since - first) : 2 * (since - first) + len(found)] = found
        return bytes(sound)

    @property
    def _segments(self) -> Path:
        return self.path.with_suffix(".parts")

    def _pieces(self) -> list[tuple[int, int, Path]]:
        """The file and what is to be joined to it, in this order: first sample, number of samples, where."""
        pieces: list[tuple[int, int, Path]] = []
        if self.path.exists():
            pieces.append((0, self._length(self.path), self.path))
        for path in self._later():
            with contextlib.suppress(TapeDamagedError):
                pieces.append((int(path.stem), self._length(path), path))
        return pieces

    def _later(self) -> list[Path]:
        """The segments that have not been joined to the file."""
        joined = self._length(self.path) if self.path.exists() else 0
        segments = sorted(self._segments.glob("*.flac")) if self._segments.is_dir() else []
        return [path for path in segments if path.stem.isdecimal() and int(path.stem) >= joined]

    def _length(self, path: Path) -> int:
        with self._opened(path) as file:
            return int(file.frames)

    def _opened(self, path: Path) -> Any:
        try:
            return self._soundfile.SoundFile(path)
        except RuntimeError as error:
            raise TapeDamagedError(path) from error

    def _join(self, pieces: list[tuple[int, int, Path]], written: Path) -> None:
        with self._soundfile.SoundFile(written, "w", RATE, 1, _SUBTYPE, format="FLAC") as whole:
            for begin, _, path in pieces:
                whole.write(_silence(begin - whole.frames))
                for samples in self._samples(path):
                    whole.write(samples)
        # libsndfile does not report a full disk.
        if self._length(written) != pieces[-1][0] + pieces[-1][1]:
            raise TapeDamagedError(written)
        with written.open("rb+") as file:
            os.fsync(file.fileno())

    def _samples(self, path: Path) -> Iterator[Any]:
        with self._opened(path) as file:
            yield from file.blocks(_BLOCK, dtype="int16")


def encoded(audio: bytes, form: str) -> bytes:
    """Mono s16le sound at 16 kHz as a file of one of FORMATS. Raises MissingPartError without soundfile."""
    numpy, soundfile = load("numpy", "voice"), load("soundfile", "voice")
    file = io.BytesIO()
    samples = numpy.frombuffer(audio, "<i2")
    soundfile.write(file, samples, RATE, format=form.upper(), subtype=_SUBTYPE)
    return file.getvalue()


def _silence(samples: int) -> Any:
    return load("numpy", "voice").zeros(max(0, samples), "int16")
