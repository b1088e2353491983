# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of a speaker -> what each network learns of them, unless it hears worse with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from voices.grammar import grammar
from voices.hearing.learnt import Learnt, Sample
from voices.network.adaptation import Correction, Listened, learn
from voices.network.ear import Ear
from voices.network.rehearsal import rehearsal, unpacked
from voices.network.scoring import WordColumns, phrase_scores
from voices.words.lexicon import VocabularyError

LEAST = 10  # samples; fewer have too few of the words
_HELD_BACK = 4  # every fourth sample is not learnt from, but judged
# So much of what is rehearsed may be heard in another way, and so many more pieces of the talk for words: one
# network alone decides little.
_MOST_CHANGED, _MOST_TAKEN = 0.05, 1
_STRENGTHS = (1.0, 0.8, 0.6, 0.4, 0.2)

_Said = tuple[Listened, tuple[str, ...]]


def taught(learnt: Learnt, ears: Sequence[Ear], before_step: Callable[[], None] = lambda: None) -> Learnt:
    """The same with the corrections that its samples teach each network.

    `before_step` may wait while the machine is busy, or raise to end it.
    """
    samples = [one for one in learnt.samples if _can_be_said(one.convention, one.language)]
    found = (_EarTraining(ear, before_step).correction(samples) for ear in ears)
    return replace(learnt, corrections=tuple(one for one in found if one))


class _EarTraining:
    """Teaches a network one speaker."""

    def __init__(self, ear: Ear, before_step: Callable[[], None]) -> None:
        self._ear = ear
        self._before_step = before_step
        self._rehearsed: tuple[list[Listened], list[Listened]] | None = None

    def correction(self, samples: Sequence[Sample]) -> Correction | None:
        """What samples teach; None if that is no better.

        What is learnt from some of the samples must let the others be heard better, and leave what is
        rehearsed as it is. Then all of them teach.
        """
        words = WordColumns(self._ear.outputs, _words(samples))
        said = self._listened(samples, words)
        if len(said) < LEAST or not self._ear.network:
            return None
        held_back = said[_HELD_BACK - 1 :: _HELD_BACK]
        others = [one for at, one in enumerate(said) if at % _HELD_BACK != _HELD_BACK - 1]
        trial = self._harmless(self._learn(others, words), words)
        if not trial or self._likeness(held_back, words, trial) <= self._likeness(held_back, words, None):
            return None
        return self._harmless(self._learn(said, words), words)

    def _harmless(self, correction: Correction, words: WordColumns) -> Correction | None:
        """As much of a correction as leaves what is rehearsed as it is; None if even a little does not."""
        weaker = (correction.scaled(strength) for strength in _STRENGTHS)
        return next((one for one in weaker if self._is_harmless(one, words)), None)

    def _listened(self, samples: Sequence[Sample], words: WordColumns) -> list[_Said]:
        """What the network hears in the samples whose words it knows, and which are long enough for them."""
        found = []
        for sample in samples:
            phrase = tuple(sample.words.split())
            if not phrase or not all(word in words.column for word in phrase):
                continue
            self._before_step()
            heard = self._ear.listened(unpacked(sample.bands))
            if len(heard.hidden) > 2 * len(phrase):
                found.append((heard, phrase))
        return found

    def _rehearsal(self) -> tuple[list[Listened], list[Listened]]:
        if self._rehearsed is None:
            parts: list[list[Listened]] = []
            for bands in rehearsal():
                parts.append([])
                for one in bands:
                    self._before_step()
                    parts[-1].append(self._ear.listened(one))
            self._rehearsed = parts[0], parts[1]
        return self._rehearsed

    def _learn(self, said: Sequence[_Said], words: WordColumns) -> Correction:
        known, talk = self._rehearsal()
        return learn(said, (*known, *talk), words, self._ear.network, self._before_step)

    def _likeness(self, said: Sequence[_Said], words: WordColumns, correction: Correction | None) -> float:
        """The mean of the natural logarithms of how probable the words are."""
        return float(
            np.mean(
                [
                    phrase_scores(
                        self._columns(heard, words, correction), [[words.column[w] for w in phrase]]
                    )[0]
                    for heard, phrase in said
                ]
            )
        )

    def _is_harmless(self, correction: Correction, words: WordColumns) -> bool:
        """Whether nearly all that is rehearsed is heard as before, and hardly more of the talk for words."""
        changed = [
            (self._best(heard, words, None), self._best(heard, words, correction))
            for part in self._rehearsal()
            for heard in part
        ]
        talk = changed[-len(self._rehearsal()[1]) :]
        more = sum(bool(after) - bool(before) for before, after in talk)
        otherwise = sum(before != after for before, after in changed)
        return more <= _MOST_TAKEN and otherwise <= _MOST_CHANGED * len(changed)

    def _best(self, heard: Listened, words: WordColumns, correction: Correction | None) -> tuple[int, ...]:
        """The words of the most probable path, as columns."""
        path = self._columns(heard, words, correction).argmax(axis=1)
        return tuple(int(at) for at, before in zip(path, [0, *path], strict=False) if at > 1 and at != before)

    def _columns(self, heard: Listened, words: WordColumns, correction: Correction | None) -> np.ndarray:
        found = correction.applied(heard, self._ear.outputs) if correction else heard.log_probabilities
        return words.of(found)


def _can_be_said(convention: str, language: str) -> bool:
    """Whether the words of a convention are known; that of a file of its own may have moved."""
    try:
        grammar.pronunciations(convention, language)
    except VocabularyError:
        return False
    return True


def _words(samples: Sequence[Sample]) -> list[str]:
    """All words that can be said in the languages and conventions of the samples."""
    spoken = {(one.convention, one.language) for one in samples}
    return sorted({word for each in spoken for word in grammar.pronunciations(*each)})
