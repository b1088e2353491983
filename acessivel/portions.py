# SPDX-License-Identifier: GPL-3.0-or-later
"""A long answer -> portions of about ten seconds of speech: one is told, the rest waits to be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from acessivel.message import Message
from acessivel.rendering import Renderer
from acessivel.rules import Fact
from acessivel.state import State, Step, say

LONGEST = 160  # characters as they are spoken: a voice at its usual speed says about 16 a second


def tell(state: State, messages: tuple[Message, ...], *question: Message) -> Step:
    """Tell as much as fits into a portion, that there is more, and the open question; the rest waits."""
    renderer = Renderer(state.setup.language, state.setup.convention)
    told, rest = first(messages, renderer)
    more = (Message.of("more_follows"),) if rest else ()
    state, effects = say(state, *told, *more, *question)
    return replace(state, rest=rest), effects


def go_on(state: State, *question: Message) -> Step:
    """Tell the next portion."""
    if not state.rest:
        return say(state, Message.of("more_not"), *question)
    return tell(state, state.rest, *question)


def first(
    messages: tuple[Message, ...], renderer: Renderer
) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """The messages that fit into one portion, at least one of them, and those that are left.

    A message that is longer than a portion is one for each part of its longest list.
    """
    parts = tuple(part for message in messages for part in _cut(message, renderer))
    counts = range(2, len(parts) + 1)
    count = next((n - 1 for n in counts if _length(parts[:n], renderer) > LONGEST), len(parts))
    return parts[:count], parts[count:]


def _length(messages: tuple[Message, ...], renderer: Renderer) -> int:
    return sum(len(span.text) for span in renderer.spans(messages))


def _cut(message: Message, renderer: Renderer) -> Iterator[Message]:
    lists = {name: value for name, value in message.values if isinstance(value, tuple) and len(value) > 1}
    if not lists or _length((message,), renderer) <= LONGEST:
        yield message
        return
    name = max(lists, key=lambda name: len(lists[name]))
    units = _units(lists[name])
    taken: tuple[object, ...] = ()
    for unit in units:
        if taken and _length((_with(message, name, (*taken, *unit)),), renderer) > LONGEST:
            yield _with(message, name, taken)
            taken = ()
        taken = (*taken, *unit)
    yield _with(message, name, taken)


def _with(message: Message, name: str, items: tuple[object, ...]) -> Message:
    return Message.of(message.key, **(dict(message.values) | {name: items}))


def _units(items: tuple[object, ...]) -> list[tuple[object, ...]]:
    """What must stay together: Black's reply is told with the move and its number."""
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
