# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pocketsphinx
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from support.synthetic import EVERYTHING, EXPECTED, SOUNDS, espeak

from voices.hearing.utterances import hear
from voices.recognisers.acoustic_model import SILENCE, AcousticModel, Where, acoustic_model
from voices.recognisers.alignment import NATS_OF_COST, align
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import SETTINGS, PocketsphinxRecogniser
from voices.recognisers.senone_scores import SenoneScores
from voices.sound.source import read_wav

FOLDER = Path(pocketsphinx.get_model_path(), "en-us", "en-us")


@pytest.fixture
def recogniser() -> Iterator[PocketsphinxRecogniser]:
    made = PocketsphinxRecogniser(SOUNDS)
    yield made
    made.close()


def aligned_by_the_library(words: str, audio: bytes, folder: Path) -> list[list[tuple[str, tuple[int, ...]]]]:
    """The sounds of each word, with their senones, as pocketsphinx itself aligns them."""
    dictionary = folder / "words.dict"
    dictionary.write_text("".join(f"{word} {SOUNDS[word][0]}\n" for word in words.split()), "utf-8")
    wide = dict.fromkeys(("beam", "pbeam", "wbeam"), 1e-200)
    decoder = pocketsphinx.Decoder(dict=str(dictionary), **(SETTINGS | wide))
    decoder.set_align_text(words)
    for again in (False, True):
        if again:
            decoder.set_alignment()
        decoder.start_utt()
        decoder.process_raw(audio, no_search=False, full_utt=True)
        decoder.end_utt()
    return [
        [(sound.name, tuple(int(state.name) for state in sound)) for sound in word]
        for word in decoder.get_alignment().words()
    ]


@pytest.mark.parametrize("words", ["springer felix drei", "eva vier", "kurze rochade", "dame hector acht"])
def test_the_states_of_a_sound_are_those_that_the_library_takes(words: str, tmp_path: Path) -> None:
    audio = read_wav(espeak(words, tmp_path / "said.wav"))
    found = aligned_by_the_library(words, audio, tmp_path)
    sounds = [name for word in found for name, _ in word]
    model, number = acoustic_model(FOLDER), 0
    for word in found:
        for at, (name, senones) in enumerate(word):
            where: Where = "alone" if len(word) == 1 else "inside"
            if len(word) > 1 and at in (0, len(word) - 1):
                where = "last" if at else "first"
            around = (sounds[number - 1 : number] or [SILENCE])[0], (*sounds[number + 1 :], SILENCE)[0]
            assert model.states(name, *around, where) == senones
            number += 1


def test_a_sound_in_a_context_that_the_model_lacks_has_states_all_the_same() -> None:
    model = acoustic_model(FOLDER)
    assert len(model.states("ZH", "ZH", "ZH", "alone")) == 3


def test_each_state_stays_or_ends() -> None:
    stays, ends = acoustic_model(FOLDER).transitions("AA")
    assert np.exp(stays) + np.exp(ends) == pytest.approx(np.ones(3))


def test_other_files_are_no_model(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="mdef"):
        AcousticModel(tmp_path)
    (tmp_path / "mdef").write_bytes(b"0.3\n42 n_base\n")
    with pytest.raises(ValueError, match="no definition"):
        AcousticModel(tmp_path)


