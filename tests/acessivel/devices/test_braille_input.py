# SPDX-License-Identifier: GPL-3.0-or-later
"""What is typed in the dots of a code is what they say: words, dates, names and passphrases too."""

import string

import pytest
from support.languages import LANGUAGES

from acessivel.devices import braille_input
from acessivel.devices.braille_input import BrailleInput
from braille import liblouis, patterns
from braille.displays import Dots
from braille.notation import code_names, load_code
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
def test_dates_and_commands_can_be_typed_in_six_dots(code):
    language = code.language if code.language in LANGUAGES else "en"
    assert typed(code, "2031-11-22 15:00", language) == "2031-11-22 15:00"
    for phrase, *_ in vocabulary(language).commands():
        if "{" not in phrase:
            assert grammar.plain_phrase(typed(code, phrase, language)) == grammar.plain_phrase(phrase)


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
