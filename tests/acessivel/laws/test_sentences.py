# SPDX-License-Identifier: GPL-3.0-or-later
"""Every ruling and every rule is said in four languages, for the eye, the ear and the finger, with its article."""

import itertools
from importlib import resources

import pytest
import tomli
from support.languages import LANGUAGES

from acessivel.commands.laws import words
from acessivel.laws import draw_claims, game_end, irregularities, topics, touch
from acessivel.laws.draw_claims import Claim
from acessivel.laws.editions import EDITIONS, TEMPOS, edition, read
from acessivel.laws.game_end import QuickplayClaim
from acessivel.laws.irregularities import Irregularity
from acessivel.laws.lateness import late
from acessivel.laws.ruling import Ruling, edition_name
from acessivel.messages.rendering import Renderer, catalogue
from braille.notation import load_code

CAN_MATE = ("yes", "no", "undecided")
KING, ROOK = touch.Touched("e1", own=True, piece="king"), touch.Touched("h1", own=True, piece="rook")
CASTLING = touch.Legal("e1g1", "e1", rook="h1")
STEP, TAKES = touch.Legal("e1e2", "e1"), touch.Legal("e1d2", "e1", captured="d2")
ELSEWHERE = touch.Legal("a2a3", "a2")


def books():
    for name, tempo, supervised in itertools.product(EDITIONS, TEMPOS, (True, False)):
        yield edition(name).rules(tempo, supervised=supervised)


def irregular(rules):
    for before, can_mate, by, since in itertools.product(
        range(3), CAN_MATE, ("opponent", "arbiter"), ("nothing", "touched", "moved")
    ):
        found = Irregularity("white", before, can_mate, by, since)
        yield irregularities.illegal_move(rules, found)
        yield irregularities.promotion_missed(rules, found, "e7e8")
        yield irregularities.pressed_without_move(rules, found)
        yield irregularities.two_hands(rules, found)
    for done in (True, False):
        yield irregularities.illegal_position(rules, next_move_completed=done)
    for moves in (0, 40):
        yield irregularities.colours_reversed(rules, moves)
        yield irregularities.wrong_start(rules, moves)
        yield irregularities.wrong_board(rules, moves)
        yield irregularities.wrong_clock(rules, moves)
    for number in (5, None):
        yield irregularities.restored(rules, number)
        yield irregularities.displaced_found(rules, number)
    yield irregularities.displaced(rules, "white")
    for colour in ("white", ""):
        yield irregularities.clock_stopped(rules, colour)
    yield irregularities.check_not_announced(rules, "white")


def drawn(rules):
    for done, to_move, intended, left_ms, many in itertools.product(
        ("nothing", "touched", "moved"), (True, False), (None, "g1f3"), (None, 200_000), (True, False)
    ):
        claim = Claim("white", to_move, done, intended, left_ms)
        yield draw_claims.threefold(rules, claim, 3 if many else 2)
        yield draw_claims.fifty(rules, claim, 100 if many else 99)
    yield draw_claims.automatic(rules, 5, 0)
    yield draw_claims.automatic(rules, 1, 150)
    yield draw_claims.same_move(rules, "white", 6)


def touched(rules):
    cases = [
        ((STEP, ELSEWHERE), (KING,), False),
        ((STEP, TAKES), (KING, touch.Touched("d2", own=False)), False),
        ((TAKES,), (touch.Touched("d2", own=False),), False),
        ((ELSEWHERE,), (KING,), False),
        ((CASTLING, STEP), (KING, ROOK), False),
        ((CASTLING, STEP), (ROOK, KING), False),
        ((STEP,), (KING, ROOK), True),
        ((ELSEWHERE,), (KING, ROOK), False),
    ]
    for legal, pieces, at_once in cases:
        yield touch.binding(rules, legal, pieces, at_once=at_once).ruling
    for yes in (True, False):
        yield touch.adjust(rules, to_move=yes)
        for asked in (True, False):
            yield touch.broken(rules, asked=asked, claimant_touched=yes)


