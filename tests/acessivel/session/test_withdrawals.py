# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of an announcement that a no, a command or the other player comes upon."""

from __future__ import annotations

import pytest
from support.happening import all_told, happen, played_ucis
from support.languages import LANGUAGES

from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import (
    NOTHING,
    Choose,
    Claiming,
    Confirm,
    Promote,
    Stopped,
    Sure,
)
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from voices.words.lexicon import vocabulary

CHECKS = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1"
FIFTH_RANK = "4k3/8/8/7R/7P/8/8/4K3 w - - 0 1"  # of the rook's moves along its file the last gives check


class Game:
    """A game between two persons that is spoken, each word when the question before has long been heard."""

    def __init__(self, language="en", **setup):
        self.state = State.new(Setup.of(language=language, **setup))
        self.language, self.told, self.now = language, [], 0
        self.happen(ev.Started())

    def happen(self, event):
        self.state, effects = happen(self.state, event)
        self.told = all_told(effects)
        return self

    def hears(self, *words, beside=(), by="", spoken=True):
        for said in words:
            self.now += 10_000
            self.happen(ev.SpeechEnded(at=self.now - 5000))
            self.happen(ev.Heard(words=(said,), spoken=spoken, beside=beside, by=by, at=self.now))
        return self

    @property
    def keys(self):
        return [message.key for message in self.told]

    def text(self, number):
        return Renderer(self.language).text(self.told[number])

    @property
    def moves(self):
        return played_ucis(self.state)


def command(name, language="en"):
    return vocabulary(language).say("command", name)


@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ("en", "Not played. Say the move again, or only its piece: I will ask for the rest."),
        ("de", "Nicht gezogen. Sagen Sie den Zug noch einmal, oder nur die Figur: Nach dem Rest frage ich."),
        ("es", "No se juega. Diga la jugada otra vez, o solo la pieza: yo preguntaré el resto."),
        ("pt", "Certo, não jogo. Diga o lance outra vez, ou só a peça: eu pergunto o resto."),
    ],
)
def test_who_said_no_twice_is_told_that_a_piece_alone_can_be_said(language, hint):
    no = vocabulary(language).say("answer", "no")
    game = Game(language).hears("Eva vier", no)
    assert game.keys == ["say_again"]
    assert game.hears("David vier", no).keys == ["say_again_in_parts"]
    assert game.text(0) == hint
    assert game.hears("Bauer", "Eva", "drei", "ja").moves == ["e2e3"]
    assert game.hears("Eva fünf", no).keys == ["say_again"]  # another turn


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "yes", "asking"), [("clock_stop", False, Stopped), ("claim_draw", True, type(NOTHING))]
)
def test_a_command_that_leads_elsewhere_tells_that_what_was_announced_is_withdrawn(
    language, name, yes, asking
):
    game = Game(language, clock="90").hears("Eva vier", command(name, language))
    if yes:
        assert "announced_withdrawn" not in game.keys
        game.hears(vocabulary(language).say("answer", "yes"))
    assert game.keys[:2] == ["announced_withdrawn", "ruling"]
    assert isinstance(game.state.asking, asking)
    assert game.text(0).startswith({"en": "What", "de": "Was", "es": "Lo", "pt": "O que"}[language])
    assert game.moves == []


ANNOUNCED = "Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei"


def test_a_draw_that_the_other_player_offers_on_his_page_does_not_take_it_back():
    game = Game().hears(*ANNOUNCED).hears("draw", "yes", by="black")
    assert game.keys == ["draw_noted", "ask_move"]
    game.hears("yes", by="white")
    assert (game.moves[-1], game.state.draw.offer, game.keys[0]) == ("g1f3", None, "draw_refused")


@pytest.mark.parametrize(
    ("fen", "said", "asked"),
    [
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Anna acht", Promote),
        ("4k3/8/8/8/8/3K4/8/R6R w - - 0 1", "Turm Felix eins", Choose),
        ("4k3/8/8/8/8/3K4/8/R6R w - - 0 1", "fifty moves", Claiming),
    ],
)
def test_what_is_asked_of_a_move_or_a_claim_is_answered_before_the_offer(fen, said, asked):
    game = Game(fen=fen, laws="fide-2009").hears(said)
    was = game.state.asking
    assert isinstance(was, asked)
    assert game.hears("draw", "yes", by="black").keys[0] == "draw_noted"
    assert (game.state.asking, game.state.draw.offer) == (was, "black")


@pytest.mark.parametrize("answer", ["no", "correction"])
def test_an_offer_is_asked_once_what_was_announced_meanwhile_comes_to_nothing(answer):
    game = Game().hears(*ANNOUNCED).hears("draw", "yes", by="black").hears(answer, by="white")
    assert game.keys[-1] == "ask_accept_draw"
    assert game.hears("yes", by="white").state.game.result.reason == "agreement"


