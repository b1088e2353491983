# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles of speakers in the folder of the games: which exist, and which one a run uses."""

from __future__ import annotations

from pathlib import Path

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import Settings
from voices.hearing import profile
from voices.hearing.profile import Profile, ProfileError

DEFAULT = "default"  # used if none is named, provided that it exists
NONE = "none"  # requests no profile at all


def folder(settings: Settings) -> Path:
    """Where the profiles are stored."""
    return settings.folder / "profiles"


def path(settings: Settings, name: str) -> Path:
    """The file of a profile."""
    return folder(settings) / f"{name}.toml"


def names(settings: Settings) -> tuple[str, ...]:
    """The names of the existing profiles."""
    return tuple(sorted(found.stem for found in folder(settings).glob("*.toml")))


def load(settings: Settings) -> Profile | None:
    """The profile of a run, None if there is none to use. Raises UserError if it is missing or broken."""
    name = settings.profile or DEFAULT
    if settings.profile == NONE or not (settings.profile or DEFAULT in names(settings)):
        return None
    if not profile.is_name(name) or name not in names(settings):
        if known := names(settings):
            raise UserError(Message.of("no_profile", name=name, names=known))
        raise UserError(Message.of("no_profiles", name=name))
    file = path(settings, name)
    try:
        return profile.parse(name, file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(Message.of("bad_profile", file=str(file), place="-", name=name)) from error
    except ProfileError as error:
        place = Message.of("at_line", line=error.line) if error.line else error.place
        raise UserError(Message.of("bad_profile", file=str(file), place=place, name=name)) from error


def new_name(settings: Settings) -> str:
    """The name of a new profile. Raises UserError if it is not a valid name."""
    name = settings.profile or DEFAULT
    if name == NONE or not profile.is_name(name):
        raise UserError(Message.of("bad_profile_name", name=name))
    return name


def store(settings: Settings, made: Profile) -> Path:
    """Store a profile, replacing the one of that name, all or nothing. Raises OSError if that fails."""
    file = path(settings, made.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(profile.write(made), encoding="utf-8")
    return part.replace(file)
