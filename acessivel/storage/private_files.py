# SPDX-License-Identifier: GPL-3.0-or-later
"""Files and folders that only their owner may read; a folder that was there before keeps its rights."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_FILE, _FOLDER = 0o600, 0o700


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
        if path.stat().st_mode & 0o777 != _FILE:
            path.chmod(_FILE)
