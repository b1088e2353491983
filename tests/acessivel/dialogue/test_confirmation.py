# SPDX-License-Identifier: GPL-3.0-or-later
import chess
import pytest
from support.languages import LANGUAGES
from support.turns import confirmed

from acessivel.dialogue import confirmation
from acessivel.dialogue.questions import (
    NOTHING,
    Choose,
    Confirm,
    Difference,
    Nothing,
    Numbering,
    Offered,
    Promote,
    Sure,
    Topics,
)
from acessivel.dialogue.turn import AcceptDraw, AnswerAlone, CarryOut
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules.position import Position
from voices.meaning import Command, CommandName
from voices.understanding.meanings import read
from voices.words.lexicon import vocabulary

START = Position.start()


def say(asking, *alternatives, position=START, language="pt", barred=None):
    return confirmation.respond(
        asking, [read(words, language) for words in alternatives], position, barred=barred
    )


def keys(turn):
    return [message.key for message in turn.say]


def confirm(words, position=START):
    turn = say(Nothing(), words, position=position)
    assert isinstance(turn.asking, Confirm)
    return turn.asking


def test_an_announcement_is_repeated_and_not_played():
    turn = say(Nothing(), "Springer Felix drei")
    assert isinstance(turn.asking, Confirm)
    assert turn.asking.fact.uci == "g1f3"
    assert confirmed(turn) is None
    assert keys(turn) == ["ask_move"]


def test_only_yes_commits():
    asking = confirm("Eva vier")
    assert confirmed(say(asking, "sim")) == asking.fact
    for words in ("não", "relógio", "Springer Felix drei", "blah", "", "eins", "Dame", "correção"):
        assert confirmed(say(asking, words)) is None


@pytest.mark.parametrize("yes", ["ja", "sim", "yes", "sí", "Ja!"])
def test_yes_is_understood_in_every_language(yes):
    asking = confirm("Eva vier")
    assert confirmed(say(asking, yes)) == asking.fact


def test_a_word_that_only_resembles_yes_is_no_yes():
    # Portuguese "já" is "already", not German "ja".
    assert confirmed(say(confirm("Eva vier"), "já")) is None


def test_no_offers_the_next_reading_and_then_asks_again():
    first = say(Nothing(), "Springer Felix drei", "Springer Hector drei").asking
    second = say(first, "nein")
    assert isinstance(second.asking, Confirm)
    assert second.asking.fact.uci == "g1h3"
    last = say(second.asking, "nein")
    assert last.asking == Nothing()
    assert keys(last) == ["say_again"]


def test_what_was_heard_first_and_is_illegal_is_refused_though_the_next_reading_is_legal():
    turn = say(Nothing(), "Springer Felix fünf", "Springer Felix drei")
    assert turn.asking == Nothing()
    assert keys(turn) == ["refused"]


@pytest.mark.parametrize(
    ("heard", "asked", "moves"),
    [
        (("Eva vier", "Eva drei", "Springer Felix fünf"), Choose, ["e2e4", "e2e3"]),
        (("Springer Felix fünf", "Springer Felix drei"), Confirm, ["g1f3"]),
        (("Springer Felix fünf", "Turm Anna fünf"), Nothing, []),
    ],
)
def test_when_one_of_several_was_heard_the_legal_ones_are_offered(heard, asked, moves):
    turn = confirmation.respond(NOTHING, confirmation.unsure([read(words, "pt") for words in heard]), START)
    assert isinstance(turn.asking, asked)
    assert confirmed(turn) is None
    facts = getattr(turn.asking, "facts", None) or [turn.asking.fact] if moves else []
    assert [fact.uci for fact in facts] == moves
    assert keys(turn) == [{Choose: "ask_choice", Confirm: "ask_other_reading", Nothing: "refused"}[asked]]


def test_a_new_announcement_replaces_the_one_that_awaits_its_yes():
    turn = say(confirm("Eva vier"), "David vier")
    assert isinstance(turn.asking, Confirm)
    assert turn.asking.fact.uci == "d2d4"


def test_an_illegal_announcement_withdraws_the_one_before_so_that_a_late_yes_plays_nothing():
    turn = say(confirm("Eva vier"), "Turm Anna fünf")
    assert keys(turn) == ["refused", "withdrawn"]  # not without a word
    assert confirmed(say(turn.asking, "ja")) is None


