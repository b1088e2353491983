# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose answer counts, and when: a second yes, key or Enter never answers for the other player."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told, happen, played_sans, played_ucis
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue.questions import Making, Offered, Signing
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from voices.words.lexicon import vocabulary

STANDARD = {"language": "en", "laws": "fide-2018"}


class Board:
    """A game as the program plays it: what is said ends a moment later, read by a voice or by nobody."""

    def __init__(self, *words, voice=False, **setup):
        self.voice, self.now = voice, 0
        self.state = State.new(Setup.of(**(STANDARD | setup)))
        self.told = []
        self._happen(ev.Started())
        self.say(*words)

    def _happen(self, event):
        self.now += 10
        self.state, effects = happen(self.state, replace(event, at=self.now))
        self.told = [m.key for m in all_told(effects)]

    def say(self, *words, key=False, wait=0):
        """Some answers in a row, each as fast as they can come, with what a silent program makes of them."""
        for word in words:
            self.now += wait
            self._happen(ev.Heard(words=(word,), key=key))
            told = self.told
            if not self.voice:
                self._happen(ev.SpeechEnded(heard=False))
            self.told = told

    def press(self, *commands):
        for command in commands:
            self._happen(ev.Ordered(command=command))

    def heard(self):
        """What is being said is said to its end by a voice."""
        self._happen(ev.SpeechEnded())


E4_E5 = ("e4", "yes", "e5", "yes")
OVER = (*E4_E5, "resign", "yes")
# Where the other player is asked next: what leads there with a last yes, and the setup.
PLACES = {
    "offer": ((*E4_E5, "draw"), {}, Offered("black")),
    "offer with a move": ((*E4_E5, "Nf3", "draw", "White yes"), {}, Offered("white")),
    "wrong claim": ((*E4_E5, "claim repetition"), {}, Offered("white")),
    "wrong claim with a move": ((*E4_E5, "claim fifty moves", "Nf3"), {}, Offered("white")),
    "signature": ((*OVER, "sign the scoresheet"), {}, Signing(("black",), "0-1")),
    "two boards": (("e4",), {"two_boards": True}, None),
    "offer on two boards": (
        ("e4", "yes", "made", "draw"),
        {"two_boards": True, "laws": "fide-2009"},
        Offered("white"),
    ),
}


def outcome(board):
    """What an answer for the other player would have changed."""
    state = board.state
    return state.game.result, state.game.signed, state.game.played, state.game.announced, state.draw.offer


@pytest.fixture(params=PLACES.values(), ids=PLACES)
def place(request):
    return request.param


@pytest.mark.parametrize("key", [False, True])
@pytest.mark.parametrize("voice", [False, True])
def test_a_doubled_yes_never_answers_for_the_other_player(place, voice, key):
    words, setup, asking = place
    board = Board(*words, voice=voice, **setup)
    board.say("yes", key=key)
    question = board.state.asking
    assert question == asking if asking else isinstance(question, Making)
    before, asked = outcome(board), board.told[-1]
    for _ in range(100):
        board.say("yes", key=key)
        assert board.told == ["answer_other", asked]
    assert (outcome(board), board.state.asking) == (before, question)


def test_a_no_or_an_escape_that_is_doubled_refuses_nothing_for_the_other_player():
    board = Board(*OVER, "sign the scoresheet", "no", "no")
    assert board.told == ["answer_other", "ask_sign"]
    assert board.state.asking == Signing(("black",), "0-1")


def test_who_goes_on_after_all_answers_his_own_question_at_once():
    board = Board("e4", "stop", "no", "yes")
    assert board.state.game.last.uci == "e2e4"


