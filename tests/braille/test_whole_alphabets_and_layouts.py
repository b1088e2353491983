# SPDX-License-Identifier: GPL-3.0-or-later
"""Layout by labelled cells, whole alphabets, the board against `chess`, a stopped brltty."""

import itertools
import signal
import string
import threading

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.brltty import VirtualBrltty, needs_brltty

from braille import liblouis
from braille.board import ranks
from braille.displays import DisplayMissingError
from braille.displays.brlapi import BrlapiDisplay, probe
from braille.notation import CodeError, code_names, load_code, parse_code
from braille.window import Line, Size, Window

try:
    liblouis.version()
    LOUIS = True
except liblouis.LiblouisMissingError:
    LOUIS = False
needs_liblouis = pytest.mark.skipif(not LOUIS, reason="liblouis is not installed")

CODES = ["de8", "en8", "es8", "pt8"]
LETTERS = dict(
    zip(
        string.ascii_lowercase,
        "1 12 14 145 15 124 1245 125 24 245 13 123 134 1345 135 1234 12345 1235 234 2345 136 1236 2456 1346 13456 1356".split(),
        strict=True,
    )
)
SQUARES = [file + rank for file in "abcdefgh" for rank in "12345678"]


def cell(dots):
    return sum(1 << int(dot) - 1 for dot in dots)


@needs_liblouis
@pytest.mark.parametrize("name", CODES)
def test_the_whole_alphabet(name):
    for sign in string.ascii_letters:
        assert load_code(name).text(sign) == (cell(LETTERS[sign.lower()] + "7" * sign.isupper()),)


@needs_liblouis
@pytest.mark.parametrize("name", code_names())
def test_no_two_tokens_clash(name):
    code = load_code(name)
    tokens = [*SQUARES, *"KQRBNP", "x", "+", "#", "=", "O-O", "O-O-O"]
    assert len({code.move(token) for token in tokens}) == len(tokens)
    if code.dots == 8:
        signs = "KQRBNPabcdefgh12345678x+#=-O"
        assert len({code.move(sign) for sign in signs}) == len(signs)
        assert {len(code.move(sign)) for sign in signs} == {1}


@needs_liblouis
@pytest.mark.parametrize("name", CODES)
@given(san=st.text(alphabet="KQRBNPabcdefgh12345678x+#=-O", max_size=8))
def test_a_move_is_its_signs_one_after_the_other(name, san):
    code = load_code(name)
    assert code.move(san) == tuple(one for sign in san for one in code.move(sign))


GOOD = 'name = "m"\nlanguage = "pt"\ndots = 8\nsource = "s"\ntable = "t"\n{}{}'
PIECES = '[pieces]\nK = "R"\nQ = "D"\nR = "T"\nB = "B"\nN = "C"\nP = "P"\n'
BOARD = '[board]\nwhite = "."\nblack = "-"\n'


@pytest.mark.parametrize("value", ["3", '"KQRBNP"', "[[1]]", "[]", "{}"])
def test_a_value_where_a_table_belongs(value):
    assert parse_code("m", GOOD.format(PIECES, BOARD)).dots == 8
    for text in GOOD.format(f"board = {value}\n", PIECES), GOOD.format(f"pieces = {value}\n", BOARD):
        with pytest.raises(CodeError, match=r"codes/m\.toml: "):
            parse_code("m", text)


@pytest.mark.parametrize("value", ["3", "[]", "{}", '""', '"KK"', "true"])
def test_a_piece_that_is_no_letter(value):
    with pytest.raises(CodeError, match=r"codes/m\.toml: "):
        parse_code("m", GOOD.format(PIECES.replace('"R"', value), BOARD))
    with pytest.raises(CodeError, match=r"codes/m\.toml: "):
        parse_code("m", GOOD.format(PIECES, BOARD.replace('"."', value)))


@pytest.mark.parametrize("value", ["true", "8.0", '"8"', "[8]", "7"])
def test_dots(value):
    with pytest.raises(CodeError, match=r"codes/m\.toml: "):
        parse_code("m", GOOD.format(PIECES, BOARD).replace("dots = 8", f"dots = {value}"))


def board_of(pieces):
    board = chess.BaseBoard(None)
    board.set_piece_map(pieces)
    return board


placements = st.builds(
    board_of,
    st.dictionaries(
        st.integers(0, 63), st.builds(chess.Piece, st.integers(1, 6), st.booleans()), max_size=40
    ),
)


@needs_liblouis
@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("from_black", [False, True])
@given(board=placements)
def test_each_cell_shows_the_square_that_it_names(name, from_black, board):
    code = load_code(name)
    lines = ranks(board.board_fen(), code, from_black=from_black)
    order = [file + rank for rank in "87654321" for file in "abcdefgh"]
    assert [square for line in lines for square in line.marks if square] == (
        order[::-1] if from_black else order
    )
    for line in lines:
        assert line.cells[:1] == code.text(line.marks[1][1])
        for shown, square in zip(line.cells[1:], map(chess.parse_square, line.marks[1:]), strict=True):
            piece = board.piece_at(square)
            light = bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])
            assert (shown,) == (code.piece(piece.symbol()) if piece else code.empty_square(light))


SIZES = [Size(1, 12), Size(1, 14), Size(1, 20), Size(1, 40), Size(1, 80), Size(9, 40), Size(10, 32)]
sizes = st.sampled_from(SIZES) | st.builds(Size, st.integers(1, 12), st.integers(1, 20))


