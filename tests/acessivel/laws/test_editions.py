# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of each edition against its document, row by row, and what an edition's file may not be."""

from importlib import resources
from pathlib import Path

import pytest

from acessivel.clock.time_control import TimeControl
from acessivel.laws.editions import TEMPOS, TOPICS, EditionError, Points, edition, editions, read
from acessivel.settings.settings import SETTINGS

MINUTE = 60_000
HOUR = 60 * MINUTE
FIDE = ("fide-2001", "fide-2009", "fide-2014", "fide-2018")

# What is read in the documents, edition by edition: 2001, 2009, 2014, 2018.
STANDARD = {
    "late_ms": (HOUR, 0, 0, 0),  # 6.7; 6.6a; 6.7a and 6.7.1 leave it to the event
    "late_by_event": (False, False, True, True),
    "late_arbiter": (True, False, True, True),
    "complete_by_next_move": (False, False, True, True),  # 6.8a; 6.7a; 6.2a; 6.2.1
    "flag_called_by": ("anyone",) * 4,  # 6.9; 6.8; 6.8; 6.8
    "flag_draw": (True,) * 4,  # 6.10; 6.9; 6.9; 6.9
    "both_flags": ("period", "period", "period", "arbiter"),  # 6.12 and 10.3; 6.11; 6.11; not in the text
    "quickplay": (True, True, False, False),  # 10; 10
    "agreement_moves": (0, 0, 0, 1),  # 5.2c; 5.2c; 5.2c; 5.2.3
    "agreement_limits": (False, True, True, True),  # 9.1; 9.1a; as 2018; 9.1.1
    "claim_until": ("move", "touch", "touch", "touch"),  # 9.4
    "claim_fixed": (False, False, True, True),  # 9.2, 9.3; as 2018; 9.2.1.1, 9.3.1
    "castling_identity": ("altered", "king", "king_or_rook", "king_or_rook"),  # 9.2; 9.2; 9.2.2.2
    "wrong_claim_ms": (3 * MINUTE, 3 * MINUTE, 2 * MINUTE, 2 * MINUTE),  # 9.5b; 9.5b; 9.5.3
    "wrong_claim_halves": (True, False, False, False),  # 9.5b
    "repetitions": (0, 0, 5, 5),  # 9.6a; 9.6.1
    "quiet_moves": (0, 0, 75, 75),  # 9.6b; 9.6.2
    "illegal": (("time", "time", "loss"), ("time", "time", "loss"), ("time", "loss"), ("time", "loss")),
    "illegal_draw": (False, True, True, True),  # 7.4b; 7.4b; 7.5b; 7.5.5
    "penalty_ms": (2 * MINUTE,) * 4,
    "promotion": ("illegal", "illegal", "queen", "queen"),  # 3.7e; 7.4a; 7.5a; 7.5.2
    "pressed": ("arbiter", "arbiter", "arbiter", "illegal"),  # 6.8b; 6.7c; 6.2c; 7.5.3
    "two_hands": ("arbiter", "arbiter", "arbiter", "illegal"),  # 4.1; 4.1; 6.2b; 7.5.4
    "colours_moves": (0, 0, 0, 10),  # 7.2; 7.2; 7.3; 7.3
    "colours_arbiter": (True, True, True, False),
    "promotion_named": (False, True, True, True),  # F2.1; E.1.1
    "long_notation": (False, False, True, True),  # C.8, 2018
    "record_under_ms": (5 * MINUTE,) * 4,  # 8.4
    "record_increment_ms": (30_000,) * 4,
    "adjourn_late_ms": (HOUR,) * 4,  # A10; guideline 10
    "setup_moves": (0,) * 4,
    "record": (True,) * 4,
    "announce_check": (False,) * 4,  # 3.8b
    "same_moves": (0,) * 4,
}


@pytest.mark.parametrize("field", STANDARD)
def test_standard_play_side_by_side(field):
    found = tuple(getattr(edition(name).rules(), field) for name in FIDE)
    assert found == STANDARD[field]


