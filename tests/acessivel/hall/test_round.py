# SPDX-License-Identifier: GPL-3.0-or-later
"""A small round over a real PostgreSQL while servers, desk and tables are killed and connections cut.

`make bench-hall` plays one of 100 tables.
"""

import tempfile
from pathlib import Path

import pytest
from hall_round.plan import Plan
from hall_round.round import play_round


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(prefix="hall", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_after_all_trouble_the_hall_knows_of_each_game_what_its_journal_knows(folder):
    outcome = play_round(Plan(tables=4, plies=10, pace_s=0.3, trouble=True, seed=2), folder)
    assert outcome.wrong == []
    assert outcome.killed
    assert outcome.entries > 4 * 10


def test_what_is_urgent_reaches_the_cells_and_the_voice_of_each_arbiter_of_its_own_hall(folder):
    plan = Plan(halls=2, tables=6, arbiters=2, plies=60, pace_s=0.02, trouble=False, seed=2)
    outcome = play_round(plan, folder)
    assert outcome.wrong == []
    assert outcome.happened["flags"]
    assert outcome.urgent < len(outcome.shown_ms) <= 2 * outcome.urgent
    assert outcome.urgent < len(outcome.spoken_ms) <= 2 * outcome.urgent
