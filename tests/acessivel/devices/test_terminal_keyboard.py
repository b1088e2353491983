# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyboard of a real (pseudo-)terminal: lines, keys, and the terminal given back as it was."""

import codecs
import os
import queue
import select
import signal
import sys
import termios

import pyte
import pytest

from acessivel.devices.devices import open_keyboard
from acessivel.devices.keyboard import CharacterTyped, EnterPressed, KeyboardEnded, LineReader, TypedLine
from acessivel.devices.terminal_keyboard import TerminalKeyboard
from braille.displays import AltKey, NamedKey, Pressed


class Terminal:
    """Both ends of a terminal: `type` is the user, `news` what the program is told."""

    def __init__(self, monkeypatch, term="xterm"):
        self.user, self.program = os.openpty()
        self.file = os.fdopen(self.program, "r", encoding="utf-8")
        self.screen = os.fdopen(os.dup(self.program), "w", encoding="utf-8")
        self.before = termios.tcgetattr(self.program)
        self.told, self.typed = queue.SimpleQueue(), queue.SimpleQueue()
        self.seen, self.decoder = "", codecs.getincrementaldecoder("utf-8")()
        monkeypatch.setenv("TERM", term)
        monkeypatch.setattr(sys, "stdout", self.screen)
        self.keyboard = open_keyboard(
            self.file, self._report, lambda line: print(line, file=self.screen, flush=True)
        )
        monkeypatch.undo()

    def _report(self, report):
        (self.typed if isinstance(report, CharacterTyped) else self.told).put(report)

    def type(self, text):
        os.write(self.user, text.encode())

    def news(self):
        """What is reported next; a line is handled at once."""
        news = self.told.get(timeout=10)
        if isinstance(news, TypedLine | EnterPressed):
            self.keyboard.proceed(busy=False)
        return news

    def shown(self, wanted=""):
        """All that the terminal has shown, at least until it shows this after what was waited for before."""
        begun = len(self.seen)
        while select.select([self.user], [], [], 0 if wanted in self.seen[begun:] else 10)[0]:
            self.seen += self.decoder.decode(os.read(self.user, 1000))
        assert wanted in self.seen[begun:], self.seen
        return self.seen

    def until(self, lines):
        """Wait until these lines stand on the screen, and nothing else."""
        while self.lines != lines and select.select([self.user], [], [], 10)[0]:
            self.shown()
        assert self.lines == lines

    @property
    def lines(self):
        screen = pyte.Screen(80, 24)
        pyte.Stream(screen).feed(self.seen)
        return [line.rstrip() for line in screen.display if line.strip()]

    def close(self):
        self.keyboard.close()
        assert termios.tcgetattr(self.program) == self.before
        os.close(self.user)
        self.screen.close()
        self.file.close()


@pytest.fixture
def terminal(monkeypatch):
    made = Terminal(monkeypatch)
    assert isinstance(made.keyboard, TerminalKeyboard)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("typed", "reported"),
    [
        ("Eva vier\n", TypedLine("Eva vier")),
        ("Läufer\r", TypedLine("Läufer")),
        ("e5\x7f4\n", TypedLine("e4")),
        ("\n", EnterPressed()),
        ("  \r", EnterPressed()),
        ("d4\x1be4\n", Pressed(AltKey("e"))),
        ("e\x1b[Dn\x1b[C4\r", TypedLine("ne4")),
        ("4\x1b[Hf\x1b[F5\x1b[D\x1b[3~\r", TypedLine("f4")),
        ("\x1b[200~e4\nsim\n\x1b[201~\r", TypedLine("e4 sim")),
    ],
)
def test_a_line(terminal, typed, reported):
    terminal.type(typed)
    assert terminal.news() == reported


def test_what_is_typed_is_told_before_the_line_is_sent(terminal):
    assert not terminal.keyboard.typing
    terminal.type(" ")
    assert terminal.typed.get(timeout=10)
    assert not terminal.keyboard.typing  # a clock may speak up
    terminal.type("e")
    assert terminal.typed.get(timeout=10)
    assert terminal.keyboard.typing
    terminal.type("4\r")
    assert terminal.news() == TypedLine("e4")


