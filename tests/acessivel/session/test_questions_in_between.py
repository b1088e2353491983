# SPDX-License-Identifier: GPL-3.0-or-later
"""A list, a number or a command that is asked back in between leads past no question, claim or touched piece."""

from dataclasses import replace

import pytest
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue.questions import (
    NOTHING,
    Arbitrated,
    Claiming,
    Confirm,
    Grounds,
    Making,
    Offered,
    Repeating,
    Stopped,
    Touching,
    innermost,
)
from acessivel.session import events as ev

YES = {"de": "ja", "en": "yes", "es": "sí", "pt": "sim"}
BETWEEN = ("laws", "move_at", "resign", "stop")
in_between = pytest.mark.parametrize("between", BETWEEN)
NEARLY_FIFTY = "4k3/8/8/8/8/8/4P3/4K2R w - - 99 80"
KNIGHTS = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"


@in_between
def test_a_touched_piece_is_told_before_a_move(between):
    game = Game().moves("e4", "e5").orders("touched", square="b1").orders(between).says("d4")
    assert game.keys[0] == "answer_first"
    assert isinstance(game.state.asking, Touching)
    game.says("yes", "d4")
    assert game.state.asking == NOTHING
    assert game.moves("Nc3").state.game.last.san == "Nc3"


@pytest.mark.parametrize("between", [*BETWEEN[:3], "correction"])
def test_a_claim_without_an_arbiter_is_answered_before_a_move_and_its_clocks_stand(between):
    game = Game(laws="fide-2009", tempo="standard", clock="1", supervised=False).moves("e4", "e5")
    game.orders("claim_draw").says("yes").orders(between)
    assert isinstance(innermost(game.state.asking), Grounds)
    assert game.state.game.clock.running is None
    game.says("d4")
    assert isinstance(game.state.asking, Grounds)
    assert game.state.game.last.san == "e5"


@pytest.mark.parametrize("between", [(), BETWEEN[:1], BETWEEN[2:3]])
@pytest.mark.parametrize("move", ["Nf3", "Ne5"])
def test_what_an_arbiter_has_half_decided_is_told_before_a_move(between, move):
    game = Game(clock="5").moves("e4", "e5").orders("arbiter").says("yes")
    menu = game.says("2", "1").state.asking
    assert game.orders(*between).says(move).keys[0] == "answer_first"
    assert game.state.asking == menu


@in_between
def test_a_claim_goes_with_the_move_that_is_announced_after_it(between):
    game = Game(fen=NEARLY_FIFTY).orders("claim_fifty").orders(between).moves("Rh2")
    assert game.state.game.result.reason == "fifty"


REPEATS = "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"


@pytest.mark.parametrize(
    "claims", [("Ng8", "claim repetition"), ("claim repetition",), ("claim repetition", "no")]
)
def test_another_claim_does_not_take_the_place_of_the_first(claims):
    game = Game(clock="90").moves(*REPEATS).says(*claims, "fifty moves")
    assert game.keys[0] == "claim_stands"
    game.says("yes") if "Ng8" in claims else game.moves("Ng8")
    result = game.state.game.result
    assert (result and result.reason) == "threefold"


def test_nor_does_the_same_claim_or_one_behind_a_list():
    game = Game(clock="90").moves(*REPEATS).says("claim repetition", "laws", "fifty moves")
    assert game.keys == ["claim_stands", "ask_topic"]
    game = Game(clock="90").moves(*REPEATS).says("Ng8", "claim repetition", "claim repetition")
    assert game.keys == ["claim_stands", "ask_move"]


QUICKPLAY = {"clock": "1", "tempo": "standard", "laws": "fide-2009"}


@pytest.mark.parametrize(
    ("setup", "says", "asked"),
    [
        ({}, ("Nf3", "draw", "yes", "yes", "Nc6"), Confirm),
        ({"clock": "5"}, ("Nf3", "draw", "yes", "yes", "stop the clock"), Stopped),
        ({"two_boards": True}, ("Nf3", "draw", "yes", "yes"), Making),
        (QUICKPLAY, ("claim a draw", "yes"), Arbitrated),
    ],
)
def test_a_draw_that_is_offered_is_accepted_whatever_else_is_asked(setup, says, asked):
    made = ("made",) if "two_boards" in setup else ()
    game = Game(**setup).says("e4", "yes", *made, "e5", "yes", *made, *says)
    assert isinstance(game.state.asking, asked)
    for by in ("white", "black"):
        assert game.state.game.result is None
        game.happen(ev.Heard(words=("accept",), by=by))
    result = game.state.game.result
    assert (result and result.reason) == "agreement"


