# SPDX-License-Identifier: GPL-3.0-or-later
"""Which utterance belongs to which move; the expected lines are written down from the dialogue itself."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.languages import LANGUAGES

from acessivel.commands import tape
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.session.events import EngineMoved, Heard, Started, Tick
from acessivel.session.state import State
from acessivel.session.step import step
from acessivel.storage import tape_index
from acessivel.storage.tape_index import Taped, resolved


def index(*utterances, setup=None, silent=()):
    """The index of a game in which this is said; numbers in `silent` were typed."""
    state, _ = step(State.new(setup or Setup(language="en")), Started())
    lines = []
    for number, said in enumerate(utterances):
        event = Heard(words=(said,)) if isinstance(said, str) else said
        after, _ = step(state, event)
        spoken = isinstance(event, Heard) and number not in silent
        lines += tape_index.happened(state, after, spoken=spoken)
        state = after
    return lines


def rows(lines):
    return [(line.move, line.colour, line.san, line.status) for line in lines]


def test_a_move_is_its_announcement_and_its_yes():
    lines = index("Eva vier", "ja", "Eva fünf", "ja")
    assert rows(lines) == [
        (1, "white", "e4", "announced"), (1, "white", "e4", "played"),
        (1, "black", "e5", "announced"), (1, "black", "e5", "played"),
    ]  # fmt: skip
    assert rows(resolved(lines)) == [(1, "white", "e4", "played")] * 2 + [(1, "black", "e5", "played")] * 2


def test_a_corrected_announcement_is_kept_as_withdrawn():
    white = [(1, "white", "e4", "withdrawn"), (1, "white", "e4", "withdrawn")]
    black = [(1, "white", "d4", "played"), (1, "white", "d4", "played")]
    assert rows(resolved(index("Eva vier", "nein", "David vier", "ja"))) == white + black
    # Announced anew without a no.
    assert rows(resolved(index("Eva vier", "David vier", "ja"))) == white[:1] + black


def test_an_announcement_in_parts_gets_the_move_that_it_became():
    lines = index("Springer", "Springer Felix drei", "ja")
    assert rows(lines)[0] == (1, "white", None, "announced")
    assert rows(resolved(lines)) == [(1, "white", "Nf3", "played")] * 3


def test_every_move_that_the_arbiter_takes_back_is_taken_back():
    to_move_two = ("arbiter", "yes", "4", "2", "1", "2", "white", "yes", "yes")
    moves = [word for move in ("e4", "e5", "Nf3", "Nc6") for word in (move, "yes")]
    found = rows(resolved(index(*moves, *to_move_two, setup=Setup.of(language="en", opponent="human"))))
    assert found[-2:] == [(2, "black", "Nc6", "taken_back"), (2, "white", "Nf3", "taken_back")]


def test_an_illegal_move_that_is_taken_back_at_once_was_played():
    setup = Setup.of(language="en", opponent="human", clock="15+5", strict=True)
    found = rows(resolved(index("e5", "yes", "e4", "yes", setup=setup)))
    assert found[:3] == [(1, "white", "e2e5", "played")] * 2 + [(1, "white", "e2e5", "taken_back")]
    assert found[3:] == [(1, "white", "e4", "played")] * 2


def test_so_was_a_pawn_that_was_not_promoted():
    promotes = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"
    setup = Setup.of(opponent="human", clock="15+5", strict=True, laws="fide-2009", fen=promotes)
    found = rows(resolved(index("e8", "aciono", setup=setup)))
    assert [status for *_, status in found] == ["played", "played", "taken_back"]


def test_what_has_nothing_to_do_with_a_move_is_not_kept():
    assert index("help", "clock", "bla bla", Tick()) == []


def test_what_is_said_within_an_announcement_is_kept():
    assert len(index("Eva vier", "bla bla", Tick(), "ja")) == 3


def test_a_question_that_comes_between_leaves_the_announcement_open():
    for between in ("stop", "rules"):
        found = resolved(index("Eva vier", between, "no", "ja"))
        assert {line.san for line in found} == {"e4"}
        assert {line.status for line in found} == {"played"}


def test_the_engine_s_move_and_what_was_typed_are_there():
    setup = Setup(language="en", opponent="engine")
    lines = index("Eva vier", "ja", EngineMoved(uci="e7e5"), setup=setup, silent=(0, 1))
    assert rows(lines)[-2:] == [(1, "white", "e4", "played"), (1, "black", "e5", "played")]


def test_an_announcement_that_was_left_open_stays_announced():
    assert rows(resolved(index("Eva vier"))) == [(1, "white", "e4", "announced")]


def test_what_became_of_an_announcement_is_not_guessed_from_that_of_another_half_move():
    lines = [
        line
        for line in index("Eva vier", "ja", "Eva fünf", "ja")
        if line.san == "e5" or line.status != "played"
    ]
    assert rows(resolved(lines)) == [(1, "white", "e4", "announced")] + [(1, "black", "e5", "played")] * 2


def test_a_line_of_the_index_comes_back():
    line = Taped(23, "black", "Nf3", "played", 1.5, 2.25, "2026-01-01T10:00:00+00:00")
    text = tape_index.to_json(line)
    assert json.loads(text)["start"] == 1.5
    assert tape_index.from_json(text) == line


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "null", "[]", '{"move": 1}', '{"move": 1, "colour": "white", "san": "e4", "status": "eaten"}',
        '{"move": 1, "colour": "white", "san": "e4", "status": "played", "start": 2, "end": 1}',
        '{"move": 1, "colour": "white", "san": "e4", "status": "played", "start": "a", "end": "b"}',
    ],
)  # fmt: skip
def test_what_is_no_line_is_none(text):
    assert tape_index.from_json(text) is None


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3),
    st.lists(st.integers(), max_size=1), st.just({"a": 1}), st.just(10**400),
)  # fmt: skip
WRITTEN = Taped(1, "white", "e4", "played", 1.5, 2.25, "2026-01-01T10:00:00+00:00")


@given(st.dictionaries(st.sampled_from(list(Taped.__dataclass_fields__)), ANYTHING, min_size=1, max_size=2))
def test_whatever_a_damaged_line_holds_is_none_or_can_be_told(damaged):
    text = json.dumps(json.loads(tape_index.to_json(WRITTEN)) | damaged)
    if line := tape_index.from_json(text):
        for language in LANGUAGES:
            assert Renderer(language).text(tape._told([line]))


@pytest.mark.parametrize(("lost", "why"), [(False, "it was typed"), (True, "it could not be kept")])
def test_why_there_is_no_sound_is_told(lost, why):
    line = Taped(1, "white", "e4", "played", lost=lost)
    with pytest.raises(UserError) as error:
        tape._sound(None, None, [line])
    assert why in Renderer("en").text(error.value.message)
    assert ("could not be kept" in Renderer("en").text(tape._told([line]))) == lost


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "red"),
        ("colour", []),
        ("san", 4),
        ("move", True),
        ("move", 1.5),
        ("move", 0),
        ("move", 10**400),
        ("end", 1e12),
        ("at", 5),
        ("lost", 1),
    ],
)
def test_a_value_that_cannot_be_is_no_line(name, value):
    assert tape_index.from_json(json.dumps(json.loads(tape_index.to_json(WRITTEN)) | {name: value})) is None


def test_nor_is_one_that_goes_too_deep():
    assert tape_index.from_json("[" * 100_000) is None
