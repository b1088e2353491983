# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at a server: what the server tells becomes the game, and only what was announced and confirmed is sent."""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES

from acessivel.dialogue.questions import NOTHING, Confirm, Missing, Offered, Replying, Sure, TakingBack
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.rules.position import Position
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session import fair_play, practice
from acessivel.session.state import State
from acessivel.session.step import step, wakes_in
from voices.meaning import CommandName
from voices.words.lexicon import vocabulary

HERE = {
    "opponent": "online", "language": "en", "convention": "letters", "white": "Ana", "black": "Bob", "server": "https://lichess.org",
    "game_id": "abcd1234", "rated": True, "speed": "rapid", "clock": "15+10", "alarms": "1m,30s", "white_rating": 1500, "black_rating": 1600,
}  # fmt: skip
RESUMED = ev.Resumed()


class Game:
    """A session of one game at a server; `said` and `asked` since the last call of `do`."""

    def __init__(self, **setup):
        self.state = State.new(Setup.of(**{**HERE, **setup}))
        self.said, self.asked, self.all, self.now = [], [], (), 0
        self.do(ev.Started())

    def do(self, event, at=None):
        self.now = self.now if at is None else at
        self.state, effects = step(self.state, replace(event, at=self.now))
        self.said = [m for effect in effects if isinstance(effect, ef.Say) for m in effect.messages]
        self.asked = [effect for effect in effects if isinstance(effect, ef.AskServer)]
        self.effects = effects
        self.all = (*self.all, *effects)
        return self

    def told(self, moves="", *, at=None, **state):
        times = {"white_ms": 900_000, "black_ms": 900_000}
        return self.do(ev.ServerTold(moves=tuple(moves.split()), **{**times, **state}), at)

    def say(self, *words, **how):
        for word in words:
            self.do(ev.Heard(words=(word,), **how))
        return self

    def order(self, command):
        return self.do(ev.Ordered(command=command))

    @property
    def keys(self):
        return [message.key for message in self.said]

    @property
    def text(self):
        return " ".join(map(Renderer("en", "letters").text, self.said))

    @property
    def moves(self):
        return " ".join(move.fact.uci for move in self.state.game.played)


def joined(moves="", colour="white", **setup):
    return Game(colour=colour, **setup).told(moves, fresh=True)


def move(uci, *, draw=False):
    return ef.AskServer("move", uci, draw)


# The beginning


def test_it_is_told_against_whom_for_how_much_and_in_what_time():
    game = Game(colour="black")
    assert "you play Black against Ana, rating 1500, rated, clock 15+10." in game.text
    assert not any(isinstance(effect, ef.AskEngine) for effect in game.effects)
    assert game.told(fresh=True).keys == ["turn"]


@pytest.mark.parametrize("name", ["?", ""])
def test_an_opponent_without_an_account_is_told_as_that(name):
    assert (
        "you play White against somebody without an account, rated," in Game(black=name, black_rating=0).text
    )


