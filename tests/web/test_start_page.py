# SPDX-License-Identifier: GPL-3.0-or-later
"""A newcomer with nothing but a browser: from the first page by finger at 320 px to a finished game and its record."""

import pytest
from support.axe import found
from support.chromium import NARROW, Tab
from support.program import QUIET, Running

SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"
# 320 px is also what is left of a wide page at 400 %.
LOOKS = (
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "active"},
    {"color_scheme": "light", "forced_colors": "none"},
)
IN_ENGLISH = ("--language", "en", "--convention", "letters")


class Newcomer:
    """Who chooses by finger what the page offers."""

    def __init__(self, chromium, link):
        self.tab = Tab(chromium, link, viewport=NARROW, has_touch=True, is_mobile=True)
        self.page = self.tab.opened().page

    def answer(self, text):
        return self.page.locator("#answers button", has_text=text).first

    def choose(self, *texts):
        for text in texts:
            self.answer(text).tap()

    def move(self, uci):
        self.tab.square(uci[:2]).tap()
        self.tab.square(uci[2:]).tap()
        self.choose("Yes")
        self.tab.shows(uci)

    def type(self, text):
        self.page.fill("#typed", text)
        self.page.locator("#entry button").tap()


@pytest.fixture
def newcomer(tmp_path, chromium):
    with Running(tmp_path, "web", *QUIET, *IN_ENGLISH) as program:
        one = Newcomer(chromium, program.wait_for("Both sides: ").partition(": ")[2])
        one.program = program
        yield one
        one.tab.close()


def test_from_nothing_to_a_finished_game_and_its_record(newcomer, axe):
    page = newcomer.page

    def fits():
        assert not page.evaluate(SIDEWAYS)
        for look in LOOKS:
            page.emulate_media(**look)
            assert not found(page, axe), look

    newcomer.answer("a new game between two persons").wait_for()
    fits()
    assert not page.locator("#board-place").is_visible()
    newcomer.choose("settings", "clock", "5+3")
    newcomer.answer("clock: 5+3").wait_for()
    fits()
    newcomer.choose("back", "a new game between two persons")
    page.wait_for_selector("[data-square=e1] .piece.white")
    page.locator("#menu-place summary").tap()
    page.locator("#menu button", has_text="code for a phone: Black").tap()
    page.wait_for_selector("#link-code path[d^=M]")
    fits()
    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        newcomer.move(uci)
    page.locator("#status", has_text="checkmate").wait_for()
    with page.expect_download() as download:
        page.locator("#records a", has_text="PGN").tap()
    assert "2... Qh4# " in download.value.path().read_text()
    newcomer.type("stop")
    newcomer.choose("Yes", "records to download", "Black wins")
    for each in ("PGN", "BRF", "PEF"):
        with page.expect_download() as download:
            page.locator("#records a", has_text=each).tap()
        assert download.value.path().stat().st_size > 100
    fits()
    newcomer.choose("back", "step through a game", "Black wins")
    page.wait_for_selector("[data-square=e1] .piece.white")
    fits()
    for _ in range(4):
        newcomer.type("forward")
    page.wait_for_selector("[data-square=h4] .piece.black")
    newcomer.type("stop")
    newcomer.choose("Yes", "leave the program")
    assert newcomer.tab.told("The program has been left.")
    newcomer.program.process.wait(timeout=30)


def test_by_what_a_screen_reader_gets_alone(newcomer):
    """Only names and roles of the accessibility tree, and the keyboard."""
    page = newcomer.page

    def press(name):
        page.get_by_role("button", name=name, exact=True).press("Enter")

    assert page.get_by_role("heading", level=1).inner_text() == "Acessível"
    press("2, a new game between two persons")
    board = page.get_by_role("grid", name="Board")
    for start, end in (
        ("f2, white pawn", "f3"),
        ("e7, black pawn", "e5"),
        ("g2, white pawn", "g4"),
        ("d8, black queen", "h4"),
    ):
        board.get_by_role("gridcell", name=start, exact=True).press("Enter")
        board.get_by_role("gridcell", name=f"{end}, empty").press("Enter")
        page.get_by_role("region", name="Question").get_by_role("button", name="Yes").press("Enter")
        board.get_by_role("gridcell", name=f"{end}, {start.partition(', ')[2]}").wait_for()
    assert newcomer.tab.told("checkmate")
    board.get_by_role("gridcell", name="e1, white king, in check").wait_for()
    assert page.get_by_role("link", name="PGN").get_attribute("href").endswith(".pgn")
