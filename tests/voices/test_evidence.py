# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.synthetic import EVERYTHING, EXPECTED, SOUNDS, espeak

from voices.evidence import AHEAD, FAR_AHEAD, NO_WORDS, NO_YES, decide
from voices.listening import hear
from voices.recognisers import Grammar, Hypothesis
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound import read_wav


def hypotheses(said: float, expected: float, sounds: float, words: str = "eva vier") -> list[Hypothesis]:
    found: list[tuple[str, Grammar, float]] = [
        ("david vier", "all", said),
        (words, "expected", expected),
        ("EY F AH", "filler", sounds),
    ]
    return [Hypothesis(*each) for each in found]


@pytest.mark.parametrize(
    ("lead", "readings"),
    [
        (-1.0, ("eva vier", "david vier")),
        (AHEAD - 0.01, ("eva vier", "david vier")),
        (AHEAD + 0.01, ("david vier", "eva vier")),
        (FAR_AHEAD + 0.01, ("david vier",)),
    ],
)
def test_what_was_said_decides_and_what_is_expected_helps(lead: float, readings: tuple[str, ...]) -> None:
    assert decide(hypotheses(-4.0, -4.0 - lead, -4.0)) == readings


def test_other_sounds_are_not_understood() -> None:
    assert decide(hypotheses(-4.0, -4.0, -4.0 + NO_WORDS + 0.01)) == ()
    assert decide(hypotheses(-4.0, -5.0, -4.0 + NO_WORDS - 0.01)) == ("david vier",)


def test_a_yes_must_be_surer_and_uncontested() -> None:
    agreed = [Hypothesis("ja", "all", -4.0), Hypothesis("ja", "expected", -4.0)]
    assert decide([*agreed, Hypothesis("Y AA", "filler", -3.9)], yes=["ja"]) == ("ja",)
    unsure = [*agreed, Hypothesis("Y AA", "filler", -4.0 + NO_YES + 0.01)]
    assert decide(unsure, yes=["ja"]) == ()
    assert decide(unsure) == ("ja",)
    assert decide(hypotheses(-4.0, -4.0, -4.0, words="ja"), yes=["ja"]) == ("david vier",)
    assert decide([Hypothesis("ja", "expected", -4.0)], yes=["ja"]) == ("ja",)


def test_the_best_of_several_alternatives_counts_and_nothing_gives_nothing() -> None:
    assert decide([Hypothesis("eins", "all", -5.0), Hypothesis("zwei", "all", -4.0)]) == ("zwei",)
    assert decide([Hypothesis("SIL", "filler", -4.0)]) == ()
    assert decide([]) == ()


scores = st.floats(-20, 0)


@given(scores, scores, scores)
def test_no_more_is_read_than_was_heard(said: float, expected: float, sounds: float) -> None:
    readings = decide(hypotheses(said, expected, sounds))
    assert len(set(readings)) == len(readings)
    assert set(readings) <= {"david vier", "eva vier"}
    if said > expected + FAR_AHEAD:
        assert "eva vier" not in readings


@pytest.fixture(scope="module")
def recogniser() -> Iterator[PocketsphinxRecogniser]:
    made = PocketsphinxRecogniser(SOUNDS)
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
    recogniser: PocketsphinxRecogniser, tmp_path: Path, voice: str, text: str, first: str
) -> None:
    audio = read_wav(espeak(text, tmp_path / "said.wav", voice))
    assert decide(hear(recogniser, audio), yes=["ja"])[:1] == (first,)


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
    recogniser: PocketsphinxRecogniser, tmp_path: Path, voice: str, text: str
) -> None:
    audio = read_wav(espeak(text, tmp_path / "said.wav", voice))
    assert not set(decide(hear(recogniser, audio), yes=["ja"])[:1]) & set(EXPECTED)
