# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that step through a game: read in four languages, and heard with a grammar of their own."""

import itertools

import pytest
from support.languages import LANGUAGES
from support.phrase_tables import check_sounds, taken_by

from voices.grammar import grammar
from voices.grammar.completeness import is_complete
from voices.meaning import Command, CommandName, Piece, Place
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.understanding import replay_steps
from voices.understanding.replay_steps import ReplayStep, Stepped
from voices.words.files import conventions
from voices.words.lexicon import VocabularyError


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_is_read_as_its_step_and_no_two_are_alike(language):
    phrases = replay_steps.words(language).phrases
    every = [grammar.plain_phrase(phrase) for found in phrases.values() for phrase in found]
    assert len(every) == len(set(every))
    for step, phrase in [(name, phrase) for name, found in phrases.items() for phrase in found]:
        text = f"{phrase} 23" if step is ReplayStep.MOVE else phrase
        expected = Stepped(step, 23) if step is ReplayStep.MOVE else Stepped(step)
        assert replay_steps.read_step(text, language, "fide") == expected
        assert replay_steps.read_step(text.upper(), language, "fide") == expected


@pytest.mark.parametrize("text", ["1.5", "move 1-5", "0-1"])
def test_digits_with_signs_between_them_are_no_move_number(text):
    assert replay_steps.read_step(text, "en", "fide") is None


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("pt", "lance dois três", Stepped(ReplayStep.MOVE, 23)),
        ("pt", "lance zwei drei", Stepped(ReplayStep.MOVE, 23)),
        ("en", "move two zero", Stepped(ReplayStep.MOVE, 20)),
        ("de", "Zug eins", Stepped(ReplayStep.MOVE, 1)),
        ("es", "jugada treinta y una", Stepped(ReplayStep.MOVE, 31)),
        ("es", "variante dos", Stepped(ReplayStep.VARIATION, 2)),
        ("pt", "17", Stepped(ReplayStep.MOVE, 17)),
        ("pt", "proximo xeque", Stepped(ReplayStep.NEXT_CHECK)),
        ("pt", "lances cavalo", Command(CommandName.LEGAL, Piece.KNIGHT)),
        ("en", "move list", Command(CommandName.MOVES)),
        ("en", "square e4", Command(CommandName.SQUARE, place=Place("e", "4"))),
        ("pt", "lance", None),
        ("pt", "avançar 3", None),
        ("pt", "", None),
        ("pt", "isto não é nada", None),
    ],
)
def test_what_is_said_is_read(language, text, expected):
    assert replay_steps.read_step(text, language, "fide") == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_phrase_of_every_step_can_be_heard(language):
    known = {**grammar.pronunciations("fide", language), **replay_steps.words(language).sounds}
    for step in ReplayStep:
        first = grammar.plain_phrase(replay_steps.words(language).phrases[step][0])
        assert all(word in known for word in first.split()), first
    check_sounds(replay_steps.words(language))


@pytest.mark.parametrize(("convention", "language"), [*itertools.product(conventions(), LANGUAGES)])
@pytest.mark.sweep
def test_the_grammar_takes_what_can_be_said_and_no_move(convention, language):
    text, expected = replay_steps.expectation(convention, language, 23)
    takes = taken_by(text)
    assert all(map(takes, expected))
    # What nothing else begins with ends at once: nobody waits after "next capture".
    step = replay_steps.words(language).phrases[ReplayStep.NEXT_CAPTURE][0]
    assert is_complete(grammar.plain_phrase(step), text, expected)
    assert not takes("springer felix drei")
    recogniser = PocketsphinxRecogniser(
        {**grammar.pronunciations(convention, language), **replay_steps.words(language).sounds}
    )
    recogniser.expect(text, expected)
    recogniser.close()


def test_a_language_that_there_is_none_of():
    with pytest.raises(VocabularyError, match=r"^steps/fr\.toml: step missing$"):
        replay_steps.words("fr")
