# SPDX-License-Identifier: GPL-3.0-or-later
"""The board under the fingers: every square by geometry, and the sentences of known positions."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.positions import positions

from acessivel.devices.board_cursor import BoardCursor
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.queries import exploration
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.meaning import Place

SQUARES = [Place(file, rank) for rank in "12345678" for file in "abcdefgh"]
# Black to move: the knight on e4 is attacked by d3 and defended by d5.
FEN = "r2qk2r/ppp2ppp/2n5/3p4/4n1b1/3P1N2/PPP2PPP/R1BQKB1R b KQkq - 0 7"
squares = st.sampled_from(SQUARES)


def xy(square):
    return "abcdefgh".index(square.file), int(square.rank)


def names(places):
    return " ".join(map(str, places))


@given(squares)
def test_knight_jumps_are_two_and_one_away(square):
    x, y = xy(square)
    wanted = {s for s in SQUARES if {abs(xy(s)[0] - x), abs(xy(s)[1] - y)} == {1, 2}}
    found = exploration.jumps(square)
    assert set(found) == wanted
    assert len(found) == len(wanted)


@given(squares)
def test_diagonals_keep_their_sum_or_their_difference(square):
    x, y = xy(square)
    rising, falling = exploration.diagonals(square)
    assert set(rising) == {s for s in SQUARES if xy(s)[0] - xy(s)[1] == x - y}
    assert set(falling) == {s for s in SQUARES if sum(xy(s)) == x + y}
    for line in rising, falling:
        assert [s.rank for s in line] == sorted(s.rank for s in line)


@pytest.mark.parametrize(
    ("square", "jumps"), [("a1", "b3 c2"), ("g1", "h3 e2 f3"), ("e4", "f6 g5 g3 f2 d2 c3 c5 d6")]
)
def test_knight_jumps_go_clockwise(square, jumps):
    assert names(exploration.jumps(Place(*square))) == jumps


@given(squares, st.sampled_from(sorted(exploration.STEPS)), st.booleans())
def test_a_step_and_the_step_back(square, way, from_black):
    back = {"left": "right", "right": "left", "up": "down", "down": "up"}
    there = exploration.moved(square, way, from_black=from_black)
    if there:
        assert (
            exploration.moved(there, f"square_{back[way.removeprefix('square_')]}", from_black=from_black)
            == square
        )
    else:
        edge = {"left": "a", "right": "h", "up": "8", "down": "1"}
        if from_black:
            edge = {"left": "h", "right": "a", "up": "1", "down": "8"}
        assert edge[way.removeprefix("square_")] in str(square)


@given(positions(), squares)
def test_the_next_alike_goes_round_all_of_a_kind(position, square):
    stands = position.at(str(square))
    if not stands:
        assert position.at(str(exploration.next_alike(square, position)))
        return
    seen, here = [], square
    for _ in position.where(*stands):
        here = exploration.next_alike(here, position)
        seen.append(here)
    assert here == square
    assert set(seen) == set(position.where(*stands))


def told(what, square, language="en", fen=FEN):
    game = State.new(Setup.of(language=language, convention="letters", opponent="human", fen=fen)).game
    renderer = Renderer(language, "letters")
    return [renderer.text(message) for message in exploration.told(what, Place(*square), game, 0)]


@pytest.mark.parametrize(
    ("what", "square", "sentences"),
    [
        ("square", "e4", ["E4: knight, Black."]),
        ("square", "e5", ["E5 is empty, a dark square."]),
        ("square", "d4", ["D4 is empty, a dark square."]),
        ("square", "e3", ["E3 is empty, a dark square."]),
        ("rank", "h4", ["Rank 4: black knight on e4, black bishop on g4."]),
        ("file", "e3", ["File e: white king on e1, black knight on e4, black king on e8."]),
        (
            "diagonals",
            "g4",
            [
                "Diagonal d1 h5: white queen on d1, white knight on f3, black bishop on g4.",
                "Diagonal h3 c8: black bishop on g4.",
            ],
        ),
        (
            "diagonals",
            "a1",
            ["Diagonal a1 h8: white rook on a1, white pawn on b2, black pawn on g7, black rook on h8."],
        ),
        ("attackers", "e4", ["E4 is attacked by: white pawn on d3.", "E4 is defended by: black pawn on d5."]),
        ("attackers", "a1", ["A1 is not attacked.", "A1 is not defended."]),
        (
            "attackers",
            "h6",
            ["H6 is attacked by: white bishop on c1.", "H6 is attacked by: black pawn on g7."],
        ),
        ("attackers", "a4", ["Nothing attacks a4."]),
        ("moves_from", "a7", ["Legal moves, 2: pawn a7 a6, pawn a7 a5."]),
        ("moves_from", "e5", ["There is no such legal move."]),
        ("knight_jumps", "a1", ["A knight's jump from a1: white pawn on c2; empty: b3."]),
        ("knight_jumps", "a4", ["A knight's jump from a4: white pawn on b2; empty: b6, c5, c3."]),
        ("knight_jumps", "h1", ["A knight's jump from h1: white pawn on f2; empty: g3."]),
        ("edge", "h4", ["The edge of the board.", "H4 is empty, a dark square."]),
    ],
)
def test_what_is_told(what, square, sentences):
    assert told(what, square) == sentences


@given(positions(), squares, st.sampled_from(["edge", *exploration.TELLING]))
def test_exploring_changes_nothing(position, square, what):
    state = State.new(Setup.of(opponent="human", fen=position.fen))
    asked, _ = step(state, ev.Heard(words=("Springer",)))
    after, effects = step(asked, ev.Explored(what=what, square=str(square)))
    assert after == replace(asked, now_ms=after.now_ms)
    assert [message for effect in effects for message in effect.messages]
    _, effects = step(after, ev.Returned())
    assert effects[0].messages


def test_the_question_is_put_again_on_return():
    state, _ = step(State.new(Setup(opponent="human")), ev.Heard(words=("Eva vier",)))
    state, effects = step(state, ev.Explored(what="square", square="a1"))
    assert not any(message.key.startswith("ask_") for message in effects[0].messages)
    state, effects = step(state, ev.Returned())
    assert [message.key for message in effects[0].messages] == ["ask_move"]
    state, _ = step(state, ev.Heard(words=("ja",)))
    assert state.game.last.uci == "e2e4"


class TestFingers:
    def test_they_begin_on_the_piece_that_moved(self):
        state = State.new(Setup(opponent="human"))
        fingers = BoardCursor()
        assert fingers.act("square_up", state) == ev.Explored(what="square", square="e2")
        assert fingers.square == "e2"
        for words in "Eva vier", "ja":
            state, _ = step(state, ev.Heard(words=(words,)))
        fingers.follow(ev.Heard(words=("ja",)))
        assert fingers.square is None
        assert fingers.act("square_left", state) == ev.Explored(what="square", square="d4")

    def test_the_edge_holds_them(self):
        state = State.new(Setup(opponent="human"))
        fingers = BoardCursor()
        assert fingers.act("square_down", state) == ev.Explored(what="edge", square="e1")

    def test_black_goes_forward_down_the_board(self):
        state = State.new(Setup(opponent="engine", colour="black"))
        fingers = BoardCursor()
        assert fingers.act("square_up", state) == ev.Explored(what="square", square="e7")
        assert fingers.act("square_left", state) == ev.Explored(what="square", square="f7")

    def test_enter_points_and_escape_returns(self):
        state = State.new(Setup(opponent="human"))
        fingers = BoardCursor()
        assert fingers.act("send", state) is None
        fingers.act("square_up", state)
        assert fingers.act("send", state) == ev.SquarePointed(square="e2")
        assert fingers.square is None
        fingers.act("rank", state)
        assert fingers.act("cancel", state) == ev.Returned()

    def test_pieces_and_orders(self):
        state = State.new(Setup(opponent="human"))
        fingers = BoardCursor()
        assert fingers.act("pieces_knight", state) == ev.Ordered(command="pieces", piece="N")
        assert fingers.act("turn", state) == ev.Ordered(command="turn")
        fingers.act("square_up", state)
        assert fingers.act("touched", state) == ev.Ordered(command="touched", square="e2")
        assert fingers.act("pan_right", state) is None
        assert fingers.act(None, state) is None
