# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that are played as the program plays them, and what their table tells the hall meanwhile."""

from acessivel.game.game import Setup
from acessivel.hall.board import HallRecord
from acessivel.hall.entries import entries
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step


class ToldGame:
    """A game that tells the hall what happens: its `state`, and the `records` of what it has told."""

    def __init__(self, table=1, game="g", **setup):
        self.table, self.game, self.records = table, game, []
        self.state = State.new(Setup.of(**setup))
        self.happen(ev.Started(hall=True))
        self.happen(ev.SpeechEnded())

    def happen(self, event):
        before = self.state
        self.state, effects = step(before, event)
        for entry in entries(before, event, self.state):
            number = len(self.records)
            self.records.append(HallRecord(self.table, self.game, number, self.state.now_ms, entry))
        for effect in effects:
            if isinstance(effect, ef.Again):
                self.happen(effect.event)
            if isinstance(effect, ef.SeekMate):
                sought = self.state.mate.seeking
                answer = sought.position.can_mate(sought.colour, thoroughly=True)
                self.happen(ev.MateSought(answer=answer, at=self.state.now_ms))
        return self

    def say(self, *words, at=None):
        for word in words:
            self.happen(ev.Heard(words=(word,), at=self.state.now_ms if at is None else at))
        return self
