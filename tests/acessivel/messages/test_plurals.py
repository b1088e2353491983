# SPDX-License-Identifier: GPL-3.0-or-later
"""What is counted is worded by the plural rules of CLDR, in every language."""

import re
from decimal import Decimal

import pytest
from babel import Locale
from support.catalogues import fields, forms
from support.languages import LANGUAGES

from acessivel.message import Duration, Message
from acessivel.messages.plurals import category, decimal, form
from acessivel.messages.rendering import Renderer, catalogue
from voices.meaning import Piece, Place

COUNTS = (0, 1, 2, 5)
# Brazilian Portuguese has the singular for nothing as well: "0 segundo".
CATEGORIES = {"pt": ("one", "one"), "en": ("other", "one"), "de": ("other", "one"), "es": ("other", "one")}
LENGTHS = {"squares"}  # what is counted there is how many there are


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_categories_are_those_of_cldr(language):
    assert tuple(category(Decimal(n), language) for n in COUNTS) == (*CATEGORIES[language], "other", "other")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", COUNTS)
def test_each_counted_sentence_has_the_form_that_goes_with_its_number(language, count):
    rule = Locale(language).plural_form
    renderer = Renderer(language)
    counted = {key: text for key, text in catalogue(language).items() if forms(text)}
    assert len(counted) > 25
    for key, sentence in counted.items():
        values = dict.fromkeys(fields(sentence), "x") | {
            "move": "x", **{name: count for name, _ in forms(sentence)}, "piece": Piece.KNIGHT
        }  # fmt: skip
        if LENGTHS & values.keys():
            values |= {name: (Place("e", "4"),) * max(count, 1) for name in LENGTHS & values.keys()}
        text = renderer.text(Message.of(key, **values))
        for name, choice in forms(sentence):
            number = len(values[name]) if name in LENGTHS else count
            if name == "piece":
                continue
            wanted = choice.get(str(number), choice.get(rule(number), choice["other"]))
            said = re.sub(r"\{[^}]*\}", "\0", wanted).split("\0")
            assert all(part.casefold() in text.casefold() for part in said), (key, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_number_stands_before_a_word_without_a_choice_of_forms(language):
    """A sentence that counts in one language does so in all, but where a word is the same for every number."""
    same = {"de": {"passphrase_short", "same_move", "rule_increments", "rule_fivefold", "rule_same_move", "stood"}, "es": {"rule_quiet"}}  # fmt: skip
    english = {key for key, text in catalogue("en").items() if forms(text)}
    own = {key for key, text in catalogue(language).items() if forms(text)}
    assert english - own == same.get(language, set())
    assert own <= english
    for choice in (choice for text in catalogue(language).values() for _, choice in forms(text)):
        assert {"other"} <= choice.keys()
        known = Locale(language).plural_form.tags | {"other"} | set(Piece)
        assert all(name.isdigit() or name in known for name in choice)


@pytest.mark.parametrize(
    ("language", "message", "text", "spoken"),
    [
        ("pt", Message.of("time_left", colour="white", time=Duration(7_320_000)), "Brancas: 2 horas 2 minutos no relógio.", "Brancas: duas horas dois minutos no relógio."),
        ("pt", Message.of("counted", count=2, piece=Piece.QUEEN), "2 damas", "duas damas"),
        ("pt", Message.of("counted", count=1, piece=Piece.BISHOP), "1 bispo", "um bispo"),
        ("pt", Message.of("counted", count=3, piece=Piece.ROOK), "3 torres", "3 torres"),
        ("pt", Message.of("stood", count=1), "Esta posição já apareceu 1 vez, contando esta.", "Esta posição já apareceu uma vez, contando esta."),
        ("es", Message.of("hours", count=1), "1 hora", "una hora"),
        ("es", Message.of("hours", count=21), "21 horas", "21 horas"),
        ("es", Message.of("minutes", count=1), "1 minuto", "un minuto"),
        ("es", Message.of("counted", count=1, piece=Piece.ROOK), "1 torre", "una torre"),
        ("de", Message.of("hours", count=1), "1 Stunde", "eine Stunde"),
        ("de", Message.of("counted", count=1, piece=Piece.PAWN), "1 Bauer", "ein Bauer"),
        ("de", Message.of("counted", count=1, piece=Piece.QUEEN), "1 Dame", "eine Dame"),
        ("en", Message.of("hours", count=1), "1 hour", "1 hour"),
    ],
)  # fmt: skip
def test_a_voice_is_given_one_and_two_in_words_that_agree_with_what_is_counted(
    language, message, text, spoken
):
    parts = Renderer(language).parts(message)
    assert "".join(part.shown for part in parts) == "".join(part.brief for part in parts) == text
    assert "".join(part.spoken for part in parts) == spoken


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("pt", ["Ana está no lugar 1 com 0 ponto depois de 1 rodada.", "Ana está no lugar 1 com 1 ponto depois de 1 rodada.", "Ana está no lugar 1 com 2 pontos depois de 5 rodadas."]),
        ("en", ["Ana is in place 1 with 0 points after 1 round.", "Ana is in place 1 with 1 point after 1 round.", "Ana is in place 1 with 2 points after 5 rounds."]),
        ("de", ["Ana steht nach 1 Runde mit 0 Punkten auf Platz 1.", "Ana steht nach 1 Runde mit 1 Punkt auf Platz 1.", "Ana steht nach 5 Runden mit 2 Punkten auf Platz 1."]),
        ("es", ["Ana está en el puesto 1 con 0 puntos después de 1 ronda.", "Ana está en el puesto 1 con 1 punto después de 1 ronda.", "Ana está en el puesto 1 con 2 puntos después de 5 rondas."]),
    ],
)  # fmt: skip
def test_points_and_rounds(language, texts):
    renderer = Renderer(language)
    cases = [("0", 1), ("1", 1), ("2", 5)]
    told = [
        Message.of("event_place", name="Ana", rank=1, points=points, count=count) for points, count in cases
    ]
    assert [renderer.text(message) for message in told] == texts


