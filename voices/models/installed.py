# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds Vosk models on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path


def find_vosk_model(configured: Path | None, language: str, folders: Sequence[Path]) -> Path | None:
    """The folder of a model for a language ("de", "pt"), or None.

    The configured folder, whatever its name, and no other if it is given; else the first model named
    `vosk-model*-LANGUAGE*` in `folders`, `VOSK_MODEL_PATH` and the usual places, small models first: only
    they can take a grammar.
    """
    if configured is not None:
        return configured if is_model(configured) else None
    for place in (*folders, *_usual_places()):
        named = sorted(place.glob(f"vosk-model*-{language}*"), key=_small_first)
        for folder in named:
            if _is_language(folder.name, language) and is_model(folder):
                return folder
    return None


def _small_first(folder: Path) -> tuple[bool, str]:
    return "small" not in folder.name, folder.name


def is_model(folder: Path) -> bool:
    """Whether a folder holds what Vosk looks for in either of its layouts; a broken download may lack it."""
    layouts = (("am/final.mdl", "conf/mfcc.conf"), ("final.mdl", "mfcc.conf"))
    return any(all((folder / name).is_file() for name in layout) for layout in layouts)


def _is_language(name: str, language: str) -> bool:
    """`vosk-model-small-pt-0.3` is Portuguese; `vosk-model-nl-spraakherkenning-de` is not German."""
    parts = [part for part in name.split("-")[2:] if part not in {"small", "big"}]
    return bool(parts) and parts[0] == language


def _usual_places() -> Iterator[Path]:
    if named := os.environ.get("VOSK_MODEL_PATH"):
        yield Path(named)
    yield Path.home() / ".cache" / "vosk"
    yield Path("/usr/share/vosk")
    yield Path("/usr/local/share/vosk")
