# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the recordings from which the network learns: `Corpus.make`, the same ones for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from voices.network.sentences import KINDS, Sentence, Sentences, labels
from voices.network.speakers import TrainingVoice, can_speak, draw_speaker, speak

_AT_ONCE = 200  # sentences of one job
_SHORTEST = 1600  # samples: a shorter result means that the voice failed
# The languages that it is trained on, and how much of each; `garbage.toml` and `accents.toml` have them too.
SHARES = {"pt": 4, "en": 2, "de": 4, "es": 2}


@dataclass(frozen=True, slots=True)
class LabelledRecording:
    """A recording (int16, 16 kHz, mono), the tokens said, the kind of sentence, and who said it.

    `sounds` (ARPAbet) are those of other speech whose words are known; what the tokens say needs none.
    `places` are the first frame (of 10 ms) of each sound, and the first after it, if they were found.
    """

    audio: np.ndarray[Any, Any]
    labels: tuple[str, ...]
    kind: str
    voice: str
    sounds: tuple[str, ...] = ()
    places: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """Recordings in a fixed order."""

    spoken: Sequence[LabelledRecording]

    @classmethod
    def make(
        cls, count: int, seed: int, *, held_out: bool, kinds: Mapping[str, int] = KINDS, engine: str = ""
    ) -> Corpus:
        """About `count` recordings by the training voices, or by those held out; uses all processors.

        `kinds`: the shares of the kinds of sentences; `engine`: whose voices (`speakers.draw_speaker`).
        """
        seeds = [seed * 1000 + number for number in range(-(-count // _AT_ONCE))]
        with ProcessPoolExecutor() as pool:
            parts = list(pool.map(partial(_make_part, held_out=held_out, kinds=kinds, engine=engine), seeds))
        return cls([one for part in parts for one in part])

    @classmethod
    def kept(cls, path: Path, make: Callable[[], Corpus]) -> Corpus:
        """What is kept in a file; made, and kept there, where it is missing."""
        if not path.exists():
            make().save(path)
        return cls.load(path)

    def of(self, kind: str) -> list[LabelledRecording]:
        """The recordings of a kind."""
        return [one for one in self.spoken if one.kind == kind]

    def save(self, path: Path) -> None:
        """Write one file of numpy's (.npz), which is there whole or not at all."""
        half = path.with_suffix(".half.npz")
        ends = np.cumsum([one.audio.size for one in self.spoken])
        texts = ["\t".join((one.kind, one.voice, " ".join(one.sounds), *one.labels)) for one in self.spoken]
        places = [frame for one in self.spoken for place in one.places for frame in place]
        np.savez(
            half,
            audio=np.concatenate([one.audio for one in self.spoken]),
            ends=ends,
            texts=np.array(texts),
            places=np.array(places, np.int32),
            placed=np.cumsum([2 * len(one.places) for one in self.spoken]),
        )
        half.replace(path)

    @classmethod
    def load(cls, path: Path) -> Corpus:
        """Read what `save` wrote."""
        with np.load(path) as data:
            parts = np.split(data["audio"], data["ends"][:-1])
            texts = [str(text).split("\t") for text in data["texts"]]
            known = "places" in data  # not in the first ones
            placed = (
                np.split(data["places"], data["placed"][:-1]) if known else [np.zeros(0, int)] * len(parts)
            )
        return cls(
            [
                LabelledRecording(
                    audio, tuple(text[3:]), text[0], text[1], tuple(text[2].split()),
                    tuple((int(start), int(end)) for start, end in places.reshape(-1, 2)),
                )
                for audio, text, places in zip(parts, texts, placed, strict=True)
            ]
        )  # fmt: skip


def _make_part(
    seed: int, *, held_out: bool, kinds: Mapping[str, int], engine: str
) -> list[LabelledRecording]:
    chance = random.Random(seed)  # noqa: S311
    sentences = Sentences(seed)
    jobs: list[tuple[TrainingVoice, Sentence]] = []
    drawn: list[str] = []
    while len(jobs) < _AT_ONCE:
        language = chance.choices(list(SHARES), list(SHARES.values()))[0]
        kind, sentence = sentences.draw(language, kinds)
        speaker = draw_speaker(chance, language, held_out=held_out, engine=engine)
        if sentence and can_speak(speaker, sentence):
            jobs.append((speaker, sentence))
            drawn.append(kind)
    return [
        LabelledRecording(audio, labels(sentence), kind, speaker.voice)
        for (speaker, sentence), kind, audio in zip(jobs, drawn, speak(jobs, seed), strict=True)
        if audio.size >= _SHORTEST
    ]