# tempo, supervised, field: 2001 (which knows no supervision), 2009, 2018.
FAST = [
    ("rapid", True, "supervised_games", (0, 3, 3)),  # A.3; A.3.1.1
    ("blitz", True, "supervised_games", (0, 1, 1)),  # B.2; B.3.1.1
    ("rapid", True, "supervised_record", (False, False, True)),  # A.3.1.2
    ("rapid", False, "setup_moves", (3, 3, 10)),  # B4; A.4a; A.4.1
    ("rapid", True, "setup_moves", (3, 0, 0)),  # B4; A.3; A.3.1
    (
        "rapid",
        False,
        "setup_castling",
        ("king_and_queen", "king_and_queen", "misplaced"),
    ),  # B4; A.4a; A.4.1.2
    ("rapid", False, "touch_unasked", (False, False, True)),  # B5a; A.4b
    ("rapid", False, "illegal", (("time", "time", "loss"), ("time", "time", "loss"), ("loss",))),  # A.4.2
    ("rapid", True, "illegal", (("time", "time", "loss"), ("time", "time", "loss"), ("time", "loss"))),
    ("rapid", False, "illegal_until", ("touch", "move", "move")),  # B5b; A.4c; A.4.2
    ("rapid", True, "illegal_until", ("touch", "end", "end")),
    ("rapid", False, "illegal_unasked", (True, False, True)),  # A.4c; A.4.2
    ("rapid", False, "flag_called_by", ("players", "players", "anyone")),  # B6; A.4d1; A.4.5
    ("rapid", False, "flag_needs_time", (True, True, True)),  # B7; A.4d2; A.4.3
    ("rapid", False, "both_flags", ("draw", "draw", "arbiter")),  # B8; A.4d3
    ("rapid", False, "promotion_seen", ("acts", "acts", "waits")),  # A.4c; A.4.4
    ("rapid", True, "record", (False, False, False)),  # B3; A.2; A.2
    ("rapid", False, "quickplay", (True, True, False)),
    ("blitz", False, "illegal", (("loss",), ("loss",), ("loss",))),  # C3; B.3c; B.4 and A.4.2
    ("blitz", True, "illegal", (("loss",), ("time", "time", "loss"), ("time", "loss"))),  # C3; B.2; B.3.1
    ("blitz", False, "illegal_draw", (True, True, True)),  # C3; B.3c; A.4.2
    ("blitz", False, "illegal_until", ("move", "move", "move")),
    ("blitz", False, "quickplay", (False, False, False)),  # C4; B.3b
    ("blitz", True, "quickplay", (False, True, False)),
    ("blitz", True, "penalty_ms", (2 * MINUTE, 2 * MINUTE, MINUTE)),  # B.2, 2018
    ("blitz", True, "wrong_claim_ms", (3 * MINUTE, 3 * MINUTE, MINUTE)),  # B.2, 2018
    ("blitz", True, "record", (False, False, False)),
]


@pytest.mark.parametrize(("tempo", "supervised", "field", "wanted"), FAST)
def test_rapid_and_blitz_side_by_side(tempo, supervised, field, wanted):
    names = ("fide-2001", "fide-2009", "fide-2018")
    found = tuple(getattr(edition(name).rules(tempo, supervised=supervised), field) for name in names)
    assert found == wanted


TEMPO = [
    # minutes, seconds a move: 2001, 2009, 2018
    (10, 0, ("blitz", "blitz", "blitz")),  # C1; B.1; B.1: 10 minutes or less
    (10.5, 0, ("blitz", "blitz", "rapid")),  # A.1, 2018: more than 10
    (14, 0, ("blitz", "blitz", "rapid")),
    (15, 0, ("rapid", "rapid", "rapid")),  # B1; A.1: at least 15
    (5, 5, ("blitz", "blitz", "blitz")),  # 10 minutes with 60 increments
    (10, 5, ("blitz", "rapid", "rapid")),  # 15 minutes with 60 increments; 2001 does not count them
    (15, 5, ("rapid", "rapid", "rapid")),
    (59, 0, ("rapid", "rapid", "rapid")),
    (60, 0, ("rapid", "standard", "standard")),  # B1: 15 to 60
    (30, 30, ("rapid", "standard", "standard")),
    (90, 30, ("standard", "standard", "standard")),
]


@pytest.mark.parametrize(("minutes", "seconds", "wanted"), TEMPO)
def test_the_tempo_follows_from_the_edition_s_limits(minutes, seconds, wanted):
    control = TimeControl.parse(f"{minutes}+{seconds}" if seconds else str(minutes))
    assert tuple(edition(name).tempo(control) for name in ("fide-2001", "fide-2009", "fide-2018")) == wanted


