# SPDX-License-Identifier: GPL-3.0-or-later
"""A long answer -> portions of about ten seconds of speech: one is told, the rest waits to be requested."""

from __future__ import annotations

from bisect import bisect
from dataclasses import replace

from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Fact
from acessivel.session.changes import say
from acessivel.session.state import State, Step

LONGEST = 160  # characters as they are spoken: a voice at its usual speed says about 16 a second


def tell(state: State, messages: tuple[Message, ...], *question: Message, private: bool = False) -> Step:
    """Tell as much as fits into a portion, that there is more, and the open question; store the rest."""
    renderer = Renderer(state.setup.language, state.setup.convention)
    told, rest = first(messages, renderer)
    more = (Message.of("more_follows"),) if rest else ()
    state, effects = say(state, *told, *more, *question, private=private)
    return replace(state, told=replace(state.told, rest=rest)), effects


def go_on(state: State, *question: Message) -> Step:
    """Tell the next portion, to the same audience as the first."""
    if not state.told.rest or (state.told.private and state.told.to != state.by):
        return say(state, Message.of("more_not"), *question)
    return tell(state, state.told.rest, *question, private=state.told.private)


def first(
    messages: tuple[Message, ...], renderer: Renderer
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """What fits into one portion, and what is left; a message that is too long for one is divided."""
    told: tuple[Message, ...] = ()
    for number, message in enumerate(messages):
        if _fits((*told, message), renderer):
            told = (*told, message)
        elif told and _fits((message,), renderer):
            return told, messages[number:]
        else:
            start, left = _divided(message, told, renderer)
            return (*told, *start), (*left, *messages[number + 1 :])
    return told, ()


def _fits(messages: tuple[Message, ...], renderer: Renderer) -> bool:
    return sum(len(span.text) for span in renderer.spans(messages)) <= LONGEST


def _divided(
    message: Message, told: tuple[Message, ...], renderer: Renderer
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """A message with as much of its longest list as fits after what is told, and one with the rest."""
    lists = {name: value for name, value in message.values if isinstance(value, tuple)}
    name = max(lists, key=lambda name: len(lists[name]), default="")
    units = _units(lists.get(name, ()))

    def too_long(n: int) -> bool:
        return not _fits((*told, _with(message, name, units[:n])), renderer)

    count = bisect(range(1, len(units)), False, key=too_long)  # words added to a list make it longer
    if not count and told:
        return (), (message,)
    if len(units) <= 1:
        return (message,), ()
    return (_with(message, name, units[: count or 1]),), (_with(message, name, units[count or 1 :]),)


def _with(message: Message, name: str, units: list[tuple[object, ...]]) -> Message:
    """The message with a part of a list."""
    items = tuple(item for unit in units for item in unit)
    return Message.of(message.key, **(dict(message.values) | {name: items}))


def _units(items: tuple[object, ...]) -> list[tuple[object, ...]]:
    """The units that must stay together: Black's reply is told with the move and its number."""
    units: list[tuple[object, ...]] = []
    for item in items:
        before = units[-1][-1] if units else None
        if isinstance(item, Fact) and isinstance(before, Fact) and _replies(item, before):
            units[-1] = (*units[-1], item)
        else:
            units.append((item,))
    return units


def _replies(fact: Fact, before: Fact) -> bool:
    return fact.number == before.number and fact.colour != before.colour
