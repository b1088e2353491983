# SPDX-License-Identifier: GPL-3.0-or-later
"""The keyboard of a terminal: a line that can be edited, single keys, and what is told above that line."""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import dropwhile
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.clipboard import DummyClipboard
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import clear_typeahead, get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output

from acessivel.devices.keyboard import (
    LONGEST,
    CharacterTyped,
    EnterPressed,
    Interrupted,
    KeyboardEnded,
    ReportKey,
    TypedLine,
    drop_typed_ahead,
)
from acessivel.messages.rendering import printable
from braille.displays import AltKey, NamedKey, Pressed

_SEQUENCE_S = 0.05  # what follows an escape within this time belongs to it
_STOPPING_S = 0.1  # until all threads have stopped
_CLOSING_S = 5  # for what is still to be written
_ENTER = (Keys.ControlM, Keys.ControlJ)
# With nothing typed these are keys of the board; else they edit the line.
_EDITING = {
    Keys.Up: NamedKey.CURSOR_UP,
    Keys.Down: NamedKey.CURSOR_DOWN,
    Keys.Left: NamedKey.CURSOR_LEFT,
    Keys.Right: NamedKey.CURSOR_RIGHT,
    Keys.Home: NamedKey.HOME,
    Keys.End: NamedKey.END,
    Keys.Delete: NamedKey.DELETE,
    Keys.Backspace: NamedKey.BACKSPACE,
}
_ALWAYS = {
    Keys.Tab: NamedKey.TAB,
    Keys.Insert: NamedKey.INSERT,
    Keys.PageUp: NamedKey.PAGE_UP,
    Keys.PageDown: NamedKey.PAGE_DOWN,
    **{Keys(f"f{number}"): NamedKey(f"f{number}") for number in range(1, 13)},
}
_OF_THE_EDITOR = (Keys.ControlR, Keys.ControlS)  # its search would write English words on the line


