# SPDX-License-Identifier: GPL-3.0-or-later
"""A question of a drill, and the verdict on a reply to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import product

from acessivel.message import Message
from acessivel.rules.position import Position
from voices.meaning import Answer, Castling, Meaning, MovePattern, Place
from voices.words.lexicon import FILES, RANKS

SQUARES = tuple(Place(file, rank) for file, rank in product(FILES, RANKS))


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said: its meanings, best first, and the words; a pointed square or a key has none."""

    meanings: tuple[Meaning, ...]
    words: str = ""

    @property
    def squares(self) -> tuple[Place, ...]:
        """The squares that were named, one or two; a piece before them does not matter."""
        for meaning in self.meanings:
            if isinstance(meaning, MovePattern) and meaning.target.complete:
                return (meaning.origin, meaning.target) if meaning.origin.complete else (meaning.target,)
        return ()

    @property
    def yes(self) -> bool | None:
        """Whether it was a yes; None when it was neither yes nor no."""
        return next((meaning.yes for meaning in self.meanings if isinstance(meaning, Answer)), None)

    @property
    def moves(self) -> tuple[MovePattern | Castling, ...]:
        """The announcements that it can be."""
        return tuple(meaning for meaning in self.meanings if isinstance(meaning, MovePattern | Castling))


@dataclass(frozen=True, slots=True)
class DrillVerdict:
    """What a reply is worth: `right` is None when it ends nothing; `then` is the question that stands now.

    A reply that is no answer leaves the question as it was (`then` is None too).
    """

    right: bool | None
    say: tuple[Message, ...] = ()
    then: DrillQuestion | None = None


class DrillQuestion(ABC):
    """Something that is asked; never changed. `intro` is told once, and `ask` again on request."""

    @property
    def intro(self) -> tuple[Message, ...]:
        """What is told before it, once."""
        return ()

    @property
    @abstractmethod
    def ask(self) -> tuple[Message, ...]:
        """The question."""

    @property
    @abstractmethod
    def solution(self) -> Message:
        """What would have been right."""

    @property
    @abstractmethod
    def answers(self) -> tuple[Meaning, ...]:
        """What a recogniser should expect, beside yes and no."""

    @property
    def position(self) -> Position | None:
        """The position that the display shows and that may be asked about, if there is one."""
        return None

    @property
    def board(self) -> bool:
        """Whether the display shows a board, to point at squares."""
        return self.position is not None

    @property
    def yes_or_no(self) -> bool:
        """Whether yes and no answer it."""
        return False

    def convention(self, usual: str) -> str:
        """The words in which it is answered, the user's `usual` ones unless the drill is about words."""
        return usual

    @abstractmethod
    def judge(self, reply: Reply) -> DrillVerdict:
        """The verdict on a reply that is no command."""


def squares_said(squares: tuple[Place, ...] = SQUARES) -> tuple[Meaning, ...]:
    """Squares as they are answered."""
    return tuple(MovePattern(square) for square in squares)
