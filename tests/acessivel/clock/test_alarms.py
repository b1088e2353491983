# SPDX-License-Identifier: GPL-3.0-or-later
"""The blind players' clock (appendix, point 4): marks, alarms and the flag, from the clock to the announcement."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.happening import happen as happens

from acessivel.clock import alarms
from acessivel.clock.clock import Clock
from acessivel.clock.time_control import TimeControl
from acessivel.game.game import Setup
from acessivel.messages.rendering import Renderer
from acessivel.queries import queries
from acessivel.rules.position import BLACK, WHITE, other
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step, wakes_in
from acessivel.settings.settings import SETTINGS

SECOND, MINUTE = 1000, 60_000
NONE = frozenset()
USUAL = alarms.parse(SETTINGS["alarms"].default)


def clock(text):
    return Clock.of(TimeControl.parse(text))


def rings(watch, now, times=USUAL, rung=NONE):
    """What is told: (key, colour, seconds) of each message, and what counts as told."""
    due = alarms.due(watch, now, times, rung)
    told = [(m.key, dict(m.values)["colour"], dict(m.values)["time"].ms // SECOND) for m in due.messages]
    return told, due.rung


def test_notation():
    assert alarms.parse("5m,2m,1m,30s,10s") == (300_000, 120_000, 60_000, 30_000, 10_000)
    assert alarms.parse("30s, 5m") == (300_000, 30_000)
    assert alarms.parse("none") == ()


@pytest.mark.parametrize("text", ["", "5", "5m,", "0s", "m", "5m;2m", "-1m", "1.5m", "1441m", "no", "٥m"])
def test_wrong_notation_is_refused(text):
    with pytest.raises(alarms.AlarmNotationError):
        alarms.parse(text)


# minutes on the clock, seconds gone, what is told
CASES = [
    ("20", 0, []),
    ("20", 299, []),
    ("20", 300, [("clock_double_mark", WHITE, 900)]),
    ("20", 600, [("clock_mark", WHITE, 600)]),
    # At five minutes the alarm says all: one signal.
    ("20", 900, [("clock_alarm", WHITE, 300)]),
    ("20", 1080, [("clock_alarm", WHITE, 120)]),
    ("20", 1190, [("clock_alarm", WHITE, 10)]),
    # A clock that is set to five minutes has not come to them.
    ("5", 0, []),
    ("5", 10, []),
    ("5", 180, [("clock_alarm", WHITE, 120)]),
    # What comes late tells what is left then; a mark is dropped when it is long past.
    ("20", 620, [("clock_mark", WHITE, 580)]),
    ("20", 640, []),
    ("20", 1100, [("clock_alarm", WHITE, 100)]),
    # A fallen flag has a signal of its own.
    ("20", 1200, []),
]


@pytest.mark.parametrize(("text", "gone", "told"), CASES)
def test_marks_and_alarms(text, gone, told):
    assert rings(clock(text).start(WHITE, 0), gone * SECOND)[0] == told


def test_without_alarms_the_clock_never_speaks_up():
    assert rings(clock("20").start(WHITE, 0), 900 * SECOND, ())[0] == []


def test_each_rings_once_until_the_clock_is_set_anew():
    watch = clock("1+40").start(WHITE, 0)  # 100 s
    told, rung = rings(watch, 45 * SECOND)
    assert told == [("clock_alarm", WHITE, 55)]
    # The increment takes it above the minute again: it has been told.
    watch = watch.completed(WHITE, 45 * SECOND).start(WHITE, 45 * SECOND)
    assert rings(watch, 85 * SECOND, rung=rung) == ([], rung)
    # The arbiter adds two minutes: now it has not.
    watch = watch.added(WHITE, 2 * MINUTE, 85 * SECOND)
    assert rings(watch, 205 * SECOND, rung=rung)[0] == [("clock_alarm", WHITE, 55)]


def test_the_next_ring_is_foretold_with_the_delay_counted():
    watch = clock("1+5d").start(BLACK, 0)
    assert alarms.next_in(watch, 0, USUAL) == 35 * SECOND
    assert alarms.next_in(watch, 40 * SECOND, USUAL) == 15 * SECOND
    assert alarms.next_in(watch, 60 * SECOND, USUAL) == 5 * SECOND
    assert alarms.next_in(watch, 60 * SECOND, ()) == 5 * SECOND
    assert alarms.next_in(watch.stop(0), 0, USUAL) is None


def test_the_sentences_tell_times_in_words():
    (message,) = alarms.due(clock("20").start(WHITE, 0), 1110 * SECOND, USUAL, NONE).messages
    assert [Renderer(language).text(message) for language in ("pt", "en", "de", "es")] == [
        "Brancas: ainda 1 minuto 30 segundos.",
        "White: 1 minute 30 seconds left.",
        "Weiß: noch 1 Minute 30 Sekunden.",
        "Blancas: aún 1 minuto 30 segundos.",
    ]


# In the session


def said(effects):
    return [m.key for effect in effects if isinstance(effect, ef.Say) for m in effect.messages]


def game(control="2", **setup):
    state = State.new(Setup.of(opponent="human", clock=control, alarms=SETTINGS["alarms"].default, **setup))
    return step(step(state, ev.Started())[0], ev.SpeechEnded())[0]


def happen(state, *events):
    told = []
    for event in events:
        state, effects = step(state, event)
        told.append(said(effects))
    return state, told


def test_an_alarm_waits_until_the_announcement_is_over():
    state, told = happen(
        game(),
        ev.Heard(words=("e4",), at=50 * SECOND),
        ev.Tick(quiet=True, at=61 * SECOND),
        ev.Tick(quiet=True, at=65 * SECOND),
        ev.Heard(words=("não",), at=66 * SECOND),
        ev.Tick(at=67 * SECOND),
        ev.Tick(quiet=True, at=70 * SECOND),
        ev.Tick(quiet=True, at=71 * SECOND),
    )
    assert told == [["ask_move"], [], [], ["say_again"], [], ["clock_alarm"], []]
    assert state.clocks.rung == {(WHITE, 1, MINUTE)}


@pytest.mark.parametrize("words", [("e4", "regras"), ("e4", "empate"), ("parar",)])
def test_and_until_what_is_asked_back_or_stands_over_it_is_answered(words):
    state, _ = happen(replace(game()), *(ev.Heard(words=(word,), at=1) for word in words))
    _, told = happen(state, ev.Tick(quiet=True, at=61 * SECOND))
    assert told[0][:1] == []


def test_what_was_said_before_an_alarm_can_be_repeated():
    state, told = happen(
        game(), ev.Heard(words=("e4",), at=1), ev.Heard(words=("sim",), at=2), ev.Tick(quiet=True, at=61 * SECOND)
    )  # fmt: skip
    assert told[-1] == ["clock_alarm"]
    assert said(step(state, ev.Heard(words=("repita",), at=62 * SECOND))[1]) == told[1]


def test_the_program_wakes_up_for_what_is_due_but_not_before_it_may_speak():
    state = game()
    assert wakes_in(state, 0, quiet=True) == 60 * SECOND
    assert wakes_in(state, 61 * SECOND, quiet=True) == 0
    assert wakes_in(state, 61 * SECOND, quiet=False) == 29 * SECOND
    asked, _ = step(state, ev.Heard(words=("e4",), at=50 * SECOND))
    assert wakes_in(asked, 61 * SECOND, quiet=True) == 29 * SECOND
    state, _ = step(state, ev.Tick(quiet=True, at=61 * SECOND))
    assert wakes_in(state, 61 * SECOND, quiet=True) == 29 * SECOND
    over, _ = happens(state, ev.Tick(at=120 * SECOND))
    assert wakes_in(over, 130 * SECOND, quiet=True) is None


def test_a_fallen_flag_is_felt_at_once_and_once_even_while_a_move_is_announced():
    state, effects = step(step(game(), ev.Heard(words=("e4",), at=50 * SECOND))[0], ev.Tick(at=120 * SECOND))
    assert effects == (ef.FlagFell(), ef.Again(ev.Tick(at=120 * SECOND)))
    assert state.game.clock.flag(120 * SECOND) == WHITE
    state, effects = step(state, effects[-1].event)
    assert ef.FlagFell() not in effects
    assert state.game.result.score == "0-1"
    assert step(state, ev.Tick(quiet=True, at=121 * SECOND))[1] == ()


ANNOUNCED = st.sampled_from(["e4", "e5", "Sf3", "sim", "não", "empate", "relógio"])
EVENTS = st.one_of(
    st.builds(lambda word: ev.Heard(words=(word,)), ANNOUNCED),
    st.builds(lambda quiet: ev.Tick(quiet=quiet), st.booleans()),
    st.just(ev.SpeechEnded()),
)


@given(
    st.sampled_from(["16", "2", "1+20", "1+3b"]),
    st.lists(st.tuples(EVENTS, st.integers(0, 40_000)), max_size=25),
)
def test_nothing_rings_twice_nor_in_an_announcement(control, happening):
    state, now, heard = game(control), 0, set()
    for event, wait in happening:
        now += wait
        before = state
        state, effects = step(state, type(event)(**{**_fields(event), "at": now}))
        rung = [m for e in effects if isinstance(e, ef.Say) for m in e.messages if m.key.startswith("clock_")]
        if rung:
            assert event == ev.Tick(quiet=True)
            assert type(before.asking).__name__ in ("Nothing", "Offered", "Sure")
        for message in rung:
            new = {
                key
                for key in state.clocks.rung - before.clocks.rung
                if key[0] == dict(message.values)["colour"]
            }
            lowest = min(new, key=lambda key: key[2])
            assert lowest not in heard
            heard.add(lowest)
            assert dict(message.values)["time"].ms <= lowest[2]
        assert before.clocks.rung <= state.clocks.rung


def _fields(event):
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


@given(st.lists(st.integers(1, 90_000), max_size=40))
def test_every_alarm_is_heard_when_nothing_disturbs(waits):
    """With a wake-up at each foretold moment all marks and alarms that are passed are told, each once."""
    watch, rung, now, told, side = clock("16"), NONE, 0, [], WHITE
    watch = watch.start(side, now)
    for wait in waits:
        until = now + wait
        while (due := alarms.next_in(watch, now, USUAL)) is not None and now + due <= until:
            now += due
            new, rung = rings(watch, now, rung=rung)
            told += [(colour, seconds) for _, colour, seconds in new]
        now, side = until, other(side)
        watch = watch.start(side, now)
    expected = [
        (colour, seconds)
        for colour in (WHITE, BLACK)
        for seconds in (900, 600, 300, 120, 60, 30, 10)
        if watch.left(colour, now) <= seconds * SECOND
    ]
    assert sorted(told) == sorted(expected)


# On request


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (1, "White has 2 minutes left."),
        (60 * SECOND + 1, "White has 1 minute left."),
        (119 * SECOND + 999, "White has 1 second left."),
        (120 * SECOND, "White has 0 seconds left."),
    ],
)
def test_only_a_fallen_flag_has_no_second_left(at, told):
    watch = clock("2").start(WHITE, 0)
    assert Renderer("en").text(queries.time_left(watch, WHITE, at)) == told
    assert ("0 seconds" in told) == watch.down(WHITE, at)


@pytest.mark.parametrize(
    ("colour", "told"),
    [
        ("", ["White has 1 minute 50 seconds left.", "Black has 2 minutes left."]),
        (WHITE, ["White has 1 minute 50 seconds left."]),
        (BLACK, ["Black has 2 minutes left."]),
    ],
)
def test_the_time_of_both_sides_or_of_one_is_told_in_words(colour, told):
    _, effects = step(game(), ev.Ordered(command="clock", colour=colour, at=10 * SECOND))
    renderer = Renderer("en")
    assert [renderer.text(m) for e in effects if isinstance(e, ef.Say) for m in e.messages] == told


def test_the_moves_to_the_end_of_the_period_are_told():
    _, effects = step(game("90/40+30"), ev.Ordered(command="clock", colour=WHITE, at=0))
    assert [Renderer("en").text(m) for e in effects if isinstance(e, ef.Say) for m in e.messages] == [
        "White has 1 hour 30 minutes left; moves still to make in it: 40."
    ]
