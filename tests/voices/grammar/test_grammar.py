# SPDX-License-Identifier: GPL-3.0-or-later
"""The grammar of everything: which announcements, whole or not, and which answers can be heard at all."""

from dataclasses import replace

import pytest
from support.languages import LANGUAGES

from voices.grammar import grammar
from voices.grammar.jsgf import automaton
from voices.meaning import (
    Answer,
    Castling,
    Check,
    ColourNamed,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
    Side,
)
from voices.understanding.meanings import read
from voices.words.files import conventions

F3, F, THREE, G1, G = Place("f", "3"), Place("f"), Place(rank="3"), Place("g", "1"), Place("g")
KNIGHT = Piece.KNIGHT

WHOLE = [
    MovePattern(F3, KNIGHT, G1), MovePattern(F3, KNIGHT, G, capture=True), MovePattern(F3), MovePattern(F3, origin=G, capture=True),
    MovePattern(Place("e", "8"), Piece.PAWN, promotion=Piece.QUEEN), Castling(Side.SHORT),
]  # fmt: skip
INCOMPLETE = [
    MovePattern(F, KNIGHT), MovePattern(THREE, KNIGHT), MovePattern(F), MovePattern(F, KNIGHT, capture=True),
    MovePattern(THREE, KNIGHT, capture=True), MovePattern(Place(), KNIGHT, capture=True), MovePattern(F, capture=True),
    MovePattern(F3, capture=True), MovePattern(F, KNIGHT, G1, capture=True), MovePattern(THREE, KNIGHT, G, capture=True),
    MovePattern(Place(), origin=G, capture=True), MovePattern(Place(), origin=G1, capture=True),
    MovePattern(THREE, origin=G, capture=True), MovePattern(Place(), Piece.KNIGHT, THREE, capture=True),
]  # fmt: skip
ANSWERS = [MovePattern(F), Number(3), MovePattern(F3), PieceNamed(KNIGHT)]
# Too near to a whole announcement with noise after it.
NOT_LISTENED_FOR = [
    MovePattern(F, KNIGHT, G1),
    MovePattern(THREE, origin=G1),
    MovePattern(F, promotion=Piece.QUEEN),
]


def accepts(everything, phrase):
    found = automaton(everything)
    states = found.start
    for word in phrase.split():
        states = found.next(states).get(word, frozenset())
    return found.ends(states)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
@pytest.mark.sweep
def test_everything_can_be_heard_that_is_listened_for(convention, language):
    everything = grammar.everything(convention, language)
    for meaning in (*WHOLE, *INCOMPLETE, *ANSWERS):
        for phrase in grammar.in_words([meaning], convention, language):
            assert accepts(everything, phrase), phrase
    for meaning in NOT_LISTENED_FOR:
        for phrase in grammar.in_words([meaning], convention, language):
            assert not accepts(everything, phrase), phrase


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
def test_a_check_or_mate_can_be_heard_after_any_announcement(convention, language):
    everything = grammar.everything(convention, language)
    for check in (Check.CHECK, Check.MATE):
        for move in (*WHOLE, MovePattern(F, KNIGHT, capture=True)):
            for phrase in grammar.in_words([replace(move, check=check)], convention, language):
                assert accepts(everything, phrase), phrase


@pytest.mark.parametrize(
    ("language", "word"), [("de", "rochade"), ("pt", "roque"), ("en", "castle"), ("es", "enroque")]
)
def test_castling_can_be_heard_without_its_side(language, word):
    assert accepts(grammar.everything("letters", language), word)
    assert accepts(grammar.everything("fide", language), "rochade")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
@pytest.mark.sweep
def test_numbers_of_several_digits_are_heard_only_when_they_are_asked_for(convention, language):
    for asked, heard in (([], False), ([Number(8)], False), ([Number(10), Number(59), Number(109)], True)):
        everything, _ = grammar.expectation((), convention, language, asked)
        for number in (0, 9, 10, 59, 109):
            for phrase in grammar.in_words([Number(number)], convention, language):
                assert accepts(everything, phrase) is heard, phrase


@pytest.mark.parametrize("convention", ["fide", "mixed", "letters", "nato"])
@pytest.mark.parametrize("language", ["pt", "en", "es"])
def test_ja_and_nein_are_heard_only_where_squares_are_told_in_fide_words(convention, language):
    own = {"pt": {"sim", "nao"}, "en": {"yes", "no"}, "es": {"si", "no"}}[language]
    german = {"ja", "nein"} if convention in ("fide", "mixed") else set()
    text, expected = grammar.expectation((), convention, language)
    heard = {word for word in own | {"ja", "nein"} if word in expected and accepts(text, word)}
    assert heard == own | german
    yeses = grammar.yeses(convention, language)
    assert set(yeses) & {"ja"} == german & {"ja"}
    foreign = german & {"ja"} if language != "en" else set()  # where "yeah" is a yes that sounds like it
    assert {yes.split()[-1] for yes, is_own in yeses.items() if not is_own} == foreign
    assert grammar.in_words([Answer(yes=True)], convention, language).count("ja") == ("ja" in german)


def test_whose_language_is_german_says_no_foreign_yes():
    assert all(grammar.yeses("fide", "de").values())


@pytest.mark.parametrize("convention", ["letters", "nato"])
def test_german_answers_in_german_are_heard_in_every_convention(convention):
    assert {"ja", "nein"} <= set(grammar.answers(convention, "de"))


def test_what_is_expected_names_the_answers_to_the_open_question_and_no_incomplete_announcement():
    moves = [MovePattern(F3, KNIGHT, G1)]
    everything, expected = grammar.expectation(moves, "fide", "pt")
    assert {"springer felix drei", "sim", "ja", "relogio"} <= set(expected)
    assert not {"springer felix", "springer drei", "springer", "felix", "drei", "felix drei"} & set(expected)
    asked = [MovePattern(F), Number(3), PieceNamed(Piece.QUEEN), MovePattern(F3)]
    again, with_answers = grammar.expectation(moves, "fide", "pt", asked)
    assert again == everything
    assert set(with_answers) - set(expected) == {"felix", "drei", "dame", "felix drei"}
    assert {"cavalo", "springer"} <= set(grammar.in_words([PieceNamed(KNIGHT)], "mixed", "pt"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("convention", conventions())
def test_a_colour_is_listened_for_where_it_is_asked(convention, language):
    phrases = grammar.in_words([ColourNamed("white"), ColourNamed("black")], convention, language)
    assert {read(phrase, language, convention)[0].meaning.colour for phrase in phrases} == {"white", "black"}
