# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that no person has recorded, joined from the sounds of what a person has said: `joined`.

What is cut out of a person's other talk goes from the middle of one sound to the middle of the next (a
diphone). Of several that are drawn at random, those are taken whose joints are heard least.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np

from voices.network.corpus import SHARES, Corpus, LabelledRecording
from voices.network.features import HOP, features
from voices.network.sentences import KINDS, Sentences, labels
from voices.phones import vowels
from voices.sound.source import RATE

_PAUSE = ""
_VOWELS = vowels()
# What is said instead by whose language lacks a sound.
_NEAREST = {
    "AE": "EH", "IH": "IY", "UH": "UW", "AO": "OW", "OW": "AO", "EH": "EY", "EY": "EH", "AH": "AA",
    "NG": "N", "DH": "D", "TH": "T", "JH": "ZH", "W": "UW", "Y": "IY", "ER": "AO",
}  # fmt: skip
_LEAST_SOUNDS = 1500  # that a person has said in all; whoever said fewer lacks too many diphones
_DRAWN = 60  # of each diphone, to choose from
_ELSEWHERE = 1.0  # what going on in another recording costs beside the difference (nepers of a mel band)
_ALONE = 0.15  # the share of files and ranks alone, beside those among all other sentences
_AT_ONCE = 200  # recordings
_SHORTEST = RATE // 8
_FADE = RATE // 100
_STEP = RATE // 80  # of what is slowed down; two are longer than a period of the lowest voice
_SEARCHED = RATE // 160
_LOUD = 4000.0  # what is spoken (root mean square) in each recording

Array = np.ndarray[Any, Any]


class Diphone(NamedTuple):
    """Two sounds beside each other, and which samples of which recording they are; a pause is the sound "".

    Half of one begins or ends at the boundary.
    """

    before: str
    after: str
    recording: int
    start: int
    boundary: int
    end: int


