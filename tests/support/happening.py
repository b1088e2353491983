# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets an event happen as the program's loop does: what is to happen again happens at once."""

from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.step import step


def happen(state, event):
    """The state after an event, and all of its effects but `Again`; what must be searched for is found."""
    state, effects = step(state, event)
    done = []
    for effect in effects:
        if isinstance(effect, ef.Again):
            state, more = happen(state, effect.event)
            done += more
        else:
            done.append(effect)
        if isinstance(effect, ef.SeekMate):
            sought = state.mate.seeking
            answer = sought.position.can_mate(sought.colour, thoroughly=True)
            state, more = happen(state, ev.MateSought(answer=answer, at=state.now_ms))
            done += more
    return state, tuple(done)


def hear(state, event):
    """The same for words that are said after the open question has been heard to its end."""
    state, _ = happen(state, ev.SpeechEnded(heard=True, at=event.at))
    return happen(state, event)
