# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+C, and what ends the program like it, waits until what must not be half done is done."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextlib.contextmanager
def deferred() -> Iterator[None]:
    """Raise KeyboardInterrupt only at the end of the block, if a signal would have raised it meanwhile.

    Only in the main thread, which alone gets signals; within another such block it changes nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    try:
        with contextlib.ExitStack() as stack:  # each is put back, though the one before raises what has come
            for number in _ENDING:
                if signal.getsignal(number) is signal.default_int_handler:
                    stack.callback(signal.signal, number, signal.default_int_handler)
                    signal.signal(number, lambda each, _: came.append(each))
            yield
    finally:
        if came:
            raise KeyboardInterrupt
