# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the trained network: recordings -> probable phrases."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from voices.grammar.jsgf import Automaton, automaton
from voices.network.adaptation import Correction, Listened
from voices.network.scoring import WordColumns, best_phrases, filler_score, phrase_scores
from voices.network.session import note, opened
from voices.network.vocal_tract import normalised

_FILLER = 1  # the column of other speech
METADATA = "outputs"  # the names of the network's outputs, in the file of its weights
# Networks that were trained apart from each other.
NETWORKS = tuple(Path(__file__).with_name(f"{name}.onnx") for name in ("first", "second", "third", "fourth"))
HIDDEN = "hidden"  # a second result: what the last layer is given
_NO_HIDDEN = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class PhraseScores:
    """Phrases with the natural logarithms of their probabilities, best first, and that of no words at all."""

    said: tuple[tuple[str, float], ...]
    expected: tuple[tuple[str, float], ...]
    filler: float


class Ear:
    """A network: the first of the package, or from another file."""

    def __init__(self, weights: Path | None = None) -> None:
        data = (weights or NETWORKS[0]).read_bytes()
        self._session = opened(data)
        self.outputs = note(self._session, METADATA)
        self._results = [result.name for result in self._session.get_outputs()]
        self._identity = hashlib.sha256(data).hexdigest()[:16]
        self._correction: Correction | None = None

    @property
    def network(self) -> str:
        """What tells these weights from others; "" if they cannot be corrected."""
        return self._identity if HIDDEN in self._results else ""

    def correct(self, corrections: Sequence[Correction]) -> None:
        """Hear a speaker with that of the corrections from now on which was learnt with these weights."""
        self._correction = next((one for one in corrections if one.network == self.network), None)

    def listen(self, samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Mono samples at 16 kHz -> log-probabilities (time, outputs), one row each 40 ms."""
        return self.corrected(self.listened(normalised(samples)))

    def listened(self, bands: np.ndarray[Any, Any]) -> Listened:
        """What the network makes of mel bands (frames, 40) as of `normalised`; never corrected.

        Where it does not give its last layer's input, that is empty.
        """
        if not len(bands):
            return Listened(np.zeros((0, len(self.outputs)), np.float32), _NO_HIDDEN)
        found = self._session.run(None, {"bands": bands[None]})
        heard = {name: np.asarray(one[0]) for name, one in zip(self._results, found, strict=True)}
        return Listened(heard[self._results[0]], heard.get(HIDDEN, _NO_HIDDEN))

    def corrected(self, heard: Listened) -> np.ndarray[Any, Any]:
        """Log-probabilities (time, outputs) as the speaker is heard whose correction there is, if any."""
        if self._correction and len(heard.hidden):
            return self._correction.applied(heard, self.outputs)
        return heard.log_probabilities

    def expect(self, everything: str, expected: Sequence[str]) -> EarExpectation:
        """Prepare what `EarExpectation.heard` looks for: a grammar (JSGF) and phrases."""
        return EarExpectation(self.outputs, automaton(everything), expected)


def ears(weights: Path | None = None) -> tuple[Ear, ...]:
    """The networks from the package; the first one perhaps from another file."""
    return Ear(weights), *map(Ear, NETWORKS[1:])


class EarExpectation:
    """A grammar of all that can be said, and the phrases that are possible now, prepared for the search."""

    def __init__(self, outputs: Sequence[str], everything: Automaton, expected: Sequence[str]) -> None:
        self._automaton = everything
        found = {word for arcs in everything.arcs for word in arcs}
        self._words = WordColumns(
            outputs, sorted(found | {word for phrase in expected for word in phrase.split()})
        )
        columns = self._words.column
        self._phrases = {
            phrase: [columns[word] for word in phrase.split()] for phrase in expected if self._knows(phrase)
        }

    def heard(self, log_probabilities: np.ndarray[Any, Any], count: int) -> PhraseScores:
        """At most `count` phrases of the grammar and of the expected ones."""
        if not len(log_probabilities):
            return PhraseScores((), (), 0.0)
        columns = self._words.of(log_probabilities)
        scores = phrase_scores(columns, list(self._phrases.values()))
        ranked = sorted(zip(self._phrases, map(float, scores), strict=True), key=lambda one: -one[1])
        said = best_phrases(columns, self._words, self._automaton, count)
        return PhraseScores(tuple(said), tuple(ranked[:count]), filler_score(columns))

    def scores(self, log_probabilities: np.ndarray[Any, Any], phrases: Sequence[str]) -> dict[str, float]:
        """Those of the phrases whose words it knows, with the logarithms of their probabilities."""
        columns = self._words.column
        known = {words: [columns[word] for word in words.split()] for words in phrases if self._knows(words)}
        if not (known and len(log_probabilities)):
            return {}
        found = phrase_scores(self._words.of(log_probabilities), list(known.values()))
        return dict(zip(known, map(float, found), strict=True))

    def _knows(self, phrase: str) -> bool:
        return all(word in self._words.column for word in phrase.split())

    def untrained(
        self, log_probabilities: np.ndarray[Any, Any], phrases: Sequence[str]
    ) -> tuple[tuple[str, float], ...]:
        """The phrases that have unknown words, scored with other speech in place of those words."""
        new = {phrase: self._with_filler(phrase) for phrase in phrases}
        new = {phrase: columns for phrase, columns in new.items() if _FILLER in columns}
        if not (new and len(log_probabilities)):
            return ()
        scores = phrase_scores(self._words.of(log_probabilities), list(new.values()))
        return tuple(zip(new, map(float, scores), strict=True))

    def _with_filler(self, phrase: str) -> list[int]:
        """The columns of a phrase; a row of unknown words is one stretch of other speech."""
        columns = [self._words.column.get(word, _FILLER) for word in phrase.split()]
        return [
            column
            for column, before in zip(columns, [0, *columns], strict=False)
            if (column, before) != (_FILLER, _FILLER)
        ]
