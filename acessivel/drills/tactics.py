# SPDX-License-Identifier: GPL-3.0-or-later
"""Mates and tactics: find the move, and the moves after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from acessivel.drills.announcements import judged
from acessivel.drills.games import Played, position_told
from acessivel.drills.question import DrillQuestion, DrillVerdict, Reply
from acessivel.message import Message
from acessivel.rules.position import Fact, Position
from voices.meaning import Check, Meaning


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position, and the moves of both sides (UCI) that solve it; a move of `also` may replace the first.

    `mate`: in how many moves it is mate, 0 if the exercise is about something else.
    """

    fen: str
    line: tuple[str, ...]
    also: frozenset[str] = frozenset()
    mate: int = 0


@dataclass(frozen=True)
class TacticQuestion(DrillQuestion):
    """Move number `step` (counted in half-moves from 0) of an exercise."""

    exercise: Exercise
    before: Position
    step: int = 0

    @property
    def intro(self) -> tuple[Message, ...]:
        return () if self.step else position_told(self.before)

    @property
    def ask(self) -> tuple[Message, ...]:
        colour, mate = self.before.turn, self.exercise.mate - self.step // 2
        if self.exercise.mate:
            return (Message.of("drill_ask_mate", colour=colour, count=mate),)
        return (Message.of("drill_ask_best" if not self.step else "drill_ask_next_move", colour=colour),)

    @property
    def solution(self) -> Message:
        line = Played(Position.start(self.exercise.fen), self.exercise.line)
        return Message.of("drill_line", moves=line.facts[self.step :])

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return tuple(fact.meaning for fact in self.before.legal)

    @property
    def position(self) -> Position:
        return self.before

    def judge(self, reply: Reply) -> DrillVerdict:
        said: list[Fact] = []

        def solves(move: Fact) -> bool:
            said.append(move)
            first = self.step == 0 and move.uci in self.exercise.also
            return move.uci == self.exercise.line[self.step] or first or move.meaning.check is Check.MATE

        verdict = judged(self, reply, self.before, solves)
        follows = self.exercise.line[self.step + 1 : self.step + 3]
        on_line = bool(said) and said[0].uci == self.exercise.line[self.step]
        if not (verdict.right and on_line and len(follows) == 2):
            return verdict
        after = self.before.after(said[0].uci)
        told = Message.of("drill_answered", move=after.fact(follows[0]))
        return DrillVerdict(
            None, (told,), TacticQuestion(self.exercise, after.after(follows[0]), self.step + 2)
        )


def questions(rng: Random, exercises: Sequence[Exercise]) -> Iterator[DrillQuestion]:
    """Each exercise once, in random order."""
    for exercise in rng.sample(exercises, len(exercises)):
        yield TacticQuestion(exercise, Position.start(exercise.fen))
