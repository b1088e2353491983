# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on players who come late or not at all (6.6, 6.7)."""

from __future__ import annotations

from dataclasses import replace

from acessivel.laws.editions import Rules
from acessivel.laws.ruling import WIN, Ruling, opponent
from acessivel.message import Duration, Message


def late(
    rules: Rules,
    absent: tuple[str, ...],
    late_ms: int,
    event_ms: int | None = None,
    *,
    arbiter_present: bool = False,
) -> Ruling:
    """A player is absent `late_ms` after the start (6.7, 2001; 6.6, 2009; 6.7, 2014; 6.7.1, 2018).

    `absent`: "white", "black" or both. `event_ms`: the delay that the event allows; None if it does not say:
    then 2001 allows an hour, 2009 nothing, and from 2014 on the arbiter decides. A player who exceeds the
    delay loses, both if both are absent; but for 2009 the arbiter may rule otherwise: if `arbiter_present`,
    the loss is left to him.
    """
    cite = rules.cite("late")
    if event_ms is None and rules.late_by_event:
        only = (("colour", absent[0]),) if len(absent) == 1 else ()
        return Ruling("late_arbiter", *cite, only, for_arbiter=True)
    allowed_ms = rules.late_ms if event_ms is None else event_ms
    allowed = _allowed(allowed_ms)
    if late_ms <= allowed_ms:
        return Ruling("late_in_time", *cite, (allowed,))
    lost = Ruling("late_both", *cite, (allowed,), result=score(absent))
    if len(absent) == 1:
        lost = replace(lost, key="late_lost", values=(("colour", absent[0]), allowed))
    if not (arbiter_present and rules.late_arbiter):
        return lost
    return replace(lost, key=f"{lost.key}_asked", result=None, for_arbiter=True)


def score(absent: tuple[str, ...]) -> str:
    """The result of a game that is lost by who is absent: "white", "black" or both."""
    return "0-0" if len(absent) == 2 else WIN[opponent(absent[0])]


def _allowed(ms: int) -> tuple[str, Message]:
    """How late a player may come, as a value of the sentence."""
    return "allowed", Message.of("late_allowed", time=Duration(ms)) if ms else Message.of("late_none_allowed")
