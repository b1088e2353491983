# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyboard of a terminal: lines as from a pipe, and single keys the moment they are pressed."""

from __future__ import annotations

import codecs
import contextlib
import importlib
import os
import re
import select
import signal
import threading
from collections.abc import Callable
from typing import Any, TextIO

from acessivel.devices.keyboard import LONGEST, Keyboard, KeyboardEnded, TypedLine
from braille.displays import AltKey, NamedKey, Pressed

_SEQUENCE_S = 0.05  # what follows an escape within this time belongs to it
_ESCAPE, _END_OF_INPUT = "\x1b", "\x04"
_ERASING = ("\x7f", "\b")
_ENDS = ("\r", "\n")
_SEQUENCE = re.compile(r"(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z]|\[\[[A-E])")
# As xterm, the Linux console and compatible terminals send the keys after an escape.
_FUNCTION_CODES = (11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24)
_KEYS = {
    **{f"{begin}A": NamedKey.CURSOR_UP for begin in "[O"},
    **{f"{begin}B": NamedKey.CURSOR_DOWN for begin in "[O"},
    **{f"{begin}C": NamedKey.CURSOR_RIGHT for begin in "[O"},
    **{f"{begin}D": NamedKey.CURSOR_LEFT for begin in "[O"},
    **dict.fromkeys(("[H", "OH", "[1~", "[7~"), NamedKey.HOME),
    **dict.fromkeys(("[F", "OF", "[4~", "[8~"), NamedKey.END),
    "[2~": NamedKey.INSERT,
    "[3~": NamedKey.DELETE,
    "[5~": NamedKey.PAGE_UP,
    "[6~": NamedKey.PAGE_DOWN,
    **{f"O{letter}": NamedKey(f"f{number}") for number, letter in enumerate("PQRS", 1)},
    **{f"[[{letter}": NamedKey(f"f{number}") for number, letter in enumerate("ABCDE", 1)},
    **{f"[{code}~": NamedKey(f"f{number}") for number, code in enumerate(_FUNCTION_CODES, 1)},
}

ReportKey = Callable[[TypedLine | KeyboardEnded | Pressed], None]


def open_keyboard(lines: TextIO, report: ReportKey) -> Keyboard | TerminalKeyboard:
    """The keyboard of a terminal with single keys, if the terminal supports them; else lines alone."""
    if lines.isatty():
        with contextlib.suppress(ImportError):  # Windows has no termios
            return TerminalKeyboard(lines.fileno(), report, importlib.import_module("termios"))
    return Keyboard(lines, report)


class TerminalKeyboard:
    """Reads keys in a thread of its own, and echoes typed text; Ctrl-C and Ctrl-Z work as always."""

    def __init__(self, terminal: int, report: ReportKey, termios: Any) -> None:
        """Take over the terminal of a file descriptor, by Python's module `termios`."""
        self._terminal = terminal
        self._report = report
        self._termios = termios
        self._kept = termios.tcgetattr(terminal)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._line = ""
        self._hidden = False
        self._take()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGCONT, lambda *_: self._take())  # the shell had the terminal meanwhile
        # A daemon, because nothing can end a thread that waits for a key.
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def proceed(self) -> None:
        """Do nothing: a person types no faster than the game accepts."""

    def hide(self, *, hidden: bool) -> bool:
        """Stop or resume echoing typed text; returns True, as this always works."""
        self._hidden = hidden
        return True

    def close(self) -> None:
        """Restore the terminal to its former state."""
        self._termios.tcsetattr(self._terminal, self._termios.TCSADRAIN, self._kept)

    def _take(self) -> None:
        """Receive each key at once, and not echoed by the terminal."""
        mode = [*self._kept]
        mode[3] &= ~(self._termios.ICANON | self._termios.ECHO)
        self._termios.tcsetattr(self._terminal, self._termios.TCSADRAIN, mode)

    def _read(self) -> None:
        while text := self._next():
            while text:
                rest = self._sequence(text) if text[0] == _ESCAPE else self._character(text)
                if rest is None:
                    self._report(KeyboardEnded())
                    return
                text = rest
        self._report(KeyboardEnded())

    def _next(self) -> str:
        """The input since the last read; empty at its end."""
        while True:
            try:
                found = os.read(self._terminal, LONGEST)
            except OSError:
                return ""
            text = self._decoder.decode(found)
            if text or not found:
                return text

    def _sequence(self, text: str) -> str:
        """The key that begins with an escape; returns what follows it."""
        if text == _ESCAPE and select.select([self._terminal], [], [], _SEQUENCE_S)[0]:
            text += self._next()
        if found := _SEQUENCE.match(text, 1):
            if key := _KEYS.get(found[0]):
                self._report(Pressed(key))
            return text[found.end() :]
        if len(text) == 1:
            self._escape()
            return ""
        if text[1].isprintable() and text[1] != " ":
            self._report(Pressed(AltKey(text[1])))
            return text[2:]
        self._escape()
        return text[1:]

    def _character(self, text: str) -> str | None:
        """Take a character of a line, or one that ends or edits it; returns what follows, None at the end."""
        sign, rest = text[0], text[1:]
        if sign in _ENDS:
            line, self._line = self._line, ""
            self._show("\r\n")
            self._report(TypedLine(line.strip()))
        elif sign == _END_OF_INPUT:
            return None if not self._line else rest
        elif sign in _ERASING:
            if self._line:
                self._line = self._line[:-1]
                self._show("\b \b")
        elif sign == "\t":
            self._report(Pressed(NamedKey.TAB))
        elif sign.isprintable() and len(self._line) < LONGEST:
            self._line += sign
            self._show(sign)
        return rest

    def _escape(self) -> None:
        """Escape drops the line that is being typed, or is a key like any other."""
        if self._line:
            self._show("\b \b" * len(self._line))
            self._line = ""
        else:
            self._report(Pressed(NamedKey.ESCAPE))

    def _show(self, text: str) -> None:
        if self._hidden and text != "\r\n":
            return
        with contextlib.suppress(OSError):
            os.write(self._terminal, text.encode(errors="replace"))
