# SPDX-License-Identifier: GPL-3.0-or-later
"""What two utterances say together, neither of which was understood alone: asked about, never carried out."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.happening import all_told, happen
from support.languages import LANGUAGES

from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Missing
from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from voices.grammar import grammar

E4_E5 = ("e4", "yes", "e5", "yes")
# What is asked, and how the game comes there.
QUESTIONS = {
    "nothing": ((), {}),
    "confirm": (("e4",), {}),
    "choose": ((*E4_E5, "Nf3", "yes", "d6", "yes", "Nc3", "yes", "a6", "yes", "knight e2"), {}),
    "missing": (("knight",), {}),
    "resign": (("resign",), {}),
    "draw": ((*E4_E5, "draw"), {}),
    "offered": ((*E4_E5, "draw", "yes"), {}),
    "claim": ((*E4_E5, "claim repetition"), {}),
    "touched": (("touched e2",), {}),
    "stopped": (("stop the clock",), {"clock": "5"}),
    "two boards": (("e4", "yes"), {"two_boards": True}),
    "sign": ((*E4_E5, "resign", "yes", "sign the scoresheet"), {}),
    "over": ((*E4_E5, "resign", "yes"), {}),
    "topics": (("laws",), {}),
    "arbiter": (("arbiter", "yes"), {"laws": "fide-2018", "clock": "5"}),
}
SAID = (
    "press", "made", "accept", "e4", "e5", "d6", "resign", "draw", "claim flag", "claim repetition", "claim draw",
    "touched e2", "adjust", "stop the clock", "one", "two", "four", "knight", "knight f3", "Black yes", "White no",
    "arbiter", "sign the scoresheet", "material", "correction", "castles short", "f", "e", "illegal move",
)  # fmt: skip


def state_at(*words, **setup):
    state = State.new(Setup.of(**({"language": "en", "opponent": "human"} | setup)))
    for event in (ev.Started(), *(ev.Heard(words=(word,)) for word in words)):
        state, _ = happen(state, event)
    return state


def again(state, *words, sure=True):
    """The state after two utterances with these readings, and the keys of what is told."""
    after, effects = happen(state, ev.Heard(words=words, sure=sure, spoken=True, again=True))
    return after, [m.key for m in all_told(effects)]


def done(state):
    """What there is of the game that only its players can undo."""
    clocks = state.clocks.stopped, state.clocks.pressed
    return (
        state.game.played, state.game.result, state.game.announced, state.game.signed, state.game.offences,
        state.draw.offer, state.touch, state.arbiter, clocks,
    )  # fmt: skip


@pytest.fixture(params=QUESTIONS.values(), ids=QUESTIONS, scope="module")
def asked(request):
    words, setup = request.param
    return state_at(*words, **setup)


@settings(max_examples=examples(60))
@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=3, unique=True), st.booleans())
def test_two_utterances_together_do_nothing_to_the_game(asked, words, sure):
    after, _ = again(asked, *words, sure=sure)
    assert done(after) == done(asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_yes_is_made_of_two_utterances(asked, language):
    here = replace(asked, setup=replace(asked.setup, language=language))
    for yes in grammar.yeses(here.setup.convention, language):
        for sure in (True, False):
            after, told = again(here, yes, sure=sure)
            assert done(after) == done(here)
            assert told


@pytest.mark.parametrize(
    ("words", "sure", "asking", "told"),
    [
        (("Eva vier",), True, Confirm, "ask_other_reading"),
        (("Eva vier",), False, Confirm, "ask_other_reading"),
        (("Eva vier", "Eva drei"), False, Missing, "ask_rank"),
        (("Eva vier", "David vier", "Anna vier"), False, Missing, "ask_file"),
        (("Springer Felix drei", "Springer Cesar drei"), False, Missing, "ask_file"),
        (("Springer Felix drei", "Bauer Felix drei"), False, Choose, "ask_which_piece"),
        (("Eva vier", "David drei"), False, Choose, "ask_choice"),
        (("Eva vier", "Eva drei", "David drei"), False, Choose, "ask_choice"),
        (("Springer Eva fünf",), True, type(NOTHING), "refused"),
        ((), True, type(NOTHING), "not_understood_again"),
    ],
)
def test_what_is_unsure_is_asked_for(words, sure, asking, told):
    after, keys = again(state_at(language="de"), *words, sure=sure)
    assert isinstance(after.asking, asking)
    assert keys == [told]


def test_two_utterances_that_are_not_understood_bring_the_list():
    missing = state_at("pawn e")
    after, keys = again(missing)
    assert (after.asking, keys) == (Choose(missing.asking.facts, listed=True), ["ask_choice"])
    assert again(after) == (after, ["not_understood", "ask_choice"])


def test_a_part_that_is_unsure_is_not_asked_for_for_ever():
    missing = state_at("pawn e")
    after, keys = again(missing, "three", "four", sure=False)
    assert (type(after.asking), keys) == (Choose, ["ask_choice"])


@pytest.mark.parametrize("place", ["confirm", "resign", "sign", "stopped"])
def test_a_question_for_yes_or_no_is_put_again(place):
    words, setup = QUESTIONS[place]
    state = state_at(*words, **setup)
    after, keys = again(state)
    assert after.asking == state.asking
    assert (keys[0], *keys[2:]) == ("not_understood", "longer_yes", "longer_no")


def test_no_move_is_asked_for_where_none_can_be_made():
    words, setup = QUESTIONS["over"]
    assert again(state_at(*words, **setup))[1] == ["not_understood"]


def test_an_utterance_of_an_older_journal_stands_alone():
    written = json.loads(ev.to_json(ev.Heard(words=("e4",), spoken=True)))
    del written["again"]
    assert ev.from_json(json.dumps(written)) == ev.Heard(words=("e4",), spoken=True)
