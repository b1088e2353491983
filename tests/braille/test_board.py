# SPDX-License-Identifier: GPL-3.0-or-later
"""A position in cells, written by hand from the dots."""

import pytest

from braille.board import ranks
from braille.notation import load_code

pytest.importorskip("louis", reason="liblouis is not installed")

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def braille(line):
    return "".join(chr(0x2800 + cell) for cell in line.cells)


def test_the_initial_position_in_portuguese():
    # Digits are a to h with dot 8, capitals have dot 7; t 2345, c 14, b 12, d 145, r 1235, p 1234.
    assert [braille(line) for line in ranks(START, load_code("pt8"))] == [
        "⢓⠞⠉⠃⠙⠗⠃⠉⠞",
        "⢛⠏⠏⠏⠏⠏⠏⠏⠏",
        "⢋⠄⠤⠄⠤⠄⠤⠄⠤",
        "⢑⠤⠄⠤⠄⠤⠄⠤⠄",
        "⢙⠄⠤⠄⠤⠄⠤⠄⠤",
        "⢉⠤⠄⠤⠄⠤⠄⠤⠄",
        "⢃⡏⡏⡏⡏⡏⡏⡏⡏",
        "⢁⡞⡉⡃⡙⡗⡃⡉⡞",
    ]


def test_the_first_rank_in_other_languages():
    # English k 13, q 12345, r 1235, n 1345; German t 2345, s 234, l 123, d 145, k 13.
    assert braille(ranks(START, load_code("en8"))[7]) == "⠂⡗⡝⡃⡟⡅⡃⡝⡗"
    assert braille(ranks(START, load_code("de8"))[7]) == "⠡⡞⡎⡇⡙⡅⡇⡎⡞"
    assert braille(ranks(START, load_code("es8"))[7]) == "⠡⡞⡉⡁⡙⡗⡁⡉⡞"


def test_from_black_the_board_is_turned_round():
    lines = ranks(START, load_code("pt8"), from_black=True)
    # The king is left of the queen, and h1 on the left is a white square.
    assert braille(lines[0]) == "⢁⡞⡉⡃⡗⡙⡃⡉⡞"
    assert braille(lines[2]) == "⢉⠄⠤⠄⠤⠄⠤⠄⠤"
    assert braille(lines[7])[0] == "⢓"
    assert lines[0].marks == (None, "h1", "g1", "f1", "e1", "d1", "c1", "b1", "a1")


def test_each_cell_knows_its_square():
    lines = ranks("8/8/8/8/4P3/8/8/8", load_code("pt8"))
    assert lines[0].marks == (None, "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8")
    assert len({square for line in lines for square in line.marks if square}) == 64
    (pawn,) = load_code("pt8").piece("P")
    assert [line.marks[line.cells.index(pawn)] for line in lines if pawn in line.cells] == ["e4"]


def test_white_and_black_squares_follow_the_board():
    code = load_code("pt8")
    lines = ranks("8/8/8/8/8/8/8/8", code)
    found = {square: (cell,) for line in lines for square, cell in zip(line.marks, line.cells, strict=True)}
    assert found["a1"] == found["h8"] == found["d4"] == code.empty_square(light=False)
    assert found["h1"] == found["a8"] == found["e4"] == code.empty_square(light=True)


@pytest.mark.parametrize(
    "placement",
    ["", "8", "8/8/8/8/8/8/8", START + "/8", START.replace("8", "7", 1), START.replace("8", "9", 1),
     START.replace("r", "x", 1), START.replace("r", " ", 1), START.replace("8", "80", 1), START.replace("8", "²", 1)],
)  # fmt: skip
def test_what_is_no_placement_is_refused(placement):
    with pytest.raises(ValueError, match="rank"):
        ranks(placement, load_code("pt8"))
