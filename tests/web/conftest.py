# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from support.axe import source
from support.chromium import PlayedPages, Tab, launched


@pytest.fixture(scope="module")
def chromium():
    with launched() as browser:
        yield browser


@pytest.fixture
def played():
    """Makes the pages of a game, by what was agreed for it."""
    made = []

    def make(language="en", **agreed):
        made.append(PlayedPages(language, **agreed))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def tab(chromium):
    """Opens a page of a game."""
    made = []

    def make(pages, role="both", **how):
        made.append(Tab(chromium, pages.link(role), **how))
        return made[-1].opened()

    yield make
    for one in made:
        one.close()


@pytest.fixture(scope="module")
def axe():
    """The source of axe-core."""
    return source()
