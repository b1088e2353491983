# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boards: what counts, whose time runs, and what is for one player alone (appendix E.1, 2009)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told, played_sans
from support.languages import LANGUAGES
from support.spoken_game import Game

from acessivel.dialogue.questions import Making, Nothing, Offered
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.records.pgn import pgn
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage.tape_index import ANNOUNCED, PLAYED, happened
from voices.meaning import ABOUT_THE_BOARD


def new(**setup):
    state, _ = step(State.new(Setup.of(language="en", two_boards=True, **setup)), ev.Started())
    return step(state, ev.SpeechEnded())[0]


def play(state, *words, at=0):
    for n, word in enumerate(words):
        state, _ = happen(state, ev.SpeechEnded(heard=True, at=state.now_ms))
        state, effects = happen(state, ev.Heard(words=(word,), at=max(at + n, state.now_ms)))
    return state, effects


def happen(state, event):
    """A step, and again where a fallen flag has been felt before it is ruled on."""
    state, effects = step(state, event)
    for effect in effects:
        if isinstance(effect, ef.Again):
            return happen(state, effect.event)
    return state, effects


def said(effects):
    return [message.key for message in all_told(effects)]


# Points 1 and 3: announced, made on both boards


@pytest.mark.parametrize("answer", ["made", "yes", "e4", "Eva vier"])
def test_a_move_counts_when_the_opponent_has_made_it_or_repeats_it(answer):
    state, effects = play(new(), "e4", "yes")
    assert said(effects) == ["ask_made"]
    assert played_sans(state) == []
    state, effects = play(state, answer)
    assert said(effects) == ["noted"]
    assert played_sans(state) == ["e4"]


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "O-O"),
        ("4k3/8/5n2/3p4/8/2N5/8/4K3 w - - 0 1", "Nxd5"),
    ],
)
def test_what_repeats_the_move_and_can_be_the_reply_asks_for_that(fen, move):
    game = Game(two_boards=True, clock="15+5", fen=fen).says(move, "yes", move)
    assert game.keys == ["noted", "turn", "ask_move"]
    assert len(played_sans(game.state)) == 1
    assert game.says("no").keys == ["say_again"]
    assert (len(played_sans(game.state)), game.state.game.announced) == (1, None)
    assert isinstance(game.says(move, "yes").state.asking, Making)


@pytest.mark.parametrize("command", ["made", "correction"])
def test_while_the_clock_is_stopped_an_announced_move_is_neither_made_nor_corrected_nor_denied(command):
    game = Game(two_boards=True, clock="15+5").says("e4", "yes", "stop the clock")
    announced = game.state.game.announced
    assert game.orders(command).keys == ["ask_go_on"]
    assert game.state.game.announced == announced
    assert isinstance(game.says("yes").state.asking, Making)


def test_the_opponent_s_time_runs_as_soon_as_the_move_is_announced():
    state, _ = play(new(clock="5"), "e4", at=1000)
    assert state.game.clock.running == "white"
    state, _ = play(state, "yes", at=2000)
    assert state.game.clock.running == "black"
    state, _ = play(state, "made", at=5000)
    clock = state.game.clock
    assert (clock.running, clock.left("white", 5000), clock.left("black", 5000)) == (
        "black",
        298_000,
        297_000,
    )
    assert state.game.played[0].left_ms == 298_000


def test_nothing_else_is_announced_before_the_move_is_made():
    state, _ = play(new(), "e4", "yes")
    for words in ("e5", "d4", "touched e2", "press"):
        after, effects = play(state, words)
        assert said(effects) == ["made_first", "ask_made"]
        assert after.game == state.game


def test_another_move_repeated_is_not_the_move_made():
    state, _ = play(new(), "e4", "yes")
    state, effects = play(state, "e3")
    assert (played_sans(state), said(effects)) == ([], ["made_first", "ask_made"])


def test_a_no_says_that_the_boards_differ():
    state, _ = play(new(), "e4", "yes")
    state, effects = play(state, "no")
    assert said(effects) == ["boards_differ", "ask_made"]
    assert isinstance(state.asking, Making)


def test_made_without_an_announcement_changes_nothing():
    state = new()
    after, effects = play(state, "made")
    assert (after.game, said(effects)) == (state.game, ["nothing_to_make"])


def test_a_move_that_ends_the_game_lets_nobody_s_time_run():
    state, _ = play(new(clock="5"), "f3", "yes", "made", "e5", "yes", "made", "g4", "yes", "made", at=1000)
    state, _ = play(state, "Dame Hector vier Schach", "yes", at=2000)
    assert state.game.clock.running is None
    state, _ = step(state, ev.SpeechEnded(at=4000))
    assert state.game.clock.running is None
    state, effects = play(state, "made", at=90_000)
    assert said(effects) == ["noted", "over", "after_over"]
    assert state.game.result.reason == "checkmate"


