# SPDX-License-Identifier: GPL-3.0-or-later
"""Which yes or no a whole utterance is, if any: by a small network of its own, which hears only that."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from voices.network.session import note, opened
from voices.network.tokens import owner, token
from voices.words.files import languages
from voices.words.lexicon import plain, vocabulary, words_of

METADATA = "answers"  # what its outputs stand for, in the file of its weights
BANDS = "bands"  # what it hears of the sound; every other input has the name of a large network
LONGEST_FRAMES = 400  # of 10 ms: nobody needs longer for a yes
_LEAST = 1e-6  # a probability

Array = np.ndarray[Any, Any]


@cache
def classes() -> tuple[tuple[str, ...], ...]:
    """What it tells apart, as tokens: anything else (none), then each answer and denial of each language."""
    found: dict[tuple[str, ...], None] = {(): None}
    for words in map(vocabulary, ("fide", *languages())):
        for section in ("answer", "denial"):
            for answer, _ in words.all(section):
                found[tuple(token(owner(words), plain(word)) for word in words_of(answer))] = None
    return tuple(found)


def phrase(tokens: Sequence[str]) -> str:
    """An answer in plain spelling, as the recognisers write it."""
    return " ".join(one.partition(":")[2] for one in tokens)


class AnswerEar:
    """The network from the package, or from another file."""

    def __init__(self, weights: Path | None = None) -> None:
        data = (weights or Path(__file__).with_name("answers.onnx")).read_bytes()
        self._session = opened(data)
        self.phrases = note(self._session, METADATA)
        # The large networks whose last layers it was taught with (`Ear.network`), beside the sound.
        self.listens_to = [given.name for given in self._session.get_inputs() if given.name != BANDS]

    def heard(
        self, hearings: Sequence[tuple[Array, Mapping[str, Array]]], possible: Collection[str]
    ) -> dict[str, float]:
        """The logarithm of the probability of each answer that can be given now.

        `hearings`: the same utterance, heard in several ways, of which the geometric mean counts; each is
        mel bands (frames, 40), and what large networks give their last layers (time, width), those among them
        that it `listens_to`; without these it hears nothing. "" is anything else. What cannot be said is left
        out of the sum: "yeah" is no "ja" where only the former counts. An answer that is the same in several
        languages is one.
        """
        if not all(self._hears(*one) for one in hearings):
            return {}
        said = [self._session.run(None, self._given(*one))[0][0] for one in hearings]
        found = np.exp(np.mean(said, axis=0, dtype=float))
        shares = {"": 0.0}
        for words, share in zip(self.phrases, found, strict=True):
            if not words or words in possible:
                shares[words] = shares.get(words, 0.0) + float(share)
        whole = sum(shares.values())
        return {words: math.log(max(_LEAST, share / whole)) for words, share in shares.items()}

    def _hears(self, bands: Array, hidden: Mapping[str, Array]) -> bool:
        return 0 < len(bands) <= LONGEST_FRAMES and hidden.keys() >= set(self.listens_to)

    def _given(self, bands: Array, hidden: Mapping[str, Array]) -> dict[str, Array]:
        return {BANDS: bands[None], **{network: hidden[network][None] for network in self.listens_to}}
