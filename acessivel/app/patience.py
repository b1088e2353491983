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
    tell = _aloud if aloud else _silently
    told = threading.Thread(target=_tell, args=(done, tell, settings, message), daemon=True)
    told.start()
    try:
        yield
    finally:
        done.set()
        told.join()


def _tell(
    done: threading.Event,
    telling: Callable[[Settings], contextlib.AbstractContextManager[Callable[[Message], None]]],
    settings: Settings,
    message: Message,
) -> None:
    if done.wait(FIRST_S):
        return
    with telling(settings) as tell:
        tell(message)
        while not done.wait(AGAIN_S):
            tell(message)


@contextlib.contextmanager
def _silently(settings: Settings) -> Iterator[Callable[[Message], None]]:
    renderer = Renderer(settings.language, settings.convention)
    yield lambda message: _write(renderer.text(message))


@contextlib.contextmanager
def _aloud(settings: Settings) -> Iterator[Callable[[Message], None]]:
    from acessivel.app.progress import Teller  # noqa: PLC0415 - most goes fast, and needs no voice of its own

    with contextlib.closing(Teller(settings, _write, quiet=False)) as teller:
        yield teller.tell


def _write(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