class TwoSounds:
    """A model of two sounds and silence, whose states depend on what is around them and where they stand."""

    senones = 50

    def states(self, sound: str, before: str, after: str, where: str) -> tuple[int, ...]:
        if sound == SILENCE:
            return (0, 1, 2)
        return tuple(
            3 + zlib.crc32(f"{sound} {before} {after} {where} {at}".encode()) % 47 for at in range(3)
        )

    def transitions(self, sound: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        stays = {"A": 0.5, "B": 0.7, SILENCE: 0.9}[sound]
        return (float(np.log(stays)),) * 3, (float(np.log(1 - stays)),) * 3


def ways_to_say(words: Sequence[str]) -> Iterator[list[tuple[str, Where]]]:
    """The sounds of words, with a pause or none before, between and after them."""
    for pauses in product((False, True), repeat=len(words) + 1):
        said: list[tuple[str, Where]] = []
        for pause, word in zip(pauses, (*words, ""), strict=True):
            said += [(SILENCE, "alone")] * pause
            for at, sound in enumerate(word):
                where: Where = "first" if not at else "last" if at == len(word) - 1 else "inside"
                said.append((sound, "alone" if len(word) == 1 else where))
        yield said


def best_way(model: TwoSounds, scores: Any, words: Sequence[str]) -> float:
    """The best of all ways to spend the frames in the states of words, each letter a sound."""
    best = -np.inf
    for said in ways_to_say(words):
        names = [SILENCE, *(sound for sound, _ in said), SILENCE]
        row = [
            state
            for at, (sound, where) in enumerate(said)
            for state in zip(
                model.states(sound, names[at], names[at + 2], where), *model.transitions(sound), strict=True
            )
        ]
        pauses = sum(sound == SILENCE for sound, _ in said)
        for cuts in combinations(range(1, len(scores)), len(row) - 1):
            total = pauses * np.log(0.005)
            for (senone, stays, ends), begin, end in zip(row, (0, *cuts), (*cuts, len(scores)), strict=True):
                total += stays * (end - begin - 1) + ends - NATS_OF_COST * scores[begin:end, senone].sum()
            best = max(best, total)
    return float(best)


@given(
    st.integers(0, 10_000),
    st.integers(12, 14),
    st.lists(st.sampled_from(["A", "B", "AB", "A B", "BA B"]), min_size=1, max_size=3),
)
@settings(max_examples=25)
@example(1, 13, ["AB", "BA"])
@example(2, 12, ["BAB"])
@example(3, 14, ["A", "A B"])
def test_no_way_through_a_phrase_is_better_than_the_alignment(
    seed: int, frames: int, words: list[str]
) -> None:
    """Each word is its pronunciations."""
    ways = list(product(*map(str.split, words)))
    assume(all(len("".join(way)) <= 4 for way in ways))
    scores = np.random.default_rng(seed).integers(0, 200, (frames, TwoSounds.senones)).astype(np.int16)
    model: Any = TwoSounds()
    spelled = {str(at): [" ".join(way) for way in word.split()] for at, word in enumerate(words)}
    (found,) = align(model, scores, [" ".join(spelled)], spelled)
    assert found == pytest.approx(max(best_way(model, scores, way) for way in ways), rel=1e-4)


@pytest.mark.parametrize("text", ["Springer Felix drei", "Eva vier", "David vier", "nein"])
def test_what_is_said_fits_best(recogniser: PocketsphinxRecogniser, tmp_path: Path, text: str) -> None:
    hear(recogniser, read_wav(espeak(text, tmp_path / "said.wav")))
    phrases = ("springer felix drei", "springer felix zwei", "eva vier", "david vier", "nein", "eins")
    found = recogniser.weigh(phrases)
    assert [(one.words, one.grammar, one.recogniser) for one in found] == [
        (words, "aligned", "alignment") for words in phrases
    ]
    assert max(found, key=lambda one: one.score).words == text.lower()


def test_phrases_with_unknown_words_and_those_of_no_utterance_are_left_out(
    recogniser: PocketsphinxRecogniser, tmp_path: Path
) -> None:
    assert recogniser.weigh(["eva vier"]) == ()
    hear(recogniser, read_wav(espeak("Eva vier", tmp_path / "said.wav")))
    assert [one.words for one in recogniser.weigh(["eva viertel", "eva vier"])] == ["eva vier"]
    hear(recogniser, b"")
    assert recogniser.weigh(["eva vier"]) == ()


def test_ears_that_are_joined_align_what_any_of_them_has_proposed(tmp_path: Path) -> None:
    joined = JoinedRecogniser(PocketsphinxRecogniser(SOUNDS), NetworkRecogniser())
    joined.expect(EVERYTHING, EXPECTED)
    found = hear(joined, read_wav(espeak("Eva vier", tmp_path / "said.wav")))
    joined.close()
    proposed = {one.words for one in found if one.worded and one.grammar != "aligned"}
    assert {one.words for one in found if one.grammar == "aligned"} == proposed
    assert "eva vier" in proposed


class TestScores:
    @staticmethod
    def written(scores: SenoneScores, number: int, frames: Any) -> None:
        """What the library writes of an utterance."""
        rows = np.insert(frames, 0, frames.shape[1], axis=1).astype("<i2").tobytes()
        Path(scores.folder, f"{number:09d}.sen").write_bytes(
            b"s3\nversion 0.1\nendhdr\n\x44\x33\x22\x11" + rows
        )

    def test_they_are_taken_once(self) -> None:
        scores = SenoneScores()
        for number in range(3):
            scores.begin()
            frames = np.arange(6).reshape(2, 3) + number
            self.written(scores, number, frames)
            assert np.array_equal(scores.take(3), frames)
            assert scores.take(3) is None
        scores.close()

    def test_none_of_it_is_on_a_disk(self, recogniser: PocketsphinxRecogniser, tmp_path: Path) -> None:
        folder, audio = self.folder(recogniser), read_wav(espeak("Eva vier", tmp_path / "said.wav"))
        for _ in range(3):
            recogniser.start()
            recogniser.feed(audio)
            (link,) = folder.iterdir()
            assert str(link.readlink()).startswith("/proc/self/fd/")
            assert "memfd" in str(link.resolve())
            recogniser.finish()
        recogniser.close()
        assert not folder.exists()

    @staticmethod
    def folder(recogniser: PocketsphinxRecogniser) -> Path:
        return Path(recogniser._senone_scores.folder)

    def test_they_go_with_what_writes_them(self) -> None:
        made = PocketsphinxRecogniser(SOUNDS)
        folder = self.folder(made)
        assert folder.exists()
        del made
        assert not folder.exists()

    def test_without_them_hearing_goes_on(self, recogniser: PocketsphinxRecogniser, tmp_path: Path) -> None:
        audio = read_wav(espeak("Eva vier", tmp_path / "said.wav"))
        recogniser.expect(EVERYTHING, EXPECTED)
        before = hear(recogniser, audio)
        shutil.rmtree(self.folder(recogniser))
        for _ in range(2):
            assert hear(recogniser, audio)[0].words == before[0].words == "eva vier"
            assert recogniser.weigh(["eva vier"]) == ()

    def test_two_recognisers_do_not_mix(self, recogniser: PocketsphinxRecogniser, tmp_path: Path) -> None:
        other = PocketsphinxRecogniser(SOUNDS)
        for one, text in ((recogniser, "eva vier"), (other, "nein")):
            one.start()
            one.feed(read_wav(espeak(text, tmp_path / "said.wav")))
        for one, text in ((recogniser, "eva vier"), (other, "nein")):
            one.finish()
            found = one.weigh(["eva vier", "nein"])
            assert max(found, key=lambda each: each.score).words == text
            one.close()
            one.close()

    def test_other_systems_hear_without_them(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.delattr(os, "memfd_create")
        made = PocketsphinxRecogniser(SOUNDS)
        made.expect(EVERYTHING, EXPECTED)
        assert hear(made, read_wav(espeak("Eva vier", tmp_path / "said.wav")))[0].words == "eva vier"
        assert made.weigh(["eva vier"]) == ()
        made.close()


def test_the_driver_is_loaded_without_numpy() -> None:
    code = "import sys; sys.modules['numpy'] = None; import acessivel.devices.recogniser"
    subprocess.run([sys.executable, "-c", code], check=True)
