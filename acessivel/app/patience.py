# SPDX-License-Identifier: GPL-3.0-or-later
"""Says that the program is still working, while something takes long."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings.settings import Settings

FIRST_S, AGAIN_S = 1.0, 10.0  # after how long it is said, and said again
WORKING = Message.of("working")


@contextlib.contextmanager
def patiently(settings: Settings, *, aloud: bool, message: Message = WORKING) -> Iterator[None]:
    """Say it on standard error and, `aloud`, with the voice of the settings; nothing if it goes fast."""
    done = threading.Event()
    told = threading.Thread(target=_tell, args=(done, aloud, settings, message), daemon=True)
    told.start()
    try:
        yield
    finally:
        done.set()
        told.join()


def _tell(done: threading.Event, aloud: bool, settings: Settings, message: Message) -> None:
    if done.wait(FIRST_S):
        return
    line = Renderer(settings.language, settings.convention).text(message)
    _write(line)  # first: to open the voice may be what takes long
    with _speaking(settings) if aloud else contextlib.nullcontext(_unspoken) as speak:
        speak(message)
        while not done.wait(AGAIN_S):
            _write(line)
            speak(message)


@contextlib.contextmanager
def _speaking(settings: Settings) -> Iterator[Callable[[Message], None]]:
    from acessivel.app.progress import Teller  # noqa: PLC0415 - most goes fast, and needs no voice of its own

    with contextlib.closing(Teller(settings, _write, quiet=False)) as teller:
        yield teller.speak


def _unspoken(_: Message) -> None:
    """Nothing is said."""


def _write(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
