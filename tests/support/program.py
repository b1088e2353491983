# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program, run as a user would run it."""

import io
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import chess.pgn

from acessivel.messages.rendering import catalogue
from support.call import call
from support.languages import LANGUAGES

PROGRAM = Path(sys.executable).with_name("acessivel")
_AT_THE_START = {"PULSE_SERVER", "BRLAPI_HOST", "PYTHONPATH", "ACESSIVEL_LANGUAGES"}
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
    """A home of its own, no sound server, no display; Portuguese, the default of an unknown locale.

    The program is on the path, so that what is told to be typed begins with its name.
    """
    kept = {name: value for name, value in os.environ.items() if name in ("VIRTUAL_ENV", "LD_LIBRARY_PATH")}
    return {
        **kept,
        "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "LC_ALL": "C.UTF-8",
        "BRLAPI_HOST": "127.0.0.1:19999",
        "PULSE_SERVER": f"unix:{home}/none",
        **more,
    }


def run(home, *arguments, typed="", status=0, **more):
    """Run a command to its end; its lines of output and of errors.

    It is called in this process, which saves the start of another. With a sound server, a display or modules
    of its own it is a process all the same: the libraries keep to the first that they find.
    """
    command, env = [str(PROGRAM), *map(str, arguments)], environment(home, **more)
    return _ended(_process if more.keys() & _AT_THE_START else call, command, typed, env, status)


def run_process(home, *arguments, typed="", status=0, **more):
    """The same, always as a process: where it is tested how that begins, reads, writes and ends."""
    command, env = [str(PROGRAM), *map(str, arguments)], environment(home, **more)
    return _ended(_process, command, typed, env, status)


def _ended(runs, command, typed, env, status):
    code, told, errors = runs(command, typed.encode() if isinstance(typed, str) else typed, env)
    errors = errors.decode(errors="replace")
    assert code == status, (code, told.decode(errors="replace"), errors, _logged(env["HOME"]))
    assert "Traceback" not in errors
    return told.decode().splitlines(), without_patience(errors)


def _logged(home):
    """What the program has logged, such as where an error that it did not expect came from."""
    return "".join(log.read_text("utf-8") for log in Path(home).rglob("acessivel.log"))


def without_patience(errors):
    """The lines of errors without those that a busy machine adds: that something takes long, or is being tried."""
    sentences = [catalogue(language) for language in LANGUAGES]
    begins = tuple(each[key].partition("{")[0] for each in sentences for key in ("working", "doctor_tries"))
    return [line for line in errors.splitlines() if not line.startswith(begins)]


def _process(command, typed, env):
    done = subprocess.run(command, input=typed, capture_output=True, timeout=120, env=env, check=False)
    return done.returncode, done.stdout, done.stderr


def game_of(home, save=None, number=1):
    """A game of the journal in a folder, or else of the user's own, as its record tells it."""
    lines, _ = run(home, "record", number, *(("--save", save) if save else ()))
    return chess.pgn.read_game(io.StringIO("\n".join(lines) + "\n"))


def sans(game):
    """The moves of a game."""
    return [node.san() for node in game.mainline()]


def script(*utterances):
    return "".join(f"{utterance}\n" for utterance in utterances)


def confirmed(*announcements, yes="sim"):
    return script(*(line for announcement in announcements for line in (announcement, yes)))


class Told:
    """What the program in play says is read line by line, without a time-out of its own."""

    def __init__(self, lines):
        self.lines = []
        self._queue = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(lines,), daemon=True)
        self._reader.start()

    def _read(self, lines):
        for line in lines:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, text, timeout=30):
        """The next line that contains a text."""
        while True:
            try:
                line = self._queue.get(timeout=timeout)
            except queue.Empty:
                raise AssertionError(f"no line with {text!r} in time; said: {self.lines}") from None
            assert line is not None, f"ended without {text!r}; said: {self.lines}"
            self.lines.append(line)
            if text in line:
                return line


class Running(Told):
    """The program in play, as a process: where one is killed, has devices, or runs beside another."""

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
        super().__init__(self.process.stdout)

    def type(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

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
            self.errors = errors = self.process.stderr.read()
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
