# SPDX-License-Identifier: GPL-3.0-or-later
"""What a speaker is asked to say at the enrolment: all words of announcements and answers, in few phrases."""

from __future__ import annotations

from dataclasses import dataclass

from voices.grammar import grammar
from voices.meaning import Castling, Move, MovePattern, Piece, Place, Side
from voices.speakers import Span
from voices.words.lexicon import FILES, RANKS
from voices.words.phrasing import phrasing

ROUNDS = (1, 2)
_PIECES = (Piece.KNIGHT, Piece.BISHOP, Piece.ROOK, Piece.QUEEN, Piece.KING, Piece.PAWN)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A short announcement or answer: as a recogniser writes it, and as the program says it."""

    words: str
    said: Move | Span


def prompts(convention: str, language: str, round_: int) -> tuple[Prompt, ...]:
    """The prompts of a round; the second round combines the same words in another way."""
    aloud = phrasing(convention, language)
    answers = [
        Span(words.say("answer", answer), words.language or language)
        for words in grammar.answering(convention, language)
        for answer in ("yes", "no")
    ]
    said = [Prompt(aloud.move(move, spoken=True), move) for move in _moves(round_)]
    said += [Prompt(span.text, span) for span in dict.fromkeys(answers)]
    plain = (Prompt(grammar.plain_phrase(prompt.words), prompt.said) for prompt in said)
    known = grammar.pronunciations(convention, language)
    return tuple(prompt for prompt in plain if all(word in known for word in prompt.words.split()))


def _moves(round_: int) -> list[Move]:
    """Every file and every rank once, each with a piece, and both castlings."""
    later = round_ - 1
    moves: list[Move] = [
        MovePattern(Place(file, RANKS[(at + 3 * later) % 8]), _PIECES[(at + 2 * later) % 6])
        for at, file in enumerate(FILES)
    ]
    return [*moves, *(Castling(side) for side in Side)]
