# SPDX-License-Identifier: GPL-3.0-or-later
"""Words -> the piece that is asked for, to promote to or to take with: they begin no announcement."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from voices.meaning import Piece, PieceNamed, Reading
from voices.understanding.meanings import read_heard
from voices.understanding.written_moves import without_check
from voices.words.lexicon import fold, vocabulary


def read(
    text: str,
    language: str,
    convention: str,
    *,
    spoken: bool,
    offered: Container[Piece | None] = tuple(Piece),
) -> tuple[Reading, ...]:
    """The pieces that an answer can mean, best first; empty if it is none.

    What may stand before a piece is left out ("a queen": "a" is a file, too), and a check may follow. A typed
    letter is the piece that has it in the language, in either case: in English "n" is the knight, not a no.
    That of a piece that is not `offered` is none.
    """
    letters = () if spoken else tuple(_by_letter(text.strip(), language, offered))
    return letters or tuple(_by_name(text, language, convention))


def _by_letter(letter: str, language: str, offered: Container[Piece | None]) -> Iterator[Reading]:
    for piece, sign in vocabulary(language).letters.items():
        if sign == letter.upper() and piece in offered:
            yield Reading(PieceNamed(piece))


def _by_name(text: str, language: str, convention: str) -> Iterator[Reading]:
    named, check = without_check(text, language)
    words, before = named.split(), {*map(fold, vocabulary(language).typed.get("piece", ()))}
    while words and fold(words[0]) in before:
        del words[0]
    for reading in read_heard(" ".join(words), language, convention):
        if isinstance(reading.meaning, PieceNamed):
            yield Reading(replace(reading.meaning, check=check), reading.likely)
