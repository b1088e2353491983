# SPDX-License-Identifier: GPL-3.0-or-later
"""A move that counts, whoever makes it, settles what was touched, claimed and offered before it."""

import pytest
from support.happening import played_ucis
from support.spoken_game import Game

from acessivel.dialogue.questions import NOTHING, Claiming, Offered, Sure
from acessivel.session import events as ev

SEALED = ev.Adjourned(envelope="e", when="2026-01-02T10:00", where="Rio", white="Ana", black="Rui")
MATES = "r7/8/8/8/8/6k1/8/6K1 w - - 98 80"  # after Kh1 the rook mates, and 50 moves are complete


@pytest.mark.parametrize(("asks", "asking"), [("claim_fifty", Claiming), ("resign", Sure)])
def test_the_engine_s_mate_ends_the_game_whatever_is_asked(asks, asking):
    game = Game(opponent="engine", colour="white", clock="10", fen=MATES)
    game.moves("Kh1").happen(ev.Ordered(command=asks))
    assert isinstance(game.state.asking, asking)
    game.happen(ev.EngineMoved(uci="a8a1", plies=1))
    assert game.state.asking == NOTHING
    game.says("yes")
    assert (game.state.game.result.score, game.state.game.result.reason) == ("0-1", "checkmate")


def test_a_move_that_was_confirmed_is_played_though_its_claim_is_not_admitted():
    game = Game(clock="10").happen(ev.Ordered(command="touched", square="e2"))
    game.says("yes").happen(ev.Ordered(command="claim_threefold")).says("no", "e4", "yes")
    assert game.keys[0] == "ruling"
    assert played_ucis(game.state) == ["e2e4"]


def test_a_sealed_move_frees_the_opponent_of_what_its_side_has_touched():
    game = Game(clock="10", laws="fide-2009").moves("e4", "e5", "Nf3", "Nc6")
    game.happen(ev.Ordered(command="touched", square="e5")).says("yes")
    game.happen(SEALED, ev.Unsealed(sealed="f3e5")).moves("d6")
    assert played_ucis(game.state)[-2:] == ["f3e5", "d7d6"]


def test_nor_does_its_side_s_claim_or_the_other_s_offer_outlive_it():
    game = Game(clock="10", laws="fide-2009").moves("e4", "e5")
    game.happen(ev.Ordered(command="claim_threefold")).says("no")
    game.happen(SEALED, ev.Unsealed(sealed="g1f3")).moves("d6")
    assert played_ucis(game.state)[-1] == "d7d6"
    assert game.state.asking == NOTHING
    game = Game(clock="10", laws="fide-2009").moves("e4", "e5")
    game.happen(ev.Ordered(command="draw")).says("yes")
    assert isinstance(game.state.asking, Offered)
    game.happen(SEALED, ev.Unsealed(sealed="g1f3"))
    assert game.state.asking == NOTHING
    assert "draw_refused" in game.keys


def test_a_clock_pressed_before_the_pawn_is_promoted_leaves_no_claim_to_the_opponent():
    """The queen is put there, and nothing is claimed with what was never announced."""
    game = Game(clock="10", strict=True, fen="4k3/P7/8/8/8/8/p7/4K3 w - - 0 1").says("a8")
    game.happen(ev.Ordered(command="claim_fifty"), ev.Ordered(command="press"))
    assert game.keys[0] == "unpromoted"
    game.moves("Kd7")
    assert "ruling" not in game.keys
    assert game.state.draw.claims_with is game.state.draw.claiming is None


def test_the_clock_goes_on_after_a_search_for_a_mate_that_ends_nothing():
    game = Game(
        clock="10", strict=True, laws="fide-2014",
        fen="6BN/8/1p6/2k1p3/8/8/2K5/8 b - - 5 46",
    ).says("Ka1", "yes", "whose turn")  # fmt: skip
    game.happen(ev.Ordered(command="press"))
    assert game.keys[0] == "arbiter_looks"  # whether White can still mate
    before = game.state.game.clock.left("black", game.now)
    game.happen(ev.Tick())
    assert before - game.state.game.clock.left("black", game.now) == 10_000


@pytest.mark.parametrize("pause", ["clock_stop", "resumed"])
def test_while_a_press_without_a_move_stands_a_pause_changes_nobody_s_clock(pause):
    how = {"strict": True, "supervised": False, "tempo": "rapid"}
    game = Game(clock="10", **how).moves("e4", "e5")
    game.happen(*[ev.Ordered(command="press")] * 2)  # the first is of who has moved
    assert game.state.game.clock.running == "black"
    if pause == "resumed":
        game.happen(ev.Resumed())
    else:
        game.happen(ev.Ordered(command="clock_stop")).says("yes")
    assert game.state.game.clock.running == "black"
    game = Game(clock="10", **how).moves("e4", "e5").happen(*[ev.Ordered(command="press")] * 3)
    assert (game.state.clocks.pressed, game.state.game.clock.running) == (None, "white")


