# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program, run as a user would run it."""

import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("acessivel")
QUIET = ("--hear", "keyboard", "--speak", "off", "--braille", "off")

# The sample game of the Laws, as it is announced; the last is the king's move that the text writes Rb1.
SAMPLE_WORDS = (
    "Eva vier", "Eva fünf", "Springer Felix drei", "Springer Felix sechs", "David vier", "Eva schlägt David vier",
    "Eva fünf", "Springer Eva vier", "Dame schlägt David vier", "David fünf", "Eva schlägt David sechs en passant",
    "Springer schlägt David sechs", "Läufer Gustav fünf", "Springer Cesar sechs", "Dame Eva drei Schach",
    "Läufer Eva sieben", "Springer Bella David zwei", "Kurze Rochade", "Lange Rochade", "Turm Eva acht",
    "König Bella eins",
)  # fmt: skip
SAMPLE_SAN = "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1".split()
SAMPLE_FEN = "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R b - - 9 11"


def environment(home, **more):
    """A home of its own, no sound server, no display; Portuguese, the default of an unknown locale."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in ("PATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    }
    return {
        **kept,
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "LC_ALL": "C.UTF-8",
        "BRLAPI_HOST": "127.0.0.1:19999",
        "PULSE_SERVER": f"unix:{home}/none",
        **more,
    }


def run(home, *arguments, typed="", status=0, **more):
    """Run a command to its end; its lines of output and of errors."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        timeout=120,
        env=environment(home, **more),
        check=False,
    )
    errors = done.stderr.decode(errors="replace")
    assert done.returncode == status, (done.returncode, done.stdout.decode(errors="replace"), errors)
    assert "Traceback" not in errors
    return done.stdout.decode().splitlines(), errors.splitlines()


def script(*utterances):
    return "".join(f"{utterance}\n" for utterance in utterances)


def confirmed(*announcements, yes="sim"):
    return script(*(line for announcement in announcements for line in (announcement, yes)))


class Running:
    """The program in play: what it says is read line by line, without a time-out of its own."""

    def __init__(self, home, *arguments, **more):
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home, **more),
            text=True,
            encoding="utf-8",
        )
        self.lines = []
        self._queue = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def type(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def wait_for(self, text, timeout=30):
        """The next line that contains a text."""
        while True:
            try:
                line = self._queue.get(timeout=timeout)
            except queue.Empty:
                raise AssertionError(f"no line with {text!r} in time; said: {self.lines}") from None
            assert line is not None, f"ended ({self.process.wait(10)}) without {text!r}; said: {self.lines}"
            self.lines.append(line)
            if text in line:
                return line

    def kill(self):
        self.process.kill()
        self.close()

    def close(self, status=None):
        """Wait for the end, after the input has been closed; a second time does nothing."""
        if self.process.stdout.closed:
            return
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            code = self.process.wait(timeout=60)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._reader.join(10)
            errors = self.process.stderr.read()
            self.process.stderr.close()
            self.process.stdout.close()
        assert "Traceback" not in errors, errors
        assert status is None or code == status, (code, errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.close()
