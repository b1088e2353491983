# SPDX-License-Identifier: GPL-3.0-or-later
"""In which hall each game was played last: a file beside the games, so that it goes on there by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import tomli

from acessivel.settings.settings import Settings, user_path
from acessivel.settings.toml_line import toml_line
from acessivel.storage import private_files

_FILE_NAME = "hall.last"
_OLDER = ""  # where a version noted one hall for all games


def remember(settings: Settings, game: int, known_by: str) -> None:
    """Note that a game is played in the hall of the settings, and what that is known by.

    Raises OSError, or ValueError for a path that is no text.
    """
    key = str(user_path(settings.hall_key).absolute()) if settings.hall_key else ""
    noted = _noted(settings.folder)
    values = {"hall": settings.hall, "hall_key": key, "table": settings.table, "known_by": known_by}
    noted[str(game)] = values
    path = settings.folder / _FILE_NAME
    part = path.with_suffix(".part")
    private_files.make_file(part)
    part.write_text("".join(_written(name, noted[name]) for name in sorted(noted)), "utf-8")
    part.replace(path)


def recalled(settings: Settings, game: int) -> Settings:
    """The settings with the hall in which a game was played; as they are if none was noted."""
    noted = _noted(settings.folder)
    found = noted.get(str(game)) or noted.get(_OLDER, {})
    hall, key, table = found.get("hall"), found.get("hall_key"), found.get("table")
    if not (isinstance(hall, str) and isinstance(key, str) and isinstance(table, int)):
        return settings
    return replace(settings, hall=hall, hall_key=settings.hall_key or key, table=settings.table or table)


def known_by(folder: Path, game: int) -> str:
    """What the hall in which a game was played is known by, "" if none was noted."""
    return str(_noted(folder).get(str(game), {}).get("known_by", ""))


def _noted(folder: Path) -> dict[str, Mapping[str, object]]:
    """The halls by the numbers of the games; none if the file cannot be read."""
    try:
        found = tomli.loads((folder / _FILE_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    games = {name: one for name, one in found.items() if isinstance(one, dict)}
    return {_OLDER: {name: one for name, one in found.items() if name not in games}, **games}


def _written(name: str, values: Mapping[str, object]) -> str:
    lines = (toml_line(key, value) for key, value in values.items())
    return "".join((f"[{name}]\n" if name else "", *lines))
