# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences are joined from the sounds of people: the right ones in order, as smoothly as it goes."""

from __future__ import annotations

import numpy as np
import pytest

from voices.network import diphones
from voices.network.corpus import Corpus, LabelledRecording
from voices.network.diphones import People, Person
from voices.network.sentences import Word
from voices.network.tokens import FILLER
from voices.sound.source import RATE

HZ = {"B": 300, "AA": 500, "T": 800, "IY": 1200, "": 0}
FRAMES = 10  # of each sound


def said(*sounds: str, voice: str = "x") -> LabelledRecording:
    """A recording in which each sound is a tone of its own; "" is a pause, and so are both ends."""
    spans = [("", 0), *((sound, (n + 1) * FRAMES) for n, sound in enumerate(sounds)), ("", 0)]
    time = np.arange(FRAMES * RATE // 100) / RATE
    tones = [np.sin(2 * np.pi * HZ[sound] * time) for sound, _ in spans]
    placed = [(sound, (at, at + FRAMES)) for sound, at in spans if sound]
    return LabelledRecording(
        (np.concatenate(tones) * 8000).astype(np.int16), (FILLER,), "talk", voice,
        tuple(sound for sound, _ in placed), tuple(place for _, place in placed),
    )  # fmt: skip


def tones(audio: np.ndarray) -> list[str]:
    """Which sounds are heard, in order."""
    step, found = RATE // 50, []
    for start in range(0, audio.size - step, step):
        part = audio[start : start + step].astype(float)
        if np.sqrt((part**2).mean()) < 2500:
            heard = ""
        else:
            loud = np.abs(np.fft.rfft(part * np.hanning(step), 8 * step)).argmax() * RATE / (8 * step)
            heard = min(HZ, key=lambda sound: abs(HZ[sound] - loud))
        if found[-1:] != [heard]:
            found.append(heard)
    return [sound for sound in found if sound]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diphones, "_LEAST_SOUNDS", 4)


def speakers(*recordings: LabelledRecording) -> People:
    return People(Corpus(recordings))


@pytest.mark.parametrize("words", [[["B", "AA"]], [["T", "IY"], ["B"]], [["IY"]], [["B", "IY", "T", "AA"]]])
def test_sounds_are_said_in_order_whatever_they_stood_beside(words: list[list[str]]) -> None:
    people = speakers(said("B", "AA", "T"), said("T", "IY", "B"), said("AA", "", "IY"))
    for seed in range(5):
        audio = people.speak("x", words, np.random.default_rng(seed))
        assert audio is not None
        assert audio.dtype == np.int16
        assert tones(audio) == [sound for word in words for sound in word]


def test_what_was_said_so_is_taken_as_it_is() -> None:
    whole = said("B", "AA", "T")
    speaker = Person([said("AA", "B"), whole, said("T", "AA")])
    choices = [speaker.choices(*pair)[0] for pair in (("", "B"), ("B", "AA"), ("AA", "T"), ("T", ""))]
    found = diphones._smoothest(speaker, choices)
    assert {one.recording for one in found} == {1}
    audio, _ = diphones._joined([speaker.cut(one) for one in found])
    original = speaker.cut(found[0]._replace(end=found[-1].end))[0]
    assert np.allclose(audio, original, atol=1)


def test_who_lacks_a_sound_says_the_nearest_or_nothing() -> None:
    people = speakers(said("B", "AA", "T", "IY"))
    assert people.speak("x", [["SH"]], np.random.default_rng(1)) is None
    accent = people.speak("x", [["B", "IH"]], np.random.default_rng(1))
    assert accent is not None
    assert tones(accent) == ["B", "IY"]


def test_who_has_said_little_says_nothing() -> None:
    people = speakers(said("B", "AA", "T"), said("IY"), said("AA", "T", voice="y"))
    assert people.voices == ("x",)


def test_vowels_are_drawn_out_at_their_pitch_and_nothing_else_is() -> None:
    time = np.arange(RATE) / RATE
    tone = (np.sin(2 * np.pi * 440 * time) * 8000).astype(np.float32)
    vowels = np.arange(RATE) < RATE // 2
    slow = diphones._slowed(tone, vowels, 2.0)
    assert slow.size == pytest.approx(1.5 * RATE, rel=0.03)
    spectrum = np.abs(np.fft.rfft(slow[: RATE // 2] * np.hanning(RATE // 2)))
    assert spectrum.argmax() * 2 == pytest.approx(440, abs=4)


def test_the_same_seed_says_the_same() -> None:
    people = speakers(said("B", "AA", "T"), said("AA", "B", "AA"))
    one, other = (people.speak("x", [["B", "AA"]], np.random.default_rng(7)) for _ in range(2))
    assert one is not None
    assert np.array_equal(one, other)


def test_kinds_of_sentences_are_said_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def draw(_: object, language: str, kinds: object) -> tuple[str, tuple[Word, ...]]:
        asked.append(kinds)
        return "denial", (Word("de:nicht", language, sounds="B AA"),)

    monkeypatch.setattr(diphones, "_AT_ONCE", 3)
    monkeypatch.setattr(diphones.Sentences, "draw", draw)
    monkeypatch.setattr(diphones, "_PREPARED", [speakers(said("B", "AA", "T", "IY"))])
    found = diphones._joined_part(5, {"denial": 1}, alone=0.0)
    assert [(one.labels, one.kind, one.voice) for one in found] == [(("de:nicht",), "joined", "x")] * 3
    assert asked == [{"denial": 1}] * len(asked)


def test_the_places_of_sounds_are_kept(tmp_path) -> None:
    spoken = [said("B", "", "AA"), LabelledRecording(np.ones(9, np.int16), (FILLER,), "talk", "y")]
    Corpus(spoken).save(tmp_path / "corpus.npz")
    found = Corpus.load(tmp_path / "corpus.npz").spoken
    assert [one.places for one in found] == [((10, 20), (30, 40)), ()]
