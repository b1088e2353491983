# SPDX-License-Identifier: GPL-3.0-or-later
"""The accents that an engine's voices should have, from `accents.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

Engine = Literal["pyttsx3", "speechd", "espeak"]


def preferred(engine: Engine, language: str) -> tuple[str, ...]:
    """The names that an engine has for the accents to prefer, best first; else that of the language alone."""
    return tuple(_table()[engine].get(language, (language,)))


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(resources.files("voices.speakers").joinpath("accents.toml").read_text("utf-8"))
