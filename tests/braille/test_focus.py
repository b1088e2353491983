# SPDX-License-Identifier: GPL-3.0-or-later
"""The display is shared with a screen reader by BrlAPI's focus: lent to us at our terminal, and given back."""

import queue

import pytest
from support.brltty import VirtualBrltty, needs_brltty

from braille.displays import NamedKey, Pressed
from braille.displays.brlapi import BrlapiDisplay

pytestmark = needs_brltty
OURS, READERS = (1,) * 40, (2,) * 40


class Reader:
    """A screen reader: another client of BrlAPI, on the same console."""

    def __init__(self, brltty):
        brlapi = pytest.importorskip("brlapi")
        self.connection = brlapi.Connection(host=brltty.host.encode(), auth=b"none")
        self.connection.enterTtyModeWithPath([1])
        self.connection.writeDots(bytes(READERS))

    def key(self):
        """The next key, as BrlAPI tells it."""
        return self.connection.readKey()

    def close(self):
        self.connection.leaveTtyMode()
        self.connection.closeConnection()


def brltty_command(name):
    brlapi = pytest.importorskip("brlapi")
    return brlapi.KEY_TYPE_CMD | getattr(brlapi, f"KEY_CMD_{name}")


@pytest.fixture
def brltty(monkeypatch):
    monkeypatch.delenv("XDG_VTNR", raising=False)
    with VirtualBrltty() as hardware:
        yield hardware


@pytest.fixture
def driver(brltty):
    events = queue.SimpleQueue()
    made = []

    def take():
        made.append(BrlapiDisplay(events.put, brltty.host, "none"))
        made[-1].show(OURS)
        return made[-1], events

    yield take
    for display in made:
        display.close()


def test_a_reader_s_display_is_taken_while_we_play_and_given_back(brltty, driver):
    reader = Reader(brltty)
    brltty.wait_for(READERS)
    display, _ = driver()
    brltty.wait_for(OURS)
    display.close()
    brltty.press("LNDN")  # brltty shows the next owner when something happens
    brltty.wait_for(READERS)
    reader.close()


def test_a_reader_that_comes_later_has_display_and_keys_until_it_leaves(brltty, driver):
    display, events = driver()
    brltty.wait_for(OURS)
    reader = Reader(brltty)
    brltty.wait_for(READERS)
    display.show((3,) * 40)
    brltty.press("FWINRT")
    assert reader.key() == brltty_command("FWINRT")
    assert brltty.cells == READERS
    reader.close()
    brltty.press("LNDN")
    brltty.wait_for((3,) * 40)
    brltty.press("LNDN")
    assert events.get(timeout=10) == Pressed(NamedKey.DOWN)
    while not events.empty():
        assert events.get() == Pressed(NamedKey.DOWN)
