# SPDX-License-Identifier: GPL-3.0-or-later
"""Article 7 and its like in rapid and blitz: each row cites edition and article; the editions stand side by side."""

import pytest

from acessivel.laws.editions import edition
from acessivel.laws.irregularities import (
    Irregularity,
    check_not_announced,
    clock_stopped,
    colours_reversed,
    displaced,
    displaced_found,
    illegal_move,
    illegal_position,
    pressed_without_move,
    promotion_missed,
    restored,
    two_hands,
    wrong_board,
    wrong_clock,
    wrong_start,
)

MINUTE = 60_000
DRAW = "1/2-1/2"


def rules(name, tempo="standard", supervised=True):
    return edition(name).rules(tempo, supervised=supervised)


def outcome(ruling):
    """What a ruling comes to: a result, time for a side, for the arbiter, or nothing."""
    if ruling.result:
        return ruling.result
    return "arbiter" if ruling.for_arbiter else ruling.times


PLUS2, PLUS1 = (("black", 2 * MINUTE),), (("black", MINUTE),)
WHITE_S_ILLEGAL_MOVE = [
    # edition, article, tempo, supervised, earlier ones, can Black mate, what it comes to
    ("fide-2001", "7.4b", "standard", True, 0, "yes", PLUS2),
    ("fide-2009", "7.4b", "standard", True, 0, "yes", PLUS2),
    ("fide-2014", "7.5b", "standard", True, 0, "yes", PLUS2),
    ("fide-2018", "7.5.5", "standard", True, 0, "yes", PLUS2),
    ("escolar-br", "Movimento ilegal", "standard", True, 0, "yes", ()),
    ("fide-2001", "7.4b", "standard", True, 1, "yes", PLUS2),
    ("fide-2009", "7.4b", "standard", True, 1, "yes", PLUS2),
    ("fide-2014", "7.5b", "standard", True, 1, "yes", "0-1"),
    ("fide-2018", "7.5.5", "standard", True, 1, "yes", "0-1"),
    ("escolar-br", "Movimento ilegal", "standard", True, 1, "yes", ()),
    ("fide-2001", "7.4b", "standard", True, 2, "yes", "0-1"),
    ("fide-2009", "7.4b", "standard", True, 2, "yes", "0-1"),
    ("escolar-br", "Movimento ilegal", "standard", True, 9, "yes", ()),
    # The opponent cannot mate: a draw from 2009 on, not in 2001.
    ("fide-2001", "7.4b", "standard", True, 2, "no", "0-1"),
    ("fide-2009", "7.4b", "standard", True, 2, "no", DRAW),
    ("fide-2014", "7.5b", "standard", True, 1, "no", DRAW),
    ("fide-2018", "7.5.5", "standard", True, 1, "no", DRAW),
    ("fide-2018", "7.5.5", "standard", True, 1, "undecided", "arbiter"),
    ("fide-2001", "7.4b", "standard", True, 2, "undecided", "0-1"),
    ("fide-2018", "7.5.5", "standard", True, 0, "no", PLUS2),
    # Rapid.
    ("fide-2001", "7.4b", "rapid", False, 0, "yes", PLUS2),
    ("fide-2009", "7.4b", "rapid", False, 0, "yes", PLUS2),
    ("fide-2018", "A.4.2", "rapid", False, 0, "yes", "0-1"),
    ("fide-2018", "A.4.2", "rapid", False, 0, "no", DRAW),
    ("fide-2018", "7.5.5", "rapid", True, 0, "yes", PLUS2),
    # Blitz.
    ("fide-2001", "C3", "blitz", True, 0, "yes", "0-1"),
    ("fide-2001", "C3", "blitz", True, 0, "no", DRAW),
    ("fide-2009", "B.3c", "blitz", False, 0, "yes", "0-1"),
    ("fide-2009", "B.3c", "blitz", False, 0, "no", DRAW),
    ("fide-2009", "7.4b", "blitz", True, 0, "yes", PLUS2),
    ("fide-2018", "A.4.2", "blitz", False, 0, "yes", "0-1"),
    ("fide-2018", "7.5.5", "blitz", True, 0, "yes", PLUS1),  # B.2: one minute
    ("desporto-escolar-2022", "A.4.2", "rapid", False, 0, "yes", "0-1"),
    ("desporto-escolar-2022", "7.5.5", "rapid", True, 0, "yes", PLUS2),
]


