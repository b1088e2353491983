# SPDX-License-Identifier: GPL-3.0-or-later
"""Scoresheets in plain text, as people write them -> their moves, with the line of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from acessivel.message import Message
from acessivel.records.braille_record import RecordError
from acessivel.records.reconciliation import Written

_EN_PASSANT = re.compile(r"\s*\(?\b[ea]\.\s?p\.?\)?|(?<=[36])\s*ep\b", re.IGNORECASE)
_OFFER = re.compile(r"\(=\)")
_PARTED = re.compile(r"[\s,;|]+")
_NUMBER = re.compile(r"^(\d{1,3})(?:[.)…]+|$)")
_NOTE = re.compile(r"^\(\d+\)\s.*")  # after a half-move, as the program writes it
_FIRST_OF_BLACK = re.compile(r"\.\.|…")
_SQUARE = re.compile(r"[a-h][1-8]")
_LOST_BY_BOTH = "0-0"  # a castling too, unless words follow
_RESULT = re.compile(r"^(?:1-0|0-1|1/2-1/2|½-½|\*)$")
_MOVE = re.compile(
    r"^(?:[A-Za-z]?[a-h]?[1-8]?[x:×-]?[a-h][1-8]?(?:[=(/]?[A-Za-z]\)?)?|[0Oo]-?[0Oo](?:-?[0Oo])?)[+#‡!?.]*$"
)


def moves(text: str) -> tuple[Written, ...]:
    """The moves of a scoresheet, without its header, notes, and whatever follows a result.

    Raises RecordError with the line if a number is out of order, if something is no move, or if there is no
    move.
    """
    found: list[Written] = []
    first = half = 0
    lines = [*map(_words, text.removeprefix("\ufeff").splitlines())]
    for line, words in enumerate(lines, start=1):
        if not found and not (words and all(map(_is_part, words))):
            continue
        if _is_lost_by_both(words) and not any(lines[line:]):
            break
        for word in words:
            number = _NUMBER.match(word)
            if _RESULT.match(word):
                return tuple(found)
            if number:
                if not first:
                    first, half = int(number[1]), int(bool(_FIRST_OF_BLACK.search(word)))
                if int(number[1]) != first + (half + len(found)) // 2:
                    raise RecordError(Message.of("scoresheet_number", line=line, number=number[1]))
            elif _MOVE.match(word):
                found.append(Written(word, line))
            else:
                raise RecordError(Message.of("scoresheet_word", line=line, word=word[:20]))
    if not found:
        raise RecordError(Message.of("record_empty"))
    return tuple(found)


def _is_lost_by_both(words: tuple[str, ...]) -> bool:
    """Whether a line is that result and its reason in words, and no castling."""
    return words[:1] == (_LOST_BY_BOTH,) and bool(words[1:]) and not any(map(_SQUARE.search, words))


def _is_part(word: str) -> bool:
    return bool(_NUMBER.match(word) or _MOVE.match(word))


def _words(line: str) -> tuple[str, ...]:
    """The numbers, moves and results of a line: "1.e4 e5" has three."""
    line = _NOTE.sub("", _OFFER.sub("", _EN_PASSANT.sub("", line)))
    return tuple(_split(_PARTED.split(line.strip())))


def _split(words: list[str]) -> Iterator[str]:
    for word in words:
        number = _NUMBER.match(word)
        if number and number[0] != word:
            yield number[0]
            yield word[number.end() :]
        elif word.strip(".…"):
            yield word
