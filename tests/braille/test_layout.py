# SPDX-License-Identifier: GPL-3.0-or-later
"""A board and words on one display: every size from 1 x 12 to 10 x 80, by labelled cells."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braille.layout import LEAST_COLUMNS, Layout, Texts
from braille.window import Line, Size, Window

sizes = st.builds(Size, st.integers(1, 10), st.integers(12, 80))
widths = st.sampled_from([9, 10, 17, 18])


def board_of(width):
    return [Line(tuple(range(1, width + 1)), tuple(f"{rank}:{n}" for n in range(width))) for rank in range(8)]


def words_of(count):
    def words(_):
        return Texts([[Line.of((200,) * 5, f"word {n}")] for n in range(count)])

    return words


def marks(layout):
    return [layout.mark(cell) for cell in range(layout.size.rows * layout.size.columns)]


@given(sizes, widths, st.integers(0, 30))
@settings(deadline=None)  # each cell is asked for by itself
def test_every_cell_of_the_board_is_shown_at_once_or_reached(size, width, count):
    layout = Layout.of(board_of(width), words_of(count), size)
    seen = list(marks(layout))
    assert len(layout.cells()) == size.rows * size.columns
    while (following := layout.pan(layout.window.right())) != layout:
        layout = following
        seen += marks(layout)
    assert {f"{rank}:{n}" for rank in range(8) for n in range(width)} <= set(seen)
    assert {f"word {n}" for n in range(count)} <= set(seen)


@settings(deadline=None)
@given(sizes.filter(lambda size: size.rows > 8), widths, st.integers(0, 60))
def test_on_more_than_eight_rows_the_board_stands_whole_on_the_left(size, width, count):
    if width > size.columns:
        return
    layout = Layout.of(board_of(width), words_of(count), size)
    for page in layout, layout.pan(layout.window.right()), layout.pan(layout.window.down()):
        for rank in range(8):
            row = [page.mark(rank * size.columns + n) for n in range(width)]
            assert row == [f"{rank}:{n}" for n in range(width)]


@pytest.mark.parametrize(
    ("size", "room"),
    [
        (Size(9, 40), Size(9, 30)),
        (Size(10, 32), Size(10, 22)),
        (Size(8, 22), Size(8, LEAST_COLUMNS)),
        (Size(8, 21), Size(8, 21)),
        (Size(9, 21), Size(1, 21)),
        (Size(1, 40), Size(1, 40)),
        (Size(4, 80), Size(4, 80)),
    ],
)
def test_the_room_for_words(size, room):
    asked = []
    Layout.of(board_of(9), lambda given: asked.append(given) or Texts(()), size)
    assert asked == [room]


def test_without_a_board_the_words_have_the_display():
    layout = Layout.of((), words_of(1), Size(9, 40))
    assert layout.cells()[:6] == (200,) * 5 + (0,)
    assert layout.mark(0) == "word 0"


def test_what_is_shown_whole_is_not_panned():
    layout = Layout.of(board_of(9), words_of(3), Size(9, 40))
    assert layout.pan(layout.window.down()) == layout


@settings(deadline=None)
@given(sizes, sizes, st.integers(1, 40), st.integers(0, 40))
def test_a_window_on_another_display_begins_in_the_same_word_or_before_it(first, second, count, pans):
    words = [[Line.of((200,), f"{n}") for n in range(count)]]
    window = Window.of(words, first)
    for _ in range(pans):
        window = window.right()
    again = Window.of(words, second).at(*window.place)
    shown = int(window.mark(0))
    assert int(again.mark(0)) <= shown
    assert str(shown) in {again.mark(cell) for cell in range(second.columns)}
    assert Window.of(words, first).at(*window.place) == window


@pytest.mark.parametrize("told", [0, 2, 4, 5, 30])
@pytest.mark.parametrize("rows", [8, 9, 10])
def test_beside_a_board_head_and_foot_stay_and_earlier_moves_fill_what_is_free(rows, told):
    def words(_):
        paragraphs = [[Line.of((1,), f"told {n}")] for n in range(told)]
        return Texts(paragraphs, [Line.of((2,), "clock")], [Line.of((3,), f"move {n}") for n in range(20)])

    layout = Layout.of(board_of(9), words, Size(rows, 40), Line.of((0x3F,), "corner"))
    for page in layout, layout.pan(layout.window.right()):
        column = [page.mark(row * 40 + 10) for row in range(rows)]
        assert (column[0], column[-1]) == ("clock", "move 19")
        assert page.mark(39) == "corner"
        assert [page.mark(row * 40 + 39) for row in range(1, rows)] == [None] * (rows - 1)
    column = [layout.mark(row * 40 + 10) for row in range(1, rows)]
    shown = [mark for mark in column if mark and mark.startswith("told")]
    moves = [mark for mark in column if mark and mark.startswith("move")]
    assert shown == [f"told {n}" for n in range(min(told, rows - 2))]
    assert moves == [f"move {n}" for n in range(20)][-len(moves) :]
    assert len(moves) == max(1, rows - 1 - told - bool(told))
    assert not told or len(moves) == 1 or column[told] is None


@given(sizes, widths, st.integers(0, 30), st.integers(0, 12))
@settings(deadline=None)
@pytest.mark.sweep
def test_the_last_cell_of_the_first_row_is_the_corner_on_every_page(size, width, count, pans):
    layout = Layout.of(board_of(width), words_of(count), size, Line.of((0x3F,), "corner"))
    for _ in range(pans):
        layout = layout.pan(layout.window.right())
        assert len(layout.cells()) == size.rows * size.columns
        assert [cell for cell, mark in enumerate(marks(layout)) if mark == "corner"] == [size.columns - 1]
