# SPDX-License-Identifier: GPL-3.0-or-later
"""Article 9: claims, wrong claims, and draws that nobody claims, edition by edition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.game.game import Game, Setup
from acessivel.laws.draw_claims import Claim, fifty, same_move, taken_ms, threefold
from acessivel.laws.editions import edition, editions

MINUTE = 60_000
FIDE = ("fide-2001", "fide-2009", "fide-2014", "fide-2018")
DRAW = "1/2-1/2"


def rules(name, tempo="standard"):
    return edition(name).rules(tempo)


@pytest.mark.parametrize(
    ("name", "article"), [("fide-2001", "9.5a"), ("fide-2009", "9.5a"), ("fide-2014", "9.5.2"), ("fide-2018", "9.5.2")]
)  # fmt: skip
@pytest.mark.parametrize("intended", [None, "g1f3"])
def test_a_right_claim_draws(name, article, intended):
    claim = Claim("white", intended=intended)
    for ruling in (threefold(rules(name), claim, 3), fifty(rules(name), claim, 100)):
        assert (ruling.result, ruling.article, ruling.must_play) == (DRAW, article, None)


@pytest.mark.parametrize("name", FIDE)
def test_the_second_time_and_the_99th_ply_are_not_enough(name):
    assert threefold(rules(name), Claim("white"), 2).result is None
    assert fifty(rules(name), Claim("white"), 99).result is None


WRONG = [
    # edition, tempo, article, what White has left: what Black gains, what White loses
    ("fide-2001", "standard", "9.5b", 10 * MINUTE, 3 * MINUTE, 3 * MINUTE),  # half, up to three minutes
    ("fide-2001", "standard", "9.5b", 4 * MINUTE, 3 * MINUTE, 2 * MINUTE),
    ("fide-2001", "standard", "9.5b", 90_000, 3 * MINUTE, 30_000),  # down to one minute
    ("fide-2001", "standard", "9.5b", 59_000, 3 * MINUTE, 0),
    ("fide-2009", "standard", "9.5b", 10 * MINUTE, 3 * MINUTE, 0),
    ("fide-2014", "standard", "9.5.3", 10 * MINUTE, 2 * MINUTE, 0),
    ("fide-2018", "standard", "9.5.3", 10 * MINUTE, 2 * MINUTE, 0),
    ("fide-2018", "rapid", "9.5.3", 10 * MINUTE, 2 * MINUTE, 0),
    ("fide-2018", "blitz", "9.5.3", 5 * MINUTE, MINUTE, 0),  # B.2
]


@pytest.mark.parametrize(("name", "tempo", "article", "left_ms", "gains", "loses"), WRONG)
def test_a_wrong_claim_costs(name, tempo, article, left_ms, gains, loses):
    claim = Claim("white", intended="g1f3", left_ms=left_ms)
    ruling = threefold(rules(name, tempo), claim, 2)
    assert ruling.times == (("black", gains), *([("white", -loses)] if loses else []))
    assert ruling.article == article
    assert ruling.must_play == "g1f3"  # 9.5b; 9.5.3
    assert ruling.offers_draw  # 9.1c; 9.1b; 9.1.2.3
    assert fifty(rules(name, tempo), claim, 99) == ruling


@pytest.mark.parametrize("name", FIDE)
@pytest.mark.parametrize("intended", [None, "g1f3"])
def test_without_a_clock_a_wrong_claim_costs_no_time_and_speaks_of_none(name, intended):
    ruling = threefold(rules(name), Claim("white", intended=intended), 2)
    assert (ruling.times, ruling.must_play, ruling.offers_draw) == ((), intended, True)
    assert not ruling.values


@pytest.mark.parametrize("name", FIDE)
@pytest.mark.parametrize("left_ms", [None, 10 * MINUTE])
def test_an_intended_move_must_be_made_only_where_there_is_one(name, left_ms):
    for intended in (None, "g1f3"):
        ruling = threefold(rules(name), Claim("white", intended=intended, left_ms=left_ms), 2)
        assert ruling.must_play == intended  # 9.5b; 9.5.3
        assert ruling.key.endswith("_move") == bool(intended)


@given(st.integers(min_value=0, max_value=24 * 60 * MINUTE))
def test_2001_takes_half_but_never_the_last_minute_nor_more_than_three(left_ms):
    taken = taken_ms(left_ms)
    assert 0 <= taken <= 3 * MINUTE
    assert taken == 0 or left_ms - taken >= MINUTE
    if left_ms > 2 * MINUTE:
        assert taken == min(left_ms // 2, 3 * MINUTE)
    elif left_ms > MINUTE:
        assert left_ms - taken == MINUTE


RIGHT_LOST = [
    # edition, article, done: still heard
    ("fide-2001", "9.4", "touched", True),
    ("fide-2001", "9.4", "moved", False),
    ("fide-2009", "9.4", "touched", False),
    ("fide-2009", "9.4", "moved", False),
    ("fide-2014", "9.4", "touched", False),
    ("fide-2018", "9.4", "touched", False),
    ("fide-2018", "9.4", "nothing", True),
]


@pytest.mark.parametrize(("name", "article", "done", "heard"), RIGHT_LOST)
def test_the_right_to_claim_is_lost(name, article, done, heard):
    ruling = threefold(rules(name), Claim("white", done=done), 3)
    assert (ruling.result == DRAW) == heard
    if not heard:
        assert ruling.article == article
        assert not ruling.times


@pytest.mark.parametrize("name", FIDE)
def test_only_the_player_to_move_claims(name):
    ruling = threefold(rules(name), Claim("black", to_move=False), 3)
    assert (ruling.key, ruling.result, ruling.times) == ("claim_not_to_move", None, ())


def test_the_brazilian_school_rules_know_no_claim():
    ruling = threefold(rules("escolar-br"), Claim("white"), 3)
    assert ruling.for_arbiter
    assert ruling.article == "Observação"


KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")
BEGINNING, MATE = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {} 200",
    "R6k/8/6K1/8/8/8/8/8 b - - {} 200",
)
AUTOMATIC = [
    # edition, repetitions, quiet plies, mate: result, article
    ("fide-2001", 5, 150, False, None, None),
    ("fide-2009", 5, 150, False, None, None),
    ("fide-2014", 5, 0, False, DRAW, "9.6a"),
    ("fide-2014", 1, 150, False, DRAW, "9.6b"),
    ("fide-2018", 4, 149, False, None, None),
    ("fide-2018", 5, 0, False, DRAW, "9.6.1"),
    ("fide-2018", 1, 150, False, DRAW, "9.6.2"),
    ("fide-2018", 1, 150, True, "1-0", "5.1.1"),  # mate goes before
    ("escolar-br", 9, 300, False, None, None),
    ("desporto-escolar-2022", 5, 0, False, DRAW, "9.6.1"),
]


@pytest.mark.parametrize(("name", "repetitions", "plies", "mate", "result", "article"), AUTOMATIC)
def test_draws_without_a_claim(name, repetitions, plies, mate, result, article):
    shuffled = KNIGHTS * (repetitions - 1)
    game = Game.new(
        Setup.of(laws=name, fen=(MATE if mate else BEGINNING).format(max(0, plies - len(shuffled))))
    )
    for uci in shuffled:
        assert game.result is None
        game = game.play(game.position.fact(uci), 0)
    assert (game.result and game.result.score) == result
    assert (game.result and game.result.article) == article


@pytest.mark.parametrize("name", editions())
def test_the_same_move_more_than_five_times_running_ends_a_school_game_in_brazil(name):
    assert same_move(rules(name), "white", 5) is None
    ruling = same_move(rules(name), "white", 6)
    assert bool(ruling) == (name == "escolar-br")
    if ruling:
        assert ruling.for_arbiter
        assert ruling.article == "Término da partida"
