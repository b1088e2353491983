# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys in a real terminal: the board under the fingers without a display, and a move by arrows and Enter."""

import os
import subprocess
import threading

import pytest
from support.program import PROGRAM, environment

PLAY = ("play", "--opponent", "human", "--hear", "keyboard", "--speak", "off", "--braille", "off")
UP, ENTER, ESCAPE = "\x1b[A", "\n", "\x1b"


class Player:
    """The program in a terminal."""

    def __init__(self, home):
        self.user, terminal = os.openpty()
        self.process = subprocess.Popen(
            [PROGRAM, *PLAY, "--save", home / "games"],
            stdin=terminal, stdout=terminal, stderr=terminal, env=environment(home),
        )  # fmt: skip
        os.close(terminal)
        self.seen = ""
        self._more = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        while True:
            try:
                text = os.read(self.user, 1000)
            except OSError:
                return
            with self._more:
                self.seen += text.decode(errors="replace")
                self._more.notify_all()

    def press(self, keys, sentence):
        """Press keys and wait for a sentence that comes after them."""
        with self._more:
            before = len(self.seen) if keys else 0
            os.write(self.user, keys.encode())
            assert self._more.wait_for(lambda: sentence in self.seen[before:], 30), self.seen

    def close(self):
        self.process.kill()
        self.process.wait()
        self._thread.join(10)
        os.close(self.user)


@pytest.fixture
def player(tmp_path):
    made = Player(tmp_path)
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
