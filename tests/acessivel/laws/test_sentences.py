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
from acessivel.laws.editions import TEMPOS, edition, editions, read
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
    for name, tempo, supervised in itertools.product(editions(), TEMPOS, (True, False)):
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
    yield draw_claims.same_move(rules, "white", 6)


def touched(rules):
    cases = [
        ((STEP, ELSEWHERE), (KING,)),
        ((STEP, TAKES), (KING, touch.Touched("d2", own=False))),
        ((TAKES,), (touch.Touched("d2", own=False),)),
        ((ELSEWHERE,), (KING,)),
        ((CASTLING, STEP), (KING, ROOK)),
        ((CASTLING, STEP), (ROOK, KING)),
        ((STEP,), (KING, ROOK)),
        ((ELSEWHERE,), (KING, ROOK)),
    ]
    for legal, pieces in cases:
        yield touch.binding(rules, legal, pieces).ruling
    for yes in (True, False):
        yield touch.adjust(rules, to_move=yes)


def ended(rules):
    for can_mate in CAN_MATE:
        for caller, time in itertools.product(("arbiter", "player"), (True, False)):
            yield game_end.flag(rules, "white", can_mate, called_by=caller, claimant_has_time=time)
        yield game_end.flag(rules, "white", can_mate, postponed=True)
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
        for ground in ("cannot_win", "no_effort"):
            yield game_end.quickplay_without_arbiter(rules, claim, ground)
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
@pytest.mark.parametrize("name", editions())
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


