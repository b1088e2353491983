# SPDX-License-Identifier: GPL-3.0-or-later
"""The Braille chess codes, and that a wrong one is refused."""

import string

import pytest

from braille import notation
from braille.notation import CodeError, code_names, load_code, parse_code

NAMES = ("de8", "en8", "es8", "pt8")

GOOD = """
name = "xx8"
language = "xx"
dots = 8
source = "a test"
table = "en-us-comp8.ctb"
[pieces]
K = "K"
Q = "Q"
R = "R"
B = "B"
N = "N"
P = "P"
[board]
white = "."
black = "-"
"""


def braille(cells):
    return "".join(chr(0x2800 + cell) for cell in cells)


def test_the_codes_that_there_are():
    assert set(NAMES) <= set(code_names())
    for name in code_names():
        assert load_code(name).name == name


@pytest.mark.parametrize(
    ("name", "letters"), [("pt8", "RDTBCP"), ("en8", "KQRBNP"), ("de8", "KDTLSB"), ("es8", "RDTACP")]
)
def test_the_letters_of_the_pieces(name, letters):
    assert "".join(load_code(name).pieces[piece] for piece in "KQRBNP") == letters


@pytest.mark.parametrize("name", code_names())
def test_numbers_side_by_side_stay_apart(name):
    """UEB would write them as one, with its sign for a blank inside a number."""
    code = load_code(name)
    for one, other in ("59:56", "1:00:00"), ("2026-11-22", "15:00"), ("a1", "2"):
        assert code.text(f"{one} {other}") == (*code.text(one), 0, *code.text(other))
    assert code.text("1 2 3") == (*code.text("1"), 0, *code.text("2"), 0, *code.text("3"))


@pytest.mark.parametrize("name", code_names())
def test_no_two_signs_of_a_link_are_shown_in_the_same_cells(name):
    """The Spanish table has no cells for some marks, and for others those of letters."""
    code = load_code(name)
    marks = string.punctuation
    assert len({code.text(f"x{mark}y") for mark in (*marks, *string.ascii_letters)}) == len(marks) + 52
    links = "https://x.org/a_b?c=d#e~f", "acessivel web >a[1]", "A_b@c^2"
    assert len(set(map(code.text, links))) == len(links)


def test_marks_that_the_table_lacks_are_shown_as_in_the_words_of_the_code():
    code = load_code("es6")
    for text in ("a_b", "#1", "[a]", "~/x", "b^2"):
        assert braille(code.text(text)) == code.spelling.write(text)


def test_a_code_that_is_not_there():
    with pytest.raises(KeyError):
        load_code("../notation")


def test_a_code_cannot_be_changed():
    with pytest.raises(TypeError):
        load_code("pt8").pieces["K"] = "X"


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ('name = "xx8"', 'name = "yy8"', "name is yy8"),
        ('name = "xx8"', 'name = "xx8', "line 2"),
        ('language = "xx"', "", "missing or unknown: language"),
        ('language = "xx"', 'language = "xx"\ncolour = 1', "missing or unknown: colour"),
        ('table = "en-us-comp8.ctb"', "table = 8", "table is not a text"),
        ("dots = 8", "dots = 7", "neither 6 nor 8"),
        ('K = "K"', "", "needs B K N P Q R"),
        ('K = "K"', 'K = "Q"', "twice"),
        ('K = "K"', 'K = "k"', "not a capital"),
        ('K = "K"', 'K = "Kg"', "not one character"),
        ('white = "."', 'white = "-"', "twice"),
        ('white = "."', 'white = "q"', "sign of a piece"),
        ('white = "."', 'white = " "', "or a blank"),
        ('white = "."', 'grey = "."', "needs black white"),
        ("[board]", "[[board]]", "needs black white"),
        ("[board]", "literary = 3\n[board]", "needs B K N P Q R"),
        ("dots = 8", "dots = 8\nliterary = 3", "literary is not a text"),
        ("dots = 8", "dots = 8\ncheck_first = 1", "check_first is neither"),
        ("[board]", '[signs]\nx = "x"\n[board]', r"\[signs\] x is not in Braille"),
        ("[board]", '[signs]\nz = "⠁"\n[board]', "does not know z"),
        ("[board]", '[signs]\nranks = "⠁⠃"\n[board]', "ranks needs 8 different cells"),
        ("[board]", '[signs]\ndigits = "⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁"\n[board]', "digits needs 10 different cells"),
        ("dots = 8", "dots = 8\nsigns = 3", r"\[signs\] is no table"),
        ("dots = 8", 'dots = 6\nsigns = { x = "⡀" }', "not in Braille patterns of 6 dots"),
        ("[board]", '[text]\n"+" = 3\n[board]', r"\[text\] \+ is not in Braille"),
        ("[board]", '[text]\ncaptial = "⠨"\n[board]', r"\[text\] does not know captial"),
        ("[board]", '[text]\nnumerals = "⠁⠃"\n[board]', r"\[text\] numerals needs 10 different cells"),
        ("dots = 8", 'dots = 8\nopenings = "¿"', "openings is not pairs"),
        ("dots = 8", 'dots = 8\nopenings = "¿¿"', "openings is not pairs"),
        ("dots = 8", "dots = 8\ntext_table = 3", "text_table is not a text"),
        ("[board]", "[diagram]\ncounted = true\n[board]", "needs figures and counted"),
        ("[board]", '[diagram]\nfigures = "⠁"\ncounted = true\n[board]', "12 different cells"),
        ("[board]", '[diagram]\nfigures = "⠁"\ncounted = 1\n[board]', "needs figures and counted"),
    ],
)
def test_a_malformed_code_is_refused_with_its_file_and_reason(right, wrong, reason):
    assert parse_code("xx8", GOOD).name == "xx8"
    assert right in GOOD
    with pytest.raises(CodeError, match=rf"codes/xx8\.toml: .*{reason}"):
        parse_code("xx8", GOOD.replace(right, wrong, 1))


