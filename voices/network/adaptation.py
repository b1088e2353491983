# SPDX-License-Identifier: GPL-3.0-or-later
"""What the network learns of one speaker: a correction of its last layer, found in a few small steps.

The steps make the words that were said more probable (CTC), and let what is rehearsed beside them, synthetic
utterances and other talk, stay as it was: so words that were not said are still heard, and talk is still no
announcement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from voices.network.scoring import WordColumns

# Chosen on two speakers and the rehearsal; see docs/hearing.md.
_STEPS, _RATE = 10, 0.01
# So many utterances have said most words. Fewer move the weights less: words that are not among them would be
# heard as those that are.
_ENOUGH = 20
_REHEARSED = 2.0  # the weight of a frame of the rehearsal, relative to one of the speaker
_MOMENTUM, _SCALING, _TINY = 0.9, 0.99, 1e-8  # Adam's
_NEVER = -1e30

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Listened:
    """An utterance as the network hears it: log-probabilities (time, outputs), and its last layer's input."""

    log_probabilities: Array
    hidden: Array


@dataclass(frozen=True, slots=True)
class Correction:
    """What is added to the last layer: `weights` (outputs, width) and `biases` of the named outputs.

    `network` identifies the weights that it was learnt with; it fits no others.
    """

    network: str
    outputs: tuple[str, ...]
    weights: Array
    biases: Array

    def scaled(self, strength: float) -> Correction:
        """The same, by so much stronger or weaker."""
        return replace(self, weights=self.weights * strength, biases=self.biases * strength)

    def applied(self, heard: Listened, outputs: Sequence[str]) -> Array:
        """The log-probabilities (time, outputs) with the correction."""
        places = {name: at for at, name in enumerate(outputs)}
        logits = heard.log_probabilities.copy()
        logits[:, [places[name] for name in self.outputs]] += heard.hidden @ self.weights.T + self.biases
        return np.asarray(_normalised(logits), np.float32)


def learn(
    said: Sequence[tuple[Listened, Sequence[str]]],
    rehearsed: Sequence[Listened],
    words: WordColumns,
    network: str,
    before_step: Callable[[], None] = lambda: None,
) -> Correction:
    """Learn from utterances with their words, all of them among `words`; the same for the same utterances.

    Only the outputs of `words` are corrected, blank and other speech among them. `before_step` is called
    before each step, and may wait, or raise to end it.
    """
    rows = list(words.rows.values())
    heard = [one for one, _ in said] + list(rehearsed)
    hidden = np.concatenate([one.hidden for one in heard])
    before = np.concatenate([_reduced(one.log_probabilities, rows) for one in heard])
    ends = np.cumsum([len(one.hidden) for one, _ in said])
    labels = [[words.column[word] for word in phrase] for _, phrase in said]
    # All outputs that have no column of their own count as other speech, like the last of `before`.
    sums = np.vstack([words.sums[rows], np.eye(1, words.sums.shape[1], 1, dtype=np.float32)])
    pace = _RATE * min(1.0, len(said) / _ENOUGH)
    weights = _Descent((len(rows), hidden.shape[1]), pace)
    biases = _Descent((len(rows),), pace)
    for _ in range(_STEPS):
        before_step()
        now = before.copy()
        now[:, :-1] += hidden @ weights.value.T + biases.value
        probable = np.exp(_normalised(now))
        errors = _REHEARSED * (probable - np.exp(before))
        columns = probable[: ends[-1]] @ sums + 1e-20
        share = _occupied(np.log(columns), ends, labels) / columns
        errors[: ends[-1]] = probable[: ends[-1]] * (1 - share @ sums.T)
        weights.descend(errors[:, :-1].T @ hidden)
        biases.descend(errors[:, :-1].sum(axis=0))
    return Correction(network, tuple(words.rows), weights.value, biases.value)


class _Descent:
    """Parameters that follow their slope downwards from nought, each at its own scale (Adam)."""

    def __init__(self, shape: tuple[int, ...], pace: float) -> None:
        self.value = np.zeros(shape, np.float32)
        self._mean, self._square = np.zeros_like(self.value), np.zeros_like(self.value)
        self._pace, self._steps = pace, 0

    def descend(self, slope: Array) -> None:
        self._steps += 1
        self._mean += (1 - _MOMENTUM) * (slope - self._mean)
        self._square += (1 - _SCALING) * (slope**2 - self._square)
        mean = self._mean / (1 - _MOMENTUM**self._steps)
        square = self._square / (1 - _SCALING**self._steps)
        self.value -= (self._pace * mean / (np.sqrt(square) + _TINY)).astype(np.float32)


def _reduced(log_probabilities: Array, rows: Sequence[int]) -> Array:
    """The columns of some outputs, and one for all the others together."""
    kept = log_probabilities[:, rows]
    rest = np.log(np.maximum(1 - np.exp(kept).sum(axis=1, keepdims=True), 1e-9))
    return np.hstack([kept, rest])


def _normalised(logits: Array) -> Array:
    highest = logits.max(axis=1, keepdims=True)
    return np.asarray(
        logits - highest - np.log(np.exp(logits - highest).sum(axis=1, keepdims=True)), logits.dtype
    )


def _occupied(columns: Array, ends: Array, labels: Sequence[Sequence[int]]) -> Array:
    """How probable it is that each frame belongs to each column, given the words (CTC, forward-backward).

    The rows of `columns` are those of the utterances one after the other; `ends` says where each is over.
    """
    starts = [0, *ends[:-1]]
    states = [[at for label in phrase for at in (0, label)] + [0] for phrase in labels]
    emitted = [columns[start:end][:, way] for start, end, way in zip(starts, ends, states, strict=True)]
    skips = [_skips(way) for way in states]
    forward = _swept(emitted, skips)
    # The backward sums are the forward sums of everything turned round.
    backward = _swept([one[::-1, ::-1] for one in emitted], [_skips(way[::-1]) for way in states])
    found = np.zeros_like(columns)
    for start, way, ahead, back, row in zip(starts, states, forward, backward, emitted, strict=True):
        total = np.logaddexp(ahead[-1, -1], ahead[-1, -2])
        share = np.exp(ahead + back[::-1, ::-1] - row - total)
        for state, column in enumerate(way):
            found[start : start + len(row), column] += share[:, state]
    return found


def _skips(states: Sequence[int]) -> Array:
    """Into which states a path may skip from the last but one: into a word, unless it is the same word."""
    return np.array([at > 1 and state != 0 and state != states[at - 2] for at, state in enumerate(states)])


def _swept(emitted: Sequence[Array], skips: Sequence[Array]) -> list[Array]:
    """The forward sums of several utterances (time, states), natural logarithms, all swept at once."""
    longest, widest = (max(one.shape[axis] for one in emitted) for axis in (0, 1))
    rows = np.full((longest, len(emitted), widest), _NEVER)
    allowed = np.zeros((len(emitted), widest), bool)
    for at, (one, skip) in enumerate(zip(emitted, skips, strict=True)):
        rows[: len(one), at, : one.shape[1]] = one
        allowed[at, : len(skip)] = skip
    sums = np.full_like(rows, _NEVER)
    sums[0, :, :2] = rows[0, :, :2]
    for time in range(1, longest):
        last, step = sums[time - 1], sums[time - 1].copy()
        step[:, 1:] = np.logaddexp(step[:, 1:], last[:, :-1])
        step[:, 2:] = np.where(allowed[:, 2:], np.logaddexp(step[:, 2:], last[:, :-2]), step[:, 2:])
        sums[time] = step + rows[time]
    return [sums[: len(one), at, : one.shape[1]] for at, one in enumerate(emitted)]