@pytest.mark.parametrize(
    ("fen", "moves", "asked"),
    [
        ("8/7k/8/Q7/8/8/8/Q3Q1K1 w - - 0 1", ("a1e5", "a5e5", "e1e5"), Choose),
        ("8/P7/8/8/8/8/7k/5K2 w - - 0 1", ("a7a8q", "a7a8r", "a7a8b", "a7a8n"), Promote),
        (chess.STARTING_FEN, ("e2e4", "a2a4"), Difference),
    ],
)
def test_moves_that_are_to_be_told_apart_do_not_go_without_a_word_either(fen, moves, asked):
    position = Position.start(fen)
    asking = asked(tuple(fact for fact in position.legal if fact.uci in moves))
    under = Sure(CommandName.STOP, asking)
    for one in (asking, under, Topics(("clock",), asking), Numbering(1, 2, under)):
        turn = say(one, "Turm Hector fünf", position=position)
        assert (keys(turn), turn.asking) == (["refused", "withdrawn"], NOTHING)
        assert confirmed(say(turn.asking, "ja", position=position)) is None


def test_correction_withdraws():
    turn = say(confirm("Eva vier"), "correção")
    assert turn.asking == Nothing()
    assert keys(turn) == ["withdrawn"]
    assert keys(say(Nothing(), "correção")) == ["nothing_to_correct"]


def test_several_legal_moves_are_a_numbered_list_and_the_chosen_one_is_still_confirmed():
    # Two queens on a file and two on a rank: no word tells all three apart.
    position = Position.start("8/7k/8/Q7/8/8/8/Q3Q1K1 w - - 0 1")
    turn = say(Nothing(), "Dame Eva fünf", position=position)
    assert isinstance(turn.asking, Choose)
    assert keys(turn) == ["ask_choice"]
    chosen = say(turn.asking, "zwei", position=position)
    assert isinstance(chosen.asking, Confirm)
    assert confirmed(chosen) is None
    assert chosen.asking.fact == turn.asking.facts[1]
    assert say(turn.asking, "vier", position=position).asking == turn.asking
    assert confirmed(say(turn.asking, "ja", position=position)) is None


PROMOTION = Position.start("8/4P1k1/8/8/8/8/8/K7 w - - 0 1")


def test_a_promotion_without_its_piece_is_asked_for():
    turn = say(Nothing(), "Eva acht", position=PROMOTION)
    assert isinstance(turn.asking, Promote)
    assert confirmed(say(turn.asking, "ja", position=PROMOTION)) is None
    rook = say(turn.asking, "Turm", position=PROMOTION)
    assert isinstance(rook.asking, Confirm)
    assert rook.asking.fact.uci == "e7e8r"
    assert keys(say(turn.asking, "König", position=PROMOTION))[0] == "refuse_promotion"


def test_a_promotion_with_its_piece_is_only_confirmed():
    assert confirm("Eva acht Springer", PROMOTION).fact.uci == "e7e8n"


def test_two_pawns_that_can_promote_are_told_apart_first_and_then_asked_for_the_piece():
    position = Position.start("3r4/2P1P1k1/8/8/8/8/8/K7 w - - 0 1")
    which = say(Nothing(), "David acht", position=position).asking
    assert isinstance(which, Choose)
    piece = say(which, "Cesar", position=position).asking
    assert isinstance(piece, Promote)
    move = say(piece, "Läufer", position=position).asking
    assert isinstance(move, Confirm)
    assert move.fact.uci == "c7d8b"


@pytest.mark.parametrize(
    ("words", "command"),
    [("abandono", CommandName.RESIGN), ("empate", CommandName.DRAW), ("parar", CommandName.STOP)],
)
def test_what_ends_the_game_always_asks_back(words, command):
    asked = say(Nothing(), words)
    assert asked.asking == Sure(command, NOTHING)
    assert asked.do == AnswerAlone(Command(command))
    assert say(asked.asking, "sim").do == CarryOut(command)
    refused = say(asked.asking, "não")
    assert refused.do is None
    assert refused.asking == Nothing()


def test_a_no_to_resigning_asks_again_what_was_asked_before():
    asking = confirm("Eva vier")
    sure = say(asking, "abandono").asking
    turn = say(sure, "não")
    assert turn.asking == asking
    assert keys(turn) == ["going_on", "ask_move"]


def test_a_draw_offer_stays_open_until_it_is_answered_or_refused_by_a_move():
    offered = Offered("white")
    for words in ("correção", "relógio", "eins", "blah"):
        assert say(offered, words).asking == offered
    turn = say(offered, "Eva vier")
    assert keys(turn) == ["ask_move"]  # the move that is made refuses it
    assert say(offered, "sim").do == AcceptDraw()


