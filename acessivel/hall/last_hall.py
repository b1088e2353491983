# SPDX-License-Identifier: GPL-3.0-or-later
"""Which hall the table was in last: a file beside the games, so that a game goes on there by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import tomli

from acessivel.settings.settings import Settings
from acessivel.storage import private_files

_FILE_NAME = "hall.last"


def remember(settings: Settings) -> None:
    """Note the hall of the settings, if there is one. Raises OSError."""
    if not settings.hall:
        return
    key = str(Path(settings.hall_key).expanduser().absolute()) if settings.hall_key else ""
    settings.folder.mkdir(parents=True, exist_ok=True)
    path = settings.folder / _FILE_NAME
    private_files.make_file(path)
    values = {"hall": settings.hall, "hall_key": key, "table": settings.table}
    path.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items()), "utf-8")


def recalled(settings: Settings) -> Settings:
    """The settings with the hall that was remembered; as they are if none was."""
    try:
        found = tomli.loads((settings.folder / _FILE_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return settings
    hall, key, table = found.get("hall"), found.get("hall_key"), found.get("table")
    if not (isinstance(hall, str) and isinstance(key, str) and isinstance(table, int)):
        return settings
    return replace(settings, hall=hall, hall_key=settings.hall_key or key, table=settings.table or table)
