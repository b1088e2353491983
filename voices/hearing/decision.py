# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings with their probabilities -> what is repeated, offered for choice, or asked for again.

A yes commits, so it is judged apart: by all ears together, and by the network that hears answers alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from voices.hearing import evidence
from voices.hearing.evidence import Weighed
from voices.recognisers import Hypothesis

# A reading is repeated if that costs less than asking for the announcement again: a wrong one costs two
# utterances (the no and the announcement), asking again costs one.
REPEAT = 0.5
# A list costs one utterance more than a repetition, so it must nearly always contain the right reading.
_LIST = 0.8
_LONGEST_LIST = 3
# A less probable reading is not worth a place in a list.
_NEGLIGIBLE = 0.02
# A no declines a draw, too: one by the network for answers alone needs that a yes is no more probable to it
# than this; and a yes that is no more than likely, short or foreign, that a no is not.
_HARDLY = 0.05
# How probable a yes must be to that network, if it hears hardly a no: other talk is often as likely as not to
# be a short one to it, and seldom more; one of so many letters is like hardly anything else.
_SHORT_YES, _LONG_YES = 0.55, 7
# How probable to that network a yes is no such no as others may hear, and how much less probable to the large
# networks a no in the words of a yes is, at most, where it may have been said.
_SURE, _NEAR = 0.9, 3.0
# How probable (natural logarithm) to the large networks a yes is, at least, that begins with a yes, and how
# probable in just its words to that network: to all others "yes, wait" is like "yes please".
_PROLONGED, _PROLONGED_ALONE = -4.0, 0.8


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
class _Alone:
    """How probable answers are to the network that hears them alone: yeses of the language, others, noes."""

    own_yes: float
    foreign_yes: float
    no: float

    @property
    def yes(self) -> float:
        return self.own_yes + self.foreign_yes

    @property
    def is_hardly_no(self) -> bool:
        return self.no <= _HARDLY


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
    weighed = evidence.weigh(hypotheses, meaning, asked=asked)
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


def judged_yes(
    said: Weighed, yes: Mapping[str, bool], hypotheses: Sequence[Hypothesis]
) -> tuple[bool, float]:
    """Whether a yes that is the most probable reading is of the language, and how probable it is.

    `yes` as for `decide`. If the network for answers listened, all ears together and that network must each
    hold it for more probable than not, and that network for a little more, if it is short; then it is as
    probable as it is to the surer of the two. One that is not of the language to either, which is rare, is
    as probable as it is to the other. Where that network holds a no for possible, neither that nor a short
    one is a yes at all: people's "no" in noise is like a "ja". Nor is one that begins with a yes where the
    networks hardly hear its other words: it may have been taken back ("yes, but").
    """
    alone = _heard_alone(hypotheses, yes)
    if not alone:
        return yes[said.words], said.probability
    own = yes[said.words] or alone.own_yes > alone.foreign_yes
    if _begins_with_a_yes(said.words, yes) and not _is_heard_whole(said.words, hypotheses):
        return own, 0.0
    if not alone.is_hardly_no and (not own or _is_short(said.words)):
        return own, 0.0
    each = said.probability, alone.yes
    likely = each[0] >= REPEAT and each[1] >= _likely(said.words)
    return own, max(each) if own and likely else min(each)


def _needed(said: str, own: bool, yes: Mapping[str, bool], hypotheses: Sequence[Hypothesis]) -> float:
    """How probable a yes must be in general; `own`: one of the language.

    One of the language needs no more than that both hold it for likely, if the network for answers listened
    and hears hardly a no: some noes end like a yes ("incorreto").
    """
    alone = _heard_alone(hypotheses, yes)
    if own and alone and alone.is_hardly_no:
        return _likely(said)
    using = evidence.model(evidence.recognisers(hypotheses))
    return using.yes if own else using.foreign_yes


def _is_denied(
    weighed: Sequence[Weighed], yes: Mapping[str, bool], asked: Collection[str],
    hypotheses: Sequence[Hypothesis],
) -> bool:  # fmt: skip
    """Whether a yes may be a no in the same words ("not right").

    So it is where such a no is possible to all ears; and, unless the network for answers is sure of just this
    yes, where it is about as probable to the large networks, or fits the sounds better.
    """
    said = weighed[0].words
    noes = {words for words in asked if words not in yes and {*words.split()} & {*said.split()}}
    if sum(one.probability for one in weighed if one.words in noes) > _HARDLY:
        return True
    alone = _heard_alone(hypotheses, yes)
    if alone and alone.is_hardly_no and _share_alone(said, hypotheses) >= _SURE:
        return False
    network, fits = evidence.network_scores(hypotheses)[0], evidence.alignments(hypotheses)
    near, best = network.get(said, 0.0) - _NEAR, fits.get(said, 0.0)
    return any(network.get(no, evidence.FLOOR) >= near or fits.get(no, -math.inf) > best for no in noes)


def _noes_to_it(
    hypotheses: Sequence[Hypothesis], yes: Mapping[str, bool], asked: Collection[str]
) -> Collection[str]:
    """The noes to what is asked, if the network for answers hears one, and hardly a yes; else none."""
    alone = _heard_alone([h for h in hypotheses if h.words in asked], yes)
    heard = alone and alone.no >= REPEAT and alone.yes <= _HARDLY
    return {words for words in asked if words not in yes} if heard else ()


def _heard_alone(hypotheses: Sequence[Hypothesis], yes: Mapping[str, bool]) -> _Alone | None:
    """What the network for answers alone has heard, if it listened."""
    heard = {h.words: math.exp(h.score) for h in hypotheses if h.grammar == "answer"}
    if not heard:
        return None
    noes = sum(share for words, share in heard.items() if words and words not in yes)
    own, foreign = (
        sum(share for words, share in heard.items() if yes.get(words) is which) for which in (True, False)
    )
    return _Alone(own, foreign, noes)


def _share_alone(said: str, hypotheses: Sequence[Hypothesis]) -> float:
    """How probable a yes, perhaps of a side, is to the network for answers, in just these words."""
    heard = (h for h in hypotheses if h.grammar == "answer" and h.words)
    return sum(math.exp(h.score) for h in heard if f" {said}".endswith(f" {h.words}"))


def _begins_with_a_yes(said: str, yes: Mapping[str, bool]) -> bool:
    return any(said.startswith(f"{one} ") for one in yes)


def _is_heard_whole(said: str, hypotheses: Sequence[Hypothesis]) -> bool:
    """Whether the large networks and the one for answers hear all words of a yes that begins with a yes."""
    to_all = evidence.network_scores(hypotheses)[0].get(said, evidence.FLOOR)
    return to_all >= _PROLONGED and _share_alone(said, hypotheses) >= _PROLONGED_ALONE


def _likely(yes: str) -> float:
    """How probable a yes must be to the network for answers where it need only be likely."""
    return _SHORT_YES if _is_short(yes) else REPEAT


def _is_short(yes: str) -> bool:
    return len(yes.replace(" ", "")) < _LONG_YES
