# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognisers of speech, one file each, behind one protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

Grammar = Literal["all", "expected", "filler", "weighed", "untrained", "aligned", "noise", "answer"]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A possible reading of an utterance.

    `grammar` is what the recogniser was limited to: everything that can be said, what is expected now, or
    nothing (any sounds: then `words` are not real words); "weighed" are phrases that another has proposed,
    "untrained" those with words that this one takes for other speech, "aligned" all that any has proposed.
    `score` is the log-likelihood in nats per frame of speech (10 ms), comparable between the grammars of the
    same recogniser and utterance; of "aligned" phrases in nats for the whole utterance, comparable among
    themselves, with "alignment" as their recogniser, since they are evidence of another kind; for the network
    it is the natural logarithm of the probability. "answer" tells so which yes or no the utterance is as a
    whole, or that it is anything else (""). "noise" is no reading: its score says how far the sound stands
    above the noise around it, in dB.
    """

    words: str
    grammar: Grammar
    score: float
    recogniser: str = "pocketsphinx"

    @property
    def worded(self) -> bool:
        """Whether its words are words."""
        return self.grammar not in ("filler", "noise", "answer")


class Recogniser(Protocol):
    """Utterance by utterance: `start`, `feed` as the sound comes, `finish`. One thread at a time."""

    @property
    def name(self) -> str:
        """The recogniser's name in the command line."""

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """The words in use that it cannot recognise: they can only be typed."""

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set what can be said (JSGF) and what is possible now (phrases); not within an utterance."""

    def start(self) -> None:
        """Begin an utterance."""

    def feed(self, block: bytes) -> None:
        """Take mono s16le audio at 16 kHz, of any length."""

    def heard_so_far(self) -> str:
        """The words of this utterance so far; empty if they are unknown."""

    def finish(self) -> tuple[Hypothesis, ...]:
        """End the utterance; at most a few hypotheses of each grammar, best first."""

    def close(self) -> None:
        """Release what it holds."""


@runtime_checkable
class Second(Protocol):
    """A recogniser that also says something of the phrases that others have heard."""

    def weigh(self, phrases: Iterable[str]) -> tuple[Hypothesis, ...]:
        """After `finish`: what it has not proposed, as "weighed" or "untrained", or all, as "aligned"."""


@runtime_checkable
class Correctable(Protocol):
    """A recogniser that can be corrected for one speaker."""

    @property
    def ears(self) -> Sequence[Any]:
        """The networks (`voices.network.ear.Ear`) that are corrected."""

    def correct(self, corrections: Sequence[Any]) -> None:
        """Hear with corrections (`voices.network.adaptation.Correction`), or none; between utterances."""
