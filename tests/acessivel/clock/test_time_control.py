# SPDX-License-Identifier: GPL-3.0-or-later
import io

import chess.pgn
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acessivel.clock.time_control import ClockNotationError, Mode, Period, TimeControl

MINUTE, SECOND = 60_000, 1000

# notation, what it means, PGN's TimeControl (PGN standard 9.6.1; delay as chess.pgn reads it)
CONTROLS = [
    ("90", TimeControl((Period(90 * MINUTE),)), "5400"),
    ("5", TimeControl((Period(5 * MINUTE),)), "300"),
    ("15+5", TimeControl((Period(15 * MINUTE),), 5 * SECOND), "900+5"),
    ("0.5+2", TimeControl((Period(MINUTE // 2),), 2 * SECOND), "30+2"),
    ("5+3b", TimeControl((Period(5 * MINUTE),), 3 * SECOND, Mode.BRONSTEIN), "300+3d"),
    ("25+10d", TimeControl((Period(25 * MINUTE),), 10 * SECOND, Mode.DELAY), "1500+10d"),
    # The example of the seminar's comment on art. 6.4 (2014), without and with an increment.
    ("90/40+30", TimeControl((Period(90 * MINUTE, 40), Period(30 * MINUTE))), "40/5400:1800"),
    (
        "90/40+30+30s",
        TimeControl((Period(90 * MINUTE, 40), Period(30 * MINUTE)), 30 * SECOND),
        "40/5400+30:1800+30",
    ),
    # The world championship of 2023: the increment only in the last period.
    (
        "120/40+60/20+15+30s@61",
        TimeControl(
            (Period(120 * MINUTE, 40), Period(60 * MINUTE, 20), Period(15 * MINUTE)),
            30 * SECOND,
            extra_from=61,
        ),
        "40/7200:20/3600:900+30",
    ),
    ("120/40+60/20", TimeControl((Period(120 * MINUTE, 40), Period(60 * MINUTE, 20))), "40/7200:20/3600"),
    ("120/40+60/20+5s", TimeControl((Period(120 * MINUTE, 40), Period(60 * MINUTE, 20)), 5000), "40/7200+5:20/3600+5"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "control", "pgn"), CONTROLS)
def test_notation_and_pgn(text, control, pgn):
    assert TimeControl.parse(text) == control
    assert str(control) == text
    assert control.pgn == pgn
    read = chess.pgn.read_game(io.StringIO(f'[TimeControl "{pgn}"]\n\n*\n')).time_control()
    assert [part.time for part in read.parts] == [period.main_ms / SECOND for period in control.periods]


def test_no_clock_is_none():
    assert TimeControl.parse("none") is None


def test_a_bare_number_after_the_last_period_is_the_increment():
    assert TimeControl.parse("90/40+30+30") == TimeControl.parse("90/40+30+30s")
    assert TimeControl.parse("15+5s") == TimeControl.parse("15+5")
    assert TimeControl.parse("0+5") == TimeControl((Period(0),), 5 * SECOND)


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "15+", "+5", "-1", "0", "0+0", "15:00", "99999999", "1e9", "15+5+5", "15+5x", "90/0+30", "90/+30",
        "90/40+", "0+5b", "0+5d", "90/40+30+30s@30", "15+5@2", "90/40+30+30s+1", "15 + 5", "1441", "5+86401", "١٥+٥",
    ],
)  # fmt: skip
def test_wrong_notation_is_refused(text):
    with pytest.raises(ClockNotationError):
        TimeControl.parse(text)


def test_the_tempo_counts_all_periods_and_sixty_increments():
    # 60 minutes with 30 s: 90 minutes (appendix A, 2009).
    assert TimeControl.parse("60+30").total_ms(60) == 90 * MINUTE
    assert TimeControl.parse("90/40+30+30s").total_ms(60) == 150 * MINUTE


@st.composite
def controls(draw):
    lengths = draw(st.lists(st.integers(1, 60), max_size=3))
    mains = [draw(st.integers(1, 24 * 60 * MINUTE)) for _ in lengths] + [draw(st.integers(1, 10**7))]
    ends = [*lengths, draw(st.sampled_from([0, 0, 20]))]
    periods = tuple(map(Period, mains, ends))
    starts = [1 + sum(ends[:n]) for n in range(len(ends))]
    extra = draw(st.integers(0, 10**6))
    if not extra:
        return TimeControl(periods)
    return TimeControl(periods, extra, draw(st.sampled_from(Mode)), draw(st.sampled_from(starts)))


@given(controls())
def test_what_is_printed_is_read_again(control):
    assert TimeControl.parse(str(control)) == control


@given(st.text(alphabet="0123456789.+/sbd@ none", max_size=12))
@example("1+0d")
def test_any_text_is_read_or_refused(text):
    try:
        control = TimeControl.parse(text)
    except ClockNotationError:
        return
    assert control is None or TimeControl.parse(str(control)) == control
