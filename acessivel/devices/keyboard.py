# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyboard, or a pipe in its place: what was typed as events, and lines written beside it."""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TextIO

from braille.displays import NamedKey, Pressed

LONGEST = 1000  # characters; the rest of a longer line is dropped, as it cannot mean anything
_ESCAPE = "\x1b"


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that was typed; an empty one only in a script."""

    text: str


@dataclass(frozen=True, slots=True)
class EnterPressed:
    """Enter was pressed in a terminal, with nothing typed: a key, where an empty line of a script is none."""


@dataclass(frozen=True, slots=True)
class CharacterTyped:
    """Something was typed on the line, which follows when it is sent."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C was pressed: wakes the loop, which the interrupt itself may not do."""


@dataclass(frozen=True, slots=True)
class KeyboardEnded:
    """No more lines will come."""


ReportKey = Callable[
    [TypedLine | EnterPressed | CharacterTyped | Interrupted | KeyboardEnded | Pressed], None
]


class Keyboard(Protocol):
    """Where typed lines come from, and where lines are written to beside them."""

    @property
    def typing(self) -> bool:
        """Whether a line has been begun, as far as that is known."""

    def proceed(self, *, busy: bool) -> bool:
        """The last line was handled; returns whether the next may come while the program is `busy`."""

    def hide(self, *, hidden: bool) -> bool:
        """Hide typed text, or show it again; what was typed ahead is dropped. Returns whether that works."""

    def write(self, line: str) -> None:
        """Write a line, apart from what is being typed."""

    def close(self) -> None:
        """Release the keyboard; what was typed ahead is dropped, so that no other program reads it."""


class LineReader:
    """Reads lines in a thread of its own; the next one only after `proceed`.

    So a script in a pipe is read no faster than the game accepts it.
    """

    typing = False

    def __init__(self, lines: TextIO, report: ReportKey, write: Callable[[str], None]) -> None:
        self.write = write
        self._lines = lines
        self._report = report
        self._permits = threading.Semaphore()
        self._hidden = False
        # A daemon, because nothing can end a thread that waits for input.
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def proceed(self, *, busy: bool) -> bool:
        """Read the next line, unless the program is busy."""
        if not busy:
            self._permits.release()
        return not busy

    def hide(self, *, hidden: bool) -> bool:
        """Whether nobody sees what is to be `hidden`: a pipe shows nothing, and a terminal can be told so."""
        if not self._lines.isatty():
            return True
        if hidden or self._hidden:
            drop_typed_ahead(self._lines)
        self._hidden = hidden
        return _echo(self._lines, on=not hidden) or not hidden

    def close(self) -> None:
        """Drop what was typed ahead in a terminal."""
        if not self._lines.closed and self._lines.isatty():
            _echo(self._lines, on=True)
            drop_typed_ahead(self._lines)

    def _read(self) -> None:
        while True:
            self._permits.acquire()
            line = self._next_line()
            if not line:
                self._report(KeyboardEnded())
                return
            self._tell(line.strip())

    def _tell(self, text: str) -> None:
        """In a terminal, Escape before Enter is the key, for which no permit comes from outside."""
        if not self._lines.isatty() or text not in ("", _ESCAPE):
            self._report(TypedLine(text))
        elif text == _ESCAPE:
            self._report(Pressed(NamedKey.ESCAPE))
            self._permits.release()
        else:
            self._report(EnterPressed())

    def _next_line(self) -> str:
        """The next line, truncated; empty at the end of the input."""
        try:
            line = part = self._lines.readline(LONGEST)
            while part and not part.endswith("\n"):
                part = self._lines.readline(LONGEST)
        except (OSError, ValueError):
            return ""
        return line


def drop_typed_ahead(terminal: TextIO) -> None:
    """Drop what was typed in a terminal and not read yet."""
    if sys.platform == "win32":
        console = importlib.import_module("msvcrt")
        while console.kbhit():
            console.getwch()
    else:
        termios = importlib.import_module("termios")
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcflush(terminal, termios.TCIFLUSH)


def _echo(terminal: TextIO, *, on: bool) -> bool:
    """Let a terminal show what is typed, or not; returns False where that is not possible."""
    if sys.platform == "win32":
        return False
    termios = importlib.import_module("termios")
    try:
        mode = termios.tcgetattr(terminal)
        mode[3] = mode[3] | termios.ECHO if on else mode[3] & ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, mode)
    except termios.error:
        return False
    return True