def test_all_periods_count_for_the_tempo():
    assert edition("fide-2018").tempo(TimeControl.parse("40/40+20")) == "standard"
    assert edition("fide-2018").tempo(TimeControl.parse("20/40+10")) == "rapid"


def test_without_a_clock_play_is_standard():
    assert edition("fide-2018").tempo(None) == "standard"


ARTICLES = [
    # topic: 2001, 2009, 2014, 2018, each as the document numbers it
    ("late", ("6.7", "6.6a", "6.7a", "6.7.1")),
    ("complete", ("6.8a", "6.7a", "6.2a", "6.2.1")),
    ("flag", ("6.10", "6.9", "6.9", "6.9")),
    ("mate", ("5.1a", "5.1a", "5.1a", "5.1.1")),
    ("dead", ("9.6", "9.6", "5.2b", "5.2.2")),
    ("agreement", ("5.2c", "5.2c", "5.2c", "5.2.3")),
    ("illegal", ("7.4a", "7.4a", "7.5a", "7.5.1")),
    ("illegal_penalty", ("7.4b", "7.4b", "7.5b", "7.5.5")),
    ("colours", ("7.2", "7.2", "7.3", "7.3")),
    ("start", ("7.1a", "7.1a", "7.2a", "7.2.1")),
    ("threefold", ("9.2", "9.2", "9.2.1", "9.2.1")),
    ("claim_wrong", ("9.5b", "9.5b", "9.5.3", "9.5.3")),
    ("touch_claim", ("4.6", "4.7", "4.8", "4.8")),
    ("score", ("11.1", "11.1", "10.1", "10.1")),
    ("arbiter", ("13.4", "13.4", "12.9", "12.9")),
    ("blind", ("F2", "E.1", "E.1", "E.1")),
    ("adjourn_late", ("A10", "guidelines 10", "guidelines 10", "guidelines 10")),
    ("both_flags", ("6.12", "6.11a", "6.11a", "preface")),
    ("quickplay_alone", ("D1", "D.1", "preface", "preface")),
]


@pytest.mark.parametrize(("topic", "wanted"), ARTICLES)
def test_articles_are_cited_as_each_document_numbers_them(topic, wanted):
    assert tuple(edition(name).article(topic) for name in FIDE) == wanted


def test_what_2014_does_not_say_is_cited_from_2018_and_the_blind_from_2009():
    rules = edition("fide-2014").rules()
    assert rules.cite("threefold") == ("9.2.1", "fide-2018")
    assert rules.cite("illegal") == ("7.5a", "fide-2014")
    assert rules.cite("blind") == ("E.1", "fide-2009")


@pytest.mark.parametrize("name", editions())
def test_a_win_is_worth_one_and_a_draw_half(name):
    assert edition(name).points == Points(1, 0.5, 0, 0)  # 11.1; 10.1, 2018


def test_school_sport_plays_by_2018_with_its_own_times_and_points():
    book = edition("desporto-escolar-2022")
    assert book.controls == ("15+5", "20")
    assert book.rounds == 8
    assert (book.points.win, book.points.draw, book.points.loss, book.points.absent) == (1, 0.5, 0, 0)
    team = book.team_points
    assert (team.win, team.draw, team.loss, team.absent) == (3, 2, 1, 0)
    assert book.rules().cite("illegal_penalty") == ("7.5.5", "fide-2018")
    assert book.rules().cite("controls") == ("Sistema de jogo", "desporto-escolar-2022")
    assert {book.tempo(TimeControl.parse(control)) for control in book.controls} == {"rapid"}


def test_the_brazilian_school_rules():
    book = edition("escolar-br")
    assert book.controls == ("5",)
    for tempo in TEMPOS:
        for supervised in (True, False):
            rules = book.rules(tempo, supervised=supervised)
            assert rules.announce_check
            assert rules.same_moves == 5
            assert rules.touch == "moved"
            assert rules.illegal == ("nothing",)
            assert rules.promotion == "finish"
            assert not rules.claims
            assert not rules.flag_draw
            assert rules.cite("threefold") == ("Observação", "escolar-br")


