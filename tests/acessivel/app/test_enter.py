# SPDX-License-Identifier: GPL-3.0-or-later
"""What Enter and Escape say at a computer keyboard with nothing typed, and what an empty line of a script says."""

import pytest
from support.happening import played_ucis
from support.played_devices import Table

from acessivel.app.game import GameActivity
from acessivel.app.venue import AtComputer
from acessivel.devices.keyboard import EnterPressed, TypedLine
from acessivel.dialogue.questions import NOTHING, Sure
from acessivel.game.game import Setup
from acessivel.storage.journal import Journal
from braille import liblouis
from braille.displays import AltKey, NamedKey, Pressed
from voices.words.lexicon import vocabulary

try:
    liblouis.version()
except liblouis.LiblouisMissingError:
    pytest.skip("liblouis is not installed", allow_module_level=True)

LANGUAGES = ("pt", "en", "de", "es")
PLAYED = "1, White: Bauer Eva zwei Eva vier."


@pytest.fixture
def table(tmp_path, request):
    """A game between two people at the keyboard, with a display or (usually) without."""
    language, display = getattr(request, "param", ("en", False))
    journal, setup = Journal(tmp_path), Setup.of(language=language)
    stored = journal.begin(setup, "2026-01-01T00:00:00")
    made = Table(
        lambda loop: GameActivity(stored, journal, loop.devices, loop.report, AtComputer("resume {}".format)),
        language,
    )
    if not display:
        made.devices.panel = None
    yield made
    journal.close()


def moves(table):
    return played_ucis(table.activity.state)


@pytest.mark.parametrize(
    "table", [(language, shown) for language in LANGUAGES for shown in (False, True)], indirect=True
)
def test_enter_says_yes_to_a_move_and_escape_no(table):
    table.happen(TypedLine("e4"))
    table.happen(Pressed(NamedKey.ESCAPE))
    assert table.activity.state.asking == NOTHING
    assert moves(table) == []
    table.happen(TypedLine("e4"))
    table.happen(EnterPressed())
    assert moves(table) == ["e2e4"]


def test_enter_says_yes_to_what_is_asked_back(table):
    table.happen(TypedLine("stop"))
    table.happen(EnterPressed())
    assert table.activity.over


def test_enter_is_no_answer_where_a_word_is_asked_for(table):
    asked = table.happen(TypedLine("knight"))
    question = table.activity.state.asking
    assert table.happen(EnterPressed()) == asked
    assert table.activity.state.asking == question


def test_enter_with_nothing_asked_says_so_and_so_does_an_empty_line_of_a_script(table):
    for enter in (EnterPressed(), TypedLine("")):
        assert table.happen(enter) == ["Nothing has been asked. Announce a move, or say help."]
    table.happen(TypedLine("resign"))
    table.happen(EnterPressed())
    assert table.happen(EnterPressed())[0].startswith("Nothing has been asked, and the game is over.")


def test_enter_points_at_the_square_under_the_cursor_even_if_something_is_asked(table):
    table.happen(Pressed(NamedKey.CURSOR_UP))
    assert table.happen(EnterPressed())[-1] == "Bauer Eva zwei. Which square?"
    for _ in range(2):
        table.happen(Pressed(NamedKey.CURSOR_UP))
    assert table.happen(EnterPressed())[-1] == "Bauer Eva zwei Eva vier?"
    assert PLAYED in table.happen(EnterPressed())


def test_enter_and_escape_answer_what_was_asked_after_the_last_step_on_the_board(table):
    for answer, stops in ((Pressed(NamedKey.ESCAPE), False), (EnterPressed(), True)):
        table.happen(Pressed(NamedKey.CURSOR_UP))
        table.happen(Pressed(AltKey("x")))
        assert isinstance(table.activity.state.asking, Sure)
        table.happen(answer)
        assert (table.activity.state.asking, table.activity.over) == (NOTHING, stops)


def test_but_while_the_board_is_explored_after_the_question_enter_points_and_escape_asks_again(table):
    asked = table.happen(TypedLine("e4"))
    table.happen(Pressed(NamedKey.CURSOR_UP))
    assert table.happen(Pressed(NamedKey.ESCAPE)) == asked[-1:]
    table.happen(Pressed(NamedKey.CURSOR_UP))
    table.happen(EnterPressed())
    assert moves(table) == []


def test_enter_goes_on_with_what_was_begun_after_the_last_step_on_the_board(table):
    table.happen(Pressed(NamedKey.CURSOR_UP))
    told = table.happen(Pressed(NamedKey.F7))
    assert told[-1] == "There is more: say continue."
    assert "Which square?" not in table.happen(EnterPressed())[-1]
    table.happen(Pressed(NamedKey.F7))
    table.happen(Pressed(NamedKey.CURSOR_UP))
    assert table.happen(EnterPressed()) == ["Eva drei is empty, a dark square."]


def test_enter_goes_on_with_a_long_answer(table):
    told = table.happen(TypedLine("legal moves"))
    assert told[-1] == "There is more: say continue."
    assert table.happen(EnterPressed()) != told
    assert moves(table) == []


@pytest.mark.parametrize("table", [(language, False) for language in LANGUAGES], indirect=True)
def test_an_empty_line_of_a_script_is_no_yes(table):
    table.happen(TypedLine("e4"))
    question = table.activity.state.asking
    for _ in range(3):
        table.happen(TypedLine(""))
    assert table.activity.state.asking == question
    assert moves(table) == []


def test_enter_is_the_key_that_the_table_of_keys_says(table):
    keys = {**table.devices.bindings.keys, "send": (), "turn": ("enter",)}
    table.devices.bindings = type(table.devices.bindings)(keys)
    table.happen(TypedLine("e4"))
    assert table.happen(EnterPressed())[0] == "White to move, move 1."
    assert moves(table) == []
    table.happen(TypedLine(vocabulary("en").say("answer", "yes")))
    assert moves(table) == ["e2e4"]


@pytest.mark.parametrize("table", [(language, False) for language in LANGUAGES], indirect=True)
def test_a_letter_answers_an_open_question(table):
    letters = vocabulary(table.activity.state.setup.language).typed
    for line in ("e4", *letters["no"], "e4", letters["yes"][0]):
        assert moves(table) == []
        table.happen(TypedLine(line))
    assert moves(table) == ["e2e4"]
    table.happen(TypedLine("ok"))  # to nothing
    assert table.activity.state.asking == NOTHING