def test_a_position_of_its_own_is_told_at_the_beginning():
    game = Game(fen="4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
    assert game.keys[:2] == ["setup_online", "online_own_position"]
    assert "Rank 1: white king on e1." in game.text
    assert "online_own_position" not in Game().keys


def test_what_the_clocks_show_when_the_game_is_joined_is_no_news_but_what_comes_then_is():
    game = Game().told("e2e4 e7e5", fresh=True, white_ms=900_000, black_ms=58_000)
    assert game.do(ev.Tick(quiet=True), at=1000).keys == []
    assert game.do(ev.Tick(quiet=True), at=301_000).keys == ["clock_mark"]


def test_a_game_of_days_has_no_clock_but_tells_how_long_the_move_may_take():
    game = Game(clock="none", days=2, rated=False, speed="correspondence", white_rating=0, black_rating=0)
    assert "against Bob, casual, 2 days for each move." in game.text
    game.told(fresh=True, white_ms=90_000_000, black_ms=172_800_000)
    assert game.say("clock").keys == ["time_left"]
    assert "25 hours" in game.text
    assert "20 hours" in game.do(ev.Tick(), at=18_000_000).say("clock").text


def test_how_long_the_first_move_may_take_is_told_at_once_and_when_asked():
    game = Game().told(fresh=True, first_move_ms=30_000)
    assert game.keys == ["turn", "online_first_move"]
    assert "30 seconds" in game.text
    assert "20 seconds" in game.do(ev.Tick(), at=10_000).say("clock").text
    assert game.told("e2e4", first_move_ms=30_000).keys == ["played"]  # that is for the opponent


def test_after_the_first_move_of_the_opponent_it_is_told_how_long_ones_own_may_take():
    game = joined(colour="black").told("e2e4", first_move_ms=25_000)
    assert game.keys == ["played", "online_first_move"]


# Moves


def test_an_own_move_is_sent_when_confirmed_and_stands_when_the_server_shows_it():
    game = joined().say("e4")
    assert game.asked == []
    assert game.say("yes").asked == [move("e2e4")]
    assert (game.keys, game.moves) == (["online_sent"], "")
    assert (game.told("e2e4").keys, game.moves) == ([], "e2e4")
    assert game.told("e2e4 e7e5").keys == ["played"]
    assert game.told("e2e4 e7e5").effects == ()


def test_nothing_else_can_be_announced_until_it_stands():
    game = joined().say("e4", "yes", "d4")
    assert (game.keys, game.asked) == (["online_waits_for"], [])
    assert game.say("whose turn").keys == ["turn", "online_waits_for"]


def test_a_move_that_got_lost_is_sent_again_when_the_server_says_afresh_how_the_game_stands():
    game = joined().say("e4", "yes")
    assert game.told(draw="black").asked == []  # it may still be on its way
    assert game.told(fresh=True).asked == [move("e2e4")]
    assert game.told(fresh=True).asked == [move("e2e4")]
    assert game.told("e2e4", fresh=True).asked == []
    assert game.state.online.sent is None


@pytest.mark.parametrize(
    ("fen", "words", "uci"),
    [
        ("4k3/p7/8/8/8/8/PPPPPPPP/6KR w H - 0 1", "O-O", "g1h1"),
        ("4k3/p7/8/8/8/8/PPPPPPPP/1RK5 w B - 0 1", "O-O-O", "c1b1"),
    ],
)
def test_castling_that_may_have_been_made_is_not_asked_for_again_where_that_would_be_a_move_of_the_king(
    fen, words, uci
):
    game = joined(fen=fen, variant="chess960").say(words, "yes")
    assert game.asked == [move(uci)]
    assert (game.told(fresh=True).keys, game.asked) == (["online_move_unanswered"], [])
    assert game.say(words, "yes").asked == [move(uci)]
    held = Game(fen=fen, variant="chess960").say(words, "yes").told(fresh=True)
    assert held.asked == [move(uci)]


def test_a_refused_move_is_announced_anew_unless_it_stands_after_all():
    game = joined().say("e4", "yes").do(ev.ServerRefused(request="move", reason="Not your turn"))
    assert (game.said, game.asked) == ([], [])
    again = joined().say("e4", "yes").do(ev.ServerRefused(request="move", reason="Not your turn"))
    assert (again.told("e2e4", fresh=True).keys, again.moves) == ([], "e2e4")
    assert (game.told(fresh=True).keys, game.asked) == (["online_move_refused"], [])
    assert "Not your turn" in game.text
    assert game.say("d4", "yes").asked == [move("d2d4")]


@pytest.mark.parametrize("fresh", [True, False])
def test_a_move_that_was_sent_too_late_is_told_with_the_end_of_the_game(fresh):
    game = joined("e2e4 e7e5").say("d4", "yes").told("e2e4 e7e5", status="draw", fresh=fresh)
    assert (game.keys[0], game.asked, game.moves) == ("online_not_made", [], "e2e4 e7e5")


def test_a_move_that_is_confirmed_before_the_server_has_told_waits_for_that():
    game = Game().say("e4", "yes")
    assert (game.keys, game.asked) == (["online_held"], [])
    assert game.told(fresh=True).asked == [move("e2e4")]
    other = Game().say("e4", "yes").told("d2d4 d7d5", fresh=True)
    assert (other.keys, other.asked) == (["played", "played", "online_not_made", "turn"], [])


def test_a_move_that_is_confirmed_while_the_connection_is_lost_waits_and_can_be_withdrawn():
    game = joined().do(ev.DeviceNews(key=ev.SERVER_LOST)).say("e4", "yes")
    assert (game.keys, game.asked) == (["online_held"], [])
    assert game.do(ev.DeviceNews(key=ev.SERVER_BACK)).told(fresh=True).asked == [move("e2e4")]
    game = joined().do(ev.DeviceNews(key=ev.SERVER_LOST)).say("e4", "yes", "correction")
    assert game.keys == ["online_withdrawn"]
    assert game.told(fresh=True).asked == []


def test_a_move_that_is_confirmed_while_the_server_wants_a_pause_waits_too():
    paused = ev.DeviceNews(key=ev.SERVER_WAITS)
    assert joined().do(paused).say("e4", "yes").keys == ["online_held"]
    game = joined().do(paused).say("e4", "yes")
    assert game.told(draw="black").asked == []
    assert game.told(draw="black", fresh=True).asked == [move("e2e4")]
    game = joined().do(paused).say("e4", "yes", "correction")
    assert (game.keys, game.told(fresh=True).asked) == (["online_withdrawn"], [])


def test_a_move_that_was_sent_cannot_be_withdrawn():
    assert joined().say("e4", "yes", "correction").keys == ["nothing_to_correct"]


def test_castling_is_the_same_move_in_both_notations():
    moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1"
    game = joined(moves)
    assert game.moves.endswith("e1g1")
    assert game.told(moves.replace("e1h1", "e1g1")).effects == ()
    game = joined("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5").say("O-O", "yes")
    assert game.asked == [move("e1g1")]
    assert (game.told(moves).keys, game.state.online.sent) == ([], None)


def test_of_many_moves_that_were_made_meanwhile_the_last_is_told():
    assert joined("e2e4 e7e5 g1f3 g8f6").keys == ["played", "turn"]
    assert joined("e2e4").told("e2e4 e7e5 g1f3").keys == ["played", "played"]


# Prepared moves


def test_a_move_can_be_prepared_while_the_opponent_thinks():
    game = joined("e2e4").say("Nf3")
    assert isinstance(game.state.asking, Confirm)
    assert (game.say("yes").keys, game.asked) == (["online_prepared"], [])
    assert game.say("whose turn").keys == ["turn", "online_prepared"]
    assert game.told("e2e4 e7e5").asked == [move("g1f3")]
    assert game.keys == ["played", "online_sent"]


def test_a_prepared_move_is_withdrawn_by_a_word_or_by_another():
    game = joined("e2e4").say("Nf3", "yes", "correction")
    assert game.keys == ["online_withdrawn"]
    assert game.told("e2e4 e7e5").asked == []
    game = joined("e2e4").say("Nf3", "yes", "Nc3", "yes")
    assert game.told("e2e4 e7e5").asked == [move("b1c3")]


@pytest.mark.parametrize(
    ("words", "reply"),
    [("exd5", "e7e5"), ("e5", "e7e5"), ("Qh5", "g7g5"), ("Qxd2", "e7e5"), ("Bxb5", "a7a6")],
)
def test_a_prepared_move_that_the_reply_makes_another_is_told_and_never_sent(words, reply):
    game = joined("e2e4").say(words, "yes")
    assert game.keys == ["online_prepared"] or words == "Bxb5"
    game.told(f"e2e4 {reply}")
    if words == "Qh5" and reply == "g7g5":  # that square was free, and still is
        assert game.asked == [move("d1h5")]
    elif words != "Bxb5":
        assert (game.keys, game.asked) == (["played", "online_prepared_not"], [])
        assert game.told(f"e2e4 {reply} d2d4").asked == []


def test_a_recapture_is_prepared_where_an_own_piece_stands():
    moves = "e2e4 d7d5 e4d5 c7c6 d5c6"
    game = joined(moves, colour="black")
    assert game.keys == ["played", "turn"]
    game = joined("e2e4 d7d5", colour="black").say("Qxd5", "yes")
    assert game.keys == ["online_prepared"]
    assert game.told("e2e4 d7d5 e4d5").asked == [move("d8d5")]
    game = joined("e2e4 d7d5", colour="black").say("Qxd5", "yes").told("e2e4 d7d5 b1c3")
    assert (game.keys, game.asked) == (["played", "online_prepared_not"], [])


def test_what_is_being_announced_when_the_reply_comes_stays_asked_if_it_is_the_same_move():
    game = joined("e2e4").say("Nf3").told("e2e4 e7e5")
    assert game.keys == ["played", "ask_move"]
    assert game.say("yes").asked == [move("g1f3")]
    game = joined("e2e4").say("exd5").told("e2e4 e7e5")
    assert (game.keys, game.state.asking) == (["played", "withdrawn"], NOTHING)
    assert game.say("yes").asked == []
    game = joined("e2e4").say("knight")
    assert isinstance(game.state.asking, Missing)
    assert game.told("e2e4 e7e5").keys == ["played", "withdrawn"]


def test_a_question_about_something_else_stays_open_when_the_reply_comes():
    game = joined("e2e4").say("resign").told("e2e4 e7e5")
    assert game.keys == ["played", "ask_resign"]
    assert game.say("yes").asked == [ef.AskServer("resign")]
    game = joined("e2e4").say("exd5", "resign").told("e2e4 e7e5")
    assert game.keys == ["played", "withdrawn", "ask_resign"]
    assert (game.say("no").state.asking, game.say("yes").asked) == (NOTHING, [])


def test_a_prepared_move_follows_on_one_reply_alone():
    for run in (ev.DeviceNews(key=ev.SERVER_LOST), RESUMED):
        game = joined("e2e4").say("Nf3", "yes").do(run).told("e2e4 e7e5 f1c4 b8c6", fresh=True)
        assert (game.asked, game.state.online.confirmed) == ([], None)
        assert "online_not_made" in game.keys


def prepared_before(*said):
    """A new run, where the reply to a move that had been prepared stands at the server."""
    return joined("e2e4").say("Nf3", "yes").do(RESUMED, at=0).say(*said).told("e2e4 e7e5", fresh=True)


def test_a_move_that_was_prepared_in_an_earlier_run_awaits_a_yes_as_the_reply_was_not_heard():
    game = prepared_before()
    assert (game.keys, game.asked) == (["played", "online_was_prepared", "turn", "ask_move"], [])
    assert "Knight g1 f3?" in game.text
    assert (game.say("yes").keys, game.asked) == (["answer_early", "ask_move"], [])
    assert game.do(ev.SpeechEnded(heard=True)).say("yes").asked == [move("g1f3")]
    game = prepared_before().do(ev.SpeechEnded(heard=True)).say("no")
    assert (game.asked, game.state.online.confirmed, game.state.asking) == ([], None, NOTHING)
    assert prepared_before("stop").say("no").keys == ["going_on", "ask_move"]


def test_a_prepared_move_ends_with_the_game_and_with_moves_taken_back():
    game = joined("e2e4 e7e5 g1f3").say("d4", "yes").told("e2e4 e7e5")
    assert game.keys == ["taken_back", "online_not_made", "turn"]
    assert (game.asked, game.state.online.prepared) == ([], None)
    game = joined("e2e4").say("Nf3", "yes").told("e2e4", status="resign", winner="white")
    assert game.state.online.prepared is None


# What needs no yes


def sure(colour="white", **setup):
    return joined(colour=colour, online_confirm="unsure", **setup)


def test_by_default_each_move_awaits_its_yes():
    assert joined().say("e4").asked == []
    assert joined().say("e4", spoken=True).do(ev.SpeechEnded()).asked == []


def test_a_sure_typed_move_goes_at_once_where_that_is_agreed():
    assert sure().say("e4").asked == [move("e2e4")]


@pytest.mark.parametrize(
    ("language", "words", "uci"),
    [("de", "D nach d4", "d2d4"), ("pt", "C para c4", "c2c4"), ("en", "B to b4", "b2b4")],
)
def test_a_pawn_does_not_go_at_once_for_a_letter_that_names_a_piece_too(language, words, uci):
    game = sure(language=language).say(words)
    assert (game.keys, game.asked) == (["ask_move"], [])
    assert game.say(vocabulary(language).say("answer", "yes")).asked == [move(uci)]


@pytest.mark.parametrize("words", ["b to b4", "P to b4", "b2b4"])
def test_a_pawn_that_is_named_or_of_a_file_goes_at_once(words):
    assert sure().say(words).asked == [move("b2b4")]


def test_a_piece_goes_at_once_where_no_pawn_of_the_file_that_its_letter_names_can_go_there():
    assert sure().told("e2e4 e7e5").say("B to b5").asked == [move("f1b5")]


def repeated(game, *, heard=True):
    """What was said is said to its end, and a moment passes in which nobody speaks."""
    game.do(ev.SpeechEnded(heard=heard))
    return game.do(ev.Tick(quiet=True), at=game.now + 1000)


def test_a_sure_spoken_move_goes_a_moment_after_it_was_repeated_to_its_end():
    game = sure(alarms="none").say("e4", spoken=True)
    assert (game.keys, game.asked) == (["ask_move"], [])
    assert game.do(ev.SpeechEnded(heard=True)).asked == []
    assert wakes_in(game.state, game.now, quiet=True) == 1000
    assert game.do(ev.Tick(quiet=True), at=900).asked == []
    assert game.do(ev.Tick(quiet=False), at=1100).asked == []  # somebody speaks
    assert wakes_in(game.state, game.now, quiet=False) is None
    assert wakes_in(game.state, game.now, quiet=True) == 0
    assert game.do(ev.Tick(quiet=True), at=1500).asked == [move("e2e4")]
    assert wakes_in(game.state, game.now, quiet=True) is None


def test_a_sure_spoken_move_that_was_not_repeated_to_its_end_awaits_its_yes():
    game = repeated(sure().say("e4", spoken=True), heard=False)
    assert repeated(game).asked == []
    assert game.say("yes").asked == [move("e2e4")]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("word", ["no", "correction", "stop", "resign", "d4", "bubble", "clock", "e4"])
def test_a_word_before_that_keeps_it_from_going(word, late):
    game = sure().say("e4", spoken=True)
    if late:
        game.do(ev.SpeechEnded(heard=True))
    game.say(word, spoken=True)
    assert game.asked == []
    assert repeated(game).asked == []
    assert repeated(game).asked == []


@pytest.mark.parametrize(
    ("word", "answer"), [("stop", "no"), ("resign", "no"), ("draw", "yes"), ("rules", "one"), ("rules", "no")]
)
def test_so_it_does_where_the_answer_to_its_question_leads_back_to_the_move(word, answer):
    game = sure().say("e4", spoken=True).say(word, spoken=True)
    assert repeated(game).asked == []
    assert game.say(answer, spoken=True).keys[-1] == "ask_move"
    assert repeated(game).asked == []
    assert move("e2e4", draw=word == "draw") in game.say("yes", spoken=True).asked


def test_a_key_before_that_keeps_it_from_going_too():
    cursor = (ev.Explored(what="square", square="e5"), ev.Returned())
    for event in (ev.Ordered(command="clock"), ev.SquarePointed(square="e5"), *cursor):
        game = sure().say("e4", spoken=True).do(ev.SpeechEnded(heard=True)).do(event)
        assert repeated(game).asked == []
        assert game.say("yes").asked == [move("e2e4")]


@pytest.mark.parametrize("key", ["microphone_lost", "microphone_dead", "hearing_lost"])
def test_it_does_not_go_where_no_voice_can_object_any_more(key):
    lost = ev.DeviceNews(key=key)
    game = sure().say("e4", spoken=True).do(lost)
    assert repeated(game).asked == []
    assert game.say("yes").asked == [move("e2e4")]


@pytest.mark.parametrize(
    ("words", "how"),
    [
        (("e4", "d4"), {}),
        (("e4",), {"sure": False}),
        (("e4",), {"again": True}),
        (("e4",), {"spoken": True, "early": True}),
        (("knight",), {}),
        (("e4 check",), {}),
    ],
)
def test_an_unsure_reading_never_goes_without_a_yes(words, how):
    game = repeated(sure().do(ev.Heard(words=words, **how)))
    assert game.asked == []


def test_where_a_key_must_say_yes_no_voice_sends_a_move():
    game = Game(online_confirm="unsure").do(ev.Resumed(confirm="key")).told(fresh=True)
    assert repeated(game.say("e4", spoken=True)).asked == []


def test_a_piece_that_was_pointed_at_is_asked_about():
    game = sure().do(ev.SquarePointed(square="e2")).do(ev.SquarePointed(square="e4"))
    assert (game.keys, game.asked) == (["ask_move"], [])


def test_a_sure_move_is_prepared_without_a_yes_too():
    game = sure().told("e2e4").say("Nf3")
    assert game.keys == ["online_prepared"]


# Draws, taking back, the end


def test_a_draw_is_offered_and_its_refusal_told():
    game = joined("e2e4 e7e5").say("draw", "yes")
    assert (game.keys, game.asked) == (["draw_offered"], [ef.AskServer("draw_yes")])
    assert game.told("e2e4 e7e5", draw="white").keys == []
    assert game.say("draw").keys == ["draw_stands"]
    assert game.told("e2e4 e7e5").keys == ["draw_refused"]


def test_a_draw_is_offered_with_a_move():
    game = joined().say("e4", "draw", "yes")
    assert game.keys == ["draw_with_move", "ask_move"]
    assert game.do(ev.SpeechEnded()).say("yes").asked == [move("e2e4", draw=True)]
    assert game.told(fresh=True).asked == [move("e2e4", draw=True)]


def test_so_it_is_beneath_a_list():
    game = joined().say("e4").order("laws").say("draw", "yes")
    assert (game.keys[0], game.asked) == ("draw_with_move", [])
    assert game.say("no").do(ev.SpeechEnded()).say("yes").asked == [move("e2e4", draw=True)]


def test_a_draw_goes_with_no_other_move_than_the_one_that_was_being_announced():
    def announced():
        return joined("e2e4 e7e5").say("Nf3", "draw", "yes").do(ev.SpeechEnded())

    assert announced().say("help", "yes").asked == [move("g1f3", draw=True)]
    assert announced().say("no", "d4", "yes").asked == [move("d2d4")]
    assert announced().told("e2e4").told("e2e4 c7c5").say("d4", "yes").asked == [move("d2d4")]
    back = announced().told()  # where the same move is still asked about
    assert back.say("yes").asked == [move("g1f3")]
    assert announced().say("no", "draw").keys == ["ask_draw"]


@pytest.mark.parametrize(("word", "asked"), [("yes", "draw_yes"), ("no", "draw_no"), ("accept", "draw_yes")])
def test_an_offer_of_the_opponent_is_asked_once_and_answered(word, asked):
    game = joined("e2e4 e7e5").told("e2e4 e7e5", draw="black")
    assert (game.keys, game.state.asking) == (["ask_accept_draw"], Offered("black"))
    assert game.told("e2e4 e7e5", draw="black").keys == []
    game.do(ev.SpeechEnded(heard=True))
    assert game.say(word).asked == [ef.AskServer(asked)]
    assert game.state.asking == NOTHING


def test_an_offer_during_an_announcement_is_told_and_asked_afterwards():
    game = joined("e2e4 e7e5").say("Nf3").told("e2e4 e7e5", draw="black")
    assert game.keys == ["draw_noted", "ask_move"]
    assert (game.say("no").keys, game.state.asking) == (["say_again", "ask_accept_draw"], Offered("black"))


def test_an_offer_that_does_not_stand_any_more_is_not_asked():
    game = joined("e2e4 e7e5").told("e2e4 e7e5", draw="black").told("e2e4 e7e5")
    assert game.state.asking == NOTHING
    assert game.say("yes").asked == []


@pytest.mark.parametrize(
    ("offered", "gone"), [({"draw": "black"}, "draw_offer_gone"), ({"takeback": "black"}, "take_back_gone")]
)
def test_an_offer_that_the_opponent_takes_back_is_told_and_no_other(offered, gone):
    asked = joined("e2e4 e7e5").told("e2e4 e7e5", **offered)
    assert asked.told("e2e4 e7e5").keys == [gone]
    assert asked.say("repeat").keys == [gone]
    beneath = joined("e2e4 e7e5").say("Nf3").told("e2e4 e7e5", **offered).told("e2e4 e7e5")
    assert beneath.keys == [gone, "ask_move"]
    refused = joined("e2e4 e7e5").told("e2e4 e7e5", **offered).do(ev.SpeechEnded(heard=True)).say("no")
    assert refused.told("e2e4 e7e5").effects == ()
    answered = joined("e2e4 e7e5").told("e2e4 e7e5", **offered).say("Nf3", "yes")
    assert answered.told("e2e4 e7e5 g1f3").effects == ()


def test_a_yes_that_was_meant_for_another_question_accepts_no_draw():
    game = joined("e2e4").say("exd5").told("e2e4 e7e5", draw="black")
    assert isinstance(game.state.asking, Offered)
    assert (game.say("yes").keys, game.asked) == (["answer_early", "ask_accept_draw"], [])
    game.do(ev.SpeechEnded(heard=True))
    assert game.say("yes").asked == [ef.AskServer("draw_yes")]


def test_making_a_move_declines_what_the_opponent_offers():
    game = joined("e2e4 e7e5").told("e2e4 e7e5", draw="black").say("Nf3", "yes")
    assert (game.asked, game.state.asking) == ([move("g1f3")], NOTHING)


def test_taking_back_is_proposed_and_told_with_the_moves():
    game = joined("e2e4 e7e5").say("take back", "yes")
    assert (game.keys, game.asked) == (["take_back_proposed"], [ef.AskServer("takeback_yes")])
    assert game.told("e2e4 e7e5", takeback="white").keys == []
    assert (game.told().keys, game.moves) == (["taken_back", "turn"], "")
    game = joined("e2e4 e7e5").say("take back", "yes").told("e2e4 e7e5", takeback="white").told("e2e4 e7e5")
    assert game.keys == ["take_back_refused"]


def test_taking_back_is_asked_of_nobody_without_an_own_move():
    assert joined().say("take back", "yes").keys == ["no_own_move"]
    assert joined("e2e4", colour="black").say("take back", "yes").asked == []


def test_after_the_end_nothing_is_taken_back():
    over = joined("e2e4 e7e5").told("e2e4 e7e5", status="resign", winner="white").say("take back")
    assert (over.keys, over.state.asking) == (["game_is_over"], NOTHING)
    assert (over.say("yes").moves, over.state.game.result.score) == ("e2e4 e7e5", "1-0")
    assert CommandName.TAKE_BACK not in practice.commands(over.state)


@pytest.mark.parametrize(("word", "asked"), [("yes", "takeback_yes"), ("no", "takeback_no")])
def test_the_opponent_may_ask_to_take_back(word, asked):
    game = joined("e2e4 e7e5").told("e2e4 e7e5", takeback="black")
    assert (game.keys, game.state.asking) == (["ask_allow_take_back"], TakingBack("black"))
    game.do(ev.SpeechEnded(heard=True))
    assert game.say(word).asked == [ef.AskServer(asked)]
    game = joined("e2e4 e7e5").say("Nf3").told("e2e4 e7e5", takeback="black")
    assert game.keys == ["take_back_noted", "ask_move"]


def test_moves_that_are_taken_back_take_the_place_of_what_was_sent():
    game = joined("e2e4 e7e5").say("Nf3", "yes").told("e2e4")
    assert game.keys == ["taken_back", "online_not_made", "turn"]
    assert game.told("e2e4", fresh=True).asked == []


def test_resigning_and_aborting_are_asked_back_and_asked_of_the_server():
    assert joined("e2e4 e7e5").say("resign", "yes").asked == [ef.AskServer("resign")]
    game = joined("e2e4").say("abort the match")
    assert (game.keys, game.state.asking) == (["ask_abort"], Sure(CommandName.ABORT, NOTHING))
    assert game.say("yes").asked == [ef.AskServer("abort")]
    assert joined("e2e4 e7e5").say("abort the match").keys == ["abort_too_late"]
    asked = joined("e2e4").say("abort the match").told("e2e4 e7e5")
    assert asked.say("yes").keys == ["abort_too_late"]


@pytest.mark.parametrize("run", [ev.DeviceNews(key=ev.SERVER_LOST), RESUMED])
@pytest.mark.parametrize("command", ["draw", "resign", "take back", "claim victory"])
def test_what_is_asked_for_while_the_server_is_not_reached_is_told_as_not_sent(command, run):
    game = joined("e2e4 e7e5").do(run).say(command, "yes")
    assert (game.keys, game.asked) == (["online_not_asked"], [])
    assert game.told("e2e4 e7e5", fresh=True).say(command, "yes").asked != []


def test_so_is_an_answer_which_is_asked_for_again():
    game = joined("e2e4 e7e5").told("e2e4 e7e5", draw="black").do(ev.SpeechEnded(heard=True))
    game.do(ev.DeviceNews(key=ev.SERVER_LOST)).say("yes")
    assert (game.keys, game.asked) == (["online_not_asked", "ask_accept_draw"], [])
    game = joined("e2e4 e7e5").do(ev.DeviceNews(key=ev.SERVER_LOST)).say("Nf3", "draw", "yes")
    assert game.keys[0] == "draw_with_move"  # and goes with that


def test_what_the_server_refuses_or_does_not_answer_is_told():
    game = joined("e2e4 e7e5").say("resign", "yes").do(ev.ServerRefused(request="resign", reason="No"))
    assert game.keys == ["online_refused"]
    assert "the resignation: No" in game.text
    assert game.do(ev.ServerRefused(request="resign")).keys == ["online_unanswered"]
    assert game.do(ev.ServerRefused(request="draw_no", reason="No")).keys == []
    assert game.do(ev.ServerRefused(request=ef.JOIN, reason="Not found")).keys == ["online_join_refused"]
    assert game.effects[-1] == ef.Leave()
    for request in get_args(ef.ServerRequest):
        assert request == "move" or f"online_request_{request}" in catalogue("en") or request.endswith("_no")


def test_who_may_not_play_any_more_is_told_why_and_what_of_a_confirmed_move():
    denied = ev.ServerRefused(request=ef.JOIN, reason=ev.NOT_LOGGED_IN)
    assert joined().do(denied).keys == ["online_token_refused"]
    assert joined().say("e4", "yes").do(denied).keys == ["online_token_refused", "online_move_unanswered"]
    refused = joined().say("e4", "yes").do(ev.ServerRefused(request="move", reason="No such token"))
    assert refused.do(denied).keys == ["online_token_refused", "online_move_lost"]
    other = Game().do(ev.ServerRefused(request=ef.JOIN, reason=ev.OTHER_ACCOUNT))
    assert other.keys == ["online_other_account"]
    assert "log in as Ana" in other.text
    held = joined().do(ev.DeviceNews(key=ev.SERVER_LOST)).say("e4", "yes").do(denied)
    assert held.keys == ["online_token_refused", "online_move_lost"]


def test_a_repetition_is_claimed_only_where_there_is_one():
    there_and_back = "g1f3 g8f6 f3g1 f6g8 "
    assert joined(there_and_back).say("claim repetition").keys == ["online_not_repeated"]
    game = joined(there_and_back * 2).say("claim repetition")
    assert (game.keys, game.asked) == (["ask_claim_threefold_of"], [])
    assert game.say("claim repetition", "yes").asked == [ef.AskServer("draw_yes")]
    assert game.state.asking == NOTHING
    game = joined(there_and_back * 2).say("claim repetition", "no")
    assert (game.asked, game.state.asking) == ([], NOTHING)
    passed = joined(there_and_back * 2).say("claim repetition").told(there_and_back * 2 + "e2e4")
    assert (passed.say("yes").keys, passed.asked) == (["online_not_repeated"], [])


ENDS = [
    ({"status": "mate", "winner": "white"}, "1-0", "checkmate", "you_won"),
    ({"status": "resign", "winner": "black"}, "0-1", "resignation", "you_lost"),
    ({"status": "outoftime", "winner": "white"}, "1-0", "flag", "you_won"),
    ({"status": "outoftime"}, "1/2-1/2", "flag_no_mate", None),
    ({"status": "timeout", "winner": "white"}, "1-0", "abandoned", "you_won"),
    ({"status": "timeout"}, "1/2-1/2", "abandoned", None),
    ({"status": "draw"}, "1/2-1/2", "agreement", None),
    ({"status": "stalemate"}, "1/2-1/2", "stalemate", None),
    ({"status": "insufficientMaterialClaim"}, "1/2-1/2", "dead_position", None),
    ({"status": "aborted"}, "*", "aborted", None),
    ({"status": "noStart", "winner": "black"}, "0-1", "no_start", "you_lost"),
    ({"status": "cheat", "winner": "white"}, "1-0", "cheat", "you_won"),
    ({"status": "unknownFinish"}, "*", "server", None),
    ({"status": "somethingNew", "winner": "white"}, "1-0", "server", "you_won"),
]


@pytest.mark.parametrize(("state", "score", "reason", "own"), ENDS, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_server_decides_how_the_game_ends(state, score, reason, own, language):
    game = joined("e2e4 e7e5", language=language).told("e2e4 e7e5", **state)
    assert (game.state.game.result.score, game.state.game.result.reason) == (score, reason)
    assert game.keys == ["over", *([own] if own else []), "after_signing"]
    assert f"end_{reason}" in catalogue(language)
    assert game.told("e2e4 e7e5", **state).effects == ()
    assert game.told("").effects == ()


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "repeated"),
        ("e2e4 e7e5", "agreement"),
    ],
)
def test_why_a_game_was_drawn_is_seen_from_its_position(moves, reason):
    assert joined(moves).told(moves, status="draw").state.game.result.reason == reason


