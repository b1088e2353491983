# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings on an adjourned game: how a sealed move is understood, a player who comes late, a lost envelope.

The guidelines for adjourned games are in the documents of 2001 (appendix A) and 2009; later editions follow
these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Literal

from acessivel.clock.dates import date_parts
from acessivel.laws.editions import Rules
from acessivel.laws.ruling import DRAW, WIN, Ruling, opponent
from acessivel.message import Duration, Message
from acessivel.rules.dead_positions import CanMate
from acessivel.rules.position import Fact, Position
from voices.meaning import (
    Castling,
    Command,
    CommandName,
    Meaning,
    Move,
    MovePattern,
    Piece,
    PieceNamed,
    Place,
    Reading,
    Side,
)

SealedFault = Literal["ambiguous", "false", "illegal"]
# The sentences for a game that is lost by the sealed move, and for one that is drawn instead.
_FAULTS: Mapping[SealedFault, tuple[str, str]] = {
    "ambiguous": ("sealed_ambiguous", "sealed_ambiguous_drawn"),
    "false": ("sealed_false", "sealed_false_drawn"),
    "illegal": ("sealed_illegal", "sealed_illegal_drawn"),
}
# Quotes, brackets, a full stop, a check, the sign of a draw offer.
_SIGNS_AROUND = re.compile(r"^[^\w♔-♟]+|[^\w♔-♟]+$")
# A capital that stands alone before words, in which files are no capitals.
_LETTER_ALONE = re.compile(r"[A-Z][\s.](?!.*\b[A-H][1-8]?\b)")


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a sealed move means: one legal move, or what is wrong with it (A8, 2001; guideline 8, 2009)."""

    fact: Fact | None = None
    fault: SealedFault | None = None


def understood(written: str, read: Callable[[str], Sequence[Reading]], position: Position) -> Sealed:
    """Read what was written as the sealed move: UCI is exact, otherwise it counts as it can be read.

    What is no move is read once more without what can stand beside one (`_bare`), and castling may be written
    by the squares of the king, alone or beside its word. The letter of a piece before words is that piece
    where it can go there.
    """
    for fact in position.legal:
        if fact.uci == written:
            return Sealed(fact)
    bare = _bare(written, read)
    lettered = _lettered(bare, read, position)
    if lettered.fact or lettered.fault == "ambiguous":
        return lettered
    sealed = _sealed(read(written), position)
    if sealed.fault != "false":
        return sealed
    castled = set(_castled_twice(bare, read, position))
    if len(castled) == 1:
        return Sealed(castled.pop())
    return _sealed(read(bare) or _by_letter(bare, read), position)


def _sealed(readings: Sequence[Reading], position: Position) -> Sealed:
    """What the likely readings mean.

    If none of these is a legal move, the others count: the meaning of another language's words can be
    established, but where a piece is named it does not become a pawn ("Bxc4"). Several legal moves are
    ambiguous, unless one of them is meant by each reading; a move that is not legal is illegal, and what is
    no move is false.
    """
    moves = [(r.meaning, r.likely) for r in readings if isinstance(r.meaning, MovePattern | Castling)]
    likely, others = ([move for move, is_likely in moves if is_likely is each] for each in (True, False))
    if any(map(_names_piece, likely)):
        others = list(filter(_names_piece, others))
    facts = _legal(likely, position) or _legal(others, position)
    if len(facts) == 1:
        return Sealed(facts[0])
    if facts:
        return Sealed(fault="ambiguous")
    whole = any(isinstance(move, Castling) or move.whole for move in likely or others)
    return Sealed(fault="illegal" if whole else "false")


def _names_piece(said: Meaning) -> bool:
    return isinstance(said, MovePattern) and said.piece not in (None, Piece.PAWN)


def _legal(meant: Sequence[Move], position: Position) -> tuple[Fact, ...]:
    """The legal moves that these readings can mean: those that each of them can, if there are such."""
    means = [position.matching(move) for move in meant]
    facts = tuple(dict.fromkeys(chain.from_iterable(means)))
    agreed = tuple(fact for fact in facts if all(fact in mean for mean in means))
    return agreed or facts or tuple(dict.fromkeys(f for move in meant for f in _castlings(move, position)))


def _bare(written: str, read: Callable[[str], Sequence[Reading]]) -> str:
    """A move without signs around it and an offer of a draw after it."""
    words = written.split()
    for count in range(1, len(words)):
        offer = _SIGNS_AROUND.sub("", " ".join(words[count:]))
        if any(_is_draw(reading) for reading in read(offer)):
            words = words[:count]
            break
    return _SIGNS_AROUND.sub("", " ".join(words))


def _lettered(bare: str, read: Callable[[str], Sequence[Reading]], position: Position) -> Sealed:
    """What a move means by the letter of a piece that is also a file: "D nach d4" in German."""
    is_piece = _LETTER_ALONE.match(bare) and any(isinstance(r.meaning, PieceNamed) for r in read(bare[0]))
    if not is_piece:
        return Sealed()
    pieces = [reading for reading in read(bare) if _names_piece(reading.meaning)]
    return _sealed(pieces or _by_letter(bare, read), position)


def _by_letter(bare: str, read: Callable[[str], Sequence[Reading]]) -> Sequence[Reading]:
    """The readings of the letter of a piece before words: "Ng1 to f3"; a file before its rank is none."""
    letter, rest = bare[:1], bare[1:].strip()
    squares = (each.meaning for each in read(rest) if isinstance(each.meaning, MovePattern))
    plain = (each for each in squares if each.target.complete and not (each.piece or each.promotion))
    return [
        reading
        for each in plain
        if each.origin.file or not (each.origin.rank and letter in "ABCDEFGH")
        for reading in read(f"{letter}{each.origin}{'x' if each.capture else ''}{each.target}")
        if letter.isupper()
    ]


def _castled_twice(bare: str, read: Callable[[str], Sequence[Reading]], position: Position) -> Iterator[Fact]:
    """The castlings that are written both by a word and by the king's squares: "0-0 (e1-g1)", "castle g1"."""
    words = bare.split()
    for count in range(1, len(words)):
        halves = (_SIGNS_AROUND.sub("", " ".join(half)) for half in (words[:count], words[count:]))
        one, other = ([reading.meaning for reading in read(half)] for half in halves)
        for named, squares in (*product(one, other), *product(other, one)):
            if isinstance(named, Castling) and isinstance(squares, MovePattern):
                king = replace(squares, piece=squares.piece or Piece.KING)
                yield from (fact for fact in _castlings(king, position) if _is_on(named.side, fact))


