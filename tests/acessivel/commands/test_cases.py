# SPDX-License-Identifier: GPL-3.0-or-later
"""What was said in a recording, in whatever words it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from acessivel.commands.cases import Case, _phrases
from acessivel.rules.position import Position

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("words", "convention", "language", "phrases"),
    [
        ("Eva vier", "fide", "de", {"eva vier"}),
        ("Ja", "fide", "de", {"ja"}),
        ("xyzzy", "fide", "de", set()),
        ("Sf", "fide", "de", set()),  # the beginning of a move is none
    ],
)
def test_words_that_are_said_so_are_taken_as_they_are(words, convention, language, phrases):
    assert set(_phrases(Case(Path("a.wav"), Position.start(), words=words), convention, language)) == phrases


@pytest.mark.parametrize(
    ("words", "fen", "convention", "language", "among"),
    [
        ("Sf3", None, "fide", "de", "springer felix drei"),
        ("0-0", CASTLES, "fide", "de", "kurze rochade"),
        ("knight g1 f3", None, "letters", "en", "knight f three"),
        ("pawn e2 e4", None, "letters", "en", "e four"),
        ("cavalo f três", None, "letters", "pt", "cavalo efe tres"),
    ],
)
def test_a_move_that_nobody_says_so_stands_for_all_ways_to_announce_it(
    words, fen, convention, language, among
):
    case = Case(Path("a.wav"), Position.start(fen), words=words)
    found = _phrases(case, convention, language)
    assert among in found
    moved = _phrases(Case(Path("a.wav"), case.position, uci="a2a3"), convention, language)
    assert not set(found) & set(moved)