@pytest.mark.parametrize(
    "said",
    [
        (*E4_E5, "claim repetition", "yes", "stop", "no", "no"),
        (*E4_E5, "Nf3", "draw", "White yes", "yes", "stop", "no", "no"),
        (*OVER, "sign the scoresheet", "stop", "no", "no"),
        ("e4", "yes", "made", "draw", "yes", "stop", "no", "no"),
    ],
)
def test_a_doubled_no_to_stopping_refuses_nothing_for_another(said):
    board = Board(*said[:-1], two_boards="made" in said, laws="fide-2009" if "made" in said else "fide-2018")
    before, asking = outcome(board), board.state.asking
    board.say(said[-1])
    assert (board.told[0], outcome(board), board.state.asking) == ("answer_other", before, asking)


@pytest.mark.parametrize("wait", [0, 3000])
def test_a_key_that_lets_the_clocks_run_and_repeats_itself_accepts_nothing(wait):
    board = Board(*E4_E5, "Nf3", "draw", "White yes", "yes", voice=True, clock="90")
    board.heard()
    board.say("stop the clocks")
    board.heard()
    board.say("yes", key=True)
    board.heard()
    before = outcome(board)
    board.say("yes", key=True, wait=wait)
    assert (board.told[0], outcome(board)) == ("answer_other", before)


@pytest.mark.parametrize("words", ["Black yes", "yes Black", "Schwarz ja"])
def test_an_answer_that_names_its_player_counts_at_once(words):
    board = Board(*OVER, "sign the scoresheet", "yes", words)
    assert board.state.game.signed == ("white", "black")


@pytest.mark.parametrize(
    ("place", "words"),
    [("offer", "accept"), ("offer with a move", "accept"), ("offer", "White yes"), ("two boards", "made"),
     ("two boards", "e4"), ("two boards", "Black yes")],
)  # fmt: skip
def test_what_names_the_answer_counts_at_once(place, words):
    said, setup, _ = PLACES[place]
    board = Board(*said, "yes", **setup)
    before = outcome(board)
    board.say(words)
    assert outcome(board) != before
    assert "answer_other" not in board.told


@pytest.mark.parametrize(
    ("words", "setup"),
    [((*E4_E5, "draw"), {}), (("e4", "yes", "made", "e5"), {"two_boards": True})],
)
@pytest.mark.parametrize("elsewhere", ["", "both", "black"])
def test_who_is_asked_on_his_page_answers_at_once_after_an_answer_from_elsewhere(elsewhere, words, setup):
    board = Board(*words, **setup)
    board.state = replace(board.state)
    board._happen(ev.Heard(words=("yes",), by=elsewhere))
    before = outcome(board)
    board._happen(ev.Heard(words=("yes",), by="white"))
    assert outcome(board) != before
    assert "answer_other" not in board.told


def test_an_answer_in_the_name_of_who_is_not_asked_does_not_count():
    board = Board(*E4_E5, "draw", "yes", "Black yes")
    assert board.told == ["answer_other", "ask_accept_draw"]
    board = Board("e4", "Black yes")
    assert board.told == ["answer_other", "ask_move"]
    assert not board.state.game.played


def test_with_a_voice_a_yes_counts_when_the_question_has_been_said_to_its_end():
    board = Board(*E4_E5, "draw", "yes", voice=True)
    board.say("yes", wait=60_000)
    assert board.told == ["answer_other", "ask_accept_draw"]
    board.heard()
    board.say("yes")
    assert board.state.game.result.reason == "agreement"


def test_without_a_voice_a_yes_counts_when_the_question_could_be_read():
    board = Board(*E4_E5, "draw", "yes")
    board.say("yes", wait=500)
    assert board.told == ["answer_other", "ask_accept_draw"]
    board.say("yes", wait=1900)  # since then it has been put again
    assert board.told == ["answer_other", "ask_accept_draw"]
    board.say("yes", wait=2100)
    assert board.state.game.result.reason == "agreement"


def test_the_same_key_alone_never_answers_for_both_however_late():
    board = Board(*E4_E5, "draw")
    board.say("yes", key=True)
    for wait in (3000, 60_000):
        board.say("yes", key=True, wait=wait)
        assert board.told == ["answer_other", "ask_accept_draw"]
    board.say("yes", wait=3000)  # typed
    assert board.state.game.result.reason == "agreement"


