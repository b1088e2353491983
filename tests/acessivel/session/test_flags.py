# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag that falls is felt before anything is thought about, and ruled on before anything else happens."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.happening import all_told, happen
from support.spoken_game import Game

from acessivel.dialogue.questions import Arbitrated
from acessivel.game.game import Setup
from acessivel.rules.position import Position
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session import flags
from acessivel.session.state import State
from acessivel.session.step import step

MINUTE = 60_000


def new(**setup):
    state, _ = step(State.new(Setup.of(**{"clock": "1", **setup})), ev.Started())
    return step(state, ev.SpeechEnded())[0]


def keys(effects):
    return [message.key for message in all_told(effects)]


def heard(state, *words, at):
    for word in words:
        state, effects = happen(state, ev.Heard(words=(word,), at=at))
    return state, keys(effects)


def test_nothing_is_thought_about_before_the_fall_is_felt(monkeypatch):
    state = new()
    monkeypatch.setattr(Position, "can_mate", lambda *_: pytest.fail("the fall waits for a search"))
    state, effects = step(state, ev.Tick(at=MINUTE))
    assert effects == (ef.FlagFell(), ef.Again(ev.Tick(at=MINUTE)))
    assert state.flags.ruling_due
    assert state.game.clock.running is None


@pytest.mark.parametrize(
    "event",
    [
        ev.Tick(),
        ev.Heard(words=("sim",)),
        ev.Heard(words=("e4",)),
        ev.Ordered(command="press"),
        ev.SquarePointed(square="e2"),
        ev.SpeechEnded(),
        ev.Resumed(),
        ev.EngineMoved(uci="e2e4"),
        ev.EngineFailed(),
        ev.DeviceNews(key="microphone_lost"),
    ],
)
@pytest.mark.parametrize("opponent", ["human", "engine"])
@pytest.mark.sweep
def test_whatever_happens_next_the_flag_is_ruled_on_first(event, opponent):
    state = new(opponent=opponent, colour="white")
    state, _ = step(state, ev.Heard(words=("e4",), at=1000))  # it is only announced
    state, _ = step(state, ev.Tick(at=MINUTE))
    state, effects = happen(state, replace(event, at=0 if isinstance(event, ev.Resumed) else MINUTE + 1))
    assert (state.game.result.score, state.game.result.article) == ("0-1", "6.9")
    assert state.game.played == ()
    assert "over" in keys(effects)


def test_a_flag_that_the_arbiter_makes_fall_is_felt_and_ruled_on():
    state, effects = step(new(), ev.Heard(words=("árbitro",)))
    for word in ("sim", "2", "1", "2", "1", "0", "sim"):
        state, effects = step(state, ev.Heard(words=(word,)))
    assert isinstance(effects[0], ef.FlagFell)
    assert isinstance(effects[-1], ef.Again)
    assert happen(state, effects[-1].event)[0].game.result.score == "0-1"


@pytest.mark.parametrize(
    ("laws", "clock", "supervised"),
    [
        ("fide-2001", "20", True),  # B6
        ("fide-2001", "1", True),  # C2: as rapid
        ("fide-2009", "20", False),  # A.4d1
        ("fide-2009", "1", False),  # B.3
    ],
)
def test_where_only_players_call_the_flag_nobody_is_told_and_the_clock_goes_on(laws, clock, supervised):
    ms = int(clock) * MINUTE
    state = new(laws=laws, clock=clock, supervised=supervised, alarms="none")
    state, effects = happen(state, ev.Tick(at=ms, quiet=True))
    assert effects == ()
    assert keys(happen(state, ev.Heard(words=("relógio",), at=ms))[1]) != []  # who asks is answered
    assert heard(state, "caiu a bandeira", at=ms)[0].game.result.score == "0-1"


def test_a_flag_that_nobody_has_called_does_not_stop_the_game():
    state, _ = happen(new(laws="fide-2009", supervised=False), ev.Tick(at=MINUTE))  # A.4d1, B.3, 2009
    assert not state.flags.ruling_due
    assert state.game.clock.running == "white"
    state, _ = heard(state, "e4", "sim", at=MINUTE + 10)
    assert len(state.game.played) == 1
    # The claim is a player's; the flag that fell is White's.
    assert heard(state, "caiu a bandeira", at=MINUTE + 20)[0].game.result.score == "0-1"


def both_down(state):
    clock = state.game.clock.corrected({"white": 0, "black": 0}, state.now_ms)
    return replace(state, game=replace(state.game, clock=replace(clock, fallen="")))