# Point 6: slips


def test_a_slip_is_corrected_before_the_clock_changes():
    state, effects = play(new(clock="5"), "e4", "correction")
    assert said(effects) == ["withdrawn"]
    state, _ = play(state, "d4", "yes", "made")
    assert played_sans(state) == ["d4"]


def test_it_is_too_late_for_a_correction_when_the_opponent_s_clock_runs():
    state, effects = play(new(clock="5"), "e4", "yes", "correction")
    assert said(effects) == ["correction_too_late", "ask_made"]
    assert state.game.announced.san == "e4"


def test_without_a_clock_a_slip_is_corrected_until_the_move_is_made():
    state, effects = play(new(), "e4", "yes", "correction")
    assert (said(effects), state.asking, state.game.announced) == (["withdrawn"], Nothing(), None)


def test_a_touched_piece_binds_still_when_the_announced_move_is_corrected():
    game = Game(two_boards=True).orders("touched", square="b1").says("yes")
    game.moves("Nc3").says("correction", "e4")
    assert game.keys == ["refused"]
    game = Game(two_boards=True).orders("touched", square="b1").says("yes").moves("Nc3")
    game.says("correction").moves("Na3").says("made", "e5")
    assert game.keys == ["ask_move"]


def test_the_arbiter_takes_a_wrong_announcement_back():
    state, _ = play(new(clock="5"), "e4", "yes", "arbiter", "yes")
    state, _ = play(state, "4", "1", "1", "yes")
    assert (state.game.announced, played_sans(state)) == (None, [])
    assert state.game.clock.running == "white"


# The rest of the dialogue


def test_a_draw_offered_after_the_move_is_refused_by_the_opponent_s_next():
    state, _ = play(new(laws="fide-2009"), "e4", "yes", "made", "draw", "yes")
    assert state.asking == Offered("white")
    state, _ = play(state, "e5", "yes")
    assert isinstance(state.asking, Making)
    assert state.draw.offer is None


# 9.1.2.1, 2018: after the move on the board, before the clock is pressed
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("e4", "draw", "yes", "yes"), ["note_offer", "ask_made"]),
        (("e4", "yes", "draw", "yes"), ["draw_noted", "ask_made"]),
    ],
)
def test_a_draw_offered_with_a_move_is_noted_at_once_and_waits_until_that_is_made(words, told):
    state, effects = play(new(laws="fide-2009"), *words)
    assert said(effects) == told
    assert isinstance(state.asking, Making)
    state, effects = play(state, "made")
    assert said(effects) == ["noted", "ask_accept_draw"]
    assert state.asking == Offered("white")
    assert "1. e4 { (=) } *" in pgn(state.setup, state.game, "2026-01-01")


def test_who_is_to_make_the_move_resigns_and_the_move_stands_beside_the_record():
    state, _ = play(new(), "e4", "yes", "resign", "yes")
    assert state.game.result.score == "1-0"
    assert "note_announced" in [note.message.key for note in state.game.notes]


def test_no_game_is_adjourned_with_a_move_on_its_way():
    _, effects = play(new(), "e4", "yes", "adjourn", "yes")
    assert said(effects) == ["made_first", "ask_made"]
    assert ef.Seal() not in effects


def test_stopped_clocks_go_on_for_the_one_who_is_to_make_the_move():
    state, _ = play(new(clock="5"), "e4", "yes", "stop the clock", "yes", at=1000)
    assert state.game.clock.running == "black"
    assert isinstance(state.asking, Making)


def test_a_game_taken_up_again_asks_for_the_move_and_his_time_runs():
    state, _ = play(new(clock="5"), "e4", "yes", at=1000)
    state, effects = step(state, ev.Resumed())
    assert said(effects)[-1] == "ask_made"
    state, _ = step(state, ev.SpeechEnded(at=3000))
    assert state.game.clock.running == "black"


def test_both_announcement_and_its_confirmation_are_on_the_tape():
    state, _ = play(new(), "e4")
    after, _ = play(state, "yes")
    made, _ = play(after, "made")
    for (line,), status in (
        (happened(state, after, spoken=True), ANNOUNCED),
        (happened(after, made, spoken=True), PLAYED),
    ):
        assert (line.san, line.status) == ("e4", status)


# Point 9d, e: told when asked, the flag claimed when set


def test_marks_and_alarms_are_for_one_player_alone_and_only_when_set():
    state = new(clock="5", alarms="2m")
    _, effects = step(state, ev.Tick(at=181_000, quiet=True))
    assert [(effect.private, said([effect])) for effect in effects] == [(True, ["clock_alarm"])]


