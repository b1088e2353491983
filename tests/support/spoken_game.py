# SPDX-License-Identifier: GPL-3.0-or-later
"""A game that is played by what is said, pressed and pointed at, through the core alone."""

from dataclasses import replace

from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from support.happening import all_told, happen


class Game:
    """A game in English words; each event comes ten seconds after the one before has been told."""

    def __init__(self, **setup):
        self.state = State.new(Setup.of(**({"language": "en", "opponent": "human"} | setup)))
        self.now, self.told = 0, []
        self.happen(ev.Started())

    def happen(self, *events):
        for event in events:
            self.now += 10_000
            self.state, effects = happen(self.state, replace(event, at=self.now))
            self.told = all_told(effects)
            self.state, _ = happen(self.state, ev.SpeechEnded(at=self.now, heard=True))
        return self

    @property
    def keys(self):
        return [message.key for message in self.told]

    def says(self, *words):
        return self.happen(*(ev.Heard(words=(said,)) for said in words))

    def orders(self, *commands, **values):
        return self.happen(*(ev.Ordered(command=command, **values) for command in commands))

    def points(self, *squares):
        return self.happen(*(ev.SquarePointed(square=square) for square in squares))

    def moves(self, *moves):
        for move in moves:
            self.says(move, "yes")
        return self
