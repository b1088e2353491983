# SPDX-License-Identifier: GPL-3.0-or-later
"""A small round over a real PostgreSQL while servers, desk and tables are killed and connections cut.

`make bench-hall` plays one of 100 tables.
"""

import tempfile
from pathlib import Path

from hall_round import Plan, play_round


def test_after_all_trouble_the_hall_knows_of_each_game_what_its_journal_knows():
    with tempfile.TemporaryDirectory(prefix="hall", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        outcome = play_round(Plan(tables=4, plies=10, pace_s=0.3, trouble=True, seed=2), Path(folder))
    assert outcome.wrong == []
    assert outcome.killed
    assert outcome.entries > 4 * 10
