# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no PGN is refused with its line, whatever stands in it."""

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.messages.rendering import Renderer
from acessivel.records import pgn_files
from acessivel.records.braille_record import RecordError

TOKENS = [
    "e4",
    "e5",
    "Nf3",
    "h1",
    "(",
    ")",
    "!",
    "?",
    "$3",
    "{a}",
    "{",
    "1.",
    "--",
    "*",
    "1-0",
    "O-O",
    ";x",
    "%",
    "\n",
]


@pytest.mark.parametrize("text", ["1. e4 h1 ) !", "1. e4 h1 ) e5 *", "1. h1 ) ) $3 e4"])
def test_a_variation_that_ends_before_it_began_leaves_the_mistake_before_it(text):
    with pytest.raises(RecordError) as error:
        list(pgn_files.games(io.BytesIO(text.encode())))
    assert Renderer("en").text(error.value.message).startswith("Game 1, line 1: h1 is not a possible move")


@given(st.lists(st.sampled_from(TOKENS), max_size=14))
def test_any_tokens_of_pgn_are_games_or_refused(tokens):
    with contextlib.suppress(RecordError):
        assert list(pgn_files.games(io.BytesIO(" ".join(tokens).encode())))