def test_each_file_of_the_folder_is_an_edition_that_can_be_chosen():
    files = resources.files("acessivel.laws").joinpath("editions").iterdir()
    assert {f"{name}.toml" for name in SETTINGS["laws"].allowed} == {file.name for file in files}


def test_there_is_no_other_edition_and_no_other_topic():
    with pytest.raises(KeyError):
        edition("fide-1999")
    with pytest.raises(KeyError):
        edition("fide-2018").article("castle")


def test_every_topic_has_an_article_somewhere():
    cited = set()
    for name in editions():
        for rules in edition(name).variants.values():
            cited |= rules.articles.keys()
    assert cited == TOPICS


def test_the_language_of_the_headings_is_each_edition_s_own(folder):
    path = Path(folder, "desporto-escolar-2022.toml")
    path.write_text(path.read_text("utf-8").replace('headings = "pt"\n', ""), "utf-8")
    with pytest.raises(EditionError, match=r"headings: it is missing"):
        read(folder, "desporto-escolar-2022")


@pytest.fixture
def folder(tmp_path):
    for file in resources.files("acessivel.laws").joinpath("editions").iterdir():
        (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    return tmp_path


BAD = [
    ("late_by_event = true", 'late_by_event = "true"', "late_by_event: it must be true or false"),
    ("penalty_ms = 120_000", "penalty_ms = -1", "penalty_ms: it must be a whole number, 0 or more"),
    ("penalty_ms = 120_000", "penalty_ms = true", "penalty_ms: it must be a whole number, 0 or more"),
    ("penalty_ms = 120_000", "", "penalty_ms: it is missing"),
    ("penalty_ms = 120_000", "penalty_s = 120", "penalty_s: there is no such key"),
    ('illegal = ["time", "loss"]', 'illegal = ["time", "lost"]', "illegal: it must be a list of"),
    ('illegal = ["time", "loss"]', "illegal = []", "illegal: it must be a list of"),
    ('illegal = ["time", "loss"]', 'illegal = ["nothing", "loss"]', "standard: illegal: it must be"),
    ('illegal = ["loss"]', 'illegal = ["time", "time", "time", "loss"]', "rapid: illegal: it must be"),
    ('both_flags = "arbiter"', 'both_flags = "later"', 'both_flags: it must be "period" or "draw" or "arbiter"'),
    ('late = "6.7.1"', 'lateness = "6.7.1"', "articles: lateness: there is no such topic"),
    ('late = "6.7.1"', "late = 6.7", "articles: late: there is no such topic, or no text after it"),
    ('unregulated = "preface"', "", "articles: unregulated: it is missing"),
    ("repetitions = 5", "repetitions = 4", "repetitions: it must be 0 or 5"),
    ("repetitions = 5", "repetitions = false", "repetitions: it must be 0 or 5"),
    ("quiet_moves = 75", "quiet_moves = 2", "quiet_moves: it must be 0 or 75"),
    ("[rapid]\n", "[rapid]\nslow = true\n", "rapid: slow: there is no such key"),
    ('setup_castling = "misplaced"', "", "rapid: setup_castling: setup_moves needs it to say who may not castle"),
    ("draw = 0.5", "draw = 2", "points: a win must not give less than a draw"),
    ("draw = 0.5, ", "", "points: it must be win, draw, loss and absent"),
    ("blitz_to_ms = 600_000", 'blitz_to_ms = 600_000\nfollows = "fide-2014"', "follows: it follows itself"),
    ("blitz_to_ms = 600_000", 'blitz_to_ms = 600_000\nfollows = "fide-1999"', "fide-1999.toml: "),
    ('"blind", "chess960"', '"blind", "agreement_late"', "borrow: fide-2009 has no article for agreement_late"),
    ("[articles]\n", "[articles\n", "fide-2018.toml: "),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "reason"), BAD)
def test_a_bad_file_is_refused_with_the_reason(folder, good, bad, reason):
    path = Path(folder, "fide-2018.toml")
    text = path.read_text("utf-8")
    assert good in text
    path.write_text(text.replace(good, bad, 1), "utf-8")
    with pytest.raises(EditionError, match=r"^fide-") as error:
        read(folder, "fide-2018")
    assert reason in str(error.value)