def test_a_line_can_be_recalled_and_changed(terminal):
    for typed in ("Springer", "e5"):
        terminal.type(f"{typed}\r")
        assert terminal.news() == TypedLine(typed)
    terminal.shown("e5")
    terminal.type("f")
    terminal.shown("f")
    terminal.type("\x1b[A\x1b[A Felix\r")
    assert terminal.news() == TypedLine("Springer Felix")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("\x1b[A", NamedKey.CURSOR_UP),
        ("\x1bOB", NamedKey.CURSOR_DOWN),
        ("\x1b[C", NamedKey.CURSOR_RIGHT),
        ("\x1b[D", NamedKey.CURSOR_LEFT),
        ("\x1b[H", NamedKey.HOME),
        ("\x1b[3~", NamedKey.DELETE),
        ("\x7f", NamedKey.BACKSPACE),
        ("\x08", NamedKey.BACKSPACE),
        ("\x1bOP", NamedKey.F1),
        ("\x1b[[B", NamedKey.F2),
        ("\x1b[15~", NamedKey.F5),
        ("\x1b[24~", NamedKey.F12),
        ("\x1b[5~", NamedKey.PAGE_UP),
        ("\x1b[2~", NamedKey.INSERT),
        ("\t", NamedKey.TAB),
        ("\x1b", NamedKey.ESCAPE),
        ("\x1br", AltKey("r")),
        ("\x1bb", AltKey("b")),
        ("\x1b1", AltKey("1")),
        ("\x1bR", AltKey("R")),
        ("\x1bO", AltKey("O")),
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


def test_backspace_is_a_key_once_nothing_is_typed(terminal):
    terminal.type("e\x7f\x7fe4\n")
    assert [terminal.news() for _ in range(2)] == [Pressed(NamedKey.BACKSPACE), TypedLine("e4")]


def test_escape_before_another_key_is_a_key_of_its_own(terminal):
    terminal.type("\x1b\x1b[A\x1b\r")
    assert [terminal.news() for _ in range(4)] == [
        Pressed(NamedKey.ESCAPE), Pressed(NamedKey.CURSOR_UP), Pressed(NamedKey.ESCAPE), EnterPressed(),
    ]  # fmt: skip


def test_escape_drops_the_line(terminal):
    terminal.type("d4")
    terminal.until(["d4"])
    terminal.type("\x1b")
    terminal.until([])
    terminal.type("e4\n")
    assert terminal.news() == TypedLine("e4")


def test_what_is_told_stands_above_what_is_being_typed(terminal):
    terminal.type("mais ra")
    terminal.until(["mais ra"])
    terminal.keyboard.write("2, Pretas: Bauer David sieben David fünf.")
    terminal.until(["2, Pretas: Bauer David sieben David fünf.", "mais ra"])
    terminal.type("\x1b[D" * 3)
    terminal.keyboard.write("Xeque.")
    terminal.type("\x1b[C" * 3 + "pido\r")
    assert terminal.news() == TypedLine("mais rapido")
    terminal.until(["2, Pretas: Bauer David sieben David fünf.", "Xeque.", "mais rapido"])


def test_the_terminal_is_asked_nothing_and_shows_no_colour(terminal):
    terminal.type("e4\r")
    terminal.news()
    terminal.keyboard.write("Bauer Eva zwei Eva vier?")
    shown = terminal.shown("vier?")
    assert "\x1b[6n" not in shown
    assert "\x1b[3" not in shown


def test_what_a_file_says_cannot_steer_the_terminal(terminal):
    terminal.keyboard.write("Ana\x1b]0;x\x07")
    assert "\x1b]" not in terminal.shown("Ana")


def test_the_next_line_waits_until_the_last_was_handled(terminal):
    terminal.type("suspender\rsim\rNf3\r")
    assert terminal.told.get(timeout=10) == TypedLine("suspender")
    assert "sim" not in terminal.shown("suspender")
    assert terminal.told.empty()
    terminal.keyboard.proceed(busy=True)
    assert terminal.told.get(timeout=10) == TypedLine("sim")
    assert terminal.keyboard.hide(hidden=True)
    terminal.keyboard.write("Digite o lance secreto.")
    terminal.keyboard.proceed(busy=False)
    terminal.shown("secreto.")
    terminal.type("Nc3\r")
    assert terminal.news() == TypedLine("Nc3")
    assert terminal.keyboard.hide(hidden=False)
    terminal.keyboard.write("Está selado.")
    terminal.shown("selado.")
    terminal.type("x")
    terminal.shown("x")
    terminal.type("\x1b[A\r")  # not to be recalled either
    assert terminal.news() == TypedLine("sim")
    assert "N" not in terminal.shown("sim")


