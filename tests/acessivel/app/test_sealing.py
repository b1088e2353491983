# SPDX-License-Identifier: GPL-3.0-or-later
"""From a display alone a move that is being sealed is given up, at each of its questions."""

import pytest
from support.played_devices import Table

from acessivel.app.game import GameActivity
from acessivel.devices.keyboard import EnterPressed, TypedLine
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.storage.journal import Journal
from braille import liblouis
from braille.displays import Character, NamedKey, Pressed

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

pytest.importorskip("cryptography", reason="without it no move is sealed")


@pytest.mark.parametrize("key", [Pressed(NamedKey.ENTER), Pressed(NamedKey.ESCAPE), EnterPressed()])
@pytest.mark.parametrize("typed", [(), ("g1f3",), ("g1f3", "g1f3"), ("g1f3", "g1f3", "2030-01-02 15:00")])
def test_enter_or_escape_alone_goes_back_to_the_game(tmp_path, typed, key):
    journal = Journal(tmp_path)
    stored = journal.begin(Setup.of(language="en", opponent="human"), "2026-01-01T00:00:00")
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))
    for line in ("adjourn", "yes", *typed):
        table.happen(TypedLine(line))
    assert not table.activity.listens
    assert table.happen(key) == ["Nothing is sealed; the game goes on."]
    assert table.activity.listens
    assert table.happen(TypedLine("e4")) == ["Bauer Eva zwei Eva vier?"]


def test_who_gives_up_sealing_is_asked_what_was_open_before(tmp_path):
    journal = Journal(tmp_path)
    stored = journal.begin(Setup.of(language="en", opponent="human"), "2026-01-01T00:00:00")
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))
    for line in ("e4", "adjourn", "yes"):
        table.happen(TypedLine(line))
    given_up = table.happen(EnterPressed())
    assert given_up == ["Nothing is sealed; the game goes on.", "Bauer Eva zwei Eva vier?"]


def test_what_is_typed_unseen_is_a_full_cell_for_each_sign_on_the_display(tmp_path):
    journal = Journal(tmp_path)
    stored = journal.begin(Setup.of(language="en", opponent="human"), "2026-01-01T00:00:00")
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))
    # What was typed before the question for it is dropped, there and at its end.
    table.happen(Pressed(Character("x")))
    for line in ("adjourn", "yes"):
        table.happen(TypedLine(line))
    for sign in "g1":
        table.happen(Pressed(Character(sign)))
    assert table.display.cells[:3] == (0xFF, 0xFF, 0)
    for sign in "f3":
        table.happen(Pressed(Character(sign)))
    assert table.happen(Pressed(NamedKey.ENTER)) == [
        "Type the same move again. It is not shown this time either."
    ]
    table.happen(Pressed(Character("g")))
    table.happen(TypedLine("g1f3"))
    assert not table.devices.panel.typing
    table.happen(Pressed(Character("2")))
    assert table.display.cells[:2] == (*table.devices.panel._content.code.text("2"), 0)


def test_the_keys_are_told_whole_while_a_move_is_sealed(tmp_path):
    """A line that asks for more of them would be sealed."""
    journal = Journal(tmp_path)
    stored = journal.begin(Setup.of(language="en", opponent="human"), "2026-01-01T00:00:00")
    table = Table(lambda loop: GameActivity(stored, journal, loop.devices, loop.report))
    for line in ("adjourn", "yes"):
        table.happen(TypedLine(line))
    text = Renderer("en").text
    told = [text(message) for _, message in table.devices.bindings.lines()]
    assert table.happen(Pressed(NamedKey.TAB))[1:] == told
    for key in (NamedKey.ESCAPE, NamedKey.ESCAPE):  # leaves the list, and then the conversation
        table.happen(Pressed(key))
    assert table.happen(Pressed(NamedKey.TAB))[-1] == text(Message.of("more_follows"))