def test_words_that_answer_nothing_get_the_question_again():
    assert keys(say(confirm("Eva vier"), "vier")) == ["answer_asked", "ask_move"]
    assert keys(say(Nothing(), "vier")) == ["nothing_asked"]


def test_after_the_end_nobody_is_asked_whether_to_resign():
    over = Message.of("game_is_over")
    readings = [read("abandono", "pt")]
    turn = confirmation.respond(Nothing(), readings, START, barred=over, over=True)
    assert (turn.asking, turn.say) == (Nothing(), (over,))


def test_a_question_in_between_leaves_the_move_waiting():
    asking = confirm("Eva vier")
    turn = say(asking, "relógio")
    assert turn.asking == asking
    assert turn.command is not None


def test_what_is_not_understood_puts_the_question_again():
    asking = confirm("Eva vier")
    turn = say(asking, "qualquer coisa")
    assert turn.asking == asking
    assert keys(turn) == ["not_understood", "ask_move"]


def test_a_letter_of_another_language_is_only_offered_when_the_own_one_gives_no_legal_move():
    king_can = Position.start("3k4/8/8/8/8/8/8/K3R3 w - - 0 1")
    rook_only = Position.start("4k3/4r3/8/8/8/8/8/K3R3 w - - 0 1")
    assert confirm("Rb1", king_can).fact.uci == "a1b1"
    doubtful = confirm("Re2", rook_only)
    assert doubtful.doubtful
    assert doubtful.fact.uci == "e1e2"
    assert say(Nothing(), "Re2", position=rook_only, language="en").asking.doubtful is False


def test_no_move_can_be_announced_when_it_is_barred():
    turn = say(Nothing(), "Eva vier", barred=Message.of("not_your_turn", colour="black"))
    assert turn.asking == Nothing()
    assert keys(turn) == ["not_your_turn"]


def test_after_the_end_nobody_is_told_to_announce_a_move():
    readings = [read("sim", "pt")]
    turn = confirmation.respond(Nothing(), readings, START, barred=Message.of("game_is_over"), over=True)
    assert turn.say == (Message.of("nothing_asked_over"),)
    for language in LANGUAGES:
        words = Renderer(language).text(turn.say[0])
        assert vocabulary(language).say("command", "stop") in words
        assert catalogue(language)["nothing_asked"] not in words


CHECKS = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"


@pytest.mark.parametrize(
    ("words", "fen", "asked"),
    [
        ("Dh5 xeque", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", ["ask_move"]),
        ("Dg4 xeque", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", ["no_check", "ask_move"]),
        ("Dh5 mate", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", ["no_mate", "ask_move"]),
        ("Ta8 xeque", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", ["ask_move"]),  # it is mate
        ("O-O xeque", CHECKS, ["no_check", "ask_move"]),
        ("e4 xeque", None, ["no_check", "ask_move"]),
        ("Cavalo f xeque", None, ["no_check", "ask_other_reading"]),
    ],
)
def test_a_check_that_is_said_and_not_given_is_told_before_the_yes(words, fen, asked):
    turn = say(Nothing(), words, position=Position.start(fen))
    assert isinstance(turn.asking, Confirm)
    assert keys(turn) == asked


@pytest.mark.parametrize(
    ("words", "fen", "ucis"),
    [
        ("Torre d8 xeque", "R2r3R/8/8/3k4/8/8/8/K7 w - - 0 1", {"a8d8", "h8d8"}),
        ("Cavalo c3 xeque", "8/8/8/8/4k3/8/4N3/1N2K3 w - - 0 1", {"b1c3", "e2c3"}),
        # One of the two opens the bishop's line.
        ("Torre e4 xeque", "7k/8/8/8/R2R4/8/1B6/K7 w - - 0 1", {"d4e4"}),
    ],
)
def test_of_several_moves_those_that_give_the_check_are_meant(words, fen, ucis):
    turn = say(Nothing(), words, position=Position.start(fen))
    facts = turn.asking.facts if isinstance(turn.asking, Choose) else ()
    facts = (turn.asking.fact,) if isinstance(turn.asking, Confirm) else facts
    assert {fact.uci for fact in facts} == ucis


def test_the_promotions_of_a_pawn_stay_together_whatever_gives_check():
    turn = say(Nothing(), "e8 xeque", position=Position.start("8/4P3/8/8/4k3/8/8/K7 w - - 0 1"))
    assert isinstance(turn.asking, Promote)
    assert len(turn.asking.facts) == 4
    assert keys(say(turn.asking, "cavalo", position=Position.start())) == ["no_check", "ask_move"]
    assert keys(say(turn.asking, "dama", position=Position.start())) == ["ask_move"]
