# SPDX-License-Identifier: GPL-3.0-or-later
"""The log of device errors and unexpected errors; what was said or typed is never logged."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from pathlib import Path

import platformdirs

from acessivel.storage import private_files

_LONGEST = 1_000_000  # bytes; what is longer becomes the earlier log, of which there is one
_STANDARD_ERROR = 2  # its number, as libraries in C know it


def start() -> Path:
    """Log to a file of ours from now on, if it can be written; returns the file.

    What libraries in C write to standard error goes there too, as nobody could do anything about it.
    """
    folder = platformdirs.user_log_path("acessivel")
    path = folder / "acessivel.log"
    try:
        private_files.make_folder(folder)
        _begin_anew(path)
        private_files.make_file(path)
        private_files.restrict(path)
        _divert(path)
        logging.basicConfig(filename=path, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    except OSError:
        logging.basicConfig(handlers=[logging.NullHandler()])
    logging.raiseExceptions = False  # a full disk is reported to the user, not as a traceback
    return path


def _begin_anew(path: Path) -> None:
    """Move a long log away before it is written to; another program that has it open goes on there."""
    with contextlib.suppress(OSError):
        if not logging.getLogger().handlers and path.stat().st_size > _LONGEST:
            path.replace(path.with_name(f"{path.name}.1"))


def _divert(path: Path) -> None:
    """Let libraries write to a file what they write to standard error; what we write there stays.

    PortAudio tells there, in lines of its source, that a sound server has gone. Called for a second time, or
    where the program is not a process of its own (in a test, or in a thread of one), it does nothing.
    """
    ours_alone = threading.current_thread() is threading.main_thread() and sys.stderr is sys.__stderr__
    if not ours_alone or not sys.stderr or sys.stderr.fileno() != _STANDARD_ERROR:
        return
    ours = os.fdopen(
        os.dup(_STANDARD_ERROR), "w", buffering=1, encoding=sys.stderr.encoding, errors="replace"
    )
    with path.open("ab") as file:
        os.dup2(file.fileno(), _STANDARD_ERROR)
    sys.stderr = ours
