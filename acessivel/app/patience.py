# SPDX-License-Identifier: GPL-3.0-or-later
"""Says that the program is still working, while something takes long."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

from acessivel.app.progress import Teller
from acessivel.message import Message
from acessivel.settings.settings import Settings

FIRST_S, AGAIN_S = 1.0, 10.0  # after how long it is said, and said again


@contextlib.contextmanager
def patiently(settings: Settings, *, aloud: bool) -> Iterator[None]:
    """Say it on standard error and, `aloud`, with the voice of the settings; nothing if it goes fast."""
    done = threading.Event()
    spoken = settings if aloud else replace(settings, speak="off")
    teller = threading.Thread(target=_tell, args=(done, spoken), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell(done: threading.Event, settings: Settings) -> None:
    if done.wait(FIRST_S):
        return
    teller = Teller(settings, _write, quiet=False)
    try:
        teller.tell(Message.of("working"))
        while not done.wait(AGAIN_S):
            teller.tell(Message.of("working"))
    finally:
        teller.close()


def _write(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
