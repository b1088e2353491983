# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves by pointing at squares: two keys, the same repeat, the same yes; and castling by its squares."""

import pytest
from hypothesis import given, settings
from support.positions import positions

from acessivel.dialogue.questions import NOTHING, Confirm, Missing, Promote
from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.meaning import Castling, Place

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def after(*squares, fen=None, **setup):
    """The state and the keys of what is said, after pointing at some squares."""
    state, said = State.new(Setup.of(opponent="human", fen=fen, **setup)), []
    for square in squares:
        state, effects = step(state, ev.SquarePointed(square=square))
        said = [message.key for effect in effects for message in effect.messages]
    return state, said


def test_the_first_square_picks_and_is_told_in_full_and_the_second_is_asked_to_be_confirmed():
    state, said = after("g1")
    assert isinstance(state.asking, Missing)
    assert said == ["on_square", "ask_square"]
    state, said = after("g1", "f3")
    assert state.asking.fact.uci == "g1f3"
    assert said == ["ask_move"]
    state, _ = step(state, ev.Heard(words=("sim",)))
    assert state.game.last.uci == "g1f3"


@pytest.mark.parametrize(
    ("squares", "said"),
    [
        (("e4",), ["empty_light"]),
        (("e5",), ["empty_dark"]),
        (("e7",), ["on_square"]),
        (("g1", "g1"), ["withdrawn"]),
        (("g1", "g4"), ["refused", "withdrawn"]),
        (("g1", "e7"), ["refused", "withdrawn"]),
        (("g1", "b1"), ["on_square", "ask_square"]),
    ],
)
def test_what_else_pointing_does(squares, said):
    state, told = after(*squares)
    assert told == said
    assert state.game.played == ()
    assert isinstance(state.asking, Missing) == (said[-1] == "ask_square")


def test_another_piece_is_picked_instead():
    state, _ = after("g1", "b1", "c3")
    assert state.asking.fact.uci == "b1c3"


def test_a_question_that_is_no_pick_stays_while_squares_are_asked_about():
    state, _ = step(State.new(Setup.of(opponent="human")), ev.Heard(words=("Eva vier",)))
    state, effects = step(state, ev.SquarePointed(square="g1"))
    assert [message.key for message in effects[0].messages] == ["on_square", "ask_move"]
    assert state.asking.fact.uci == "e2e4"


@pytest.mark.parametrize(
    ("second", "san"), [("h1", "O-O"), ("g1", "O-O"), ("a1", "O-O-O"), ("c1", "O-O-O"), ("f1", "Kf1")]
)
def test_a_king_castles_by_its_rook_or_over_two_squares(second, san):
    state, said = after("e1", second, fen=CASTLES)
    assert isinstance(state.asking, Confirm)
    assert state.asking.fact.san == san
    assert isinstance(state.asking.fact.meaning, Castling) == san.startswith("O")
    assert said == ["ask_move"]


@pytest.mark.parametrize(("second", "san"), [("h1", "O-O+"), ("b1", "O-O-O"), ("g1", "Kg1")])
def test_in_chess960_a_king_castles_by_its_own_rook(second, san):
    # The king is on f1: one step to g1 is a move of the king.
    state, _ = after("f1", second, fen="1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", variant="chess960:1")
    assert state.asking.fact.san == san


def test_a_rook_picked_first_does_not_castle():
    state, _ = after("h1", "e1", fen=CASTLES)
    assert isinstance(state.asking, Missing)
    assert str(state.asking.said.origin) == "e1"


def test_a_king_that_cannot_castle_picks_the_rook():
    state, said = after("e1", "h1", fen="r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
    assert said == ["on_square", "ask_square"]
    assert str(state.asking.said.origin) == "h1"


def test_a_pawn_that_promotes_asks_for_its_piece():
    state, said = after("e7", "e8", fen="8/4P1k1/8/8/8/8/8/K7 w - - 0 1")
    assert isinstance(state.asking, Promote)
    assert said == ["ask_promotion"]


def test_nothing_is_picked_when_it_is_not_your_turn():
    state = State.new(Setup.of(opponent="engine", colour="black"))
    state, effects = step(state, ev.SquarePointed(square="e2"))
    assert [message.key for message in effects[0].messages] == ["on_square"]
    assert state.asking == NOTHING


@given(positions())
@settings(deadline=None)  # every move of a position
def test_every_legal_move_can_be_pointed_out(position):
    new = State.new(Setup.of(opponent="human", fen=position.fen))
    for fact in position.legal:
        state = new
        for square in fact.uci[:2], fact.uci[2:4]:
            state, _ = step(state, ev.SquarePointed(square=square))
        if isinstance(state.asking, Promote):
            assert fact in state.asking.facts
        else:
            assert state.asking.fact.uci == fact.uci
        assert state.game.played == ()


def test_an_order_by_a_key_is_the_spoken_command():
    said = State.new(Setup.of(opponent="human"))
    spoken, heard = step(said, ev.Heard(words=("vez",)))
    pressed, ordered = step(said, ev.Ordered(command="turn"))
    assert ordered == heard
    assert pressed == spoken
    _, effects = step(said, ev.Ordered(command="resign"))
    assert effects[0].messages[0].key == "ask_resign_of"
    _, effects = step(said, ev.Ordered(command="pieces", piece="Q"))
    assert [message.key for message in effects[0].messages] == ["side_position", "side_position"]


@pytest.mark.parametrize("square", ["a1", "c1", "d1", "e1", "h1"])
def test_a_piece_that_cannot_move_says_so_and_asks_nothing(square):
    state, said = after(square)
    assert state.asking == NOTHING
    assert said == ["no_move_of_piece"]
    state, said = after("g1", square)
    assert state.asking.said.origin == Place("g", "1")
    assert said == ["no_move_of_piece", "ask_square"]


def test_where_irregular_moves_are_made_as_announced_every_piece_can_be_picked():
    state, said = after("a1", clock="15", strict=True)
    assert state.strict
    assert said == ["on_square", "ask_square"]


def test_a_king_that_can_only_castle_is_picked():
    state, _ = after("e1", fen="4k3/8/8/8/8/8/3PPP2/3RKB1R w K - 0 1")
    assert state.asking == NOTHING
    state, _ = after("e1", fen="4k3/8/8/8/8/8/3PPP2/R2QK2R w KQ - 0 1")
    assert isinstance(state.asking, Missing)