def test_no_ruling_of_the_program_ends_a_game_at_a_server():
    mate = "f2f3 e7e5 g2g4 d8h4"
    game = joined(mate)
    assert game.state.game.result is None
    game = joined("e2e4 e7e5", alarms="none").told("e2e4 e7e5", white_ms=1000, black_ms=1000)
    for at in range(0, 10_000, 500):
        game.do(ev.Tick(quiet=True), at=at)
        assert (game.keys, game.state.game.result) == ([], None)
    game = joined("g1f3 g8f6 f3g1 f6g8 " * 5)
    assert game.state.game.result is None


def test_the_rating_is_told_after_the_end_whichever_comes_first():
    game = joined("e2e4 e7e5").do(ev.RatingChanged(rating=1493, change=-7))
    assert game.keys == []
    assert "online_rating_down" in game.told("e2e4 e7e5", status="resign", winner="black").keys
    game = joined("e2e4 e7e5").told("e2e4 e7e5", status="resign", winner="white")
    assert game.do(ev.RatingChanged(rating=1507, change=7)).keys == ["online_rating_up"]
    assert "1507, up 7" in game.text
    assert game.state.game.notes[-1].message.key == "online_rating_up"


def test_after_the_end_another_game_begins_where_this_one_did():
    over = joined("e2e4 e7e5").told("e2e4 e7e5", status="resign", winner="white")
    assert over.say("new game", "yes").effects == (ef.Leave(),)
    over = joined("e2e4 e7e5").told("e2e4 e7e5", status="resign", winner="white")
    assert over.say("rematch", "yes").effects == (ef.PlayAgain(changed=True),)
    again = over.state.setup.again(changed=True)
    assert (again.colour, again.players.white, again.online.game_id) == ("black", "Bob", "")
    assert (again.online.white_rating, again.online.black_rating) == (1600, 1500)


