# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/architecture.md says what the code does."""

import importlib.util
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.positions import positions

from acessivel.dialogue import confirmation
from acessivel.dialogue.answer_table import answered
from acessivel.dialogue.disambiguation import difference
from acessivel.dialogue.questions import NOTHING, Confirm, Difference, answers
from voices.meaning import MovePattern, Place, Reading

SCRIPT = Path(__file__).parents[1] / "scripts" / "architecture.py"
_spec = importlib.util.spec_from_file_location("architecture", SCRIPT)
architecture = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(architecture)


@cache
def loop():
    """What is asked and what is said -> what it can lead to, as the document tells it."""
    return {(asked, said): set(outcomes) for asked, said, outcomes in architecture.loop()}


def parts(position):
    """Legal moves as far as somebody may have said them."""
    for fact in position.legal:
        if isinstance(fact.meaning, MovePattern):
            target, piece = fact.meaning.target, fact.meaning.piece
            yield from (MovePattern(Place(target.file), piece), MovePattern(target, piece))


def check_the_row(asking, meaning, position):
    """What a meaning leads to as an answer stands in its row, if it is one."""
    if turn := answered(asking, meaning, position):
        row = type(asking).__name__, architecture.in_words(meaning)
        assert architecture.outcome(asking, turn) in loop()[row], (asking, meaning, turn)


def test_the_tables_are_those_of_the_code():
    text = architecture.DOCUMENT.read_text("utf-8")
    assert architecture.document(text) == text, "run: make architecture"


def test_a_document_without_a_place_for_a_table_is_refused():
    with pytest.raises(ValueError, match="rooms"):
        architecture.document("# How the program is built\n")


@settings(max_examples=examples(100), deadline=None)
@given(positions(), st.lists(st.integers(0, 10_000), max_size=12))
def test_no_answer_leads_where_the_table_does_not(position, choices):
    anything, begun = list(architecture.meanings(position)), list(parts(position))
    legal = [Reading(fact.meaning) for fact in position.legal]
    asking = NOTHING
    for choice in choices:
        said = (answers(asking), begun, anything)[choice % 3] or anything
        meaning = said[choice % len(said)]
        check_the_row(asking, meaning, position)
        beside = legal[choice % 7 : 7]
        asking = confirmation.respond(asking, [[Reading(meaning)]], position, beside=beside).asking


@settings(max_examples=examples(100), deadline=None)
@given(positions(), st.integers(0, 10_000), st.integers(0, 10_000))
def test_nor_does_what_may_have_been_misheard(position, one, other):
    legal = position.legal
    if len(legal) < 2:
        return
    fact, alike = legal[one % len(legal)], legal[other % len(legal)]
    asked = [Confirm(fact, alike=(alike,))]
    if difference((fact, alike)):
        asked.append(Difference((fact, alike)))
    for asking in asked:
        for meaning in architecture.meanings(position):
            check_the_row(asking, meaning, position)
