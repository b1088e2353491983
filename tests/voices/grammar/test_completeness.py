# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from voices.grammar import grammar
from voices.grammar.completeness import is_complete
from voices.meaning import MovePattern, Piece, Place
from voices.words.lexicon import FILES, RANKS

PORTUGUESE = grammar.everything("fide", "pt")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("eva vier", ["eva vier", "david vier", "eva drei"]),
        ("springer gustav eins felix drei", ["springer felix drei", "springer gustav eins felix drei"]),
        ("kurze rochade", ["kurze rochade", "lange rochade"]),
        # A pawn that can go to a4, with no piece on it that could go on.
        ("anna vier", ["anna vier", "anna zwei anna vier"]),
        ("eva acht dame", ["eva acht dame", "eva acht turm"]),
        ("ja", ["eva vier"]),
        ("nao", ["eva vier"]),
        ("relogio", []),
        ("casa eva vier", ["eva vier"]),
        ("lances legais cavalo", []),
        ("zwei", ["eva vier"]),
        ("dame", ["eva vier"]),
    ],
)
def test_whole_utterances_with_which_no_longer_one_begins(words: str, expected: list[str]) -> None:
    assert is_complete(words, PORTUGUESE, expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ["eva vier"]),
        # The pawn on a4 is meant, or the pawn that goes there: wait for "Anna fünf".
        ("anna vier", ["anna vier anna fuenf", "anna fuenf"]),
        ("anna vier", ["anna vier", "anna vier anna fuenf"]),
        ("anna vier", ["anna vier", "anna vier schach"]),
        ("springer", ["springer felix drei"]),
        ("springer gustav eins", ["springer gustav eins felix drei"]),
        ("eva acht", ["eva acht dame", "eva acht turm"]),
        ("zwei", ["zwei eva vier"]),
        # Not possible here, so that nobody knows what it may become.
        ("springer felix fuenf", ["springer felix drei"]),
        ("kurze rochade", ["eva vier"]),
        ("casa eva", []),
        ("casa", []),
        ("lances legais", []),
        ("lances cavalo", []),
        ("no such words", ["eva vier"]),
    ],
)
def test_what_may_go_on_or_is_unknown_waits(words: str, expected: list[str]) -> None:
    assert not is_complete(words, PORTUGUESE, expected)


def test_a_prefix_is_a_prefix_of_words() -> None:
    assert is_complete("eva vier", PORTUGUESE, ["eva vier", "eva vierzig"])


def test_a_grammar_without_anything_but_moves() -> None:
    everything = "#JSGF V1.0;\ngrammar g;\n<move> = eva vier;\n<castle> = kurze rochade;\npublic <u> = <move> | <castle>;\n"
    assert is_complete("eva vier", everything, ["eva vier"])
    assert not is_complete("kurze rochade", everything, ["eva vier"])


squares = st.builds(Place, st.sampled_from(FILES), st.sampled_from(RANKS))
moves = st.lists(st.builds(MovePattern, squares, st.sampled_from(Piece), squares), min_size=1, max_size=8)


@settings(max_examples=examples(40), deadline=None)
@given(moves=moves, language=st.sampled_from(("pt", "en", "de", "es")))
def test_no_beginning_of_anything_expected_is_whole(moves: list[MovePattern], language: str) -> None:
    everything, expected = grammar.expectation(moves, "fide", language)
    for phrase in expected:
        said = phrase.split()
        for length in range(1, len(said)):
            assert not is_complete(" ".join(said[:length]), everything, expected)
    longest = max(grammar.announcements(moves, "fide", language), key=lambda phrase: len(phrase.split()))
    assert is_complete(longest, everything, expected)
