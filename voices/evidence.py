# SPDX-License-Identifier: GPL-3.0-or-later
"""The hypotheses of a recogniser -> the readings of an utterance, best first, or none."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from voices.recognisers import Grammar, Hypothesis

# All margins are in nats per frame of speech (10 ms), for pocketsphinx. Measured on 546 utterances of
# espeak-ng (three German voices, Brazilian, Spanish and English ones reading German words; clean and pink
# noise at 20 dB): of legal announcements 76 % were read right, 4 % as another legal move, 10 % as something
# not legal and 10 % not at all; of 126 that were not legal and 166 of other talk and short sounds none was
# read as a legal move or as a yes; of "ja" 76 %, of "nein" 90 % were understood. The margins were chosen on
# these; in louder noise (pink at 10 dB, white at 15 dB) 6 % of what was not legal became a legal move and 2 %
# of short sounds a yes.
#
# What was said comes first when it is ahead of what is expected by this much: with 0.15, 2 % of the
# announcements that were not legal were read as a legal move.
AHEAD = 0.10
# By this much, what is expected is no reading at all.
FAR_AHEAD = 0.50
# Any sounds may be ahead of words by this much: with 2.0, 10 % of other talk was taken for words.
NO_WORDS = 1.7
# A "yes" plays a move: with 1.5, a short sound was one.
NO_YES = 1.0


def decide(hypotheses: Sequence[Hypothesis], yes: Collection[str] = ()) -> tuple[str, ...]:
    """The words of the readings, best first; none when it was not understood.

    What is expected helps only where the sound leaves it open; `yes` are the phrases that commit something
    and must be surer than others: nothing else that can be said may fit better.
    """
    best: dict[Grammar, Hypothesis] = {}
    for hypothesis in hypotheses:
        known = best.get(hypothesis.grammar)
        if known is None or hypothesis.score > known.score:
            best[hypothesis.grammar] = hypothesis
    sounds = best.pop("filler", None)
    agreed = len({reading.words for reading in best.values()}) == 1
    readings = dict.fromkeys(reading.words for reading in _in_order(best) if _is_clear(reading, sounds, yes))
    return tuple(words for words in readings if agreed or words not in yes)


def _in_order(best: dict[Grammar, Hypothesis]) -> list[Hypothesis]:
    said, expected = best.get("all"), best.get("expected")
    if said is None or expected is None:
        return list(best.values())
    lead = said.score - expected.score
    if lead > FAR_AHEAD:
        return [said]
    return [said, expected] if lead > AHEAD else [expected, said]


def _is_clear(reading: Hypothesis, sounds: Hypothesis | None, yes: Collection[str]) -> bool:
    margin = NO_YES if reading.words in yes else NO_WORDS
    return sounds is None or sounds.score - reading.score <= margin
