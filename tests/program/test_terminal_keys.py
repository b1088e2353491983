# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys in a real terminal: the board under the fingers without a display, and a move by arrows and Enter."""

import pytest
from support.terminal import Player

PLAY = (
    "play",
    "--opponent",
    "human",
    "--hear",
    "keyboard",
    "--speak",
    "off",
    "--braille",
    "off",
    "--introduction",
    "off",
)
UP, ENTER, ESCAPE = "\x1b[A", "\n", "\x1b"


@pytest.fixture
def player(tmp_path):
    made = Player(tmp_path, *PLAY, "--save", tmp_path / "games")
    yield made
    made.close()


def test_a_move_by_arrows_and_enter(player):
    player.press("", "Jogam as Brancas, lance 1")
    player.press(UP, "Eva zwei: peão, Brancas.")
    player.press(ENTER, "Bauer Eva zwei. Que casa?")
    player.press(UP, "Eva drei está vazia, casa preta.")
    player.press(UP, "Eva vier está vazia, casa branca.")
    player.press(ESCAPE, "Bauer Eva zwei. Que casa?")
    player.press(UP * 3, "Eva vier está vazia")  # from the king again
    player.press(ENTER, "Bauer Eva zwei Eva vier?")
    player.press("sim" + ENTER, "1, Brancas: Bauer Eva zwei Eva vier.")
    player.press("\x1bJ", "A um salto de cavalo de Eva vier: ")
    player.press("\x1bt", "Jogam as Pretas, lance 1.")
    player.press("\x1bOP", "Alt+T: de quem é a vez.")
    player.press("\x1bx", "Quer parar?")
    player.press("sim" + ENTER, "Até logo.")
    assert player.process.wait(30) == 0
