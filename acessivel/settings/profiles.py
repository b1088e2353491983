# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles of speakers in the folder of the games: which exist, and which one a run uses."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acessivel.errors import UserError
from acessivel.message import Message, ToType
from acessivel.settings.command_line import command, of_profile
from acessivel.settings.settings import Settings
from voices.hearing import profile
from voices.hearing.decision import REPEAT
from voices.hearing.profile import Profile, ProfileError
from voices.packages import MissingPartError
from voices.packages import load as load_package

_LOG = logging.getLogger(__name__)

DEFAULT = "default"  # used if none is named, provided that it exists
NONE = "none"  # requests no profile at all
_PART = ".part"  # behind the name and the program's number: not whole yet
_LEARNT = ".npz"  # beside the profile, by the same name: what was learnt of the speaker in play


def folder(settings: Settings) -> Path:
    """Where the profiles are stored."""
    return settings.folder / "profiles"


def path(settings: Settings, name: str) -> Path:
    """The file of a profile."""
    return folder(settings) / f"{name}.toml"


def names(settings: Settings) -> tuple[str, ...]:
    """The names of the existing profiles, those too of which something was only learnt in play."""
    found = (each for kind in (".toml", _LEARNT) for each in folder(settings).glob(f"*{kind}"))
    return tuple(sorted({each.stem for each in found if profile.is_name(each.stem)}))


def learnt_path(settings: Settings, name: str) -> Path:
    """The file of what was learnt of the speaker of a profile in play."""
    return folder(settings) / f"{name}{_LEARNT}"


def load(settings: Settings) -> Profile | None:
    """The profile of a run, None if there is none to use, or it is broken. Raises NoProfileError."""
    try:
        return _whole(settings)
    except _BrokenError as error:
        _LOG.info("no profile is used: %s", error)  # `broken` tells it
        return None


def broken(settings: Settings) -> Message | None:
    """What to tell of the profile of a run that cannot be read. Raises NoProfileError."""
    try:
        _whole(settings)
    except _BrokenError as error:
        return error.message
    return None


def _whole(settings: Settings) -> Profile | None:
    name = settings.profile or DEFAULT
    if settings.profile == NONE or not (settings.profile or DEFAULT in names(settings)):
        return None
    if not profile.is_name(name) or name not in names(settings):
        raise NoProfileError(settings, name)
    file = path(settings, name)
    if not file.exists():
        return None
    try:
        return profile.parse(name, file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise _BrokenError(settings, file, "-") from error
    except ProfileError as error:
        place = Message.of("at_line", line=error.line) if error.line else error.place
        raise _BrokenError(settings, file, place) from error


class _BrokenError(UserError):
    """A profile cannot be read."""

    def __init__(self, settings: Settings, file: Path, place: Message | str) -> None:
        remedies = {
            "enrol": of_profile("enrol", settings),
            "reset": of_profile("profile", settings, "reset"),
        }
        super().__init__(Message.of("bad_profile", file=str(file), place=place, **remedies))


class NoProfileError(UserError):
    """There is no profile of a name."""

    def __init__(self, settings: Settings, name: str) -> None:
        known = names(settings)
        values = {"name": ToType.name(name), **({"names": known} if known else {})}
        values["enrol"] = command("enrol", None, settings)
        super().__init__(Message.of("no_profile" if known else "no_profiles", **values))


def gone(settings: Settings) -> Message | None:
    """What to tell of a profile of the settings that is not there, with the way out."""
    try:
        load(settings)
    except NoProfileError:
        values = {"folder": str(folder(settings)), "enrol": command("enrol", None, settings)}
        return Message.of("no_profile_set", name=ToType.name(settings.profile), **values)
    return None


def new_name(settings: Settings) -> str:
    """The name of a new profile. Raises UserError if it is not a valid name."""
    name = settings.profile or DEFAULT
    if name == NONE or not profile.is_name(name):
        raise UserError(Message.of("bad_profile_name", name=ToType.name(name)))
    return name


def check_wanted(settings: Settings, named: str | None) -> None:
    """Raise UserError where the settings do without a profile, and the command line names none."""
    if named is None and settings.profile == NONE:
        raise UserError(Message.of("profile_none_set"))


def store(settings: Settings, made: Profile, found: Any = None) -> None:
    """Store a profile in place of the one of that name, with what was learnt, a `Learnt`, if anything was.

    All or nothing. Raises OSError if that fails.
    """
    files = {path(settings, made.name): profile.write(made).encode()}
    if found is not None:
        files[learnt_path(settings, made.name)] = found.written()
    _replaced(files)


def learnt(settings: Settings) -> Any:
    """What was learnt of the speaker of a run, a `Learnt`; None if nothing was, or numpy is missing.

    A file that cannot be read counts as nothing.
    """
    if settings.profile == NONE:
        return None
    try:
        return _read(learnt_path(settings, settings.profile or DEFAULT))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (MissingPartError, OSError, ValueError) as error:
        _LOG.info("nothing learnt is used: %s", error)  # `acessivel profile` tells it
        return None


def is_damaged(settings: Settings) -> bool:
    """Whether what was learnt of the speaker of a run cannot be read; not if numpy is missing."""
    if settings.profile == NONE:
        return False
    try:
        _read(learnt_path(settings, settings.profile or DEFAULT))
    except (MissingPartError, FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return False


def damaged(settings: Settings) -> Message:
    """What is told of what was learnt and cannot be read."""
    return Message.of(
        "profile_damaged",
        name=ToType.name(settings.profile or DEFAULT),
        enrol=of_profile("enrol", settings),
        reset=of_profile("profile", settings, "reset"),
    )


def _read(file: Path) -> Any:
    data = file.read_bytes()  # first: nothing is imported for a file that is not there
    return load_package("voices.hearing.learnt", "voice").Learnt.read(data)


def needed(settings: Settings) -> tuple[float, float]:
    """How probable a yes of the speaker of a run must be at least, and any other reading that is repeated."""
    found, known = load(settings), learnt(settings)
    return found.yes if found else 0.0, known.repeat_needed(REPEAT) if known else REPEAT


def store_learnt(settings: Settings, name: str, found: Any) -> None:
    """Store what was learnt, a `Learnt`, in place of what was there. Raises OSError if that fails."""
    _replaced({learnt_path(settings, name): found.written()})


def learnt_version(settings: Settings, name: str) -> tuple[int, int] | None:
    """What changes whenever what was learnt is stored; None if nothing is."""
    try:
        found = learnt_path(settings, name).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def remove(settings: Settings, name: str) -> None:
    """Remove a profile and what was learnt. Raises OSError if that fails."""
    for file in (path(settings, name), learnt_path(settings, name)):
        file.unlink(missing_ok=True)
        for part in file.parent.glob(f"{file.name}*{_PART}"):
            part.unlink(missing_ok=True)


def _part(file: Path) -> Path:
    """Where this program writes a file before it takes its place."""
    return file.with_name(f"{file.name}.{os.getpid()}{_PART}")


def _replaced(files: Mapping[Path, bytes]) -> None:
    """Write files that only their owner may read, all or nothing."""
    try:
        for file, data in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            part = _part(file)
            part.unlink(missing_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
                written.write(data)
                written.flush()
                os.fsync(written.fileno())
    except OSError:
        for file in files:
            with contextlib.suppress(OSError):
                _part(file).unlink(missing_ok=True)
        raise
    for file in files:
        _part(file).replace(file)