@pytest.mark.parametrize(
    ("claims", "ends"), [("none", False), ("white", False), ("black", True), ("both", True)]
)
def test_a_fallen_flag_is_claimed_for_whom_it_is_set(claims, ends):
    state, _ = happen(new(clock="1", claim_flag=claims), ev.Tick(at=70_000))
    assert (state.game.result is not None) is ends
    if not ends:
        state, _ = play(state, "claim flag", at=71_000)
        assert state.game.result.score == "0-1"


# Point 3: made, though not on both boards yet

STALEMATES, MATES = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"


def test_what_a_fallen_flag_means_is_ruled_on_after_the_announced_move():
    game = Game(two_boards=True, fen="k6q/8/8/8/3p4/8/2N5/K7 w - - 0 1", clock="1", claim_flag="both")
    game.moves("Nxd4")
    game.now += 70_000
    game.happen(ev.Tick())
    assert game.state.game.result.reason == "flag_no_mate"
    assert played_sans(game.state) == ["Nxd4"]


def test_a_claim_counts_the_position_after_the_announced_move():
    game = Game(two_boards=True, clock="5")
    for move in ("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"):
        game.says(move, "yes", "made")
    game.moves("Ng8").orders("claim_threefold").says("yes")
    result = game.state.game.result
    assert (result and result.reason) == "threefold"
    assert len(played_sans(game.state)) == 8


def test_in_the_quickplay_finish_too_it_is_the_turn_of_who_is_to_make_it_on_his_board():
    game = Game(two_boards=True, clock="1", laws="fide-2009", tempo="standard").moves("e4")
    assert game.orders("claim_draw").says("yes").state.arbiter.pending.key == "quickplay_asked"


@pytest.mark.parametrize(
    ("fen", "move", "side", "ended"),
    [(STALEMATES, "Qf7", "black", "1/2-1/2 stalemate"), (MATES, "Re8", "white", "1-0 checkmate")],
)
def test_an_announced_move_that_ends_the_game_has_ended_it(fen, move, side, ended):
    game = Game(two_boards=True, clock="5", fen=fen).moves(move)
    for said in ("resign", "yes"):
        game.happen(ev.Heard(words=(said,), by=side))
    result = game.state.game.result
    assert f"{result.score} {result.reason}" == ended
    assert [move.fact.uci[2:4] for move in game.state.game.played] == [move[-2:]]


def test_questions_are_answered_after_the_announced_move():
    game = Game(two_boards=True, clock="5")
    for move in ("e4", "e5"):
        game.says(move, "yes", "made")
    game.moves("Nf3")

    def text(event):
        return [Renderer("en").text(message) for message in game.happen(event).told]

    turn, played = "Black to move, move 2.", "2, White: Springer Gustav eins Felix drei."
    assert text(ev.Ordered(command="turn"))[0] == turn
    assert text(ev.Ordered(command="last_move"))[0] == played
    assert "Gustav acht" in text(ev.Ordered(command="legal"))[0]
    for event in (ev.Ordered(command="square", square="f3"), ev.Explored(what="square", square="f3")):
        assert "knight, White" in text(event)[0]
    assert "Felix drei" in text(ev.Explored(what="knight_jumps", square="e1"))[0]
    assert text(ev.Resumed())[1:3] == [played, turn]


@pytest.mark.parametrize("before", [(), ("e4", "e5")])
def test_the_number_of_the_announced_move_can_be_asked_for(before):
    game = Game(two_boards=True)
    for move in before:
        game.says(move, "yes", "made")
    number = len(before) // 2 + 1
    game.moves("d4").orders("move_at")
    assert (game.state.asking.least, game.state.asking.most) == (1, number)
    assert game.says(str(number)).keys == ["played", "ask_made"]


# What is private


def test_private_answers_are_private_and_so_is_their_repetition():
    state, effects = play(new(), "position")
    assert [effect.private for effect in effects] == [True]
    _, effects = play(state, "repeat")
    assert [effect.private for effect in effects] == [True]
    _, effects = play(state, "e4", "repeat")
    assert [effect.private for effect in effects] == [False]


def test_words_that_answer_no_private_question_put_it_again_in_private():
    state, effects = happen(new(), ev.SquarePointed(square="b1"))
    asking, question = state.asking, effects[0].messages[-1]
    for words in ("9", "repeat"):
        state, effects = play(state, words)
        assert [(one.private, one.messages[-1]) for one in effects] == [(True, question)]
        assert state.asking == asking


def test_on_one_board_nothing_is_private():
    state, _ = step(State.new(Setup(language="en")), ev.Started())
    assert not any(effect.private for effect in play(state, "position")[1])


