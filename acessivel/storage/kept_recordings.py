# SPDX-License-Identifier: GPL-3.0-or-later
"""The recordings of a speaker in a folder of the user's, with a list of what is said in each: cases.json."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from acessivel.storage import private_files
from voices.sound.tape import encoded

_LIST = "cases.json"


def are_in(folder: Path) -> bool:
    """Whether a folder has the recordings of a speaker already."""
    return (folder / _LIST).exists()


def keep(folder: Path, recordings: Iterable[tuple[str, str, bytes]], language: str, convention: str) -> None:
    """Write recordings (the round, the words, mono s16le at 16 kHz) as WAV files, and then the list of them.

    `acessivel hear --cases` reads the list. All can be read by their owner only. Raises OSError.
    """
    cases = []
    for round_, words, audio in recordings:
        name = f"{round_}-{words.replace(' ', '-')}.wav"
        _write(folder / name, encoded(audio, "wav"))
        cases.append({"file": name, "words": words, "language": language, "convention": convention})
    _write(folder / _LIST, json.dumps(cases, ensure_ascii=False, indent=1).encode() + b"\n")


def _write(path: Path, content: bytes) -> None:
    private_files.make_file(path)
    private_files.restrict(path)
    path.write_bytes(content)
