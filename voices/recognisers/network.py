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
        self.ear: Any = load("voices.network.ear", "voice").Ear(weights)
        self._answers: Any = load("voices.network.answers", "voice").AnswerEar()
        self._features: Any = load("voices.network.features", "voice")
        self._vocal_tract: Any = load("voices.network.vocal_tract", "voice")
        self._expected: frozenset[str] = frozenset()
        self._expectation: Any = None
        self._probabilities: Any = None  # of the last utterance
        self._audio = bytearray()

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set both grammars; the network cannot recognise words that it does not know."""
        self._expectation, self._expected = self.ear.expect(everything, expected), frozenset(expected)

    def start(self) -> None:
        """Begin an utterance."""
        self._audio.clear()

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz."""
        self._audio += block

    def heard_so_far(self) -> str:
        """The most probable announcement, answer or command so far; "" if there is none."""
        if self._listened(self._bands()) is None:
            return ""
        heard = self._expectation.heard(self._probabilities, 1)
        return heard.said[0][0] if heard.said and heard.said[0][1] > heard.filler else ""

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance: phrases of each grammar, best first, that of no words, and the noise."""
        bands = self._bands()
        listened = self._listened(bands)
        if listened is None:
            return ()
        heard = self._expectation.heard(self._probabilities, _COUNT)
        # The network for answers was taught what one large network makes of sounds, and no other.
        taught = self._answers.listens_to == self.ear.network
        answers = self._answers.heard(bands, listened.hidden, self._expected) if taught else {}
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
        """The probabilities of phrases with words that the network takes for other speech."""
        if self._probabilities is None:
            return ()
        found = self._expectation.untrained(self._probabilities, tuple(phrases))
        return tuple(Hypothesis(words, "untrained", score, self.name) for words, score in found)

    def correct(self, correction: Any) -> None:
        """Hear one speaker with what was learnt of him, or anybody with None."""
        self.ear.correct(correction)

    def close(self) -> None:
        """Release the networks."""
        self.ear = self._answers = None

    def _bands(self) -> Any:
        """The mel bands of the utterance so far; none of pure silence."""
        samples = self._samples()
        return self._vocal_tract.normalised(samples) if samples.any() else None

    def _listened(self, bands: Any) -> Any:
        """What the network makes of mel bands, whose probabilities are kept; None of silence."""
        self._probabilities = None
        if self._expectation is None or bands is None:
            return None
        listened = self.ear.listened(bands)
        self._probabilities = self.ear.corrected(listened)
        return listened

    def _samples(self) -> Any:
        return self._numpy.frombuffer(bytes(self._audio), dtype="<i2")
