# SPDX-License-Identifier: GPL-3.0-or-later
"""A position in cells, written by hand from the dots."""

import string

import pytest

from braille.board import ranks
from braille.notation import code_names, load_code

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


# After 1.e4 e5, by hand from each code's own letters: Black has dot 6 (UK, six dots) or no dot 7 (eight dots);
# the cursor is dots 4 5 6 before the square in six dots, in eight dot 8, or dots 7 8 before it where dot 8 would make
# digits of pieces.
AFTER_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
UK_LINE = "⠼⠓⠷⠮⠧⠿⠥⠧⠮⠷ ⠼⠛⠯⠯⠯⠯⠤⠯⠯⠯ ⠼⠋⠄⠤⠄⠤⠄⠤⠄⠤ ⠼⠑⠤⠄⠤⠄⠸⠯⠄⠤⠄ ⠼⠙⠄⠤⠄⠤⠏⠤⠄⠤ ⠼⠉⠤⠄⠤⠄⠤⠄⠤⠄ ⠼⠃⠏⠏⠏⠏⠄⠏⠏⠏ ⠼⠁⠗⠎⠇⠟⠅⠇⠎⠗"
UK_COLUMNS = """\
⠼⠓⠀⠷⠀⠮⠀⠧⠀⠿⠀⠥⠀⠧⠀⠮⠀⠷
⠼⠛⠀⠯⠀⠯⠀⠯⠀⠯⠀⠤⠀⠯⠀⠯⠀⠯
⠼⠋⠀⠄⠀⠤⠀⠄⠀⠤⠀⠄⠀⠤⠀⠄⠀⠤
⠼⠑⠀⠤⠀⠄⠀⠤⠀⠄⠸⠯⠀⠄⠀⠤⠀⠄
⠼⠙⠀⠄⠀⠤⠀⠄⠀⠤⠀⠏⠀⠤⠀⠄⠀⠤
⠼⠉⠀⠤⠀⠄⠀⠤⠀⠄⠀⠤⠀⠄⠀⠤⠀⠄
⠼⠃⠀⠏⠀⠏⠀⠏⠀⠏⠀⠄⠀⠏⠀⠏⠀⠏
⠼⠁⠀⠗⠀⠎⠀⠇⠀⠟⠀⠅⠀⠇⠀⠎⠀⠗"""
PT6_RANKS = {0: "⠼⠓⠾⠩⠣⠹⠷⠣⠩⠾", 3: "⠼⠑⠤⠄⠤⠄⠸⠯⠄⠤⠄", 7: "⠼⠁⠞⠉⠃⠙⠗⠃⠉⠞"}
PT8_RANKS = {0: "⢓⠞⠉⠃⠙⠗⠃⠉⠞", 3: "⢑⠤⠄⠤⠄⣀⠏⠄⠤⠄", 4: "⢙⠄⠤⠄⠤⡏⠤⠄⠤", 7: "⢁⡞⡉⡃⡙⡗⡃⡉⡞"}


def shown(code, **how):
    lines = ranks(AFTER_E5, load_code(code), cursor="e5", **how)
    return ["".join(chr(0x2800 + cell) for cell in line.cells) for line in lines]


def test_six_dots_on_one_line_and_in_columns():
    assert shown("uk") == UK_LINE.split()
    assert shown("uk", columns=18) == UK_COLUMNS.splitlines()
    assert shown("uk", columns=17) == UK_LINE.split()


@pytest.mark.parametrize(("code", "golden"), [("pt6", PT6_RANKS), ("pt8", PT8_RANKS)])
def test_portuguese_letters_with_the_cursor(code, golden):
    assert {number: shown(code)[number] for number in golden} == golden


@pytest.mark.parametrize("code", code_names())
@pytest.mark.parametrize("columns", [None, 40])
def test_no_two_pieces_squares_or_cursors_feel_alike(code, columns):
    """Each of 13 contents of e4, with the cursor and without it, gives other cells; all fit 12 cells on one line."""
    felt = set()
    for content in "KQRBNPkqrbnp1":
        for cursor in None, "e4":
            placement = f"8/8/8/8/{'4' + content + '3'}/8/8/8".replace("413", "8")
            line = ranks(placement, load_code(code), cursor=cursor, columns=columns)[4]
            felt.add(line.cells)
            assert columns or len(line) <= 12
            assert load_code(code).dots == 8 or max(line.cells) < 64
    assert len(felt) == 26


@pytest.mark.parametrize("code", code_names())
@pytest.mark.parametrize("content", [*"KQRBNPkqrbnp", "1"])
@pytest.mark.parametrize("columns", [None, 40])
def test_the_cursor_makes_no_other_sign_of_what_stands_on_its_square(code, content, columns):
    """Beside all else that a board can show, no letter, digit or other character of the code feels like it."""
    code = load_code(code)
    line = ranks(f"8/8/8/8/{content}7/8/8/8".replace("17", "8"), code, cursor="a4", columns=columns)[4]
    plain = code.empty_square(light=False) if content == "1" else code.piece(content)
    cells = tuple(cell for cell, mark in zip(line.cells, line.marks, strict=True) if mark == "a4" and cell)
    assert cells != plain
    if cells[1:] != plain:  # the sign itself is changed
        signs = {code.text(sign) for sign in string.printable.strip()} | {
            code.piece(p) for p in "KQRBNPkqrbnp"
        }
        assert cells not in signs
