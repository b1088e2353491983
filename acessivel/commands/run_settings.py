# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a command: the settings file with the options over it, and a valid convention."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from acessivel.commands import chosen_convention
from acessivel.errors import UserError, reason
from acessivel.message import Message
from acessivel.settings.settings import SETTINGS, Settings, SettingsError, load
from voices.words.conventions import DEFAULT


def loaded() -> Settings:
    """The settings as they are stored. Raises UserError if the file cannot be used."""
    try:
        return load()
    except SettingsError as error:
        raise UserError(error.message) from error


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of a run.

    Raises UserError if the file cannot be used, or a convention or folder of games that the command uses. The
    others, such as `resume`, whose games have their own, do without the convention of the settings.
    """
    given: dict[str, Any] = {
        name: value for name, value in vars(options).items() if name in SETTINGS and value is not None
    }
    settings = dataclasses.replace(loaded(), **given)
    if "save" in options:
        _check_folder(settings)
    return dataclasses.replace(settings, convention=_convention(options, settings))


def _check_folder(settings: Settings) -> None:
    """Raise UserError if nobody may look into the folder of the games; it may not be there yet."""
    try:
        (settings.folder / "games.sqlite3").stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        why = reason(error, "reading")
        raise UserError(Message.of("cannot_read_games", folder=str(settings.folder), reason=why)) from error


def _convention(options: argparse.Namespace, settings: Settings) -> str:
    missing = "no_convention" if getattr(options, "convention", None) is not None else "no_convention_set"
    try:
        return chosen_convention.chosen(settings.convention, settings.language, missing)
    except UserError:
        if "convention" in options:
            raise
        return chosen_convention.chosen(DEFAULT, settings.language)
