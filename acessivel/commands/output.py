# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a command writes: a line, standard output, or a file that appears only once it is complete."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from acessivel.errors import UserError, reason
from acessivel.message import Message


def write_line(line: str) -> None:
    """Write a line to standard output, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextlib.contextmanager
def opened_output(path: Path | None) -> Iterator[BinaryIO]:
    """Where to write: standard output, or a file that appears only once it is complete.

    A device or a pipe is written to directly; any other file gets its name when it is complete.
    """
    if path is None:
        with _standard_output() as file:
            yield file
        return
    whole = not path.exists() or path.is_file()
    written = path.resolve().with_name(f".{path.name}.{os.getpid()}.part") if whole else path
    try:
        with written.open("xb" if whole else "wb") as file:
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
            written.unlink(missing_ok=True)


@contextlib.contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the rest cannot be written either
        raise _cannot_write(error, "-") from error


def _cannot_write(error: OSError, file: str) -> UserError:
    return UserError(Message.of("cannot_write", file=file, reason=reason(error, "writing")))
