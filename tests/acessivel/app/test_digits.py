# SPDX-License-Identifier: GPL-3.0-or-later
"""Digits as the answer to a question for a part: typed in a line, on a display's keyboard, and in its dots."""

import pytest
from support.activities import game

from acessivel.devices.keyboard import TypedLine
from acessivel.dialogue.questions import NOTHING, Confirm
from braille.displays import Character, Dots, NamedKey, Pressed
from braille.notation import load_code

OPENINGS = ("h", "Hector", "e2", "Springer", "knight", "knight three", "Bauer", "takes")
ANSWERS = (
    "12",
    "45",
    "88",
    "00",
    "19",
    "one two",
    "twelve",
    "zwölf",
    "eins zwei",
    "1 2",
    "123",
    "99",
    "8",
    "12.",
)


def line(it, text):
    return it.happen(TypedLine(text))


def characters(it, text):
    for sign in text:
        it.happen(Pressed(Character(sign)))
    return it.happen(Pressed(NamedKey.ENTER))


def dots(it, text):
    for cell in load_code("en8").text(text):
        it.happen(Pressed(Dots(cell)))
    return it.happen(Pressed(NamedKey.ENTER))


def withdraw(it, typed):
    """Say no until nothing is asked any more."""
    for _ in range(30):
        if it.activity.state.asking == NOTHING:
            return
        typed(it, "no")
    pytest.fail(repr(it.activity.state.asking))


@pytest.mark.parametrize("typed", [line, characters, dots])
@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.sweep
def test_digits_that_are_no_rank_leave_the_question_open(table, monkeypatch, typed, opening):
    it = table(game)
    monkeypatch.setattr(it.loop, "_stumble", lambda error: pytest.fail(repr(error)))
    for answer in ANSWERS:
        withdraw(it, typed)
        typed(it, opening)
        assert typed(it, answer), answer  # something is said
        assert it.activity.state.game.played == ()
    withdraw(it, typed)
    typed(it, "e")
    typed(it, "4")
    assert isinstance(it.activity.state.asking, Confirm)
