# SPDX-License-Identifier: GPL-3.0-or-later
"""The record of one game as a value: how it was set up, its moves and times, its result."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acessivel.clock import Clock, TimeControl
from acessivel.rules import BLACK, COLOURS, WHITE, Fact, Position, other


@dataclass(frozen=True, slots=True)
class Setup:
    """What is agreed before the first move, and stays with the record."""

    language: str = "pt"
    convention: str = "fide"
    opponent: str = "human"
    colour: str = WHITE
    level: int = 3
    clock: str = "none"
    fen: str | None = None
    white: str = "?"
    black: str = "?"
    demo: bool = False

    @property
    def persons(self) -> tuple[str, ...]:
        """The colours whose moves are announced to the program."""
        return COLOURS if self.opponent == "human" else (self.colour,)


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that was made, and what its player had left on the clock after it, in ms."""

    fact: Fact
    left_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result as PGN writes it, and why (a key of the catalogue)."""

    score: str
    reason: str


@dataclass(frozen=True, slots=True)
class Game:
    """One game; every change makes a new value."""

    start: Position
    position: Position
    played: tuple[PlayedMove, ...] = ()
    clock: Clock | None = None
    result: Result | None = None

    @classmethod
    def new(cls, setup: Setup) -> Game:
        """A game before its first move; BadFenError or ClockNotationError when the setup has a mistake."""
        start = Position.start(setup.fen)
        control = TimeControl.parse(setup.clock)
        return cls(start, start, clock=Clock.of(control) if control else None).ended_by_position(0)

    @property
    def last(self) -> Fact | None:
        """The move made last."""
        return self.played[-1].fact if self.played else None

    def play(self, fact: Fact, now_ms: int) -> Game:
        """Make a legal move and complete it on the clock; then nobody's time runs."""
        clock = self.clock.completed(fact.colour, now_ms) if self.clock else None
        left = clock.left(fact.colour, now_ms) if clock else None
        moved = replace(
            self,
            position=self.position.after(fact.uci),
            played=(*self.played, PlayedMove(fact, left)),
            clock=clock,
        )
        return moved.ended_by_position(now_ms)

    def let_run(self, now_ms: int) -> Game:
        """Start the clock of the side to move, unless it runs or the game is over."""
        if self.result or not self.clock or self.clock.running:
            return self
        return replace(self, clock=self.clock.start(self.position.turn, now_ms))

    def finish(self, score: str, reason: str, now_ms: int) -> Game:
        """End the game with a result."""
        clock = self.clock.stop(now_ms) if self.clock else None
        return replace(self, result=Result(score, reason), clock=clock)

    def flag_fallen(self, now_ms: int) -> Game:
        """End the game if a flag is down: lost, or drawn if the opponent cannot mate (art. 6.9)."""
        fallen = self.clock.flag(now_ms) if self.clock and not self.result else None
        if not fallen:
            return self
        if not self.position.has_mating_material(other(fallen)):
            return self.finish("1/2-1/2", "flag_no_mate", now_ms)
        return self.finish(win_for(other(fallen)), "flag", now_ms)

    def ended_by_position(self, now_ms: int) -> Game:
        """End the game if no move can follow."""
        ending = self.position.ending()
        return self.finish(ending.result, ending.reason, now_ms) if ending else self


def win_for(colour: str) -> str:
    """The result as PGN writes it when a side has won."""
    return {WHITE: "1-0", BLACK: "0-1"}[colour]
