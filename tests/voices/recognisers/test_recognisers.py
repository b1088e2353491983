# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.synthetic import EVERYTHING, EXPECTED, SOUNDS, espeak

from voices.hearing.utterances import hear
from voices.models.installed import find_vosk_model
from voices.packages import MissingPartError
from voices.recognisers import Hypothesis
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.recognisers.vosk import VoskRecogniser, parse_partial, parse_result, words_of_grammar
from voices.sound.source import BLOCK_BYTES, RATE, read_wav


@pytest.fixture(scope="module")
def warm() -> Iterator[PocketsphinxRecogniser]:
    made = PocketsphinxRecogniser(SOUNDS)
    yield made
    made.close()


@pytest.fixture
def recogniser(warm: PocketsphinxRecogniser) -> PocketsphinxRecogniser:
    warm.expect(EVERYTHING, EXPECTED)
    return warm


def heard(recogniser: PocketsphinxRecogniser, audio: bytes) -> dict[str, Hypothesis]:
    return {hypothesis.grammar: hypothesis for hypothesis in hear(recogniser, audio)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Springer Gustav eins Felix drei", "springer gustav eins felix drei"),
        ("Eva vier", "eva vier"),
        ("ja", "ja"),
        ("nein", "nein"),
    ],
)
def test_announcements_and_answers_are_heard(
    recogniser: PocketsphinxRecogniser, tmp_path: Path, text: str, words: str
) -> None:
    found = heard(recogniser, read_wav(espeak(text, tmp_path / "said.wav")))
    assert found["expected"].words == words


def test_what_is_not_expected_is_heard_by_the_grammar_of_everything(
    recogniser: PocketsphinxRecogniser, tmp_path: Path
) -> None:
    found = heard(recogniser, read_wav(espeak("Lange Rochade", tmp_path / "said.wav")))
    assert found["all"].words == "lange rochade"
    assert "expected" not in found or found["expected"].score < found["all"].score


def test_what_was_heard_so_far_grows_within_an_utterance(
    recogniser: PocketsphinxRecogniser, tmp_path: Path
) -> None:
    audio = read_wav(espeak("Springer Gustav eins Felix drei", tmp_path / "said.wav"))
    recogniser.start()
    assert recogniser.heard_so_far() == ""
    found = []
    for start in range(0, len(audio), BLOCK_BYTES):
        recogniser.feed(audio[start : start + BLOCK_BYTES])
        found.append(recogniser.heard_so_far())
    assert found[-1] == "springer gustav eins felix drei"
    assert {"springer", "springer gustav eins"} <= set(found)
    assert {hypothesis.words for hypothesis in recogniser.finish()} >= {"springer gustav eins felix drei"}


@pytest.mark.parametrize("pause_s", [0.0, 1.5, 3.0])
def test_pauses_between_words_are_no_words_drawn_out(
    recogniser: PocketsphinxRecogniser, tmp_path: Path, pause_s: float
) -> None:
    parts = [read_wav(espeak(text, tmp_path / "said.wav")) for text in ("Dame", "Eva", "vier")]
    recogniser.expect(EVERYTHING, ["dame eva vier", "turm eva vier"])
    recogniser.start()
    recogniser.feed(bytes(round(pause_s * RATE) * 2).join(parts))
    found = {hypothesis.grammar: hypothesis.words for hypothesis in recogniser.finish()}
    assert found["expected"] == "dame eva vier"


def test_nothing_expected(recogniser: PocketsphinxRecogniser, tmp_path: Path) -> None:
    recogniser.expect(EVERYTHING, ())
    found = heard(recogniser, read_wav(espeak("Eva vier", tmp_path / "said.wav")))
    assert found["all"].words == "eva vier"
    assert "expected" not in found


def test_silence_is_nothing(recogniser: PocketsphinxRecogniser) -> None:
    assert hear(recogniser, bytes(RATE * 2)) == ()
    assert hear(recogniser, b"") == ()


def test_grammars_can_be_replaced_in_any_order(recogniser: PocketsphinxRecogniser) -> None:
    other = EVERYTHING.replace("public <utterance> = <move> |", "public <utterance> =")
    for turn in range(12):
        recogniser.expect(EVERYTHING if turn % 3 else other, EXPECTED[: turn % 5])
        recogniser.start()
        recogniser.feed(bytes(BLOCK_BYTES))
        recogniser.finish()