class TerminalKeyboard:
    """Edits a line in a thread of its own, and writes told lines above it.

    The next line is shown only when the last one was handled: so what is typed ahead of a question whose
    answer must not be seen is never seen. Ctrl-C and Ctrl-Z work as always.
    """

    def __init__(self, lines: TextIO, screen: TextIO, report: ReportKey) -> None:
        """Read keys from a terminal, and draw on one."""
        self._lines = lines
        self._report = report
        self._hidden = False
        self._input, self._output = create_input(lines), create_output(screen)
        if isinstance(self._output, Vt100_Output):
            self._output.enable_cpr = False  # a terminal that answers late would type its answer
        self._session: PromptSession[str] = PromptSession(
            input=self._input,
            output=self._output,
            history=_Shown(lambda: self._hidden),
            clipboard=DummyClipboard(),  # or what was typed unseen could be brought back
            input_processors=[_Unseen(lambda: self._hidden)],
            key_bindings=self._bindings(),
            color_depth=ColorDepth.DEPTH_1_BIT,
        )
        self._session.default_buffer.on_text_insert += lambda _: report(CharacterTyped())
        app = self._session.app
        app.ttimeoutlen = app.timeoutlen = _SEQUENCE_S
        app.terminal_size_polling_interval = None  # the size is found out whenever the line is drawn
        started = threading.Event()
        # A daemon, so that no failure of the terminal keeps the program from its end.
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(started)), name="keyboard", daemon=True
        )
        self._thread.start()
        started.wait()
        if hasattr(signal, "SIGCONT") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGCONT, lambda *_: self._soon(self._take))

    @property
    def typing(self) -> bool:
        """Whether a line has been begun; blanks alone are none."""
        return bool(self._session.default_buffer.text.strip())

    def proceed(self, *, busy: bool) -> bool:  # noqa: ARG002  # a person types no faster than the game accepts
        """Take the next line."""
        self._soon(self._handled.set)
        return True

    def hide(self, *, hidden: bool) -> bool:
        """Show what is typed from now on, or not; what was typed before is dropped."""
        self._soon(self._show, not hidden)
        return True

    def write(self, line: str) -> None:
        """Write a line above the one that is being typed, which is drawn again."""
        if not self._soon(self._write, line):
            self._write(line)

    def close(self) -> None:
        """Restore the terminal to its former state, and drop what was typed ahead."""
        self._soon(self._closing.set)
        self._thread.join(_CLOSING_S)
        drop_typed_ahead(self._lines)

    def _soon(self, call: Callable[..., object], *values: object) -> bool:
        """Let the keyboard's thread do something, after what it was told before; False if it has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *values)
            return True
        return False

    # In the thread of the keyboard

    async def _serve(self, started: threading.Event) -> None:
        """Read until the keyboard is closed."""
        self._loop = asyncio.get_running_loop()
        self._handled, self._closing = asyncio.Event(), asyncio.Event()
        reading = asyncio.create_task(self._read())
        await asyncio.sleep(0)
        started.set()
        await self._closing.wait()
        self._session.app.erase_when_done = True
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading
        clear_typeahead(self._input)

    async def _read(self) -> None:
        """Report each line, and wait until it was handled; at the end of the input that it has ended."""
        try:
            # The terminal never shows keys by itself, not even between two lines.
            with self._input.raw_mode(), contextlib.suppress(EOFError):
                while True:
                    line = await self._session.prompt_async(set_exception_handler=False)
                    text = " ".join(line.split())[:LONGEST]
                    self._handled.clear()
                    self._report(TypedLine(text) if text else EnterPressed())
                    await self._wait()
        finally:
            self._report(KeyboardEnded())

    async def _wait(self) -> None:
        """Keep what is typed until the last line was handled."""

        def keep() -> None:
            store_typeahead(self._input, self._keys())
            if self._input.closed:
                self._handled.set()

        with self._input.attach(keep):
            await self._handled.wait()
        store_typeahead(self._input, self._input.flush_keys())

    def _keys(self) -> list[KeyPress]:
        """What was typed and not read yet; an interrupt is not kept waiting."""
        keys = self._input.read_keys()
        if any(press.key == Keys.ControlC for press in keys):
            self._interrupt()
        return [press for press in keys if press.key != Keys.ControlC]

    def _show(self, shown: bool) -> None:
        if shown and not self._hidden:
            return
        self._hidden = not shown
        clear_typeahead(self._input)
        self._keys()
        self._session.default_buffer.reset()
        self._session.app.invalidate()

    def _write(self, line: str) -> None:
        app = self._session.app
        if app.is_running:
            app.renderer.erase()
        else:  # what is told may be a question, and an Enter that came before it is no answer to it
            keys = [*get_typeahead(self._input), *self._keys()]
            store_typeahead(self._input, list(dropwhile(lambda press: press.key in _ENTER, keys)))
        with contextlib.suppress(OSError):
            self._output.write(f"{printable(line)}\n")
            self._output.flush()
        app.invalidate()

    def _take(self) -> None:
        """Take the terminal again: the shell had it meanwhile."""
        contextlib.ExitStack().enter_context(self._input.raw_mode())
        self._session.app.invalidate()

    def _interrupt(self) -> None:
        _thread.interrupt_main()
        self._report(Interrupted())

    def _bindings(self) -> KeyBindings:
        """What the keys do that are not the editor's."""
        bindings = KeyBindings()
        nothing_typed = Condition(lambda: not self._session.default_buffer.text)
        for key, name in _ALWAYS.items():
            bindings.add(key)(partial(self._pressed, name))
        for key, name in _EDITING.items():
            bindings.add(key, filter=nothing_typed)(partial(self._pressed, name))
        for key in _OF_THE_EDITOR:
            bindings.add(key)(lambda _: None)
        bindings.add(Keys.ControlC)(lambda _: self._interrupt())
        if hasattr(signal, "SIGTSTP"):
            bindings.add(Keys.ControlZ)(self._suspend)
        bindings.add(Keys.Escape)(self._escape)
        bindings.add(Keys.Escape, Keys.Any, eager=True)(self._alt)
        return bindings

    def _pressed(self, key: NamedKey, _: KeyPressEvent) -> None:
        self._report(Pressed(key))

    def _suspend(self, _: KeyPressEvent) -> None:
        """Ctrl-Z, as always: the shell has the terminal as it was, until it continues the program."""

        def stop() -> None:
            os.kill(0, signal.SIGTSTP)
            time.sleep(_STOPPING_S)  # another thread may take the signal: nothing is drawn until it has

        run_in_terminal(stop)

    def _escape(self, event: KeyPressEvent) -> None:
        """Escape drops the line that is being typed, or is a key like any other."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            self._report(Pressed(NamedKey.ESCAPE))

    def _alt(self, event: KeyPressEvent) -> None:
        """A character after an escape is one with Alt; another key was pressed after Escape."""
        character = event.key_sequence[-1]
        if len(character.key) == 1 and character.key.isprintable() and character.key != " ":
            self._report(Pressed(AltKey(character.key)))
        else:
            self._escape(event)
            event.key_processor.feed(character, first=True)


class _Shown(InMemoryHistory):
    """The lines that were typed, except those that must not be seen."""

    def __init__(self, hidden: Callable[[], bool]) -> None:
        super().__init__()
        self._hidden = hidden

    def append_string(self, string: str) -> None:
        if not self._hidden() and string.strip():
            super().append_string(string)


class _Unseen(Processor):
    """Draws nothing of a line that must not be seen, not even its length."""

    def __init__(self, hidden: Callable[[], bool]) -> None:
        self._hidden = hidden

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        if self._hidden():
            return Transformation([], source_to_display=lambda _: 0, display_to_source=lambda _: 0)
        return Transformation(transformation_input.fragments)
