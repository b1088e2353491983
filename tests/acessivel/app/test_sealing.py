# SPDX-License-Identifier: GPL-3.0-or-later
"""From a display alone a move that is being sealed is given up, at each of its questions."""

import pytest
from support.envelopes import cheap
from support.played_devices import Table

from acessivel.app.activity import DeviceChanged
from acessivel.app.game import GameActivity
from acessivel.devices.braille_content import Chosen
from acessivel.devices.keyboard import EnterPressed, KeyboardEnded, TypedLine
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError
from braille import liblouis, patterns
from braille.displays import AltKey, Character, NamedKey, Pressed, RoutingKey
from braille.notation import display_code

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


class Adjourning(Table):
    """A game on a display of its player's own, by its routing keys."""

    def __init__(self, journal, stored, columns=80):
        super().__init__(
            lambda loop: GameActivity(stored, journal, loop.devices, loop.report), size=(1, columns)
        )
        self.devices.display_is_private = True

    @property
    def marks(self):
        return self.devices.panel._layout._shown().marks

    def shown(self, text):
        return patterns.pattern(self.display.cells).find(patterns.pattern(display_code("en").text(text)))

    def choose(self, words):
        """Press the routing key over one of the answers, which line down goes to."""
        self.happen(Pressed(NamedKey.DOWN))
        return self.press(words)

    def listed(self):
        """All that the list offers before the keys and what can be said, and then the game again."""
        corner = Pressed(RoutingKey(self.display.size.columns - 1))
        self.happen(corner)
        first = list(dict.fromkeys(mark.action for mark in self.marks if isinstance(mark, Chosen)))
        self.happen(corner)
        return first


def adjourning(tmp_path, *typed, **setup):
    journal = Journal(tmp_path)
    agreed = Setup.of(language="en", opponent="human", white="Ana", black="Bruno", **setup)
    table = Adjourning(journal, journal.begin(agreed, "2026-01-01T00:00:00"))
    for line in ("adjourn", "yes", *typed):
        table.happen(TypedLine(line))
    return journal, table


def test_routing_keys_answer_whether_to_seal_what_was_written_and_lead_back_to_the_game(tmp_path):
    _, table = adjourning(tmp_path, "e4")
    assert table.shown("Seal exactly") == 0
    assert table.listed() == ["answer_yes", "cancel", "give_up", "clock", "repeat", "list"]
    table.choose("No")
    assert table.shown("Type the move") == 0
    table.happen(TypedLine("e4"))
    table.happen(Pressed(RoutingKey(0)))  # over the question
    assert table.shown("When does the game") == 0
    # A yes of the game beneath would be taken for what is asked.
    assert table.listed() == ["give_up", "clock", "repeat", "list"]
    assert table.choose("Back") == ["Nothing is sealed; the game goes on."]
    assert table.activity.listens


@pytest.mark.parametrize("words", ["Leave", ""])
def test_routing_keys_answer_who_is_present_and_leave_the_game_adjourned(tmp_path, monkeypatch, words):
    cheap(monkeypatch)
    journal, table = adjourning(
        tmp_path, "e4", "yes", "2099-11-22 15:00", "Lisbon", *["a long passphrase"] * 2
    )
    again = Adjourning(journal, journal.load(table.activity.number))
    assert again.shown("Is Bruno") == 0
    assert again.listed() == ["answer_yes", "cancel", "give_up", "clock", "repeat", "list"]
    again.happen(Pressed(RoutingKey(0)))
    assert again.shown("Is Ana") == 0
    again.choose(words) if words else again.happen(Pressed(AltKey("x")))
    assert again.activity.over


def test_the_clocks_and_the_question_are_told_again_while_a_move_is_sealed(tmp_path):
    _, table = adjourning(tmp_path, "30", "e4", clock="60")
    for key, shown in (NamedKey.F5, "White has"), (NamedKey.F2, "Seal exactly"):
        assert table.happen(Pressed(key)) == []  # what was written is for the player alone
        assert table.shown(shown) == 0
        assert table.shown("Seal exactly") >= 0


@pytest.mark.parametrize("key", [NamedKey.F6, NamedKey.CURSOR_LEFT, AltKey("q")])
def test_a_key_that_does_nothing_while_a_move_is_sealed_says_so(tmp_path, key):
    _, table = adjourning(tmp_path)
    table.happen(Pressed(key))
    assert table.shown("This key does nothing here.") == 0


def test_a_square_does_nothing_while_a_move_is_sealed_and_says_so(tmp_path):
    _, table = adjourning(tmp_path)
    for _ in range(2):
        table.happen(Pressed(NamedKey.DOWN))
    squares = [mark for mark in table.marks if isinstance(mark, str)]
    table.happen(Pressed(RoutingKey(table.marks.index(squares[0]))))
    assert table.shown("This key does nothing here.") == 0


