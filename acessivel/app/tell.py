# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells sentences where no game is played: in lines, aloud, and in Braille."""

from __future__ import annotations

import queue
import sys
from collections.abc import Callable, Sequence
from typing import Any

from acessivel.app.progress import Teller
from acessivel.devices import keys
from acessivel.devices.braille_panel import Panel
from acessivel.devices.devices import open_display
from acessivel.devices.keyboard import Keyboard, KeyboardEnded, TypedLine
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import Settings
from braille.displays import Attached, Detached, Pressed

Write = Callable[[str], None]


def tell(told: Sequence[Message], settings: Settings, write: Write) -> None:
    """Write and speak the sentences, and show them in Braille: on a display until Enter is pressed.

    UserError when the table of the display's keys has a mistake.
    """
    try:
        bindings = keys.load()
    except keys.KeysError as error:
        raise UserError(error.message) from error
    news: queue.SimpleQueue[Any] = queue.SimpleQueue()
    teller = Teller(settings, write, quiet=False)
    try:
        display = open_display(settings, news.put, write, [])
        waits = display is not None and display.name != "terminal"
        teller.tell(*told, *([Message.of("laws_enter")] if waits else []))
        if display:
            panel = Panel(display, settings.language, settings.convention, settings.code, bindings)
            _show(panel, told, bindings, news if waits else None)
    finally:
        teller.close()


def _show(
    panel: Panel, told: Sequence[Message], bindings: keys.Bindings, news: queue.SimpleQueue[Any] | None
) -> None:
    """Show the sentences; with `news` of a display, pan as its keys say until Enter is pressed."""
    try:
        if news is None:
            for message in told:  # what a terminal has shown stays
                panel.tell((message,))
            return
        panel.tell(told)
        Keyboard(sys.stdin, news.put)
        while True:
            match news.get():
                case TypedLine() | KeyboardEnded() | Detached():
                    return
                case Attached(size=size):
                    panel.resize(size)
                case Pressed(key=key) if bindings.action(key) in ("send", "cancel"):
                    return
                case Pressed(key=key):
                    panel.press(key)
    finally:
        panel.close()
