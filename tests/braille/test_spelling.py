# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and dates in each code: by hand, and that any text comes back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braille.notation import code_names, load_code
from braille.patterns import dots
from braille.spelling import SpellingError

pytest.importorskip("louis", reason="liblouis is not installed")


@pytest.mark.parametrize(
    ("name", "text", "cells"),
    [
        # A capital, then the letters; digits a to j after one number sign; a letter sign before a letter a to j.
        ("pt6", "São Paulo", "⠨⠎⠜⠕⠀⠨⠏⠁⠥⠇⠕"),
        ("pt6", "2026.11.21", "⠼⠃⠚⠃⠋⠄⠼⠁⠁⠄⠼⠃⠁"),
        ("pt6", "3d", "⠼⠉⠐⠙"),
        ("pt6", "900+10", "⠼⠊⠚⠚⠐⠖⠼⠁⠚"),
        ("uk", "3d", "⠼⠉⠰⠙"),
        ("uk", "New York", "⠠⠝⠑⠺⠀⠠⠽⠕⠗⠅"),
        ("uk", "é", "⠘⠌⠑"),
        ("de6", "Weiß", "⠈⠺⠑⠊⠠⠼"),
        ("de8", "Grün 3", "⡛⠗⢳⠝⠀⠩"),
        # What a table lacks: its number in Unicode (0416) with the letters a to p for 0 to f, between two full cells.
        ("pt6", "Ж", "⠿⠿⠑⠃⠛⠿⠿"),
        ("en8", "ü", "⠿⠿⠏⠍⠿⠿"),
        ("uk", "a  b", "⠁⠀⠿⠿⠿⠿⠀⠃"),
    ],
)
def test_by_hand(name, text, cells):
    spelling = load_code(name).spelling
    assert spelling.write(text) == cells
    assert spelling.read(cells) == text


@pytest.mark.parametrize("name", code_names())
@settings(deadline=None)
@given(text=st.text(max_size=40) | st.text(alphabet="abjkABJ019 .,:-/+!?'\"()#é¿§⠿", max_size=40))
def test_any_text_comes_back(name, text):
    spelling = load_code(name).spelling
    written = spelling.write(text)
    assert spelling.read(written) == text
    assert dots(written) <= load_code(name).dots
    assert written.count("⠀") == text.count(" ")


@pytest.mark.parametrize("name", code_names())
def test_common_names_are_not_written_by_numbers(name):
    spelling = load_code(name).spelling
    assert "⠿⠿" not in spelling.write(
        "Carlsen, M. (2850) - O'Neil, 1-0 C42, Round 3.1, 40/7200:3600, http://x.org/a"
    )


@pytest.mark.parametrize("cells", ["⠿⠿", "⠿⠿⠏⠏⠏⠏⠏⠏⠏⠏⠿⠿", "⠿⠿⠏⠏⠏⠏⠏⠏⠿⠿", "⠿⠿⠯⠿⠿", "⢿"])
def test_what_is_no_text_is_refused(cells):
    with pytest.raises(SpellingError):
        load_code("uk").spelling.read(cells)