@st.composite
def paragraphs(draw):
    """Each cell that is no blank has a label of its own for its square."""
    number = itertools.count()
    runs = st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(1, 255), max_size=25)), max_size=6)
    content = []
    for count in draw(st.lists(st.integers(0, 4), max_size=5)):
        lines = []
        for _ in range(count):
            cells = [one for gap, word in draw(runs) for one in [0] * (gap + 1) + word]
            cells = cells[draw(st.integers(0, 1)) :]
            lines.append(Line(tuple(cells), tuple(f"s{next(number)}" if one else None for one in cells)))
        content.append(lines)
    return content


def pages(window):
    found = [window]
    while (following := found[-1].right()) != found[-1]:
        found.append(following)
    return found


def labels(window):
    return [window.mark(index) for index in range(window.size.rows * window.size.columns)]


def rows(window):
    width = window.size.columns
    return [
        shown[at : at + width]
        for page in pages(window)
        for shown in [labels(page)]
        for at in range(0, len(shown), width)
    ]


def words_of(squares):
    return [
        list(run) for filled, run in itertools.groupby(squares, lambda square: square is not None) if filled
    ]


@given(paragraphs(), sizes)
def test_words_stand_whole_and_in_order(content, size):
    wanted = [
        word[at : at + size.columns]
        for lines in content
        for line in lines
        for word in words_of(line.marks)
        for at in range(0, len(word), size.columns)
    ]
    assert [run for row in rows(Window.of(content, size)) for run in words_of(row)] == wanted


@given(paragraphs(), sizes)
def test_cells_and_squares_agree(content, size):
    cell_of = {
        s: c for lines in content for line in lines for c, s in zip(line.cells, line.marks, strict=True) if s
    }
    for page in pages(Window.of(content, size)):
        assert [cell_of.get(square, 0) for square in labels(page)] == list(page.cells())
        assert len(page.cells()) == size.rows * size.columns
    assert page.mark(-1) is page.mark(size.rows * size.columns) is None


@given(paragraphs(), sizes)
def test_paragraphs_and_on_boards_lines_begin_rows(content, size):
    firsts = {row[0] for row in rows(Window.of(content, size))}
    for lines in content:
        starts = [words_of(line.marks)[0][0] for line in lines if any(line.cells)]
        assert set(starts if size.rows >= 8 else starts[:1]) <= firsts


@given(paragraphs(), sizes.filter(lambda size: size.rows < 8))
def test_a_row_is_as_full_as_its_paragraph_allows(content, size):
    for lines in content:
        filled = [row for row in rows(Window.of([lines], size)) if any(row)]
        for row, following in itertools.pairwise(filled):
            used = max(place for place, square in enumerate(row) if square) + 1
            assert used + 1 + len(words_of(following)[0]) > size.columns


@given(paragraphs(), sizes)
def test_right_and_left_down_and_up(content, size):
    window = Window.of(content, size)
    found = pages(window)
    for page, following in itertools.pairwise(found):
        assert following.left() == page
    assert found[0].left() == found[-1].home() == window
    assert found[-1].right() == found[-1]
    starts = [
        next(square for line in lines for square in line.marks if square)
        for lines in content
        if any(any(line.cells) for line in lines)
    ]
    tops = []
    for start in starts:
        assert window.mark(0) == start
        tops.append(window)
        window = window.down()
    if tops:
        assert window == tops[-1]
        for top in [*tops[-2::-1], tops[0]]:
            window = window.up()
            assert window == top


@pytest.fixture
def own():
    with VirtualBrltty(columns=40, rows=9) as brltty:
        yield brltty


def returns(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(20)
    return not thread.is_alive()


def gone():
    """Wait for the threads of the driver to end."""
    for thread in threading.enumerate():
        if thread.name == "braille":
            thread.join(20)
            assert not thread.is_alive()


@needs_brltty
def test_nine_rows(own):
    display = BrlapiDisplay(lambda _: None, own.host, "none")
    assert probe(own.host, "none") == display.size == Size(9, 40)
    cells = [place * 7 % 256 for place in range(360)]
    display.show(cells)
    own.wait_for(cells)
    display.close()


@needs_brltty
@pytest.mark.parametrize("end", [signal.SIGCONT, signal.SIGKILL])
def test_a_stopped_brltty_does_not_keep_probe_nor_its_thread(own, end):
    own.kill(signal.SIGSTOP)
    with pytest.raises(DisplayMissingError, match="in time"):
        probe(own.host, "none", timeout_s=0.2)
    own.kill(end)
    gone()


@needs_brltty
@pytest.mark.parametrize("end", [signal.SIGCONT, signal.SIGKILL])
def test_closed_while_brltty_is_stopped(own, end):
    display = BrlapiDisplay(lambda _: None, own.host, "none")
    display.show([1] * 360)
    own.wait_for([1] * 360)
    own.kill(signal.SIGSTOP)
    assert returns(display.close)
    own.kill(end)
    gone()


@needs_brltty
def test_closed_while_brltty_is_gone(own):
    display = BrlapiDisplay(lambda _: None, own.host, "none")
    own.kill()
    display.show([2] * 360)
    assert returns(display.close)
    display.show([1] * 360)
    display.close()
    gone()
