# SPDX-License-Identifier: GPL-3.0-or-later
"""Short synthetic utterances and other talk, as the network's input: what it must not unlearn.

`make rehearsal` makes `rehearsal.npz` anew: mel bands of synthetic voices, no recording of a person.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from voices.network.vocal_tract import normalised
from voices.sound.source import RATE
from voices.words.lexicon import FILES, RANKS, vocabulary

_FILE = Path(__file__).with_name("rehearsal.npz")
STEP = 0.1  # the bands are natural logarithms, kept in steps of a tenth
_SEED = 77001
_TALK, _UTTERANCES = 24, 24  # pieces of other talk, and announcements, answers, commands
# Whose words for the files and ranks are said by speakers of which languages: each word once.
_SQUARES = (
    ("fide", "de"), ("fide", "pt"), ("nato", "en"), ("nato", "es"),
    ("de", "de"), ("en", "en"), ("es", "es"), ("pt", "pt"),
)  # fmt: skip
_LONGEST = 220  # frames
_SILENCE = RATE // 5  # samples around each

Array = np.ndarray[Any, Any]


def packed(bands: Array) -> Array:
    """Mel bands (frames, 40) as 8-bit integers, a quarter of the size."""
    return (bands / STEP).round().clip(-128, 127).astype(np.int8)


def unpacked(kept: Array) -> Array:
    """What `packed` wrote, as float32."""
    return kept.astype(np.float32) * np.float32(STEP)


@cache
def rehearsal() -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Mel bands (frames, 40) of utterances that the network knows, and of other talk."""
    with np.load(_FILE) as data:
        parts = [unpacked(part) for part in np.split(data["bands"], data["ends"][:-1])]
        known = int(data["known"])
    return tuple(parts[:known]), tuple(parts[known:])


def write(known: Sequence[Array], talk: Sequence[Array], path: Path = _FILE) -> None:
    """Write mel bands of utterances and of other talk."""
    parts = [packed(bands) for bands in (*known, *talk)]
    ends = np.cumsum([len(part) for part in parts])
    np.savez_compressed(path, bands=np.concatenate(parts), ends=ends, known=np.int64(len(known)))


def _make() -> None:
    """Let the training's voices speak, and keep the squares and the short utterances."""
    # Only here is anything spoken.
    from voices.network.corpus import Recipe  # noqa: PLC0415
    from voices.network.sentences import Sentences  # noqa: PLC0415
    from voices.network.speakers import can_speak, draw_speaker, speak  # noqa: PLC0415

    chance, sentences = random.Random(_SEED), Sentences(_SEED)  # noqa: S311
    jobs = []
    for words, language in _SQUARES:
        for file, rank in zip(FILES, RANKS, strict=True):
            said = sentences.square(vocabulary(words), language, file, rank)
            voices = (draw_speaker(chance, language, held_out=False) for _ in range(1000))
            jobs.append((next(voice for voice in voices if can_speak(voice, said)), said))
    squares = [_bands(audio) for audio in speak(jobs, _SEED)]
    found: dict[bool, list[Array]] = {False: [], True: []}
    for one in Recipe(200, _SEED).made().spoken:
        bands = _bands(one.audio)
        if len(bands) <= _LONGEST:
            found[one.kind == "garbage"].append(bands)
    write([*squares, *found[False][:_UTTERANCES]], found[True][:_TALK])


def _bands(audio: Array) -> Array:
    """What the network is given of a recording with a little silence around it."""
    quiet = np.zeros(_SILENCE, np.int16)
    return normalised(np.concatenate([quiet, audio, quiet]))


if __name__ == "__main__":
    _make()
