# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's output -> the probability of each phrase (CTC), and the best phrases of a grammar."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from voices.grammar.jsgf import Automaton, States
from voices.network.tokens import BLANK, FILLER, pronunciations

Array = np.ndarray[Any, Any]
_NEVER = -1e30
_LEAST = 1e-300  # a probability; less cannot be told from nothing
_BEAM = 24  # beginnings that are kept from a frame to the next
# Words less probable than this in a frame (a natural logarithm) do not begin there.
_UNLIKELY = -9.0
_UNHEARD = -50.0  # a smaller difference does not matter


class WordColumns:
    """The words in use as columns: blank, filler (with every word that is not in use), then the words.

    If a word is written the same in several languages, or another that is not in use sounds the same, their
    probabilities are added: `sums` (outputs, columns) says which. `rows` are the numbers of the outputs that
    have a column, other speech among them, by their names.
    """

    def __init__(self, outputs: Sequence[str], words: Sequence[str]) -> None:
        columns: dict[str, list[int]] = {}
        for number, output in enumerate(outputs):
            columns.setdefault(output.partition(":")[2], []).append(number)
        self.known = tuple(word for word in words if word in columns)
        self.column: Mapping[str, int] = {word: at for at, word in enumerate(self.known, 2)}
        used = {number for word in self.known for number in columns[word]}
        sounding = {_sounds(outputs[number]): word for word in self.known for number in columns[word]}
        for number, output in enumerate(outputs):
            if number not in used and (word := sounding.get(_sounds(output))):
                columns[word].append(number)
                used.add(number)
        fixed = (outputs.index(BLANK), outputs.index(FILLER))
        self.sums = np.zeros((len(outputs), 2 + len(self.known)), np.float32)
        self.sums[fixed[0], 0] = 1
        for number in range(len(outputs)):
            if number not in used and number != fixed[0]:
                self.sums[number, 1] = 1
        for word, at in self.column.items():
            self.sums[columns[word], at] = 1
        self.rows = {outputs[number]: number for number in sorted({*fixed, *used})}

    def of(self, log_probabilities: Array) -> Array:
        """(time, outputs) -> (time, 2 + words), natural logarithms."""
        return np.asarray(np.log(np.exp(log_probabilities) @ self.sums + 1e-20))


def _sounds(output: str) -> str:
    """The first pronunciation of an output; its name if it is no word that is known."""
    return pronunciations().get(output, (output,))[0]


def filler_score(columns: Array) -> float:
    """The log-probability that no word in use was said: silence, noise or other speech."""
    return float(np.logaddexp(columns[:, 0], columns[:, 1]).sum())


def phrase_scores(columns: Array, phrases: Sequence[Sequence[int]]) -> Array:
    """The log-probability of each phrase (columns of its words) by CTC's forward sums.

    The sums are of probabilities, relative to the best of each phrase: with logarithms it takes five times as
    long.
    """
    if not phrases:
        return np.zeros(0)
    longest = max(map(len, phrases))
    states = np.zeros((2 * longest + 1, len(phrases)), np.int64)
    for number, phrase in enumerate(phrases):
        states[1 : 2 * len(phrase) : 2, number] = phrase
    skips = (states[2:] != 0) & (states[2:] != states[:-2])
    shares = np.exp(columns.astype(np.float64))
    alpha = np.zeros(states.shape)
    alpha[:2] = shares[0][states[:2]]
    relative_to = np.zeros(len(phrases))
    for row in shares[1:]:
        step = alpha.copy()
        step[1:] += alpha[:-1]
        step[2:] += alpha[:-2] * skips
        step *= row.take(states)
        best = step.max(axis=0)
        alpha = step / best
        relative_to += np.log(best)
    ends = np.array([2 * len(phrase) for phrase in phrases])
    each = np.arange(len(phrases))
    last = np.where(ends > 0, alpha[np.maximum(ends - 1, 0), each], 0)
    return np.asarray(relative_to + np.log(np.maximum(alpha[ends, each] + last, _LEAST)))


def best_phrases(
    columns: Array, words: WordColumns, automaton: Automaton, count: int
) -> list[tuple[str, float]]:
    """The most probable whole phrases of a grammar, best first, by prefix beam search."""
    names = {at: word for word, at in words.column.items()}
    # A prefix -> the log-probabilities of its paths that end in a blank and that end in its last word.
    beam: dict[tuple[int, ...], tuple[float, float]] = {(): (0.0, _NEVER)}
    where: dict[tuple[int, ...], States] = {(): automaton.start}
    for row in columns:
        begun = [int(at) for at in np.flatnonzero(row > _UNLIKELY) if at > 1]
        beam = _step(beam, where, row, [(at, names[at]) for at in begun], automaton)
    whole = [
        (prefix, float(np.logaddexp(*ends))) for prefix, ends in beam.items() if automaton.ends(where[prefix])
    ]
    whole.sort(key=lambda found: -found[1])
    return [(" ".join(names[at] for at in prefix), score) for prefix, score in whole[:count]]


def _step(
    beam: Mapping[tuple[int, ...], tuple[float, float]],
    where: dict[tuple[int, ...], States],
    row: Array,
    begun: Sequence[tuple[int, str]],
    automaton: Automaton,
) -> dict[tuple[int, ...], tuple[float, float]]:
    """Process one more output of the network: each prefix stays, or gets a word that may follow."""
    found: dict[tuple[int, ...], tuple[float, float]] = {}
    for prefix, (in_blank, in_word) in beam.items():
        both = _plus(in_blank, in_word)
        blank, word = found.get(prefix, (_NEVER, _NEVER))
        stays = in_word + row[prefix[-1]] if prefix else _NEVER
        found[prefix] = _plus(blank, both + row[0]), _plus(word, stays)
        ways = automaton.next(where[prefix])
        for at, name in begun:
            states = ways.get(name)
            if states is None:
                continue
            longer = (*prefix, at)
            where[longer] = states
            before = in_blank if prefix and prefix[-1] == at else both
            blank, word = found.get(longer, (_NEVER, _NEVER))
            found[longer] = blank, _plus(word, before + row[at])
    kept = sorted(found, key=lambda prefix: -max(found[prefix]))[:_BEAM]
    return {prefix: found[prefix] for prefix in kept}


def _plus(one: float, other: float) -> float:
    """log(exp(one) + exp(other))."""
    high, low = (one, other) if one > other else (other, one)
    return high + math.log1p(math.exp(low - high)) if low - high > _UNHEARD else high
