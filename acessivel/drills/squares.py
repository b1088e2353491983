# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares by Anna to Hector: asked in these words and answered as letter and number, or the other way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from acessivel.drills.question import SQUARES, DrillQuestion, DrillVerdict, Reply, squares_said
from acessivel.message import Message
from voices.grammar import grammar
from voices.meaning import Meaning, MovePattern, Place
from voices.speakers import Span
from voices.words.conventions import DEFAULT
from voices.words.lexicon import spellings, words_of
from voices.words.phrasing import phrasing

ALL_WORDS = "mixed"  # the convention that understands both forms
_LETTERS = "letters"


@dataclass(frozen=True)
class SquareQuestion(DrillQuestion):
    """A square in one form; `in_words`: the answer must be in the words of the FIDE rules."""

    square: Place
    in_words: bool
    language: str

    @property
    def ask(self) -> tuple[Message, ...]:
        key, square = (
            ("drill_ask_in_words", self._letters) if self.in_words else ("drill_ask_in_letters", self._words)
        )
        return (Message.of(key, said=square),)

    @property
    def solution(self) -> Message:
        return Message.of("drill_square", letters=self._letters, words=self._words)

    @property
    def answers(self) -> tuple[Meaning, ...]:
        return squares_said()

    @property
    def board(self) -> bool:
        """A board to point at if the words are given; pointing cannot answer in words."""
        return not self.in_words

    def convention(self, usual: str) -> str:  # noqa: ARG002  # the drill is about words
        return DEFAULT if self.in_words else _LETTERS

    def judge(self, reply: Reply) -> DrillVerdict:
        if not reply.squares or reply.squares[1:]:
            return DrillVerdict(None, (Message.of("drill_say_square"),))
        if reply.words and (grammar.plain_phrase(reply.words) in _fide()) != self.in_words:
            key = "drill_say_in_words" if self.in_words else "drill_say_in_letters"
            return DrillVerdict(None, (Message.of(key),))
        return DrillVerdict(reply.squares == (self.square,))

    @property
    def _words(self) -> Span:
        words = phrasing(DEFAULT, self.language)
        return Span(words.place(self.square, spoken=False), words.language)

    @property
    def _letters(self) -> Span:
        return Span(str(self.square), self.language)


@cache
def _fide() -> frozenset[str]:
    """Every square in the words of the FIDE rules, as a recogniser writes it, or typed without umlauts."""
    words = phrasing(DEFAULT, "de")
    written = (words_of(words.place(square, spoken=False)) for square in SQUARES)
    typed = (" ".join(phrase) for each in written for phrase in product(*map(spellings, each)))
    return frozenset((*grammar.in_words(map(MovePattern, SQUARES), DEFAULT, "de"), *typed))


def questions(rng: Random, language: str) -> Iterator[DrillQuestion]:
    """Endless questions; no square is repeated until all others have come up."""
    while True:
        for square in rng.sample(SQUARES, len(SQUARES)):
            yield SquareQuestion(square, rng.random() < 0.5, language)