def test_fifteen_hundred_phrases(recogniser: PocketsphinxRecogniser, tmp_path: Path) -> None:
    squares = [f"{file} {rank}" for file in ("anna", "eva", "gustav") for rank in ("eins", "vier", "acht")]
    pieces = ("dame", "turm", "springer", "koenig")
    takes = ("", " schlaegt")
    many = [f"{p} {a}{t} {b}" for p in pieces for a in squares for b in squares for t in takes] * 2
    recogniser.expect(EVERYTHING, [*many, "eva vier"])
    assert (
        heard(recogniser, read_wav(espeak("Eva vier", tmp_path / "said.wav")))["expected"].words == "eva vier"
    )


def test_words_without_pronunciation_and_broken_grammars_are_the_callers_mistake(
    recogniser: PocketsphinxRecogniser,
) -> None:
    with pytest.raises(ValueError, match="quux"):
        recogniser.expect(EVERYTHING, ["eva quux"])
    with pytest.raises(ValueError, match="quux"):
        recogniser.expect(EVERYTHING.replace("nein", "quux"), EXPECTED)
    for _ in range(3):
        with pytest.raises(ValueError, match="grammar"):
            recogniser.expect("no grammar at all", ["eva vier"])
        recogniser.expect(EVERYTHING.replace("| nein", ""), EXPECTED)


@pytest.mark.parametrize("package", ["pocketsphinx", "numpy"])
def test_without_the_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPartError, match=package):
        PocketsphinxRecogniser(SOUNDS)


class TestVosk:
    def test_a_missing_folder(self, tmp_path: Path) -> None:
        with pytest.raises(MissingPartError, match="There is no folder"):
            VoskRecogniser(tmp_path / "nothing")

    def test_a_folder_that_is_no_model(self, tmp_path: Path) -> None:
        with pytest.raises(MissingPartError, match="not a Vosk model"):
            VoskRecogniser(tmp_path)

    def test_a_model_that_is_broken(self, tmp_path: Path) -> None:
        (tmp_path / "am").mkdir()
        (tmp_path / "conf").mkdir()
        (tmp_path / "am" / "final.mdl").write_bytes(b"not a model")
        (tmp_path / "conf" / "mfcc.conf").write_text("--sample-frequency=16000\n")
        with pytest.raises(MissingPartError, match="cannot be loaded"):
            VoskRecogniser(tmp_path)

    def test_without_the_package(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "vosk", None)
        with pytest.raises(MissingPartError, match="vosk"):
            VoskRecogniser(tmp_path)

    def test_the_words_of_a_grammar(self) -> None:
        grammar = "#JSGF V1.0;\ngrammar g;\n<a> = eins | [zwei] (drei | eins);\npublic <b> = <a> vier;\n"
        assert words_of_grammar(grammar) == ("eins", "zwei", "drei", "vier")

    def test_results_are_read(self) -> None:
        result = json.dumps(
            {
                "alternatives": [
                    {"confidence": -300.0, "text": "könig eva vier"},
                    {"confidence": -400.0, "text": "dame eva vier"},
                    {"confidence": -500.0, "text": "[unk] vier"},
                    {"confidence": -600.0, "text": ""},
                ]
            }
        )
        assert parse_result(result, 100, ["koenig eva vier"], {"könig": "koenig"}) == (
            Hypothesis("koenig eva vier", "expected", -3.0, "vosk"),
            Hypothesis("dame eva vier", "all", -4.0, "vosk"),
            Hypothesis("[unk] vier", "filler", -5.0, "vosk"),
            Hypothesis("", "filler", -6.0, "vosk"),
        )

    @pytest.mark.parametrize(
        ("result", "words"),
        [
            ('{"partial": "könig eva"}', "koenig eva"),
            ('{"partial": ""}', ""),
            ("{}", ""),
            ('{"partial": "[unk] vier"}', "[unk] vier"),
        ],
    )
    def test_what_was_heard_so_far(self, result: str, words: str) -> None:
        assert parse_partial(result, {"könig": "koenig"}) == words

    def test_no_result(self) -> None:
        assert parse_result('{"text": ""}', 100, [], {}) == ()

    def test_a_real_model(self, tmp_path: Path) -> None:
        model = find_vosk_model(None, "de", [Path(os.environ.get("VOSK_MODEL_PATH", "/nonexistent"))])
        if model is None:
            pytest.skip("no German Vosk model is installed")
        recogniser = VoskRecogniser(model)
        recogniser.expect(EVERYTHING, EXPECTED)
        audio = read_wav(espeak("Springer Gustav eins Felix drei", tmp_path / "said.wav"))
        assert hear(recogniser, audio)[0].words == "springer gustav eins felix drei"
        recogniser.close()
