# SPDX-License-Identifier: GPL-3.0-or-later
"""The preferred accents of an engine's voices, from `accents.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import tomli

Engine = Literal["pyttsx3", "speechd", "espeak"]


def preferred(engine: Engine, language: str) -> tuple[str, ...]:
    """An engine's names for the preferred accents of a language, best first; else the language itself."""
    return tuple(_table()[engine].get(language, (language,)))


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    return tomli.loads(Path(__file__).with_name("accents.toml").read_text("utf-8"))
