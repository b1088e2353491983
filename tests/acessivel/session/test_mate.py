# SPDX-License-Identifier: GPL-3.0-or-later
"""A ruling that turns on a mate which is hard to find: the search is told first, and everything waits for it."""

from dataclasses import replace

import pytest
from support.happening import all_told, happen

from acessivel.dialogue.questions import Arbitrated
from acessivel.game.game import Setup
from acessivel.rules import dead_positions
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step, wakes_in
from acessivel.storage.journal import Journal

MINUTE = 60_000
KNIGHT = "r7/8/3k4/8/8/8/3Nr3/2K5 b - - 0 1"


@pytest.fixture(autouse=True)
def hard_to_find(monkeypatch):
    monkeypatch.setattr(dead_positions, "AT_ONCE", 3)


def keys(effects):
    return [message.key for message in all_told(effects)]


def run(state, *events):
    """The state after some events and their repetitions, without any search."""
    happened, waiting = [], list(events)
    while waiting:
        state, effects = step(state, waiting.pop(0))
        happened += effects
        waiting = [effect.event for effect in effects if isinstance(effect, ef.Again)] + waiting
    return state, happened


def flag_falls(**setup):
    state, _ = run(
        State.new(Setup.of(**{"clock": "1", "fen": KNIGHT, **setup})), ev.Started(), ev.SpeechEnded()
    )
    return run(state, ev.Tick(at=MINUTE))


@pytest.mark.parametrize(
    ("answer", "score", "article"),
    [("yes", "1-0", "6.9"), ("no", "1/2-1/2", "6.9"), ("undecided", None, None)],
)
def test_the_search_is_told_first_and_its_answer_decides(answer, score, article):
    state, effects = flag_falls()
    assert keys(effects) == ["arbiter_looks"]
    assert effects[-1] == ef.SeekMate()
    assert (state.game.result, state.game.clock.running) == (None, None)
    state, effects = run(state, ev.MateSought(answer=answer, at=MINUTE + 5_000))
    result = state.game.result
    assert ((result.score, result.article) if result else (None, None)) == (score, article)
    assert (state.asking == Arbitrated()) == (answer == "undecided")
    assert state.mate.seeking is None
    assert state.game.clock.left("white", state.now_ms) == MINUTE  # the search costs nobody time


def test_nothing_that_is_said_meanwhile_answers_anything():
    state, _ = flag_falls()
    for event in (
        ev.Heard(words=("sim",)),
        ev.Heard(words=("Rd5",)),
        ev.Ordered(command="press"),
        ev.SquarePointed(square="d6"),
    ):
        after, effects = step(state, replace(event, at=MINUTE + 10))
        assert after == state
        assert keys(effects) == ["arbiter_looks"]
    for event in (ev.Tick(quiet=True), ev.SpeechEnded(), ev.EngineMoved(uci="d6d5")):
        assert step(state, event) == (state, ())
    assert wakes_in(state, MINUTE + 10, quiet=True) is None
    assert keys(step(state, ev.DeviceNews(key="braille_lost"))[1])[0] == "braille_lost"


def test_the_confirmed_move_on_which_the_ruling_turns_is_not_lost():
    state, _ = run(
        State.new(Setup.of(clock="90", fen="8/2Qk4/1K6/8/8/8/8/8 b - - 0 1", strict=True)),
        ev.Started(),
        ev.SpeechEnded(),
        *(ev.Heard(words=(word,), at=1_000) for word in ("aciono", "Rxc7", "sim")),
    )
    assert state.mate.seeking.colour == "white"
    assert state.game.played == ()  # nothing has followed from it yet
    state, effects = run(state, ev.MateSought(answer="yes", at=9_000))
    assert (state.game.result.score, state.game.result.article) == ("1-0", "7.5.5")
    assert "played" in keys(effects)


def test_a_new_run_of_the_program_searches_anew():
    state, _ = flag_falls()
    state, effects = step(state, ev.Resumed(at=0))
    assert keys(effects)[0] == "resumed"
    assert keys(effects)[-1] == "arbiter_looks"
    assert effects[-1] == ef.SeekMate()
    state, _ = run(state, ev.MateSought(answer="yes", at=3_000))
    assert state.game.result.score == "1-0"


def test_an_edition_without_such_a_draw_looks_for_no_mate():
    state, _ = flag_falls(laws="escolar-br")
    assert state.game.result.score == "1-0"


def test_a_journal_is_replayed_without_searching(tmp_path, monkeypatch):
    journal = Journal(tmp_path)
    setup = Setup.of(clock="1", fen=KNIGHT)
    number, state = journal.create(setup, "2026-01-01"), State.new(setup)
    events = [
        ev.Started(),
        ev.SpeechEnded(),
        ev.Tick(at=MINUTE),
        ev.Tick(at=MINUTE),
        ev.MateSought(answer="yes", at=MINUTE),
    ]
    for entry, event in enumerate(events):
        after, _ = step(state, event)
        journal.append(number, entry, event, state, after)
        state = after
    assert state.game.result.score == "1-0"
    monkeypatch.setattr(dead_positions, "THOROUGHLY", 0)
    assert journal.load(number).state == state
    journal.close()


def test_the_search_itself_is_the_same_wherever_it_runs():
    state, _ = flag_falls()
    assert (
        happen(replace(state, mate=State.new(Setup()).mate), ev.Tick(at=MINUTE))[0].game.result.score == "1-0"
    )


@pytest.mark.parametrize(("verdict", "score"), [("1", "1-0"), ("2", "1/2-1/2")])
def test_a_sealed_move_that_may_lose_is_lost_or_drawn_as_the_arbiter_decides(verdict, score):
    sealed = ev.Adjourned(envelope="e", when="2026-01-02T10:00", where="Rio", white="Ana", black="Bruno")
    state = State.new(Setup.of(clock="90", fen=KNIGHT, laws="fide-2009"))
    state, effects = run(state, ev.Started(), ev.SpeechEnded(), sealed, ev.Unsealed(sealed="Rd1"))
    assert keys(effects)[-1] == "arbiter_looks"
    state, _ = run(state, ev.MateSought(answer="undecided"))
    state, _ = run(state, *(ev.Heard(words=(word,)) for word in ("árbitro", "sim", "6", verdict, "sim")))
    assert (state.game.result.score, state.game.result.article) == (score, "guidelines 8")
