# SPDX-License-Identifier: GPL-3.0-or-later
"""What to type in a terminal, with the folder of the games where it is not the usual one."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable

from acessivel.message import ToType
from acessivel.settings.settings import Settings


def of_profile(name: str, settings: Settings, *words: str) -> ToType:
    """What to type about the profile of a run, which the one called default need not be told."""
    named = ("--profile", settings.profile) if settings.profile else ()
    return command(name, None, settings, *words, *named)


def command(name: str, number: int | None, settings: Settings, *options: str) -> ToType:
    """What to type about a game, or all: the program may not be on the path, nor the folder the default one.

    Only the program, the command, the number and the options are spoken: a path is not understood by ear.
    """
    program = "acessivel" if shutil.which("acessivel") else sys.argv[0]
    words = [name, *([] if number is None else [str(number)]), *options]
    folder = ["--save", str(settings.folder.absolute())] if settings.save else []  # typed anywhere, and later
    tape = ["--tape"] if settings.tape and name == "resume" else []
    return ToType(typed([program, *words, *folder, *tape]), " ".join(["acessivel", *words]))


def typed(words: Iterable[str]) -> str:
    """Words as the shell of this system takes them."""
    if os.name != "nt":
        return shlex.join(words)
    # What Windows' shell would take for its own signs stands in quotation marks, and so do blanks.
    return " ".join(
        f'"{word}"' if set(word) & set("<>|&^()") else subprocess.list2cmdline([word]) for word in words
    )