@pytest.mark.parametrize(
    ("key", "count", "text"),
    [
        ("eval_mate", 1, "White can mate in one move."),
        ("eval_mate", 5, "White can force mate in 5 moves."),
        ("eval_pawns", 1, "White is better by about one pawn."),
        ("eval_pawns", 2, "White is better by about 2 pawns."),
        ("drill_ask_mate", 1, "White to move: mate in one."),
        ("reconcile_same", 1, "The two records agree to their end: 1 half-move."),
        ("rule_supervision", 1, "Full supervision: each blitz game has its own arbiter."),
    ],
)
def test_a_number_may_have_a_wording_of_its_own(key, count, text):
    assert Renderer("en").text(Message.of(key, colour="white", count=count)) == text


def test_halves_are_counted_too():
    assert form("one=point|other=points", 3.5, "de") == "points"
    assert form("one=ponto|other=pontos", 1.5, "pt") == "ponto"
    assert form("one=ponto|other=pontos", 0.5, "es") == "pontos"
    assert form("one=point|other=points", 1.0, "en") == "point"


def test_a_language_that_cldr_does_not_know_counts_as_english_does():
    assert [category(Decimal(n), "xx") for n in (0, 1, 2)] == ["other", "one", "other"]
    assert [category(Decimal(n), "pl") for n in (1, 2, 5)] == ["one", "few", "many"]


def test_decimals_have_the_sign_of_the_language():
    told = {language: decimal(2.5, language) for language in (*LANGUAGES, "eo", "he", "xx")}
    assert told == {"pt": "2,5", "en": "2.5", "de": "2,5", "es": "2,5", "eo": "2,5", "he": "2.5", "xx": "2.5"}
    assert decimal(3.0, "de") == "3"
