# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed in the dots of a code is what they say: words, dates, names and passphrases too."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES
from support.positions import positions

from acessivel.devices import braille_input
from acessivel.devices.braille_input import BrailleInput
from braille import liblouis, patterns
from braille.displays import Dots
from braille.notation import code_names, display_code, load_code
from voices.grammar import grammar
from voices.understanding.meanings import read_typed
from voices.words.lexicon import vocabulary

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

CODES = tuple(map(load_code, code_names()))


def typed(code, text, language, convention="fide"):
    """What a text says that is typed in the dots in which the code writes it."""
    keys = tuple(map(Dots, code.text(text)))
    return BrailleInput(code, convention, language, keys).text


def of_dots(dots):
    return [code for code in CODES if code.dots == dots]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", of_dots(8), ids=lambda code: code.name)
def test_the_words_of_the_fide_can_be_typed_in_each_code_of_eight_dots(code, language):
    """In the Portuguese one "ö" and "õ" share a cell, "ä" and a bracket another."""
    for words in ("König Eva zwei", "Läufer Bella fünf", "Läufer Cesar zwölf"):
        meant = [reading.meaning for reading in read_typed(words, language, "fide")]
        text = typed(code, words, language)
        assert [reading.meaning for reading in read_typed(text, language, "fide")] == meant, text


@pytest.mark.parametrize("code", of_dots(8), ids=lambda code: code.name)
def test_a_passphrase_typed_in_eight_dots_is_the_one_of_a_keyboard(code):
    for text in (string.punctuation, "horse,battery (staple)", "john_doe", "Ana O'Brien", "Sala 3, andar 2"):
        assert typed(code, text, code.language) == text


@pytest.mark.parametrize("code", of_dots(6), ids=lambda code: code.name)
def test_names_places_and_passphrases_can_be_typed_in_six_dots(code):
    """A mark after a letter is no rank, but where nothing else could be meant."""
    for text in ("horse,battery (staple)", "rua b, 3", "Ana , Rui", "vitamin c, d", "12-5", "x(y"):
        assert typed(code, text, code.language) == text


@pytest.mark.parametrize("code", of_dots(6), ids=lambda code: code.name)
def test_brackets_beside_a_number_are_no_letters_in_six_dots(code):
    """They have the cells of letters in Portuguese, in which no "ã" follows a digit, and no "ê1" begins a word."""
    for text in ("1)", "(12)", "1) e4", "sala [3]", "(Ana, 1990)", "e4)"):
        assert typed(code, text, code.language) == text
    for text in ("1)", "2)"):
        assert read_typed(typed(code, text, "pt"), "pt") == read_typed(text[0], "pt")


def test_a_letter_with_the_cells_of_a_bracket_stays_one_at_the_end_of_a_word():
    for text in ("olá1", "você12", "maçã", "baú 3", "ê"):
        assert typed(load_code("pt6"), text, "pt") == text


@pytest.mark.parametrize("code", of_dots(6), ids=lambda code: code.name)
def test_a_mark_after_a_number_is_no_rank_in_six_dots(code):
    """Though the digit before it has the cell of a file: not in a square in the cells of words, either."""
    for mark in ".,;:?!":
        for text in ("5{}", "12{}", "2{}", "Ne3{}", "e4{}", "d2{} d4", "1{} e4"):
            line = text.format(mark)
            assert typed(code, line, code.language) == line


@pytest.mark.parametrize("code", of_dots(6), ids=lambda code: code.name)
def test_dates_and_commands_can_be_typed_in_six_dots(code):
    language = code.language if code.language in LANGUAGES else "en"
    assert typed(code, "2031-11-22 15:00", language) == "2031-11-22 15:00"
    for phrase, *_ in vocabulary(language).commands():
        if "{" not in phrase:
            assert grammar.plain_phrase(typed(code, phrase, language)) == grammar.plain_phrase(phrase)


@pytest.mark.parametrize("name", ["es6", "pt6", "uk"])
def test_marks_can_be_typed_in_six_dots_as_the_code_writes_them_in_texts(name):
    """Where one cell of the table is two marks, the code has another for one of them."""
    code = load_code(name)
    for text in ("exd5 e.p.", "1.12.2026", "2+2", "x!y", "#5", "x>y", "john_doe@x.org", "fim."):
        keys = tuple(map(Dots, patterns.cells(code.spelling.write(text))))
        assert BrailleInput(code, "fide", code.language, keys).text == text


