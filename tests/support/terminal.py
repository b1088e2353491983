# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed program in a real terminal, with somebody who presses keys there."""

import os
import subprocess
import threading

from support.program import PROGRAM, environment


class Player:
    """The program in a terminal."""

    def __init__(self, home, *arguments):
        self.user, terminal = os.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdin=terminal, stdout=terminal, stderr=terminal, env=environment(home),
        )  # fmt: skip
        os.close(terminal)
        self.seen = ""
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
                self.seen += text.decode(errors="replace")
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
        self._thread.join(10)
        return self.seen, status

    def close(self):
        self.process.kill()
        self.process.wait()
        self._thread.join(10)
        os.close(self.user)
