# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench-hall`: plays a round, and prints what came of it."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import hall_round
from hall_round import report
from hall_round.plan import Plan
from hall_round.round import measure_pushes, play_round


def main() -> None:
    """Play a round, and say what came of it."""
    parser = argparse.ArgumentParser(prog="hall_round", description=hall_round.__doc__)
    parser.add_argument("--halls", type=int, default=1, help="on one server, which share the tables")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--arbiters", type=int, default=1, help="in each hall")
    parser.add_argument("--plies", type=int, default=80)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between the moves of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smooth", action="store_true", help="no trouble: measures how soon a move is known")
    parser.add_argument(
        "--pushes", action="store_true", help="as smooth, without games: for very many tables"
    )
    given = parser.parse_args()
    plan = Plan(
        given.halls, given.tables, given.arbiters, given.plies, given.pace,
        trouble=not (given.smooth or given.pushes), seed=given.seed,
    )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="hall") as folder:
        Path(folder).chmod(0o755)
        outcome = (measure_pushes if given.pushes else play_round)(plan, Path(folder))
    print(json.dumps(report.summary(plan, outcome)))


if __name__ == "__main__":
    main()
