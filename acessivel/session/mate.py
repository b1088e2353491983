# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a side can still mate: answered at once, or by a thorough search on which everything waits."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.dead_positions import CanMate
from acessivel.rules.position import Position
from acessivel.session import start
from acessivel.session.effects import Say, SeekMate
from acessivel.session.events import Event, Heard, MateSought, Ordered, Resumed, SquarePointed
from acessivel.session.state import MateState, SoughtMate, State, Step


class MateOpenError(Exception):
    """Only a thorough search can tell whether a side can still mate in a position."""

    def __init__(self, position: Position, colour: str) -> None:
        super().__init__(colour)
        self.position = position
        self.colour = colour


def can_mate(state: State, position: Position, colour: str) -> CanMate:
    """Whether a side can mate in a position, as far as few positions or a finished search tell.

    Raises MateOpenError if that must be looked for first.
    """
    for sought in state.mate.found:
        if sought.answer and (sought.position, sought.colour) == (position, colour):
            return sought.answer
    answer = position.can_mate(colour)
    if answer == "undecided":
        raise MateOpenError(position, colour)
    return answer


def seek(state: State, event: Event, asked: MateOpenError) -> Step:
    """Leave everything as it was before an event, the clocks stopped, until the search has ended."""
    if not isinstance(event, Resumed):
        state = replace(state, now_ms=max(event.at, state.now_ms))
    seeking, clock = SoughtMate(asked.position, asked.colour, event), state.game.clock
    if clock and clock.running:
        state = replace(state, clocks=state.clocks.waiting())
    state = replace(state, game=state.game.pause(state.now_ms), mate=replace(state.mate, seeking=seeking))
    return state, (Say((_looks(seeking),)), SeekMate())


def answered(state: State, seeking: SoughtMate, event: MateSought) -> tuple[State, Event]:
    """The state in which the answer is known, and the event that has waited for it."""
    found = replace(seeking, answer=cast("CanMate", event.answer))
    state = replace(state, mate=MateState(found=(*state.mate.found, found)))
    return state, replace(seeking.event, at=event.at)


def meanwhile(state: State, seeking: SoughtMate, event: Event) -> Step:
    """Something else happens during the search: a player is told to wait; a new run searches anew."""
    match event:
        case Resumed(confirm=confirm):
            state, _ = start.resumed(replace(state, confirm=confirm), event.at)
            told = (Message.of("resumed"), queries.played(state.game), _looks(seeking))
            return state, (Say(told), SeekMate())
        case Heard() | Ordered() | SquarePointed():
            return state, (Say((_looks(seeking),)),)
    return state, ()


def _looks(seeking: SoughtMate) -> Message:
    return Message.of("arbiter_looks", opponent=seeking.colour)
