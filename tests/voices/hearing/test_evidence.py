# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hypotheses import LOG, answers, network, shares

from voices.hearing import evidence
from voices.hearing.evidence import EvidenceModel, features, model, weigh
from voices.recognisers import Hypothesis

SETS = ("pocketsphinx", "network", "network+pocketsphinx", "vosk", "network+vosk")


@pytest.fixture
def plain_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "model", lambda _: shares(0.9, 0.9))


@pytest.mark.usefixtures("plain_model")
def test_probabilities_are_shares_and_the_rest_is_nothing_of_it() -> None:
    found = weigh(network({"eva vier": LOG[0.5], "eva drei": LOG[0.3]}, {"eva vier": LOG[0.5]}, LOG[0.2]))
    assert [(one.words, pytest.approx(one.probability)) for one in found] == [
        ("eva vier", 0.5),
        ("eva drei", 0.3),
    ]


@pytest.mark.usefixtures("plain_model")
def test_the_ways_to_say_a_move_are_one_reading() -> None:
    hypotheses = network({"eva vier": LOG[0.3], "bauer eva vier": LOG[0.2], "ja": LOG[0.4]}, {}, LOG[0.1])
    found = weigh(hypotheses, lambda words: words.removeprefix("bauer "))
    assert [(one.words, pytest.approx(one.probability)) for one in found] == [("eva vier", 0.5), ("ja", 0.4)]


def test_who_is_trusted_depends_on_the_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {"network": 1.0, "said": 2.0, "said_in_noise": -2.0, "filler": 1.0, "unlisted": -99.0}
    monkeypatch.setattr(evidence, "model", lambda _: EvidenceModel(weights, yes=0.9, foreign_yes=0.9))
    both = [
        *network({"eva vier": LOG[0.5], "eva drei": LOG[0.2]}, {}, LOG[0.3]),
        Hypothesis("eva drei", "all", -5.0),
    ]

    def first(above_db: float) -> str:
        return weigh([*both, Hypothesis("", "noise", above_db, "network")])[0].words

    assert first(50.0) == first(30.0) == weigh(both)[0].words == "eva drei"
    assert first(10.0) == first(0.0) == "eva vier"


def test_a_small_network_tells_answers_from_each_other_and_from_all_else() -> None:
    heard = network({"ja": LOG[0.4], "eva vier": LOG[0.3]}, {"nein": LOG[0.2]}, LOG[0.1])
    candidates, nothing = features([*heard, *answers(ja=0.6, nein=0.1, ja_bitte=0.1)])
    assert {words: found["answer"] for words, found in candidates.items()} == pytest.approx(
        {"ja": math.log(0.6), "eva vier": math.log(0.2), "nein": math.log(0.1)}
    )
    assert [found["answer"] for found in nothing] == pytest.approx([math.log(0.2)] * 2)


def test_who_names_his_side_says_an_answer_too() -> None:
    candidates, _ = features([*network({"weiss ja": -1.0, "ja": -2.0}, {}, -3.0), *answers(ja=0.7, nein=0.1)])
    assert candidates["weiss ja"]["answer"] == candidates["ja"]["answer"] == pytest.approx(math.log(0.7))


def test_where_no_answer_was_listened_for_it_says_nothing() -> None:
    candidates, nothing = features(network({"ja": LOG[0.5]}, {}, LOG[0.5]))
    assert not any(found["answer"] for found in (*candidates.values(), *nothing))


@pytest.mark.usefixtures("plain_model")
def test_it_proposes_nothing_itself() -> None:
    plain = network({"eva vier": LOG[0.5]}, {}, LOG[0.5])
    assert weigh([*plain, *answers(ja=0.8)]) == weigh(plain)
    assert features([*plain, *answers(ja=0.8)])[0]["eva vier"]["network"] == LOG[0.5]


@pytest.mark.parametrize("name", SETS)
def test_there_is_a_model_for_whoever_has_heard(name: str) -> None:
    assert 0.5 <= evidence.model(name).yes <= evidence.model(name).foreign_yes < 1


scores = st.floats(-15, -0.01)


@given(scores, scores, scores, st.floats(0.1, 5))
def test_what_the_network_believes_more_is_never_less_probable(
    one: float, other: float, filler: float, more: float
) -> None:
    before = {w.words: w.probability for w in weigh(network({"a": one, "b": other}, {}, filler))}
    after = {
        w.words: w.probability for w in weigh(network({"a": min(0, one + more), "b": other}, {}, filler))
    }
    assert after["a"] >= before["a"] - 1e-12
    assert sum(before.values()) <= 1 + 1e-9


def test_a_phrase_of_unknown_words_needs_another_ear() -> None:
    filler = Hypothesis("", "filler", -0.1, "network")
    untrained = Hypothesis("castling rights", "untrained", -0.1, "network")
    alone = weigh([filler, untrained], using=model("network+pocketsphinx"))
    heard = [Hypothesis("castling rights", grammar, -5.0) for grammar in ("all", "expected")]
    both = weigh([*heard, filler, untrained], using=model("network+pocketsphinx"))
    assert alone[0].probability < both[0].probability
    assert weigh([*heard, filler])[0].probability < both[0].probability


@given(st.floats(-5000, -100), st.floats(1, 1000))
def test_of_two_phrases_the_one_whose_sounds_fit_better_is_more_probable(best: float, behind: float) -> None:
    heard = [Hypothesis(words, "all", -1.0, "network") for words in ("eva vier", "david vier")]
    fits = [
        Hypothesis(words, "aligned", score, "alignment")
        for words, score in (("eva vier", best), ("david vier", best - behind))
    ]
    first, second = weigh([*heard, *fits], using=model("alignment+network+pocketsphinx"))
    assert first.words == "eva vier"
    assert first.probability > second.probability
    found = features([*heard, *fits])[0]
    assert found["eva vier"]["aligned"] == 0
    assert found["david vier"]["aligned"] == pytest.approx(-min(behind, 300) / 10)


def test_what_is_aligned_says_nothing_where_nobody_aligns_and_all_against_what_cannot_be() -> None:
    heard = [Hypothesis(words, "all", -1.0, "network") for words in ("eva vier", "castling rights")]
    assert features(heard)[0]["eva vier"]["aligned"] == 0
    found = features([*heard, Hypothesis("eva vier", "aligned", -900.0, "alignment")])[0]
    assert found["castling rights"]["aligned"] == -30