def test_another_key_answers_for_the_other_player_when_the_question_could_be_read():
    board = Board(*E4_E5, "draw")
    board.say("yes", key=True)
    board.say("no", key=True, wait=3000)
    assert (board.state.draw.offer, board.told[0]) == (None, "draw_refused")


def test_questions_between_do_not_make_a_question_heard():
    board = Board(*E4_E5, "draw", "yes", "material", "yes")
    assert board.told == ["answer_other", "ask_accept_draw"]


def test_one_yes_of_a_player_answers_one_question():
    board = Board(*E4_E5, "Nf3", "draw", "yes", "yes")
    assert board.told == ["answer_early", "ask_move"]
    board.say("yes", wait=2100)
    assert played_sans(board.state) == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize(("language", "yes"), [("pt", "S"), ("es", "S"), ("en", "Y"), ("de", "J")])
def test_a_capital_alone_answers_yes_or_no_and_names_its_piece_where_one_is_asked_for(language, yes):
    asked = {"language": language, "convention": "letters"}
    assert Game(**asked).says("g1f3", "N").keys == ["say_again"]
    assert played_ucis(Game(**asked).says("g1f3", yes).state) == ["g1f3"]
    promoting = Game(**asked, fen="8/P7/8/8/8/8/7k/5K2 w - - 0 1").says("a8", "N")
    assert promoting.state.asking.fact.uci == "a7a8n"


def test_a_player_s_own_yes_counts_at_once():
    board = Board(*E4_E5, "Nf3", "no", "Bc4", "yes", "a6", "yes", "resign", "yes")
    assert board.state.game.result.score == "0-1"


def test_a_clock_that_is_pressed_twice_is_no_illegal_move_of_the_opponent():
    board = Board("e4", strict=True, clock="90")
    board.press("press", "press")
    assert board.told == ["press_doubled"]
    assert (board.state.game.offences, board.state.game.clock.running) == ((), "black")
    board.say("yes", "e5")
    board.press("press")
    assert played_sans(board.state) == ["e4", "e5"]


@pytest.mark.parametrize("words", [("e5",), ()])
def test_a_clock_that_is_pressed_twice_is_one_illegal_move(words):
    board = Board(strict=True, clock="90")
    board.state = replace(board.state)
    board.say(*words)
    board.press("press", "press")
    assert (board.told, board.state.game.result) == (["press_doubled"], None)
    assert board.state.game.offences == ("white",)


def test_a_clock_that_is_pressed_without_a_move_long_after_is_one_more_illegal_move():
    game = Game(strict=True, clock="90")
    key = ev.Heard(words=("press",), key=True)
    game.happen(key, replace(key, at=60_000), replace(key, at=120_000))
    assert game.state.game.offences == ("white", "white")