@pytest.mark.parametrize(
    ("name", "article", "tempo", "supervised", "before", "can_mate", "wanted"), WHITE_S_ILLEGAL_MOVE
)
def test_an_illegal_move_costs(name, article, tempo, supervised, before, can_mate, wanted):
    found = Irregularity("white", before, can_mate, by="opponent")
    ruling = illegal_move(rules(name, tempo, supervised), found)
    assert outcome(ruling) == wanted
    assert ruling.article == article
    assert ruling.counts_against == "white"
    assert ruling.takes_back == (wanted not in ("0-1", DRAW, "arbiter"))


def test_black_s_illegal_move_gives_time_to_white():
    ruling = illegal_move(rules("fide-2018"), Irregularity("black", 0, "yes"))
    assert ruling.times == (("white", 2 * MINUTE),)
    assert illegal_move(rules("fide-2018"), Irregularity("black", 1, "yes")).result == "1-0"


FOUND_LATER = [
    # edition, article, tempo, supervised, since, found by, heard
    ("fide-2001", "7.4b", "standard", True, "moved", "opponent", True),
    ("fide-2018", "7.5.5", "standard", True, "moved", "arbiter", True),
    ("fide-2018", "7.5.5", "rapid", True, "moved", "arbiter", True),
    ("fide-2001", "B5b", "rapid", True, "touched", "opponent", False),
    ("fide-2001", "7.4b", "rapid", True, "nothing", "opponent", True),
    ("fide-2009", "7.4b", "rapid", False, "touched", "opponent", True),
    ("fide-2009", "A.4c", "rapid", False, "moved", "opponent", False),
    ("fide-2009", "A.4c", "rapid", False, "nothing", "arbiter", False),
    ("fide-2018", "A.4.2", "rapid", False, "touched", "opponent", True),
    ("fide-2018", "A.4.2", "rapid", False, "moved", "opponent", False),
    ("fide-2018", "A.4.2", "rapid", False, "nothing", "arbiter", True),
    ("fide-2001", "C3", "blitz", True, "touched", "opponent", True),
    ("fide-2001", "C3", "blitz", True, "moved", "opponent", False),
    ("fide-2001", "C3", "blitz", True, "nothing", "arbiter", False),
    ("fide-2009", "B.3c", "blitz", False, "moved", "opponent", False),
    ("fide-2009", "B.3c", "blitz", False, "nothing", "arbiter", False),
    ("fide-2018", "A.4.2", "blitz", False, "moved", "arbiter", False),
]


@pytest.mark.parametrize(("name", "article", "tempo", "supervised", "since", "by", "heard"), FOUND_LATER)
def test_an_illegal_move_is_heard_until(name, article, tempo, supervised, since, by, heard):
    ruling = illegal_move(rules(name, tempo, supervised), Irregularity("white", 0, "yes", by, since))
    assert (ruling.counts_against is not None) == heard
    assert ruling.article == article
    if not heard:
        assert not ruling.takes_back
        assert not ruling.times
        assert ruling.result is None


PROMOTION = [
    # edition, article, tempo, supervised, found by, sentence, must play
    ("fide-2001", "7.4b", "standard", True, "arbiter", "illegal_time", None),
    ("fide-2009", "7.4b", "standard", True, "arbiter", "illegal_time", None),
    ("fide-2014", "7.5b", "standard", True, "arbiter", "illegal_queen", "e7e8q"),
    ("fide-2018", "7.5.5", "standard", True, "arbiter", "illegal_queen", "e7e8q"),
    ("escolar-br", "Ato de mover as peças", "standard", True, "arbiter", "promotion_finish", None),
    ("fide-2009", "7.4b", "rapid", False, "arbiter", "illegal_time", None),  # A.4c: unasked
    ("fide-2009", "B.3c", "blitz", False, "arbiter", "illegal_unasked", None),  # A.4c does not apply
    ("fide-2009", "B.3c", "blitz", False, "opponent", "illegal_lost", None),
    ("fide-2018", "A.4.4", "rapid", False, "arbiter", "arbiter_waits", None),
    ("fide-2018", "A.4.2", "rapid", False, "opponent", "illegal_lost", None),
    ("fide-2018", "A.4.4", "blitz", False, "arbiter", "arbiter_waits", None),
]


