# SPDX-License-Identifier: GPL-3.0-or-later
"""Two records of one game -> where they diverge (blind players' appendix, points 7 and 8; 2009).

If a written move can mean several legal ones, the other record or the moves that follow decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from acessivel.message import Message
from acessivel.records.pgn import local_san
from acessivel.rules.position import COLOURS, Fact, Position
from voices.meaning import Castling, Move, MovePattern
from voices.understanding.meanings import read

_MOST = 64  # how many games are followed at once through two ambiguous records
_SIGNS = re.compile(r"[+#‡!?.]+$")

Fault = Literal["", "ended", "illegal", "ambiguous", "unread"]


@dataclass(frozen=True, slots=True)
class Written:
    """A move in a record: its text or UCI, its line, the time left after it in ms, its number as written.

    0 is no line, and no number.
    """

    text: str
    line: int = 0
    left_ms: int | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Has:
    """What one record has where they diverge: the text ("" at its end), what is wrong with it, and why."""

    text: str = ""
    line: int = 0
    fault: Fault = ""
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The moves on which two records agree, the position after them, and what each has next, UCI as SAN.

    `parts` is None if both end there together.
    """

    agreed: tuple[Fact, ...]
    position: Position
    parts: tuple[Has, Has] | None


_Path = tuple[Position, tuple[Fact, ...]]


def compare(start: Position, one: Sequence[Written], two: Sequence[Written], language: str) -> Verdict:
    """Follow two records from their common starting position; letters of `language` are tried first."""
    paths: list[_Path] = [(start, ())]
    for a, b in zip(one, two, strict=False):
        following = _following(paths, a.text, b.text, language, lax=False)
        # Two records may be in two languages: legal only in the other's letters is no more than a similarity.
        following = following or _following(paths, a.text, b.text, language, lax=True)
        if not following:
            break
        paths = following[:_MOST]
    agreed = _common([played for _, played in paths])
    position = start
    for fact in agreed:
        position = position.made(fact)
    count = len(agreed)
    if count == len(one) == len(two):
        return Verdict(agreed, position, None)
    has = (_has(position, one[count:], language), _has(position, two[count:], language))
    return Verdict(agreed, position, has)


def _following(paths: Sequence[_Path], one: str, two: str, language: str, *, lax: bool) -> list[_Path]:
    """The games that continue with a move that both texts can mean."""
    following = []
    for position, played in paths:
        second = _facts(position, two, language, lax=lax)
        shared = (fact for fact in _facts(position, one, language, lax=lax) if fact in second)
        following += [(position.made(fact), (*played, fact)) for fact in shared]
    return following


def clocks(moves: Sequence[Written], plies: int, first: str) -> Mapping[str, int]:
    """What each colour had left, in ms, after so many plies, if recorded; `first` moved first."""
    left = {}
    for number, move in enumerate(moves[:plies]):
        if move.left_ms is not None:
            left[COLOURS[(COLOURS.index(first) + number) % 2]] = move.left_ms
    return left


def _has(position: Position, rest: Sequence[Written], language: str) -> Has:
    if not rest:
        return Has(fault="ended")
    text, line = rest[0].text, rest[0].line
    facts = _facts(position, text, language)
    if facts:
        if facts[0].uci == text:
            text = local_san(facts[0].san, language)
        return Has(text, line, "ambiguous" if len(facts) > 1 else "")
    meant = _meant(text, language)
    if not meant:
        return Has(text, line, "unread")
    return Has(text, line, "illegal", position.refusal(meant[0]))


def _facts(position: Position, text: str, language: str, *, lax: bool = False) -> tuple[Fact, ...]:
    """The legal moves that a text can mean, `lax`: in any letters; check and mate may be marked or not."""
    exact = tuple(fact for fact in position.legal if fact.uci == text)
    if exact:
        return exact
    meant = _meant(text, language, lax=lax)
    return tuple(dict.fromkeys(fact for said in meant for fact in position.matching(said)))


def _meant(text: str, language: str, *, lax: bool = False) -> tuple[Move, ...]:
    """The likely moves of a text, or all if `lax` or if the language's own letters allow none."""
    readings = [
        (reading.meaning, reading.likely)
        for reading in read(_SIGNS.sub("", text), language)
        if isinstance(reading.meaning, MovePattern | Castling)
    ]
    likely = tuple(meaning for meaning, is_likely in readings if is_likely)
    return tuple(meaning for meaning, _ in readings) if lax or not likely else likely


def _common(games: Sequence[tuple[Fact, ...]]) -> tuple[Fact, ...]:
    """The moves with which all the games begin."""
    shared = []
    for facts in zip(*games, strict=True):
        if any(fact.uci != facts[0].uci for fact in facts):
            break
        shared.append(facts[0])
    return tuple(shared)
