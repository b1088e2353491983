# SPDX-License-Identifier: GPL-3.0-or-later
"""What is missing in an announcement or distinguishes several moves: the part to ask for, and its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, get_args

from acessivel.rules.position import Fact
from voices.meaning import Castling, Check, Move, MovePattern, Number, Piece, PieceNamed, Place
from voices.words.lexicon import RANKS

TellingWord = Number | PieceNamed | MovePattern
MovePart = Literal["file", "rank", "piece", "promotion", "from_file", "from_rank"]
LONGEST_LIST = 5  # of the moves that a part of an announcement leaves, to choose from by number
_PARTS: tuple[MovePart, ...] = get_args(MovePart)


def unique_squares(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """One fact for each pair of squares: the promotions of one pawn move count once."""
    return tuple({fact.squares: fact for fact in reversed(tuple(facts))}.values())[::-1]


def gives(fact: Fact, check: Check) -> bool:
    """Whether a move gives the check that was said; who says "check" need not have seen that it is mate."""
    given = fact.meaning.check
    return check in (Check.NONE, given) or given is Check.MATE


def giving(facts: Iterable[Fact], check: Check) -> tuple[Fact, ...]:
    """The moves that give the check that was said, or all if none does; a pawn's promotions stay together."""
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


def common(facts: Iterable[Fact], check: Check) -> MovePattern | None:
    """The announcement of all these moves without the part of the square in which alone they differ.

    `check`: what was said that they give.
    """
    moves = [fact.meaning for fact in facts]
    patterns = [move for move in moves if isinstance(move, MovePattern)]
    pieces, promotions = {move.piece for move in patterns}, {move.promotion for move in patterns}
    files, ranks = {move.target.file for move in patterns}, {move.target.rank for move in patterns}
    if len(patterns) < len(moves) or len(pieces) != 1 or (len(files) > 1) == (len(ranks) > 1):
        return None
    target = Place(rank=ranks.pop()) if len(files) > 1 else Place(files.pop())
    promotion = promotions.pop() if len(promotions) == 1 else None
    return MovePattern(target, pieces.pop(), promotion=promotion, check=check)


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
    agrees = agrees and added.promotion in (None, said.promotion or added.promotion)
    if added.piece or added.origin != Place() or not agrees:
        return None
    return replace(
        said,
        target=target,
        capture=said.capture or added.capture,
        promotion=said.promotion or added.promotion,
        check=said.check if added.check is Check.NONE else added.check,
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


def difference(facts: Iterable[Fact]) -> MovePart | None:
    """The part by which each of the moves can be named; None if there is none, or one of them castles."""
    moves = [fact.meaning for fact in facts]
    for part in _PARTS:
        named = {part_of(move, part) for move in moves}
        if len(named) == len(moves) and None not in named:
            return part
    return None


def can_be_asked(facts: Iterable[Fact]) -> bool:
    """Whether something that nobody mistakes tells the moves apart: a part of each, or that all castle."""
    facts = tuple(facts)
    return bool(difference(facts)) or all_castle(facts)


def all_castle(facts: Iterable[Fact]) -> bool:
    """Whether all these moves are castlings."""
    return all(isinstance(fact.meaning, Castling) for fact in facts)


def only_difference(fact: Fact, other: Fact) -> MovePart | None:
    """The one part in which two moves differ; where they come from counts if they differ in nothing else."""
    said = [part for part in _PARTS if not part.startswith("from_")]
    parts = [part for part in said if part_of(fact.meaning, part) != part_of(other.meaning, part)]
    found = difference((fact, other)) if len(parts) <= 1 else None
    return found if not parts or found == parts[0] else None


def part_of(move: Move, part: MovePart) -> Place | Piece | None:
    """The file, the rank or the piece that a move has as this part."""
    if isinstance(move, Castling):
        return None
    match part:
        case "piece":
            return move.piece
        case "promotion":
            return move.promotion
        case "file" | "rank":
            place = move.target
        case _:
            place = move.origin
    return Place(place.file) if part.endswith("file") else Place(rank=place.rank)


def named(facts: Iterable[Fact], part: MovePart, word: TellingWord) -> tuple[Fact, ...]:
    """The moves that a word means, each named by this part or by the square in which it differs."""
    found = tuple(fact for fact in facts if word in (_word(fact.meaning, part), square_of(fact, part)))
    return found if len(found) == 1 else ()


def names(facts: Iterable[Fact], part: MovePart) -> tuple[TellingWord, ...]:
    """The words that mean each of the moves, and the squares."""
    facts = tuple(facts)
    words = [_word(fact.meaning, part) for fact in facts]
    squares = [square_of(fact, part) for fact in facts]
    return tuple(dict.fromkeys(word for word in (*words, *squares) if word and named(facts, part, word)))


def square_of(fact: Fact, part: MovePart) -> MovePattern | None:
    """The square that has this part, or from which the piece goes."""
    if isinstance(fact.meaning, Castling):
        return None
    return MovePattern(fact.meaning.target if part in ("file", "rank") else fact.meaning.origin)


def _word(move: Move, part: MovePart) -> TellingWord | None:
    """The answer that names a part of a move."""
    match part_of(move, part):
        case Place(file=None, rank=str(rank)):
            return Number(int(rank))
        case Place() as place:
            return MovePattern(place)
        case Piece() as piece:
            return PieceNamed(piece)
    return None


def instead(move: Move, part: MovePart, word: TellingWord) -> MovePattern | None:
    """A move as it is announced with another word for a part; None if the word is for another part."""
    if isinstance(move, Castling):
        return None
    said = MovePattern(move.target, move.piece, promotion=move.promotion)
    match part, word:
        case "file", MovePattern() if word.file_alone:
            return replace(said, target=replace(said.target, file=word.target.file))
        case "rank", Number(value):
            return replace(said, target=replace(said.target, rank=str(value)))
        case "piece", PieceNamed(piece):
            return replace(said, piece=piece)
        case "promotion", PieceNamed(piece):
            return replace(said, promotion=piece)
        case "from_file", MovePattern() if word.file_alone:
            return replace(said, origin=word.target)
        case "from_rank", Number(value):
            return replace(said, origin=Place(rank=str(value)))
    return None
