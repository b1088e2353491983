# SPDX-License-Identifier: GPL-3.0-or-later
"""A synthetic speaker whom the network hears badly, and what it learns of his announcements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.synthetic import espeak

from voices.hearing import learning
from voices.hearing.learning import LEAST, taught
from voices.hearing.learnt import Learnt, Sample
from voices.network.ear import Ear, ears
from voices.network.rehearsal import unpacked
from voices.network.scoring import WordColumns, phrase_scores
from voices.network.vocal_tract import normalised
from voices.sound.source import read_wav

FILES = dict(
    zip("abcdefgh", ("anna", "bella", "cäsar", "david", "eva", "felix", "gustav", "hektor"), strict=True)
)
RANKS = dict(
    zip("12345678", ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"), strict=True)
)
PLAIN = {"cäsar": "cesar", "hektor": "hector", "fünf": "fuenf"}
SQUARES = "a3 b4 c5 d6 e3 f4 g5 h6 a5 b3 c4 d5 e6 f3 g4 h5 a4 b5 c6 d3 e4 f5 g6 h3".split()
TAUGHT = 16


@pytest.fixture(scope="module")
def ear():
    return Ear()


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """Squares by a French voice, which reads the German words as if they were French."""
    folder = tmp_path_factory.mktemp("speech")
    found = []
    for square in SQUARES:
        words = FILES[square[0]], RANKS[square[1]]
        audio = read_wav(espeak(" ".join(words), folder / f"{square}.wav", "fr", 190, 20))
        plain = " ".join(PLAIN.get(word, word) for word in words)
        found.append(Sample.of(plain, "de", "fide", normalised(np.frombuffer(audio, "<i2"))))
    return found


def likeness(ear, learnt, some):
    """The mean log-probability of the words of samples, as the ear hears them with what was learnt."""
    found = []
    ear.correct(learnt.corrections)
    for one in some:
        heard = ear.listened(unpacked(one.bands))
        columns = WordColumns(ear.outputs, sorted({word for each in some for word in each.words.split()}))
        probable = ear.corrected(heard)
        phrase = [columns.column[word] for word in one.words.split()]
        found.append(phrase_scores(columns.of(probable), [phrase])[0])
    return float(np.mean(found))


@pytest.fixture(scope="module")
def known(samples):
    return Learnt(samples=tuple(samples[:TAUGHT]))


@pytest.fixture(scope="module")
def after(ear, known):
    """What one network has learnt."""
    return taught(known, [ear])


def test_other_announcements_of_the_speaker_are_heard_better(ear, samples, known, after):
    assert after.corrections
    assert likeness(ear, after, samples[TAUGHT:]) > likeness(ear, known, samples[TAUGHT:])


def test_each_network_learns_for_itself_and_always_the_same(samples, known, after):
    every = ears()[:2]
    learnt = taught(known, every)
    corrections = {one.network: one.weights for one in learnt.corrections}
    assert every[0].network in corrections
    for alone, network in ((after, every[0]), (taught(known, every[1:]), every[1])):
        found = {one.network: one.weights for one in alone.corrections}
        assert found.keys() == corrections.keys() & {network.network}
        assert all((weights == corrections[name]).all() for name, weights in found.items())
    for ear in every:
        better = likeness(ear, learnt, samples[TAUGHT:]) > likeness(ear, Learnt(), samples[TAUGHT:])
        assert better is (ear.network in corrections)


def test_too_few_samples_and_words_that_nobody_knows_teach_nothing(ear, samples):
    few = Learnt(samples=tuple(samples[: LEAST - 1]))
    assert not taught(few, [ear]).corrections
    unknown = Learnt(samples=tuple(replace(one, words="xyzzy") for one in samples))
    assert not taught(unknown, [ear]).corrections


def test_what_was_said_in_a_convention_of_a_file_that_has_moved_teaches_nothing_and_hinders_nothing(
    ear, samples, known, after
):
    moved = (replace(one, convention="/moved/my.toml") for one in samples[TAUGHT:])
    learnt = taught(replace(known, samples=(*known.samples, *moved)), [ear])
    (found,), (before,) = learnt.corrections, after.corrections
    assert (found.weights == before.weights).all()


def test_wrong_words_are_undone_by_the_samples_that_were_held_back(ear, samples):
    right = [one.words for one in samples]
    mixed = tuple(
        one if at % 4 == 3 else replace(one, words=right[(at + 5) % 24]) for at, one in enumerate(samples)
    )
    good = taught(Learnt(samples=mixed), [ear])
    held_back = samples[3::4]
    worse = not good.corrections or likeness(ear, good, held_back) > likeness(ear, Learnt(), held_back)
    assert worse


@pytest.mark.parametrize(
    ("changed", "taken", "harmless"), [(0, 0, True), (4, 1, True), (0, 2, False), (6, 0, False)]
)
def test_a_correction_may_change_little_and_let_a_single_piece_of_talk_become_words(
    ear, monkeypatch, changed, taken, harmless
):
    known, talk = [*range(80)], [*range(80, 100)]  # what is rehearsed
    other = {*known[:changed], *talk[:taken]}
    training = learning._EarTraining(ear, lambda: None)
    monkeypatch.setattr(training, "_rehearsal", lambda: (known, talk))
    monkeypatch.setattr(training, "_best", lambda at, _, learnt: (2,) if learnt and at in other else ())
    assert training._is_harmless("learnt", None) == harmless
