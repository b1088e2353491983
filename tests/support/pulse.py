# SPDX-License-Identifier: GPL-3.0-or-later
"""A PulseAudio of the test's own: a speaker to record and a microphone to speak into, without a sound card."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import numpy as np

# Without norewinds the blocks are 2 s long.
_MODULES = """\
load-module module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={socket}
load-module module-null-sink sink_name=speaker rate=48000 channels=2 format=s16le norewinds=1
load-module module-null-sink sink_name=mic_feed rate=16000 channels=1 format=s16le norewinds=1
load-module module-remap-source source_name=mic master=mic_feed.monitor rate=16000 channels=1 format=s16le
set-default-sink speaker
set-default-source mic
"""


WAV_HEADER = 44  # bytes


class PrivatePulse:
    """A running server between `with` and its end; `env` is the environment of programs that use it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pulse-", ignore_cleanup_errors=True)
        self.folder = Path(self._folder.name)
        for name in ("home", "run"):
            (self.folder / name).mkdir(mode=0o700)
        self.env = {
            **os.environ,
            "PULSE_SERVER": f"unix:{self.folder}/native",
            "PULSE_CLIENTCONFIG": "/dev/null",
            "HOME": str(self.folder / "home"),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
        }

    def __enter__(self) -> Self:
        self.start()
        return self

    def start(self) -> None:
        """Begin, also after a `stop`; returns when there is a microphone."""
        script = self.folder / "modules"
        script.write_text(_MODULES.format(socket=self.folder / "native"))
        options = "--daemonize=no --exit-idle-time=-1 --disallow-exit --use-pid-file=no --realtime=no"
        self._server = subprocess.Popen(
            ["pulseaudio", "-n", "-F", str(script), *options.split()],
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 15
        while self._ask("get-default-source") != "mic":
            if self._server.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError("PulseAudio does not start")
            time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._folder.cleanup()

    def stop(self) -> None:
        """End the server, as when it crashes."""
        self._server.kill()
        self._server.wait()

    @contextlib.contextmanager
    def hanging(self) -> Iterator[None]:
        """Meanwhile the server answers nothing."""
        self._server.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._server.send_signal(signal.SIGCONT)

    def play_into_microphone(self, wav_path: Path) -> None:
        """Speak a recording into the microphone; returns when it is over."""
        subprocess.run(["paplay", "--device=mic_feed", str(wav_path)], env=self.env, check=True)

    def add_sink(self, name: str) -> str:
        """One more loudspeaker, or headphones; the number to unplug it by."""
        arguments = "rate=48000 channels=2 format=s16le norewinds=1".split()
        number = self._ask("load-module", "module-null-sink", f"sink_name={name}", *arguments)
        assert number
        return number

    @contextlib.contextmanager
    def microphone_at_speaker(self) -> Iterator[None]:
        """Meanwhile the microphone hears the speaker."""
        wire = ("source=speaker.monitor", "sink=mic_feed", "latency_msec=20")
        number = self._ask("load-module", "module-loopback", *wire)
        assert number
        try:
            yield
        finally:
            self.unplug(number)

    def unplug(self, number: str) -> None:
        """Take away what `add_sink` added."""
        self._ask("unload-module", number)

    @contextlib.contextmanager
    def record_speaker(self, wav_path: Path, sink: str = "speaker") -> Iterator[None]:
        """Record into a WAV file what the speaker, or another sink, plays meanwhile (48 kHz stereo)."""
        command = [
            "parec",
            f"--device={sink}.monitor",
            "--file-format=wav",
            "--latency-msec=20",
            str(wav_path),
        ]
        # What was recorded before would be taken for a recorder that hears.
        wav_path.unlink(missing_ok=True)
        recorder = subprocess.Popen(command, env=self.env)
        try:
            # The file is there before the recorder hears anything: a short word would be missed.
            while not wav_path.exists() or wav_path.stat().st_size <= WAV_HEADER:
                assert recorder.poll() is None, "the recorder has ended"
                time.sleep(0.01)
            yield
        finally:
            recorder.terminate()
            recorder.wait()

    def playing(self) -> bool:
        """Whether any program is playing sound on the speaker."""
        return bool(self._ask("list", "short", "sink-inputs"))

    def sounding(self) -> set[str]:
        """The names of the sinks that programs are playing sound on."""
        sinks = (line.split("\t") for line in self._ask("list", "short", "sinks").splitlines())
        names = {fields[0]: fields[1] for fields in sinks}
        inputs = (line.split("\t") for line in self._ask("list", "short", "sink-inputs").splitlines())
        return {names[fields[1]] for fields in inputs}

    def _ask(self, *question: str) -> str:
        asked = subprocess.run(
            ["pactl", *question], env=self.env, capture_output=True, text=True, check=False
        )
        return asked.stdout.strip()


class Ear:
    """Listens to the speaker: for how long it has sounded, how loud at most, and how long it is silent since."""

    _BLOCK_S = 0.05

    def __init__(self, pulse: PrivatePulse) -> None:
        self.sounding = self.silent = self.loudest = 0.0
        self._heard = threading.Condition()
        command = (
            "parec --device=speaker.monitor --raw --rate=48000 --channels=2 --format=s16le --latency-msec=20"
        )
        self._process = subprocess.Popen(command.split(), env=pulse.env, stdout=subprocess.PIPE)
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        while block := self._process.stdout.read(round(self._BLOCK_S * 48_000) * 4):
            with self._heard:
                if peak := np.abs(np.frombuffer(block, "<i2").astype(int)).max():
                    self.sounding, self.silent = self.sounding + self._BLOCK_S, 0.0
                    self.loudest = max(self.loudest, peak / 2**15)
                else:
                    self.silent += self._BLOCK_S
                self._heard.notify_all()

    def wait_for_sound(self) -> None:
        """Half a second of sound more."""
        with self._heard:
            until = self.sounding + 0.5
            assert self._heard.wait_for(lambda: self.sounding >= until, 30)

    def wait_for_silence(self) -> None:
        """Longer than a pause between two sentences, or two voices."""
        with self._heard:
            assert self._heard.wait_for(lambda: self.silent >= 1.5, 60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(5)
        self._process.stdout.close()
