# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a command writes: a line, standard output, or a file that appears only once it is complete."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

from acessivel.errors import UserError, reason
from acessivel.message import Message
from acessivel.messages.rendering import printable


class ByteSink(Protocol):
    """Where bytes are written to."""

    def write(self, data: bytes, /) -> int:
        """Write bytes; returns how many."""


def write_line(line: str) -> None:
    """Write a line to standard output, at once."""
    sys.stdout.write((printable(line) if sys.stdout.isatty() else line) + "\n")
    sys.stdout.flush()


@contextlib.contextmanager
def opened_output(path: Path | None, *, private: bool = False) -> Iterator[ByteSink]:
    """Where to write: standard output, or a file that appears only once it is complete.

    A terminal is shown only what a reader can see, whatever a record has in it; a file and a pipe get all. A
    device or a pipe is written to directly; any other file gets its name when it is complete, and if it is
    `private`, nobody else can read it.
    """
    if path is None:
        with _standard_output() as file:
            yield file
        return
    try:
        whole = not path.exists() or path.is_file()
    except OSError as error:  # of a folder that nobody may look into, or too long a name
        raise _cannot_write(error, str(path)) from error
    written = path.resolve().with_name(f".{os.getpid()}.part") if whole else path
    try:
        opener = partial(os.open, mode=0o600 if private else 0o666)
        with open(written, "xb" if whole else "wb", opener=opener) as file:
            yield file
            if whole:
                file.flush()
                os.fsync(file.fileno())
        if whole:
            written.replace(path.resolve())
    except OSError as error:
        raise _cannot_write(error, str(path)) from error
    finally:
        if whole:
            with contextlib.suppress(OSError):  # as of a place below a file
                written.unlink(missing_ok=True)


@contextlib.contextmanager
def _standard_output() -> Iterator[ByteSink]:
    try:
        yield _Terminal() if sys.stdout.isatty() else sys.stdout.buffer
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the rest cannot be written either
        raise _cannot_write(error, "-") from error


class _Terminal:
    """Standard output as a terminal: lines of text, without the signs that would steer it."""

    def write(self, data: bytes, /) -> int:
        lines = data.decode(errors="replace").replace("\f", "\n").split("\n")
        sys.stdout.write("\n".join(printable(line.removesuffix("\r")) for line in lines))
        return len(data)


def _cannot_write(error: OSError, file: str) -> UserError:
    return UserError(Message.of("cannot_write_output", file=file, reason=reason(error, "writing")))
