# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hypotheses import LOG, answers, network, shares
from support.synthetic import EVERYTHING, EXPECTED, SOUNDS, espeak

from voices.grammar.grammar import expectation, plain_phrase, pronunciations, yeses
from voices.hearing import evidence
from voices.hearing.decision import decide
from voices.hearing.evidence import EvidenceModel, weigh
from voices.hearing.utterances import hear
from voices.recognisers import Hypothesis, Recogniser
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.source import read_wav


@pytest.fixture
def plain_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "model", lambda _: shares(0.9, 0.9))


def test_what_answers_the_open_question_is_more_probable(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {"network": 1.0, "filler": 1.0, "unlisted": -99.0, "asked": math.log(4)}
    monkeypatch.setattr(evidence, "model", lambda _: EvidenceModel(weights, yes=0.75, foreign_yes=0.75))
    heard = network({"ja": LOG[0.5], "eva vier": LOG[0.3]}, {}, LOG[0.2])
    assert [one.probability for one in weigh(heard)] == pytest.approx([0.5, 0.3])
    assert [one.probability for one in weigh(heard, asked=("ja", "nein"))] == pytest.approx([0.8, 0.12])
    assert decide(heard, yes={"ja": True}).readings == ()
    assert decide(heard, yes={"ja": True}, asked=("ja", "nein")).readings == ("ja",)


@pytest.mark.usefixtures("plain_model")
@pytest.mark.parametrize(
    ("said", "filler", "readings", "sure"),
    [
        ({"eva vier": 0.5, "eva drei": 0.3}, 0.2, ("eva vier", "eva drei"), True),
        ({"eva vier": 0.45, "eva drei": 0.4}, 0.1, ("eva vier", "eva drei"), False),
        ({"eva vier": 0.4, "eva drei": 0.2}, 0.4, (), True),
        ({"eva vier": 0.1}, 0.8, (), True),
        ({"ja": 0.95}, 0.05, ("ja",), True),
        ({"ja": 0.8, "eva vier": 0.1}, 0.1, (), True),
        ({"eva vier": 0.5, "ja": 0.45}, 0.05, ("eva vier",), True),
    ],
)
def test_what_is_likely_is_repeated_what_is_not_is_offered_or_asked_again(
    said: dict[str, float], filler: float, readings: tuple[str, ...], sure: bool
) -> None:
    heard = network({words: math.log(share) for words, share in said.items()}, {}, math.log(filler))
    decided = decide(heard, yes={"ja": True})
    assert decided.readings == readings
    assert decided.sure is sure


def test_a_speaker_may_need_a_surer_yes_but_never_a_less_sure_one(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = [
        Hypothesis("ja", "all", -4.0),
        Hypothesis("ja", "expected", -4.0),
        Hypothesis("", "filler", -4.5),
    ]
    weights = evidence.model("pocketsphinx").weights
    probability = weigh(heard)[0].probability
    for general, own, readings in ((-0.01, 0.01, ()), (-0.01, -0.005, ("ja",)), (0.01, -0.01, ())):
        general_model = EvidenceModel(weights, yes=probability + general, foreign_yes=probability + general)
        monkeypatch.setattr(evidence, "model", lambda _, made=general_model: made)
        assert decide(heard, yes={"ja": True}, least_yes=probability + own).readings == readings


@pytest.mark.parametrize(("own", "readings"), [(True, ("ja",)), (False, ())])
def test_a_yes_of_another_language_must_be_surer(
    monkeypatch: pytest.MonkeyPatch, own: bool, readings: tuple[str, ...]
) -> None:
    heard = [Hypothesis("ja", "all", -4.0), Hypothesis("ja", "expected", -4.0)]
    weights = evidence.model("pocketsphinx").weights
    probability = weigh(heard)[0].probability
    between = EvidenceModel(weights, yes=probability - 0.01, foreign_yes=probability + 0.01)
    monkeypatch.setattr(evidence, "model", lambda _: between)
    assert decide(heard, yes={"ja": own}).readings == readings


@pytest.mark.parametrize(
    ("own", "together", "alone", "readings"),
    [
        (True, 0.95, 0.51, ("richtig",)), (True, 0.55, 0.92, ("richtig",)), (True, 0.8, 0.8, ()),
        (True, 0.45, 0.92, ()), (True, 0.95, 0.4, ()),
        (False, 0.95, 0.4, ()), (False, 0.8, 0.92, ()), (False, 0.95, 0.92, ("richtig",)),
        (True, 0.8, None, ()), (False, 0.95, None, ("richtig",)),
    ],
)  # fmt: skip
def test_a_yes_is_likely_to_all_ears_and_to_the_network_for_answers_and_sure_to_one_of_them(
    monkeypatch: pytest.MonkeyPatch,
    own: bool,
    together: float,
    alone: float | None,
    readings: tuple[str, ...],
) -> None:
    plain = shares(0.9, 0.9)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    heard = network({"richtig": math.log(together)}, {}, math.log(1 - together))
    if alone:
        heard += answers(richtig=alone / 2, ja_bitte=alone / 2, nein=0.06 if own else 0.04)
    assert decide(heard, yes={"richtig": own, "ja bitte": own, "yes": True}).readings == readings


@pytest.mark.parametrize(
    ("said", "own", "of_no", "taken"),
    [
        ("ja", True, 0.04, True), ("ja", True, 0.06, False), ("ja", False, 0.04, True),
        ("ja", False, 0.06, False), ("correto", False, 0.06, False), ("correto", True, 0.06, True),
    ],
)  # fmt: skip
def test_a_short_or_foreign_yes_is_none_where_a_no_is_possible(
    monkeypatch: pytest.MonkeyPatch, said: str, own: bool, of_no: float, taken: bool
) -> None:
    plain = shares(0.9, 0.9)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    heard = network({said: math.log(0.94)}, {}, math.log(0.06)) + answers(**{said: 0.93, "no": of_no})
    assert decide(heard, yes={said: own, "yes": True}).readings == ((said,) if taken else ())


@pytest.mark.parametrize(
    ("said", "own", "together", "alone", "of_no", "taken"),
    [
        ("confirmo", True, 0.51, 0.51, 0.01, True), ("isso mesmo", True, 0.51, 0.51, 0.01, True),
        ("confirm", True, 0.51, 0.51, 0.01, True),
        ("sim", True, 0.51, 0.56, 0.01, True), ("stimmt", True, 0.51, 0.56, 0.01, True),
        ("sim", True, 0.95, 0.54, 0.01, False), ("sim", True, 0.45, 0.95, 0.01, False),
        ("confirmo", True, 0.45, 0.95, 0.01, False), ("confirmo", True, 0.95, 0.45, 0.01, False),
        ("correto", True, 0.7, 0.7, 0.1, False), ("correto", True, 0.95, 0.7, 0.1, True),
        ("sim", True, 0.7, 0.7, 0.1, False), ("confirmo", True, 0.7, None, 0.0, False),
        ("ja bitte", False, 0.7, 0.7, 0.01, False),
    ],
)  # fmt: skip
def test_a_yes_need_only_be_likely_to_both_if_hardly_a_no_was_said(
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    own: bool,
    together: float,
    alone: float | None,
    of_no: float,
    taken: bool,
) -> None:
    plain = shares(0.8, 0.8)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    heard = network({said: math.log(together)}, {}, math.log(1 - together))
    if alone:
        heard += answers(**{said.replace(" ", "_"): alone, "incorreto": of_no})
    assert decide(heard, yes={said: own, "ja": False}).readings == ((said,) if taken else ())


@pytest.mark.parametrize(
    ("said", "to_the_networks", "alone", "taken"),
    [
        ("yes please", -3.9, 0.81, True), ("yes please", -4.1, 0.99, False), ("yes please", -1.0, 0.79, False),
        ("isso mesmo", -4.1, 0.79, True), ("yes", -4.1, 0.79, True),
    ],
)  # fmt: skip
def test_a_yes_that_goes_on_is_one_only_where_all_networks_hear_what_it_goes_on_with(
    monkeypatch: pytest.MonkeyPatch, said: str, to_the_networks: float, alone: float, taken: bool
) -> None:
    plain = shares(0.9, 0.9)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    heard = network({said: to_the_networks}, {}, -9.0) + answers(**{said.replace(" ", "_"): alone})
    assert decide(heard, yes={"yes": True, said: True}).readings == ((said,) if taken else ())


@pytest.mark.parametrize(("least", "readings"), [(0.69, ("confirmo",)), (0.71, ())])
def test_a_yes_of_a_speaker_who_needs_a_surer_one_must_be_as_sure_even_then(
    monkeypatch: pytest.MonkeyPatch, least: float, readings: tuple[str, ...]
) -> None:
    plain = shares(0.8, 0.8)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    heard = network({"confirmo": math.log(0.7)}, {}, math.log(0.3)) + answers(confirmo=0.7)
    assert decide(heard, yes={"confirmo": True}, least_yes=least).readings == readings


@pytest.mark.parametrize(
    ("alone", "of_yes", "asked", "readings"),
    [
        (0.6, 0.04, True, ("nein",)), (0.4, 0.04, True, ()), (0.6, 0.04, False, ()), (0.7, 0.25, True, ()),
    ],
)  # fmt: skip
def test_a_no_to_what_is_asked_is_one_to_the_network_for_answers_alone(
    monkeypatch: pytest.MonkeyPatch, alone: float, of_yes: float, asked: bool, readings: tuple[str, ...]
) -> None:
    plain = shares(0.9, 0.9)
    monkeypatch.setattr(evidence, "model", lambda _: plain)
    heard = network({"eva vier": math.log(0.2), "nein": math.log(0.1)}, {}, math.log(0.7))
    heard += answers(ja=of_yes, nein=alone / 2, no=alone / 2)
    answering = ("ja", "nein", "no") if asked else ()
    assert decide(heard, yes={"ja": True}, asked=answering).readings == readings


@pytest.mark.parametrize(("of_language", "readings"), [(0.4, ("ja",)), (0.2, ())])
def test_a_yes_is_of_the_language_if_it_is_so_to_the_network_for_answers(
    monkeypatch: pytest.MonkeyPatch, of_language: float, readings: tuple[str, ...]
) -> None:
    between = shares(0.9, 0.95)
    monkeypatch.setattr(evidence, "model", lambda _: between)
    heard = network({"ja": math.log(0.92)}, {}, math.log(0.08)) + answers(ja=0.3, yeah=of_language)
    assert decide(heard, yes={"ja": False, "yeah": True}).readings == readings


def test_nothing_heard_is_nothing_understood() -> None:
    assert decide([]).readings == ()
    assert decide([Hypothesis("SIL", "filler", -4.0)]).readings == ()


@given(st.floats(-8, -2), st.floats(0, 3), st.floats(-8, -2))
def test_no_more_is_read_than_was_heard(said: float, behind: float, sounds: float) -> None:
    heard = [
        Hypothesis("david vier", "all", said),
        Hypothesis("eva vier", "expected", said - behind),
        Hypothesis("EY F AH", "filler", sounds),
    ]
    readings = decide(heard).readings
    assert len(set(readings)) == len(readings)
    assert set(readings) <= {"david vier", "eva vier"}


@pytest.fixture(scope="module")
def recogniser() -> Iterator[Recogniser]:
    made = JoinedRecogniser(PocketsphinxRecogniser(SOUNDS), NetworkRecogniser())
    made.expect(EVERYTHING, EXPECTED)
    yield made
    made.close()


@pytest.mark.parametrize("voice", ["de", "de+f3"])
@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Springer Gustav eins Felix drei", "springer gustav eins felix drei"),
        ("Eva vier", "eva vier"),
        ("Lange Rochade", "lange rochade"),
        ("Dame Hector fünf", "dame hector fuenf"),
    ],
)
def test_legal_or_not_what_was_said_is_read(
    recogniser: Recogniser, tmp_path: Path, voice: str, text: str, first: str
) -> None:
    audio = read_wav(espeak(text, tmp_path / "said.wav", voice))
    assert decide(hear(recogniser, audio), yes={"ja": True}).readings[:1] == (first,)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "possible checks"),
        ("en", "what is pinned"),
        ("pt", "peças capturadas"),
        ("de", "geschlagene Figuren"),
        ("es", "piezas clavadas"),
    ],
)
def test_a_command_of_words_that_one_ear_does_not_know_is_read(
    tmp_path: Path, language: str, text: str
) -> None:
    joined = JoinedRecogniser(PocketsphinxRecogniser(pronunciations("fide", language)), NetworkRecogniser())
    joined.expect(*expectation((), "fide", language))
    audio = read_wav(espeak(text, tmp_path / "said.wav", {"pt": "pt-br"}.get(language, language)))
    assert decide(hear(joined, audio), yes=yeses("fide", language)).readings[:1] == (plain_phrase(text),)
    joined.close()


@pytest.mark.parametrize(
    ("voice", "text"),
    [
        ("de", "Guten Tag, wie geht es Ihnen heute?"),
        ("de", "Können wir bitte eine Pause machen?"),
        ("pt-br", "Um momento por favor, estou pensando."),
        ("en", "One moment please, I am thinking."),
        ("es", "Hace mucho calor aquí dentro."),
    ],
)
def test_other_talk_is_no_expected_announcement(
    recogniser: Recogniser, tmp_path: Path, voice: str, text: str
) -> None:
    audio = read_wav(espeak(text, tmp_path / "said.wav", voice))
    assert not set(decide(hear(recogniser, audio), yes={"ja": True}).readings[:1]) & set(EXPECTED)