def test_known_words_may_be_typed_in_german_literary_braille_where_six_dots_are_computer_braille():
    code = load_code("de6")
    for word in braille_input._known_words("fide", "de"):
        for cells in (patterns.cells(code.spelling.write(word)), code.text(word)):
            assert BrailleInput(code, "fide", "de", tuple(map(Dots, cells))).text.lower() == word
    for text in ("k9nigin", "f8nf1"):
        assert typed(code, text, "de") == text


@pytest.mark.parametrize("code", of_dots(6), ids=lambda code: code.name)
def test_a_rank_alone_and_a_square_in_a_command_may_have_the_cells_of_a_move(code):
    language = code.language if code.language in LANGUAGES else "en"
    for rank in "12345678":
        keys = tuple(map(Dots, code.move(rank)))
        assert BrailleInput(code, "fide", language, keys).text == rank
        for file in "abcdefgh":
            command = code.text("casa"), (0,), code.move(f"{file}{rank}")
            keys = tuple(Dots(cell) for cells in command for cell in cells)
            assert BrailleInput(code, "fide", language, keys).text == f"casa {file}{rank}"


def written(fact):
    """A move as it can be typed word by word: [("Ng1", "-", "f3"), ...], with English letters."""
    yield (fact.san,)
    yield (fact.san, " ", "(=)")
    if fact.san.startswith("O"):
        return
    move, check = fact.san.rstrip("+#"), fact.san[len(fact.san.rstrip("+#")) :]
    piece = move[0] if move[0] in "KQRBN" else ""
    origin, target, promoted = fact.uci[:2], fact.uci[2:4], fact.uci[4:].upper()
    end = target + f"={promoted}" * bool(promoted)
    for between in ("-", "x", " ", " x "):
        yield (piece + origin, *between, end + check)
    yield ("", " ", origin, *" - ", end, " ", "")
    if promoted:
        yield (origin, " ", target, " ", promoted)
    if check == "+":
        yield (move, " ", "check")


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
@given(position=positions(), choice=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(20))
def test_a_move_typed_in_dots_in_any_form_is_the_line_of_a_keyboard(code, position, choice):
    """In six dots its ranks are the cells of marks, which are read as these in words alone."""
    facts = list(position.legal)
    for fact in choice.sample(facts, min(5, len(facts))):
        language = choice.choice(LANGUAGES)
        letters = display_code(language).pieces
        for parts in written(fact):
            cells, line = (), ""
            for part in parts:
                is_word = part in ("check", "-", " ", "x")
                said = vocabulary(language).say("mark", part) if part == "check" else part
                cells += code.text(said) if is_word else code.move(part) if part else ()
                line += said if is_word else "".join(letters.get(sign, sign) for sign in part)
            keys = tuple(map(Dots, cells))
            assert BrailleInput(code, "fide", language, keys).text == " ".join(line.split())


@pytest.mark.parametrize(
    ("name", "language", "cells", "text"),
    [
        ("uk", "en", "⠏⠑⠲", "pe4"),
        ("uk", "en", "⠑⠲⠀", "e4"),
        ("uk", "en", "⠂⠆", "12"),
        ("uk", "en", "⠍⠕⠧⠑⠀⠂⠆", "move 12"),
        ("uk", "en", "⠎⠋⠒⠀⠙⠗⠁⠺", "Nf3 draw"),
        ("uk", "en", "⠛⠂⠤⠋⠒", "g1-f3"),
        ("pt6", "pt", "⠞⠋⠒", "tf3"),
        ("pt6", "pt", "⠑⠙⠖⠀⠑⠝⠀⠏⠁⠎⠎⠁⠝⠞", "ed6 en passant"),
        ("es6", "es", "⠑⠦⠀⠙⠁⠍⠁", "e8 dama"),
        ("es6", "es", "⠙⠂⠀⠁⠀⠙⠦", "d1 a d8"),
        ("de6", "pt", "⠈⠎⠉⠫⠤⠑⠻⠼", "Cc6-e7#"),  # a mate in the cell of other codes' number sign
    ],
)
def test_ranks_and_numbers_in_the_cells_of_marks_are_read_in_every_word_of_a_move(
    name, language, cells, text
):
    keys = tuple(map(Dots, patterns.cells(cells)))
    assert BrailleInput(load_code(name), "fide", language, keys).text == text


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_stop_after_a_move_leaves_its_pieces_those_of_the_code(code, language):
    letters = display_code(language).pieces
    for move in ("Nf3", "Rf2", "Bxe4", "Qd8+", "e8=Q", "Kc1-c2"):
        keys = tuple(map(Dots, (*code.move(move), *code.text("."))))
        text = "".join(letters.get(sign, sign) for sign in move)
        assert BrailleInput(code, "fide", language, keys).text == f"{text}."
