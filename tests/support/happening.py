# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets an event happen as the program's loop does: what is to happen again happens at once.

And what has come of it: what was told, and the moves.
"""

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


def all_told(effects):
    """The messages of all effects that tell something."""
    return [message for effect in effects if isinstance(effect, ef.Say) for message in effect.messages]


def played_sans(state):
    """The moves that count, in SAN."""
    return [move.fact.san for move in state.game.played]


def played_ucis(state):
    """The moves that count, in UCI."""
    return [move.fact.uci for move in state.game.played]
