# SPDX-License-Identifier: GPL-3.0-or-later
"""Articles 5, 6, 9.1 and 10: how games end, flags, lateness, the quickplay finish, edition by edition."""

import pytest

from acessivel.game.game import Game, Setup
from acessivel.laws import game_end
from acessivel.laws.editions import edition
from acessivel.laws.game_end import QuickplayClaim, quickplay, quickplay_without_arbiter
from acessivel.laws.lateness import late

MINUTE = 60_000
HOUR = 60 * MINUTE
DRAW = "1/2-1/2"
FIDE = ("fide-2001", "fide-2009", "fide-2014", "fide-2018")


def rules(name, tempo="standard", supervised=True):
    return edition(name).rules(tempo, supervised=supervised)


@pytest.mark.parametrize(
    ("name", "mate", "resign", "stalemate", "dead"),
    [
        ("fide-2001", "5.1a", "5.1b", "5.2a", "9.6"),
        ("fide-2009", "5.1a", "5.1b", "5.2a", "9.6"),
        ("fide-2014", "5.1a", "5.1b", "5.2a", "5.2b"),
        ("fide-2018", "5.1.1", "5.1.2", "5.2.1", "5.2.2"),
        ("escolar-br", "Término da partida", "Término da partida", "Observação", "Regras xadrez"),
    ],
)
def test_endings_at_the_board(name, mate, resign, stalemate, dead):
    for fen, result, article in (
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "1-0", mate),
        ("r6K/8/6k1/8/8/8/8/8 w - - 0 1", "0-1", mate),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", DRAW, stalemate),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", DRAW, dead),
    ):
        ended = Game.new(Setup.of(laws=name, fen=fen)).result
        assert (ended.score, ended.article) == (result, article)
    resigned = game_end.resignation(rules(name), "white")
    assert (resigned.result, resigned.article) == ("0-1", resign)


def test_leaving_loses_in_a_brazilian_school_and_is_the_arbiter_s_elsewhere():
    assert game_end.leaving(rules("escolar-br"), "white").result == "0-1"
    ruling = game_end.leaving(rules("fide-2018"), "white")
    assert (ruling.result, ruling.for_arbiter, ruling.article) == (None, True, "12.9")


AGREEMENT = [
    # edition, moves of White and Black, the event's minimum: agreed, article
    ("fide-2001", 0, 0, 0, True, "5.2c"),
    ("fide-2009", 0, 0, 0, True, "5.2c"),
    ("fide-2014", 0, 0, 0, True, "5.2c"),
    ("fide-2018", 0, 0, 0, False, "5.2.3"),
    ("fide-2018", 1, 0, 0, False, "5.2.3"),
    ("fide-2018", 1, 1, 0, True, "5.2.3"),
    ("fide-2001", 29, 29, 30, True, "5.2c"),  # no such rule of an event in 2001
    ("fide-2009", 30, 29, 30, False, "9.1a"),
    ("fide-2009", 30, 30, 30, True, "5.2c"),
    ("fide-2014", 29, 29, 30, False, "9.1.1"),
    ("fide-2018", 29, 29, 30, False, "9.1.1"),
    ("fide-2018", 30, 30, 30, True, "5.2.3"),
]


@pytest.mark.parametrize(("name", "white", "black", "minimum", "agreed", "article"), AGREEMENT)
def test_agreement(name, white, black, minimum, agreed, article):
    ruling = game_end.agreement(rules(name), white, black, minimum)
    assert (ruling.result == DRAW, ruling.article) == (agreed, article)


FLAG = [
    # edition, article, tempo, supervised, can mate, called by, has time: result
    ("fide-2001", "6.10", "standard", True, "yes", "arbiter", True, "0-1"),
    ("fide-2001", "6.10", "standard", True, "no", "arbiter", True, DRAW),
    ("fide-2009", "6.9", "standard", True, "no", "player", False, DRAW),
    ("fide-2014", "6.9", "standard", True, "no", "arbiter", True, DRAW),
    ("fide-2018", "6.9", "standard", True, "no", "arbiter", True, DRAW),
    ("fide-2018", "6.9", "standard", True, "undecided", "arbiter", True, None),
    ("escolar-br", "Término da partida", "standard", True, "no", "arbiter", True, "0-1"),
    ("fide-2001", "6.10", "rapid", True, "yes", "player", True, "0-1"),
    ("fide-2001", "B7", "rapid", True, "yes", "player", False, None),
    ("fide-2009", "A.4d2", "rapid", False, "yes", "player", False, None),
    ("fide-2009", "6.9", "rapid", True, "yes", "arbiter", False, "0-1"),
    ("fide-2018", "A.4.3", "rapid", False, "yes", "player", False, None),
    ("fide-2018", "6.9", "rapid", False, "yes", "arbiter", False, "0-1"),  # A.4.5: the arbiter says it too
    ("fide-2018", "6.9", "blitz", False, "no", "player", True, DRAW),
]


