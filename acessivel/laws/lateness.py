# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on players who come late or not at all (6.6, 6.7)."""

from __future__ import annotations

from acessivel.laws.editions import Rules
from acessivel.laws.ruling import WIN, Ruling, opponent
from acessivel.message import Duration


def late(rules: Rules, absent: tuple[str, ...], late_ms: int, event_ms: int | None = None) -> Ruling:
    """A player is absent `late_ms` after the start (6.7, 2001; 6.6, 2009; 6.7, 2014; 6.7.1, 2018).

    `absent`: "white", "black" or both. `event_ms`: the delay that the event allows; None if it does not say:
    then 2001 allows an hour, 2009 nothing, and from 2014 on the arbiter decides. A player who exceeds the
    delay loses, both if both are absent; in every edition the arbiter may rule otherwise.
    """
    cite = rules.cite("late")
    if event_ms is None and rules.late_by_event:
        return Ruling("late_arbiter", *cite, for_arbiter=True)
    allowed = rules.late_ms if event_ms is None else event_ms
    if late_ms <= allowed:
        return Ruling("late_in_time", *cite, (("time", Duration(allowed)),))
    if len(absent) == 2:
        return Ruling("late_both", *cite, (("time", Duration(allowed)),), result="0-0")
    values = (("colour", absent[0]), ("time", Duration(allowed)))
    return Ruling("late_lost", *cite, values, result=WIN[opponent(absent[0])])