def ended(rules):
    for can_mate in CAN_MATE:
        yield game_end.dead(rules, can_mate)
        for caller, time in itertools.product(("arbiter", "player"), (True, False)):
            yield game_end.flag(rules, "white", can_mate, called_by=caller, claimant_has_time=time)
        yield game_end.flag(rules, "white", can_mate, postponed=True)
    yield game_end.checkmate(rules, "white")
    yield game_end.stalemate(rules)
    yield game_end.resignation(rules, "white")
    yield game_end.leaving(rules, "white")
    for moves, minimum in ((0, 0), (1, 30), (30, 30)):
        yield game_end.agreement(rules, moves, moves, minimum)
    for yes in (True, False):
        yield game_end.both_flags(rules, last_period=yes)
    for left_ms, last, turn in itertools.product((60_000, 300_000), (True, False), (True, False)):
        claim = QuickplayClaim("white", left_ms, last, turn)
        decided = () if game_end.no_quickplay(rules, claim) else ("draw", "rejected", "postponed")
        for decision in ("open", *decided):
            yield game_end.quickplay(rules, claim, decision)
        for ground, sheet in itertools.product(("cannot_win", "no_effort"), (True, False)):
            yield game_end.quickplay_without_arbiter(rules, claim, ground, sheet_complete=sheet)
    for absent, allowed in itertools.product((("white",), ("white", "black")), (None, 0, 600_000)):
        for arbiter in (True, False):
            yield late(rules, absent, 60_000, allowed, arbiter_present=arbiter)


def rulings():
    for rules in books():
        for made in (irregular, drawn, touched, ended):
            yield from filter(None, made(rules))


RULINGS = tuple(dict.fromkeys(rulings()))
ONE_OF_EACH = tuple({(ruling.key, ruling.edition): ruling for ruling in RULINGS}.values())


def test_every_sentence_of_a_ruling_is_ruled_somewhere():
    path = resources.files("acessivel").joinpath("messages/pt/laws.toml")
    keys = tomli.loads(path.read_text("utf-8")).keys()
    others = ("rule_", "topic_", "also_", "laws_", "cite_", "edition_", "offence_")
    parts = {"ruling", "half", "late_allowed", "late_none_allowed"}
    wanted = {key for key in keys if not key.startswith(others)} - parts
    assert {ruling.key for ruling in RULINGS} == wanted


def told(message, language):
    renderer = Renderer(language)
    text = renderer.text(message)
    assert "{" not in text
    assert "Message(" not in text
    assert "\n" not in text
    assert text.endswith(".")
    assert "  " not in text
    spoken = renderer.spans((message,))
    assert spoken
    assert all(span.language in LANGUAGES for span in spoken)
    code = load_code(f"{language}8")
    assert all(code.text(part.brief) or not part.brief for part in renderer.parts(message))
    return text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_said_with_its_article(language):
    for ruling in ONE_OF_EACH:
        text = told(ruling.message(), language)
        article = ruling.article.removeprefix("guidelines ")
        assert article == "preface" or article in text, ruling
        year = ruling.edition.rpartition("-")[2]
        assert year == "br" or year in text, ruling


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_topic_is_said(language, name):
    for topic in topics.all_topics():
        rules = topics.rule(topic, edition(name))
        assert rules
        assert len({told(message, language) for message in rules}) == len(rules)


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.key)
def test_what_a_ruling_holds_together(ruling: Ruling):
    if ruling.result:
        assert not ruling.times
        assert not ruling.must_play or ruling.key.startswith("touch")
        assert not ruling.for_arbiter
        assert not ruling.new_game
    assert all(colour in ("white", "black") and ms for colour, ms in ruling.times)
    hash(ruling)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_topics_have_names_of_their_own(language):
    names = {topic: catalogue(language)[f"topic_{topic}"] for topic in topics.all_topics()}
    assert len(set(names.values())) == len(names)
    known = words(language)
    for topic, local in names.items():
        assert topics.named(local.upper(), known) == topic
        assert topics.named(topic, known) == topic
    assert topics.named("no such topic", known) is topics.named("", known) is None


@pytest.mark.parametrize(
    ("language", "said", "topic"),
    [
        ("pt", "bandeira", "flag"),
        ("pt", "Afogamento", "dead"),
        ("pt", "empate", "agreement"),
        ("en", "stalemate", "dead"),
        ("de", "Patt", "dead"),
        ("es", "tablas", "agreement"),
    ],
)
def test_a_topic_is_found_by_everyday_words(language, said, topic):
    assert topics.named(said, words(language)) == topic


def rule_keys(topic, name):
    return [dict(message.values)["sentence"].key for message in topics.rule(topic, edition(name))]


