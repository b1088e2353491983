# SPDX-License-Identifier: GPL-3.0-or-later
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.clock import Clock, ClockNotationError, TimeControl
from acessivel.rules import BLACK, WHITE, other


def test_notation():
    assert TimeControl.parse("15+5") == TimeControl(15 * 60_000, 5_000)
    assert TimeControl.parse("90") == TimeControl(90 * 60_000, 0)
    assert TimeControl.parse("0.5+2") == TimeControl(30_000, 2_000)
    assert TimeControl.parse("none") is None


@pytest.mark.parametrize("text", ["", "x", "15+", "+5", "-1", "0", "0+0", "15:00", "99999999", "1e9"])
def test_wrong_notation_is_refused(text):
    with pytest.raises(ClockNotationError):
        TimeControl.parse(text)


def test_pgn_writes_seconds():
    assert TimeControl(15 * 60_000, 5_000).pgn == "900+5"
    assert TimeControl(5 * 60_000).pgn == "300"


def test_fischer_counts_from_the_first_move():
    # Art. 6.3 and its comment (2014): the increment is there before move 1 and after each completed move.
    clock = Clock.of(TimeControl(60_000, 5_000))
    assert clock.left(WHITE, 0) == 65_000
    after = clock.start(WHITE, 0).completed(WHITE, 10_000)
    assert after.left(WHITE, 10_000) == 60_000
    assert after.left(BLACK, 99_000) == 65_000
    assert after.running is None


def test_the_flag_falls_only_on_the_running_side():
    clock = Clock.of(TimeControl(60_000)).start(BLACK, 0)
    assert clock.flag(59_999) is None
    assert clock.flag(60_000) == BLACK
    assert clock.flag_in(20_000) == 40_000
    assert clock.stop(30_000).flag(10**9) is None


@given(st.lists(st.tuples(st.sampled_from(["press", "stop", "start"]), st.integers(0, 5_000)), max_size=30))
def test_time_is_neither_made_nor_lost(steps):
    """What both sides have left, plus the time that ran, minus increments, is always the same."""
    control = TimeControl(10 * 60_000, 3_000)
    clock, now, ran, added, side = Clock.of(control), 0, 0, 0, WHITE
    total = 2 * (control.main_ms + control.increment_ms)
    for step, wait in steps:
        ran += wait if clock.running else 0
        now += wait
        if step == "press":
            clock, added, side = (
                clock.completed(side, now).start(other(side), now),
                added + 3_000,
                other(side),
            )
        elif step == "stop":
            clock = clock.stop(now)
        else:
            clock = clock.start(side, now)
        assert clock.left(WHITE, now) + clock.left(BLACK, now) + ran - added == total
