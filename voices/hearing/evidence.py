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
from types import MappingProxyType

import tomli

from voices.recognisers import Hypothesis

# The network's minimum: a phrase that it does not propose is at most so probable (a natural logarithm).
_FLOOR = -20.0
# How probable it is that other speech is just the phrase of new words that another recogniser proposes (a
# natural logarithm). Chosen by hand, so that new commands are heard and other speech is rarely taken for one.
_UNTRAINED = -1.5
# How far an alignment counts behind the best one: at most so many nats, in such steps.
_FARTHEST, _STEP = 300.0, 10.0
# How far the sound stands above the noise (dB) where noise says nothing any more, and where it says all.
_QUIET_DB, _NOISY_DB = 30.0, 10.0
# The network's probabilities are rounded: at least this much is left for phrases that it does not propose.
_LEAST_REST = 1e-4
# A reading is repeated if that costs less than asking for the announcement again: a wrong one costs two
# utterances (the no and the announcement), asking again costs one.
REPEAT = 0.5
# A list costs one utterance more than a repetition, so it must nearly always contain the right reading.
_LIST = 0.8
_LONGEST_LIST = 3
# A no declines a draw, too: one by the network for answers alone needs that a yes is no more probable to it
# than this; and a yes that is no more than likely, short or foreign, that a no is not.
_HARDLY = 0.05
# How probable a yes must be to that network, if it hears hardly a no: other talk is often as likely as not to
# be a short one to it, and seldom more; one of so many letters is like hardly anything else.
_SHORT_YES, _LONG_YES = 0.55, 7
# How much less probable to the networks a no in the words of a yes is, at most, where it may have been said.
_NEAR = 3.0
# A less probable reading is not worth a place in a list.
_NEGLIGIBLE = 0.02


@dataclass(frozen=True, slots=True)
class Weighed:
    """A reading in words with the probability that this, in these or other words, was said."""

    words: str
    probability: float


@dataclass(frozen=True, slots=True)
class Decided:
    """The readings in words, best first; none if the utterance was not understood.

    If `sure`, the first is to be repeated and the others are alternatives; otherwise all are offered for
    choice. `weighed` has every possible reading. `doubted`: the first is possible, but not sure enough, or
    something else that is not possible was perhaps said, so it is asked about instead.
    """

    readings: tuple[str, ...] = ()
    sure: bool = True
    weighed: tuple[Weighed, ...] = ()
    doubted: bool = False


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


def decide(  # noqa: PLR0913, PLR0917 - what is known of the speaker and of the question
    hypotheses: Sequence[Hypothesis],
    yes: Mapping[str, bool] = MappingProxyType({}),
    meaning: Callable[[str], Hashable] = lambda words: words,
    least_yes: float = 0.0,
    asked: Collection[str] = (),
    repeat: float = REPEAT,
) -> Decided:
    """Decide what the dialogue continues with.

    `yes` are the phrases that commit and must be more probable, most of all those that are not of the
    language that is spoken (False).

    `least_yes` is the probability that a yes of a certain speaker needs, if it is higher than in general, and
    `repeat` that of any other reading of his that is repeated. `asked` are the phrases that answer the open
    question: a no to it, which plays nothing, is one to the network for answers alone, too.
    """
    weighed = weigh(hypotheses, meaning, asked=asked)
    if not weighed:
        return Decided()
    first = weighed[0]
    if first.words in yes:
        own, probability = judged_yes(first, yes, hypotheses)
        needed = max(least_yes, _needed(first.words, own, yes, hypotheses))
        sure = probability >= needed and not _is_denied(weighed, yes, asked, hypotheses)
        return Decided((first.words,) if sure else (), weighed=weighed)
    listed = [one for one in weighed if one.words not in yes and one.probability >= _NEGLIGIBLE]
    words = tuple(one.words for one in listed[:_LONGEST_LIST])
    if first.probability >= repeat:
        return Decided(words, weighed=weighed)
    if sum(one.probability for one in listed[:_LONGEST_LIST]) >= _LIST:
        return Decided(words, sure=False, weighed=weighed)
    noes = _noes_to_it(hypotheses, yes, asked)
    return Decided(tuple(one.words for one in weighed if one.words in noes)[:1], weighed=weighed)


def _noes_to_it(
    hypotheses: Sequence[Hypothesis], yes: Mapping[str, bool], asked: Collection[str]
) -> Collection[str]:
    """The noes to what is asked, if the network for answers hears one, and hardly a yes; else none."""
    answers = {h.words: math.exp(h.score) for h in hypotheses if h.grammar == "answer" and h.words in asked}
    noes = {words: share for words, share in answers.items() if words not in yes}
    of_yes = sum(answers.values()) - sum(noes.values())
    return noes if sum(noes.values()) >= REPEAT and of_yes <= _HARDLY else ()


