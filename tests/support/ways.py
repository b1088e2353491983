# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways to play on the page in a browser: by keys alone, by a finger alone, by the text field alone, by a mouse."""

import re
from typing import ClassVar


class Way:
    """How one player does all that a game asks; `context` is that of the browser."""

    context: ClassVar = {}

    def __init__(self, tab):
        self.tab = tab

    def move(self, uci):
        """Make a move on the board, and answer the question about it with yes."""
        self.point(uci[:2])
        self.point(uci[2:4])
        if uci[4:]:
            self.hit(self.tab.page.locator(f"#choice button[value={uci[4:]}]"))
        self.answer()

    def point(self, square):
        self.hit(self.tab.square(square))

    def answer(self, number=0):
        self.hit(self.tab.page.locator("#answers button").nth(number))

    def order(self, words):
        """Do what stands in the list of what can be done."""
        if not self.tab.page.locator("#menu").is_visible():
            self.hit(self.tab.page.locator("#menu-place summary"))
        self.hit(
            self.tab.page.locator("#menu").get_by_role("button", name=re.compile(f"^{words} ", re.IGNORECASE))
        )

    def hit(self, target):
        target.click()


class ByMouse(Way):
    pass


class ByFinger(Way):
    context: ClassVar = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def hit(self, target):
        target.tap()


class ByKeys(Way):
    """Tab, Enter and the letters of the board; no pointer, and no focus but by keys."""

    def point(self, square):
        self.tab_to("document.activeElement.closest('#board')")
        self.tab.press(f"Shift+Digit{'abcdefgh'.index(square[0]) + 1}", square[1], "Enter")
        assert self.tab.here in (square, None)  # None: the choice of a promotion has come

    def answer(self, number=0):
        self.tab.page.locator("#answers button").nth(number).wait_for()
        if self.tab.here and number == 0:
            self.tab.press("y")
        else:
            self.hit(self.tab.page.locator("#answers button").nth(number))

    def hit(self, target):
        handle = target.element_handle()
        self.tab_to("document.activeElement === wanted", handle)
        self.tab.press("Enter")

    def tab_to(self, expression, wanted=None):
        for _ in range(150):
            if self.tab.page.evaluate(f"wanted => Boolean({expression})", wanted):
                return
            self.tab.press("Tab")
        raise AssertionError(expression)


class ByText(Way):
    """The text field takes all."""

    def move(self, uci):
        self.type(uci)
        self.answer()

    def answer(self, number=0):
        self.tab.page.locator("#answers button").nth(number).wait_for()
        self.type(("yes", "no")[number])

    def order(self, words):
        self.type(words)

    def type(self, text):
        self.tab.page.fill("#typed", text)
        self.tab.page.press("#typed", "Enter")