# The clock


def test_the_times_are_the_servers_and_run_from_when_they_are_told():
    game = joined("e2e4 e7e5").told("e2e4 e7e5", white_ms=600_000, black_ms=500_000, at=1000)
    clock = game.state.game.clock
    assert clock.running == "white"
    assert (clock.left("white", 11_000), clock.left("black", 11_000)) == (590_000, 500_000)
    game.say("Nf3", "yes").do(ev.SpeechEnded(heard=True))
    assert game.state.game.clock.running == "white"  # until the server shows the move
    game.told("e2e4 e7e5 g1f3", white_ms=605_000, black_ms=500_000, at=6000)
    assert game.state.game.clock.running == "black"
    assert game.state.game.played[-1].left_ms == 605_000


def test_before_both_have_moved_no_time_runs():
    game = joined().do(ev.SpeechEnded(heard=True)).say("clock")
    assert game.state.game.clock.running is None
    assert joined("e2e4").state.game.clock.running is None
    assert joined("e2e4 e7e5").state.game.clock.running == "white"


def test_an_alarm_rings_once_however_often_the_server_tells_the_time():
    game = joined("e2e4 e7e5").told("e2e4 e7e5", white_ms=61_000, black_ms=300_000)
    game.do(ev.Tick(quiet=True))
    assert wakes_in(game.state, game.now, quiet=True) == 1000
    assert game.do(ev.Tick(quiet=True), at=1000).keys == ["clock_alarm"]
    for at in (1100, 1200):
        game.told("e2e4 e7e5", white_ms=60_500, black_ms=300_000, draw="black" if at == 1100 else "", at=at)
        assert game.do(ev.Tick(quiet=True), at=at + 700).keys == []


