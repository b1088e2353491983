# SPDX-License-Identifier: GPL-3.0-or-later
"""What two networks say together: the geometric mean of both, or what the one says that knows a word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from voices.grammar.jsgf import automaton
from voices.network.agreement import Agreement
from voices.network.ear import EarExpectation
from voices.network.tokens import BLANK, FILLER

PHRASES = ("eins", "zwei", "eins zwei")
EVERYTHING = automaton(f"#JSGF V1.0;\ngrammar g;\npublic <all> = {' | '.join(PHRASES)} | acht;\n")
KNOWN = (BLANK, FILLER, "de:eins", "de:zwei")
MORE = (*KNOWN, "de:acht")


def expectation(outputs):
    return EarExpectation(outputs, EVERYTHING, [*PHRASES, "acht", "neun"])


def heard(chance, outputs, frames=6):
    return np.log(chance.dirichlet(np.ones(len(outputs)), size=frames)).astype(np.float32)


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 10**6))
def test_the_geometric_mean_of_both_counts_whichever_of_them_proposed_a_phrase(seed):
    chance = np.random.default_rng(seed)
    both = [heard(chance, KNOWN) for _ in range(2)]
    one = expectation(KNOWN)
    found = Agreement([one, one]).heard(both, 9)
    alone = [one.scores(each, PHRASES) for each in both]
    means = {words: (alone[0][words] + alone[1][words]) / 2 for words in PHRASES}
    assert dict(found.expected) == pytest.approx(means)
    assert found.said[0][0] == found.expected[0][0] == max(means, key=means.get)
    assert [score for _, score in found.said] == sorted((score for _, score in found.said), reverse=True)
    assert found.filler == pytest.approx(np.mean([one.heard(each, 1).filler for each in both]))


def test_two_that_hear_the_same_are_as_one():
    log_probabilities = heard(np.random.default_rng(1), KNOWN)
    one = expectation(KNOWN)
    alone, both = one.heard(log_probabilities, 2), Agreement([one, one]).heard([log_probabilities] * 2, 2)
    assert dict(both.said) == pytest.approx(dict(alone.said))
    assert dict(both.expected) == pytest.approx(dict(alone.expected))


def test_what_one_rules_out_is_only_improbable():
    certain = np.full((2, len(KNOWN)), -400.0, np.float32)
    certain[:, KNOWN.index("de:eins")] = 0.0
    other = certain[:, [0, 1, 3, 2]]
    one = expectation(KNOWN)
    found = Agreement([one, one]).heard([certain, other], 5)
    assert dict(found.expected)["zwei"] == dict(found.expected)["eins"] == pytest.approx(-10.0)
    assert found.filler == pytest.approx(-20.0)


def test_a_word_that_one_does_not_know_is_left_to_the_other():
    chance = np.random.default_rng(2)
    first, second = heard(chance, KNOWN), heard(chance, MORE)
    both, knowing = Agreement([expectation(KNOWN), expectation(MORE)]), expectation(MORE)
    assert dict(both.heard([first, second], 9).expected)["acht"] == pytest.approx(
        knowing.scores(second, ["acht"])["acht"]
    )
    phrases = ("eins", "acht", "neun", "eins neun")
    unknown = dict(both.untrained([first, second], phrases))
    each = [
        dict(one.untrained(heard_, phrases))
        for one, heard_ in ((expectation(KNOWN), first), (knowing, second))
    ]
    assert set(unknown) == {"neun", "eins neun"}
    assert unknown == pytest.approx({words: (each[0][words] + each[1][words]) / 2 for words in unknown})
