# SPDX-License-Identifier: GPL-3.0-or-later
"""An utterance that was not understood, and the next one: what both say together.

Naive Bayes with a prior that is counted once: an utterance speaks for a reading by how much its odds against
other speech exceed those before anything was heard. What both say is added, and tempered: a voice that is
misheard once tends to be misheard the same way again, so the second utterance is no second witness.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed

# Each utterance says something if it has a reading so probable: other talk after other talk joins to nothing.
_SOME = 0.03
# The least probability that is repeated, as after one utterance; that is an alternative to it; and that is
# offered for choice.
_REPEAT = 0.5
_NEGLIGIBLE = 0.02
_OFFER = 0.3
# How probable two different readings must each be to their own utterance, to be offered beside each other.
_EACH = 0.2
# How probable readings that differ in one part alone must be together, for that part to be asked for.
_PART = 0.6
_LONGEST_LIST = 3
# A player hears the refusal, thinks and says it again; who reads the refusal in Braille takes longest.
_LONG_MS = 30_000


@dataclass(frozen=True, slots=True)
class Joining:
    """How two utterances are joined: `prior` is the logarithm of a reading's odds before anything is heard.

    `share`: how much counts of what the two say (1: they are independent, 0.5: the second says nothing new).
    `unheard`: how probable a reading is that an utterance has not brought up.
    """

    prior: float
    share: float
    unheard: float


FITTED = Joining(-4.0, 0.6, 0.003)  # by `scripts/fit_two_tries.py`


@dataclass(frozen=True, slots=True)
class Refused:
    """An utterance that was not understood, the situation in which it was said, and when (ms)."""

    decided: Decided
    situation: Hashable
    at_ms: int

    def precedes(self, situation: Hashable, now_ms: int) -> bool:
        """Whether what is said now may be the same once more: in the same situation, and soon."""
        return self.situation == situation and 0 <= now_ms - self.at_ms <= _LONG_MS


@dataclass(frozen=True, slots=True)
class Sense:
    """What phrases are where they are said.

    `yes` are those that commit: they count by what each utterance alone says. Phrases of one `meaning` are
    one reading. `offers`: whether one can be offered for choice; none is, if that which both utterances most
    probably say cannot. `begun`: what it is without one of its parts: those that are the same then, and
    probable together, are offered before others.
    """

    yes: Collection[str] = ()
    meaning: Callable[[str], Hashable] = lambda words: words
    offers: Callable[[str], bool] = lambda _: True
    begun: Callable[[str], Collection[Hashable]] = lambda _: ()


def join(
    first: Decided,
    second: Decided,
    meaning: Callable[[str], Hashable] = lambda words: words,
    using: Joining = FITTED,
) -> tuple[Weighed, ...]:
    """The readings that both utterances can be, most probable first.

    What is missing to 1 is the probability that none of them is right. Phrases for which `meaning` gives the
    same value are one reading, in the words of the later utterance if it has them.
    """
    words = {meaning(one.words): one.words for decided in (first, second) for one in decided.weighed}
    odds = [_odds(decided, meaning, using.unheard) for decided in (first, second)]
    utilities = {
        reading: using.prior
        + using.share * sum(said.get(reading, least) - using.prior for said, least in odds)
        for reading in words
    }
    highest = max(0.0, *utilities.values()) if utilities else 0.0
    total = math.exp(-highest) + sum(math.exp(utility - highest) for utility in utilities.values())
    ranked = sorted(utilities, key=lambda reading: -utilities[reading])
    return tuple(
        Weighed(words[reading], math.exp(utilities[reading] - highest) / total) for reading in ranked
    )


def decide(first: Decided, second: Decided, sense: Sense) -> Decided:
    """Decide what to do after two refused utterances: what `second` alone says, if they say too little."""
    if not (_says_something(first, sense.yes) and _says_something(second, sense.yes)):
        return second
    joined = join(first, second, sense.meaning)
    best, others = joined[0], [one for one in joined if one.words not in sense.yes]
    if best.words in sense.yes:
        return second
    if best.probability >= _REPEAT:
        listed = [one.words for one in others if one.probability >= _NEGLIGIBLE]
        return Decided(tuple(listed[:_LONGEST_LIST]), weighed=joined)
    offered = _alike_but_for_a_part(others, sense)
    if not offered and sense.offers(best.words):
        likely = (one.words for one in others if one.probability >= _OFFER)
        offered = [words for words in likely if sense.offers(words)] or _best_of_each(first, second, sense)
    return Decided(tuple(offered[:_LONGEST_LIST]), sure=False, weighed=joined) if offered else second


def _alike_but_for_a_part(readings: Sequence[Weighed], sense: Sense) -> list[str]:
    """The phrases that can be offered and differ in one part alone, if they are probable together."""
    together: defaultdict[Hashable, float] = defaultdict(float)
    for one in readings:
        for beginning in sense.begun(one.words):
            together[beginning] += one.probability
    if not together or max(together.values()) < _PART:
        return []
    shared = max(together, key=together.__getitem__)
    likely = (one.words for one in readings if one.probability >= _NEGLIGIBLE)
    found = [words for words in likely if shared in sense.begun(words) and sense.offers(words)]
    return found if len(found) > 1 else []


def _best_of_each(first: Decided, second: Decided, sense: Sense) -> list[str]:
    """What each utterance by itself most probably is, if these are two readings that can both be offered."""
    best = [decided.weighed[0] for decided in (first, second)]
    found = [one.words for one in best if one.probability >= _EACH and one.words not in sense.yes]
    different = len({sense.meaning(words) for words in found}) == len(best)
    return found if different and all(map(sense.offers, found)) else []


def _says_something(decided: Decided, yes: Collection[str]) -> bool:
    return any(one.probability >= _SOME for one in decided.weighed if one.words not in yes)


def _odds(
    decided: Decided, meaning: Callable[[str], Hashable], unheard: float
) -> tuple[dict[Hashable, float], float]:
    """The logarithm of the odds of each reading against other speech, and of one that was not brought up."""
    shares: dict[Hashable, float] = {}
    for one in decided.weighed:
        shares[meaning(one.words)] = shares.get(meaning(one.words), 0.0) + one.probability
    other = math.log(max(unheard, 1 - sum(shares.values())))
    found = {reading: math.log(max(unheard, share)) - other for reading, share in shares.items()}
    return found, math.log(unheard) - other
