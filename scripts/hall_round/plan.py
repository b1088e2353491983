# SPDX-License-Identifier: GPL-3.0-or-later
"""What a round is to be, and the files by which its processes tell each other how it goes."""

from __future__ import annotations

from dataclasses import dataclass

# In the folder of a table.
COMMITTED = "committed"  # each move that was journalled, and when
CASES = "cases"  # each case for an arbiter, when it was journalled, and its sentences
OVER = "over"  # its game has come to its end
LEAVE = "leave"  # it may go, when the hall knows everything
# In the folder of the round.
KNOWN = "known"  # each move that the desk knows, and when it came
AT_DESK = "at the desk"  # what a desk of the program gave to voice and display, and when; with its number
GO = "go"  # the tables may begin
TELL = "tell"  # the desk may write down what it knows
TOLD = "told"  # what it knows


@dataclass(frozen=True)
class Plan:
    """Rounds at once: halls, tables in all, moves, how fast they are, with which trouble, from which seed."""

    halls: int = 1
    """They share one server, each with its own database and its share of the tables."""
    tables: int = 100
    arbiters: int = 1
    """Desks of the program in each hall, if there is no trouble: it takes the time that is measured there."""
    plies: int = 80
    pace_s: float = 2.0
    trouble: bool = True
    seed: int = 1
