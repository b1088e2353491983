# SPDX-License-Identifier: GPL-3.0-or-later
"""A game resumed from the last agreed position with the arbiter's clocks (appendix, points 7, 8; 2009)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from acessivel.errors import UserError
from acessivel.game.game import Game, Setup
from acessivel.game.imported import Before
from acessivel.message import Message
from acessivel.rules.position import Fact

_MINUTE_MS = 60_000


def restarted(
    setup: Setup,
    agreed: Sequence[Fact],
    sources: tuple[str, ...],
    given: tuple[int | None, int | None],
    told: tuple[int, ...],
) -> Setup:
    """What is agreed for that game; it names the records (`sources`) that it is based on.

    The clocks of White and Black in ms: those that the arbiter has `given`, else those that a record has
    `told`. Without an agreed clock, given times run down with nothing added. Raises UserError if only one
    time is given, if a clock needs both, or if the game is over in that position.
    """
    white, black = given
    if (white is None) != (black is None):
        raise UserError(Message.of("restart_both_times"))
    times = (white, black) if white is not None and black is not None else told
    clock = setup.timing.clock
    if clock == "none" and white is not None:
        clock = str(math.ceil(max(times) / _MINUTE_MS))
    if clock != "none" and not times:
        raise UserError(Message.of("restart_needs_times"))
    kept = setup.beginning.before.tags if setup.beginning.before else ()
    source = ("Source", f"{' + '.join(sources)} ({len(agreed)})")
    tags = (*(tag for tag in kept if tag[0] != "Source"), source)
    before = Before(tuple(fact.uci for fact in agreed), (), times if clock != "none" else (), tags)
    restarted = replace(
        setup,
        demo=False,
        timing=replace(setup.timing, clock=clock),
        beginning=replace(setup.beginning, before=before),
    )
    if Game.new(restarted).result:
        raise UserError(Message.of("restart_over"))
    return restarted