# What the documents say, where they differ: topic, tempo ("" for standard play), sentence, and the article in 2001, 2009,
# 2014, 2018 (and in Portuguese school sport, whose Laws these are) and the Brazilian school rules, "" where it is not said.
TOLD = [
    ("tempo", "", "Blitz: less than 15 minutes each.", "C1", "B.1", "", "", ""),
    ("tempo", "", "Blitz: up to 10 minutes each.", "", "", "B.1", "B.1", ""),
    ("tempo", "", "Rapid: longer than blitz, up to 1 hour each. Anything longer is standard play.", "B1", "", "", "", ""),
    ("tempo", "", "Rapid: longer than blitz, but less than 1 hour each. Anything longer is standard play.", "", "A.1", "A.1", "A.1", ""),
    ("tempo", "", "The increment counts 60 times.", "", "A.1", "A.1", "A.1", ""),
    ("supervision", "", "Full supervision: one arbiter watches 3 rapid games at most.", "", "A.3", "A.3.1", "A.3.1", ""),
    ("supervision", "", "Full supervision: each blitz game has its own arbiter.", "", "B.2", "B.3.1", "B.3.1", ""),
    ("touch", "", "A player who touches their own pieces moves the first of them that can move.", "4.3a", "4.3a", "4.3.1", "4.3.1", ""),
    ("touch", "", "A player who has moved one of their own pieces as if to play it must play it, if that is allowed.", "", "", "", "", "Regra da peça tocada"),
    ("touch", "rapid", "The arbiter acts on touched pieces only when a player asks for it.", "B5a", "A.4b", "", "", ""),
    ("touch", "blitz", "The arbiter acts on touched pieces only when a player asks for it.", "B5a", "A.4b", "", "", ""),
    ("check", "", "A check does not have to be announced.", "3.8b", "", "", "", ""),
    ("check", "", "A check must be announced.", "", "", "", "", "Término da partida"),
    ("late", "", "A player who comes more than 1 hour late loses, unless the event or the arbiter rules otherwise.", "6.7", "", "", "", ""),
    ("late", "", "A player who comes after the start loses, unless the event says otherwise.", "", "6.6a", "", "", ""),
    ("late", "", "The event has to say how late a player may come; a player who comes later loses, unless the arbiter rules otherwise.", "", "", "6.7a", "6.7.1", ""),
    ("clock", "", "A move is completed by pressing the clock, or when it ends the game.", "6.8a", "6.7a", "", "", "Regras xadrez"),
    ("clock", "", "A move is completed by pressing the clock, when it ends the game, or when the same player makes the next move.", "", "", "6.2a", "6.2.1", ""),
    ("flag", "", "A player who does not complete the moves in time loses; it is a draw if the opponent cannot mate by any series of legal moves.", "6.10", "6.9", "6.9", "6.9", ""),
    ("flag", "", "A player who runs out of time loses.", "", "", "", "", "Término da partida"),
    ("flag", "rapid", "A flag counts as fallen only when a player claims it; the arbiter does not point it out.", "B6", "A.4d1", "", "", ""),
    ("flag", "blitz", "A flag counts as fallen only when a player claims it; the arbiter does not point it out.", "B6", "A.4d1", "", "", ""),
    ("flag", "rapid", "An arbiter who sees a flag fall points it out too; here the program does, and that ends the game.", "", "", "A.4.5", "A.4.5", ""),
    ("flag", "blitz", "An arbiter who sees a flag fall points it out too; here the program does, and that ends the game.", "", "", "A.4.5", "A.4.5", ""),
    ("flag", "rapid", "The player who claims it stops the clock, and must have time left.", "B7", "A.4d2", "A.4.3", "A.4.3", ""),
    ("both_flags", "", "If both flags fall and nobody knows which fell first, the game goes on as long as another period follows.", "6.12", "6.11a", "6.11a", "", ""),
    ("both_flags", "", "In the last period that is a draw.", "10.3", "6.11b", "6.11b", "", ""),
    ("both_flags", "rapid", "With both flags down it is a draw.", "B8", "A.4d3", "", "", ""),
    ("illegal", "", "A player's first and second illegal moves each give the opponent 2 minutes more; the third loses the game.", "7.4b", "7.4b", "", "", ""),
    ("illegal", "", "A player's first illegal move gives the opponent 2 minutes more; the second loses the game.", "", "", "7.5b", "7.5.5", ""),
    ("illegal", "", "There is no penalty.", "", "", "", "", "Movimento ilegal"),
    ("illegal", "rapid", "The first illegal move loses the game.", "", "", "A.4.2", "A.4.2", ""),
    ("illegal", "blitz", "The first illegal move loses the game.", "C3", "B.3c", "A.4.2", "A.4.2", ""),
    ("illegal", "", "It is a draw instead of a loss if the opponent cannot mate by any series of legal moves.", "", "7.4b", "7.5b", "7.5.5", ""),
    ("illegal", "rapid", "A player can claim an illegal move only before touching a piece.", "B5b", "", "", "", ""),
    ("illegal", "rapid", "An illegal move can be claimed only until the opponent has made the next move; after that it stands.", "", "A.4c", "A.4.2", "A.4.2", ""),
    ("illegal", "rapid", "The arbiter acts only after a claim.", "", "A.4c", "", "", ""),
    ("illegal", "blitz", "The arbiter acts only after a claim.", "C3", "B.3c", "", "", ""),
    ("illegal", "", "In blitz these penalties are 1 minute.", "", "", "B.2", "B.2", ""),
    ("promotion", "", "A pawn left on the last rank when the clock is pressed is an illegal move.", "3.7e", "7.4a", "", "", ""),
    ("promotion", "", "A pawn left on the last rank when the clock is pressed is an illegal move, and becomes a queen.", "", "", "7.5a", "7.5.2", ""),
    ("promotion", "", "A pawn left on the last rank must be promoted.", "", "", "", "", "Ato de mover as peças"),
    ("press", "", "The clock must be used properly; the arbiter decides on misuse.", "6.8b", "6.7c", "6.2c", "", ""),
    ("press", "", "Pressing the clock without making a move counts as an illegal move.", "", "", "", "7.5.3", ""),
    ("press", "", "A move is made with one hand only.", "4.1", "4.1", "6.2b", "", "Ato de mover as peças"),
    ("press", "", "A move made with both hands counts as an illegal move.", "", "", "", "7.5.4", ""),
    ("setup", "", "With reversed colours the game goes on, unless the arbiter rules otherwise.", "7.2", "7.2", "7.3", "", ""),
    ("setup", "", "With reversed colours the game begins again if both have completed fewer than 10 moves; after that it goes on.", "", "", "", "7.3", ""),
    ("setup", "rapid", "After 3 moves by each side nothing can be claimed about pieces, board or clock. A king that began on the queen's square may not castle.", "B4", "A.4a", "", "", ""),
    ("setup", "rapid", "After 10 moves by each side nothing can be claimed about pieces, board or clock. There is no castling with a king or rook that began on a wrong square.", "", "", "A.4.1.2", "A.4.1.2", ""),
    ("record", "", "With less than 5 minutes left and no increment of at least 30 seconds, nothing has to be written down until the period ends.", "8.4", "8.4", "8.4", "8.4", ""),
    ("record", "", "In rapid and blitz nothing has to be written down.", "B3", "A.2", "A.2", "A.2", ""),
    ("agreement", "", "The players may agree to a draw during the game.", "5.2c", "5.2c", "5.2c", "", ""),
    ("agreement", "", "The players may agree to a draw when both have made at least one move.", "", "", "", "5.2.3", ""),
    ("agreement", "", "An event may forbid agreeing to a draw before a number of moves, or altogether.", "", "9.1a", "9.1.1", "9.1.1", ""),
    ("repetition", "", "When the same position appears 5 times, it is a draw without a claim.", "", "", "9.6a", "9.6.1", ""),
    ("repetition", "", "The game ends when a player makes the same move more than 5 times in a row.", "", "", "", "", "Término da partida"),
    ("fifty", "", "After 75 such moves by each side it is a draw without a claim, unless the last move mates.", "", "", "9.6b", "9.6.2", ""),
    ("claims", "", "A player who makes the move can no longer claim.", "9.4", "", "", "", ""),
    ("claims", "", "A player who touches a piece can no longer claim on this move.", "", "9.4", "9.4", "9.4", ""),
    ("claims", "", "An incorrect claim gives the opponent 3 minutes more, and a move with which it was made must be played.", "9.5b", "9.5b", "", "", ""),
    ("claims", "", "An incorrect claim gives the opponent 2 minutes more, and a move with which it was made must be played.", "", "", "9.5.3", "9.5.3", ""),
    ("claims", "", "In blitz these penalties are 1 minute.", "", "", "B.2", "B.2", ""),
    ("quickplay", "blitz", "There is no such claim.", "C4", "B.3b", "", "", ""),
]  # fmt: skip
TOLD_BY = ("fide-2001", "fide-2009", "fide-2014", "fide-2018", "escolar-br")


@pytest.mark.parametrize(("topic", "tempo", "sentence", "articles"), [(*row[:3], row[3:]) for row in TOLD])
def test_an_edition_tells_what_its_document_says(topic, tempo, sentence, articles):
    wanted = {**dict(zip(TOLD_BY, articles, strict=True)), "desporto-escolar-2022": articles[3]}
    for name, article in wanted.items():
        where = {"rapid": "In rapid play", "blitz": "In blitz"}.get(tempo, "")
        alone = " without full supervision" if where and name != "fide-2001" else ""
        said = f"{where}{alone}. {sentence}" if where else sentence
        lines = [Renderer("en").text(message) for message in topics.rule(topic, edition(name))]
        cited = [line.removeprefix(said).split(", ")[0] for line in lines if line.startswith(f"{said} ")]
        kind = "Section" if name == "escolar-br" else "Article"
        assert cited == ([f" {kind} {article}"] if article else []), name


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
