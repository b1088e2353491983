# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings -> disturbed examples for the training, and batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch

from voices.network.corpus import Corpus, LabelledRecording
from voices.network.features import BANDS, features
from voices.network.model import STRIDE
from voices.network.people import PeopleWords
from voices.network.tokens import BLANK, FILLER, outputs, pronunciations
from voices.phones import phones
from voices.sound.disturbance import NOISES, add_noise, echoed, noise, room
from voices.sound.source import RATE

BATCH = 32  # utterances that are trained on together
_FRAMES = 16  # of which a batch's length is a multiple: an accelerator gets ready for each length anew
POOL = 24  # batches that are sorted by length together
_NOISE_S = 40
_MIXED = ("white", "pink", "pink", "brown", "hum", "clicks", "music", *["babble"] * 5)
_TRACKS = {"babble": 16}
# The beginning of a training is gentler: noise is weaker by up to this, in dB.
_GENTLE_DB = 20.0
# Where people are heard too: the shares of their words, of their other talk, and of what is made of it.
_PEOPLE_WORDS, _PEOPLE_TALK, _PEOPLE_JOINED = 0.22, 0.12, 0.26


class Batch(NamedTuple):
    """Padded features (batch, frames, 40), the lengths of the outputs, and all labels and sounds in a row.

    `sounding` are the numbers of the examples whose sounds are known; `sounds` and their lengths are theirs.
    """

    bands: Any
    lengths: Any
    labels: Any
    label_lengths: Any
    sounds: Any
    sound_lengths: Any
    sounding: Any


@dataclass(frozen=True, slots=True)
class Example:
    """Features (frames, 40), numbers of the outputs, and of the sounds, or None if these are not known."""

    bands: Any
    labels: list[int]
    sounds: list[int] | None


class Room:
    """Draws disturbed examples from a corpus endlessly."""

    cut_start, cut_end = 0.15, 0.05  # how often the start, and the end, of a recording is missing

    def __init__(
        self, corpus: Corpus, seed: int, people: Corpus | None = None, behind: Corpus | None = None
    ) -> None:
        """`behind`: of whose talk half of the babble is; otherwise all of it is the corpus's."""
        # Answers twice as often as they were spoken: nothing must be recognised more reliably than a yes.
        self._spoken = [*corpus.spoken, *(one for one in corpus.spoken if one.kind == "answer")]
        self._gentle_db = 0.0
        self._people = PeopleWords(people, corpus) if people else None
        self._talk = people.of("talk") if people else []
        self._joined = people.of("joined") if people else []
        self._seed, self._chance = seed, np.random.default_rng(seed)
        self._numbers = {token: number for number, token in enumerate(outputs())}
        self._sounds = SoundNumbers()
        speech = [self._spoken[:4000], *([behind.of("talk")] if behind else [])]
        talk = [[one.audio for one in some] for some in speech]
        length = _NOISE_S * RATE
        self._noises = {
            kind: [
                noise(kind, length, self._chance, talk[track % len(talk)])
                for track in range(_TRACKS.get(kind, 2))
            ]
            for kind in NOISES
        }
        self._rooms = [room(self._chance, self._chance.uniform(0.1, 0.9)) for _ in range(200)]

    def pool(self, number: int, gentle: float = 0.0) -> list[Batch]:
        """Batches of similar length, the same for the same number; `gentle` from 0 to 1: noise is weaker."""
        self._gentle_db = _GENTLE_DB * gentle
        return [batch(some) for some in self.alike(number, BATCH, POOL)]

    def alike(self, number: int, size: int, count: int) -> list[list[Example]]:
        """So many batches of examples, each of similar length, in an order drawn by chance."""
        self._chance = np.random.default_rng((self._seed, number))
        examples = sorted((self.example() for _ in range(count * size)), key=lambda one: len(one.bands))
        starts = self._chance.permutation(range(0, len(examples), size))
        return [examples[start : start + size] for start in starts]

    def example(self) -> Example:
        """One disturbed utterance."""
        chance = self._chance
        if chance.random() < 0.04:
            kind = str(chance.choice(NOISES))
            return Example(self._features(self._noise(kind, int(chance.uniform(0.4, 3) * RATE))), [], [])
        one = self._draw()
        audio, labels, sounds = self._spoke(one), [*one.labels], self._sounds.of(one)
        if chance.random() < 0.15 and audio.size < 3 * RATE:
            other = self._draw()
            gap = np.zeros(int(chance.uniform(0.05, 1.5) * RATE), np.float32)
            audio = np.concatenate([audio, gap, self._spoke(other)])
            joined = labels[-1:] == [FILLER] == [*other.labels][:1]
            labels += other.labels[1:] if joined else other.labels
            more = self._sounds.of(other)
            sounds = None if sounds is None or more is None else [*sounds, *more]
        # What the program hears has some silence around it, sometimes much: an answer is mostly silence.
        before, after = chance.uniform(0, 1.2 if chance.random() < 0.3 else 0.5, 2) * RATE
        audio = np.concatenate([np.zeros(int(before), np.float32), audio, np.zeros(int(after), np.float32)])
        bands = self._features(self._disturbed(audio))
        return Example(bands, [self._numbers[label] for label in labels], sounds)

    def _draw(self) -> LabelledRecording:
        kind = self._chance.random() if self._people else 1.0
        if self._people and kind < _PEOPLE_WORDS:
            return self._people.draw(self._chance)
        spoken = self._spoken
        if kind < _PEOPLE_WORDS + _PEOPLE_TALK:
            spoken = self._talk or spoken
        elif kind < _PEOPLE_WORDS + _PEOPLE_TALK + _PEOPLE_JOINED:
            spoken = self._joined or spoken
        return spoken[int(self._chance.integers(0, len(spoken)))]

    def _spoke(self, one: LabelledRecording) -> Any:
        """The recording at another speed and pitch, sometimes with its start or end cut."""
        chance = self._chance
        audio = one.audio.astype(np.float32) / 32768
        if chance.random() < 0.7:
            factor = chance.uniform(0.87, 1.15)
            audio = np.interp(np.arange(0, audio.size - 1, factor), np.arange(audio.size), audio)
        if chance.random() < self.cut_start:
            audio = audio[int(chance.uniform(0.1, 0.17) * RATE) :]
        if chance.random() < self.cut_end:
            audio = audio[: -int(chance.uniform(0.1, 0.15) * RATE)]
        return audio.astype(np.float32)

    def _disturbed(self, audio: Any) -> Any:
        chance = self._chance
        if chance.random() < 0.35:
            audio = echoed(audio, self._rooms[int(chance.integers(0, len(self._rooms)))])
        quiet = chance.random() < 0.22
        snr = chance.uniform(25, 60) if quiet else chance.uniform(1, 24) + self._gentle_db
        kind = str(chance.choice(_MIXED))
        mixed = add_noise(audio, self._noise(kind, audio.size), snr)
        if chance.random() < 0.05:
            top = float(np.abs(mixed).max(initial=1e-9)) * chance.uniform(0.2, 0.7)
            mixed = mixed.clip(-top, top)
        return mixed

    def _noise(self, kind: str, samples: int) -> Any:
        track = self._noises[kind][int(self._chance.integers(0, len(self._noises[kind])))]
        start = int(self._chance.integers(0, track.size))
        return np.take(track, np.arange(start, start + samples), mode="wrap")

    def _features(self, audio: Any) -> Any:
        chance = self._chance
        warp = chance.uniform(0.86, 1.16) if chance.random() < 0.7 else 1.0
        found = features(audio, warp, _spectra)
        if chance.random() < 0.5 and len(found) > 1:
            found = self._another_mouth(found)
        if chance.random() < 0.3 and len(found) > 40:
            at = int(chance.integers(0, BANDS - 6))
            found[:, at : at + int(chance.integers(1, 6))] = 0
        if chance.random() < 0.05:
            found[:, 27:] = found[:, 27:].min(initial=0)  # a telephone
        return np.asarray(found, np.float32)

    def _another_mouth(self, found: Any) -> Any:
        """Formants shifted by up to a band or so, each part of the spectrum alone, and an uneven tempo."""
        shift = self._chance.normal(0, 0.6, 5)
        bands = np.arange(BANDS) + np.interp(np.arange(BANDS), np.linspace(0, BANDS - 1, 5), shift)
        found = _between(found.T, bands.clip(0, BANDS - 1)).T
        tempo = np.interp(
            np.arange(len(found)), np.linspace(0, len(found), 6), self._chance.normal(0, 0.12, 6)
        )
        times = np.cumsum(np.exp(tempo))
        return _between(found, times[times < len(found) - 1])


