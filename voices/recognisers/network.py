# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own networks: the probabilities of phrases of both grammars, of answers, of other speech."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from voices.packages import load
from voices.recognisers import Grammar, Hypothesis

_COUNT = 5  # hypotheses of each grammar, at most
# What is so much less probable than the best one (natural logarithm) is not worth aligning with the sounds:
# on the test's recordings of people hardly a decision changes from 5 on.
_NEGLIGIBLE = 7.0


class NetworkRecogniser:
    """Recognises an utterance right after its end. Raises MissingPartError without onnxruntime.

    A hypothesis' score is the natural logarithm of its probability among everything that can be said.
    """

    name = "network"
    unknown_words = ()  # other recognisers recognise the words that it was not trained on

    def __init__(self, weights: Path | None = None) -> None:
        self._numpy = load("numpy", "voice")
        load("onnxruntime", "voice")
        self.ears: tuple[Any, ...] = load("voices.network.ear", "voice").ears(weights)
        self._agree: Any = load("voices.network.agreement", "voice").Agreement
        self._answers: Any = load("voices.network.answers", "voice").AnswerEar()
        self._features: Any = load("voices.network.features", "voice")
        self._vocal_tract: Any = load("voices.network.vocal_tract", "voice")
        self._expected: frozenset[str] = frozenset()
        self._first: Any = None  # what the first network expects
        self._agreement: Any = None  # and all of them
        self._probabilities: Any = None  # of the last utterance, by each network
        self._audio = bytearray()

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set both grammars; the networks cannot recognise words that they do not know."""
        each = [ear.expect(everything, expected) for ear in self.ears]
        self._first, self._agreement = each[0], self._agree(each)
        self._expected = frozenset(expected)

    def start(self) -> None:
        """Begin an utterance."""
        self._audio.clear()

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz."""
        self._audio += block

    def heard_so_far(self) -> str:
        """The most probable announcement, answer or command so far; "" if there is none."""
        bands = self._bands()
        if bands is None:
            return ""
        ear = self.ears[0]
        heard = self._first.heard(ear.corrected(ear.listened(bands)), 1)
        return heard.said[0][0] if heard.said and heard.said[0][1] > heard.filler else ""

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance: phrases of each grammar, best first, that of no words, and the noise."""
        bands, self._probabilities = self._bands(), None
        if bands is None:
            return ()
        listened = [ear.listened(bands) for ear in self.ears]
        self._probabilities = [ear.corrected(one) for ear, one in zip(self.ears, listened, strict=True)]
        heard = self._agreement.heard(self._probabilities, _COUNT)
        hidden = {ear.network: one.hidden for ear, one in zip(self.ears, listened, strict=True)}
        answers = self._answers.heard(bands, hidden, self._expected)
        grammars: tuple[tuple[Grammar, Any], ...] = (("all", heard.said), ("expected", heard.expected))
        best = max((score for _, found in grammars for _, score in found), default=0.0)
        return (
            *(
                Hypothesis(words, grammar, score, self.name)
                for grammar, found in grammars
                for words, score in found
                if score >= best - _NEGLIGIBLE
            ),
            Hypothesis("", "filler", heard.filler, self.name),
            Hypothesis("", "noise", self._features.above_noise_db(self._samples()), self.name),
            *(Hypothesis(words, "answer", score, self.name) for words, score in answers.items()),
        )

    def weigh(self, phrases: Iterable[str]) -> tuple[Hypothesis, ...]:
        """The probabilities of phrases with words that the networks take for other speech."""
        if self._probabilities is None:
            return ()
        found = self._agreement.untrained(self._probabilities, tuple(phrases))
        return tuple(Hypothesis(words, "untrained", score, self.name) for words, score in found)

    def correct(self, corrections: Sequence[Any]) -> None:
        """Hear one speaker with what was learnt of him, or anybody without."""
        for ear in self.ears:
            ear.correct(corrections)

    def close(self) -> None:
        """Release the networks."""
        self.ears, self._answers = (), None

    def _bands(self) -> Any:
        """The mel bands of the utterance so far; none of pure silence, or before something is expected."""
        samples = self._samples()
        return self._vocal_tract.normalised(samples) if self._agreement and samples.any() else None

    def _samples(self) -> Any:
        return self._numpy.frombuffer(bytes(self._audio), dtype="<i2")