def _is_on(side: Side, fact: Fact) -> bool:
    return isinstance(fact.meaning, Castling) and fact.meaning.side is side


def _is_draw(reading: Reading) -> bool:
    return isinstance(reading.meaning, Command) and reading.meaning.name is CommandName.DRAW


def _castlings(move: Move, position: Position) -> Iterator[Fact]:
    """The castlings that a move of the king can mean which is no ordinary one: "Ke1-g1", "Kg1"."""
    if isinstance(move, Castling) or move.capture or not (move.piece is Piece.KING or move.any_piece):
        return
    for fact in position.legal:
        king = Place(*fact.uci[:2])
        from_there = move.origin.file in (None, king.file) and move.origin.rank in (None, king.rank)
        castles = from_there and isinstance(fact.meaning, Castling)
        if castles and fact == position.castling(king, move.target, near=True):
            yield fact


def opened(rules: Rules, sealed: Sealed, sealer: str, *, opponent_can_mate: CanMate) -> Ruling:
    """The envelope is opened: its move is played, or loses by a fault (A8, 2001; guideline 8, 2009).

    A faulty move loses only where a fallen flag would: if the opponent cannot mate, the game is drawn.
    """
    if sealed.fact:
        cite = rules.cite("adjourn_present")
        return Ruling("sealed_played", *cite, (("colour", sealer),), must_play=sealed.fact.uci)
    if not rules.regulates("adjourn_bad_move"):
        return _unregulated(rules)
    is_lost, is_drawn = _FAULTS[sealed.fault or "false"]
    cite = rules.cite("adjourn_bad_move")
    if opponent_can_mate == "undecided":
        values = (("colour", sealer), ("opponent", opponent(sealer)))
        return Ruling("sealed_undecided", *cite, values, for_arbiter=True)
    if opponent_can_mate == "no":
        return Ruling(is_drawn, *cite, (("colour", sealer),), result=DRAW)
    return Ruling(is_lost, *cite, (("colour", sealer),), result=WIN[opponent(sealer)])


def late(rules: Rules, colour: str, sealer: str, outcome: str | None, late_ms: int) -> Ruling | None:
    """A player comes `late_ms` after the game was to resume; None while that has no consequence.

    `outcome`: the result of the sealed move itself ("1-0", "0-1", "1/2-1/2"), which stands even if the player
    who sealed it stays away (A10, 2001; guideline 10, 2009). An event or the arbiter may rule otherwise
    (2009).
    """
    if not rules.regulates("adjourn_late"):
        return _unregulated(rules)
    if late_ms <= rules.adjourn_late_ms or (colour == sealer and outcome):
        return None
    values = (("colour", colour), ("time", Duration(rules.adjourn_late_ms)))
    return Ruling("adjourn_late", *rules.cite("adjourn_late"), values, result=WIN[opponent(colour)])


def lost(rules: Rules, sealer: str) -> Ruling:
    """The envelope is lost: position and clocks as at the adjournment; the sealer says what he sealed.

    (A11, 2001; guideline 11, 2009.)
    """
    if not rules.regulates("adjourn_missing"):
        return _unregulated(rules)
    return Ruling("envelope_lost", *rules.cite("adjourn_missing"), (("colour", sealer),))


def reopened(  # noqa: PLR0913  # all that a resumption turns on
    rules: Rules,
    sealed: Sealed,
    position: Position,
    late_colour: str,
    late_ms: int,
    *,
    opponent_can_mate: CanMate,
) -> Ruling:
    """The whole resumption: the envelope opened in the position before its move, perhaps with a late player.

    `late_colour` is "" if both come in time; `opponent_can_mate` matters for a faulty move.
    """
    sealer = position.turn
    ruling = opened(rules, sealed, sealer, opponent_can_mate=opponent_can_mate)
    if not late_colour or (sealed.fault and late_colour == sealer):
        return ruling
    outcome = position.after(sealed.fact.uci).ending(rules.automatic) if sealed.fact else None
    too_late = late(rules, late_colour, sealer, outcome.result if outcome else None, late_ms)
    if too_late is None:
        return ruling
    if sealed.fault:  # one came too late, the other sealed no move: the guidelines do not say who loses
        return Ruling("adjourn_both", *rules.cite("adjourn_late"), for_arbiter=True)
    return too_late


def goes_on(when: str, where: str) -> Message:
    """When (ISO 8601, local) and where an adjourned game resumes."""
    return Message.of("goes_on", where=where, **date_parts(when))


def _unregulated(rules: Rules) -> Ruling:
    return Ruling("adjourn_arbiter", *rules.cite("unregulated"), for_arbiter=True)