def test_what_was_begun_unseen_is_not_shown_afterwards(terminal):
    terminal.keyboard.hide(hidden=True)
    terminal.keyboard.write("Digite.")
    terminal.until(["Digite."])
    terminal.type("Nf\t")
    assert terminal.news() == Pressed(NamedKey.TAB)
    terminal.keyboard.hide(hidden=False)
    terminal.keyboard.write("A seta caiu.")
    terminal.until(["Digite.", "A seta caiu."])
    terminal.type("e4\r")
    assert terminal.news() == TypedLine("e4")


def test_enter_before_the_question_is_no_answer_to_it(terminal):
    terminal.type("e4\r\r\r")
    assert terminal.told.get(timeout=10) == TypedLine("e4")
    terminal.keyboard.write("Bauer Eva zwei Eva vier?")
    terminal.shown("vier?")
    terminal.type("\rnein\r")
    terminal.keyboard.proceed(busy=False)
    assert [terminal.news() for _ in range(2)] == [EnterPressed(), TypedLine("nein")]


def test_escape_while_a_line_is_handled_is_not_lost(terminal):
    terminal.type("e4\r")
    assert terminal.told.get(timeout=10) == TypedLine("e4")
    terminal.type("\x1b")
    while select.select([terminal.program], [], [], 0)[0]:
        pass  # until it was read
    terminal.keyboard.proceed(busy=False)
    assert terminal.news() == Pressed(NamedKey.ESCAPE)


def test_an_interrupt_is_not_kept_waiting(terminal):
    terminal.type("e4\r")
    assert terminal.told.get(timeout=10) == TypedLine("e4")
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # nothing has to happen for it to come
        terminal.type("\x03")
        while terminal.told.get(timeout=10):
            pass
    terminal.keyboard.proceed(busy=False)


def test_the_end_of_input(terminal):
    terminal.type("\x04")
    assert terminal.news() == KeyboardEnded()
    terminal.keyboard.write("Até logo.")
    assert "Até logo." in terminal.shown("logo.")


def test_what_is_typed_after_the_end_reaches_no_other_program(terminal):
    terminal.type("stop\ryes\r")
    assert terminal.told.get(timeout=10) == TypedLine("stop")
    terminal.keyboard.close()
    assert not select.select([terminal.program], [], [], 0)[0]
    assert "yes" not in terminal.shown()


def test_a_terminal_that_the_shell_had_meanwhile_is_taken_again(terminal):
    termios.tcsetattr(terminal.program, termios.TCSANOW, terminal.before)
    signal.raise_signal(signal.SIGCONT)
    terminal.type("e4\r")
    assert terminal.news() == TypedLine("e4")
    assert not termios.tcgetattr(terminal.program)[3] & termios.ECHO


def test_a_dumb_terminal_has_lines_alone(monkeypatch):
    terminal = Terminal(monkeypatch, "dumb")
    assert isinstance(terminal.keyboard, LineReader)
    terminal.type("e4\n")
    assert terminal.told.get(timeout=10) == TypedLine("e4")
    terminal.shown("e4\r\n")
    terminal.keyboard.proceed(busy=False)
    terminal.type("\x1b\n")  # which the loop answers with no permit for the next line
    assert terminal.told.get(timeout=10) == Pressed(NamedKey.ESCAPE)
    terminal.type("d4\n")
    assert terminal.told.get(timeout=10) == TypedLine("d4")
    terminal.type("Nf3\n")
    terminal.shown("Nf3\r\n")
    assert terminal.keyboard.hide(hidden=True)  # and drops what was typed before the question
    terminal.keyboard.proceed(busy=False)
    terminal.type("Nc3\n\n")
    assert terminal.told.get(timeout=10) == TypedLine("Nc3")
    assert terminal.keyboard.hide(hidden=False)
    assert "Nc3" not in terminal.shown()
    terminal.type("d5\n")
    terminal.keyboard.proceed(busy=False)
    assert terminal.told.get(timeout=10) == TypedLine("d5")  # without what was typed unseen before
    terminal.keyboard.proceed(busy=False)
    terminal.close()
    assert terminal.told.get(timeout=10) == KeyboardEnded()


def test_a_pipe_is_read_by_lines():
    reading, writing = os.pipe()
    told = queue.SimpleQueue()
    with os.fdopen(reading) as lines, os.fdopen(writing, "w") as pipe:
        keyboard = open_keyboard(lines, told.put, print)
        assert isinstance(keyboard, LineReader)
        pipe.write("e4\n\n")
        pipe.flush()
        assert told.get(timeout=10) == TypedLine("e4")
        assert not keyboard.proceed(busy=True)
        assert keyboard.proceed(busy=False)
        assert told.get(timeout=10) == TypedLine("")  # of a script, which presses no keys
        pipe.close()