def test_whoever_stops_is_told_that_the_time_goes_on():
    assert joined("e2e4 e7e5").say("stop").keys == ["online_time_runs", "ask_stop"]
    over = joined("e2e4 e7e5").told("e2e4 e7e5", status="resign", winner="white")
    assert over.say("stop").keys == ["ask_stop"]


def test_whoever_stops_is_told_that_a_prepared_move_waits():
    game = joined("e2e4", clock="none", days=3).say("Nf3", "yes", "stop")
    assert game.keys == ["online_prepared_waits", "ask_stop"]


# The opponent


def test_when_the_opponent_leaves_it_is_told_from_when_on_that_can_be_claimed():
    game = joined("e2e4 e7e5", alarms="none").do(ev.OpponentGone(gone=True, claim_ms=30_000), at=1000)
    assert game.keys == ["online_gone_claim"]
    assert game.say("claim victory", "yes").keys == ["online_claim_later"]
    assert wakes_in(game.state, game.now, quiet=True) == 30_000
    assert game.do(ev.Tick(quiet=True), at=31_000).keys == ["online_claim_now"]
    assert game.do(ev.Tick(quiet=True), at=32_000).keys == []
    assert game.say("claim victory", "yes").asked == [ef.AskServer("claim_victory")]
    game.do(ev.OpponentGone(gone=True, claim_ms=30_000))
    assert game.say("claim a draw").keys == ["ask_claim_draw_left"]


