# SPDX-License-Identifier: GPL-3.0-or-later
"""The hypotheses of the recognisers -> the readings of an utterance, each with its probability.

A conditional logit model: every phrase that a recogniser proposes has a utility, a weighted sum of what each
recogniser says about it, and so has "none of these"; probabilities are their softmax. The weights are in
`evidence.toml`, fitted by `scripts/calibrate_evidence.py` on voices that the network was not trained on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tomli

from voices.recognisers import Hypothesis

# The network's minimum: a phrase that it does not propose is at most so probable (a natural logarithm).
FLOOR = -20.0
# How probable it is that other speech is just the phrase of new words that another recogniser proposes (a
# natural logarithm). Chosen by hand, so that new commands are heard and other speech is rarely taken for one.
_UNTRAINED = -1.5
# How far an alignment counts behind the best one: at most so many nats, in such steps.
_FARTHEST, _STEP = 300.0, 10.0
# How far the sound stands above the noise (dB) where noise says nothing any more, and where it says all.
_QUIET_DB, _NOISY_DB = 30.0, 10.0
# The network's probabilities are rounded: at least this much is left for phrases that it does not propose.
_LEAST_REST = 1e-4


@dataclass(frozen=True, slots=True)
class Weighed:
    """A reading in words with the probability that this, in these or other words, was said."""

    words: str
    probability: float


@dataclass(frozen=True, slots=True)
class EvidenceModel:
    """The weights for one set of recognisers, and the probability that a yes must have.

    `foreign_yes`: that of a yes that is not one of the language that is spoken. `doubt`: from which
    probability on of what is not possible, or of what nobody proposed, a reading that is possible is doubted.
    """

    weights: Mapping[str, float]
    yes: float
    foreign_yes: float
    doubt: float = 1.0


def weigh(
    hypotheses: Sequence[Hypothesis],
    meaning: Callable[[str], Hashable] = lambda words: words,
    using: EvidenceModel | None = None,
    asked: Collection[str] = (),
) -> tuple[Weighed, ...]:
    """The readings, most probable first; what is missing to 1 is the probability that none is right.

    Phrases for which `meaning` gives the same value are one reading, in the words of the best of them.
    `using` is the model of the recognisers that heard, unless another is given. `asked` are the phrases that
    answer the open question: they are more probable than without it.
    """
    if not hypotheses:
        return ()
    weights = (using or model(recognisers(hypotheses))).weights
    candidates, nothing = features(hypotheses, asked)
    utilities = {words: _utility(weights, found) for words, found in candidates.items()}
    others = [_utility(weights, found) for found in nothing]
    highest = max(*others, *utilities.values())
    total = sum(math.exp(utility - highest) for utility in (*others, *utilities.values()))
    shares: dict[Hashable, tuple[str, float]] = {}
    for words in sorted(utilities, key=lambda words: -utilities[words]):
        share = math.exp(utilities[words] - highest) / total
        first, before = shares.setdefault(meaning(words), (words, 0.0))
        shares[meaning(words)] = first, before + share
    ranked = sorted(shares.values(), key=lambda found: -found[1])
    return tuple(Weighed(words, probability) for words, probability in ranked)


def features(
    hypotheses: Sequence[Hypothesis], asked: Collection[str] = ()
) -> tuple[dict[str, dict[str, float]], tuple[dict[str, float], ...]]:
    """The model's inputs by name: for each phrase proposed, for no words at all, for words not proposed.

    `asked` are the phrases that answer the open question. Each input also stands for itself in noise, times
    how noisy it is: who is to be trusted there is another.
    """
    network, filler = network_scores(hypotheses)
    said, expected, sounds = (_best(hypotheses, grammar) for grammar in ("all", "expected", "filler"))
    possible = {h.words for h in hypotheses if h.grammar == "expected"}
    behind = said.score - expected.score if said and expected else 0.0
    aligned = alignments(hypotheses)
    answers = {h.words: h.score for h in hypotheses if h.grammar == "answer"}
    no_answer = answers.get("", 0.0)
    candidates = {
        words: {
            "network": network.get(words, FLOOR),
            "said": float(said is not None and said.words == words),
            "expected": float(expected is not None and expected.words == words),
            "behind": behind if expected and words == expected.words else 0.0,
            "possible": float(words in possible),
            "words": float(len(words.split())),
            "single": float(" " not in words),
            "asked": float(words in asked),
            "aligned": aligned.get(words, -_FARTHEST / _STEP) if aligned else 0.0,
            "answer": _answer(words, answers),
        }
        for words in {h.words: None for h in hypotheses if h.worded}
    }
    worded = max((h.score for h in (said, expected) if h), default=None)
    no_words = {
        "other": 1.0,
        "filler": max(FLOOR, filler) if filler is not None else 0.0,
        "sounds": sounds.score - worded if sounds and worded is not None else 0.0,
        "wordless": float(worded is None),
        "answer": no_answer,
    }
    nothing = (no_words, {"unlisted": 1.0, "rest": _rest(hypotheses), "answer": no_answer})
    if noisy := _noise(hypotheses):
        for found in (*candidates.values(), *nothing):
            found |= {f"{name}_in_noise": value * noisy for name, value in found.items()}
    return candidates, nothing


def _noise(hypotheses: Sequence[Hypothesis]) -> float:
    """From 0, none that matters or not known, to 1."""
    above = next((h.score for h in hypotheses if h.grammar == "noise"), _QUIET_DB)
    return min(1.0, max(0.0, (_QUIET_DB - above) / (_QUIET_DB - _NOISY_DB)))


def _best(hypotheses: Sequence[Hypothesis], grammar: str) -> Hypothesis | None:
    """The best hypothesis of a grammar by another recogniser than the network."""
    found = (h for h in hypotheses if h.grammar == grammar and h.recogniser != "network")
    return max(found, key=lambda h: h.score, default=None)


def alignments(hypotheses: Sequence[Hypothesis]) -> dict[str, float]:
    """How far the sounds of each phrase fit worse than those of the best one: not above 0."""
    scores = {h.words: h.score for h in hypotheses if h.grammar == "aligned"}
    best = max(scores.values(), default=0.0)
    return {words: max(-_FARTHEST, score - best) / _STEP for words, score in scores.items()}


def network_scores(hypotheses: Sequence[Hypothesis]) -> tuple[dict[str, float], float | None]:
    """The network's logarithm of each phrase, and that of other speech, if it heard.

    A phrase with words that it was not trained on has that of other speech in the place of these words.
    """
    found: dict[str, float] = {}
    filler = None
    for h in hypotheses:
        if h.recogniser == "network" and h.grammar == "filler":
            filler = h.score
        elif h.recogniser == "network" and h.worded:
            score = h.score + _UNTRAINED if h.grammar == "untrained" else h.score
            found[h.words] = max(FLOOR, score)
    return found, filler


def _answer(words: str, answers: Mapping[str, float]) -> float:
    """How probable it is that words are an answer, or none; who names his side says one at the end."""
    ending = [score for one, score in answers.items() if not one or words.endswith(f" {one}")]
    return answers.get(words, max(ending, default=0.0))


def _rest(hypotheses: Sequence[Hypothesis]) -> float:
    """The logarithm of what the network leaves for what it does not propose; 0 if it proposes no phrase."""
    proposed = {
        (h.grammar == "filler", h.words): math.exp(max(FLOOR, h.score))
        for h in hypotheses
        if h.recogniser == "network" and h.grammar not in ("untrained", "noise", "answer")
    }
    if all(is_filler for is_filler, _ in proposed):
        return 0.0
    return math.log(max(_LEAST_REST, 1 - sum(proposed.values())))


def recognisers(hypotheses: Sequence[Hypothesis]) -> str:
    """The recognisers that heard: the name of a model in `evidence.toml`."""
    return "+".join(sorted({hypothesis.recogniser for hypothesis in hypotheses}))


@cache
def model(name: str) -> EvidenceModel:
    """The model for a set of recognisers. Raises KeyError if there is none."""
    data = tomli.loads(Path(__file__).with_name("evidence.toml").read_text("utf-8"))[name]
    return EvidenceModel(data["weights"], data["yes"], data["foreign_yes"], data["doubt"])


def _utility(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in found.items())
