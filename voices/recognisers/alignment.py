# SPDX-License-Identifier: GPL-3.0-or-later
"""How well the sounds of phrases fit an utterance: the best path (Viterbi) through the states of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from voices.recognisers.acoustic_model import SILENCE, AcousticModel, Where

Array = np.ndarray[Any, Any]
_Spelled = tuple[str, ...]  # of a phrase, or the sounds of a word
_Passage = tuple[int, float]  # from which state, and the logarithm of its probability

NATS_OF_COST = 1024 * math.log(1.0001)  # for one step of a senone's cost
_PAUSE = math.log(0.005)  # before, between and after words: pocketsphinx's `silprob`
_NEVER = -1e9


class _PhraseStates:
    """The states of phrases: the senone of each, how probable it is to stay in it, and to go to the next.

    `entries` are the passages into the first state of each sound. The state 0 is where all phrases begin, and
    what they begin with in common is there once.
    """

    def __init__(self, model: AcousticModel, pronunciations: Mapping[str, Sequence[str]]) -> None:
        self.senones, self.stays, self.goes = [0], [_NEVER], [_NEVER]
        self.entries: dict[int, Sequence[_Passage]] = {}
        self._model = model
        self._pronunciations = pronunciations
        # What is there already: after words towards a sound, before their last sound, and after their pause.
        self._out: dict[tuple[_Spelled, str], list[tuple[str, _Passage]]] = {}
        self._inner: dict[tuple[_Spelled, _Spelled], list[_Passage]] = {}
        self._paused: dict[_Spelled, _Passage] = {}

    def ends(self, phrase: str) -> list[_Passage]:
        """Add a phrase, its words in all pronunciations, with or without pauses; the passages out of it."""
        said = tuple(phrase.split())
        return [*(passage for _, passage in self._after(said, SILENCE)), self._pause(said)]

    def _after(self, said: _Spelled, towards: str) -> list[tuple[str, _Passage]]:
        """The last sound of words, in each pronunciation, and the passage from it towards another sound."""
        if not said:
            return [(SILENCE, (0, 0.0))]
        if (said, towards) not in self._out:
            ways = [tuple(way.split()) for way in self._pronunciations[said[-1]]]
            self._out[said, towards] = [found for way in ways for found in self._word(said, way, towards)]
        return self._out[said, towards]

    def _word(self, said: _Spelled, sounds: _Spelled, towards: str) -> Iterator[tuple[str, _Passage]]:
        """The last of the words in one pronunciation."""
        *begin, last = sounds
        if begin:
            yield last, self._sound(last, (begin[-1], towards), "last", self._begun(said, sounds))
            return
        for before, come in self._before(said[:-1], last).items():
            yield last, self._sound(last, (before, towards), "alone", come)

    def _begun(self, said: _Spelled, sounds: _Spelled) -> list[_Passage]:
        """The passages out of all sounds of the last word but its own last, towards that."""
        if (said, sounds) not in self._inner:
            before = self._before(said[:-1], sounds[0])
            ways = [self._sound(sounds[0], (one, sounds[1]), "first", come) for one, come in before.items()]
            for at in range(1, len(sounds) - 1):
                ways = [self._sound(sounds[at], (sounds[at - 1], sounds[at + 1]), "inside", ways)]
            self._inner[said, sounds] = ways
        return self._inner[said, sounds]

    def _before(self, said: _Spelled, first: str) -> dict[str, list[_Passage]]:
        """The sounds that may come before a word that begins with one, and the passages from them."""
        found = {SILENCE: [self._pause(said)]}
        for sound, passage in self._after(said, first):
            found.setdefault(sound, []).append(passage)
        return found

    def _pause(self, said: _Spelled) -> _Passage:
        """A silence after words, or before all of them."""
        if said not in self._paused:
            come = [(state, share + _PAUSE) for _, (state, share) in self._after(said, SILENCE)]
            self._paused[said] = self._sound(SILENCE, (SILENCE, SILENCE), "alone", come)
        return self._paused[said]

    def _sound(self, sound: str, around: tuple[str, str], where: Where, come: Sequence[_Passage]) -> _Passage:
        """Add a sound between two others after these passages; the passage out of it."""
        self.entries[len(self.senones)] = come
        self.senones += self._model.states(sound, *around, where)
        stays, ends = self._model.transitions(sound)
        self.stays += stays
        self.goes += (*ends[:-1], _NEVER)
        return len(self.senones) - 1, ends[-1]


def align(
    model: AcousticModel, scores: Array, phrases: Sequence[str], pronunciations: Mapping[str, Sequence[str]]
) -> list[float]:
    """The logarithm of how probable the sound is for each phrase, in nats for the whole utterance.

    `scores`: (frames of 10 ms, senones), as pocketsphinx writes them. They are relative to the best senone of
    each frame, so that only the differences between phrases mean something. Raises KeyError for a word
    without a pronunciation.
    """
    states = _PhraseStates(model, pronunciations)
    ends = [states.ends(phrase) for phrase in phrases]
    best = _best_paths(states, scores)
    return [max(float(best[state]) + share for state, share in ways) for ways in ends]


def _best_paths(states: _PhraseStates, scores: Array) -> Array:
    """For each state the best of all paths that are there in the last frame, in nats."""
    stays, goes = (np.array(shares, np.float32) for shares in (states.stays, states.goes))
    first = np.array(list(states.entries))
    ways = list(states.entries.values())
    source = np.array([state for into in ways for state, _ in into])
    share = np.array([share for into in ways for _, share in into], np.float32)
    begins = np.cumsum([0, *map(len, ways[:-1])])
    used, which = np.unique(states.senones, return_inverse=True)
    heard = (scores[:, used] * np.float32(-NATS_OF_COST))[:, which]
    best = np.full(len(stays), _NEVER, np.float32)
    best[0] = 0
    for frame in heard:
        before, best = best, best + stays
        np.maximum(best[1:], before[:-1] + goes[:-1], out=best[1:])
        best[first] = np.maximum(best[first], np.maximum.reduceat(before[source] + share, begins))
        best += frame
    return best
