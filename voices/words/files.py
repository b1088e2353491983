# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of words: which languages and conventions there are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from voices import data
from voices.meaning import CommandName


def languages() -> tuple[str, ...]:
    """The available languages, by the names of their files ("pt"), in alphabetical order."""
    return tuple(sorted(_files("words/languages")))


def conventions() -> tuple[str, ...]:
    """The available conventions, by the names of their files, in alphabetical order."""
    return tuple(sorted(_files("words")))


def choices(command: CommandName) -> tuple[str, ...]:
    """What a command can choose: languages or conventions; nothing for any other command."""
    found = {CommandName.LANGUAGE: languages, CommandName.CONVENTION: conventions}.get(command)
    return found() if found else ()


def text(name: str) -> str:
    """The file of a language or a convention. Raises KeyError if there is none."""
    return {**_files("words"), **_files("words/languages")}[name].read_text("utf-8-sig")


@cache
def _files(kind: str) -> Mapping[str, Path]:
    return data.files(Path(__file__).parents[1] / kind, kind)
