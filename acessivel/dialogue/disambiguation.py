# SPDX-License-Identifier: GPL-3.0-or-later
"""What is missing in an announcement or distinguishes several moves: the part to ask for, and its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from acessivel.rules.position import Fact
from voices.meaning import Castling, Check, Move, MovePattern, Number, Piece, PieceNamed, Place
from voices.words.lexicon import RANKS

TellingWord = Number | PieceNamed | MovePattern


def unique_squares(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """One fact for each pair of squares: the promotions of one pawn move count once."""
    return tuple({fact.squares: fact for fact in reversed(tuple(facts))}.values())[::-1]


def gives(fact: Fact, check: Check) -> bool:
    """Whether a move gives what was said; who says "check" need not have seen that it is mate."""
    given = fact.meaning.check
    return check in (Check.NONE, given) or given is Check.MATE


def giving(facts: Iterable[Fact], check: Check) -> tuple[Fact, ...]:
    """The moves that give what was said; all of them if none does. The promotions of a pawn stay together."""
    facts = tuple(facts)
    squares = {fact.squares for fact in facts if gives(fact, check)}
    return tuple(fact for fact in facts if fact.squares in squares) or facts


def in_order(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """One fact for each pair of squares, from a1 on: the order in which a question names them."""
    return tuple(sorted(unique_squares(facts), key=lambda fact: fact.uci))


def missing(said: MovePattern, facts: Iterable[Fact]) -> Literal["file", "rank", "square"] | None:
    """The part of the target that was not said; None if all fitting moves have the same target."""
    targets = {fact.meaning.target for fact in facts if isinstance(fact.meaning, MovePattern)}
    if len(targets) < 2:
        return None
    if said.target == Place():
        return "square"
    return "rank" if said.target.file else "file"


def common(facts: Iterable[Fact]) -> MovePattern | None:
    """The announcement of all these moves without the part of the square in which alone they differ."""
    moves = [fact.meaning for fact in facts]
    patterns = [move for move in moves if isinstance(move, MovePattern)]
    pieces = {move.piece for move in patterns}
    files, ranks = {move.target.file for move in patterns}, {move.target.rank for move in patterns}
    if len(patterns) < len(moves) or len(pieces) != 1 or (len(files) > 1) == (len(ranks) > 1):
        return None
    target = Place(rank=ranks.pop()) if len(files) > 1 else Place(files.pop())
    return MovePattern(target, pieces.pop())


def filled(said: MovePattern, answer: TellingWord) -> MovePattern | None:
    """What was said, with the part that an answer adds or repeats; None if it contradicts or is no part."""
    match answer:
        case PieceNamed(piece):
            return replace(said, piece=piece) if said.piece in (None, piece) else None
        case Number(value) if not 1 <= value <= len(RANKS):
            return None
        case Number(value):
            added = MovePattern(Place(rank=str(value)))
        case MovePattern():
            added = answer
    target = Place(said.target.file or added.target.file, said.target.rank or added.target.rank)
    agrees = added.target.file in (None, target.file) and added.target.rank in (None, target.rank)
    if added.piece or added.origin != Place() or not agrees:
        return None
    return replace(
        said,
        target=target,
        capture=said.capture or added.capture,
        promotion=said.promotion or added.promotion,
        en_passant=said.en_passant or added.en_passant,
    )


def fillings(said: MovePattern, facts: Iterable[Fact]) -> Iterator[TellingWord]:
    """The answers to the question for the missing part that lead to one of the moves."""
    part = missing(said, facts := tuple(facts))
    for target in (fact.meaning.target for fact in facts if isinstance(fact.meaning, MovePattern)):
        if part == "file":
            yield MovePattern(Place(target.file))
        if part == "rank" and target.rank:
            yield Number(int(target.rank))
        yield MovePattern(target)


def telling(facts: Sequence[Fact]) -> Literal["which_piece", "from_file", "from_rank"] | None:
    """The kind of word that distinguishes several moves to one square; None if there is none."""
    moves = [fact.meaning for fact in unique_squares(facts) if isinstance(fact.meaning, MovePattern)]
    if len(moves) < len(unique_squares(facts)) or len({move.target for move in moves}) > 1:
        return None
    if len({move.piece for move in moves}) == len(moves):
        return "which_piece"
    if len({move.origin.file for move in moves}) == len(moves):
        return "from_file"
    return "from_rank" if len({move.origin.rank for move in moves}) == len(moves) else None


def apart(facts: Iterable[Fact]) -> tuple[TellingWord, ...]:
    """The words that can single a move out, and its squares of origin."""
    return tuple(dict.fromkeys(word for column in _columns(facts) for word in column if word))


def singled_out(facts: Sequence[Fact], word: TellingWord) -> tuple[Fact, ...]:
    """The moves that a word means, by a feature in which they differ."""
    columns = list(_columns(facts))
    return tuple(fact for n, fact in enumerate(facts) if any(column[n] == word for column in columns))


def _columns(facts: Iterable[Fact]) -> Iterator[tuple[TellingWord | None, ...]]:
    """For each feature in which the moves differ, each move's word for it."""
    for column in zip(*(_words(fact.meaning) for fact in facts), strict=True):
        if len(set(column)) > 1:
            yield column


def _words(move: Move) -> tuple[TellingWord | None, ...]:
    """The words that can single a move out: its piece, files and ranks, and its square of origin.

    The target square is not among them: alone it announces a pawn move.
    """
    if isinstance(move, Castling):
        return (PieceNamed(Piece.KING), *(None,) * 5)
    files = (MovePattern(Place(place.file)) for place in (move.origin, move.target))
    ranks = (Number(int(place.rank)) if place.rank else None for place in (move.origin, move.target))
    return (PieceNamed(move.piece or Piece.PAWN), *files, *ranks, MovePattern(move.origin))
