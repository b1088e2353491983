# SPDX-License-Identifier: GPL-3.0-or-later
"""Stepping through a record: lines, variations, captures and checks, and every question about the position."""

import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.languages import LANGUAGES

from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.records import pgn_files, replayed_game
from acessivel.records.replayed_game import Replay
from acessivel.rules.chess960 import FREE
from braille.notation import load_code
from voices.meaning import Command, CommandName, Piece, Place
from voices.understanding.replay_steps import ReplayStep, Stepped

PGN = """[White "Ana"]
[Black "Rui"]
[Result "1-0"]

{Before.} 1. e4 {[%clk 0:10:00] Good start.} e5 (1... c5 2. Nf3 (2. c3 d5 {Alapin}) 2... d6) (1... e6) 2. Bc4! Nc6
{[%clk 0:09:30]} 3. Qh5 g6 4. Qf3 Nf6 5. Qxf6 Qxf6 6. d3 Qxf2+ 7. Kd1 Qf1+ 8. Kd2 1-0
"""


def record(text=PGN, **setup):
    (game,) = pgn_files.games(io.BytesIO(text.encode()))
    return Replay.of(Setup.of(**setup), pgn_files.recorded(game), game.headers["Result"])


def go(replay, *steps):
    """Take steps: a name, or a name with a number; the replay, and the keys of what the last one told."""
    told = ()
    for step in steps:
        name, number = step if isinstance(step, tuple) else (step, None)
        replay, told = replayed_game.stepped(replay, Stepped(ReplayStep(name), number))
    return replay, [message.key for message in told]


def san(replay):
    return " ".join(move.fact.san for move in replay.state.game.played)


def test_it_opens_with_names_length_result_and_the_first_comment():
    replay, told = replayed_game.opening(record())
    assert [message.key for message in told] == [
        "replay_opening",
        "replay_how",
        "replay_start",
        "replay_comment",
    ]
    assert dict(told[0].values)["count"] == 15
    assert san(replay) == ""


def test_steps_go_forward_and_back_and_stop_at_the_ends():
    replay, told = go(record(), "next", "next")
    assert san(replay) == "e4 e5"
    assert told == ["played", "replay_variation", "replay_variation"]
    replay, _ = go(replay, "back", "back")
    assert go(replay, "back")[1] == ["replay_at_start"]
    replay, told = go(replay, "end")
    assert told == ["played", "replay_end"]
    assert go(replay, "next")[1] == ["replay_at_end"]
    assert san(go(replay, "start")[0]) == ""


def test_a_record_without_a_result_is_not_told_to_be_over():
    replay = replace(record(), result="*")
    assert go(replay, "end")[1] == ["played", "replay_stops"]
    _, (told,) = replayed_game.asked(replay, Command(CommandName.RESIGN))
    assert Renderer("en").text(told) == "Only who plays a game can do that; here it is only read."


@pytest.mark.parametrize(("number", "last"), [(1, "e4"), (4, "Qf3"), (8, "Kd2")])
def test_a_number_is_the_first_move_of_that_number(number, last):
    for start in (record(), go(record(), "end")[0]):
        assert san(go(start, ("move", number))[0]).split()[-1] == last


def test_a_number_that_the_line_has_not_is_refused_with_its_last():
    replay, told = go(record(), "next", ("move", 9))
    assert (san(replay), told) == ("e4", ["replay_no_move"])


def test_into_a_variation_of_a_variation_and_out_again():
    replay, told = go(record(), "next", "next", ("variation", 1))
    assert san(replay) == "e4 c5"
    replay, told = go(replay, "next")
    assert (san(replay), told) == ("e4 c5 Nf3", ["played", "replay_variation"])
    replay, _ = go(replay, "variation", "next")
    assert san(replay) == "e4 c5 c3 d5"
    assert go(replay, "comment")[1] == ["replay_comment"]
    assert go(replay, "next")[1] == ["replay_at_end"]
    replay, _ = go(replay, "main_line")
    assert san(replay) == "e4 e5"
    assert go(replay, "main_line")[1] == ["replay_in_main_line"]