@pytest.mark.parametrize(
    ("name", "article", "tempo", "supervised", "can_mate", "called_by", "has_time", "result"), FLAG
)
def test_white_s_flag(name, article, tempo, supervised, can_mate, called_by, has_time, result):
    ruling = game_end.flag(
        rules(name, tempo, supervised), "white", can_mate, called_by=called_by, claimant_has_time=has_time
    )
    assert (ruling.result, ruling.article) == (result, article)
    assert ruling.for_arbiter == (can_mate == "undecided")


@pytest.mark.parametrize(("name", "flag"), [("fide-2001", "6.10"), ("fide-2009", "6.9")])
@pytest.mark.parametrize(
    ("can_mate", "key", "result", "for_arbiter"),
    [
        ("yes", "flag_postponed", None, True),  # 10.2b: the arbiter may still declare the draw
        ("undecided", "flag_postponed", None, True),
        ("no", "flag_drawn", DRAW, False),
    ],
)
def test_the_flag_of_a_player_whose_claim_was_postponed(name, flag, can_mate, key, result, for_arbiter):
    ruling = game_end.flag(rules(name), "white", can_mate, postponed=True)
    assert (ruling.key, ruling.result, ruling.for_arbiter) == (key, result, for_arbiter)
    assert ruling.article == (flag if result else "10.2")


def test_black_s_flag_wins_for_white():
    assert game_end.flag(rules("fide-2018"), "black", "yes").result == "1-0"


@pytest.mark.parametrize(
    ("name", "tempo", "supervised"),
    [("fide-2001", "rapid", True), ("fide-2001", "blitz", True), ("fide-2009", "rapid", False), ("fide-2009", "blitz", False)],
)  # fmt: skip
def test_where_only_players_claim_the_flag_nothing_happens_unasked(name, tempo, supervised):
    assert game_end.flag(rules(name, tempo, supervised), "white", "yes") is None  # B6; A.4d1


BOTH = [
    # edition, tempo, supervised, last period: sentence, result, article
    ("fide-2001", "standard", True, False, "flags_continue", None, "6.12"),
    ("fide-2001", "standard", True, True, "flags_drawn", DRAW, "10.3"),
    ("fide-2009", "standard", True, False, "flags_continue", None, "6.11a"),
    ("fide-2009", "standard", True, True, "flags_drawn", DRAW, "6.11b"),
    ("fide-2014", "standard", True, False, "flags_continue", None, "6.11a"),
    ("fide-2014", "standard", True, True, "flags_drawn", DRAW, "6.11b"),
    ("fide-2018", "standard", True, True, "flags_arbiter", None, "preface"),
    ("fide-2001", "rapid", True, True, "flags_both_drawn", DRAW, "B8"),
    ("fide-2009", "rapid", False, True, "flags_both_drawn", DRAW, "A.4d3"),
    ("fide-2009", "blitz", False, True, "flags_both_drawn", DRAW, "A.4d3"),
    ("escolar-br", "standard", True, True, "flags_arbiter", None, "Observação"),
]


@pytest.mark.parametrize(("name", "tempo", "supervised", "last", "key", "result", "article"), BOTH)
def test_both_flags(name, tempo, supervised, last, key, result, article):
    ruling = game_end.both_flags(rules(name, tempo, supervised), last_period=last)
    assert (ruling.key, ruling.result, ruling.article) == (key, result, article)


LATE = [
    # edition, how late, what the event allows: sentence, result, article
    ("fide-2001", HOUR, None, "late_in_time", None, "6.7"),
    ("fide-2001", HOUR + 1, None, "late_lost", "0-1", "6.7"),
    ("fide-2009", 0, None, "late_in_time", None, "6.6a"),
    ("fide-2009", 1, None, "late_lost", "0-1", "6.6a"),
    ("fide-2009", 10 * MINUTE, 30 * MINUTE, "late_in_time", None, "6.6a"),
    ("fide-2014", 10 * MINUTE, None, "late_arbiter", None, "6.7a"),
    ("fide-2014", 10 * MINUTE, 0, "late_lost", "0-1", "6.7a"),
    ("fide-2018", 10 * MINUTE, None, "late_arbiter", None, "6.7.1"),
    ("fide-2018", 16 * MINUTE, 15 * MINUTE, "late_lost", "0-1", "6.7.1"),
    ("escolar-br", 10 * MINUTE, None, "late_arbiter", None, "Observação"),
]


