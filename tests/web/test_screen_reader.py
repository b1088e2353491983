# SPDX-License-Identifier: GPL-3.0-or-later
"""What a blind player hears of the page by a real screen reader."""

import contextlib

import pytest
from support.chromium import PlayedPages
from support.orca import ScreenReader

from acessivel.session import events as ev


@pytest.fixture(scope="module")
def game():
    pages = PlayedPages(clock="5", alarms="1m")
    yield pages
    pages.close()


@pytest.fixture(scope="module")
def reader(game, tmp_path_factory):
    one = ScreenReader(tmp_path_factory.mktemp("orca"), game.link("white"))
    yield one
    one.close()


def test_a_game_is_heard(game, reader):
    """One game, in order, since a reader takes seconds to begin."""
    # Each square under the arrows, once the board is entered by its one Tab stop.
    reader.page.focus("#repeat")
    reader.heard("Repeat")
    reader.keys("Tab")
    reader.heard("Board", "a1, white rook")
    reader.keys("Up")
    reader.heard("a2, white pawn")
    reader.keys("Right")
    reader.heard("b2, white pawn")
    # A piece is picked up and put down, the question is spoken, and yes plays the move.
    reader.keys("shift+5", "2")
    reader.heard("e2, white pawn")
    reader.keys("Return")
    reader.heard("Picked up: e2, white pawn")
    reader.keys("4")
    reader.heard("e4, empty")
    reader.keys("Return")
    reader.heard("Pawn e2 e4?")
    reader.keys("y")
    reader.heard("1, White: pawn e2 e4.")
    # The opponent's move, although keys are being pressed; where the machine is so busy that all are late, the next.
    for own, reply, told in (
        ("", "e5", "pawn e7 e5"),
        ("d3", "d6", "pawn d7 d6"),
        ("a3", "a6", "pawn a7 a6"),
    ):
        for words, colour in ((own, "white"), (reply, "black")):
            for typed in (words, "yes") if words else ():
                game.type(typed, by=colour)
        reader.keys("Left", "Right", "Left", "Right", "Left", "Right")
        with contextlib.suppress(AssertionError):
            reader.heard(told)
            break
    else:
        pytest.fail("no move of the opponent was heard")
    # A refusal, and the same again.
    for _ in range(2):
        reader.keys("i")
        reader.page.fill("#typed", "e4e6")
        reader.keys("Return")
        reader.heard("E4 e6 is not possible")
    # A time alarm, and the end of the game.
    game.happen(ev.Tick(at=240_000, quiet=True))
    reader.heard("White: 1 minute left")
    game.happen(ev.Tick(at=300_500))
    reader.heard("flag")