def _spectra(rows: Any, length: int) -> Any:
    """As numpy's `rfft` of rows, which takes several times as long."""
    return torch.fft.rfft(torch.from_numpy(rows), length).numpy()


def _between(rows: Any, at: Any) -> Any:
    """Rows interpolated between two others."""
    low = np.minimum(at.astype(int), len(rows) - 2)
    part = (at - low)[:, None]
    return rows[low] * (1 - part) + rows[low + 1] * part


def batch(examples: Sequence[Example]) -> Batch:
    """Examples as one batch; those too short for their labels are left out."""
    kept = [one for one in examples if _fits(one, one.labels)]
    lengths = torch.tensor([-(-len(one.bands) // STRIDE) for one in kept])
    sounding = [n for n, one in enumerate(kept) if one.sounds is not None and _fits(one, one.sounds)]
    return Batch(
        padded([one.bands for one in kept], _FRAMES), lengths,
        *_flat([one.labels for one in kept]), *_flat([kept[n].sounds or [] for n in sounding]),
        torch.tensor(sounding, dtype=torch.long),
    )  # fmt: skip


def padded(rows: Sequence[Any], multiple: int = 1) -> Any:
    """Arrays (time, width) as one (number, time, width), with zeros after the shorter ones."""
    longest = -(-max(map(len, rows)) // multiple) * multiple
    found = np.zeros((len(rows), longest, rows[0].shape[1]), np.float32)
    for number, one in enumerate(rows):
        found[number, : len(one)] = one
    return torch.from_numpy(found)


def _flat(rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    flat = torch.tensor([label for row in rows for label in row], dtype=torch.long)
    return flat, torch.tensor([len(row) for row in rows], dtype=torch.long)


def _fits(example: Example, labels: Sequence[int]) -> bool:
    """Whether CTC has a way through the labels: a blank must stand between two that are the same."""
    needed = max(1, len(labels) + sum(one == other for one, other in pairwise(labels)))
    return -(-len(example.bands) // STRIDE) >= needed


class SoundNumbers:
    """The numbers of the sounds (ARPAbet) of what is said; 0 is CTC's blank."""

    def __init__(self) -> None:
        self._numbers = {sound: number for number, sound in enumerate(sorted(phones()), 1)}
        self.count = len(self._numbers) + 1
        self._spoken = {word: known[0].split() for word, known in pronunciations().items()} | {BLANK: []}

    def of(self, one: LabelledRecording) -> list[int] | None:
        """Those given with a recording, or else of its words; None if other speech is among them."""
        if not one.sounds and FILLER in one.labels:
            return None
        sounds = one.sounds or [sound for word in one.labels for sound in self._spoken[word]]
        return [self._numbers[sound] for sound in sounds]
