# SPDX-License-Identifier: GPL-3.0-or-later
"""The game goes on from the agreed position: its moves, its clocks, and where it comes from."""

import pytest

from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.records.reconciliation import Written, compare
from acessivel.records.restart import restarted
from acessivel.rules.position import Position
from acessivel.session.state import State

START = Position.start()
MOVES = tuple(map(Written, "e4 e5 Nf3 Nc6".split()))
MATE = tuple(map(Written, "f3 e5 g4 Qh4".split()))
NONE = (None, None)


def agreed(moves=MOVES):
    return compare(START, moves, moves, "en").agreed


def left(setup):
    clock = State.new(setup).game.clock
    return clock.left("white", 0), clock.left("black", 0)


def test_the_arbiter_s_times_win_over_those_of_a_record():
    setup = restarted(Setup.of(clock="90+30"), agreed(), ("1", "a.pgn"), (600_000, 500_000), (1000, 2000))
    assert left(setup) == (600_000, 500_000)
    game = State.new(setup).game
    assert [move.fact.san for move in game.played] == ["e4", "e5", "Nf3", "Nc6"]
    assert game.position.turn == "white"
    assert dict(setup.beginning.before.tags)["Source"] == "1 + a.pgn (4)"


def test_without_them_those_of_the_record_stand():
    assert left(restarted(Setup.of(clock="15+5"), agreed(), ("1", "2"), NONE, (90_000, 80_000))) == (
        90_000,
        80_000,
    )


def test_given_times_without_a_clock_run_as_they_are():
    setup = restarted(Setup(), agreed(), ("a", "b"), (61_000, 60_000), ())
    assert left(setup) == (61_000, 60_000)
    clock = State.new(setup).game.clock
    assert clock.start("white", 0).completed("white", 1000).left("white", 1000) == 60_000


def test_no_clock_and_no_times_is_a_game_without_a_clock():
    assert State.new(restarted(Setup(), agreed(), ("a", "b"), NONE, ())).game.clock is None


@pytest.mark.parametrize(
    ("setup", "moves", "given", "key"),
    [
        (Setup.of(clock="5"), MOVES, (1000, None), "restart_both_times"),
        (Setup.of(clock="5"), MOVES, NONE, "restart_needs_times"),
        (Setup(), MATE, NONE, "restart_over"),
    ],
)
def test_what_cannot_go_on_is_one_sentence(setup, moves, given, key):
    with pytest.raises(UserError) as caught:
        restarted(setup, agreed(moves), ("a", "b"), given, ())
    assert caught.value.message.key == key
