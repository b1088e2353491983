# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets an event happen as the program's loop does: what is to happen again happens at once."""

from acessivel.session import events as ev
from acessivel.session.step import step


def happen(state, event):
    """The state after an event, and all of its effects but `Again`."""
    state, effects = step(state, event)
    done = []
    for effect in effects:
        if isinstance(effect, ev.Again):
            state, more = happen(state, effect.event)
            done += more
        else:
            done.append(effect)
    return state, tuple(done)
