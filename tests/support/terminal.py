# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program in a real terminal, with somebody who presses keys there."""

import codecs
import os
import select
import subprocess
import threading

import pyte

from support.program import PROGRAM, environment


class Player:
    """The program in a terminal."""

    def __init__(self, home, *arguments):
        self.user, self.terminal = os.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdin=self.terminal, stdout=self.terminal, stderr=self.terminal, env=environment(home),
        )  # fmt: skip
        self.seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._more = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

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
        status = self.process.wait(60)
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
        self.process.kill()
        self.process.wait()
        self._close_terminal()
        self._thread.join(10)
        os.close(self.user)
