# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voices.hearing.decision import Decided
from voices.hearing.evidence import Weighed
from voices.hearing.said_again import Refused, Sense, decide, join

YES = ("ja",)


def refused(shares: dict[str, float]) -> Decided:
    """An utterance that was not understood, with the probabilities of its readings."""
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    return Decided(weighed=tuple(Weighed(words, share) for words, share in ranked))


@pytest.mark.parametrize(
    ("first", "second", "readings", "sure"),
    [
        # The same one near the threshold is repeated back.
        ({"eva vier": 0.4, "eva drei": 0.1}, {"eva vier": 0.45}, ("eva vier",), True),
        ({"eva vier": 0.35, "eva drei": 0.2}, {"eva drei": 0.1, "eva vier": 0.4}, ("eva vier",), True),
        # Two different ones are offered for choice.
        (
            {"eva vier": 0.4, "eva drei": 0.2},
            {"eva drei": 0.4, "eva vier": 0.2},
            ("eva vier", "eva drei"),
            False,
        ),
        # So they are if neither utterance has heard the other's, and if they are probable enough to both.
        ({"eva vier": 0.25}, {"springer anna drei": 0.22}, ("eva vier", "springer anna drei"), False),
        ({"eva vier": 0.25}, {"springer anna drei": 0.19}, (), True),
        ({"eva vier": 0.25}, {"ja": 0.6}, (), True),
        # Other talk and other talk is none of both.
        ({"nein": 0.13, "ja": 0.08}, {"springer anna vier": 0.16, "anna vier": 0.05}, (), True),
        ({"turm felix drei": 0.08}, {"hector fuenf": 0.06}, (), True),
        ({"acht": 0.001}, {"eva vier": 0.45}, (), True),
        ({"eva vier": 0.45}, {}, (), True),
        ({}, {}, (), True),
        # A yes counts alone or not at all, and nothing takes its place.
        ({"ja": 0.85}, {"ja": 0.85}, (), True),
        ({"ja": 0.85, "eva acht": 0.1}, {"ja": 0.8, "eva acht": 0.1}, (), True),
        ({"nein": 0.45}, {"nein": 0.4}, ("nein",), True),
    ],
)
def test_what_was_refused_twice_is_repeated_or_offered_if_both_say_so(
    first: dict[str, float], second: dict[str, float], readings: tuple[str, ...], sure: bool
) -> None:
    decided = decide(refused(first), refused(second), Sense(YES))
    assert decided.readings[: 2 - decided.sure] == readings
    assert decided.sure is sure


def test_what_cannot_be_offered_does_not_give_its_place_to_what_can() -> None:
    first, second = refused({"anna acht": 0.4, "acht": 0.35}), refused({"anna acht": 0.4, "acht": 0.35})
    assert decide(first, second, Sense()).readings == ("anna acht", "acht")
    assert decide(first, second, Sense(offers=lambda words: words != "anna acht")) is second
    assert decide(first, second, Sense(offers=lambda words: words != "acht")).readings == ("anna acht",)


def test_of_two_different_ones_both_must_be_what_can_be_offered() -> None:
    first, second = refused({"eva vier": 0.29}), refused({"turm hector fuenf": 0.29})
    assert decide(first, second, Sense()).readings == ("eva vier", "turm hector fuenf")
    assert decide(first, second, Sense(offers=lambda words: words != "turm hector fuenf")) is second
    first, second = (refused({words: 0.25, "nein": 0.24}) for words in ("eva vier", "david drei"))
    assert decide(first, second, Sense(offers=lambda words: words != "nein")) is second


def test_what_differs_in_one_part_alone_is_offered_if_it_is_probable_together() -> None:
    ranks = {f"{file} drei": 0.17 for file in ("anna", "bella", "cesar", "david", "eva")}
    first, second = refused(ranks | {"gustav vier": 0.1}), refused(ranks)
    assert decide(first, second, Sense()) is second

    def begun(words: str) -> list[str]:
        return words.split()

    found = decide(first, second, Sense(begun=begun))
    assert (found.sure, {words.split()[1] for words in found.readings}) == (False, {"drei"})
    assert decide(first, second, Sense(begun=begun, offers=lambda words: words == "anna drei")) is second
    assert (
        decide(refused({"anna drei": 0.2, "eva drei": 0.2}), refused({}), Sense(begun=begun)).readings == ()
    )


def test_all_the_ways_to_say_it_are_one_reading_in_the_words_of_the_later_one() -> None:
    first, second = refused({"bauer eva vier": 0.4}), refused({"eva vier": 0.25, "bauer eva vier": 0.15})
    found = join(first, second, lambda words: words.removeprefix("bauer "))
    assert [one.words.removeprefix("bauer ") for one in found] == ["eva vier"]
    assert found[0].probability == pytest.approx(
        join(refused({"eva vier": 0.4}), refused({"eva vier": 0.4}))[0].probability
    )


WORDS = ("eva vier", "eva drei", "anna acht", "ja", "nein")


@st.composite
def utterances(draw: st.DrawFn) -> Decided:
    """A refused utterance: shares of readings, and of what is none of them."""
    drawn = draw(st.dictionaries(st.sampled_from(WORDS), st.floats(0.0001, 1)))
    total = sum(drawn.values()) + draw(st.floats(0.01, 3))
    return refused({words: share / total for words, share in drawn.items()})


def shares(decided: Decided) -> dict[str, float]:
    return {one.words: one.probability for one in decided.weighed}


@given(utterances(), utterances())
def test_nothing_wins_that_neither_said_nor_what_both_find_less_probable(
    first: Decided, second: Decided
) -> None:
    one, other = shares(first), shares(second)
    joined = join(first, second)
    assert {found.words for found in joined} == one.keys() | other.keys()
    assert sum(found.probability for found in joined) <= 1 + 1e-9
    decided = decide(first, second, Sense(YES))
    assert set(decided.readings) <= one.keys() | other.keys()
    for best in decided.readings[:1]:
        assert max(one.get(best, 0), other.get(best, 0)) > 0
        for words in {*one, *other} - {best}:
            assert not (
                one.get(words, 0) > one.get(best, 0) + 1e-9
                and other.get(words, 0) > other.get(best, 0) + 1e-9
            )


@given(utterances(), utterances())
def test_no_yes_is_made_of_two(first: Decided, second: Decided) -> None:
    assert not set(decide(first, second, Sense(YES)).readings) & set(YES)


@given(utterances(), utterances())
def test_which_was_said_first_makes_no_difference(first: Decided, second: Decided) -> None:
    there, back = (
        {w.words: w.probability for w in join(*both)} for both in ((first, second), (second, first))
    )
    assert there == pytest.approx(back)


@pytest.mark.parametrize(
    ("situation", "now_ms", "precedes"),
    [("e4?", 5_000, True), ("d4?", 5_000, False), ("e4?", 31_001, False), ("e4?", 500, False)],
)
def test_only_what_is_said_soon_in_the_same_situation_may_be_the_same_again(
    situation: str, now_ms: int, precedes: bool
) -> None:
    assert Refused(refused({}), "e4?", 1_000).precedes(situation, now_ms) is precedes