def test_of_several_variations_the_number_is_asked_for():
    replay, _ = go(record(), "next", "next")
    assert go(replay, "variation")[1] == ["replay_which_variation", "replay_variation", "replay_variation"]
    assert go(replay, ("variation", 3))[1] == ["no_such_choice"]
    assert san(go(replay, ("variation", 2))[0]) == "e4 e6"
    assert go(record(), "variation")[1] == ["replay_no_variation"]


def test_the_end_of_a_variation_is_not_the_end_of_the_game():
    assert go(record(), "next", "next", ("variation", 2))[1] == ["played", "replay_line_end"]


def test_captures_and_checks_are_found_both_ways():
    replay, _ = go(record(), "next_capture")
    assert san(replay).split()[-1] == "Qxf6"
    replay, _ = go(replay, "next_check")
    assert san(replay).split()[-1] == "Qxf2+"
    replay, _ = go(replay, "next_check")
    assert san(replay).split()[-1] == "Qf1+"
    assert go(replay, "next_check")[1] == ["replay_no_next_check"]
    assert go(replay, "next_capture")[1] == ["replay_no_next_capture"]
    replay, _ = go(replay, "previous_capture", "previous_capture")
    assert san(replay).split()[-1] == "Qxf6"
    replay, _ = go(replay, "previous_capture")
    assert san(replay).split()[-1] == "Qxf6"
    assert go(replay, "previous_check")[1] == ["replay_no_previous_check"]


def ask(replay, name, **what):
    return [m.key for m in replayed_game.asked(replay, Command(name, **what))[1]]


def test_every_question_about_the_position_is_answered_anywhere():
    replay, _ = go(record(), "next", "next", ("variation", 1), "next")
    assert ask(replay, CommandName.TURN) == ["turn"]
    replay, told = replayed_game.asked(replay, Command(CommandName.POSITION))
    assert [m.key for m in told][-1] == "more_follows"
    told = replayed_game.asked(replay, Command(CommandName.MORE))[1]
    assert "side_position" in [m.key for m in told]
    assert ask(record(), CommandName.MORE) == ["more_not"]
    assert ask(replay, CommandName.PIECES, piece=Piece.KNIGHT) == ["side_position", "side_position"]
    assert ask(replay, CommandName.MOVES) == ["move_list"]
    assert ask(replay, CommandName.LEGAL) == ["legal_moves", "more_follows"]
    assert ask(replay, CommandName.HELP) == ["replay_help", "more_follows"]
    assert [m.key for m in replayed_game.felt(replay, "square", "f3")] == ["on_square"]
    assert replay.state.game.position.fen.split()[0] == "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R"


@pytest.mark.parametrize("advises", [False, True])
def test_help_lists_what_is_answered(advises):
    replay, told = replayed_game.asked(replace(record(), advises=advises), Command(CommandName.HELP))
    while told[-1].key == "more_follows":
        replay, more = replayed_game.asked(replay, Command(CommandName.MORE))
        told = (*told[:-1], *more)
    listed = {
        dict(each.values)["command"].name
        for message in told
        for each in dict(message.values)["commands"]
        if getattr(each, "key", "") == "help_command"
    }
    advice = {CommandName.CHECKS, CommandName.CAPTURES}
    assert listed & advice == (advice if advises else set())
    assert CommandName.PAWNS in listed


def test_what_belongs_to_a_game_in_play_is_refused_and_repeat_repeats():
    for name in (CommandName.DRAW, CommandName.RESIGN, CommandName.SIGN, CommandName.ADJOURN):
        assert ask(record(), name) == ["replay_not_here"]
    replay, told = replayed_game.stepped(record(), Stepped(ReplayStep.NEXT))
    assert replayed_game.asked(replay, Command(CommandName.REPEAT))[1] == told


@pytest.mark.parametrize("name", [CommandName.HINT, CommandName.EVALUATE, CommandName.WHY])
def test_advice_of_the_engine_is_said_to_be_for_practice(name):
    assert ask(record(), name) == ask(replace(record(), advises=True), name) == ["practice_only"]