def test_what_is_felt_is_private():
    for event in (ev.SquarePointed(square="e4"), ev.Explored(what="square", square="e2"), ev.Returned()):
        _, effects = step(new(), event)
        assert [effect.private for effect in effects] == [True]


ASKED = {
    "position": "position", "where are the knights": "pieces", "square e4": "square", "rank 4": "rank",
    "file e": "file", "legal moves": "legal", "material": "material",
}  # fmt: skip
ANSWERS = {
    "side_position", "standing", "empty_light", "on_square", "on_rank", "on_file", "empty_rank", "empty_file", "legal_moves", "no_legal_moves",
    "side_material", "material_equal", "material_ahead", "none_of_kind", "no_way_out",
}  # fmt: skip
MOVES = ("e4", "e5", "Nf3", "Nc6", "d4", "f6")
EVENTS = (
    *(ev.Heard(words=(words,)) for words in (*MOVES, *ASKED, "yes", "no", "made", "correction", "repeat", "clock")),
    *(ev.Heard(words=(words,)) for words in ("draw", "press", "touched e2", "i adjust", "last move", "claim flag")),
    *(ev.Heard(words=(words,)) for words in ("stop the clock", "claim repetition", "adjourn", "3")),
    ev.SquarePointed(square="e2"), ev.SquarePointed(square="e4"), ev.Explored(what="square", square="e2"),
    ev.Returned(), ev.Tick(quiet=True), ev.SpeechEnded(), ev.Ordered(command="made"),
)  # fmt: skip


@given(st.lists(st.sampled_from(EVENTS), max_size=60), st.sampled_from(["none", "2", "2+5"]))
@settings(max_examples=examples(300), deadline=None)
def test_whatever_happens_nothing_counts_unmade_and_nothing_private_is_public(events, clock):
    state, now = new(clock=clock, alarms="1m"), 0
    for event in events:
        now += 900
        before = state
        state, effects = happen(before, replace(event, at=now))
        _holds(before, state, event)
        for effect in effects:
            if isinstance(effect, ef.Say) and not effect.private:
                assert not ANSWERS.intersection(said([effect]))


def _holds(before, after, event):
    was, now = before.game, after.game
    if len(now.played) > len(was.played):
        # Only what was announced, and by an answer of the opponent or his repetition of the move.
        assert now.played[len(was.played)].fact == was.announced
        assert isinstance(before.asking, Making)
        assert isinstance(event, ev.Heard | ev.Ordered)
    if (
        was.clock is None
        or before.arbiter.pending
        or before.clocks.stopped
        or after.clocks.stopped
        or after.arbiter.pending
        or now.result
    ):
        return
    if was.clock.running and now.clock.running != was.clock.running:
        # It changes hands when a move is announced (point 3), and at no other time.
        assert (was.announced, now.announced is not None) == (None, True)
        assert was.clock.running == now.announced.colour


def test_every_private_answer_is_known_to_the_property():
    assert {ASKED[words] for words in ASKED} <= {str(name) for name in ABOUT_THE_BOARD}


@pytest.mark.parametrize("touched", ["touched e4", "touched knight e2"])
def test_what_stands_elsewhere_than_was_touched_is_told_to_its_player_alone(touched):
    _, effects = play(new(), touched)
    assert said(effects)[0] in ("empty_light", "on_square")
    assert all(effect.private for effect in effects if isinstance(effect, ef.Say))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_with_two_boards_can_be_said_in_every_language(language):
    state, _ = play(new(), "e4")
    _, effects = play(state, "yes")
    (message,) = effects[0].messages
    assert "Bauer Eva zwei Eva vier" in Renderer(language).text(message)


def test_a_fallen_flag_is_told_by_itself_only_where_alarms_are_set_and_in_private():
    for alarms, told in (("none", []), ("10s", ["flag_fell"])):
        _, effects = happen(new(clock="1", alarms=alarms), ev.Tick(at=70_000))
        assert said(effects) == told
        assert all(effect.private and effect.unasked for effect in effects if isinstance(effect, ef.Say))


def test_the_rest_of_a_long_private_answer_is_private_too():
    state, _ = play(new(), "legal moves")
    state, effects = play(state, "go on")
    assert "legal_moves" in said(effects)
    assert [effect.private for effect in effects] == [True]


def test_a_flag_that_is_ruled_on_is_told_to_the_room_also_when_something_private_was_asked():
    """The two are told apart: one announcement would take one of them to the wrong ears."""
    state, _ = step(new(clock="1", alarms="10s"), ev.Heard(words=("e4",), at=1000))
    state, effects = happen(state, ev.Heard(words=("position",), at=70_000))
    for effect in effects:
        if isinstance(effect, ef.Say) and not effect.private:
            assert not ANSWERS.intersection(said([effect]))
