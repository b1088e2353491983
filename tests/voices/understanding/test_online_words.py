# SPDX-License-Identifier: GPL-3.0-or-later
"""The words between the games online: read in four languages, and heard with a grammar of their own."""

import itertools

import pytest
from support.languages import LANGUAGES
from support.phrase_tables import check_sounds, taken_by

from voices.grammar import grammar
from voices.meaning import Command, CommandName
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.understanding import online_words
from voices.understanding.online_words import ORDERS, OnlineOrder, OnlineWord, WantedGame
from voices.words.files import conventions


def order(word, number=None, name="", **kind):
    return OnlineOrder(word, WantedGame(**kind), number, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_is_read_as_its_order_and_no_two_are_alike(language):
    phrases = online_words.words(language).phrases
    every = [grammar.plain_phrase(phrase) for found in phrases.values() for phrase in found]
    assert len(every) == len(set(every))
    for word, phrase in [(each, phrase) for each in ORDERS for phrase in phrases[each]]:
        assert online_words.read_order(phrase, language, "fide") == OnlineOrder(word)
        assert online_words.read_order(phrase.upper(), language, "fide") == OnlineOrder(word)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "play online, fifteen ten", order(OnlineWord.SEEK, time=(15, 10))),
        ("en", "Play online 15+10 rated white", order(OnlineWord.SEEK, time=(15, 10), rated=True, colour="white")),
        ("en", "fifteen plus ten", order(None, time=(15, 10))),
        ("en", "seek ½+0", order(OnlineWord.SEEK, time=(0.5, 0))),
        ("en", "seek 1.5+0 1500-1800", order(OnlineWord.SEEK, time=(1.5, 0), ratings=(1500, 1800))),
        ("en", "play online three days casual", order(OnlineWord.SEEK, days=3, rated=False)),
        ("en", "play online ten", order(OnlineWord.SEEK, 10)),
        ("en", "challenge Thibault_2 15+10", order(OnlineWord.CHALLENGE, name="Thibault_2", time=(15, 10))),
        ("de", "Bob herausfordern 3 Tage", order(OnlineWord.CHALLENGE, name="Bob", days=3)),
        ("en", "accept Carl", order(OnlineWord.ACCEPT, name="Carl")),
        ("en", "challenge 2", order(OnlineWord.CHALLENGE, 2)),
        ("en", "challenge bob without a clock", order(OnlineWord.CHALLENGE, name="bob", unlimited=True)),
        ("en", "computer three fifteen ten", order(OnlineWord.COMPUTER, 3, time=(15, 10))),
        ("en", "watch DrNykterstein", order(OnlineWord.WATCH, name="DrNykterstein")),
        ("en", "accept 2", order(OnlineWord.ACCEPT, 2)),
        ("en", "3", order(None, 3)),
        ("en", "twenty one", order(None, 21)),
        ("en", "stop", Command(CommandName.STOP)),
        ("en", "faster", Command(CommandName.FASTER)),
        ("pt", "jogar online, quinze dez", order(OnlineWord.SEEK, time=(15, 10))),
        ("pt", "cinco mais três", order(None, time=(5, 3))),
        ("pt", "vinte e um zero", order(None, time=(21, 0))),
        ("pt", "jogar online trinta mais vinte valendo pontos pretas", order(OnlineWord.SEEK, time=(30, 20), rated=True, colour="black")),
        ("pt", "assistir a uma partida", order(OnlineWord.WATCH)),
        ("de", "online spielen fünfzehn zehn", order(OnlineWord.SEEK, time=(15, 10))),
        ("de", "online spielen drei Tage", order(OnlineWord.SEEK, days=3)),
        ("de", "fünfundzwanzig", order(None, 25)),
        ("es", "jugar en línea quince más diez", order(OnlineWord.SEEK, time=(15, 10))),
        ("es", "desafiar a maria", order(OnlineWord.CHALLENGE, name="maria")),
        ("en", "drei", order(None, 3)),
        ("en", "play online sometime", None),
        ("en", "challenge one two bob alice", None),
        ("en", "days", None),
        ("en", "e4", None),
        ("en", "resign", None),
        ("en", "", None),
    ],
)  # fmt: skip
def test_what_is_said_is_read(language, text, expected):
    assert online_words.read_order(text, language, "fide") == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_phrase_of_every_order_can_be_heard(language):
    table = online_words.words(language)
    known = {**grammar.pronunciations("fide", language), **table.sounds}
    for word in OnlineWord:
        first = grammar.plain_phrase(table.phrases[word][0])
        assert all(part in known for part in first.split()), first
    check_sounds(table)


@pytest.mark.parametrize(("convention", "language"), [*itertools.product(conventions(), LANGUAGES)])
@pytest.mark.sweep
def test_the_grammar_takes_what_can_be_said_and_no_move(convention, language):
    text, expected = online_words.expectation(convention, language, 9)
    takes = taken_by(text)
    assert all(map(takes, expected))
    assert not takes("springer felix drei")
    for phrase in expected:
        read = online_words.read_order(phrase, language, convention)
        assert read or phrase in grammar.answers(convention, language), phrase
    recogniser = PocketsphinxRecogniser(
        {**grammar.pronunciations(convention, language), **online_words.words(language).sounds}
    )
    recogniser.expect(text, expected)
    recogniser.close()
