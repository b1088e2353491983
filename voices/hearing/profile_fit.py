# SPDX-License-Identifier: GPL-3.0-or-later
"""A speaker's recordings of known words -> the pronunciations of each word that fit them best."""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from voices.packages import load
from voices.recognisers.pocketsphinx import NATS, SETTINGS

# How much worse than the best a pronunciation may fit, in nats per frame of the word, and still be kept.
MARGIN = 1.0
# A single one might be an accident of one recording; many are many ways to be mistaken for another word.
LEAST = 2
MOST = 5

_Pronunciations = Mapping[str, tuple[str, ...]]


def fitted(
    recordings: Iterable[tuple[str, bytes]], pronunciations: _Pronunciations
) -> dict[str, tuple[str, ...]]:
    """The fitting pronunciations, best first, for each word in recordings (phrase, mono s16le at 16 kHz).

    At least `LEAST` for each word, if there are so many, and at most `MOST`. Words that were not found in any
    recording are left out. Raises MissingPartError without pocketsphinx.
    """
    behind: dict[str, list[dict[str, float]]] = defaultdict(list)
    aligner = _Aligner(pronunciations)
    for phrase, audio in recordings:
        if not audio:
            continue
        for word, scores in aligner.scores(phrase.split(), audio).items():
            best = max(scores.values())
            behind[word].append({sounds: best - score for sounds, score in scores.items()})
    return {word: _kept(found, pronunciations[word]) for word, found in behind.items()}


def _kept(behind: Sequence[Mapping[str, float]], variants: Sequence[str]) -> tuple[str, ...]:
    """The variants that are least behind the best, averaged over all recordings.

    A variant that was not among the best in a recording counts as far behind as the last of those, plus the
    margin.
    """
    mean = {
        sounds: sum(one.get(sounds, max(one.values()) + MARGIN) for one in behind) / len(behind)
        for sounds in variants
    }
    ranked = sorted(mean, key=lambda sounds: mean[sounds])
    near = [sounds for sounds in ranked if mean[sounds] <= MARGIN]
    return tuple(ranked[: min(MOST, max(LEAST, len(near)))])


class _Aligner:
    """Decodes recordings of known words, limited to those words, each pronunciation as a word of its own."""

    def __init__(self, pronunciations: _Pronunciations) -> None:
        library = load("pocketsphinx", "voice")
        library.set_loglevel("FATAL")
        self._variants = pronunciations
        lines = (
            f"{word}_{number} {sounds}"
            for word, variants in pronunciations.items()
            for number, sounds in enumerate(variants)
        )
        with tempfile.TemporaryDirectory() as folder:
            dictionary = Path(folder, "words.dict")
            dictionary.write_text("\n".join(lines) + "\n", encoding="utf-8")
            self._decoder: Any = library.Decoder(dict=str(dictionary), **SETTINGS)
        self._searches = 0

    def scores(self, words: Sequence[str], audio: bytes) -> dict[str, dict[str, float]]:
        """How well the best `MOST` pronunciations of each word fit, in nats per frame of the word.

        One after the other: the best of each word is removed, and the recording is decoded again.
        """
        left = {word: list(range(len(self._variants[word]))) for word in words}
        found: dict[str, dict[str, float]] = {word: {} for word in words}
        channel = self._decoder.get_cmn()
        for _ in range(MOST):
            best = self._best(words, left, audio)
            if not best:
                break
            for word, number, score in best:
                found[word].setdefault(self._variants[word][number], score)
                if len(left[word]) > 1 and number in left[word]:
                    left[word].remove(number)
            learnt = self._decoder.get_cmn()
            self._decoder.set_cmn(channel)
        else:
            # One word is too little to tell the channel from its sounds.
            self._decoder.set_cmn(learnt if len(words) > 1 else channel)
        return {word: scores for word, scores in found.items() if scores}

    def _best(
        self, words: Sequence[str], left: Mapping[str, Sequence[int]], audio: bytes
    ) -> list[tuple[str, int, float]]:
        """The best-fitting pronunciation of each word among those left, with its score; none if none fits."""
        arcs = [
            (at, at + 1, 1 / len(left[word]), f"{word}_{number}")
            for at, word in enumerate(words)
            for number in left[word]
        ]
        # A search cannot be replaced under its own name while it is active.
        self._searches += 1
        name = f"search{self._searches % 2}"
        decoder = self._decoder
        decoder.add_fsg(name, decoder.create_fsg(name, 0, len(words), arcs))
        decoder.activate_search(name)
        decoder.start_utt()
        decoder.process_raw(audio, False, True)
        decoder.end_utt()
        found = []
        for part in decoder.seg() or ():
            word, _, number = part.word.rpartition("_")
            if word and number.isdecimal() and part.ascore > 0:
                frames = part.end_frame - part.start_frame + 1
                found.append((word, int(number), math.log(part.ascore) * NATS / frames))
        return found if len(found) == len(words) else []