@pytest.mark.parametrize(("name", "article", "tempo", "supervised", "by", "key", "must_play"), PROMOTION)
def test_a_pawn_left_on_the_last_rank(name, article, tempo, supervised, by, key, must_play):
    found = Irregularity("white", 0, "yes", by)
    ruling = promotion_missed(rules(name, tempo, supervised), found, "e7e8")
    assert (ruling.key, ruling.article, ruling.must_play) == (key, article, must_play)


def test_an_unfinished_promotion_can_come_too_late():
    late = Irregularity("white", 0, "yes", "opponent", "moved")
    assert promotion_missed(rules("fide-2018", "rapid", False), late, "e7e8").key == "illegal_late"


@pytest.mark.parametrize(
    ("name", "tempo", "completed", "key", "article", "result"),
    [
        ("fide-2018", "rapid", False, "arbiter_waits", "A.4.4", None),
        ("fide-2018", "rapid", True, "illegal_position_draw", "A.4.4", DRAW),
        ("fide-2018", "blitz", True, "illegal_position_draw", "A.4.4", DRAW),
        ("fide-2009", "rapid", False, "arbiter_intervenes", "A.4c", None),
        ("fide-2018", "standard", True, "arbiter_intervenes", "7.5.1", None),
    ],
)
def test_both_kings_in_check_seen_by_the_arbiter(name, tempo, completed, key, article, result):
    ruling = illegal_position(rules(name, tempo, False), next_move_completed=completed)
    assert (ruling.key, ruling.article, ruling.result) == (key, article, result)


@pytest.mark.parametrize("act", [pressed_without_move, two_hands])
@pytest.mark.parametrize(
    ("name", "tempo", "supervised", "before", "wanted"),
    [
        ("fide-2001", "standard", True, 0, "arbiter"),  # 6.8b; 4.1
        ("fide-2009", "standard", True, 0, "arbiter"),  # 6.7c; 4.1
        ("fide-2014", "standard", True, 0, "arbiter"),  # 6.2c; 6.2b
        ("fide-2018", "standard", True, 0, PLUS2),  # 7.5.3; 7.5.4
        ("fide-2018", "standard", True, 1, "0-1"),
        ("fide-2018", "blitz", True, 0, PLUS1),
        ("fide-2018", "rapid", False, 0, "0-1"),  # A.4.2
        ("escolar-br", "standard", True, 0, "arbiter"),
    ],
)
def test_pressing_without_a_move_and_moving_with_two_hands(act, name, tempo, supervised, before, wanted):
    ruling = act(rules(name, tempo, supervised), Irregularity("white", before, "yes"))
    assert outcome(ruling) == wanted


def test_the_articles_of_pressing_and_of_two_hands():
    found = Irregularity("white", 0, "yes")
    names = ("fide-2001", "fide-2009", "fide-2014", "fide-2018")
    assert [pressed_without_move(rules(name), found).article for name in names] == [
        "6.8b",
        "6.7c",
        "6.2c",
        "7.5.5",
    ]
    assert [two_hands(rules(name), found).article for name in names] == ["4.1", "4.1", "6.2b", "7.5.5"]
    assert not pressed_without_move(rules("fide-2018"), found).takes_back
    assert two_hands(rules("fide-2018"), found).takes_back


@pytest.mark.parametrize(
    ("name", "article", "completed", "new_game", "for_arbiter"),
    [
        ("fide-2001", "7.2", 0, False, True),
        ("fide-2009", "7.2", 0, False, True),
        ("fide-2014", "7.3", 0, False, True),
        ("fide-2018", "7.3", 0, True, False),
        ("fide-2018", "7.3", 9, True, False),
        ("fide-2018", "7.3", 10, False, False),
        ("fide-2001", "7.2", 10, False, True),
        ("escolar-br", "Observação", 0, False, True),
    ],
)
def test_colours_reversed(name, article, completed, new_game, for_arbiter):
    ruling = colours_reversed(rules(name), completed)
    assert (ruling.article, ruling.new_game, ruling.for_arbiter) == (article, new_game, for_arbiter)