@pytest.mark.parametrize("move", [(), ("d4",)])
@pytest.mark.parametrize(
    ("confirm", "early", "told"), [("any", True, "answer_early"), ("key", False, "answer_by_key")]
)
def test_and_no_other_way_than_where_that_is_asked(move, confirm, early, told):
    game = Game().happen(ev.Started(confirm=confirm)).moves("e4", "e5")
    for by, said in (("white", move), ("black", ("draw", "yes"))):
        game.happen(*(ev.Heard(words=(one,), by=by) for one in said))
    game.happen(ev.Heard(words=("accept",), spoken=True, early=early))
    assert (game.keys[0], game.state.game.result) == (told, None)


def test_nor_by_its_offerer_or_the_arbiter():
    offered = ("e4", "yes", "e5", "yes", "Nf3", "draw", "yes", "yes")
    game = Game(clock="5").says(*offered, "Nc6")
    assert game.happen(ev.Heard(words=("accept",), by="white")).keys[0] == "draw_stands"
    for said in ("Nc6", "stop the clock"):
        game = Game(clock="5").says(*offered, said).happen(ev.Heard(words=("accept",), by="arbiter"))
        assert (game.keys[0], game.state.game.result) == ("web_players_only", None)


def test_with_two_boards_the_announced_move_counts_for_when_a_draw_can_be_agreed():
    game = Game(two_boards=True).says("e4", "yes", "made", "e5", "draw", "yes", "yes")
    assert game.says("accept").state.game.result.reason == "agreement"


@pytest.mark.parametrize("by", ["white", "black"])
def test_and_so_it_does_for_either_who_offers_one_on_his_page(by):
    game = Game(two_boards=True).says("e4", "yes", "made", "e5", "yes")
    for said in ("draw", "yes"):
        game.happen(ev.Heard(words=(said,), by=by))
    assert game.state.draw.offer == by


@pytest.mark.parametrize(
    "says", [("claim repetition",), ("claim repetition", "no"), ("Nc6", "claim repetition")]
)
def test_but_not_before_a_claim_is_decided(says):
    game = Game(clock="90").says("e4", "yes", "e5", "yes", "Nf3", "draw", "yes", "yes", *says)
    was = game.state.asking
    assert game.says("accept").keys[:2] == ["draw_stands", "answer_first"]
    assert (game.state.asking, game.state.game.result) == (was, None)


def test_nor_is_a_draw_accepted_while_a_flag_awaits_the_arbiter_or_none_is_offered():
    game = Game(**QUICKPLAY).moves("e4", "e5").says("claim a draw", "yes", "arbiter", "yes", "6", "3", "yes")
    assert isinstance(game.state.asking, Offered)
    for _ in range(12):
        game.happen(ev.Tick())
    assert game.state.arbiter.pending.key == "flag_postponed"
    assert game.says("accept").keys[0] == "draw_stands"
    assert game.state.game.result is None
    assert Game().moves("e4", "e5").says("accept").keys == ["draw_not_offered"]


@in_between
def test_a_no_in_between_keeps_a_claim_as_it_was(between):
    for says, stands in (("correction", False), ("no", True)):
        game = Game().moves("e4", "e5").says("Nf3").orders("claim_threefold").orders(between).says("no")
        game.orders("correction") if says == "correction" else game.says("no")
        assert (isinstance(game.state.asking, Claiming) and game.state.asking.stands) is stands


@pytest.mark.parametrize(
    ("setup", "moves", "held", "frees"),
    [
        ({"two_boards": True}, ("e4",), Making, "made"),
        ({"ritual": True}, ("e4",), Repeating, "e4"),
        ({}, (), Stopped, "yes"),
    ],
)
def test_a_claim_that_stands_waits_for_what_holds_the_game(setup, moves, held, frees):
    game = Game(clock="15+5", **setup).moves(*moves)
    if held is Stopped:
        game.orders("clock_stop")
    game.orders("claim_threefold").says("no")
    assert isinstance(game.state.asking, held)
    game.says(frees)
    assert game.state.asking == Claiming("claim_threefold", stands=True)
    assert isinstance(game.says("d4" if held is Stopped else "d5").state.asking, Confirm)


def test_a_claim_that_stands_waits_for_a_move_that_comes_after_it_too():
    game = Game(opponent="engine", colour="black", ritual=True, clock="5").orders(
        "clock_stop", "claim_threefold"
    )
    game.says("no", "yes").happen(ev.EngineMoved(uci="e2e4", plies=0))
    assert isinstance(game.state.asking, Repeating)
    assert game.says("e4").state.asking == Claiming("claim_threefold", stands=True)
    assert game.state.game.clock.running == "black"


@pytest.mark.parametrize(
    ("setup", "opened", "answers"),
    [
        ({"strict": True}, ("d4",), "press"),
        ({}, ("d4",), "press"),
        ({"two_boards": True}, ("d4", "yes"), "made"),
        ({}, ("d4", "draw", "yes", "yes"), "accept"),
    ],
)
@in_between
def test_what_answers_the_question_beneath_is_told_to_wait(setup, opened, answers, between):
    game = Game(clock="15+5", **setup).moves("e4", *(("e5",) if "two_boards" not in setup else ()))
    if "two_boards" in setup:
        game.says("made", "e5", "yes", "made")
    asked = game.says(*opened).state.asking
    before = game.orders(between).state.game
    assert game.orders(answers).keys[0] == "answer_first"
    assert innermost(game.state.asking) == asked
    assert (game.state.game.offences, game.state.game.played) == (before.offences, before.played)


