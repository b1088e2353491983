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
_MAYBE_ANSWER = -2.3  # from this (natural logarithm) on the small network proposes an answer


@dataclass(frozen=True, slots=True)
class _HeardByAll:
    """What each network hears each time (log-probabilities), what all make of it, and `AnswerEar.heard`."""

    probabilities: Sequence[Any]
    phrases: Any  # PhraseScores
    proposed: tuple[Hypothesis, ...]
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
        return (
            *heard.proposed,
            Hypothesis("", "filler", heard.phrases.filler, self.name),
            Hypothesis("", "noise", heard.above_noise_db, self.name),
            *(Hypothesis(words, "answer", score, self.name) for words, score in heard.answers.items()),
        )

    def weigh(self, phrases: Iterable[str]) -> tuple[Hypothesis, ...]:
        """The probabilities of phrases that it has not proposed, also with words that are new to it."""
        if self._heard is None:
            return ()
        own = {one.words for one in self._heard.proposed}
        others = [words for words in phrases if words not in own]
        weighed = self._agreement.scores(self._heard.probabilities, others)
        untrained = self._agreement.untrained(self._heard.probabilities, others)
        return (
            *(Hypothesis(words, "weighed", score, self.name) for words, score in weighed.items()),
            *(Hypothesis(words, "untrained", score, self.name) for words, score in untrained),
        )

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
        hearings = self._hearings.hearings(bands)
        listened = [[ear.listened(one) for ear in self.ears] for one in hearings]
        probabilities = [
            ear.corrected(one) for each in listened for ear, one in zip(self.ears, each, strict=True)
        ]
        phrases = self._agreement.heard(probabilities, _COUNT)
        for_answers = [
            (heard, {ear.network: one.hidden for ear, one in zip(self.ears, each, strict=True)})
            for heard, each in zip(hearings, listened, strict=True)
        ][: self._hearings.FOR_ANSWERS]
        answers = self._answers.heard(for_answers, self._expected)
        proposed = self._proposed(probabilities, phrases, answers)
        return _HeardByAll(probabilities, phrases, proposed, answers, self._features.above_noise_db(samples))

    def _proposed(
        self, probabilities: Sequence[Any], phrases: Any, answers: Mapping[str, float]
    ) -> tuple[Hypothesis, ...]:
        """The phrases of each grammar that are worth aligning, best first; then what may be an answer."""
        grammars: tuple[tuple[Grammar, Any], ...] = (("all", phrases.said), ("expected", phrases.expected))
        best = max((score for _, found in grammars for _, score in found), default=0.0)
        found = [
            Hypothesis(words, grammar, score, self.name)
            for grammar, scored in grammars
            for words, score in scored
            if score >= best - _NEGLIGIBLE
        ]
        known = {one.words for one in found if one.grammar == "expected"}
        maybe = [words for words, score in answers.items() if words and score >= _MAYBE_ANSWER]
        more = self._agreement.scores(probabilities, [one for one in maybe if one not in known])
        return (*found, *(Hypothesis(words, "expected", score, self.name) for words, score in more.items()))
