# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that were trained apart -> what they say together of phrases: they are seldom mistaken alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from voices.network.ear import EarExpectation, PhraseScores

Array = np.ndarray[Any, Any]
_LEAST = -20.0  # no network is sure enough of itself to rule anything out (a natural logarithm)


class Agreement:
    """The expectations of several networks, each given its own log-probabilities (time, outputs).

    The geometric mean of their probabilities counts. A phrase with words that a network was not trained on is
    left to the others.
    """

    def __init__(self, each: Sequence[EarExpectation]) -> None:
        self._each = tuple(each)

    def heard(self, log_probabilities: Sequence[Array], count: int) -> PhraseScores:
        """At most `count` phrases of the grammar, and of the expected ones."""
        found = [one.heard(heard, count) for one, heard in zip(self._each, log_probabilities, strict=True)]
        said = {words for one in found for words, _ in one.said}
        expected = {words for one in found for words, _ in one.expected}
        means = self.scores(log_probabilities, sorted(said | expected))
        ranked = sorted(means.items(), key=lambda one: -one[1])
        return PhraseScores(
            tuple((words, mean) for words, mean in ranked if words in said)[:count],
            tuple((words, mean) for words, mean in ranked if words in expected)[:count],
            _mean(one.filler for one in found),
        )

    def scores(self, log_probabilities: Sequence[Array], phrases: Sequence[str]) -> dict[str, float]:
        """Those of the phrases whose words a network knows, as all that know them hear them."""
        found = [one.scores(heard, phrases) for one, heard in zip(self._each, log_probabilities, strict=True)]
        known = [words for words in phrases if any(words in one for one in found)]
        return {words: _mean(one[words] for one in found if words in one) for words in known}

    def untrained(
        self, log_probabilities: Sequence[Array], phrases: Sequence[str]
    ) -> tuple[tuple[str, float], ...]:
        """The phrases that have words which no network knows, as of `EarExpectation.untrained`."""
        found = [
            dict(one.untrained(heard, phrases))
            for one, heard in zip(self._each, log_probabilities, strict=True)
        ]
        unknown = [words for words in phrases if all(words in one for one in found)]
        return tuple((words, _mean(one[words] for one in found)) for words in unknown)


def _mean(logarithms: Iterable[float]) -> float:
    return float(np.mean([max(_LEAST, one) for one in logarithms]))
