# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told of an announcement that comes to nothing: it is withdrawn, or how else it can be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Asking,
    Claiming,
    Missing,
    Nothing,
    Sure,
    under_list,
)
from acessivel.dialogue.turn import CallArbiter, CarryOut, Turn
from acessivel.message import Message
from acessivel.session.changes import resting
from acessivel.session.effects import Effect, Say
from acessivel.session.state import State

_SAY_AGAIN = Message.of("say_again")
WITHDRAWN = Message.of("announced_withdrawn")


def in_parts(state: State, turn: Turn) -> Turn:
    """After a second no to what was announced in one turn, how it can be said in parts.

    Who was misheard twice is misheard a third time.
    """
    again = turn == Turn(NOTHING, (_SAY_AGAIN,)) and state.denied_at == len(state.game.played)
    if not again or not isinstance(resting(state).asking, Nothing | Claiming):  # where a piece is announced
        return turn
    return replace(turn, say=(Message.of("say_again_in_parts"),))


def denied(state: State, turn: Turn) -> State:
    """The state that remembers when an announcement had its last no."""
    if _SAY_AGAIN not in turn.say:
        return state
    return replace(state, denied_at=len(state.game.played))


def told(before: State, turn: Turn, after: State, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """The effects of what was said, with the news that what was announced is withdrawn by it.

    So it is by a command that leads elsewhere, such as to the arbiter, and does not say so itself.
    """
    leads = turn.command or isinstance(turn.do, CarryOut | CallArbiter)
    was, now = (is_announced(one.asking) for one in (before, after))
    another = len(after.game.played) != len(before.game.played) or after.game.result  # position
    if not leads or not was or now or another or turn.say:
        return tuple(effects)
    first, *others = effects or (Say(),)
    if isinstance(first, Say):
        return replace(first, messages=(WITHDRAWN, *first.messages)), *others
    return Say((WITHDRAWN,)), first, *others


def is_announced(asking: Asking) -> bool:
    """Whether something was announced, also under a list or the question of a command; not what is picked."""
    under = under_list(asking)
    under = under_list(under.before) if isinstance(under, Sure) else under
    return isinstance(under, ANNOUNCING) and not (isinstance(under, Missing) and under.pointed)