def test_a_conversation_on_a_page_is_not_answered_by_a_display(tmp_path):
    _, table = adjourning(tmp_path, "e4")
    table.activity._talk.to = "white"
    assert "answer_yes" not in table.activity.view(()).answers.values()
    assert table.listed()[0] == "answer_yes"  # what is shown stays until something is told
    assert table.choose("Yes") == ["A move is being sealed elsewhere: wait until that is done."]
    assert table.listed() == ["give_up", "list"]  # what it can do


def test_the_squares_that_the_game_asked_for_are_no_answers_while_a_move_is_sealed(tmp_path):
    journal = Journal(tmp_path)
    table = Adjourning(
        journal, journal.begin(Setup.of(language="en", opponent="human"), "2026-01-01T00:00:00")
    )
    table.happen(TypedLine("knight"))
    assert "f3" in table.marks
    for line in ("adjourn", "yes", "e4"):
        table.happen(TypedLine(line))
    assert table.shown("Seal exactly") == 0
    assert "f3" not in table.marks


def test_an_envelope_whose_adjournment_cannot_be_kept_is_told_also_where_the_disk_was_full_before(
    tmp_path, monkeypatch
):
    cheap(monkeypatch)
    journal, table = adjourning(tmp_path, "e4", "yes", "2030-01-02 15:00", "Rio", "secret words of mine")

    def full(*_):
        raise JournalError(Message.of("reason_full"))

    monkeypatch.setattr(journal, "append", full)
    table.happen(DeviceChanged("braille_lost"))
    told = table.happen(TypedLine("secret words of mine"))
    (envelope,) = tmp_path.rglob("envelope*.json")
    assert Renderer("en").text(Message.of("adjourned_not_kept", file=str(envelope))) in told


def by_voice_alone(table):
    """Nothing can be typed any more; returns what is said about it."""
    table.devices.inputs = {"keyboard", "microphone"}
    return table.happen(KeyboardEnded())


UNTYPED = "Nothing can be typed here: nothing is sealed, and the game goes on."


@pytest.mark.parametrize("typed", [(), ("e4",), ("e4", "yes", "2030-01-02 15:00")])
def test_a_keyboard_that_ends_lets_the_game_be_heard_again_in_place_of_sealing(tmp_path, typed):
    journal, table = adjourning(tmp_path, *typed, clock="60")
    assert by_voice_alone(table) == [UNTYPED]
    assert not table.loop._ended
    table.spoken()
    assert table.heard("eva vier") == ["Bauer Eva zwei Eva vier?"]
    assert not journal.load(table.activity.number).state.adjournment.written


def test_a_display_or_a_page_that_is_left_goes_on_with_sealing_where_a_keyboard_ends(tmp_path):
    _, table = adjourning(tmp_path, "e4")
    assert table.happen(KeyboardEnded()) == []
    assert table.choose("Yes") == [
        "When does the game resume? Type the date and the time, such as 2030-11-22 15:00."
    ]
    _, table = adjourning(tmp_path, "e4")
    table.activity._talk.to = "white"
    assert by_voice_alone(table) == []
    assert not table.activity.listens


def test_nothing_is_asked_about_a_sealed_move_where_nothing_can_be_typed(tmp_path):
    journal = Journal(tmp_path)
    agreed = Setup.of(language="en", opponent="human")
    table = Adjourning(journal, journal.begin(agreed, "2026-01-01T00:00:00"))
    by_voice_alone(table)
    for words in ("adjourn", "that's right"):
        table.spoken()
        told = table.heard(words)
    assert told == [UNTYPED]
    assert table.activity.listens


@pytest.mark.parametrize("inputs", [{"keyboard", "microphone"}, {"keyboard", "microphone", "page"}])
def test_a_keyboard_that_ends_leaves_a_game_adjourned_unless_a_page_can_open_its_envelope(
    tmp_path, monkeypatch, inputs
):
    cheap(monkeypatch)
    journal, table = adjourning(
        tmp_path, "e4", "yes", "2099-11-22 15:00", "Lisbon", *["a long passphrase"] * 2
    )
    again = Adjourning(journal, journal.load(table.activity.number))
    again.happen(TypedLine("clock"))
    assert again.activity._talk.to == ""
    again.devices.inputs = set(inputs)
    told = again.happen(KeyboardEnded())
    assert again.activity.over == ("page" not in inputs)
    if not again.activity.over:
        assert told[0].startswith("Is Bruno")
        assert again.activity._talk.to is None
