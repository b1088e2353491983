# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices.network.adaptation import Correction, Listened, _occupied, learn
from voices.network.ear import Ear
from voices.network.features import BANDS
from voices.network.rehearsal import packed, rehearsal, unpacked
from voices.network.scoring import WordColumns, phrase_scores
from voices.network.tokens import BLANK, FILLER

OUTPUTS = (BLANK, FILLER, "de:eins", "de:eva", "en:no", "es:no")
WORDS = ["eins", "eva", "no"]
WIDTH = 6


def utterance(seed, time=12):
    """Random activations, and what a last layer of random weights makes of them."""
    chance = np.random.default_rng(seed)
    layer = np.random.default_rng(1).normal(size=(WIDTH, len(OUTPUTS)))
    hidden = chance.normal(size=(time, WIDTH)).astype(np.float32)
    logits = hidden @ layer
    found = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return Listened(found.astype(np.float32), hidden)


@given(st.integers(0, 99), st.lists(st.integers(2, 4), min_size=1, max_size=3), st.integers(8, 14))
def test_the_time_of_each_word_is_the_slope_of_the_probability_of_the_phrase(seed, phrase, time):
    chance = np.random.default_rng(seed)
    columns = np.log(chance.dirichlet(np.ones(5), size=time + 3))
    # Of another length beside it, so that the shorter one is padded.
    ends, labels = np.array([3, time + 3]), [[2], phrase]
    found = _occupied(columns, ends, labels)
    assert found.sum(axis=1) == pytest.approx(np.ones(time + 3))
    at, column, small = 3 + seed % time, phrase[0], 1e-5
    moved = columns[3:].copy()
    moved[at - 3, column] += small
    slope = (phrase_scores(moved, [phrase])[0] - phrase_scores(columns[3:], [phrase])[0]) / small
    assert found[at, column] == pytest.approx(slope, abs=1e-3)


def test_what_was_said_becomes_more_probable_and_what_is_rehearsed_hardly_changes():
    words = WordColumns(OUTPUTS, WORDS)
    said = [(utterance(seed), ["eva", "eins"]) for seed in range(20)]
    rehearsed = [utterance(seed) for seed in range(100, 120)]

    def likeness(correction, heard):
        columns = words.of(correction.applied(heard, OUTPUTS) if correction else heard.log_probabilities)
        return phrase_scores(columns, [[words.column["eva"], words.column["eins"]]])[0]

    correction = learn(said, rehearsed, words, "one")
    assert all(likeness(correction, heard) > likeness(None, heard) for heard, _ in said)
    free = learn(said, rehearsed[:1], words, "one")
    drift = [
        np.abs(np.exp(each.applied(heard, OUTPUTS)) - np.exp(heard.log_probabilities)).mean()
        for each in (correction, free)
        for heard in rehearsed[1:2]
    ]
    assert drift[0] < drift[1]
    again = learn(said, rehearsed, words, "one")
    assert (again.weights == correction.weights).all()


@given(st.floats(0, 1), st.integers(0, 99))
def test_a_corrected_frame_is_a_probability_and_no_correction_changes_nothing(strength, seed):
    chance = np.random.default_rng(seed)
    some = Correction("one", OUTPUTS[1:3], chance.normal(size=(2, WIDTH)), chance.normal(size=2))
    heard = utterance(seed)
    found = some.scaled(strength).applied(heard, OUTPUTS)
    assert np.exp(found).sum(axis=1) == pytest.approx(np.ones(len(found)), abs=1e-4)
    assert some.scaled(0).applied(heard, OUTPUTS) == pytest.approx(heard.log_probabilities, abs=1e-4)


def test_it_can_be_ended_between_two_steps():
    class EndedError(Exception):
        pass

    def end():
        raise EndedError

    with pytest.raises(EndedError):
        learn([(utterance(1), ["eva"])], [utterance(2)], WordColumns(OUTPUTS, WORDS), "one", end)


@pytest.fixture(scope="module")
def ear():
    return Ear()


def test_the_network_tells_what_its_last_layer_is_given(ear):
    bands = rehearsal()[0][0]
    heard = ear.listened(bands)
    assert len(heard.hidden) == len(heard.log_probabilities) == -(-len(bands) // 4)
    assert heard.log_probabilities.shape[1] == len(ear.outputs)


@pytest.mark.parametrize(("network", "used"), [("", True), ("of other weights", False)])
def test_a_correction_is_used_only_with_the_weights_that_it_was_learnt_with(ear, network, used):
    chance = np.random.default_rng(1)
    samples = (chance.normal(size=16_000) * 3000).astype(np.int16)
    plain = ear.listen(samples)
    width = ear.listened(rehearsal()[0][0]).hidden.shape[1]
    correction = Correction(network or ear.network, (FILLER,), np.ones((1, width)), np.ones(1))
    ear.correct([correction])
    corrected = ear.listen(samples)
    ear.correct([])
    assert (corrected != pytest.approx(plain)) is used
    assert ear.listen(samples) == pytest.approx(plain)
    assert len(ear.listen(samples[:10])) == 0


def test_the_rehearsal_has_utterances_and_other_talk_but_no_sound():
    known, talk = rehearsal()
    assert len(known) > 60
    assert len(talk) > 10
    assert all(one.shape[1] == BANDS for one in (*known, *talk))


@given(st.integers(0, 99))
def test_packed_bands_are_as_good_as_the_bands(seed):
    bands = np.random.default_rng(seed).uniform(-12, 12, size=(5, BANDS)).astype(np.float32)
    assert unpacked(packed(bands)) == pytest.approx(bands, abs=0.051)
