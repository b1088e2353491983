# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and folders that only their owner may read; what was there before gets no more rights than it has."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from tempfile import TemporaryFile

_FILE, _FOLDER = 0o600, 0o700
_TRIED = 1 << 20  # bytes: more than a long game or a profile needs


def make_folder(folder: Path) -> None:
    """Make a folder if it is not there, with those above it. Raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=_FOLDER, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file if none is there. Raises OSError."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE))


def restrict(path: Path) -> None:
    """Take a file's rights from all but its owner, as far as they are ours to take."""
    with contextlib.suppress(OSError):
        rights = path.stat().st_mode & 0o777
        if rights & ~_FILE:
            path.chmod(rights & _FILE)


def try_writing(folder: Path) -> None:
    """Make a folder if it is not there, and write in it, without a trace. Raises OSError."""
    make_folder(folder)
    with TemporaryFile(dir=folder) as tried:
        tried.write(bytes(_TRIED))
        tried.flush()
        os.fsync(tried.fileno())
