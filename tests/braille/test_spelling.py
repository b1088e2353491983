# SPDX-License-Identifier: GPL-3.0-or-later
"""Names and dates in each code: by hand, and that any text comes back."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acessivel.messages.rendering import catalogue
from braille import liblouis
from braille.notation import code_names, load_code
from braille.patterns import cells, pattern
from braille.spelling import SpellingError

pytest.importorskip("louis", reason="liblouis is not installed")


@pytest.mark.parametrize(
    ("name", "text", "cells"),
    [
        # A capital, then the letters; digits a to j after one number sign; a letter sign before a letter a to j.
        ("pt6", "São Paulo", "⠨⠎⠜⠕⠀⠨⠏⠁⠥⠇⠕"),
        ("pt6", "2026.11.21", "⠼⠃⠚⠃⠋⠄⠁⠁⠄⠃⠁"),
        ("pt6", "3d", "⠼⠉⠐⠙"),
        ("pt6", "900+10", "⠼⠊⠚⠚⠐⠖⠼⠁⠚"),
        # A comma and a point do not end a number; a fraction's second number has its own sign.
        ("pt6", "3,5", "⠼⠉⠂⠑"),
        ("pt6", "1.000,25", "⠼⠁⠄⠚⠚⠚⠂⠃⠑"),
        ("pt6", "+0.13", "⠐⠖⠼⠚⠄⠁⠉"),
        ("pt6", "1/2", "⠼⠁⠠⠂⠼⠃"),
        ("pt6", "3,b", "⠼⠉⠂⠐⠃"),
        ("es6", "3,5", "⠼⠉⠂⠑"),
        ("de6", "3,5", "⠼⠉⠂⠑"),
        ("de6", "3d", "⠼⠉⠠⠙"),
        ("uk", "3.5", "⠼⠉⠲⠑"),
        ("uk", "1.e4", "⠼⠁⠲⠰⠑⠼⠙"),
        # Two capitals or more have one sign, up to the next small letter.
        ("pt6", "FIDE", "⠨⠨⠋⠊⠙⠑"),
        ("es6", "FIDE-ONCE", "⠨⠨⠋⠊⠙⠑⠤⠨⠨⠕⠝⠉⠑"),
        ("pt6", "FIDEs", "⠨⠋⠨⠊⠨⠙⠨⠑⠎"),
        ("uk", "UK", "⠠⠠⠥⠅"),
        ("uk", "FIDEs", "⠠⠠⠋⠊⠙⠑⠠⠄⠎"),
        ("uk", "McDONALD", "⠠⠍⠉⠠⠠⠙⠕⠝⠁⠇⠙"),
        ("de6", "FIDE", "⠘⠋⠊⠙⠑"),
        ("de6", "GmbH", "⠨⠛⠍⠃⠨⠓"),
        # Punctuation: what opens and closes with one cell is told by where it stands.
        ("pt6", "(sim)", "⠣⠄⠎⠊⠍⠠⠜"),
        ("pt6", "você.", "⠧⠕⠉⠣⠄"),
        ("pt6", "a—b", "⠁⠤⠤⠃"),
        ("es6", "¿Qué?", "⠢⠨⠟⠥⠮⠢"),
        ("es6", "¡ay!", "⠖⠁⠽⠖"),
        ("es6", "está.", "⠑⠎⠞⠷⠄"),
        ("de6", "(unten)", "⠶⠥⠝⠞⠑⠝⠶"),
        ("de6", "12.Lc4", "⠼⠁⠃⠄⠨⠇⠉⠼⠙"),
        ("de6", "„Ja“", "⠦⠨⠚⠁⠴"),
        ("de6", "5%", "⠼⠑⠼⠚⠴"),
        ("uk", "“What?”", "⠦⠠⠺⠓⠁⠞⠦⠴"),
        ("uk", "it's", "⠊⠞⠄⠎"),
        ("uk", "½", "⠼⠁⠌⠃"),
        ("uk", "3d", "⠼⠉⠰⠙"),
        ("uk", "New York", "⠠⠝⠑⠺⠀⠠⠽⠕⠗⠅"),
        ("uk", "é", "⠘⠌⠑"),
        ("de6", "Weiß", "⠨⠺⠑⠊⠮"),
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
    assert max(cells(written), default=0) < 1 << load_code(name).dots
    assert written.count("⠀") == text.count(" ")


@pytest.mark.parametrize("name", code_names())
def test_long_rows_of_signs_come_back(name):
    spelling = load_code(name).spelling
    for word in ("-" * 3000, "—-" * 1000, "é⠿" * 1000, "'" * 2000):
        assert spelling.read(spelling.write(word)) == word


@pytest.mark.parametrize("name", code_names())
def test_common_names_are_not_written_by_numbers(name):
    spelling = load_code(name).spelling
    assert "⠿⠿" not in spelling.write(
        "Carlsen, M. (2850) - O'Neil, 1-0 C42, Round 3.1, 40/7200:3600, http://x.org/a"
    )


@pytest.mark.parametrize(("name", "language"), [("pt6", "pt"), ("es6", "es"), ("de6", "de"), ("uk", "en")])
def test_words_are_those_of_liblouis_in_literary_braille(name, language):
    code = load_code(name)
    plain = re.compile(r"[A-ZÀ-Þ]?[a-zß-ÿ]+[.,;:!]?|[A-Z]{2,}|[0-9]+([,:-][0-9]+)?")
    # liblouis repeats the number sign after a Spanish comma, and writes a colon between German digits as a division.
    special = re.compile({"es": r".*,.", "de": r".*:[0-9]"}.get(language, "$^"))
    # Openings have people's names, with letters of other languages.
    texts = [text for key, text in catalogue(language).items() if not key.startswith("opening_")]
    words = {word for text in texts for word in text.split() if plain.fullmatch(word)}
    words = {word for word in words if not special.match(word)}
    assert len(words) > 1000
    for word in words:
        assert code.spelling.write(word) == pattern(liblouis.cells(word, code.text_table)), word


def test_the_signs_of_the_language_are_not_written_by_numbers():
    for name, signs in (
        ("pt6", "áàâãéêíóôõúüçÁÇ.,;:!?…–—()[]\"“”‘’«»'/+=%*€§ªº#&"),
        ("es6", "áéíóúüñÁÑ.,;:!?…–—()[]\"“”‘’«»'/+=%*€ªº#&"),
        ("de6", "äöüßÄÖÜ.,;:!?…–—\"„“»«‚‘’'/+=%*€§#&"),
        ("uk", "éèöñ.,;:!?…–—()[]\"”‘’«»'/+=%*€£§ªº#&½"),
    ):
        spelling = load_code(name).spelling
        assert [sign for sign in signs if "⠿⠿" in spelling.write(sign)] == []


@pytest.mark.parametrize("cells", ["⠿⠿", "⠿⠿⠏⠏⠏⠏⠏⠏⠏⠏⠿⠿", "⠿⠿⠏⠏⠏⠏⠏⠏⠿⠿", "⠿⠿⠯⠿⠿", "⢿"])
def test_what_is_no_text_is_refused(cells):
    with pytest.raises(SpellingError):
        load_code("uk").spelling.read(cells)
