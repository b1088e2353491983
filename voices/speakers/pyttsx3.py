# SPDX-License-Identifier: GPL-3.0-or-later
"""pyttsx3 in a worker process of its own, which is killed to silence it at once."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import IO, cast

import voices
from voices.speakers import Span, SpeakerFailedError, SpeakerMissingError
from voices.speakers.manner import Manner

# Where the worker finds this package whether it is installed or not, and nothing from the user's folder.
_ROOT = Path(voices.__file__).parents[1]

_STARTING_S = 10.0  # at most; usually 0.3

# What a player takes the sink from, by which of their plugins ALSA plays: PulseAudio's or PipeWire's.
_SINK = ("PULSE_SINK", "PIPEWIRE_NODE")


class Pyttsx3Speaker:
    """The system's voice. Raises SpeakerMissingError without pyttsx3, what speaks for it, or the player.

    A worker that has started takes about 100 ms to the first sound; the next one starts as soon as the last
    was killed. The worker takes about 30 MB. `sink` is the sink that it plays on, "" for the
    system's default.
    """

    name = "pyttsx3"
    limits: Mapping[str, tuple[int, int]] = MappingProxyType({})
    began = 0.0
    cut = False

    def __init__(self, sink: str = "") -> None:
        if importlib.util.find_spec("pyttsx3") is None:
            raise SpeakerMissingError("The package pyttsx3 is missing: pip install 'acessivel[voice]'.")
        if sys.platform == "linux" and shutil.which("aplay") is None:
            raise SpeakerMissingError("The program aplay is missing: apt-get install alsa-utils.")
        # A killed worker leaves its sound file behind.
        self._folder = tempfile.TemporaryDirectory(prefix="acessivel-voice-", ignore_cleanup_errors=True)
        self._environment = {"TMPDIR": self._folder.name, **(dict.fromkeys(_SINK, sink) if sink else {})}
        self._worker = _Worker(self._environment)
        self._manner = Manner()
        self._worker.ready.wait(_STARTING_S)
        if self._worker.failure:
            self.close()
            raise SpeakerMissingError(self._worker.failure)

    @property
    def failed(self) -> bool:
        """See `Speaker.failed`: the worker, or the player of its sound, has said why, or it died speaking."""
        return bool(self._worker.failure) or self._worker.broken

    def speak(self, spans: Sequence[Span], on_end: Callable[[], None]) -> None:
        """See `Speaker.speak`."""
        self.hush()
        if self._worker.failure:
            raise SpeakerFailedError(self._worker.failure)
        if not self._worker.alive:
            self._restart()
        self._worker.speak(spans, self._manner, on_end)

    def take(self, manner: Manner) -> None:
        """See `Speaker.take`; the voices of Windows have no pitch."""
        self._manner = manner

    def hush(self) -> None:
        """Stop speaking within 10 ms."""
        if self._worker.speaking:
            self._worker.end()
            self._restart()

    def close(self) -> None:
        """End the worker."""
        self._worker.end()
        self._folder.cleanup()

    def _restart(self) -> None:
        for left in Path(self._folder.name).iterdir():
            left.unlink(missing_ok=True)
        self._worker = _Worker(self._environment)


class _Worker:
    """One process, one thread that reads its answers, and the message that is being spoken."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "voices.speakers.pyttsx3_worker"],
            cwd=_ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,
        )
        self._input, self._output = (
            cast("IO[str]", self._process.stdin),
            cast("IO[str]", self._process.stdout),
        )
        self._lock = threading.Lock()
        self._on_end: Callable[[], None] | None = None
        self.failure = ""
        self.alive = True
        self.broken = False  # it ended by itself in the middle of a message
        self._ending = False
        self.ready = threading.Event()  # it has found a voice, or none
        self._reader = threading.Thread(target=self._read, name="pyttsx3", daemon=True)
        self._reader.start()

    @property
    def speaking(self) -> bool:
        """Whether a message has not ended yet."""
        return self._on_end is not None

    def speak(self, spans: Sequence[Span], manner: Manner, on_end: Callable[[], None]) -> None:
        with self._lock:
            self._on_end = on_end
        try:
            print(
                json.dumps([asdict(manner), [(span.text, span.language) for span in spans]]),
                file=self._input,
                flush=True,
            )
        # The reader sees the end of the process too, and reports it, unless the process had ended before.
        except OSError:
            self._break()
        if not self.alive:
            self._break()

    def end(self) -> None:
        """Kill it and whatever plays its sound, and wait until both are gone."""
        self._ending = True
        self._kill()
        if threading.current_thread() is not self._reader:
            self._reader.join()

    def _read(self) -> None:
        with self._output as answers:
            for line in answers:
                match json.loads(line):
                    case "ready":
                        self.ready.set()
                    case "ended":
                        self._ended()
                    case {"failed": reason}:
                        self.failure = f"pyttsx3 cannot speak: {reason}"
        self.alive = False
        self.ready.set()
        # A player can outlive a worker that something else killed.
        self._kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._input.close()
        self._break()

    def _break(self) -> None:
        """What is being spoken is over, and was not heard to its end, unless it was to be stopped."""
        self.broken = self.broken or (self.speaking and not self._ending)
        self._ended()

    def _ended(self) -> None:
        with self._lock:
            on_end, self._on_end = self._on_end, None
        if on_end:
            on_end()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            # Until it is waited for, its process id is not reused.
            if self._process.returncode is None:
                os.killpg(self._process.pid, signal.SIGKILL)
