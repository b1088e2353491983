# SPDX-License-Identifier: GPL-3.0-or-later
"""The program from its command line to real browsers: two people, the engine, a kill in mid-game, and resuming."""

import contextlib

import pytest
from support.chromium import Tab
from support.program import QUIET, Running
from support.ways import ByKeys, ByMouse, ByText

from acessivel.devices.engine import find_engine

IN_ENGLISH = ("--language", "en", "--convention", "letters")


class Program:
    """The program in play with its links, and browsers that are closed with it."""

    def __init__(self, home, chromium, *arguments):
        self.running = Running(home, *arguments, "--web", *QUIET)
        self._chromium, self._tabs = chromium, []

    def player(self, role, way):
        """Who plays this way on the page of a role, by its link in the program's lines."""
        name = role.capitalize() + ": http://"
        line = next((line for line in self.running.lines if name in line), None) or self.running.wait_for(
            name
        )
        self._tabs.append(Tab(self._chromium, line.partition(": ")[2], **way.context))
        return way(self._tabs[-1].opened())

    def close(self):
        for tab in self._tabs:
            with contextlib.suppress(AssertionError):
                tab.close()
        self.running.__exit__()


@pytest.fixture
def begin(tmp_path, chromium):
    begun = []

    def begins(*arguments):
        begun.append(Program(tmp_path, chromium, *arguments))
        return begun[-1]

    yield begins
    for program in begun:
        program.close()


def seen(square, *players):
    """Wait until the last move that a page shows has led to this square."""
    for player in players:
        player.tab.square(square).and_(player.tab.page.locator(".is-last")).wait_for()


def test_two_browsers_and_the_keyboard_play_a_game_that_survives_a_kill(begin):
    program = begin("play", "--opponent", "human", "--clock", "90+30", *IN_ENGLISH)
    white, black = program.player("white", ByMouse), program.player("black", ByKeys)
    for mover, uci in ((white, "e2e4"), (black, "e7e5"), (white, "g1f3"), (black, "b8c6"), (white, "f1c4")):
        mover.move(uci)
        seen(uci[2:], white, black)
    program.running.wait_for("3, White: bishop")  # the terminal tells the same
    program.running.type("Bc5")
    program.running.type("yes")
    seen("c5", white, black)
    assert "c5" in black.tab.told("c5")[1]
    white.point("e1")  # in mid-move
    program.running.kill()
    assert white.tab.told("The connection is lost")[0] == "assertive"

    resumed = begin("resume")
    white, black = resumed.player("white", ByText), resumed.player("black", ByMouse)
    seen("c5", white, black)
    white.move("e1g1")
    seen("g1", white, black)
    assert white.tab.square("f1").inner_text().startswith("f1, white rook")
    black.order("resign")
    black.answer()
    white.tab.page.locator("#status", has_text="White wins").wait_for()


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