@pytest.mark.parametrize("name", ["clock", "help", "last_move"])
def test_one_that_leads_nowhere_tells_nothing_of_it(name):
    game = Game().hears("Eva vier", command(name))
    assert "announced_withdrawn" not in game.keys
    assert isinstance(game.state.asking, Confirm)


def test_what_a_player_has_only_picked_is_told_to_nobody():
    game = Game(two_boards=True, clock="5+3").happen(ev.SquarePointed(square="e2"))
    assert "announced_withdrawn" not in game.hears(command("clock_stop")).keys


def test_no_piece_is_asked_for_where_none_can_be_said():
    game = (
        Game()
        .hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
        .hears("draw", "yes", by="black")
    )
    no = ("Springer Felix drei", "no", "David vier", "no")
    assert game.hears(*no).keys == ["say_again", "ask_accept_draw"]


def test_nor_does_one_that_was_asked_for_without_an_announcement():
    assert Game(clock="90").hears(command("clock_stop")).keys[0] == "ruling"


@pytest.mark.parametrize(
    ("by", "colour"), [("white", "white"), ("black", "black"), ("both", None), ("arbiter", None), ("", None)]
)
def test_the_clock_is_stopped_by_the_player_on_whose_page_that_is_said(by, colour):
    game = Game(clock="15").hears(command("clock_stop"), by=by)
    sentence = dict(game.state.game.notes[-1].message.values)["sentence"]
    assert dict(sentence.values).get("colour") == colour
    game = Game(clock="15", opponent="engine", colour="white").hears(command("clock_stop"))
    assert dict(dict(game.told[0].values)["sentence"].values)["colour"] == "white"


def test_a_player_resigns_on_his_page_while_a_move_of_the_other_is_asked():
    game = Game().hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
    assert game.hears("resign", by="black").keys == ["ask_resign_of"]
    assert game.hears("no", by="black").keys == ["going_on", "ask_move"]
    assert game.state.asking.fact.uci == "g1f3"
    assert game.hears("resign", "yes", by="black").state.game.result.reason == "resignation"


@pytest.mark.parametrize("name", ["adjourn", "claim_draw"])
@pytest.mark.parametrize("move", [(), ("Springer Felix drei",)])
def test_but_says_no_yes_to_what_the_other_has_asked_for(name, move):
    game = Game(clock="90").hears("Eva vier", "ja", "Eva fünf", "ja", *move, command(name))
    asking = game.state.asking
    assert isinstance(asking, Sure)
    assert game.hears("yes", by="black").keys[0] == "not_your_turn"
    assert game.state.asking == asking
    assert game.hears("yes", by="white").state.asking != asking


@pytest.mark.parametrize("name", ["claim_illegal", "arbiter", "resign", "draw"])
def test_nor_has_his_own_command_answered_by_the_other_who_can_still_move(name):
    game = Game(clock="90").hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
    asking = game.hears(command(name), by="black").state.asking
    assert isinstance(asking, Sure)
    for answer in ("yes", "no"):
        assert game.hears(answer, by="white").keys[0] == "web_asked_other"
        assert game.state.asking == asking
    game.hears("Springer Felix drei", "yes", by="white")
    assert game.moves[-1] == "g1f3"


@pytest.mark.parametrize("typed", [("resign",), ("draw", "resign")])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_nor_is_it_answered_by_what_was_meant_for_the_question_before(answer, typed):
    """The other player answers at the device, just when the question changes."""
    game = Game().hears(*ANNOUNCED).hears(*typed, by="black")
    asking = game.state.asking
    game.happen(ev.Heard(words=(answer,), spoken=True, at=game.now + 300))
    assert (game.state.asking, game.keys[0]) == (asking, "answer_other")


def test_but_who_has_asked_it_answers_it_on_his_page_at_once():
    game = Game().hears(*ANNOUNCED).hears("resign", by="black")
    game.happen(ev.Heard(words=("yes",), by="black", at=game.now + 300))
    assert game.state.game.result.score == "1-0"


