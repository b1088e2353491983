# SPDX-License-Identifier: GPL-3.0-or-later
import itertools
import queue

import pytest
from support.browser import SECONDS, Browser

from acessivel.messages.rendering import Renderer
from acessivel.web.driver import Pages


class Served:
    """The pages alone, with what they report, and browsers that are closed at the end."""

    def __init__(self):
        self.reports = queue.SimpleQueue()
        self.pages = Pages(self.reports.put, Renderer("en"), port=0)
        self.browsers = []
        self.pages._server.access._now = itertools.count().__next__  # tests give keys faster than people

    def browser(self, role, *, enters=True):
        (link,) = self.pages.links([role])[role]
        browser = Browser(link)
        self.browsers.append(browser)
        if enters:
            assert browser.enter() == 204
        return browser

    def reported(self):
        """The next report, which is awaited."""
        return self.reports.get(timeout=SECONDS)

    def close(self):
        for browser in self.browsers:
            browser.close()
        self.pages.close()


@pytest.fixture(scope="module")
def shared():
    """One server for all tests of a module that leave it as it was."""
    one = Served()
    yield one
    one.close()


@pytest.fixture
def served():
    one = Served()
    yield one
    one.close()
