# SPDX-License-Identifier: GPL-3.0-or-later
"""The displays that need no hardware."""

from braille.displays import Display
from braille.displays.none import NoDisplay
from braille.displays.terminal import TerminalDisplay
from braille.window import Size


def test_the_terminal_has_a_line_for_each_row_without_blanks_at_its_end():
    written = []
    display: Display = TerminalDisplay(written.append, Size(3, 4))
    display.show((9, 0, 1, 0, 0, 0, 0, 0, 255, 0, 0, 0))
    assert written == ["⠉⠀⠁", "⣿"]


def test_the_terminal_writes_only_what_is_new():
    written = []
    display = TerminalDisplay(written.append, Size(1, 3))
    display.show((1, 2, 3))
    display.show([1, 2, 3])
    display.show((1, 2, 0))
    display.close()
    assert written == ["⠁⠂⠃", "⠁⠂"]


def test_no_display_remembers():
    display: Display = NoDisplay(Size(1, 4))
    assert display.cells == ()
    display.show([1, 2, 3, 4])
    display.close()
    assert display.cells == (1, 2, 3, 4)
    assert NoDisplay().size == Size(1, 40)
