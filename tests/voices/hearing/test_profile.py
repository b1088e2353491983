# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices.grammar import grammar
from voices.hearing.profile import Profile, ProfileError, is_name, narrowed, parse, write, yes_needed
from voices.phones import phones
from voices.sound.level import QUIETEST_DBFS, room_dbfs
from voices.sound.source import BLOCK_BYTES

PROFILE = Profile("ana", date(2026, 11, 21), -58.5, 0.93, {"eva": ("EY F AH", "IY V AH"), "ja": ("Y AA",)})
TEXT = 'made = 2026-11-21\nnoise_db = -58.5\nyes = 0.9300\n\n[pronunciations]\neva = ["EY F AH", "IY V AH"]\nja = ["Y AA"]\n'

sounds = st.lists(st.sampled_from(sorted(phones())), min_size=1, max_size=6).map(" ".join)
words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9)


def test_a_profile_is_plain_toml() -> None:
    assert write(PROFILE) == TEXT
    assert parse("ana", TEXT) == PROFILE


@given(
    st.dates(),
    st.integers(-960, 0),
    st.integers(0, 10_000),
    st.dictionaries(words, st.lists(sounds, min_size=1).map(tuple)),
)
def test_what_is_written_is_read_back(
    made: date, noise: int, yes: int, chosen: dict[str, tuple[str, ...]]
) -> None:
    profile = Profile("ana", made, noise / 10, yes / 10_000, chosen)
    assert parse("ana", write(profile)) == profile


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("made = 2026-11-21\n", "", "made"),
        ("made = 2026-11-21", "made = 2026-11-21T10:00:00", "made"),
        ("made = 2026-11-21", 'made = "today"', "made"),
        ("noise_db = -58.5", "noise_db = 3", "noise_db"),
        ("noise_db = -58.5", "noise_db = nan", "noise_db"),
        ("noise_db = -58.5", "noise_db = true", "noise_db"),
        ("yes = 0.9300", "yes = 1.5", "yes"),
        ("yes = 0.9300", "yes = 0.9300\nsecret = 1", "secret"),
        ("[pronunciations]", "[[pronunciations]]", "pronunciations"),
        ('ja = ["Y AA"]', "ja = []", "pronunciations.ja"),
        ('ja = ["Y AA"]', 'ja = "Y AA"', "pronunciations.ja"),
        ('ja = ["Y AA"]', 'ja = ["Y QQ"]', "pronunciations.ja"),
        ('ja = ["Y AA"]', '"JA;" = ["Y AA"]', "pronunciations.JA;"),
    ],
)
def test_a_broken_profile_is_refused_with_the_place(old: str, new: str, place: str) -> None:
    assert old in TEXT
    with pytest.raises(ProfileError) as refused:
        parse("ana", TEXT.replace(old, new))
    assert (refused.value.name, refused.value.place, refused.value.line) == ("ana", place, "")


def test_a_profile_that_is_not_toml_is_refused_with_the_line() -> None:
    with pytest.raises(ProfileError) as refused:
        parse("ana", TEXT.replace("made = 2026-11-21", "made = ["))
    assert (refused.value.place, refused.value.line) == ("", "2")


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("ana", True),
        ("Ana-2_b", True),
        ("", False),
        ("../x", False),
        ("a b", False),
        ("joão", False),
        ("a\n", False),
        ("x" * 41, False),
    ],
)
def test_names_are_file_names_everywhere(name: str, good: bool) -> None:
    assert is_name(name) is good


def test_a_speaker_narrows_only_the_words_that_were_enrolled() -> None:
    general = grammar.pronunciations("fide", "pt")
    own = narrowed(
        general,
        replace(PROFILE, pronunciations={"eva": ("IY V AH", "EY F AH", "Z Z"), "ja": ("Z",), "xyz": ("Z",)}),
    )
    assert own["eva"] == ("IY V AH", "EY F AH")
    assert own["ja"] == general["ja"]  # nothing that fits: everything
    assert {word for word in general if own[word] != general[word]} == {"eva"}
    assert own.keys() == general.keys()
    assert narrowed(general, None) == general


@pytest.mark.parametrize("convention", ["fide", "letters", "nato", "mixed"])
@given(data=st.data())
def test_no_profile_leaves_a_word_without_a_pronunciation(convention: str, data: st.DataObject) -> None:
    general = grammar.pronunciations(convention, "en")
    chosen = data.draw(
        st.dictionaries(st.sampled_from(sorted(general)), st.lists(sounds, min_size=1).map(tuple), max_size=5)
    )
    own = narrowed(general, replace(PROFILE, pronunciations=chosen))
    assert all(own[word] and set(own[word]) <= set(general[word]) for word in general)


@pytest.mark.parametrize(
    ("yeses", "others", "needed"),
    [
        ([], [], 0.5),
        ([0.99], [], 0.5),
        ([0.98], [0.9], 0.94),  # halfway to the own yeses
        ([0.98], [0.6, 0.5], 0.79),
        ([0.85, 0.98], [0.9], 0.94),
        ([0.85], [0.9], 0.95),
    ],
)
def test_a_yes_must_be_surer_only_where_another_word_was_taken_for_one(
    yeses: list[float], others: list[float], needed: float
) -> None:
    assert yes_needed(yeses, others) == pytest.approx(needed)


def test_the_level_of_a_room_is_not_that_of_a_door_in_it() -> None:
    quiet = int(32_768 * 10 ** (-60 / 20)).to_bytes(2, "little", signed=True) * (BLOCK_BYTES // 2)
    door = (20_000).to_bytes(2, "little", signed=True) * (BLOCK_BYTES // 2)
    assert room_dbfs([quiet] * 60) == pytest.approx(-60, abs=0.3)
    assert room_dbfs([quiet] * 50 + [door] * 10) == pytest.approx(-60, abs=0.3)
    assert room_dbfs([door] * 60) == pytest.approx(20 * math.log10(20_000 / 32_768))
    assert room_dbfs([bytes(BLOCK_BYTES)] * 3) == QUIETEST_DBFS
    assert room_dbfs([]) == QUIETEST_DBFS
