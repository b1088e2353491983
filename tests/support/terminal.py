# SPDX-License-Identifier: GPL-3.0-or-later
"""The program in a real terminal, with somebody who presses keys there."""

import codecs
import contextlib
import os
import select
import subprocess
import threading

import pyte

from support.call import NAME, called
from support.program import PROGRAM, environment


class Player:
    """The program in a terminal, called in a thread of this process as `Talking` is: one at a time, in no fixture."""

    def __init__(self, home, *arguments):
        self.user, self.terminal = os.openpty()
        self.seen = ""
        self._start(list(map(str, arguments)), environment(home))
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._more = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _start(self, arguments, env):
        self._code = None
        self._program = threading.Thread(target=self._run, args=([NAME, *arguments], env), daemon=True)
        self._program.start()

    def _run(self, command, env):
        stdin, stdout, stderr = (os.fdopen(os.dup(self.terminal), mode, encoding="utf-8") for mode in "rww")
        with stdin, stdout, stderr:
            self._code = called(command, env, stdin, stdout, stderr)

    def wait(self):
        """Its exit status, when it has ended."""
        self._program.join(60)
        assert not self._program.is_alive(), self.seen
        return self._code

    def _end(self):
        """Drop what is being typed, and end the input."""
        with contextlib.suppress(OSError):
            os.write(self.user, b"\x15\x04")
        self.wait()

    def _read(self):
        while True:
            try:
                text = os.read(self.user, 1000)
            except OSError:
                return
            with self._more:
                self.seen += self._decoder.decode(text)
                self._more.notify_all()

    def press(self, keys, sentence):
        """Press keys and wait for a sentence that comes after them."""
        with self._more:
            before = len(self.seen) if keys else 0
            os.write(self.user, keys.encode())
            assert self._more.wait_for(lambda: sentence in self.seen[before:], 30), self.seen

    def read_to_end(self):
        """All that the program shows until it ends, and its exit status."""
        status = self.wait()
        self._close_terminal()
        self._thread.join(10)
        return self.seen, status

    @property
    def screen(self):
        """The lines that stand on the screen, as far as they are not empty."""
        screen = pyte.Screen(80, 200)
        with self._more:
            pyte.Stream(screen).feed(self.seen)
        return [line.rstrip() for line in screen.display if line.strip()]

    @property
    def left(self):
        """Whether something that was typed is left for the next program that reads here."""
        return bool(select.select([self.terminal], [], [], 0)[0])

    def _close_terminal(self):
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    def close(self):
        self._end()
        self._close_terminal()
        self._thread.join(10)
        os.close(self.user)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class PlayerOfAProcess(Player):
    """The program in a terminal as a process: where it is told of signals, or ends before another reads there."""

    def _start(self, arguments, env):
        terminal = self.terminal
        self._process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=terminal, stdout=terminal, stderr=terminal, env=env
        )

    def wait(self):
        return self._process.wait(60)

    def _end(self):
        self._process.kill()
        self._process.wait()
