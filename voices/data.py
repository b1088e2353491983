# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the data of languages are found: in the program, then in the folders of ACESSIVEL_LANGUAGES.

Such a folder has what a language needs in `words/languages`, `steps`, `online`, `hall`, `codes` and
`messages`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "ACESSIVEL_LANGUAGES"  # of the environment; `braille.notation` reads it too


def folders() -> tuple[Path, ...]:
    """The folders beside the program's own, as the environment lists them (separated as in PATH)."""
    return tuple(Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name)


def files(own: Path, kind: str) -> Mapping[str, Path]:
    """The files NAME.toml of a kind, by name: the program's, overridden by those of the user's folders."""
    places = (own, *(folder / kind for folder in folders()))
    found = (file for place in places if place.is_dir() for file in place.iterdir())
    return {file.name.removesuffix(".toml"): file for file in found if file.name.endswith(".toml")}
