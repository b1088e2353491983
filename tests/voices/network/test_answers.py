# SPDX-License-Identifier: GPL-3.0-or-later
"""The small network that hears yes and no: what it knows, what it leaves out, and that it tells them apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

import numpy as np
import pytest
from support.languages import LANGUAGES
from support.synthetic import espeak

from voices.grammar import grammar
from voices.network.answers import LONGEST_FRAMES, AnswerEar, classes, phrase
from voices.network.ear import ears
from voices.network.features import BANDS
from voices.network.sentences import Sentences, labels
from voices.network.tokens import FILLER
from voices.network.vocal_tract import normalised
from voices.recognisers.network import NetworkRecogniser
from voices.sound.source import read_wav


@pytest.fixture(scope="module")
def ear() -> AnswerEar:
    return AnswerEar()


def bands(tmp_path, said: str, language: str) -> np.ndarray:
    return normalised(np.frombuffer(read_wav(espeak(said, tmp_path / "said.wav", language)), "<i2"))


@pytest.fixture(scope="module")
def hear(ear) -> Callable[[np.ndarray, Collection[str]], dict[str, float]]:
    large = ears()

    def heard(bands: np.ndarray, possible: Collection[str]) -> dict[str, float]:
        return ear.heard(bands, {one.network: one.listened(bands).hidden for one in large}, possible)

    return heard


def test_the_weights_are_of_the_answers_that_there_are(ear) -> None:
    assert ear.phrases == [phrase(tokens) for tokens in classes()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_can_be_heard(ear, language) -> None:
    assert set(grammar.answers("fide", language)) <= set(ear.phrases)


def test_it_is_taught_with_large_networks_that_are_there_and_hears_nothing_without_them(ear) -> None:
    assert ear.listens_to
    assert set(ear.listens_to) <= {one.network for one in ears()}
    assert (
        ear.heard(np.ones((80, BANDS), np.float32), {"another": np.zeros((20, 224), np.float32)}, {"ja"})
        == {}
    )


def test_what_cannot_be_said_is_left_out_and_what_two_languages_have_is_one(hear) -> None:
    chance = np.random.default_rng(1)
    noise = chance.normal(size=(80, BANDS)).astype(np.float32)
    for possible in (set(), {"no"}, {"ja", "no", "stimmt nicht"}):
        heard = hear(noise, possible)
        assert set(heard) == possible | {""}
        assert sum(map(math.exp, heard.values())) == pytest.approx(1, abs=1e-4)


def test_what_is_too_long_for_an_answer_or_no_sound_is_not_judged(hear) -> None:
    assert hear(np.zeros((LONGEST_FRAMES + 1, BANDS), np.float32), {"ja"}) == {}
    assert hear(np.zeros((0, BANDS), np.float32), {"ja"}) == {}


@pytest.mark.parametrize(
    ("language", "said", "words"),
    [
        ("de", "ja bitte", "ja bitte"),
        ("de", "nicht richtig", "nicht richtig"),
        ("pt", "não", "nao"),
        ("pt", "isso mesmo", "isso mesmo"),
        ("en", "that's right", "thats right"),
        ("en", "nope", "nope"),
        ("es", "equivocado", "equivocado"),
        ("es", "sí", "si"),
        ("de", "Jahrmarkt", ""),
        ("pt", "cinema", ""),
        ("en", "Hector seven", ""),
        ("es", "tablero", ""),
    ],
)
def test_answers_are_told_from_each_other_and_from_all_else(hear, tmp_path, language, said, words) -> None:
    heard = hear(bands(tmp_path, said, language), grammar.answers("fide", language))
    assert max(heard, key=heard.__getitem__) == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_taught_every_wording_and_what_is_only_like_one(language) -> None:
    sentences = Sentences(1)
    said = {labels(sentences.wording(language)) for _ in range(2000)}
    taught = {phrase(tokens) for tokens in said}
    assert taught == set(grammar.answers("fide", language))
    assert said <= set(classes())
    near = [sentences.near_answer(language) for _ in range(1500)]
    assert {labels(sentence) for sentence in near} == {(FILLER,)}
    sounds = {word.sounds for sentence in near for word in sentence}
    assert len(sounds & {"D AA", "L AA", "N AA", "B AA", "G AA", "HH AA", "S AA", "M AA"}) > 3
    # Nor a short answer, as anybody who speaks one of the languages says it.
    wordings = [sentences.wording(speaks) for speaks in LANGUAGES for _ in range(3000)]
    answers = {" ".join(word.sounds for word in wording) for wording in wordings}
    assert not sounds & {answer for answer in answers if len(answer.split()) <= 5}


def test_a_recogniser_tells_the_answers_that_are_expected(tmp_path) -> None:
    recogniser = NetworkRecogniser()
    recogniser.expect("#JSGF V1.0;\ngrammar g;\npublic <all> = ja | nein | eva vier;\n", ("ja", "eva vier"))
    recogniser.start()
    recogniser.feed(read_wav(espeak("ja", tmp_path / "ja.wav")))
    answers = {one.words: one.score for one in recogniser.finish() if one.grammar == "answer"}
    assert set(answers) == {"", "ja"}
    assert not any(one.worded for one in recogniser.finish() if one.grammar == "answer")