class Person:
    """What can be cut out of the recordings of one person."""

    def __init__(self, recordings: Sequence[LabelledRecording]) -> None:
        self._audio: list[Array] = []
        self._bands: list[Array] = []
        self._found: dict[tuple[str, str], list[Diphone]] = {}
        for number, one in enumerate(recordings):
            self._audio.append(_levelled(one))
            self._bands.append(features(one.audio))
            for found in _diphones(number, one):
                if not found.start < found.boundary < found.end <= len(one.audio):
                    continue  # at an end that was cut
                self._take((found.before, found.after), found)
                self._take((found.before, "*"), found._replace(end=found.boundary))
                self._take(("*", found.after), found._replace(start=found.boundary))

    def _take(self, key: tuple[str, str], one: Diphone) -> None:
        self._found.setdefault(key, []).append(one)

    def own(self, sound: str) -> str:
        """A sound as this person says it."""
        said = {sound: None, _NEAREST.get(sound, sound): None}
        return next((one for one in said if (one, "*") in self._found), sound)

    def choices(self, before: str, after: str) -> list[list[Diphone]]:
        """What these two sounds can be cut from: diphones, else halves of others; [] if there are none."""
        if whole := self._found.get((before, after)):
            return [whole]
        keys = [(before, "*"), ("*", after)]
        halves = [self._found.get(key, []) for key in keys if key not in ((_PAUSE, "*"), ("*", _PAUSE))]
        return halves if all(halves) else []

    def cut(self, one: Diphone) -> tuple[Array, Array]:
        """The samples of a piece and of a fade on either side, and which of them are a vowel's."""
        samples = np.arange(one.start - _FADE, one.end + _FADE)
        vowel = np.where(samples < one.boundary, one.before in _VOWELS, one.after in _VOWELS)
        return self._audio[one.recording][one.start : one.end + 2 * _FADE], vowel

    def joints(self, before: Sequence[Diphone], after: Sequence[Diphone]) -> Array:
        """How much each joint is heard (before, after): not at all where two go on in one recording."""
        ends = np.array([(one.recording, one.end) for one in before])
        starts = np.array([(one.recording, one.start) for one in after])
        sides = self._frames(ends)[:, None] - self._frames(starts)[None]
        goes_on = (ends[:, None] == starts[None]).all(axis=2)
        return np.where(goes_on, 0.0, _ELSEWHERE + np.abs(sides).mean(axis=2))

    def _frames(self, places: Array) -> Array:
        """The mel bands at these samples of these recordings."""
        frames = [np.minimum(sample // HOP, len(self._bands[n]) - 1) for n, sample in places]
        return np.stack([self._bands[n][at] for (n, _), at in zip(places, frames, strict=True)])


class People:
    """Everybody who has said enough, and how they would say other words."""

    def __init__(self, people: Corpus) -> None:
        known = sorted((one for one in people.spoken if one.places), key=lambda one: one.voice)
        said = {voice: list(group) for voice, group in groupby(known, lambda one: one.voice)}
        self._speakers = {
            voice: Person(some)
            for voice, some in said.items()
            if sum(len(one.places) for one in some) >= _LEAST_SOUNDS
        }
        self.voices = tuple(self._speakers)

    def speak(self, voice: str, words: Sequence[Sequence[str]], chance: np.random.Generator) -> Array | None:
        """The words, each as its sounds, as a recording (int16, 16 kHz); None if this person lacks a sound.

        Some make pauses between words, some draw their vowels out.
        """
        speaker, pauses = self._speakers[voice], float(chance.choice([0.0, 0.0, 0.3, 1.0]))
        sounds = [_PAUSE]
        for word in words:
            sounds += [_PAUSE] if sounds[-1] and chance.random() < pauses else []
            sounds += map(speaker.own, word)
        choices: list[list[Diphone]] = []
        for pair in pairwise([*sounds, _PAUSE]):
            if not (found := speaker.choices(*pair)):
                return None
            for some in found:
                drawn = chance.choice(len(some), min(_DRAWN, len(some)), replace=False)
                choices.append([some[int(n)] for n in drawn])
        samples, vowels = _joined([speaker.cut(one) for one in _smoothest(speaker, choices)])
        slower = float(chance.uniform(1.0, 2.5 if len(words) == 1 else 1.6))
        return _slowed(samples, vowels, slower).clip(-32768, 32767).astype(np.int16)


def _levelled(one: LabelledRecording) -> Array:
    audio = one.audio.astype(np.float32)
    spoken = audio[one.places[0][0] * HOP : one.places[-1][1] * HOP]
    margin = np.zeros(_FADE, np.float32)
    audio *= _LOUD / max(1.0, float(np.sqrt(np.mean(spoken**2))))
    return np.concatenate([margin, audio, margin])


def _diphones(number: int, one: LabelledRecording) -> Iterator[Diphone]:
    """Every two sounds beside each other, and every sound beside a pause, the start or the end."""
    spans = [
        (sound, start * HOP, end * HOP) for sound, (start, end) in zip(one.sounds, one.places, strict=True)
    ]
    yield Diphone(
        _PAUSE, spans[0][0], number, max(0, spans[0][1] - 2 * _FADE), spans[0][1], sum(spans[0][1:]) // 2
    )
    for (before, start, pause), (after, boundary, end) in pairwise(spans):
        if pause == boundary:
            yield Diphone(before, after, number, (start + pause) // 2, pause, (boundary + end) // 2)
        else:
            middle = (pause + boundary) // 2
            yield Diphone(before, _PAUSE, number, (start + pause) // 2, pause, middle)
            yield Diphone(_PAUSE, after, number, middle, boundary, (boundary + end) // 2)
    sound, start, last = spans[-1]
    yield Diphone(sound, _PAUSE, number, (start + last) // 2, last, min(len(one.audio), last + 2 * _FADE))


def _smoothest(person: Person, choices: Sequence[Sequence[Diphone]]) -> list[Diphone]:
    """One of each, so that the joints are heard least (Viterbi)."""
    costs, back = np.zeros(len(choices[0])), []
    for before, after in pairwise(choices):
        total = costs[:, None] + person.joints(before, after)
        back.append(total.argmin(axis=0))
        costs = total.min(axis=0)
    at = int(costs.argmin())
    found = [choices[-1][at]]
    for some, came_from in zip(choices[-2::-1], back[::-1], strict=True):
        at = int(came_from[at])
        found.append(some[at])
    return found[::-1]


def _joined(pieces: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Pieces and their vowels one after the other, faded into each other."""
    whole, vowels = pieces[0]
    for piece, more in pieces[1:]:
        over = min(2 * _FADE, len(whole), len(piece))
        rising = np.linspace(0, 1, over, dtype=np.float32)
        mixed = whole[-over:] * (1 - rising) + piece[:over] * rising
        whole = np.concatenate([whole[:-over], mixed, piece[over:]])
        vowels = np.concatenate([vowels[: len(vowels) - over // 2], more[over - over // 2 :]])
    return whole, vowels


def _slowed(samples: Array, vowels: Array, slower: float) -> Array:
    """The vowels drawn out by a factor, at the same pitch (waveform similarity overlap-add)."""
    window = np.hanning(2 * _STEP).astype(np.float32)
    found = np.zeros(int(len(samples) * slower) + 4 * _STEP, np.float32)
    padded = np.concatenate([np.zeros(_SEARCHED, np.float32), samples, np.zeros(4 * _STEP, np.float32)])
    at, written, goes_on = 0.0, 0, 0
    while int(at) < len(samples):
        wanted = padded[goes_on + _SEARCHED : goes_on + _SEARCHED + 2 * _STEP]
        around = padded[int(at) : int(at) + 2 * _SEARCHED + 2 * _STEP]
        alike = (
            np.correlate(around, wanted[: len(around)], "valid") if len(around) > len(wanted) else np.zeros(1)
        )
        start = int(at) + int(alike.argmax())
        part = padded[start : start + 2 * _STEP]
        found[written : written + len(part)] += part * window[: len(part)]
        goes_on = start - _SEARCHED + _STEP
        written += _STEP
        at += _STEP / (slower if vowels[min(int(at), len(vowels) - 1)] else 1.0)
    return found[: written + _STEP]


def joined(
    people: Corpus, count: int, seed: int, kinds: Mapping[str, int] = KINDS, alone: float = _ALONE
) -> Corpus:
    """About `count` recordings of the kind "joined", by those who have said enough; uses all processors.

    `kinds`: the shares of the kinds of sentences; `alone`: that of files and ranks alone, beside those among
    these.
    """
    jobs = [seed * 1000 + number for number in range(-(-count // _AT_ONCE))]
    made = partial(_joined_part, kinds=kinds, alone=alone)
    with ProcessPoolExecutor(initializer=_prepare, initargs=(people,)) as pool:
        return Corpus([one for part in pool.map(made, jobs) for one in part])


_PREPARED: list[People] = []  # of a process that speaks


def _prepare(people: Corpus) -> None:
    _PREPARED.append(People(people))


def _joined_part(seed: int, kinds: Mapping[str, int], alone: float) -> list[LabelledRecording]:
    (speakers,) = _PREPARED
    chance, sentences = random.Random(seed), Sentences(seed)  # noqa: S311
    drawn = np.random.default_rng(seed)
    found: list[LabelledRecording] = []
    while len(found) < _AT_ONCE:
        language = chance.choices(list(SHARES), list(SHARES.values()))[0]
        is_alone = chance.random() < alone
        sentence = sentences.part(language) if is_alone else sentences.draw(language, kinds)[1]
        if sentence and all(word.sounds for word in sentence):
            voice = chance.choice(speakers.voices)
            audio = speakers.speak(voice, [word.sounds.split() for word in sentence], drawn)
            if audio is not None and audio.size > _SHORTEST:
                found.append(LabelledRecording(audio, labels(sentence), "joined", voice))
    return found
