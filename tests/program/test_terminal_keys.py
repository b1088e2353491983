# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys in a real terminal: the board under the fingers without a display, and a move by arrows and Enter."""

import os
import pty
import re
import select
import signal
import termios

import pytest
from support.program import PROGRAM, environment
from support.terminal import Player, PlayerOfAProcess

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


def board(home, kind=Player):
    return kind(home, *PLAY, "--save", home / "games")


def test_a_move_by_arrows_and_enter(tmp_path):
    with board(tmp_path) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press(UP, "Eva zwei: peão, Brancas.")
        player.press(ENTER, "Bauer Eva zwei. Que casa?")
        player.press(UP, "Eva drei está vazia, casa escura.")
        player.press(UP, "Eva vier está vazia, casa clara.")
        player.press(ESCAPE, "Bauer Eva zwei. Que casa?")
        player.press(UP * 3, "Eva vier está vazia")  # from the king again
        player.press(ENTER, "Bauer Eva zwei Eva vier?")
        player.press("sim" + ENTER, "1, Brancas: Bauer Eva zwei Eva vier.")
        player.press("\x1bJ", "A um salto de cavalo de Eva vier: ")
        player.press("\x1bt", "Jogam as Pretas, lance 1.")
        player.press("\x1bOP", "Há mais: digite continua.")
        assert "Alt+T: de quem é a vez." not in player.seen
        player.press("continua" + ENTER, "Há mais: digite continua.")
        player.press("\x1bx", "Quer parar?")
        player.press("sim" + ENTER, "Até logo.")
        assert player.wait() == 0


def test_enter_says_yes_and_escape_no(tmp_path):
    with board(tmp_path) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press("e4" + ENTER, "Bauer Eva zwei Eva vier?")
        player.press(ESCAPE, "Certo, não jogo. Anuncie outra vez.")
        player.press("e4" + ENTER, "Bauer Eva zwei Eva vier?")
        player.press(ENTER, "1, Brancas: Bauer Eva zwei Eva vier.")
        player.press("parar" + ENTER, "Quer parar?")
        player.press(ENTER, "Até logo.")
        assert player.wait() == 0


def test_enter_and_backspace_go_forward_and_back_in_a_game_that_is_read(tmp_path):
    file = tmp_path / "game.pgn"
    file.write_text("1. e4 e5 *\n")
    with Player(tmp_path, "replay", file, *PLAY[3:-2]) as player:
        player.press("", "Digite")
        player.press(ENTER, "1, Brancas: Bauer Eva zwei Eva vier.")
        player.press(ENTER, "1, Pretas: Bauer Eva sieben Eva fünf.")
        player.press("x\x7f\x7f", "1, Brancas: Bauer Eva zwei Eva vier.")
        player.press("parar" + ENTER, "Quer parar?")
        player.press(ENTER, "Até logo.")
        assert player.wait() == 0


def test_what_is_told_meanwhile_does_not_land_on_the_typed_line(tmp_path):
    with board(tmp_path) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press("casa e", "casa e")
        player.press("\x1bOR", "Ainda não há lances")  # F3: the last move
        player.press(" dois", "dois")
        assert player.screen[-1] == "casa e dois"
        assert player.screen[-2].startswith("Ainda não há lances")


def test_what_is_typed_ahead_of_the_end_reaches_no_other_program(tmp_path):
    with board(tmp_path, PlayerOfAProcess) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press("parar\rsim\ryes\ryes\r", "Até logo.")
        assert player.wait() == 0
        assert not player.left


@pytest.mark.parametrize(
    "typed", ["suspender\rsim\rNf3\rNf3\r", "suspender\r\rNf3\r", "suspender\rNf3\rsim\rNf3\r"]
)
def test_a_sealed_move_that_is_typed_ahead_is_neither_seen_nor_taken(tmp_path, typed):
    with board(tmp_path) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press(typed, "Quer suspender a partida?")
        player.press("sim\rNf3\rNf3\r", "Digite o lance secreto")
        player.press("Nc3\r", "Digite o mesmo lance outra vez")
        player.press("Nc3\r", "Quando a partida")
        assert not re.search("N[cf]|[cf]3", player.seen)
        player.press("\r", "Nada foi selado; a partida continua.")
        player.press("e4\r", "Bauer Eva zwei Eva vier?")


def test_a_doubled_yes_accepts_no_draw_for_the_opponent(tmp_path):
    with board(tmp_path) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press("e4\nsim\ne5\nsim\nempate\nsim\nsim\n", "Isso não vale: a pergunta é para as Brancas")
        player.press("quem joga\n", "Brancas: aceitam o empate?")
        player.press("Brancas sim\n", "empate, por acordo")


def test_control_c_leaves_and_keeps_the_game(tmp_path):
    with board(tmp_path, PlayerOfAProcess) as player:
        player.press("", "Jogam as Brancas, lance 1")
        player.press("e", "e")
        player.press("\x03", "acessivel resume 1")
        assert player.wait() == 0


def test_a_terminal_that_is_closed_leaves_and_keeps_the_game(tmp_path):
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may have been begun with nohup
    try:
        with board(tmp_path, PlayerOfAProcess) as player:
            player.press("", "Jogam as Brancas, lance 1")
            player._process.send_signal(signal.SIGHUP)
            player.press("", "acessivel resume 1")
            assert player.wait() == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_game_begun_with_nohup_goes_on(tmp_path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with board(tmp_path, PlayerOfAProcess) as player:
            player.press("", "Jogam as Brancas, lance 1")
            player._process.send_signal(signal.SIGHUP)
            player.press("e4\r", "Bauer Eva zwei Eva vier?")
    finally:
        signal.signal(signal.SIGHUP, before)


def test_control_z_gives_the_terminal_to_the_shell_until_it_goes_on(tmp_path):
    words = " ".join(map(str, (PROGRAM, *PLAY, "--save", tmp_path / "games")))
    child, terminal = pty.fork()
    if child == 0:
        os.execve("/bin/sh", ["sh", "-i"], environment(tmp_path, PS1="$ "))  # noqa: S606

    def press(keys, sentence):
        seen = b""
        os.write(terminal, keys.encode())
        while sentence.encode() not in seen:
            assert select.select([terminal], [], [], 30)[0], seen
            seen += os.read(terminal, 1000)

    try:
        press(f"{words}\n", "Jogam as Brancas, lance 1")
        press("e4", "e4")
        press("\x1a", "$ ")
        mode = termios.tcgetattr(terminal)[3]
        assert mode & termios.ECHO
        assert mode & termios.ICANON
        press("fg\n", "e4")
        press("\r", "Bauer Eva zwei Eva vier?")
        press("\x03", "$ ")
        press("echo e$((5+4))\n", "e9")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
