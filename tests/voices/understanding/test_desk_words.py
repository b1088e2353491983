# SPDX-License-Identifier: GPL-3.0-or-later
"""What an arbiter says at the desk of a hall, in each language: read, and possible to be heard."""

import pytest
from support.languages import LANGUAGES

from voices.grammar import grammar
from voices.meaning import Command, CommandName
from voices.understanding import desk_words
from voices.understanding.desk_words import DeskOrder, DeskWord, expectation, read_order

SAID = {
    ("pt", "próximo"): DeskOrder(DeskWord.NEXT),
    ("pt", "mesa doze"): DeskOrder(DeskWord.TABLE, 12),
    ("pt", "relógios abaixo de cinco minutos"): DeskOrder(DeskWord.UNDER, 5),
    ("pt", "relógios abaixo de 1 minuto"): DeskOrder(DeskWord.UNDER, 1),
    ("pt", "quem não terminou?"): DeskOrder(DeskWord.UNFINISHED),
    ("pt", "parar a rodada"): DeskOrder(DeskWord.STOP_ALL),
    ("en", "next"): DeskOrder(DeskWord.NEXT),
    ("en", "table twelve"): DeskOrder(DeskWord.TABLE, 12),
    ("en", "table one two three"): DeskOrder(DeskWord.TABLE, 123),
    ("en", "clocks under five minutes"): DeskOrder(DeskWord.UNDER, 5),
    ("en", "clocks under one minute"): DeskOrder(DeskWord.UNDER, 1),
    ("en", "time trouble"): DeskOrder(DeskWord.UNDER),
    ("en", "who has not finished"): DeskOrder(DeskWord.UNFINISHED),
    ("en", "results"): DeskOrder(DeskWord.RESULTS),
    ("en", "12"): DeskOrder(number=12),
    ("en", "table 12345"): DeskOrder(DeskWord.TABLE, 12345),
    ("en", "zero"): DeskOrder(number=0),
    ("en", "announce Ten minutes' break!"): DeskOrder(DeskWord.ANNOUNCE, text="Ten minutes' break!"),
    ("en", "table"): None,
    ("en", "table yes"): None,
    ("en", "clocks under many minutes"): None,
    ("en", "knight f three"): None,
    ("en", "resign"): None,
    ("de", "nächster Fall"): DeskOrder(DeskWord.NEXT),
    ("de", "Tisch zwölf"): DeskOrder(DeskWord.TABLE, 12),
    ("de", "Uhren unter fünf Minuten"): DeskOrder(DeskWord.UNDER, 5),
    ("de", "Uhren unter 1 Minute"): DeskOrder(DeskWord.UNDER, 1),
    ("de", "wer spielt noch"): DeskOrder(DeskWord.UNFINISHED),
    ("de", "Ergebnisse"): DeskOrder(DeskWord.RESULTS),
    ("es", "siguiente"): DeskOrder(DeskWord.NEXT),
    ("es", "mesa doce"): DeskOrder(DeskWord.TABLE, 12),
    ("es", "relojes con menos de cinco minutos"): DeskOrder(DeskWord.UNDER, 5),
    ("es", "relojes con menos de 1 minuto"): DeskOrder(DeskWord.UNDER, 1),
    ("es", "quién no ha terminado"): DeskOrder(DeskWord.UNFINISHED),
}


@pytest.mark.parametrize(("language", "said"), SAID)
def test_what_is_said_is_read(language, said):
    assert read_order(said, language, "fide") == SAID[language, said]


def test_an_announcement_is_read_whole_however_long_it_is():
    text = " ".join(["Lunch", "is", "at", "one."] * 40)
    assert read_order(f"announce {text}", "en", "fide") == DeskOrder(DeskWord.ANNOUNCE, text=text)


def test_a_question_about_the_game_of_a_table_is_one_there_too():
    assert read_order("position", "en", "fide") == Command(CommandName.POSITION)
    assert read_order("stop", "en", "fide") == Command(CommandName.STOP)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_order_can_be_said_and_means_itself(language):
    text, phrases = expectation("fide", language, tuple(range(1, 31)), 9)
    for word, said in desk_words.words(language).phrases.items():
        for phrase in said:
            numbered = "{number}" in phrase
            order = DeskOrder(word, 12 if numbered else None)
            assert read_order(phrase.format(number=12), language, "fide") == order
    for phrase in phrases:
        assert read_order(phrase, language, "fide") or phrase in grammar.answers("fide", language), phrase
    assert text.startswith("#JSGF")


@pytest.mark.parametrize("word", DeskWord)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_each_order_is_that_order(language, word):
    number = {DeskWord.TABLE: 12, DeskWord.UNDER: 5}.get(word)
    assert read_order(desk_words.example(word, language), language, "fide") == DeskOrder(word, number)


@pytest.mark.parametrize("text", ["1.5", "table 1-2", "clocks under 1,5 minutes"])
def test_digits_with_signs_between_them_are_no_number(text):
    assert read_order(text, "en", "fide") is None
