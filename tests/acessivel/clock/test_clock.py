# SPDX-License-Identifier: GPL-3.0-or-later
"""Article 6 (2014, with the comments of the seminar), case by case; times in seconds where nothing else is said."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.clock.clock import Clock
from acessivel.clock.time_control import TimeControl
from acessivel.rules.position import BLACK, WHITE, other

SECOND = 1000


def clock(text):
    return Clock.of(TimeControl.parse(text))


def after_moves(text, *spent):
    """A clock after White's moves, each of which took so many seconds; Black's take none."""
    watch, now = clock(text), 0
    for seconds in spent:
        watch = watch.start(WHITE, now)
        now += round(seconds * SECOND)
        watch = watch.completed(WHITE, now).start(BLACK, now).completed(BLACK, now)
    return watch


# What White has left after moves of so many seconds (art. 6.3 and its comments on the modes).
MODES = [
    # sudden death: nothing comes back
    ("1", [], 60),
    ("1", [10, 20], 30),
    # Fischer: before move 1, and after each completed move, whatever was used
    ("1+5", [], 65),
    ("1+5", [10], 60),
    ("1+5", [2, 2], 71),
    # Bronstein: what was used, at most the extra time
    ("1+5b", [], 60),
    ("1+5b", [3], 60),
    ("1+5b", [5], 60),
    ("1+5b", [12], 53),
    ("1+5b", [12, 3, 6], 52),
    # delay: the main time runs only after the extra time
    ("1+5d", [], 60),
    ("1+5d", [3], 60),
    ("1+5d", [5], 60),
    ("1+5d", [12], 53),
    ("1+5d", [12, 3, 6], 52),
    # periods: what is saved carries over (6.3b)
    ("1/2+2", [10], 50),
    ("1/2+2", [10, 20], 30 + 120),
    ("1/2+2", [10, 20, 5], 145),
    ("1/2+2+5s", [10, 20], 65 - 10 + 5 - 20 + 120 + 5),
    ("1/2+2+5s@3", [10, 20], 30 + 120 + 5),
    ("1/2+2+5b@3", [10, 20, 7], 30 + 120 - 2),
    ("1/1+2/2", [10, 20, 30, 40, 50], 60 + 120 + 120 + 120 - 150),
]


@pytest.mark.parametrize(("text", "spent", "left"), MODES)
def test_modes(text, spent, left):
    assert after_moves(text, *spent).left(WHITE, 10**9) == left * SECOND


@pytest.mark.parametrize(
    ("text", "at", "left"),
    [("1+5", 10, 55), ("1+5b", 3, 57), ("1+5b", 10, 50), ("1+5d", 3, 60), ("1+5d", 10, 55), ("1", 10, 50)],
)
def test_what_a_running_clock_shows(text, at, left):
    assert clock(text).start(WHITE, 0).left(WHITE, at * SECOND) == left * SECOND


@pytest.mark.parametrize(("text", "falls"), [("1", 60), ("1+5", 65), ("1+5b", 60), ("1+5d", 65)])
def test_when_the_flag_falls(text, falls):
    watch = clock(text).start(BLACK, 0)
    assert watch.reaches(0, 20 * SECOND) == (falls - 20) * SECOND
    assert watch.flag(falls * SECOND - 1) is None
    assert watch.flag(falls * SECOND) == BLACK
    assert watch.reaches(0, falls * SECOND) is None
    assert watch.stop(30 * SECOND).flag(10**9) is None


def test_a_pause_is_nobodys_time_and_splits_no_delay():
    watch = clock("1+5d").start(WHITE, 0).stop(4 * SECOND).start(WHITE, 100 * SECOND)
    assert watch.reaches(0, 100 * SECOND) == 61 * SECOND
    assert watch.left(WHITE, 103 * SECOND) == 58 * SECOND
    assert watch.used(WHITE, 103 * SECOND) == 7 * SECOND
    # Bronstein gives back of all the time that the move took.
    watch = clock("1+5b").start(WHITE, 0).stop(4 * SECOND).start(WHITE, 100 * SECOND)
    assert watch.completed(WHITE, 104 * SECOND).left(WHITE, 0) == 57 * SECOND


def test_the_flag_of_the_first_period_falls_unless_its_moves_are_completed():
    # The seminar's 90 minutes for 40 moves and 30 for the rest, made small (6.4).
    watch = after_moves("1/3+0.5", 10, 10).start(WHITE, 0)
    assert watch.moves_to_go(WHITE) is not None
    assert watch.flag(40 * SECOND) == WHITE
    watch = watch.completed(WHITE, 39 * SECOND)
    assert watch.moves_to_go(WHITE) is None
    assert watch.left(WHITE, 0) == 31 * SECOND


def test_a_side_whose_flag_is_down_earns_nothing():
    watch = clock("1/1+2+5s").start(WHITE, 0).completed(WHITE, 65 * SECOND)
    assert watch.left(WHITE, 0) == 0
    assert watch.side(WHITE).moves == 1


# Both flags (6.11)


def test_the_flag_that_fell_first_is_known():
    watch = clock("1").start(WHITE, 0).start(BLACK, 70 * SECOND)
    assert watch.flag(71 * SECOND) == WHITE
    assert watch.flag(200 * SECOND) == WHITE
    assert watch.down(BLACK, 200 * SECOND)
    assert watch.stop(300 * SECOND).flag(300 * SECOND) == WHITE
    assert not watch.flags_unknown(200 * SECOND)


def test_two_flags_at_once_fell_in_an_unknown_order():
    watch = clock("1/1+2").corrected({WHITE: 0, BLACK: 0}, 0)
    assert watch.flag(0) is None
    assert watch.flags_unknown(0)
    # Not in the last period: the game goes on (6.11a), with the time of the next.
    assert watch.moves_to_go(WHITE) is not None
    watch = watch.next_period(0)
    assert [watch.left(colour, 0) for colour in (WHITE, BLACK)] == [120 * SECOND] * 2
    assert watch.moves_to_go(WHITE) is None
    assert watch.moves_to_go(BLACK) is None
    assert not watch.flags_unknown(0)
    assert watch.next_period(0) == watch


# The arbiter


def test_a_penalty_or_bonus_is_given_to_a_running_clock():
    # The opponent's two minutes for an illegal move (7.5b).
    watch = clock("5").start(WHITE, 0).added(WHITE, 120 * SECOND, 30 * SECOND)
    assert watch.running == WHITE
    assert watch.left(WHITE, 40 * SECOND) == (300 - 40 + 120) * SECOND
    assert watch.added(BLACK, -60 * SECOND, 40 * SECOND).left(BLACK, 50 * SECOND) == 240 * SECOND
    assert watch.added(BLACK, -600 * SECOND, 40 * SECOND).flag(40 * SECOND) == BLACK


@pytest.mark.parametrize("text", ["5", "5+3", "5+3b", "5+3d"])
def test_a_corrected_clock_shows_what_it_was_set_to(text):
    # A wrong setting is corrected, and the counter too (6.10b); the move goes on as it was.
    watch = clock(text).start(WHITE, 0).corrected({WHITE: 90 * SECOND, BLACK: 60 * SECOND}, 10 * SECOND)
    assert watch.left(WHITE, 10 * SECOND) == 90 * SECOND
    assert watch.left(WHITE, 11 * SECOND) == 89 * SECOND
    assert watch.left(BLACK, 11 * SECOND) == 60 * SECOND
    assert watch.counted(BLACK, 7).side(BLACK).moves == 7


@pytest.mark.parametrize(
    ("text", "left"), [("1+5", 65 - 10 + 5 - 3), ("1/1+2", 60 - 10 + 120 - 3), ("1+5b", 60 - 5)]
)
def test_a_move_that_was_taken_back_earns_nothing_twice(text, left):
    # After an illegal move the legal one is the same move of the counter (7.1, 7.5a).
    watch = clock(text).start(WHITE, 0).completed(WHITE, 10 * SECOND).counted(WHITE, 0)
    watch = watch.start(WHITE, 10 * SECOND).completed(WHITE, 13 * SECOND)
    assert watch.left(WHITE, 0) == left * SECOND
    assert watch.side(WHITE).moves == 1


@pytest.mark.parametrize(
    ("text", "left", "after"),
    [
        ("1+5", 65 - 10, 65 - 10 - 3 + 5),
        ("1/1+2", 60 - 10, 60 - 10 - 3 + 120),
        ("1+5b", 60 - 10, 60 - 10 - 3 + 5),
        ("1+5d", 60 - 5, 60 - 5 - 3),
        ("1", 60 - 10, 60 - 10 - 3),
    ],
)
def test_a_move_that_is_not_completed_after_all_earns_its_time_only_when_it_is(text, left, after):
    watch = clock(text).start(WHITE, 0).completed(WHITE, 10 * SECOND)
    again = watch.uncompleted(WHITE, 10 * SECOND)
    assert (again.left(WHITE, 10 * SECOND), again.side(WHITE).moves) == (left * SECOND, 0)
    legal = again.start(WHITE, 10 * SECOND).completed(WHITE, 13 * SECOND)
    assert (legal.left(WHITE, 0), legal.side(WHITE).used_ms) == (after * SECOND, 13 * SECOND)
    assert again.uncompleted(WHITE, 10 * SECOND) == again
    penalised = watch.added(WHITE, 60 * SECOND, 10 * SECOND).uncompleted(WHITE, 10 * SECOND)
    assert penalised.left(WHITE, 0) == (left + 60) * SECOND


def test_time_given_back_lifts_the_flag():
    watch = clock("1").start(WHITE, 0).stop(60 * SECOND)
    assert watch.flag(60 * SECOND) == WHITE
    assert watch.added(WHITE, 30 * SECOND, 61 * SECOND).flag(61 * SECOND) is None


# Any order of events

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["complete", "stop", "start", "add", "set", "count", "period"]),
        st.sampled_from([WHITE, BLACK]),
        st.integers(0, 5_000),
    ),
    max_size=30,
)
CONTROLS = st.sampled_from(["600", "600+3", "600+3b", "600/3+600/2+600+3s", "600/2+600+3b", "600/2+600+3s@3"])


def happen(watch, what, side, ms, now):
    match what:
        case "complete":
            return watch.completed(side, now).start(other(side), now)
        case "stop":
            return watch.stop(now)
        case "start":
            return watch.start(side, now)
        case "add":
            return watch.added(side, 7 * ms - 10_000, now)
        case "set":
            return watch.corrected({side: 3_600_000 + ms}, now)
        case "count":
            return watch.counted(side, ms % 10)
        case "period":
            return watch.next_period(now)


@given(CONTROLS, STEPS)
def test_only_time_that_ran_is_lost_and_only_what_was_given_is_won(text, steps):
    """What both have left changes by the time that ran, and at an event by what that event gives."""
    watch, now, ran, given_ms = clock(text), 0, 0, 0
    start = watch.left(WHITE, 0) + watch.left(BLACK, 0)
    for what, side, ms in steps:
        ran += ms if watch.running else 0
        now += ms
        before = watch
        watch = happen(watch, what, side, ms, now)
        left = {colour: watch.left(colour, now) - before.left(colour, now) for colour in (WHITE, BLACK)}
        given_ms += sum(left.values())
        if what in ("stop", "start", "count"):
            assert left == {WHITE: 0, BLACK: 0}
        if what == "add":
            assert left == {side: 7 * ms - 10_000, other(side): 0}
        if what == "complete":
            # Nothing is taken; at most three increments and a period for each move that may be completed.
            assert left[other(side)] == 0
            completed = watch.side(side).moves - before.side(side).moves
            assert 0 <= left[side] <= completed * (3_000 + 36_000_000)
        if what == "complete" and text == "600+3" and "count" not in (one for one, _, _ in steps):
            assert left[side] == 3_000
        assert watch.left(WHITE, now) + watch.left(BLACK, now) == start - ran + given_ms
        assert watch.used(WHITE, now) + watch.used(BLACK, now) == ran


@given(CONTROLS, STEPS)
def test_no_time_runs_while_stopped_and_never_on_both_sides(text, steps):
    watch, now = clock(text), 0
    for what, side, ms in steps:
        now += ms
        watch = happen(watch, what, side, ms, now)
        later = now + 1_000
        ran = [colour for colour in (WHITE, BLACK) if watch.left(colour, later) != watch.left(colour, now)]
        assert ran == ([watch.running] if watch.running else [])
        assert watch.running or watch.reaches(0, now) is None


@given(STEPS, st.integers(0, 1_000))
def test_a_flag_falls_when_it_was_foretold(steps, extra):
    watch, now = clock("600+3d"), 0
    watch = replace(watch, control=replace(watch.control, extra_ms=extra))
    for what, side, ms in steps:
        now += ms
        watch = happen(watch, what, side, ms, now)
        if (due := watch.reaches(0, now)) is not None:
            assert not watch.down(watch.running, now + due - 1)
            assert watch.down(watch.running, now + due)