def test_sentences_in_a_code_that_is_not_there_are_refused(tmp_path, monkeypatch):
    file = tmp_path / "xx8.toml"
    file.write_text(GOOD.replace("dots = 8", 'dots = 8\nliterary = "xx6"'))
    monkeypatch.setattr(notation, "_files", lambda: {"xx8": file})
    load_code.cache_clear()
    with pytest.raises(CodeError, match=r"codes/xx8\.toml: literary names no code"):
        load_code("xx8")


@pytest.fixture
def _liblouis():
    pytest.importorskip("louis", reason="liblouis is not installed")


@pytest.mark.usefixtures("_liblouis")
class TestCells:
    @pytest.mark.parametrize(
        ("name", "san", "cells"),
        [
            # Knight f3: capital = the letter with dot 7; f = 124.
            ("pt8", "Nf3", "⡉⠋⢉"),
            ("en8", "Nf3", "⡝⠋⠒"),
            ("de8", "Nf3", "⡎⠋⠩"),
            ("es8", "Nf3", "⡉⠋⠩"),
            # Bishop and b pawn: dot 7 alone tells them apart.
            ("pt8", "Bc4", "⡃⠉⢙"),
            ("pt8", "bc4", "⠃⠉⢙"),
            ("de8", "exd8=Q+", "⠑⠭⠙⠳⠶⡙⠖"),
            ("pt8", "O-O", "⡕⠤⡕"),
            ("pt8", "Qxd4", "⡙⠭⠙⢙"),
        ],
    )
    def test_moves(self, name, san, cells):
        assert braille(load_code(name).move(san)) == cells

    def test_text_keeps_its_letters(self):
        assert braille(load_code("pt8").text("NQ")) == "⡝⡟"

    @pytest.mark.parametrize("name", NAMES)
    def test_every_square_of_the_board_is_one_cell_and_unlike_the_others(self, name):
        code = load_code(name)
        signs = [code.piece(symbol) for symbol in "KQRBNPkqrbnp"]
        signs += [code.empty_square(light) for light in (True, False)]
        assert all(len(sign) == 1 for sign in signs)
        assert len(set(signs)) == len(signs) == 14

    @pytest.mark.parametrize("name", NAMES)
    def test_empty_squares_are_dot_3_and_dots_36(self, name):
        code = load_code(name)
        assert braille(code.empty_square(light=True) + code.empty_square(light=False)) == "⠄⠤"

    @pytest.mark.parametrize("name", NAMES)
    def test_a_black_piece_is_the_white_one_without_dot_7(self, name):
        code = load_code(name)
        for symbol in "KQRBNP":
            (white,), (black,) = code.piece(symbol), code.piece(symbol.lower())
            assert white == black | 1 << 6
            assert not black >> 6


def test_files_are_read_as_utf_8_from_the_package():
    assert notation.load_code("pt8").source
