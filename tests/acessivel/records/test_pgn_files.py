# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no PGN is refused with its line, whatever stands in it."""

import contextlib
import io

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.messages.rendering import Renderer
from acessivel.records import pgn, pgn_files
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


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ('Anna "Toni" Maier', r'[White "Anna \"Toni\" Maier"]'),
        ("Anna\\", r'[White "Anna\\"]'),
        ('\\"', r'[White "\\\""]'),
    ],
)
def test_quotes_and_backslashes_of_a_name_are_written_and_read_as_in_pgn(name, tag):
    game = chess.pgn.Game({"White": name})
    assert tag in pgn.export(game).splitlines()
    (read,) = pgn_files.games(io.BytesIO(f"{pgn.export(game)}\n".encode()))
    assert read.headers["White"] == name


def test_a_line_break_in_a_name_ends_no_tag():
    game = chess.pgn.Game({"White": "Anna\nMaier", "Black": "Eva"})
    (read,) = pgn_files.games(io.BytesIO(f"{pgn.export(game)}\n".encode()))
    assert (read.headers["White"], read.headers["Black"]) == ("Anna Maier", "Eva")