@pytest.mark.parametrize(
    ("topic", "name", "wanted"),
    [
        ("late", "fide-2001", ["rule_late"]),
        ("late", "fide-2009", ["rule_late_none"]),
        ("late", "fide-2018", ["rule_late_event"]),
        ("check", "fide-2001", ["rule_check_silent"]),
        ("check", "fide-2018", ["rule_silent"]),
        ("check", "escolar-br", ["rule_check_said"]),
        ("promotion", "fide-2009", ["rule_promotion_illegal", "rule_promotion_choice"]),
        ("repetition", "fide-2009", ["rule_threefold", "rule_identity_king"]),
        ("repetition", "fide-2018", ["rule_threefold", "rule_identity_king_or_rook", "rule_fivefold"]),
        ("repetition", "escolar-br", ["rule_same_move"]),
        ("both_flags", "fide-2018", ["rule_silent"]),
        ("claims", "fide-2001", ["rule_claim_written", "rule_claim_move", "rule_claim_wrong", "rule_claim_halves"]),
        ("claims", "fide-2018", ["rule_claim_fixed", "rule_claim_touch", "rule_claim_wrong", "rule_blitz_penalty"]),
        ("supervision", "fide-2001", ["rule_silent"]),
        ("supervision", "fide-2009", ["rule_supervision", "rule_supervision"]),
        ("controls", "desporto-escolar-2022", ["rule_controls", "rule_rounds"]),
    ],
)  # fmt: skip
def test_a_topic_is_told_from_the_edition_s_data(topic, name, wanted):
    assert rule_keys(topic, name) == wanted
    assert (topic in topics.topics(edition(name))) == (wanted != ["rule_silent"])


@pytest.mark.parametrize(
    ("name", "article"), [("fide-2001", "B8"), ("fide-2009", "A.4d3"), ("fide-2018", None)]
)
def test_the_topic_of_the_flag_tells_what_follows_if_both_are_down(name, article):
    said = [Renderer("en").text(message) for message in topics.rule("flag", edition(name))]
    drawn = [sentence for sentence in said if "With both flags down it is a draw." in sentence]
    assert len(drawn) == (2 if article else 0)  # in rapid and in blitz
    assert all(f"Article {article}," in sentence for sentence in drawn)


def test_what_differs_in_rapid_and_blitz_follows():
    said = [Renderer("en").text(message) for message in topics.rule("illegal", edition("fide-2009"))]
    assert said[1] == (
        "A player's first and second illegal moves each give the opponent 2 minutes more; "
        "the third loses the game. Article 7.4b, FIDE Laws of 2009."
    )
    assert said[-3] == (
        "In blitz without full supervision. The first illegal move loses the game. "
        "Article B.3c, FIDE Laws of 2009."
    )


def test_what_differs_only_under_full_supervision_is_told(tmp_path):
    for file in resources.files("acessivel.laws").joinpath("editions").iterdir():
        text = file.read_text("utf-8").replace("[rapid]\n", '[rapid]\nillegal = ["loss"]\n')
        (tmp_path / file.name).write_text(text, "utf-8")
    said = [Renderer("en").text(message) for message in topics.rule("illegal", read(tmp_path, "fide-2018"))]
    assert said[3].startswith("In rapid play. The first illegal move loses the game. Article 7.5.5,")


def test_the_draw_instead_of_a_loss_in_the_blitz_of_2001_is_told():
    said = [Renderer("en").text(message) for message in topics.rule("illegal", edition("fide-2001"))]
    drawn = [sentence for sentence in said if "It is a draw instead of a loss" in sentence]
    assert len(drawn) == 1
    assert drawn[0].startswith("In blitz.")
    assert "Article C3," in drawn[0]


@pytest.mark.parametrize(
    ("ruling", "language", "wanted"),
    [
        (
            Ruling("claim_fifty_right", "9.5.2", "fide-2018"),
            "de",
            "50 Züge beider ohne Schlagen und ohne Bauernzug: remis. Artikel 9.5.2, FIDE-Regeln von 2018.",
        ),
        (
            Ruling("late_arbiter", "preface", "fide-2018"),
            "pt",
            (
                "O regulamento do torneio não diz quanto atraso é permitido: o árbitro decide. "
                "Prefácio, Leis da FIDE de 2018."
            ),
        ),
        (
            Ruling("agreed", "guidelines 6", "fide-2009"),
            "en",
            "Draw by agreement. Point 6 of the guidelines for adjourned games, FIDE Laws of 2009.",
        ),
        (
            Ruling("check_free", "Observação", "escolar-br"),
            "es",
            "No hace falta anunciar el jaque. Sección Observação, reglas escolares de Brasil.",
        ),
    ],
)
def test_how_a_ruling_reads(ruling, language, wanted):
    assert Renderer(language).text(ruling.message()) == wanted


@pytest.mark.parametrize(("name", "language"), [("escolar-br", "pt"), ("fide-2018", "en")])
def test_a_heading_is_spoken_in_the_language_of_its_edition(name, language):
    ruling = Ruling("check_free", "Observação", name)
    spans = Renderer("es").spans((ruling.message(),))
    assert [(span.language, span.text) for span in spans if span.language != "es"] == [
        (language, "Observação,")
    ]


def test_an_edition_without_a_name_of_its_own_is_not_told_as_another():
    with pytest.raises(KeyError):
        Renderer("en").text(edition_name("club-2030"))
