# SPDX-License-Identifier: GPL-3.0-or-later
"""People's words are joined in ways in which a move can be announced, and other talk has its sounds."""

from __future__ import annotations

import numpy as np
import pytest

from voices.network.corpus import Corpus, LabelledRecording
from voices.network.people import PeopleWords
from voices.network.tokens import FILLER
from voices.sound.source import RATE

WORDS = {"file": ("nato:echo", "en:b"), "rank": ("en:four", "es:cinco"), "piece": ("de:springer",)}


def recording(label: str, voice: str, kind: str = "word") -> LabelledRecording:
    tone = np.sin(np.arange(RATE // 4) * 0.1 * (1 + len(label)))
    return LabelledRecording((tone * 900).astype(np.int16), (label,), kind, voice)


@pytest.fixture
def joined() -> PeopleWords:
    people = [recording(word, voice) for place in ("file", "rank") for word in WORDS[place] for voice in "xy"]
    talk = LabelledRecording(np.ones(RATE, np.int16), (FILLER,), "talk", "x", ("AA",))
    synthetic = [recording(word, "robot", "fragment") for word in (*WORDS["piece"], "de:acht")]
    return PeopleWords(Corpus([*people, talk]), Corpus(synthetic))


def test_words_are_joined_to_what_can_begin_or_answer_an_announcement(joined: PeopleWords) -> None:
    place = {word: name for name, words in WORDS.items() for word in words}
    chance = np.random.default_rng(1)
    drawn = [joined.draw(chance) for _ in range(300)]
    forms = {tuple(place[label] for label in one.labels) for one in drawn}
    assert ("file", "rank") in forms
    assert ("file",) in forms
    assert ("rank",) in forms
    assert ("file", "rank", "file", "rank") in forms
    assert ("piece", "file", "rank") in forms
    assert all(form.index("piece") == 0 for form in forms if "piece" in form)


def test_joined_words_are_as_long_as_their_parts_and_gaps_and_as_loud(joined: PeopleWords) -> None:
    chance = np.random.default_rng(2)
    for _ in range(100):
        one = joined.draw(chance)
        parts = len(one.labels) * (RATE // 4)
        assert parts - 0.05 * RATE * len(one.labels) <= one.audio.size <= parts + 0.3 * RATE * len(one.labels)
        assert 10_000 < np.abs(one.audio.astype(int)).max() <= 32_768


def test_one_person_says_most_of_what_is_joined(joined: PeopleWords) -> None:
    chance = np.random.default_rng(3)
    assert {joined.draw(chance).voice for _ in range(50)} == {"x", "y"}


def test_the_same_seed_joins_the_same(joined: PeopleWords) -> None:
    one, other = (joined.draw(np.random.default_rng(4)) for _ in range(2))
    assert one.labels == other.labels
    assert np.array_equal(one.audio, other.audio)


def test_a_corpus_keeps_the_sounds_of_other_talk(tmp_path) -> None:
    spoken = [
        LabelledRecording(np.arange(9, dtype=np.int16), (FILLER,), "talk", "x", ("AA", "T")),
        recording("en:b", "y"),
    ]
    Corpus(spoken).save(tmp_path / "corpus.npz")
    found = Corpus.load(tmp_path / "corpus.npz").spoken
    assert [(one.labels, one.sounds, one.kind, one.voice) for one in found] == [
        ((FILLER,), ("AA", "T"), "talk", "x"),
        (("en:b",), (), "word", "y"),
    ]
    assert [one.audio.size for one in found] == [9, RATE // 4]