def test_a_pointed_answer_is_held_against_a_touched_piece_as_a_spoken_one():
    for answer in (lambda game: game.points("f3"), lambda game: game.says("f")):
        game = Game(fen=KNIGHTS).orders("touched", square="b1").says("yes", "knight d2")
        assert game.state.asking.fact.uci == "b1d2"  # the only one that it allows
        assert answer(game).state.asking.fact.uci == "b1d2"
        assert not game.state.game.played


def test_a_pointed_answer_is_held_against_the_word_for_mate_as_a_spoken_one():
    for answer in (lambda game: game.points("h2"), lambda game: game.says("h")):
        game = Game(laws="escolar-br", fen="7k/8/8/8/8/8/R7/4K1R1 w - - 0 1").says("rook 2")
        answer(game).says("yes")
        assert not game.state.game.played


def test_a_piece_that_is_put_back_leaves_its_claim_to_be_answered():
    game = (
        Game(convention="letters")
        .moves("e4", "e5")
        .says("knight from g1")
        .orders("claim_threefold")
        .points("g1")
    )
    assert game.state.asking == Claiming("claim_threefold", stands=True)
    assert game.keys == ["withdrawn", "ask_claim_move"]


def test_a_piece_that_is_put_back_leaves_an_offer_to_be_answered():
    game = Game(clock="15+5").moves("e4", "e5").says("d4", "draw", "yes", "yes").says("knight from g8")
    game.points("g8")
    assert isinstance(game.state.asking, Offered)


def test_an_offer_to_the_engine_puts_what_is_asked_again():
    game = Game(opponent="engine", colour="white", ritual=True).moves("e4")
    game.happen(ev.EngineMoved(uci="e7e5", plies=1)).orders("draw").says("yes")
    assert game.keys == ["draw_offered", "ask_repeat"]


@pytest.mark.parametrize("between", ["laws", "move_at"])
def test_a_draw_is_offered_with_the_move_that_is_being_announced(between):
    game = Game().moves("e4", "e5").says("Nf3").orders(between).says("draw", "yes")
    assert game.keys[0] == "draw_with_move"
    assert (game.state.draw.with_move, game.state.draw.offer) == ("white", None)
    game.says("no", "yes")  # the list is left
    assert (game.state.game.last.san, game.state.asking) == ("Nf3", Offered("white"))


@pytest.mark.parametrize("between", ["laws", "resign", "stop"])
def test_a_claim_is_made_with_the_move_that_is_being_announced(between):
    game = Game(fen=NEARLY_FIFTY).says("Rh2").orders(between, "claim_fifty")
    assert game.keys[0] == "claim_with_move"
    assert game.says("no", "yes").state.game.result.reason == "fifty"


def test_a_number_that_no_move_has_leaves_the_question_for_one_open():
    game = Game().moves("e4", "e5").says("Nf3").orders("move_at").says("2")
    assert game.keys[0] == "no_such_move"
    assert game.says("1").keys[:2] == ["played", "played"]
    assert isinstance(game.state.asking, Confirm)


def test_a_number_with_signs_is_none_of_the_arbiter_s_list_and_zeros_are_no_castling():
    game = Game(clock="5").moves("e4", "e5").orders("arbiter").says("yes", "5")
    asked = game.state.asking
    assert game.says("0-2").state.asking == asked
    game = Game(clock="5").moves("e4", "e5").orders("arbiter").says("yes", "2", "1", "1", "5")
    assert game.says("1.30").state.asking.given == (1, 1, 5)
    assert game.says("00").state.asking.given == (1, 1, 5, 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        *(("1-0", 1), ("0-1", 2), ("0 – 1", 2), ("1/2-1/2", 3), ("½-½", 3), ("1/2", 3), ("0-0", 4)),
        *(("1:0", 1), ("½:½", 3), ("0,5 : 0,5", 3), ("0:0", 4)),
        *((text, None) for text in ("+-", "-+", "--", "1-0 0-1", "1-0, 1-0", "½-0", "0-0-0", "*")),
    ],
)
def test_a_result_in_writing_chooses_itself_where_it_is_offered_and_never_another(language, text, chosen):
    game = Game(language=language).moves("e4", "e5").orders("arbiter").says(YES[language])
    menu = game.state.asking
    if not text.startswith("0-0"):  # castling leads past the menu
        assert game.says(text).state.asking == menu
    asked = game.says("5").state.asking
    assert asked.missing == "score"
    wanted = replace(asked, given=(chosen,)) if chosen else asked
    assert game.says(text).state.asking == wanted
