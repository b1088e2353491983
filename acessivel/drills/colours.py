# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from acessivel.drills.question import SQUARES, DrillQuestion, DrillVerdict, Reply
from acessivel.message import Message
from acessivel.rules.position import COLOURS, WHITE, is_light
from voices.meaning import ColourNamed, Meaning, Place


@dataclass(frozen=True)
class ColourQuestion(DrillQuestion):
    """Whether a square is `light`, or otherwise whether it is dark."""

    square: Place
    light: bool

    @property
    def ask(self) -> tuple[Message, ...]:
        key = "drill_ask_light" if self.light else "drill_ask_dark"
        return (Message.of(key, square=self.square),)

    @property
    def solution(self) -> Message:
        key = "drill_light" if is_light(self.square) else "drill_dark"
        return Message.of(key, square=self.square)

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return tuple(map(ColourNamed, COLOURS))

    @property
    def yes_or_no(self) -> bool:
        return True

    def judge(self, reply: Reply) -> DrillVerdict:
        if reply.colour:
            return DrillVerdict((reply.colour == WHITE) == is_light(self.square))
        if reply.yes is None:
            return DrillVerdict(None, (Message.of("drill_say_yes_or_no"),))
        return DrillVerdict(reply.yes == (is_light(self.square) == self.light))


def questions(rng: Random) -> Iterator[DrillQuestion]:
    """Endless questions; no square is repeated until all others have come up."""
    while True:
        for square in rng.sample(SQUARES, len(SQUARES)):
            yield ColourQuestion(square, light=rng.random() < 0.5)
