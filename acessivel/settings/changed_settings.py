# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings changed by a command, in a game or by `acessivel config`, stored beside the settings file."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli

from acessivel.settings.toml_line import toml_line
from voices.file_lock import lock

FILE_NAME = "changed.toml"


def beside(settings_file: Path) -> Path:
    """Where they are stored: a file of its own, so that the user's file stays as he wrote it."""
    return settings_file.with_name(FILE_NAME)


def stored(settings_file: Path) -> dict[str, Any]:
    """What is stored there. Raises OSError or ValueError for a file that cannot be read."""
    try:
        return tomli.loads(beside(settings_file).read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}


def keep(settings_file: Path, name: str, value: float | str | None) -> None:
    """Store one setting with those stored before, or let go of it with None; all or nothing.

    A file that cannot be read is kept as "changed.damaged". Raises OSError if it cannot be written.
    """
    settings_file.parent.mkdir(parents=True, exist_ok=True)
    with _alone(settings_file.parent):
        _replace(settings_file, name, value)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else changes a setting meanwhile: of two programs each would write what the other has not."""
    if sys.platform == "win32":  # where no folder can be opened
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        lock(opened, waits=True)
        yield
    finally:
        os.close(opened)


def _replace(settings_file: Path, name: str, value: float | str | None) -> None:
    path = beside(settings_file)
    try:
        before = stored(settings_file)
    except ValueError:
        path.replace(path.with_suffix(".damaged"))
        before = {}
    after = {key: each for key, each in {**before, name: value}.items() if each is not None}
    lines = [toml_line(key, each) for key, each in after.items()]
    new = path.with_suffix(f".{os.getpid()}.new")  # where there are no locks, another may write one now
    try:
        with new.open("w", encoding="utf-8") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave the name with nothing in it
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
