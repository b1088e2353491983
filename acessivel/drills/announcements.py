# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeat the announcement: the program announces a move, the player repeats it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from acessivel.drills.games import Played
from acessivel.drills.question import DrillQuestion, DrillVerdict, Reply
from acessivel.message import Message
from acessivel.rules.position import Fact, Position
from voices.meaning import Meaning


@dataclass(frozen=True)
class RepeatQuestion(DrillQuestion):
    """A move to be repeated, in the position in which it is made."""

    before: Position
    fact: Fact

    @property
    def ask(self) -> tuple[Message, ...]:
        return (Message.of("drill_ask_repeat", move=self.fact),)

    @property
    def solution(self) -> Message:
        return Message.of("drill_move", move=self.fact)

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return tuple(fact.meaning for fact in self.before.legal)

    @property
    def position(self) -> Position:
        return self.before

    def judge(self, reply: Reply) -> DrillVerdict:
        return judged(reply, self.before, lambda fact: fact == self.fact)


def judged(reply: Reply, position: Position, is_right: Callable[[Fact], bool]) -> DrillVerdict:
    """The verdict on a move by its meaning; none yet if several moves fit it, or if it is incomplete."""
    if not reply.moves:
        return DrillVerdict(None, (Message.of("drill_say_move"),))
    found = {fact.uci: fact for move in reply.moves for fact in position.matching(move)}
    if len(found) == 1:
        return DrillVerdict(is_right(*found.values()))
    if found or not any(getattr(move, "whole", True) for move in reply.moves):
        return DrillVerdict(None, (Message.of("drill_say_all"),))
    return DrillVerdict(right=False)


def questions(rng: Random, games: Sequence[Played]) -> Iterator[DrillQuestion]:
    """Endless questions about moves of games."""
    while True:
        game = rng.choice(games)
        number = rng.randrange(len(game.facts))
        yield RepeatQuestion(game.positions[number], game.facts[number])
