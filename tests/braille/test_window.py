# SPDX-License-Identifier: GPL-3.0-or-later
"""Layout and panning: nothing is lost, nothing is torn, and a routing key finds its square."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braille.window import Line, Size, Window

sizes = st.builds(Size, rows=st.integers(1, 12), columns=st.integers(1, 50))
squares = st.sampled_from([None, "a1", "e4", "h8"])
lines = st.lists(st.tuples(st.integers(0, 255), squares), max_size=60).map(
    lambda pairs: Line(tuple(cell for cell, _ in pairs), tuple(square for _, square in pairs))
)
texts = st.lists(st.lists(lines, max_size=8), max_size=4)


def line(text):
    """Each letter is a cell with the number of its character."""
    return Line.of(0 if sign == " " else ord(sign) % 256 for sign in text)


def rows(window):
    columns = window.size.columns
    text = "".join(chr(cell) if cell else " " for cell in window.cells())
    return [text[start : start + columns].rstrip() for start in range(0, len(text), columns)]


def views(window):
    """All that panning to the right shows."""
    seen = [window]
    while (further := seen[-1].right()) != seen[-1]:
        seen.append(further)
    return seen


def words(cells):
    return [word for word in bytes(cells).split(b"\0") if word]


def test_words_flow_and_are_not_torn():
    window = Window.of([[line("12.Cf3 Cf6  mate em tres")]], Size(1, 10))
    assert [rows(view) for view in views(window)] == [["12.Cf3 Cf6"], ["mate em"], ["tres"]]


def test_a_word_longer_than_a_row_is_cut():
    window = Window.of([[line("ab abcdefghijkl m")]], Size(1, 5))
    assert [rows(view) for view in views(window)] == [["ab"], ["abcde"], ["fghij"], ["kl m"]]


RANKS = [line(f"{rank}tcbdrbct") for rank in "87654321"]


def test_four_ranks_fit_forty_cells():
    window = Window.of([RANKS], Size(1, 40))
    assert rows(window) == ["8tcbdrbct 7tcbdrbct 6tcbdrbct 5tcbdrbct"]
    assert rows(window.right()) == ["4tcbdrbct 3tcbdrbct 2tcbdrbct 1tcbdrbct"]
    assert window.right().right() == window.right()


def test_a_display_of_eight_rows_has_a_rank_in_each():
    assert rows(Window.of([RANKS], Size(8, 40))) == [f"{rank}tcbdrbct" for rank in "87654321"]
    assert rows(Window.of([RANKS], Size(7, 20)))[:2] == ["8tcbdrbct 7tcbdrbct", "6tcbdrbct 5tcbdrbct"]


def test_a_paragraph_starts_a_row():
    window = Window.of([[line("sim")], [line("um dois tres")], [line("fim")]], Size(1, 8))
    assert [rows(view)[0] for view in views(window)] == ["sim", "um dois", "tres", "fim"]
    assert rows(window.down()) == ["um dois"]
    assert rows(window.down().down()) == ["fim"]
    assert window.down().down().down() == window.down().down()
    assert rows(window.down().right().up()) == ["um dois"]
    assert rows(window.down().up()) == ["sim"]
    assert window.up() == window.left() == window
    assert window.down().right().home() == window
    assert rows(window.down().right().left()) == ["um dois"]


def test_a_blank_paragraph_takes_no_row():
    assert rows(Window.of([[], [line("   ")], [line("a")], [Line.of(())]], Size(1, 4))) == ["a"]


def test_nothing_is_all_blank():
    window = Window.of([], Size(2, 3))
    assert window.cells() == (0,) * 6
    assert window.right() == window.down() == window.home() == window
    assert window.mark(0) is None


def test_a_routing_key_finds_the_square():
    board = Line((1, 2, 3), (None, "a8", "b8"))
    window = Window.of([[line("ola"), board]], Size(1, 10))
    assert [window.mark(key) for key in range(-1, 11)] == [None] * 6 + ["a8", "b8"] + [None] * 4


@pytest.mark.parametrize("size", [(0, 40), (1, 0), (-1, 40)])
def test_a_display_has_cells(size):
    with pytest.raises(ValueError, match="no display"):
        Size(*size)


def test_each_cell_has_a_square_or_none():
    with pytest.raises(ValueError, match="2 cells with 1 marks"):
        Line((1, 2), (None,))


@given(text=texts, size=sizes)
def test_the_windows_together_give_the_text_back(text, size):
    window = Window.of(text, size)
    shown = b"".join(bytes(view.cells()) for view in views(window))
    shown = b"\0".join(shown[start : start + size.columns] for start in range(0, len(shown), size.columns))
    wanted = [word for paragraph in text for item in paragraph for word in words(item.cells)]
    assert b"".join(words(shown)) == b"".join(wanted)
    if all(len(word) <= size.columns for word in wanted):
        assert words(shown) == wanted


@given(text=texts, size=sizes)
def test_a_window_always_fills_the_display(text, size):
    for view in views(Window.of(text, size)):
        assert len(view.cells()) == size.rows * size.columns


@given(text=texts, size=sizes)
def test_squares_stand_under_their_cells(text, size):
    wanted = [
        (cell, square)
        for paragraph in text
        for item in paragraph
        for cell, square in zip(item.cells, item.marks, strict=True)
        if cell
    ]
    shown = [
        (cell, view.mark(index))
        for view in views(Window.of(text, size))
        for index, cell in enumerate(view.cells())
        if cell
    ]
    assert shown == wanted


@given(text=texts, size=sizes)
def test_panning_back_comes_to_the_top_again(text, size):
    window = Window.of(text, size)
    last = views(window)[-1]
    for _ in range(len(views(window)) - 1):
        last = last.left()
    assert last == window == last.home()


@given(text=texts, size=sizes)
def test_each_paragraph_begins_at_the_left(text, size):
    window = Window.of(text, size)
    starts = [
        next(word for item in paragraph for word in words(item.cells))
        for paragraph in text
        if any(any(item.cells) for item in paragraph)
    ]
    for start in starts:
        shown = bytes(window.cells())
        assert shown.startswith(start[: size.columns])
        window = window.down()


def test_the_rows_are_worked_out_once(monkeypatch):
    window = Window.of([[line("um dois tres")], RANKS], Size(1, 8))
    monkeypatch.setattr(Line, "words", lambda _: pytest.fail("a paragraph is laid out again"))
    for moved in (
        window.right(),
        window.down(),
        window.at(0, 5),
        window.end(),
        window.right().up().left().home(),
    ):
        assert len(moved.cells()) == 8
        assert moved.mark(0) is None
        assert not moved.whole
    assert window.right().place == (0, len("umdois"))
    assert window.down().place == (1, 0)
