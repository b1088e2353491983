# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of words: which languages and conventions there are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from voices import data
from voices.meaning import CommandName


def languages() -> tuple[str, ...]:
    """The languages that there are, by the names of their files ("pt"), in the order of the alphabet."""
    return tuple(sorted(_files("words/languages")))


def conventions() -> tuple[str, ...]:
    """The conventions that there are, by the names of their files, in the order of the alphabet."""
    return tuple(sorted(_files("words")))


def choices(command: CommandName) -> tuple[str, ...]:
    """What can be chosen by a command: the languages, the conventions, nothing by any other."""
    found = {CommandName.LANGUAGE: languages, CommandName.CONVENTION: conventions}.get(command)
    return found() if found else ()


def text(name: str) -> str:
    """The file of a language or a convention; KeyError when there is none."""
    return {**_files("words"), **_files("words/languages")}[name].read_text("utf-8")


@cache
def _files(kind: str) -> Mapping[str, Traversable]:
    return data.files(resources.files("voices").joinpath(kind), kind)