@pytest.mark.parametrize(("name", "late_ms", "event_ms", "key", "result", "article"), LATE)
def test_white_comes_late(name, late_ms, event_ms, key, result, article):
    ruling = late(rules(name), ("white",), late_ms, event_ms)
    assert (ruling.key, ruling.result, ruling.article) == (key, result, article)


@pytest.mark.parametrize(("name", "late_ms", "event_ms", "key", "result", "article"), LATE)
def test_an_arbiter_who_is_there_may_rule_otherwise_on_who_comes_late(
    name, late_ms, event_ms, key, result, article
):
    ruling = late(rules(name), ("white",), late_ms, event_ms, arbiter_present=True)
    asks = name != "fide-2009"  # there only the event may
    wanted = (f"{key}_asked", None) if result and asks else (key, result)
    assert (ruling.key, ruling.result, ruling.article) == (*wanted, article)
    assert ruling.for_arbiter == (asks and key != "late_in_time")


def test_both_stay_away():
    assert late(rules("fide-2009"), ("white", "black"), MINUTE).result == "0-0"
    asked = late(rules("fide-2001"), ("white", "black"), 2 * HOUR, arbiter_present=True)
    assert (asked.key, asked.result) == ("late_both_asked", None)


@pytest.mark.parametrize("name", ["fide-2001", "fide-2009"])
@pytest.mark.parametrize(
    ("decision", "result", "times", "for_arbiter"),
    [
        ("open", None, (), True),
        ("draw", DRAW, (), False),
        ("rejected", None, (("white", 2 * MINUTE),), False),  # 10.2c
        ("postponed", None, (("white", 2 * MINUTE),), True),  # 10.2b
    ],
)
def test_the_quickplay_finish_with_an_arbiter(name, decision, result, times, for_arbiter):
    ruling = quickplay(rules(name), QuickplayClaim("black", 2 * MINUTE - 1), decision)
    assert (ruling.result, ruling.times, ruling.for_arbiter, ruling.article) == (
        result,
        times,
        for_arbiter,
        "10.2",
    )


REFUSED = [
    # edition, tempo, supervised, claim: sentence, article
    ("fide-2001", "standard", True, QuickplayClaim("white", 2 * MINUTE), "quickplay_time", "10.2"),
    ("fide-2001", "standard", True, QuickplayClaim("white", 0), "quickplay_time", "10.2"),
    (
        "fide-2009",
        "standard",
        True,
        QuickplayClaim("white", MINUTE, last_period=False),
        "quickplay_not_last",
        "10.2",
    ),
    (
        "fide-2009",
        "standard",
        True,
        QuickplayClaim("white", MINUTE, to_move=False),
        "claim_not_to_move",
        "10.2",
    ),
    ("fide-2001", "blitz", True, QuickplayClaim("white", MINUTE), "quickplay_unknown", "C4"),
    ("fide-2009", "blitz", False, QuickplayClaim("white", MINUTE), "quickplay_unknown", "B.3b"),
    ("fide-2014", "standard", True, QuickplayClaim("white", MINUTE), "quickplay_unknown", "preface"),
    ("fide-2018", "standard", True, QuickplayClaim("white", MINUTE), "quickplay_unknown", "preface"),
]


@pytest.mark.parametrize(("name", "tempo", "supervised", "claim", "key", "article"), REFUSED)
def test_a_quickplay_claim_is_not_admitted(name, tempo, supervised, claim, key, article):
    book = rules(name, tempo, supervised)
    for ruling in (quickplay(book, claim), quickplay_without_arbiter(book, claim, "cannot_win")):
        assert (ruling.key, ruling.article) == (key, article)
        assert (ruling.result, ruling.times, ruling.for_arbiter) == (None, (), False)


@pytest.mark.parametrize(("name", "article"), [("fide-2001", "D1"), ("fide-2009", "D.1")])
def test_the_quickplay_finish_without_an_arbiter(name, article):
    claim = QuickplayClaim("white", MINUTE)
    for ground in ("cannot_win", "no_effort"):
        ruling = quickplay_without_arbiter(rules(name), claim, ground)
        assert (ruling.article, ruling.for_arbiter, ruling.times) == (article, True, ())