def _is_denied(
    weighed: Sequence[Weighed], yes: Mapping[str, bool], asked: Collection[str],
    hypotheses: Sequence[Hypothesis],
) -> bool:  # fmt: skip
    """Whether a yes may be a no in the same words ("not right"), which the network for answers does not know.

    So it is where such a no is possible to all ears, about as probable to the networks, or fits the sounds
    better.
    """
    said = weighed[0].words
    noes = {words for words in asked if words not in yes and {*words.split()} & {*said.split()}}
    if sum(one.probability for one in weighed if one.words in noes) > _HARDLY:
        return True
    network, aligned = _of_network(hypotheses)[0], _aligned(hypotheses)
    near, fits = network.get(said, 0.0) - _NEAR, aligned.get(said, 0.0)
    return any(network.get(no, _FLOOR) >= near or aligned.get(no, -_FARTHEST) > fits for no in noes)


def judged_yes(
    said: Weighed, yes: Mapping[str, bool], hypotheses: Sequence[Hypothesis]
) -> tuple[bool, float]:
    """Whether a yes that is the most probable reading is of the language, and how probable it is.

    `yes` as for `decide`. If the network for answers listened, all ears together and that network must each
    hold it for more probable than not, and that network for a little more, if it is short; then it is as
    probable as it is to the surer of the two. One that is not of the language to either, which is rare, is
    as probable as it is to the other. Where that network holds a no for possible, neither that nor a short
    one is a yes at all: people's "no" in noise is like a "ja".
    """
    answers = [h for h in hypotheses if h.grammar == "answer"]
    if not answers:
        return yes[said.words], said.probability
    of_language, foreign = (
        sum(math.exp(h.score) for h in answers if yes.get(h.words) is which) for which in (True, False)
    )
    own = yes[said.words] or of_language > foreign
    of_no = _of_no(hypotheses, yes)
    if of_no > _HARDLY and (not own or _is_short(said.words)):
        return own, 0.0
    each = said.probability, of_language + foreign
    likely = each[0] >= REPEAT and each[1] >= _likely(said.words)
    return own, max(each) if own and likely else min(each)


def _needed(said: str, own: bool, yes: Mapping[str, bool], hypotheses: Sequence[Hypothesis]) -> float:
    """How probable a yes must be in general; `own`: one of the language.

    One of the language needs no more than that both hold it for likely, if the network for answers listened
    and hears hardly a no: some noes end like a yes ("incorreto").
    """
    of_no = _of_no(hypotheses, yes)
    if own and of_no <= _HARDLY and any(h.grammar == "answer" for h in hypotheses):
        return _likely(said)
    using = model(recognisers(hypotheses))
    return using.yes if own else using.foreign_yes


def _likely(yes: str) -> float:
    """How probable a yes must be to the network for answers where it need only be likely."""
    return _SHORT_YES if _is_short(yes) else REPEAT


def _is_short(yes: str) -> bool:
    return len(yes.replace(" ", "")) < _LONG_YES


def _of_no(hypotheses: Sequence[Hypothesis], yes: Collection[str]) -> float:
    """How probable it is to the network for answers that an answer was said which is no yes."""
    answers = (h for h in hypotheses if h.grammar == "answer" and h.words)
    return sum(math.exp(h.score) for h in answers if h.words not in yes)


def features(
    hypotheses: Sequence[Hypothesis], asked: Collection[str] = ()
) -> tuple[dict[str, dict[str, float]], tuple[dict[str, float], ...]]:
    """The model's inputs by name: for each phrase proposed, for no words at all, for words not proposed.

    `asked` are the phrases that answer the open question. Each input also stands for itself in noise, times
    how noisy it is: who is to be trusted there is another.
    """
    network, filler = _of_network(hypotheses)
    said, expected, sounds = (_best(hypotheses, grammar) for grammar in ("all", "expected", "filler"))
    possible = {h.words for h in hypotheses if h.grammar == "expected"}
    behind = said.score - expected.score if said and expected else 0.0
    aligned = _aligned(hypotheses)
    answers = {h.words: h.score for h in hypotheses if h.grammar == "answer"}
    no_answer = answers.get("", 0.0)
    candidates = {
        words: {
            "network": network.get(words, _FLOOR),
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
        "filler": max(_FLOOR, filler) if filler is not None else 0.0,
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


def _aligned(hypotheses: Sequence[Hypothesis]) -> dict[str, float]:
    """How far the sounds of each phrase fit worse than those of the best one: not above 0."""
    scores = {h.words: h.score for h in hypotheses if h.grammar == "aligned"}
    best = max(scores.values(), default=0.0)
    return {words: max(-_FARTHEST, score - best) / _STEP for words, score in scores.items()}


def _of_network(hypotheses: Sequence[Hypothesis]) -> tuple[dict[str, float], float | None]:
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
            found[h.words] = max(_FLOOR, score)
    return found, filler


def _answer(words: str, answers: Mapping[str, float]) -> float:
    """How probable it is that words are an answer, or none; who names his side says one at the end."""
    ending = [score for one, score in answers.items() if not one or words.endswith(f" {one}")]
    return answers.get(words, max(ending, default=0.0))


def _rest(hypotheses: Sequence[Hypothesis]) -> float:
    """The logarithm of what the network leaves for what it does not propose; 0 if it proposes no phrase."""
    proposed = {
        (h.grammar == "filler", h.words): math.exp(max(_FLOOR, h.score))
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
