# SPDX-License-Identifier: GPL-3.0-or-later
"""The driver of BRLTTY against the real BRLTTY with its virtual display."""

import queue
import signal
import sys
import threading

import pytest
from support.brltty import LOOPBACK, VirtualBrltty, dots_to_cell, free_port, needs_brltty

from braille.displays import (
    AltKey,
    Attached,
    Character,
    Detached,
    DisplayMissingError,
    Dots,
    NamedKey,
    OtherKey,
    Pressed,
    RoutingKey,
)
from braille.displays.brlapi import BrlapiDisplay, _key, probe
from braille.window import Size

NOBODY = f"{LOOPBACK}:{free_port() - 4101}"


class Driver:
    """A display under test and what it says."""

    def __init__(self, brltty):
        self.events = queue.SimpleQueue()
        self.display = BrlapiDisplay(self.events.put, brltty.host, "none")

    def next_event(self, timeout=10):
        return self.events.get(timeout=timeout)


@pytest.fixture(scope="module")
def brltty():
    with VirtualBrltty() as hardware:
        yield hardware


@pytest.fixture
def driver(brltty):
    made = Driver(brltty)
    yield made
    made.display.close()
    assert not made.display._thread.is_alive()


def repeated(cell, count=40):
    return (cell,) * count


@needs_brltty
class TestWithBrltty:
    def test_it_shows_the_cells_as_they_are(self, brltty, driver):
        assert driver.display.size == Size(1, 40)
        assert driver.display.name == "brlapi"
        every = tuple(range(256))
        for start in (0, 40, 80, 120, 160, 200, 216):
            driver.display.show(every[start : start + 40])
            brltty.wait_for(every[start : start + 40])

    def test_too_few_cells_are_filled_and_too_many_cut(self, brltty, driver):
        driver.display.show((1, 2, 3))
        brltty.wait_for((1, 2, 3, *repeated(0, 37)))
        driver.display.show(range(1, 81))
        brltty.wait_for(range(1, 41))

    def test_cells_that_are_shown_already_are_not_sent_again(self, driver, monkeypatch):
        """Some displays need two seconds to refresh."""
        written = []
        monkeypatch.setattr(driver.display, "_write", lambda: written.append(driver.display._cells))
        for cell in (5, 5, 6, 6, 6, 5):
            driver.display.show(repeated(cell))
        assert written == [repeated(5), repeated(6), repeated(5)]

    @pytest.mark.parametrize(
        ("pressed", "key"),
        [
            ("FWINLT", NamedKey.LEFT),
            ("FWINRT", NamedKey.RIGHT),
            ("LNUP", NamedKey.UP),
            ("LNDN", NamedKey.DOWN),
            ("HOME", NamedKey.HOME),
            ("KEY_ENTER", NamedKey.ENTER),
            ("KEY_ESCAPE", NamedKey.ESCAPE),
            ("KEY_BACKSPACE", NamedKey.BACKSPACE),
            ("KEY_CURSOR_LEFT", NamedKey.CURSOR_LEFT),
            ("KEY_CURSOR_RIGHT", NamedKey.CURSOR_RIGHT),
            ("KEY_CURSOR_UP", NamedKey.CURSOR_UP),
            ("KEY_CURSOR_DOWN", NamedKey.CURSOR_DOWN),
            ("ROUTE 1", RoutingKey(1)),
            ("ROUTE 39", RoutingKey(39)),
            ("PASSCHAR 67", Character("C")),
            ("PASSCHAR 233", Character("é")),
            ("PASSDOTS 73", Dots(73)),
            ("KEY_TAB", NamedKey.TAB),
            ("KEY_FUNCTION 1", NamedKey.F2),
            ("KEY_PAGE_DOWN", NamedKey.PAGE_DOWN),
            ("KEY_DELETE", NamedKey.DELETE),
            ("CHRRT", OtherKey("chrrt")),
            ("NXPROMPT", OtherKey("nxprompt")),
            ("GOTOMARK 1", OtherKey("gotomark")),
        ],
    )
    def test_keys(self, brltty, driver, pressed, key):
        brltty.press(pressed)
        assert driver.next_event() == Pressed(key)

    def test_keys_without_a_meaning_are_passed_over(self, brltty, driver):
        for pressed in ("KEY_FUNCTION 20", "FWINRT"):
            brltty.press(pressed)
        assert driver.next_event() == Pressed(NamedKey.RIGHT)

    def test_many_keys_in_their_order(self, brltty, driver):
        for cell in range(1, 11):
            brltty.press(f"ROUTE {cell}")
        assert [driver.next_event() for _ in range(10)] == [
            Pressed(RoutingKey(cell)) for cell in range(1, 11)
        ]

    def test_another_size_is_news(self, brltty, driver):
        driver.display.show(repeated(7))
        brltty.wait_for(repeated(7))
        brltty.resize(20, 4)
        assert driver.next_event() == Attached(Size(4, 20))
        assert driver.display.size == Size(4, 20)
        driver.display.show(range(80))
        brltty.wait_for(range(80))
        brltty.resize(40)
        assert driver.next_event() == Attached(Size(1, 40))

    def test_the_display_unplugged_and_plugged_again(self, brltty, driver):
        driver.display.show(repeated(9))
        brltty.wait_for(repeated(9))
        brltty.unplug()
        assert driver.next_event() == Detached("BRLTTY has no display")
        driver.display.show(repeated(10))
        brltty.plug()
        brltty.wait_for(repeated(10))
        assert driver.next_event() == Attached(Size(1, 40))

    def test_brltty_killed_and_started_again(self, brltty, driver):
        driver.display.show(repeated(11))
        brltty.wait_for(repeated(11))
        brltty.kill()
        assert driver.next_event() == Detached("BRLTTY has gone")
        driver.display.show(repeated(12))
        brltty.start()
        brltty.wait_for(repeated(12))
        assert driver.next_event() == Attached(Size(1, 40))
        brltty.press("FWINRT")
        assert driver.next_event() == Pressed(NamedKey.RIGHT)

    def test_a_stopped_brltty_shows_the_last_when_it_goes_on(self, brltty, driver):
        brltty.kill(signal.SIGSTOP)
        try:
            for cell in range(100):
                driver.display.show(repeated(cell))
            driver.display.show(repeated(177))
        finally:
            brltty.kill(signal.SIGCONT)
        brltty.wait_for(repeated(177))
        brltty.press("LNUP")
        assert driver.next_event() == Pressed(NamedKey.UP)

    def test_a_stopped_brltty_holds_nobody_up(self, brltty, driver):
        brltty.kill(signal.SIGSTOP)
        for number in range(20_000):  # more than its socket takes
            driver.display.show(repeated(number % 100))
        with pytest.raises(DisplayMissingError, match="in time"):
            probe(brltty.host, "none", timeout_s=0.2)
        driver.display.show(repeated(178))
        brltty.restart()
        brltty.wait_for(repeated(178))
        assert driver.next_event() == Detached("BRLTTY has gone")
        assert driver.next_event() == Attached(Size(1, 40))

    def test_writing_while_the_thread_asks_and_reads(self, brltty, driver):
        for number in range(1, 1001):
            driver.display.show(repeated(number % 255 + 1))
            if number % 250 == 0:
                brltty.press("ROUTE 7")
                assert driver.next_event() == Pressed(RoutingKey(7))
        brltty.wait_for(repeated(1000 % 255 + 1))

    def test_a_closed_display_is_given_back(self, brltty):
        first = Driver(brltty)
        first.display.show(repeated(5))
        brltty.wait_for(repeated(5))
        first.display.close()
        first.display.show(repeated(6))
        first.display.close()
        second = Driver(brltty)
        second.display.show(repeated(8))
        brltty.wait_for(repeated(8))
        second.display.close()
        assert first.events.empty()

    def test_probe_finds_the_size(self, brltty):
        assert probe(brltty.host, "none") == Size(1, 40)

    def test_the_environment_says_where_brltty_is(self, brltty, monkeypatch):
        for name, value in brltty.env.items():
            monkeypatch.setenv(name, value)
        assert probe() == Size(1, 40)

    def test_without_brltty_it_is_missing_at_once(self):
        for attempt in (lambda: probe(NOBODY, "none"), lambda: BrlapiDisplay(lambda _: None, NOBODY, "none")):
            with pytest.raises(DisplayMissingError, match="does not answer"):
                attempt()
        assert "braille" not in [thread.name for thread in threading.enumerate()]

    @pytest.mark.parametrize(
        ("code", "key"),
        [
            (0x20010000, RoutingKey(0)),  # the virtual display cannot press its first routing key
            (0x2000_0019, NamedKey.LEFT),
            (0x1000_0000 >> 4 | 0x20AC, Character("€")),
            (0x41, Character("A")),
            (0xFFBE, NamedKey.F1),
            (0x07, None),
            (0x2023_0000, None),
            (0x2027_0000, None),  # a finger that reads
            (0x2002_0004, OtherKey("clip_new")),
            (0x2009_0004, OtherKey("descchar")),
            (0x2018_0004, OtherKey("route_line")),
        ],
    )
    def test_key_codes(self, code, key):
        assert _key(pytest.importorskip("brlapi"), code) == key


@pytest.mark.parametrize(
    ("dots", "key"),
    [
        ("", Dots(0)),
        ("14", AltKey("c")),
        ("147", AltKey("C")),
        ("25", AltKey("3")),
        ("356", AltKey("0")),
        ("123456", OtherKey("passdots")),
    ],
)
def test_with_the_space_bar_dots_are_a_chord_and_never_typed(dots, key):
    # The virtual display cannot press it: it is the ninth bit of what BrlAPI says.
    brlapi = pytest.importorskip("brlapi")
    code = brlapi.KEY_TYPE_CMD | brlapi.KEY_CMD_PASSDOTS | 0x100 | dots_to_cell(dots)
    assert _key(brlapi, code) == key


def test_without_the_binding_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "brlapi", None)
    with pytest.raises(DisplayMissingError, match="not installed"):
        probe(NOBODY, "none")
