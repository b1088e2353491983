# SPDX-License-Identifier: GPL-3.0-or-later
"""PGN that lies in no file: from standard input, or from the clipboard."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Mapping
from typing import BinaryIO

from acessivel.errors import UserError
from acessivel.message import Message


def _standard_input() -> BinaryIO:
    """What standard input gives; a game that follows is played at the terminal, if there is one."""
    text = sys.stdin.buffer.read()
    # No terminal, or standard input is none of the system's: then nothing more can be typed.
    with contextlib.suppress(OSError, ValueError):
        terminal = os.open("CONIN$" if sys.platform == "win32" else "/dev/tty", os.O_RDWR)
        os.dup2(terminal, sys.stdin.fileno())
        os.close(terminal)
    return io.BytesIO(text)


def _clipboard() -> BinaryIO:
    """What was copied. Raises UserError if the clipboard has no text, or none can be reached."""
    import pyperclip  # noqa: PLC0415 - few games come from there

    try:
        text = pyperclip.paste()
    except pyperclip.PyperclipException as error:
        raise UserError(Message.of("no_clipboard")) from error
    if not text.strip():
        raise UserError(Message.of("empty_clipboard"))
    return io.BytesIO(text.encode(errors="replace"))


# By the name that is typed in a file's place.
INPUTS: Mapping[str, Callable[[], BinaryIO]] = {"-": _standard_input, "clipboard": _clipboard}
