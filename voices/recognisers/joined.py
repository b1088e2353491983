# SPDX-License-Identifier: GPL-3.0-or-later
"""Several recognisers that hear the same utterance, each with its own hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from voices.recognisers import Correctable, Hypothesis, Recogniser, Second


class JoinedRecogniser:
    """Passes everything to each of the recognisers; within an utterance the last is asked first."""

    def __init__(self, *recognisers: Recogniser) -> None:
        self._recognisers = recognisers

    @property
    def name(self) -> str:
        """The names of all, in their order."""
        return "+".join(recogniser.name for recogniser in self._recognisers)

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """The words that the first recogniser, which knows most, cannot recognise."""
        return self._recognisers[0].unknown_words

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set what can be said, and what is possible now, for each recogniser."""
        for recogniser in self._recognisers:
            recogniser.expect(everything, expected)

    def start(self) -> None:
        """Begin an utterance."""
        for recogniser in self._recognisers:
            recogniser.start()

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz."""
        for recogniser in self._recognisers:
            recogniser.feed(block)

    def heard_so_far(self) -> str:
        """What the last recogniser that has heard words has heard so far."""
        heard = (recogniser.heard_so_far() for recogniser in reversed(self._recognisers))
        return next(filter(None, heard), "")

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance: the hypotheses of the first, then of the next; then what each says of all."""
        heard = tuple(hypothesis for recogniser in self._recognisers for hypothesis in recogniser.finish())
        phrases = dict.fromkeys(hypothesis.words for hypothesis in heard if hypothesis.worded)
        seconds = (recogniser for recogniser in self._recognisers if isinstance(recogniser, Second))
        return (*heard, *(hypothesis for second in seconds for hypothesis in second.weigh(phrases)))

    @property
    def ears(self) -> Sequence[Any]:
        """The networks of all that have some."""
        return [ear for each in self._recognisers if isinstance(each, Correctable) for ear in each.ears]

    def correct(self, corrections: Sequence[Any]) -> None:
        """Pass corrections to those that can be corrected."""
        for recogniser in self._recognisers:
            if isinstance(recogniser, Correctable):
                recogniser.correct(corrections)

    def close(self) -> None:
        """Release them all."""
        for recogniser in self._recognisers:
            recogniser.close()
