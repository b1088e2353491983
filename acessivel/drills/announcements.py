# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeat the announcement: the program announces a move, the player repeats it; and how a move is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from acessivel.drills.games import Played
from acessivel.drills.question import DrillQuestion, DrillVerdict, Reply
from acessivel.message import Message
from acessivel.rules.position import Fact, Position
from voices.meaning import Meaning, MovePattern, Piece, PieceNamed


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
        return judged(self, reply, self.before, lambda fact: fact == self.fact)


@dataclass(frozen=True)
class PromotionQuestion(DrillQuestion):
    """To which piece a pawn promotes, where all else of a move was said in answer to another question."""

    about: DrillQuestion
    facts: tuple[Fact, ...]

    @property
    def ask(self) -> tuple[Message, ...]:
        return (Message.of("ask_promotion", move=self.facts[0]),)

    @property
    def solution(self) -> Message:
        return self.about.solution

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return tuple(PieceNamed(piece) for piece in map(_promotion, self.facts) if piece)

    @property
    def position(self) -> Position | None:
        return self.about.position

    def judge(self, reply: Reply) -> DrillVerdict:
        named = [meaning.piece for meaning in reply.meanings if isinstance(meaning, PieceNamed)]
        chosen = [fact for fact in self.facts if _promotion(fact) in named]
        if chosen:
            return self.about.judge(Reply((chosen[0].meaning,)))
        if not reply.moves:
            return DrillVerdict(None, (Message.of("drill_say_piece"),))
        verdict = self.about.judge(reply)
        return verdict if verdict.right is not None else replace(verdict, then=verdict.then or self.about)


def judged(
    question: DrillQuestion, reply: Reply, position: Position, is_right: Callable[[Fact], bool]
) -> DrillVerdict:
    """The verdict on a move by its meaning; none yet if several moves fit it, or if it is incomplete."""
    if not reply.moves:
        return DrillVerdict(None, (Message.of("drill_say_move"),))
    found = {fact.uci: fact for move in reply.moves for fact in position.matching(move)}
    facts = tuple(found.values())
    if len(facts) == 1:
        return DrillVerdict(is_right(*facts))
    if facts and all(map(_promotion, facts)) and len({fact.uci[:4] for fact in facts}) == 1:
        return DrillVerdict(None, then=PromotionQuestion(question, facts))
    if facts or not any(getattr(move, "whole", True) for move in reply.moves):
        return DrillVerdict(None, (Message.of("drill_say_all"),))
    return DrillVerdict(right=False)


def _promotion(fact: Fact) -> Piece | None:
    return fact.meaning.promotion if isinstance(fact.meaning, MovePattern) else None


def questions(rng: Random, games: Sequence[Played]) -> Iterator[DrillQuestion]:
    """Endless questions about moves of games."""
    while True:
        game = rng.choice(games)
        number = rng.randrange(len(game.facts))
        yield RepeatQuestion(game.positions[number], game.facts[number])
