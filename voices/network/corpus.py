# SPDX-License-Identifier: GPL-3.0-or-later
"""The recordings from which the networks learn, and how synthetic voices make them (`Recipe`)."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Recipe:
    """About `count` recordings by the training voices, or by those held out, the same for the same seed.

    `kinds`: the shares of the kinds of sentences; `engine`: whose voices (`speakers.draw_speaker`).
    """

    count: int
    seed: int
    held_out: bool = False
    kinds: Mapping[str, int] = field(default_factory=lambda: KINDS)
    engine: str = ""

    def kept(self, path: Path) -> Corpus:
        """What is kept in a file; made, and kept there, where it is missing.

        An interruption costs what was not yet made: until then the parts are kept beside it.
        """
        if not path.exists():
            parts = path.with_suffix("")
            parts.mkdir(exist_ok=True)
            self.made(parts).save(path)
            shutil.rmtree(parts)
        return Corpus.load(path)

    def made(self, parts: Path | None = None) -> Corpus:
        """All of it, by all processors, each part kept in a folder (`parts`) if one is given."""
        seeds = [self.seed * 1000 + number for number in range(-(-self.count // _AT_ONCE))]
        with ProcessPoolExecutor() as pool:
            found = pool.map(self._part, seeds, [parts] * len(seeds))
            return Corpus([one for part in found for one in part])

    def _part(self, seed: int, parts: Path | None) -> Sequence[LabelledRecording]:
        """The recordings of a seed, made or, from before an interruption, kept."""
        if parts is None:
            return self._spoken(seed)
        path = parts / f"{seed}.npz"
        if not path.exists():
            Corpus(self._spoken(seed)).save(path)
        return Corpus.load(path).spoken

    def _spoken(self, seed: int) -> list[LabelledRecording]:
        chance = random.Random(seed)  # noqa: S311
        sentences = Sentences(seed)
        jobs: list[tuple[TrainingVoice, Sentence]] = []
        drawn: list[str] = []
        while len(jobs) < _AT_ONCE:
            language = chance.choices(list(SHARES), list(SHARES.values()))[0]
            kind, sentence = sentences.draw(language, self.kinds)
            speaker = draw_speaker(chance, language, held_out=self.held_out, engine=self.engine)
            if sentence and can_speak(speaker, sentence):
                jobs.append((speaker, sentence))
                drawn.append(kind)
        return [
            LabelledRecording(audio, labels(sentence), kind, speaker.voice)
            for (speaker, sentence), kind, audio in zip(jobs, drawn, speak(jobs, seed), strict=True)
            if audio.size >= _SHORTEST
        ]