@pytest.mark.parametrize(
    ("laws", "result", "asked"),
    [
        ("fide-2001", None, False),  # 6.12: another period follows
        ("fide-2009", None, False),  # 6.11a
        ("fide-2018", None, True),  # not in the text: the arbiter's
    ],
)
def test_both_flags_down_and_nobody_knows_which_was_first(laws, result, asked):
    state = both_down(new(laws=laws, clock="90/40+30"))
    state, effects = step(state, ev.Heard(words=("e4",), at=10))
    assert effects[0] == ef.FlagFell()
    state, effects = step(state, ev.Heard(words=("e4",), at=10))
    assert state.game.result == result
    assert (state.asking == Arbitrated()) == asked
    if not asked:
        # What was announced is not lost, and is told in one announcement with the ruling.
        assert keys(effects) == ["ruling", "ask_move"]
        assert len([effect for effect in effects if isinstance(effect, ef.Say)]) == 1
        assert state.game.clock.left("black", state.now_ms) == 30 * MINUTE
        assert state.game.clock.running == "white"
        fell, effects = happen(state, ev.Tick(at=30 * MINUTE + 10))
        assert effects[0] == ef.FlagFell()  # of the new period
        assert fell.game.result.score == "0-1"


def test_both_flags_down_in_the_last_period_is_a_draw():
    state, _ = happen(both_down(new(laws="fide-2009", clock="90")), ev.Tick(at=10))
    assert (state.game.result.score, state.game.result.article) == ("1/2-1/2", "6.11b")


@pytest.mark.parametrize(
    ("laws", "clock", "article"),
    [
        ("fide-2001", "20", "B8"),
        ("fide-2001", "5", "B8"),
        ("fide-2009", "20", "A.4d3"),
        ("fide-2009", "5", "A.4d3"),
    ],
)
@pytest.mark.parametrize("first", ["white", "black"])
def test_with_both_flags_down_a_claim_draws_where_the_edition_says_so(laws, clock, article, first):
    state = both_down(new(laws=laws, clock=clock, supervised=False))
    clock = replace(state.game.clock, fallen=first)  # the clock knows, and nobody asks it
    state, _ = heard(replace(state, game=replace(state.game, clock=clock)), "caiu a bandeira", at=10)
    assert (state.game.result.score, state.game.result.reason, state.game.result.article) == (
        "1/2-1/2",
        "flags",
        article,
    )


def test_where_the_edition_does_not_draw_both_flags_the_claimant_must_have_time_left():
    state = both_down(new(laws="fide-2018", clock="20", supervised=False, opponent="human"))
    clock = replace(state.game.clock, fallen="white")
    ruling = flags.claimed(replace(state, game=replace(state.game, clock=clock)))[0].game.notes[-1].message
    assert dict(ruling.values)["sentence"].key == "flag_claim_no_time"  # A.4.3, 2018


@pytest.mark.parametrize(("laws", "clock"), [("fide-2001", "15"), ("fide-2009", "15"), ("fide-2009", "5")])
def test_who_claims_a_flag_on_his_page_and_has_no_time_left_loses_nothing_by_it(laws, clock):
    """B7, 2001; A.4d2, 2009: a claim needs time left for who makes it."""
    game = Game(laws=laws, clock=clock, supervised=False)
    game.now = int(clock) * MINUTE
    game.happen(ev.Heard(words=("claim flag",), by="white"))
    assert (game.state.game.result, game.keys) == (None, ["ruling"])
    game.happen(ev.Heard(words=("claim flag",), by="black"))
    assert game.state.game.result.score == "0-1"


def test_the_engine_waits_while_the_arbiter_decides():
    state = new(opponent="engine", clock="5")
    state, effects = heard(state, "e4", "sim", at=10)
    assert state.engine_to_move
    state, _ = heard(state, "pausa", at=20)
    state, effects = happen(state, ev.EngineMoved(uci="e7e5", plies=1, at=30))
    assert len(state.game.played) == 1
    state, effects = happen(state, ev.Heard(words=("sim",), at=40))
    assert ef.AskEngine() in effects
    state, _ = happen(state, ev.EngineMoved(uci="e7e5", plies=0, at=50))  # asked about another position
    assert len(state.game.played) == 1
    state, _ = happen(state, ev.EngineMoved(uci="e7e5", plies=1, at=50))
    assert len(state.game.played) == 2