def test_nor_does_what_was_meant_for_a_signature_agree_to_another_game():
    game = Game().hears("resign", "yes", "sign the scoresheet")
    game.happen(ev.Heard(words=("rematch",), by="black", faced=True, at=game.now + 300))
    assert game.state.asking.by == "white"
    game.happen(ev.Heard(words=("yes",), by="white", at=game.now + 600))
    assert game.keys == ["answer_other", "ask_rematch_of"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_the_end_nobody_is_asked_for_a_move_when_another_game_is_taken_back(language):
    yes = vocabulary(language).say("answer", "yes")
    game = Game(language).hears(command("resign", language), yes, command("rematch", language))
    assert isinstance(game.state.asking, Sure)
    assert game.hears(command("correction", language)).keys == ["withdrawn_over"]
    assert game.text(0).count(" ") <= 1


@pytest.mark.parametrize("own", ["claim_illegal", "arbiter", "resign"])
def test_what_a_player_asks_on_his_page_lets_him_do_nothing_for_the_side_to_move(own):
    game = Game(clock="15+5", strict=True, supervised=False).hears("Eva vier", "ja", "Eva fünf", "ja")
    game.hears(command(own), by="black")
    asking = game.state.asking
    for name in ("press", "correction", "adjourn", "touched", "claim_threefold"):
        said = "touched knight g1" if name == "touched" else command(name)
        assert game.hears(said, by="black", spoken=False).keys[0] == "not_your_turn", name
        assert game.state.asking == asking
    assert game.state.game.clock.running == "white"


def pressed():
    game = Game(clock="15+5", strict=True, supervised=False)
    assert game.hears("press", by="white", spoken=False).keys == ["press_stands"]
    return game


def test_a_clock_that_was_pressed_without_a_move_is_pressed_back_on_the_page_of_the_other_alone():
    game = pressed()
    for by, key, running in (("white", "press_stands", "black"), ("black", "pressed_back", "white")):
        assert game.hears("press", by=by, spoken=False).keys[0] == key
        assert game.state.game.clock.running == running


def test_but_who_has_pressed_it_presses_it_again_for_his_move():
    assert pressed().hears("Eva vier", "press", by="white", spoken=False).moves == ["e2e4"]
    game = Game(clock="15+5", strict=True, supervised=False, fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    for words in ("press", "Anna acht", "press"):
        game.hears(words, by="white", spoken=False)
    assert game.moves == ["a7a8q"]


@pytest.mark.parametrize(
    ("fen", "said", "then"),
    [("", "Eva vier", "yes"), ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Anna acht", "queen")],
)
def test_nor_is_the_other_kept_from_pressing_it_back_by_an_announcement(fen, said, then):
    game = Game(clock="15+5", strict=True, supervised=False, fen=fen)
    game.hears("press", said, by="white", spoken=False)
    asking = game.state.asking
    assert game.hears("press", by="black", spoken=False).keys[:2] == ["pressed_back", "turn"]
    assert (game.state.asking, game.state.game.clock.running, game.moves) == (asking, "white", [])
    assert game.hears("press", by="black", spoken=False).keys[0] == "not_your_turn"
    assert len(game.hears(then, "yes", by="white").moves) == 1


def test_nor_takes_it_back_what_the_other_has_announced():
    game = Game(clock="15+5").hears("Eva vier", by="white").hears(command("arbiter"), by="black")
    game.hears(command("correction"), by="black").hears("no", by="black").hears("yes", by="white")
    assert game.moves == ["e2e4"]


def test_the_arbiter_says_on_his_page_that_he_is_there():
    game = Game(clock="15").hears("Eva vier", "ja").hears(command("arbiter"), by="black")
    assert isinstance(game.hears("yes", by="arbiter").state.asking, Deciding)


@pytest.mark.parametrize("by", ["white", "black"])
def test_a_player_s_no_leaves_the_arbiter_s_menu_while_nothing_waits_for_him(by):
    game = Game(clock="15").hears(*ANNOUNCED[:2])
    game.hears(command("arbiter"), by="black").hears("yes", by="black")
    assert isinstance(game.state.asking, Deciding)
    for said in ("1", "Eva fünf"):
        game.hears(said, by="black", spoken=False)
        assert game.keys[0] == "web_arbiter_or_no"
    game.hears("no", by=by)
    assert (game.keys, game.state.asking) == (["going_on"], NOTHING)
    game = Game(clock="1", tempo="standard", laws="fide-2009").hears(
        *ANNOUNCED[:2], command("claim_draw"), "yes"
    )
    game.hears(command("arbiter"), "yes")
    assert game.hears("no", by=by).keys[0] == "web_arbiter_only"


def test_but_takes_back_nothing_that_he_has_half_decided():
    game = Game(clock="15").hears(command("arbiter"), "yes", "2", "1", by="arbiter", spoken=False)
    menu = game.state.asking
    assert game.hears("no", by="black", spoken=False).keys[0] == "web_arbiter_only"
    assert game.state.asking == menu


def test_an_offer_that_stands_already_takes_over_no_question_of_the_other():
    game = Game(clock="15").hears(
        "Eva vier", "ja", "Eva fünf", "ja", "David vier", command("draw"), "ja", "ja"
    )
    game.hears(command("claim_illegal"), by="black").hears(command("draw"), by="white")
    assert game.hears("yes", by="white").keys[0] == "web_asked_other"


def test_who_has_to_wait_for_the_other_s_answer_is_told_so():
    game = Game(clock="15").hears(
        "Eva vier", "ja", "Eva fünf", "ja", "David vier", command("draw"), "ja", "ja"
    )
    game.hears(command("arbiter"), by="white")
    assert game.hears(command("accept"), by="black", spoken=False).keys[0] == "web_asked_other"


@pytest.mark.parametrize("by", ["white", "black", "arbiter"])
def test_nobody_leaves_the_game_for_all_by_the_page_of_one(by):
    game = Game().hears("Eva vier", "ja")
    assert game.hears(command("play_online"), by=by).state.asking == NOTHING
    assert game.hears("yes", by=by).state.asking == NOTHING
    assert isinstance(game.hears(command("play_online"), by="both").state.asking, Sure)


def test_and_still_announces_nothing_there_for_the_other():
    game = Game().hears("Eva vier", by="black")
    assert game.keys[0] == "not_your_turn"
    assert game.state.asking == NOTHING


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_claim_with_the_announced_move_that_was_misheard_is_taken_back_with_it(language):
    game = Game(language).hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
    game.hears(command("claim_threefold", language))
    assert game.keys == ["claim_with_move", "ask_move"]
    assert game.hears(command("correction", language)).keys == ["withdrawn"]
    assert game.hears("Springer Cesar drei", "ja").keys[0] == "played"
    assert game.moves[-1] == "b1c3"


@pytest.mark.parametrize("between", [("resign", "no"), ("clock",), ("laws", "one")])
def test_so_it_is_whatever_was_asked_between(between):
    game = Game().hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
    game.hears(command("claim_threefold"), *between)
    assert game.hears("correction", "Springer Cesar drei", "ja").keys[0] == "played"


def test_but_a_correction_of_something_else_leaves_it():
    game = Game(clock="90").hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
    game.hears(command("claim_threefold"), command("clock_stop"), "correction")
    assert game.keys[0] == "nothing_to_correct"
    assert game.hears("yes").keys[-1] == "ask_claim_move"


@pytest.mark.parametrize("answer", ["no", "yes", "Springer Cesar drei"])
def test_but_stands_once_its_question_had_an_answer(answer):
    game = Game().hears("Eva vier", "ja", "Eva fünf", "ja", "Springer Felix drei")
    game.hears(command("claim_threefold"), "clock", answer)
    if answer == "yes":
        assert game.keys[0] == "ruling"
    else:
        game.hears("correction")
        assert game.keys[-1] == "ask_claim_move"


def test_a_no_leads_to_no_move_that_the_touched_piece_forbids():
    """Nobody announced it: only the ears may have taken that for it."""
    game = Game().hears("touched e2", "yes").hears("Eva vier", beside=("David vier",))
    assert game.hears("no").keys == ["say_again"]
    assert game.state.asking == NOTHING
    assert game.hears("David vier").keys[0] == "refused"  # that was announced


def test_nor_to_one_whose_check_was_not_announced():
    game = Game(laws="escolar-br", fen=CHECKS)
    game.happen(ev.Heard(words=("Turm Hector sieben", "Turm Hector acht"), spoken=True))
    assert game.state.asking.others
    assert game.hears("no").keys == ["say_again"]
    assert game.hears("Turm Hector acht").keys == ["ruling"]  # that was announced, but not its check


@pytest.mark.parametrize(
    ("before", "words", "beside", "setup"),
    [
        (("touched e2", "yes"), "Eva vier", "Anna vier", {"fen": "4k3/8/8/8/8/8/P3P2P/4K3 w - - 0 1"}),
        ((), "Turm Hector sechs", "Turm Hector sieben", {"laws": "escolar-br", "fen": FIFTH_RANK}),
    ],
)
def test_nor_does_one_to_the_question_in_what_two_moves_differ(before, words, beside, setup):
    game = Game(**setup).hears(*before).hears(words, words, beside=(beside,))
    assert game.keys == ["ask_alike"]
    assert game.hears("no").keys[-1] == "say_again"
    assert game.state.asking == NOTHING


@pytest.mark.parametrize("word", ["no", "yes", "vier", "Springer"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_nobody_is_told_to_answer_yes_or_no_where_the_move_is_to_be_repeated(language, word):
    game = Game(language, ritual=True).hears("Eva vier", "ja")
    assert game.keys[-1] == "ask_repeat"
    said = vocabulary(language).say("answer", word) if word in ("yes", "no") else word
    assert "answer_asked" not in game.hears(said).keys
    assert game.keys[-1] == "ask_repeat"