SETUP = [
    # edition, tempo, supervised, completed moves: wrong start, wrong board, wrong clock
    ("fide-2001", "standard", True, 40, ("start_restart", "7.1a"), ("board_turned", "7.1b"), ("clock_wrong", "6.14")),
    ("fide-2009", "standard", True, 40, ("start_restart", "7.1a"), ("board_turned", "7.1b"), ("clock_wrong", "6.10b")),
    ("fide-2014", "standard", True, 40, ("start_restart", "7.2a"), ("board_turned", "7.2b"), ("clock_wrong", "6.10b")),
    ("fide-2018", "standard", True, 40, ("start_restart", "7.2.1"), ("board_turned", "7.2.2"), ("clock_wrong", "6.10.2")),
    ("fide-2001", "rapid", True, 2, ("start_restart", "7.1a"), ("board_turned", "7.1b"), ("clock_wrong", "6.14")),
    ("fide-2001", "rapid", True, 3, ("start_late_king_queen", "B4"), ("board_late", "B4"), ("clock_late", "B4")),
    ("fide-2009", "rapid", False, 3, ("start_late_king_queen", "A.4a"), ("board_late", "A.4a"), ("clock_late", "A.4a")),
    ("fide-2009", "rapid", True, 3, ("start_restart", "7.1a"), ("board_turned", "7.1b"), ("clock_wrong", "6.10b")),
    ("fide-2018", "rapid", False, 9, ("start_restart", "7.2.1"), ("board_turned", "7.2.2"), ("clock_wrong", "6.10.2")),
    ("fide-2018", "rapid", False, 10, ("start_late_misplaced", "A.4.1.2"), ("board_late", "A.4.1.2"), ("clock_late", "A.4.1.1")),
    ("fide-2018", "blitz", False, 10, ("start_late_misplaced", "A.4.1.2"), ("board_late", "A.4.1.2"), ("clock_late", "A.4.1.1")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "tempo", "supervised", "completed", "start", "board", "clock"), SETUP)
def test_a_wrong_setup(name, tempo, supervised, completed, start, board, clock):
    book = rules(name, tempo, supervised)
    for act, wanted in ((wrong_start, start), (wrong_board, board), (wrong_clock, clock)):
        ruling = act(book, completed)
        assert (ruling.key, ruling.article) == wanted
    assert wrong_start(book, completed).new_game == (start[0] == "start_restart")
    assert wrong_clock(book, completed).for_arbiter == (clock[0] == "clock_wrong")


@pytest.mark.parametrize(
    ("name", "knocked", "found"),
    [("fide-2001", "7.3", "7.5"), ("fide-2009", "7.3", "7.5"), ("fide-2014", "7.4", "7.6"), ("fide-2018", "7.4.1", "7.6")],
)  # fmt: skip
def test_displaced_pieces(name, knocked, found):
    assert displaced(rules(name), "white").article == knocked
    known = displaced_found(rules(name), 12)
    assert (known.article, known.values, known.for_arbiter) == (found, (("number", 12),), False)
    assert displaced_found(rules(name), None).for_arbiter


@pytest.mark.parametrize(
    ("name", "article"), [("fide-2001", "6.13"), ("fide-2009", "6.12"), ("fide-2014", "6.12"), ("fide-2018", "6.11")]
)  # fmt: skip
def test_a_stopped_clock_calls_the_arbiter(name, article):
    for colour in ("white", ""):
        ruling = clock_stopped(rules(name), colour)
        assert (ruling.article, ruling.for_arbiter, ruling.values) == (
            article,
            True,
            (("colour", colour),) if colour else (),
        )


def test_play_goes_on_from_the_last_position_that_is_sure():
    assert restored(rules("fide-2018"), 7).values == (("number", 7),)
    assert restored(rules("fide-2018"), None).for_arbiter


@pytest.mark.parametrize(
    ("name", "article", "key"),
    [
        ("fide-2001", "3.8b", "check_free"),
        ("fide-2018", "preface", "check_free"),
        ("escolar-br", "Término da partida", "check_silent"),
    ],
)
def test_a_check_in_silence(name, article, key):
    ruling = check_not_announced(rules(name), "white")
    assert (ruling.article, ruling.key) == (article, key)
