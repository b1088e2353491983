# SPDX-License-Identifier: GPL-3.0-or-later
"""The program in play, called in a thread of this process: each line is typed when its answer was read."""

import os
import shutil
import threading

from support.call import NAME, called, stream, written
from support.program import Told, environment


class Talking(Told):
    """The program in play, one at a time: while it runs, the environment and the streams of this process are its own.

    It begins and ends within a test: between a fixture and a test, pytest changes the streams.
    """

    def __init__(self, home, *arguments):
        (given, typed), (told, said) = os.pipe(), os.pipe()
        self._typed, self._told = os.fdopen(typed, "w", encoding="utf-8"), os.fdopen(told, encoding="utf-8")
        self._streams = os.fdopen(given, encoding="utf-8"), os.fdopen(said, "w", encoding="utf-8"), stream()
        self._code = None
        command, env = [NAME, *map(str, arguments)], environment(home)
        self._thread = threading.Thread(target=self._run, args=(command, env), daemon=True)
        self._thread.start()
        super().__init__(self._told)

    def _run(self, command, env):
        stdin, stdout, stderr = self._streams
        with stdin, stdout:
            self._code = called(command, env, stdin, stdout, stderr)

    def type(self, line):
        self._typed.write(f"{line}\n")
        self._typed.flush()

    def close(self, status=None):
        """Wait for the end, after the input has been closed; a second time does nothing."""
        if self._told.closed:
            return
        self._typed.close()
        self._thread.join(60)
        assert not self._thread.is_alive(), self.lines
        self._reader.join(10)
        self._told.close()
        with self._streams[2] as stderr:
            errors = written(stderr).decode()
        assert "Traceback" not in errors, errors
        assert status is None or self._code == status, (self._code, errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def as_killed(save):
    """A copy of the folder of a game in play, as a program that is killed now would leave it."""
    return shutil.copytree(save, save.with_name("killed"))
