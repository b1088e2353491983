# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's own networks: the probabilities of phrases of both grammars, of answers, of other speech."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voices.packages import load
from voices.recognisers import Grammar, Hypothesis

_COUNT = 5  # hypotheses of each grammar, at most
# What is so much less probable than the best one (natural logarithm) is not worth aligning with the sounds:
# on the test's recordings of people hardly a decision changes from 5 on.
_NEGLIGIBLE = 7.0


@dataclass(frozen=True, slots=True)
class _HeardByAll:
    """What each network hears each time (log-probabilities), what all make of it, and `AnswerEar.heard`."""

    probabilities: Sequence[Any]
    phrases: Any  # PhraseScores
    answers: Mapping[str, float]
    above_noise_db: float


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
        self._hearings: Any = load("voices.network.hearings", "voice")
        self._vocal_tract: Any = load("voices.network.vocal_tract", "voice")
        self._expected: frozenset[str] = frozenset()
        self._agreement: Any = None  # what the networks expect
        self._heard: _HeardByAll | None = None  # in the last utterance
        self._audio = bytearray()

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set both grammars; the networks cannot recognise words that they do not know."""
        each = [ear.expect(everything, expected) for ear in self.ears]
        self._agreement = self._agree(each * self._hearings.COUNT)
        self._expected = frozenset(expected)

    def start(self) -> None:
        """Begin an utterance."""
        self._audio.clear()
        self._heard = None

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz."""
        self._audio += block
        self._heard = None

    def heard_so_far(self) -> str:
        """The most probable announcement, answer or command so far; "" if there is none.

        Nothing of it is done again at the end if no more is said.
        """
        self._heard = self._heard or self._listen()
        best = next(iter(self._heard.phrases.said), None) if self._heard else None
        return best[0] if self._heard and best and best[1] > self._heard.phrases.filler else ""

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance: phrases of each grammar, best first, that of no words, and the noise."""
        self._heard = heard = self._heard or self._listen()
        if heard is None:
            return ()
        phrases = heard.phrases
        grammars: tuple[tuple[Grammar, Any], ...] = (("all", phrases.said), ("expected", phrases.expected))
        best = max((score for _, found in grammars for _, score in found), default=0.0)
        return (
            *(
                Hypothesis(words, grammar, score, self.name)
                for grammar, found in grammars
                for words, score in found
                if score >= best - _NEGLIGIBLE
            ),
            Hypothesis("", "filler", phrases.filler, self.name),
            Hypothesis("", "noise", heard.above_noise_db, self.name),
            *(Hypothesis(words, "answer", score, self.name) for words, score in heard.answers.items()),
        )

    def weigh(self, phrases: Iterable[str]) -> tuple[Hypothesis, ...]:
        """The probabilities of phrases with words that the networks take for other speech."""
        if self._heard is None:
            return ()
        found = self._agreement.untrained(self._heard.probabilities, tuple(phrases))
        return tuple(Hypothesis(words, "untrained", score, self.name) for words, score in found)

    def correct(self, corrections: Sequence[Any]) -> None:
        """Hear one speaker with what was learnt of him, or anybody without."""
        for ear in self.ears:
            ear.correct(corrections)

    def close(self) -> None:
        """Release the networks."""
        self.ears, self._answers = (), None

    def _listen(self) -> _HeardByAll | None:
        """To the utterance so far; None of pure silence, or before something is expected."""
        samples = self._numpy.frombuffer(bytes(self._audio), dtype="<i2")
        if not (self._agreement and samples.any()):
            return None
        bands = self._vocal_tract.normalised(samples)
        listened = [
            (ear, ear.listened(heard)) for heard in self._hearings.hearings(bands) for ear in self.ears
        ]
        probabilities = [ear.corrected(one) for ear, one in listened]
        hidden = {ear.network: one.hidden for ear, one in listened[: len(self.ears)]}
        return _HeardByAll(
            probabilities,
            self._agreement.heard(probabilities, _COUNT),
            self._answers.heard(bands, hidden, self._expected),
            self._features.above_noise_db(samples),
        )
