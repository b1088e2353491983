# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole game without a sound: a machine with no microphone, loudspeaker or keyboard, only the display's cells and keys."""

import pytest
from support.brltty import VirtualBrltty, dots_to_cell, needs_brltty
from support.hands import QUESTION, Hands, ends_with
from support.program import Running, run

from braille.notation import load_code

CODE = load_code("pt8")
GAME = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"


class Silent(Hands):
    """Commands are chosen from the list of keys, and answers are read in the cells."""

    def read(self, text):
        """Pan until a text is shown."""
        word = CODE.text(text)
        self.find(lambda cells: ends_with(cells, word))

    def choose(self, command):
        """Open the list by the last cell of the first row, and press the routing key over a word."""
        before = self.display.cells
        self.press(f"ROUTE {self.display.columns - 1}")
        self.display.wait_for(lambda cells: cells != before)
        self.panned = False
        word = CODE.text(command)
        self.route(self.find(lambda cells: ends_with(cells, word), pans=200))

    def yes(self):
        self.answer((dots_to_cell(QUESTION),))

    def by_name(self, answer):
        """Answer with the name of the side, as the display offers it to who is asked after the opponent."""
        word = CODE.text(answer)
        self.route(self.find(lambda cells: ends_with(cells, word)))


@needs_brltty
@pytest.mark.parametrize(("columns", "rows"), [(40, 1), (31, 8)])
def test_from_the_first_move_to_the_signed_result(tmp_path, columns, rows):
    save = ("--save", tmp_path / "games")
    # The virtual display has no routing keys after the 255th cell.
    # Nothing is switched off: the machine has no sound, and the program says so in the cells.
    options = ("play", "--opponent", "human", "--clock", "60", "--braille", "brlapi", *save)
    with VirtualBrltty(columns, rows) as display, Running(tmp_path, *options, **display.env) as program:
        program.process.stdin.close()  # nobody types
        player = Silent(display, "alto-falante")
        for uci in GAME.split():
            player.move(uci)
        player.choose("material")
        player.read("39")
        # White offers a draw, Black refuses.
        player.move("d2d3")
        player.choose("empate")
        player.yes()
        player.read("aceitam")
        player.by_name("não")
        player.move("d7d6")
        # White resigns; then both sign.
        player.choose("abandono")
        player.yes()
        player.read("Pretas")
        player.choose("assinar")
        player.read("assinam")
        player.yes()
        player.read("assinaram")
        player.read("assinam")
        player.by_name("sim")
        player.read("assinaram")
        player.choose("parar")
        player.yes()
        assert program.process.wait(30) == 0
    text = " ".join(run(tmp_path, "record", 1, *save)[0])
    assert '[Result "0-1"]' in text
    assert "O-O" in text
    assert text.count("assinaram a planilha") == 2
    assert "(=)" in text