def test_a_press_that_a_move_has_followed_stands_no_more_when_the_game_goes_back():
    game = Game(clock="10", strict=True, supervised=False, tempo="rapid").moves("e4", "e5")
    game.happen(ev.Ordered(command="press")).moves("Nf3", "Nc6")
    game.says("arbiter", "yes", "4", "2", "1", "yes")  # to the position before White's second move
    assert len(game.state.game.played) == 2
    assert game.state.game.clock.running == "white"


def test_a_claim_made_while_the_clocks_stand_still_waits_for_its_move_until_they_run():
    game = Game(clock="10").moves("e4", "e5").happen(ev.Ordered(command="clock_stop"))
    game.happen(ev.Ordered(command="claim_threefold")).says("no")
    assert game.keys == ["ask_claim_move", "ask_go_on"]
    game.says("Nf3")
    assert game.keys == ["ask_go_on"]
    game.says("yes")
    assert game.keys[-1] == "ask_claim_move"
    game.moves("Nf3")
    assert played_ucis(game.state) == ["e2e4", "e7e5", "g1f3"]
    assert "ruling" in game.keys


NEW_GAME, BACK_TO_THE_FIRST_MOVE = ("7", "yes"), ("4", "1", "1", "yes")


@pytest.mark.parametrize("decides", [NEW_GAME, BACK_TO_THE_FIRST_MOVE])
def test_a_press_without_a_move_cannot_be_claimed_once_the_arbiter_has_put_back_what_came_before_it(decides):
    game = Game(clock="15+5", strict=True, supervised=False).moves("e4", "e5")
    game.orders("press").says("arbiter", "yes", *decides)
    assert game.state.game.played == ()
    game.orders("claim_illegal").says("yes")
    assert game.state.game.offences == ()


def test_a_press_before_the_position_that_the_arbiter_puts_back_can_still_be_claimed():
    game = Game(clock="90", strict=True, supervised=False).moves("e4", "e5").orders("press").orders("press")
    game.moves("Nf3", "Nc6").says("arbiter", "yes", "4", "2", "2", "yes")  # before Black's second move
    game.orders("claim_illegal").says("yes")
    assert game.state.game.offences == ("white",)


def test_a_flag_that_was_ruled_on_falls_in_the_game_that_begins_anew():
    """The arbiter finds the initial position wrong while he has to decide about a flag."""
    game = Game(clock="1", tempo="standard", laws="fide-2009").moves("e4", "e5")
    game.orders("claim_draw").says("yes", "arbiter", "yes", "6", "3", "yes")
    for _ in range(12):
        game.happen(ev.Tick())
    assert game.state.arbiter.pending.key == "flag_postponed"
    game.says("arbiter", "yes", "8", "yes", "e4", "yes")
    for _ in range(12):
        game.happen(ev.Tick())
    assert game.state.game.result


@pytest.mark.parametrize("late", ["white", "black"])
def test_a_sealed_move_is_played_when_a_player_comes_late_about_whom_there_is_no_rule(late):
    game = Game(clock="5", laws="escolar-br").moves("e4")
    game.happen(SEALED, ev.Unsealed(sealed="e7e5", late=late, late_ms=3_700_000))
    played = played_ucis(game.state)
    assert played == ["e2e4", "e7e5"]
    assert game.state.game.clock.running == "white"
    game = Game(clock="5", laws="escolar-br").moves("e4")
    game.happen(SEALED, ev.Unsealed(sealed="e7e4", late=late, late_ms=3_700_000))
    assert game.state.arbiter.pending.key == "adjourn_arbiter"


@pytest.mark.parametrize("laws", ["fide-2001", "fide-2009"])
def test_75_quiet_moves_save_no_late_sealer_where_they_end_no_game(laws):
    game = Game(clock="5", laws=laws, fen="4k3/7r/8/8/8/8/R7/4K3 w - - 149 90")
    game.happen(SEALED, ev.Unsealed(sealed="a2b2", late="white", late_ms=3_700_000))
    assert game.state.game.result.score == "0-1"


def test_what_was_sealed_stands_in_the_record_where_it_is_not_played():
    game = Game(clock="5").moves("e4").happen(SEALED, ev.Unsealed(sealed="e7e4"))
    assert game.keys[0] == "sealed_words"
    noted = [note.message.key for note in game.state.game.notes]
    assert noted == ["sealed_words", "ruling"]


@pytest.mark.parametrize("decision", ["2", "3"])
def test_time_that_the_arbiter_gives_the_claimant_does_not_undo_the_claim_that_he_decides(decision):
    """10.2, 2009: a claim that is rejected or postponed gives the opponent two minutes."""
    game = Game(clock="1", tempo="standard", laws="fide-2009").moves("e4", "e5")
    game.orders("claim_draw").says("yes", "arbiter", "yes", "2", "1", "1", "5", "0", "yes")
    before = game.state.game.clock.left("black", game.now)
    game.says("arbiter", "yes", "6", decision, "yes")
    assert game.state.game.clock.left("black", game.now) - before == 120_000