def test_a_game_still_to_be_won_gets_no_advice_but_every_other_answer():
    replay, _ = go(replace(record(), advises=False), "next", "next")
    for name in (CommandName.CHECKS, CommandName.CAPTURES):
        assert ask(replay, name) == ["practice_only"]
        assert "practice_only" not in ask(replace(replay, advises=True), name)
    assert ask(replay, CommandName.LEGAL) == ["legal_moves", "more_follows"]


def test_the_clocks_are_those_of_the_record():
    def times(replay):
        told = replayed_game.asked(replay, Command(CommandName.CLOCK))[1]
        return [(dict(m.values)["colour"], dict(m.values)["time"].ms) for m in told if m.key == "time_left"]

    assert times(record()) == []
    assert times(go(record(), "next")[0]) == [("white", 600_000)]
    assert times(go(record(), "end")[0]) == [("white", 600_000), ("black", 570_000)]


def test_marks_are_told_in_words():
    assert go(record(), ("move", 2))[1] == ["played", "replay_nag_1"]


def test_a_game_from_a_position_and_one_of_chess960():
    fen = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"
    text = f'[FEN "{fen}"]\n[SetUp "1"]\n[Result "*"]\n\n1. e8=Q *\n'
    assert san(go(record(text, fen=fen), "next")[0]) == "e8=Q"
    fen = "4k3/8/8/8/8/8/8/4KR2 w F - 0 1"
    text = f'[FEN "{fen}"]\n[Variant "Chess960"]\n[SetUp "1"]\n[Result "*"]\n\n1. O-O *\n'
    replay, _ = go(record(text, fen=fen, variant=FREE), "next")
    assert san(replay) == "O-O+" or san(replay) == "O-O"
    assert replay.state.game.position.fen.startswith("4k3/8/8/8/8/8/8/5RK1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_told_in_each_language_for_eye_ear_and_finger(language):
    renderer, code = Renderer(language), load_code(f"{language}8")
    replay, told = replayed_game.opening(record(language=language))
    every = list(told)
    steps = [
        *ReplayStep,
        ReplayStep.NEXT,
        ReplayStep.NEXT,
        ReplayStep.VARIATION,
        ReplayStep.END,
        ReplayStep.NEXT_CAPTURE,
        *ReplayStep,
    ]
    for number, step in enumerate((*steps, *(ReplayStep.BACK,) * 3, *steps)):
        replay, told = replayed_game.stepped(
            replay, Stepped(step, number % 5 if step is ReplayStep.MOVE else None)
        )
        every += told
    for name in CommandName:
        every += replayed_game.asked(replay, Command(name, Piece.KING, Place("e", "4")))[1]
    for message in every:
        text = renderer.text(message)
        assert text.strip()
        assert "{" not in text
        assert code.text(text)
        assert renderer.spans((message,))


STEPS = st.lists(st.tuples(st.sampled_from(ReplayStep), st.integers(0, 12)), max_size=30)


@settings(max_examples=examples(80), deadline=None)
@given(STEPS)
def test_no_order_of_steps_leaves_the_record(steps):
    replay = record()
    for step, number in steps:
        before = replay
        replay, told = replayed_game.stepped(replay, Stepped(step, number))
        assert told
        assert replay.nodes == before.nodes
        # What has been played leads to the position that is told about.
        position = replay.nodes[0].position
        for move in replay.state.game.played:
            position = position.made(move.fact)
        assert position.fen == replay.here.position.fen


@pytest.mark.parametrize(
    ("moves", "taken"),
    [
        ("1. e4 e5 2. Nf3 -- 3. Nxe5 d6 *", {"white": True, "black": False}),
        ("1. e4 e5 2. Nf3 -- 3. -- Nc6 4. -- Nd4 5. Nxd4 *", {"white": True, "black": False}),
        ("1. d4 d5 2. c4 -- 3. Nc3 dxc4 *", {"white": False, "black": True}),
    ],
)
def test_what_was_taken_and_the_opening_are_told_past_a_side_that_passes(moves, taken):
    replay, _ = go(record(f'[Result "*"]\n\n{moves}\n'), "end")
    told = replayed_game.asked(replay, Command(CommandName.CAPTURED))[1]
    assert {dict(one.values)["colour"]: one.key == "taken" for one in told} == taken
    assert replayed_game.asked(replay, Command(CommandName.OPENING))[1][0].key == "opening"
