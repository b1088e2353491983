# SPDX-License-Identifier: GPL-3.0-or-later
"""The progress of the drills as a chart: a line for each drill, the share of right answers by date."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from acessivel.drills.results import DrillResult, by_drill
from voices.packages import load

_SIZE = (9.0, 5.0)  # inches


def draw(results: tuple[DrillResult, ...], path: Path, percent: str) -> None:
    """Write a PNG file; `percent` says what is drawn, in the user's language.

    Raises MissingPartError without matplotlib, OSError if the file cannot be written.
    """
    figures: Any = load("matplotlib.figure", "plot")
    figure = figures.Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot()
    for marker, (drill, found) in zip("osD^v<>Pph*X" * 9, by_drill(results).items(), strict=False):
        dates = [datetime.fromisoformat(result.date) for result in found]
        # Each drill has a marker of its own: not everybody can tell them apart by colour.
        axes.plot(dates, [result.percent for result in found], marker=marker, label=drill)
    axes.set_ylim(-5, 105)
    axes.set_ylabel(percent)
    axes.legend()
    figure.autofmt_xdate()
    figure.savefig(path, format="png")
