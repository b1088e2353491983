# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a command that opens devices: what they cannot do is refused before anything begins."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from dataclasses import replace

from acessivel.commands import log
from acessivel.commands.run_settings import settings_of
from acessivel.devices import keys, private_voice
from acessivel.devices.installation import install
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.packages import MissingPartError
from voices.packages import load as load_package

_ALWAYS_HEAR = ("demo", "hear")  # whatever the settings say


def device_settings_of(options: argparse.Namespace) -> Settings:
    """The settings of a run. Raises UserError if the devices of its options cannot be used with them."""
    log.start()
    settings = settings_of(options)
    if "profile" in options and options.command != "enrol":
        settings = _with_profile(settings, options)
    if "room_output" in options and (why := private_voice.unusable(settings)):
        raise UserError(why)
    if "braille" in options:
        bindings(settings)
    if "tape" in options and settings.tape:
        with sound_files():
            load_package("soundfile", "voice")
    return settings


def _with_profile(settings: Settings, options: argparse.Namespace) -> Settings:
    """The same, without a profile of the settings that is not there, if nothing is heard.

    Raises UserError for one that is not there otherwise; `doctor` tells of that of the settings itself.
    """
    if options.profile is not None:
        profiles.load(settings)
        return settings
    gone = None if options.command == "doctor" else profiles.gone(settings)
    if gone is None:
        return settings
    if settings.hear != "keyboard" or options.command in _ALWAYS_HEAR:
        raise UserError(gone)
    return replace(settings, profile=profiles.NONE)


def bindings(settings: Settings) -> keys.Bindings:
    """What the keys do. Raises UserError if the user's table of keys has a mistake."""
    try:
        return keys.load(push=settings.talk == "push")
    except keys.KeysError as error:
        raise UserError(error.message) from error


@contextlib.contextmanager
def sound_files() -> Iterator[None]:
    """Raise UserError if the library of sound files, which a tape needs, is missing."""
    try:
        yield
    except MissingPartError as error:
        raise UserError(Message.of("missing_tape", how=install("voice"))) from error
