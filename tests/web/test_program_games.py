# SPDX-License-Identifier: GPL-3.0-or-later
"""The program from its command line to real browsers: two people, the engine, a kill in mid-game, and resuming."""

import contextlib
import os
import signal

import chess
import pytest
from support.brltty import VirtualBrltty, needs_brltty
from support.chromium import PROGRAM, Tab
from support.hands import Hands, shows
from support.program import QUIET, Running
from support.ways import ByKeys, ByMouse, ByText

from acessivel.devices.engine import find_engine

SPEECHLESS = ("--speak", "off", "--hear", "keyboard", "--introduction", "off")
IN_ENGLISH = ("--language", "en", "--convention", "letters")


class Program:
    """The program in play with its links, and browsers that are closed with it."""

    def __init__(self, home, chromium, *arguments, display=None):
        quiet = SPEECHLESS if display else QUIET
        self.running = Running(home, *arguments, "--web", *quiet, **(display.env if display else {}))
        self.browser, self.tabs = chromium, []

    def player(self, role, way, *, takes=False):
        """Who plays this way on the page of a role, by its link in the program's lines."""
        name = role.capitalize() + ": http://"
        line = next((line for line in self.running.lines if name in line), None) or self.running.wait_for(
            name
        )
        self.tabs.append(Tab(self.browser, line.partition(": ")[2], **way.context))
        if takes:  # what the server has not seen to be gone yet is held
            page = self.tabs[-1].page
            page.locator("#take, #board .piece").locator("visible=true").first.wait_for()
            if page.locator("#take").is_visible():
                page.click("#take")
        return way(self.tabs[-1].opened())

    def close(self):
        for tab in self.tabs:
            with contextlib.suppress(AssertionError):
                tab.close()
        self.running.__exit__()


@pytest.fixture
def begin(tmp_path, chromium):
    begun = []

    def begins(*arguments, **more):
        begun.append(Program(tmp_path, chromium, *arguments, **more))
        return begun[-1]

    yield begins
    for program in begun:
        program.close()


def seen(uci, *players):
    """Wait until these players' pages show this as the last move."""
    for player in players:
        player.tab.shows(uci)


def test_two_browsers_and_the_keyboard_play_a_game_that_survives_a_kill(begin):
    program = begin("play", "--opponent", "human", "--clock", "90+30", *IN_ENGLISH)
    white, black = program.player("white", ByMouse), program.player("black", ByKeys)
    for mover, uci in ((white, "e2e4"), (black, "e7e5"), (white, "g1f3"), (black, "b8c6"), (white, "f1c4")):
        mover.move(uci)
        seen(uci, white, black)
    program.running.wait_for("3, White: bishop")  # the terminal tells the same
    program.running.type("Bc5")
    program.running.type("yes")
    seen("f8c5", white, black)
    assert "c5" in black.tab.told("c5")[1]
    white.point("e1")  # in mid-move
    program.running.kill()
    assert white.tab.told("The connection is lost")[0] == "assertive"

    resumed = begin("resume")
    white, black = resumed.player("white", ByText), resumed.player("black", ByMouse)
    seen("f8c5", white, black)
    white.move("e1g1")
    seen("e1g1", white, black)
    assert white.tab.square("f1").inner_text().startswith("f1, white rook")
    black.order("resign")
    black.answer()
    white.tab.page.locator("#status", has_text="White wins").wait_for()


@needs_brltty
def test_a_browser_plays_against_a_player_at_the_braille_display_and_the_keyboard(begin):
    """Both sides take, White promotes, Black castles and mates."""
    moves = "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 e7e6 b7a8q f8e7 g1f3 e8g8 a8e4 d8d4 e1e2 d4e4".split()
    with VirtualBrltty(31, 8) as display:
        program = begin("play", "--opponent", "human", "--braille", "brlapi", display=display)
        hands, white = Hands(display), program.player("brancas", ByMouse)
        for count, uci in enumerate(moves):
            if count % 2 == 0:
                white.move(uci)
            elif count % 4 == 1:
                hands.move(uci)
            else:
                program.running.type(uci)
                program.running.type("sim")
            if count % 4 != 1:
                hands.feel(chess.Move.from_uci(uci))
            seen(uci, white)
        assert "mate" in white.tab.told("mate")[1]
        hands.find(lambda cells: shows(cells, "xeque-mate") or None)


def test_a_browser_that_is_killed_in_mid_move_loses_nothing(begin, chromium):
    """Black's browser dies with a question open; the game goes on, and another browser finds it there."""
    program = begin("play", "--opponent", "human", *IN_ENGLISH)
    white = program.player("white", ByMouse)
    dying = chromium.browser_type.launch(executable_path=PROGRAM)
    program.browser = dying
    black = program.player("black", ByText)
    program.browser = chromium
    white.move("e2e4")
    seen("e2e4", white, black)
    black.type("e5")
    black.tab.page.locator("#answers button").first.wait_for()
    session = dying.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    (pid,) = (one["id"] for one in processes if one["type"] == "browser")
    os.kill(pid, signal.SIGKILL)
    program.tabs.remove(black.tab)
    program.running.type("clock")  # the game goes on
    program.running.wait_for("clock")
    again = program.player("black", ByMouse, takes=True)
    again.answer()
    seen("e7e5", white, again)


@pytest.mark.skipif(find_engine() is None, reason="Stockfish is not installed")
def test_a_browser_plays_against_the_engine(begin):
    program = begin("play", "--level", "1", *IN_ENGLISH)
    white = program.player("white", ByText)
    for uci in ("e2e4", "g1f3"):
        white.tab.until("document.getElementById('status').textContent.startsWith('White')")
        white.tab.forget()
        white.move(uci)
        white.tab.until("told.some(([, text]) => text.includes('Black:'))")
    white.tab.until("document.querySelectorAll('#moves li').length === 2")
    white.tab.until("document.getElementById('status').textContent.startsWith('White')")
    white.order("resign")
    white.answer()
    white.tab.page.locator("#status", has_text="Black wins").wait_for()
