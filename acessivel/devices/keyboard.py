# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyboard, or a pipe in its place: lines of text as events, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

LONGEST = 1000  # characters; the rest of a longer line is dropped, as it cannot mean anything


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class KeyboardEnded:
    """No more lines will come."""


class Keyboard:
    """Reads lines in a thread of its own; the next one only after `proceed`.

    So a script in a pipe is read no faster than the game accepts it.
    """

    def __init__(self, lines: TextIO, report: Callable[[TypedLine | KeyboardEnded], None]) -> None:
        self._lines = lines
        self._report = report
        self._permits = threading.Semaphore()
        # A daemon, because nothing can end a thread that waits for input.
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def proceed(self) -> None:
        """The last line has been handled: read the next."""
        self._permits.release()

    def hide(self, *, hidden: bool) -> bool:
        """Whether nobody sees what is to be `hidden`: a pipe shows nothing, a terminal does."""
        return not (hidden and self._lines.isatty())

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _read(self) -> None:
        while True:
            self._permits.acquire()
            line = self._next_line()
            if not line:
                self._report(KeyboardEnded())
                return
            self._report(TypedLine(line.strip()))

    def _next_line(self) -> str:
        """The next line, truncated; empty at the end of the input."""
        try:
            line = part = self._lines.readline(LONGEST)
            while part and not part.endswith("\n"):
                part = self._lines.readline(LONGEST)
        except (OSError, ValueError):
            return ""
        return line
