# SPDX-License-Identifier: GPL-3.0-or-later
"""A question of a drill, and the verdict on a reply to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import product

from acessivel.message import Message
from acessivel.rules.position import Position
from voices.meaning import Answer, Castling, ColourNamed, Meaning, MovePattern, Place
from voices.words.lexicon import FILES, RANKS

SQUARES = tuple(Place(file, rank) for file, rank in product(FILES, RANKS))


@dataclass(frozen=True, slots=True)
class Reply:
    """What was said: its meanings, best first, and the words; a pointed square or a key has no words."""

    meanings: tuple[Meaning, ...]
    words: str = ""

    @property
    def squares(self) -> tuple[Place, ...]:
        """The squares that were named, one or two; a piece named before them is ignored."""
        for meaning in self.meanings:
            if isinstance(meaning, MovePattern) and meaning.target.complete:
                return (meaning.origin, meaning.target) if meaning.origin.complete else (meaning.target,)
        return ()

    @property
    def yes(self) -> bool | None:
        """Whether it was a yes; None if it was neither yes nor no."""
        return next((meaning.yes for meaning in self.meanings if isinstance(meaning, Answer)), None)

    @property
    def colour(self) -> str:
        """The colour that was named, "" if none was."""
        return next((meaning.colour for meaning in self.meanings if isinstance(meaning, ColourNamed)), "")

    @property
    def moves(self) -> tuple[MovePattern | Castling, ...]:
        """The announcements that it can mean."""
        return tuple(meaning for meaning in self.meanings if isinstance(meaning, MovePattern | Castling))


@dataclass(frozen=True, slots=True)
class DrillVerdict:
    """The verdict on a reply: `right` is None if the question stays open; `then` is the next question.

    A reply that is no answer leaves the question as it was (`then` is None too).
    """

    right: bool | None
    say: tuple[Message, ...] = ()
    then: DrillQuestion | None = None


class DrillQuestion(ABC):
    """A question of a drill; immutable. `intro` is said once, `ask` also again on request."""

    @property
    def intro(self) -> tuple[Message, ...]:
        """What is said once, before the question."""
        return ()

    @property
    @abstractmethod
    def ask(self) -> tuple[Message, ...]:
        """The question."""

    @property
    @abstractmethod
    def solution(self) -> Message:
        """The right answer."""

    @property
    @abstractmethod
    def answers(self) -> tuple[Meaning, ...]:
        """What a recogniser should expect besides yes and no."""

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
        """Whether it is answered by yes or no."""
        return False

    def convention(self, usual: str) -> str:
        """The convention for its answers: the user's `usual` one unless the drill is about words."""
        return usual

    @abstractmethod
    def judge(self, reply: Reply) -> DrillVerdict:
        """The verdict on a reply that is no command."""


def squares_said() -> tuple[Meaning, ...]:
    """The squares as a user answers them."""
    return tuple(MovePattern(square) for square in SQUARES)
