# SPDX-License-Identifier: GPL-3.0-or-later
"""Scoresheets in plain text, as people write them -> their moves, with the line of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from acessivel.message import Message
from acessivel.records.braille_record import RecordError
from acessivel.records.reconciliation import Written

_EN_PASSANT = re.compile(r"\s*\(?\b[ea]\.\s?p\.?\)?|(?<=[36])\s*ep\b", re.IGNORECASE)
_OFFER = re.compile(r"\(=\)")
_PARTED = re.compile(r"[\s,;|]+")
_NUMBER = re.compile(r"^(\d{1,3})(?:[.)…]+|$)")
_TIME = re.compile(r"\d{1,2}:[0-5]\d(?::[0-5]\d)?")  # of a clock, noted after a move
_BOTH_TIMES = re.compile(rf"[^\W\d]+:?(?:\s+{_TIME.pattern}){{2}}")
_NOTE = re.compile(r"^\(\d+\)\s.*")  # after a half-move, as the program writes it
_FIRST_OF_BLACK = re.compile(r"\.\.|…")
_SQUARE = re.compile(r"[a-h][1-8]")
_LOST_BY_BOTH = "0-0"  # a castling too, unless words follow
_BETWEEN = r"\s*[-–:]\s*"
_WIDE_RESULT = re.compile(
    rf"(?<![\w:/.-])(?:1{_BETWEEN}0|0{_BETWEEN}1|1/2{_BETWEEN}1/2|½{_BETWEEN}½)(?![\w:/-])"
)
_RESULT = re.compile(r"(?<![\w:/.-])(1|0|½|1/2)(?:\s*[–:]\s*|\s+-\s*|-\s+)(1|0|½|1/2)(?![\w:/.-])")
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
        if not found and not _has_moves(words):
            continue
        if _is_lost_by_both(words) and not any(lines[line:]):
            break
        for word in words:
            number = _NUMBER.fullmatch(word)
            if _RESULT.match(word):
                return _numbered(found, first, half)
            if number:
                if not first:
                    half = int(not found and bool(_FIRST_OF_BLACK.search(word)))
                    first = int(number[1]) - (half + len(found)) // 2
                if first < 1 or int(number[1]) != first + (half + len(found)) // 2:
                    raise RecordError(out_of_order(line, number[1]))
            elif _MOVE.match(word):
                found.append(Written(word, line))
            else:
                raise RecordError(Message.of("scoresheet_word", line=line, word=word[:20]))
    if not found:
        raise RecordError(Message.of("record_empty"))
    return _numbered(found, first, half)


def out_of_order(line: int, number: object) -> Message:
    """What to tell of a number that a move before it, or none, should have."""
    return Message.of("scoresheet_number", line=line, number=number)


def _numbered(found: list[Written], first: int, half: int) -> tuple[Written, ...]:
    """The moves with their numbers, which are 0 if the scoresheet has none."""
    if not first:
        return tuple(found)
    return tuple(replace(move, number=first + (half + n) // 2) for n, move in enumerate(found))


def _has_moves(words: tuple[str, ...]) -> bool:
    """Whether the moves begin in a line: a number and a move, or nothing but moves, and no lone name."""
    clear = any(_MOVE.match(word) and (_SQUARE.search(word) or word[0] in "0Oo") for word in words)
    numbered = bool(words) and bool(_NUMBER.fullmatch(words[0]))
    if numbered and clear:
        return True
    told = [word for word in words if not (_NUMBER.fullmatch(word) or _RESULT.match(word))]
    return all(map(_MOVE.match, told)) and (clear or len(told) + numbered > 1) and bool(told)


def _is_lost_by_both(words: tuple[str, ...]) -> bool:
    """Whether a line is that result and its reason in words, and no castling."""
    return words[:1] == (_LOST_BY_BOTH,) and bool(words[1:]) and not any(map(_SQUARE.search, words))


def _words(line: str) -> tuple[str, ...]:
    """The numbers, moves and results of a line: "1.e4 e5" has three."""
    line = _NOTE.sub("", _OFFER.sub("", _EN_PASSANT.sub("", line))).strip()
    if _BOTH_TIMES.fullmatch(line):
        return ()
    return tuple(_split(_PARTED.split(_WIDE_RESULT.sub(_narrow, line))))


def _narrow(result: re.Match[str]) -> str:
    """A result as it is mostly written: "1 : 0" -> "1-0"."""
    return re.sub(_BETWEEN, "-", result[0])


def _split(words: list[str]) -> Iterator[str]:
    for word in words:
        number = _NUMBER.match(word)
        if number and number[0] != word:
            yield number[0]
            yield word[number.end() :]
        elif word.strip(".…") and not _TIME.fullmatch(word):
            yield word
