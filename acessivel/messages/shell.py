# SPDX-License-Identifier: GPL-3.0-or-later
"""What the shell of this system takes: words, and the program where it is found."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

NAME = "acessivel"


def program() -> str:
    """The program by its name where that is on the path, else where it lies."""
    started = Path(sys.argv[0])
    if shutil.which(NAME) or started.stem != NAME:  # what else has imported it is not it
        return NAME
    return str(started.absolute())  # what is typed later may be typed in another folder


def typed(words: Iterable[str]) -> str:
    """Words as the shell of this system takes them."""
    if os.name != "nt":
        return shlex.join(words)
    # What Windows' shell would take for its own signs stands in quotation marks, and so do blanks.
    return " ".join(
        f'"{word}"' if set(word) & set("<>|&^()") else subprocess.list2cmdline([word]) for word in words
    )
