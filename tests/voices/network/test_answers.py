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
from voices.network.evaluate_answers import yeses
from voices.network.features import BANDS
from voices.network.hearings import hearings
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
def listened() -> Callable[[np.ndarray], tuple[np.ndarray, dict[str, np.ndarray]]]:
    large = ears()
    return lambda heard: (heard, {one.network: one.listened(heard).hidden for one in large})


@pytest.fixture(scope="module")
def hear(ear, listened) -> Callable[[np.ndarray, Collection[str]], dict[str, float]]:
    return lambda bands, possible: ear.heard([listened(bands)], possible)


def test_the_weights_are_of_the_answers_that_there_are(ear) -> None:
    assert ear.phrases == [phrase(tokens) for tokens in classes()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_can_be_heard(ear, language) -> None:
    taught = set(grammar.answers("fide", language)) - set(grammar.denials("fide", language))
    assert taught <= set(ear.phrases)


def test_it_is_taught_with_large_networks_that_are_there_and_hears_nothing_without_them(ear) -> None:
    assert ear.listens_to
    assert set(ear.listens_to) <= {one.network for one in ears()}
    another = {"another": np.zeros((20, 224), np.float32)}
    assert ear.heard([(np.ones((80, BANDS), np.float32), another)], {"ja"}) == {}


def test_of_several_hearings_the_geometric_mean_counts(ear, listened, tmp_path) -> None:
    each = [listened(heard) for heard in hearings(bands(tmp_path, "sim", "pt"))]
    apart = [ear.heard([one], {"sim", "nao"}) for one in each]
    mean = {words: np.exp(np.mean([one[words] for one in apart])) for words in ("sim", "nao", "")}
    whole = sum(mean.values())
    assert ear.heard(each, {"sim", "nao"}) == pytest.approx(
        {words: np.log(share / whole) for words, share in mean.items()}, abs=5e-4
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
    assert taught == set(grammar.answers("fide", language)) - set(grammar.denials("fide", language))
    assert said <= set(classes())
    near = [sentences.near_answer(language) for _ in range(1500)]
    assert {labels(sentence) for sentence in near} == {(FILLER,)}
    sounds = {word.sounds for sentence in near for word in sentence}
    assert len(sounds & {"D AA", "L AA", "N AA", "B AA", "G AA", "HH AA", "S AA", "M AA"}) > 3
    # Nor a short answer, as anybody who speaks one of the languages says it.
    wordings = [sentences.wording(speaks) for speaks in LANGUAGES for _ in range(3000)]
    answers = {" ".join(word.sounds for word in wording) for wording in wordings}
    assert not sounds & {answer for answer in answers if len(answer.split()) <= 5}


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_taught_every_denial_and_yeses_beside_a_no(language) -> None:
    sentences = Sentences(1)
    said = {labels(sentences.denial(language)) for _ in range(2000)}
    denials = {phrase for language in LANGUAGES for phrase in grammar.denials("fide", language)}
    assert {phrase(tokens) for tokens in said} == denials
    assert said <= set(classes())
    denied = {phrase(labels(sentences.denied(language))) for _ in range(2000)}
    assert denied >= {"de": {"ja nein", "ja nicht bitte"}, "en": {"not yes", "thats dont right"},
                      "es": {"si no", "eso no es"}, "pt": {"sim nao", "isso nao mesmo"}}[language]  # fmt: skip
    assert not denied & yeses()


def test_a_recogniser_tells_the_answers_that_are_expected(ear, listened, tmp_path) -> None:
    recogniser = NetworkRecogniser()
    recogniser.expect("#JSGF V1.0;\ngrammar g;\npublic <all> = ja | nein | eva vier;\n", ("ja", "eva vier"))
    recogniser.start()
    audio = read_wav(espeak("ja", tmp_path / "ja.wav"))
    recogniser.feed(audio)
    answers = {one.words: one.score for one in recogniser.finish() if one.grammar == "answer"}
    assert set(answers) == {"", "ja"}
    twice = [*map(listened, hearings(normalised(np.frombuffer(audio, "<i2"))))][:2]  # as it is, and later
    assert answers == pytest.approx(ear.heard(twice, {"ja"}), abs=1e-5)
    assert not any(one.worded for one in recogniser.finish() if one.grammar == "answer")


def test_what_it_holds_for_an_answer_is_proposed_as_the_large_networks_hear_it(tmp_path, monkeypatch) -> None:
    recogniser = NetworkRecogniser()
    recogniser.expect("#JSGF V1.0;\ngrammar g;\npublic <all> = ja | nein | eva vier;\n", ("nein", "eva vier"))
    heard = {"": math.log(0.1), "nein": math.log(0.9)}
    monkeypatch.setattr(recogniser._answers, "heard", lambda *_: heard)
    audio = read_wav(espeak("eva vier", tmp_path / "said.wav"))

    def expected() -> dict[str, float]:
        recogniser.start()
        recogniser.feed(audio)
        return {one.words: one.score for one in recogniser.finish() if one.grammar == "expected"}

    found = expected()
    assert set(found) == {"eva vier", "nein"}
    assert found["nein"] < found["eva vier"] - 5
    heard["nein"] = math.log(0.05)
    assert set(expected()) == {"eva vier"}
    recogniser.close()
