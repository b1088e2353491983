# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyboard of a real (pseudo-)terminal: lines, keys, and the terminal given back as it was."""

import os
import queue
import termios

import pytest

from acessivel.devices.keyboard import Keyboard, KeyboardEnded, TypedLine
from acessivel.devices.terminal_keyboard import TerminalKeyboard, open_keyboard
from braille.displays import AltKey, NamedKey, Pressed


class Terminal:
    """Both ends of a terminal: `type` is the user, `news` what the program is told."""

    def __init__(self):
        self.user, self.program = os.openpty()
        self.file = os.fdopen(self.program, "r", encoding="utf-8")
        self.before = termios.tcgetattr(self.program)
        self.told = queue.SimpleQueue()
        self.ended = False
        self.keyboard = open_keyboard(self.file, self.told.put)

    def type(self, text):
        os.write(self.user, text.encode())

    def news(self):
        news = self.told.get(timeout=10)
        self.ended = news == KeyboardEnded()
        return news

    def shown(self, wanted):
        """Read what the terminal shows until it is what is wanted."""
        seen = b""
        while not seen.endswith(wanted.encode()):
            seen += os.read(self.user, 100)
        return seen.decode()


@pytest.fixture
def terminal():
    made = Terminal()
    assert isinstance(made.keyboard, TerminalKeyboard)
    yield made
    made.keyboard.close()
    assert termios.tcgetattr(made.program) == made.before
    os.close(made.user)
    while not made.ended and made.news() != KeyboardEnded():
        pass
    made.file.close()


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("Eva vier\n", "Eva vier"),
        ("Läufer\r", "Läufer"),
        ("e5\x7f4\n", "e4"),
        ("\x7fe4\n", "e4"),
        ("\n", ""),
        ("d4\x1be4\n", None),
    ],
)
def test_a_line(terminal, typed, line):
    terminal.type(typed)
    assert terminal.news() == (TypedLine(line) if line is not None else Pressed(AltKey("e")))


def test_what_is_typed_is_shown_and_taken_back(terminal):
    terminal.type("ab\x7f")
    terminal.shown("ab\b \b")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("\x1b[A", NamedKey.CURSOR_UP),
        ("\x1bOB", NamedKey.CURSOR_DOWN),
        ("\x1b[C", NamedKey.CURSOR_RIGHT),
        ("\x1b[D", NamedKey.CURSOR_LEFT),
        ("\x1bOP", NamedKey.F1),
        ("\x1b[[B", NamedKey.F2),
        ("\x1b[15~", NamedKey.F5),
        ("\x1b[24~", NamedKey.F12),
        ("\x1b[5~", NamedKey.PAGE_UP),
        ("\x1b[2~", NamedKey.INSERT),
        ("\t", NamedKey.TAB),
        ("\x1b", NamedKey.ESCAPE),
        ("\x1br", AltKey("r")),
        ("\x1bR", AltKey("R")),
        ("\x1b3", AltKey("3")),
        ("\x1b.", AltKey(".")),
    ],
)
def test_a_key(terminal, typed, key):
    terminal.type(typed)
    assert terminal.news() == Pressed(key)


def test_keys_that_come_at_once_come_in_their_order(terminal):
    terminal.type("\x1b[A\x1b[Bx\ty\n")
    assert [terminal.news() for _ in range(4)] == [
        Pressed(NamedKey.CURSOR_UP), Pressed(NamedKey.CURSOR_DOWN), Pressed(NamedKey.TAB), TypedLine("xy"),
    ]  # fmt: skip


def test_an_unknown_sequence_is_passed_over(terminal):
    terminal.type("\x1b[99~\x1b[1;5Ae4\n")
    assert terminal.news() == TypedLine("e4")


def test_escape_drops_the_line(terminal):
    terminal.type("d4\x1b")
    terminal.shown("d4\b \b\b \b")
    terminal.type("e4\n")
    assert terminal.news() == TypedLine("e4")


def test_the_end_of_input(terminal):
    terminal.type("\x04")
    assert terminal.news() == KeyboardEnded()


def test_a_pipe_is_read_by_lines():
    reading, writing = os.pipe()
    told = queue.SimpleQueue()
    with os.fdopen(reading) as lines, os.fdopen(writing, "w") as pipe:
        assert isinstance(open_keyboard(lines, told.put), Keyboard)
        pipe.write("e4\n")
        pipe.flush()
        assert told.get(timeout=10) == TypedLine("e4")
        pipe.close()
