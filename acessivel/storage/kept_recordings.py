# SPDX-License-Identifier: GPL-3.0-or-later
"""The recordings of a speaker in a folder of the user's, with a list of what is said in each: cases.json."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

from acessivel.storage import private_files
from voices.sound.tape import encoded

_LIST = "cases.json"


def are_in(folder: Path) -> bool:
    """Whether a folder has the recordings of a speaker already, or one that is named like these."""
    return (folder / _LIST).exists() or any(folder.glob("[0-9]-*.wav"))


def keep(
    folder: Path, recordings: Iterable[tuple[str, str, bytes]], language: str, convention: str
) -> tuple[Path, ...]:
    """Write recordings (the round, the words, mono s16le at 16 kHz) as WAV files, and then the list of them.

    `acessivel hear --cases` reads the list. All can be read by their owner only. Returns what was written.
    Raises OSError if that fails, and keeps none then.
    """
    cases, kept = [], []
    try:
        for round_, words, audio in recordings:
            name = f"{round_}-{words.replace(' ', '-')}.wav"
            kept.append(folder / name)
            _write(kept[-1], encoded(audio, "wav"))
            cases.append({"file": name, "words": words, "language": language, "convention": convention})
        kept.append(folder / _LIST)
        _write(kept[-1], json.dumps(cases, ensure_ascii=False, indent=1).encode() + b"\n")
    except OSError:
        forget(kept)
        raise
    return tuple(kept)


def forget(kept: Iterable[Path]) -> None:
    """Remove what was written, as far as that can be done."""
    for path in kept:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    private_files.make_file(path)
    private_files.restrict(path)
    path.write_bytes(content)
