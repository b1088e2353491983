# SPDX-License-Identifier: GPL-3.0-or-later
"""The games whose end the hall may not know yet: a file of their numbers beside the games."""

from __future__ import annotations

import threading
from pathlib import Path

from acessivel.storage import private_files

_FILE_NAME = "hall.unsent"


def numbers(folder: Path) -> tuple[int, ...]:
    """Their numbers; none if the file cannot be read."""
    try:
        text = (folder / _FILE_NAME).read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(int(word) for word in text.split() if word.isdecimal())


_LOCK = threading.Lock()


def add(folder: Path, number: int) -> None:
    """From now on the hall may lack something of this game. Raises OSError."""
    with _LOCK:
        _write(folder, {*numbers(folder), number})


def remove(folder: Path, number: int) -> None:
    """The hall has all of this game. Raises OSError."""
    with _LOCK:
        _write(folder, {*numbers(folder)} - {number})


def _write(folder: Path, found: set[int]) -> None:
    path = folder / _FILE_NAME
    part = path.with_suffix(".part")
    private_files.make_file(part)
    part.write_text("".join(f"{number}\n" for number in sorted(found)), "ascii")
    part.replace(path)
