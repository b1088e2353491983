# SPDX-License-Identifier: GPL-3.0-or-later
"""Games played on the hardware of a Braille display: what its cells show is all that the player knows."""

import chess
import chess.pgn
import pytest
from support.brltty import VirtualBrltty, dots_to_cell, needs_brltty
from support.hands import QUESTION, Hands, shows
from support.program import Running, game_of

PLAY = ("play", "--opponent", "human", "--hear", "keyboard", "--speak", "off", "--braille", "brlapi")
# Both sides take, White promotes, Black castles and mates.
GAME = "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 e7e6 b7a8q f8e7 g1f3 e8g8 a8e4 d8d4 e1e2 d4e4".split()


def recorded(home, save):
    game = game_of(home, save)
    return " ".join(move.uci() for move in game.mainline_moves()), game.headers["Result"]


@needs_brltty
def test_a_whole_game_by_routing_keys_alone(tmp_path, save):
    # The virtual display has no routing keys after the 255th cell.
    with VirtualBrltty(31, 8) as display, Running(tmp_path, *PLAY, "--save", save, **display.env):
        hands = Hands(display)
        for uci in GAME:
            hands.move(uci)
        display.wait_for(lambda cells: shows(cells, "xeque-mate"))
    assert recorded(tmp_path, save) == (" ".join(GAME), "0-1")


@needs_brltty
@pytest.mark.parametrize(("columns", "most"), [(40, 4), (20, 6)])
def test_a_whole_game_by_the_lists_of_squares_takes_few_keys(tmp_path, save, columns, most):
    with VirtualBrltty(columns) as display, Running(tmp_path, *PLAY, "--save", save, **display.env):
        hands = Hands(display)
        for uci in GAME:
            before = hands.pressed
            hands.move_by_lists(uci)
            assert hands.pressed - before <= most + (
                len(uci) == len("b7a8q")
            )  # the piece that a pawn becomes
        hands.find(lambda cells: shows(cells, "xeque-mate") or None)
    assert recorded(tmp_path, save) == (" ".join(GAME), "0-1")


@needs_brltty
@pytest.mark.parametrize("columns", [12, 14, 20, 40, 80])
def test_moves_by_routing_keys_on_one_line(tmp_path, save, columns):
    with (
        VirtualBrltty(columns) as display,
        Running(tmp_path, *PLAY, "--save", save, **display.env),
    ):
        hands = Hands(display)
        for uci in GAME[:3]:
            hands.move(uci)
    assert recorded(tmp_path, save)[0] == " ".join(GAME[:3])


@needs_brltty
@pytest.mark.parametrize(("columns", "rows"), [(40, 9), (32, 10)])
def test_the_display_goes_and_comes_back_in_mid_game(tmp_path, save, columns, rows):
    with (
        VirtualBrltty(columns, rows) as display,
        Running(tmp_path, *PLAY, "--save", save, **display.env),
    ):
        hands = Hands(display)
        for uci in GAME[:2]:
            hands.move(uci)
        hands.point(chess.E4)  # picked, and asked where it goes
        display.wait_for(lambda cells: dots_to_cell(QUESTION) in cells)
        shown = display.cells
        display.unplug()
        display.plug()
        display.wait_for(shown, 20)
        display.restart()
        display.wait_for(shown, 20)
        hands.point(chess.D5)
        hands.answer((dots_to_cell(QUESTION),))
        hands.board.push_uci("e4d5")
        hands.moved = chess.D5
        hands.find(lambda cells: hands.place(cells, chess.D5))
        display.resize(20, 1)
        hands.find(lambda cells: hands.place(cells, chess.D5))
    assert recorded(tmp_path, save)[0] == "e2e4 d7d5 e4d5"