def test_that_a_win_can_be_claimed_is_told_once_however_often_the_server_says_so():
    ready = ev.OpponentGone(gone=True, claim_ms=0)
    game = joined("e2e4 e7e5", alarms="none").do(ev.OpponentGone(gone=True, claim_ms=10_000))
    assert game.do(ready, at=10_000).keys == ["online_claim_now"]
    assert game.do(ready, at=15_000).keys == []
    assert game.do(ev.Tick(quiet=True), at=16_000).keys == []
    game.do(ev.OpponentGone(gone=False))
    assert game.do(ready).keys == ["online_claim_now"]
    game.told("e2e4 e7e5 g1f3 b8c6")
    assert game.do(ready).keys == ["online_claim_now"]


def test_a_move_of_the_opponent_shows_that_he_is_there():
    game = joined("e2e4", alarms="none").do(ev.OpponentGone(gone=True, claim_ms=30_000)).told("e2e4 e7e5")
    assert not game.state.online.gone
    assert game.do(ev.Tick(quiet=True), at=60_000).keys == []
    game = joined("e2e4").do(ev.OpponentGone(gone=True, claim_ms=30_000)).do(ev.OpponentGone(gone=False))
    assert game.keys == ["online_returned"]
    assert game.do(ev.OpponentGone(gone=False)).keys == []


def test_without_news_of_the_opponent_the_server_decides_on_a_claim():
    assert joined("e2e4 e7e5").say("claim victory", "yes").asked == [ef.AskServer("claim_victory")]


