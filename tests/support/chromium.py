# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Chromium at the real pages, behind which the core plays: Debian's, driven by Playwright."""

import contextlib
import itertools
import queue
import shutil

import pytest

from acessivel.dialogue import questions
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.web.driver import Pages, PageTyped
from acessivel.web.present import Present
from support.happening import all_told, happen

SECONDS = 30  # before a test gives up: other work may keep the processor
WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
# The shell has no windows of its own, which take more than all that is tested.
PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
# What a reader would be told: each text that the live regions get, and that they are cleared before, in order.
LISTEN = """
window.told = [];
addEventListener('DOMContentLoaded', () => {
  window.regions = [...document.querySelectorAll('[aria-live=polite], [aria-live=assertive]')];
  window.emptyAtFirst = regions.every((region) => region.textContent === '');
  for (const region of regions) new MutationObserver(() => told.push([region.id, region.textContent]))
    .observe(region, {childList: true, characterData: true, subtree: true});
});
"""


@contextlib.contextmanager
def launched():
    """Chromium, which ends with the block; where it is not there the test is skipped."""
    pytest.importorskip("playwright", reason="Playwright is not installed")
    from playwright.sync_api import sync_playwright

    if PROGRAM is None:
        pytest.skip("Chromium is not installed: system-packages.txt names it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM)
        yield browser
        browser.close()


class PlayedPages:
    """The pages of a game of two people, without the rest of the program: what they type goes to the core."""

    def __init__(self, language="en", convention="letters", **agreed):
        self.renderer = Renderer(language, convention)
        setup = Setup.of(language=language, convention=convention, **{"opponent": "human"} | agreed)
        self.state, self.lines, self.typed = State.new(setup), [], queue.SimpleQueue()
        self.pages = Pages(self._report, self.renderer, port=0)
        self.server = self.pages._server
        self.server.access._now = itertools.count().__next__  # tests give keys faster than people
        self.happen(ev.Started(at=0))

    def link(self, role):
        (link,) = self.pages.links([role])[role]
        return link

    def happen(self, event):
        """Let an event happen, and show and tell what comes of it; another time than the event's is set by it."""
        self.state, effects = happen(self.state, event)
        present = self.present
        self.pages.show(present)
        told = all_told(effects)
        self.pages.tell(told, present)

    def type(self, *lines, by=""):
        """What the players type at the keyboard, or one of them on a page."""
        for line in lines:
            self.happen(ev.Heard(words=(line,), at=self.state.now_ms, by=by))

    def say(self, text, *, urgent=False, role="both"):
        """Tell a page exactly this."""
        self.server.soon(self.server.hub.say, {role: {"text": text, "urgent": urgent}})

    @property
    def present(self):
        return Present("game", self.renderer, questions.question(self.state.asking), self.state)

    def came(self):
        """The next line that came from a page, which is awaited."""
        return self.typed.get(timeout=SECONDS)

    def close(self):
        self.pages.close()

    def _report(self, news):
        if isinstance(news, PageTyped):
            self.typed.put(news.text)
            self.type(news.text, by=news.role)
            if yes := self.pages.yes_to(news, self.present):
                self.type(yes, by=news.role)
            self.pages.dealt_with(news)


class Tab:
    """A page in a browser of its own, as who sits there sees and hears it."""

    def __init__(self, browser, link, *, settings=None, beside=None, **context):
        self.browser = browser
        self.context = beside or browser.new_context(**{"viewport": WIDE} | context)
        self.context.set_default_timeout(1000 * SECONDS)
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.add_init_script(LISTEN)
        if settings:
            self.page.add_init_script(f"localStorage.acessivel ??= '{settings}'")
        self.page.goto(link)

    def opened(self):
        """The page when it shows the game."""
        self.page.wait_for_selector("#game:not([hidden])")
        return self

    def beside(self, link):
        """Another tab of the same browser; it is closed with this one."""
        return Tab(self.browser, link, beside=self.context)

    def told(self, wanted):
        """Wait until a live region gets something with this part; returns which, and the whole text."""
        return self.until("told.find(([, text]) => text.includes(wanted))", wanted)

    def until(self, expression, wanted=None):
        """Wait until an expression of the page is true, and return its value."""
        # As a function: the page forbids that a string is made code in it.
        return self.page.wait_for_function(f"wanted => {expression}", arg=wanted).json_value()

    def forget(self):
        """What was told until now counts no more."""
        self.page.evaluate("told.length = 0")

    def square(self, name):
        return self.page.locator(f"[data-square={name}]")

    def shows(self, uci):
        """Wait until this is the last move on the page: a square alone may be where the one before has led."""
        for name in (uci[:2], uci[2:4]):
            self.page.wait_for_selector(f"[data-square={name}].is-last")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def here(self):
        """The square that has the focus."""
        return self.page.evaluate("document.activeElement.dataset.square")

    def close(self):
        self.context.close()
        assert not self.errors
