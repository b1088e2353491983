# SPDX-License-Identifier: GPL-3.0-or-later
"""What to type in a terminal, with the folder of the games where it is not the usual one."""

from __future__ import annotations

from acessivel.message import ToType
from acessivel.messages.shell import program, typed
from acessivel.settings.settings import Settings


def of_profile(name: str, settings: Settings, *words: str) -> ToType:
    """What to type about the profile of a run, which the one called default need not be told."""
    named = ("--profile", settings.profile) if settings.profile else ()
    return command(name, None, settings, *words, *named)


def command(name: str, number: int | None, settings: Settings, *options: str) -> ToType:
    """What to type about a game, or all: the program may not be on the path, nor the folder the default one.

    Only the program, the command, the number and the options are spoken: a path is not understood by ear.
    """
    words = [name, *([] if number is None else [str(number)]), *options]
    folder = ["--save", str(settings.folder.absolute())] if settings.save else []  # typed anywhere, and later
    tape = ["--tape"] if settings.tape and name == "resume" else []
    return ToType(typed([program(), *words, *folder, *tape]), " ".join(["acessivel", *words]))