def test_what_is_written_is_told_only_if_it_is_wished():
    game = joined("e2e4").do(ev.Chatted(by="Bob", text="hello"))
    assert game.keys == []
    assert game.say("chat replies").keys[:2] == ["chat_line", "numbered_replies"]
    assert "Bob writes: hello" in game.text
    assert isinstance(game.state.asking, Replying)
    assert game.say("1").asked == [ef.AskServer("chat", text="Hello!")]
    assert game.say("read me the chat").keys == ["chat_on"]
    assert game.do(ev.Chatted(by="Bob", text="well\nplayed")).text == "Bob writes: well played"
    assert game.do(ev.Chatted(by="ana", text="an own line")).keys == []
    assert game.say("read me the chat").do(ev.Chatted(by="Bob", text="again")).keys == []
    assert joined("e2e4", online_chat=True).do(ev.Chatted(by="lichess", text="Takeback sent")).keys == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_is_heard_in_ones_own_language_and_sent_in_english(language):
    game = joined("e2e4", language=language).order("chat")
    assert game.say("4").asked == [ef.AskServer("chat", text="Well played!")]


def test_a_reply_is_not_sent_that_was_perhaps_another():
    game = joined("e2e4").order("chat").do(ev.Heard(words=("three",), spoken=True, sure=False))
    assert (game.asked, game.keys) == ([], ["not_understood", "ask_reply"])


# Fair play


HELP = {"hint", "evaluate", "why", "checks", "captures", "opening"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("practised", [False, True])
@pytest.mark.sweep
def test_no_command_asks_the_engine_in_a_game_at_a_server(language, practised):
    for name in CommandName:
        for way in ("key", "voice", "white", "both", "spectator"):
            game = joined("e2e4 e7e5", language=language, practice=practised)
            words = vocabulary(language).say("command", name)
            if way == "key":
                game.do(ev.Ordered(command=name, square="e4", piece="N"))
            else:
                by = "" if way == "voice" else way
                game.do(ev.Heard(words=(words,), spoken=way == "voice", by=by))
            game.do(ev.SpeechEnded(heard=True)).say(vocabulary(language).say("answer", "yes"))
            engine = (ef.AskEngine, ef.AskEngineForDraw, ef.AskEngineForAdvice, ef.SeekMate)
            assert not any(isinstance(effect, engine) for effect in game.all), name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(HELP))
def test_help_is_refused_in_one_sentence_however_it_is_asked_for(name, language):
    game = joined("e2e4 e7e5", language=language, practice=True)
    words = vocabulary(language).say("command", name)
    assert game.order(name).keys == ["online_no_help"]
    for by in ("", "white", "both", "assistant"):
        assert game.do(ev.Heard(words=(words,), by=by)).keys == ["online_no_help"]
    assert CommandName(name) not in practice.commands(game.state)
    assert not practice.advises(game.state)


def test_what_the_server_does_is_no_word_here_and_what_only_it_does_no_word_elsewhere():
    game = joined("e2e4 e7e5")
    assert game.order("touched").keys == ["online_server_decides"]
    for name in ("adjourn", "arbiter", "clock_stop", "claim_flag", "claim_illegal", "press", "sign"):
        assert game.order(name).keys == ["online_server_decides"]
    elsewhere, _ = step(State.new(Setup.of(language="en")), ev.Started())
    for name in ("abort", "claim_victory", "chat", "chat_aloud"):
        _, effects = step(elsewhere, ev.Ordered(command=name))
        assert [m.key for m in effects[0].messages] == ["online_only"]
        assert fair_play.refused(elsewhere, CommandName(name))


def test_who_plays_online_is_there_already():
    game = joined("e2e4 e7e5")
    assert game.say("play online").keys == ["online_already"]
    assert CommandName.PLAY_ONLINE not in practice.commands(game.state)


# Resuming


def test_in_a_new_run_nothing_is_sent_before_the_server_has_told():
    game = joined("e2e4").say("Nf3", "yes").told("e2e4 e7e5")
    assert game.asked == [move("g1f3")]
    game.do(RESUMED, at=0)
    assert (game.keys, game.asked) == (["resumed", "played"], [])
    assert game.told("e2e4 e7e5", fresh=True).asked == [move("g1f3")]
    assert game.told("e2e4 e7e5 g1f3 b8c6", fresh=True).keys == ["played"]


def test_in_a_new_run_is_told_what_has_become_of_a_confirmed_move():
    def anew():
        return joined("e2e4").told("e2e4 e7e5").say("Nf3", "yes").do(RESUMED, at=0)

    arrived = anew().told("e2e4 e7e5 g1f3", fresh=True)
    assert (arrived.keys, arrived.asked) == (["played", "turn"], [])
    again = anew().told("e2e4 e7e5", fresh=True)
    assert (again.keys, again.asked) == (["turn", "online_waits_for"], [move("g1f3")])
    waits = joined("e2e4").say("Nf3", "yes").do(RESUMED, at=0).told("e2e4", fresh=True)
    assert waits.keys == ["turn", "online_prepared"]


def test_what_may_have_been_sent_in_an_earlier_run_is_not_withdrawn():
    game = joined("e2e4 e7e5").say("Nf3", "yes").do(RESUMED, at=0).order(CommandName.CORRECTION)
    assert "online_withdrawn" not in game.keys
    assert game.told("e2e4 e7e5", fresh=True).asked == [move("g1f3")]


def test_a_move_that_waited_for_the_connection_is_told_when_it_goes():
    game = joined("e2e4 e7e5").do(ev.DeviceNews(key=ev.SERVER_LOST)).say("Nf3", "yes")
    assert (game.keys[0], game.asked) == ("online_held", [])
    game.do(ev.DeviceNews(key=ev.SERVER_BACK)).told("e2e4 e7e5", fresh=True)
    assert (game.keys, game.asked) == (["online_sent"], [move("g1f3")])
    assert game.told("e2e4 e7e5", fresh=True).keys == []


def test_a_game_that_has_ended_meanwhile_is_over_when_the_server_tells():
    game = joined("e2e4 e7e5").do(RESUMED, at=0)
    assert game.told("e2e4 e7e5 g1f3", status="resign", winner="black", fresh=True).keys[:2] == [
        "played",
        "over",
    ]


# Whatever comes


def lines(position, data, most=6):
    """A legal line from a position."""
    found = []
    for _ in range(data.draw(st.integers(0, most))):
        if not position.legal_ucis:
            break
        found.append(data.draw(st.sampled_from(position.legal_ucis)))
        position = position.after(found[-1])
    return found


NEWS = (
    ev.ServerRefused(request="move", reason="no"), ev.ServerRefused(request="draw_yes"), ev.OpponentGone(gone=True, claim_ms=10),
    ev.DeviceNews(key=ev.SERVER_LOST), ev.DeviceNews(key=ev.SERVER_BACK), ev.Tick(quiet=True), ev.SpeechEnded(heard=True),
)  # fmt: skip
TOLD = ("on", "same", "back", "other", "resume")


