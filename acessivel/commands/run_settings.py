# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a command: the settings file with the options over it, and a valid convention."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from acessivel.commands import chosen_convention
from acessivel.errors import UserError
from acessivel.settings.settings import SETTINGS, Settings, SettingsError, load


def loaded() -> Settings:
    """The settings as they are stored. Raises UserError if the file cannot be used."""
    try:
        return load()
    except SettingsError as error:
        raise UserError(error.message) from error


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings of a run. Raises UserError if the file or the convention cannot be used."""
    given: dict[str, Any] = {
        name: value for name, value in vars(options).items() if name in SETTINGS and value is not None
    }
    settings = dataclasses.replace(loaded(), **given)
    return dataclasses.replace(
        settings, convention=chosen_convention.chosen(settings.convention, settings.language)
    )
