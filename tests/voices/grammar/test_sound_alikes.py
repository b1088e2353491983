# SPDX-License-Identifier: GPL-3.0-or-later
"""Which words sound alike: the distance of sounds, the pairs that are known, and that nothing is like a yes."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st
from support.languages import LANGUAGES

from voices.grammar.sound_alikes import NEAR, NEAR_YES, YES, alike, like_yes, slots
from voices.phones import distance, phones, single
from voices.words.files import conventions

KNOWN = tomli.loads(Path(__file__).with_name("sounds_alike.toml").read_text("utf-8"))
CASES = [(name, language) for name in conventions() for language in LANGUAGES]
words = st.lists(st.sampled_from(sorted(phones())), min_size=1, max_size=6).map(" ".join).map(single)


@given(words, words)
def test_a_distance_is_the_same_both_ways_and_nothing_for_the_same(
    one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    assert distance(one, other) == pytest.approx(distance(other, one))
    assert (distance(one, other) == 0) == (one == other)
    assert 0 <= distance(one, other) <= 1


@given(words, words, st.floats(0.01, 1))
def test_a_limit_changes_only_what_is_beyond_it(
    one: tuple[str, ...], other: tuple[str, ...], most: float
) -> None:
    whole = distance(one, other)
    assert distance(one, other, most) == whole or (whole > most and distance(one, other, most) > most)


@pytest.mark.parametrize(
    ("one", "near", "far"),
    [
        ("B EY", "D EY", "K EY"),  # the place of a stop
        ("S EY", "Z EY", "M EY"),  # a voice
        ("S IY", "S IH", "S AA"),  # a vowel
        ("T S V AY", "D R AY", "AA K T"),  # zwei, drei, acht
        ("F IY", "TH IY", "S IY"),  # a hiss
        ("B AW ER", "B AA UW AH R", "T UH R M"),  # double sounds are their parts
    ],
)
def test_what_is_made_alike_is_nearer(one: str, near: str, far: str) -> None:
    assert distance(single(one), single(near)) < distance(single(one), single(far))


@pytest.mark.parametrize(("name", "language"), CASES)
@pytest.mark.sweep
def test_every_pair_that_sounds_alike_is_known(name: str, language: str) -> None:
    pairs = alike(name, language)
    found = {(pair.slot, *sorted((pair.one, pair.other))) for pair in pairs}
    known = KNOWN.get(name, {}).get(language, ())
    assert found == {tuple(pair) for pair in known}, f"sounds_alike.toml, [{name}] {language}"
    assert [pair.distance for pair in pairs] == sorted(pair.distance for pair in pairs)
    assert all(pair.distance < NEAR for pair in pairs)


@pytest.mark.parametrize(("name", "language"), CASES)
def test_nothing_sounds_like_a_yes(name: str, language: str) -> None:
    assert like_yes(name, language) == ()


@pytest.mark.parametrize(("name", "language"), CASES)
def test_each_place_has_its_words(name: str, language: str) -> None:
    found = slots(name, language)
    assert {spoken.value for spoken in found["file"]} == set("abcdefgh")
    assert {spoken.value for spoken in found["rank"]} == set("12345678")
    assert {spoken.value for spoken in found["answer"]} == {YES, "no"}
    assert ("help" in found) == ("after_letter" in found) == (name in ("letters", "mixed"))


@pytest.mark.parametrize(("name", "language"), CASES)
@pytest.mark.sweep
def test_a_known_pair_is_zwei_and_drei(name: str, language: str) -> None:
    pairs = {frozenset((pair.one, pair.other)) for pair in alike(name, language) if pair.slot == "rank"}
    assert (frozenset(("zwei", "drei")) in pairs) == (name != "nato" or language == "de")


@pytest.mark.parametrize(
    ("word", "sounds", "warned", "refused"),
    [
        ("sino", "S IY N UW", True, False),  # "sim" and one sound more
        ("simi", "S IY M", True, True),  # the same as "sim"
        ("sin", "S IH N", True, True),
        ("bia", "B IY AH", False, False),
        ("bida", "B IY D AH", True, False),  # like "vida", the word for v in this file
    ],
)
def test_a_new_word_that_sounds_alike_is_found(
    tmp_path: Path, word: str, sounds: str, warned: bool, refused: bool
) -> None:
    files = {"a": ("vida", "V IY D AH"), "b": (word, sounds)}
    files |= {
        file: (f"x{file}x", f"{sound} AW K S {sound}")
        for file, sound in zip("cdefgh", "ER OY SH CH L M".split(), strict=True)
    }
    lines = ['[convention]\nways = [{ file = "new" }]\n[file]']
    lines += [f'{file} = ["{name}"]' for file, (name, _) in files.items()]
    lines += ["[sounds]", *(f'{name} = ["{said}"]' for name, said in files.values())]
    path = tmp_path / "new.toml"
    path.write_text("\n".join(lines))
    assert any(word in (pair.one, pair.other) for pair in alike(str(path), "pt")) == warned
    assert [pair.other for pair in like_yes(str(path), "pt")] == ([word] if refused else [])
    assert NEAR_YES < NEAR