class Anything:
    """A game in which anything happens, and the moves that were confirmed in it."""

    def __init__(self, data, game):
        self.data, self.game = data, game
        self.moves, self.confirmed = [], set()

    def announce(self):
        """A move is announced, which goes without a yes if that is agreed and it was typed."""
        game, legal = self.game, self.game.state.moves_in.legal
        if not legal:
            return
        fact, spoken = self.data.draw(st.sampled_from(legal)), self.data.draw(st.booleans())
        game.do(ev.Heard(words=(fact.uci,), spoken=spoken))
        if game.state.setup.online.online_confirm == "always" or spoken:
            assert game.asked == []
        elif isinstance(game.state.asking, type(NOTHING)):
            self.confirmed.add(fact.uci)

    def answer(self):
        word = self.data.draw(st.sampled_from(["yes", "no", "correction"]))
        self.confirms(ev.Heard(words=(word,)), yes=word == "yes")

    def news(self):
        event = self.data.draw(st.sampled_from(NEWS))
        asking = self.game.state.asking
        due = self.game.state.online.goes_at is not None and isinstance(event, ev.Tick)
        sure = isinstance(asking, Confirm) and asking.sure and due
        self.confirms(event, yes=sure)

    def confirms(self, event, *, yes):
        """Only what is asked and has its yes is sent."""
        asking = self.game.state.asking
        self.game.do(event, at=self.game.now + 1000)
        if yes and isinstance(asking, Confirm):
            self.confirmed.add(asking.fact.uci)
        sent = {one.uci for one in self.game.asked if one.request == "move"}
        assert sent <= ({asking.fact.uci} if yes and isinstance(asking, Confirm) else set())

    def told(self, how):
        """The server tells how the game stands: some moves further, as before, taken back, or quite differently."""
        if how == "resume":
            self.game.do(RESUMED)
        if how == "on":
            position = Position.start()
            for uci in self.moves:
                position = position.after(uci)
            self.moves = self.moves + lines(position, self.data, 2)
        if how == "back":
            self.moves = self.moves[: self.data.draw(st.integers(0, len(self.moves)))]
        if how == "other":
            self.moves = lines(Position.start(), self.data)
        before = self.game.state
        draw = self.data.draw(st.sampled_from(["", "white", "black"]))
        self.game.told(" ".join(self.moves), fresh=self.data.draw(st.booleans()), draw=draw)
        self.check(before)

    def check(self, before):
        """The game is what was told; what was sent or prepared is sent again, stands, or is told not to be made."""
        game, online = self.game, before.online
        assert game.moves.split() == self.moves
        assert len(game.asked) <= 1
        for one in game.asked:
            assert one.uci in self.confirmed & set(game.state.game.position.legal_ucis)
            assert one.uci in {
                fact.uci for fact in (online.sent and online.sent.fact, online.prepared) if fact
            }
        stands = online.sent and online.sent.fact.uci in self.moves[len(before.game.played) :][:1]
        if online.sent and not game.state.online.sent and not stands:
            assert set(game.keys) & {"online_not_made", "online_move_refused"}
        if online.prepared and not game.state.online.prepared and not game.asked:
            assert set(game.keys) & {"online_prepared_not", "online_not_made", "online_held"}


@settings(max_examples=examples(60))
@given(st.data(), st.sampled_from(["white", "black"]), st.sampled_from(["always", "unsure"]))
def test_whatever_is_told_the_game_is_what_was_told_last_and_only_what_was_confirmed_is_sent(
    data, colour, confirm
):
    anything = Anything(data, Game(colour=colour, online_confirm=confirm))
    for _ in range(data.draw(st.integers(1, 25))):
        what = data.draw(st.sampled_from([*TOLD, "announce", "answer", "news"]))
        if what in TOLD:
            anything.told(what)
        else:
            getattr(anything, what)()


@settings(max_examples=examples(40))
@given(st.data())
def test_what_is_told_twice_changes_nothing(data):
    moves = lines(Position.start(), data, 8)
    status = data.draw(st.sampled_from(["started", "started", "resign", "draw"]))
    draw = data.draw(st.sampled_from(["", "white", "black"]))
    takeback = data.draw(st.sampled_from(["", "white", "black"]))
    game = Game()
    for _ in range(2):
        game.told(" ".join(moves), status=status, draw=draw, takeback=takeback)
    after = game.state
    game.told(" ".join(moves), status=status, draw=draw, takeback=takeback)
    assert game.effects == ()
    assert game.state == after


class Line:
    """Two players and their server, with a line that loses requests, answers, and whole programs, as drawn."""

    FATES = ("done", "done", "lost", "unanswered", "killed")

    def __init__(self, data):
        self.data, self.moves, self.made = data, [], []
        self.players = {colour: Game(colour=colour) for colour in ("white", "black")}
        for colour in self.players:
            self.tells(colour, fresh=True)

    def tells(self, colour, *, fresh=False):
        self.players[colour].told(" ".join(self.moves), fresh=fresh)
        self.carry(colour)

    def carry(self, colour):
        """What a player asks for meets its fate; then the players are told how the game stands."""
        for asked in self.players[colour].asked:
            fate = self.data.draw(st.sampled_from(self.FATES))
            if fate != "lost":
                position = Position.start()
                for uci in self.moves:
                    position = position.after(uci)
                assert (position.turn, asked.uci in position.legal_ucis) == (colour, True)
                self.moves.append(asked.uci)
                self.made.append((colour, asked.uci))
            if fate == "killed":
                self.players[colour].do(RESUMED)
            elif fate != "done":
                self.players[colour].do(ev.ServerRefused(request="move"))
            for each in self.players:
                self.tells(each, fresh=each == colour and fate != "done")

    def plays(self, colour):
        """A player announces and confirms a move, in turn or prepared."""
        game = self.players[colour]
        if game.state.online.confirmed or not game.state.moves_in.legal:
            return
        fact = self.data.draw(st.sampled_from(game.state.moves_in.legal))
        game.say(fact.uci)
        if isinstance(game.state.asking, Confirm):
            game.say("yes")
            self.carry(colour)
        elif game.state.asking != NOTHING:
            game.say("no")


@settings(max_examples=examples(40))
@given(st.data())
def test_over_a_line_that_loses_everything_all_that_is_confirmed_is_made_once(data):
    line = Line(data)
    for _ in range(data.draw(st.integers(1, 14))):
        line.plays(data.draw(st.sampled_from(["white", "black"])))
    for colour, game in line.players.items():
        assert game.state.online.sent is None
        assert game.moves.split() == line.moves
        assert [uci for by, uci in line.made if by == colour] == line.moves[colour == "black" :: 2]