def test_the_arbiter_answers_for_no_player():
    board = Board(*E4_E5, clock="90")
    board.say("claim a draw", "yes", "arbiter", "yes", "3", "yes", "yes")
    assert board.told == ["answer_early", "ask_go_on"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_and_the_refusal_name_who_is_asked_and_what_counts(language):
    words = vocabulary(language)
    yes, no, draw = words.say("answer", "yes"), words.say("answer", "no"), words.say("command", "draw")
    board = Board(*E4_E5[:1], yes, "e5", yes, draw, yes, language=language)
    board.say(yes)
    renderer = Renderer(language)
    messages = happen(board.state, ev.Heard(words=(yes,), at=board.now))[1][0].messages
    refused, question = map(renderer.text, messages)
    white = words.say("colour", "white")
    assert white.casefold() in question.casefold()
    assert f"{white} {yes}".casefold() in refused.casefold()
    assert f"{white} {no}".casefold() in refused.casefold()
    board.say(f"{white} {yes}")
    assert board.state.game.result.reason == "agreement"


def test_where_nobody_listens_the_refusal_in_portuguese_tells_what_to_type_too():
    refusal = Message.of("answer_other", colour="black")
    assert "podem dizer Pretas sim" in Renderer("pt").text(refusal)
    assert "podem digitar Pretas sim" in Renderer("pt", typed=True).text(refusal)


def test_a_question_is_put_again_in_a_new_run():
    board = Board(*E4_E5, "draw", "yes")
    board._happen(ev.SpeechEnded())
    board.state, _ = happen(board.state, ev.Resumed(at=0))
    board.now = 0
    board.say("yes")
    assert board.told == ["answer_other", "ask_accept_draw"]


ANY = st.lists(
    st.tuples(
        st.sampled_from(("yes", "no", "Black yes", "White no", "accept", "made", "draw", "e4", "e5", "Nf3", "resign",
                         "sign the scoresheet", "claim repetition", "press", "material")),
        st.sampled_from((0, 2500)), st.booleans(), st.booleans(),
    ), max_size=25,
)  # fmt: skip


@settings(max_examples=examples(100), deadline=None)
@given(ANY, st.booleans(), st.booleans())
def test_a_yes_right_after_a_yes_settles_nothing(said, two_boards, voice):
    board, last = Board(two_boards=two_boards, voice=voice), ""
    for word, wait, key, heard in said:
        before = outcome(board)
        board.say(word, key=key, wait=wait)
        if word == last == "yes" and (voice or not wait):
            assert outcome(board) == before
        last = word
        if heard and voice:
            board.heard()
            last = ""


# What may have been something else, or was said before the question was over, settles nothing


def on_two_boards(**how):
    return Game(two_boards=True, **how).moves("e4")


def claiming(**how):
    rules = {"laws": "fide-2009", "tempo": "standard", "clock": "1", "supervised": False}
    return Game(**rules, **how).moves("e4", "e5").orders("claim_draw").says("yes")


def deciding(*numbers, **how):
    return Game(clock="5", **how).moves("e4", "e5").orders("arbiter").says("yes", *numbers)


def repeating(**how):
    return Game(ritual=True, **how).moves("e4")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (on_two_boards, ("david drei", "eva vier")),
        (on_two_boards, ("eva vier", "david drei")),
        (on_two_boards, ("made", "eva vier")),
        (claiming, ("two", "one")),
        (claiming, ("two",)),  # the other readings offered nothing
        (deciding, ("one", "two")),
        (repeating, ("eva vier", "david vier")),
        (repeating, ("david vier", "eva vier")),
        (lambda **how: Game(**how).says("e4"), ("eva vier", "yes")),
        (lambda **how: Game(**how).moves("e4").orders("laws"), ("three", "four")),
    ],
)
def test_one_of_several_readings_that_are_about_equally_likely_answers_nothing(game, words):
    game = game()
    asked, heard = game.state.asking, ev.Heard(words=words, spoken=True, sure=False)
    game.happen(heard)
    assert game.keys[0] == "not_understood"
    assert game.state.asking == asked


def test_an_answer_that_all_readings_are_counts():
    game = on_two_boards().happen(ev.Heard(words=("eva vier", "bauer eva vier"), spoken=True, sure=False))
    assert game.keys == ["noted"]


def test_what_is_perhaps_no_legal_move_is_not_the_move_made():
    heard = ev.Heard(words=("eva vier",), spoken=True, doubted=True)
    assert on_two_boards().happen(heard).keys == ["not_understood", "ask_made"]


@pytest.mark.parametrize(
    ("game", "words"), [(on_two_boards, "eva vier"), (on_two_boards, "made"), (claiming, "two")]
)
def test_a_move_or_a_number_that_answers_for_good_waits_for_the_end_of_its_question(game, words):
    game = game()
    asked, heard = game.state.asking, ev.Heard(words=(words,), spoken=True, early=True)
    assert game.happen(heard).keys[0] == "answer_early"
    assert game.state.asking == asked
