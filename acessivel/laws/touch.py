# SPDX-License-Identifier: GPL-3.0-or-later
"""The legal moves that remain after a player has touched pieces (article 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from acessivel.laws.editions import Rules
from acessivel.laws.ruling import Ruling
from voices.meaning import Place


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal move: its UCI, the squares of its piece, of what it captures, of the rook it castles with.

    `captured` is where the captured piece stands: behind the target if a pawn is taken en passant.
    """

    uci: str
    source: str
    captured: str | None = None
    rook: str | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """A piece that was touched: its square, whether it is the player's own, and which.

    `moved`: it has been lifted and set down as for a move; only then does escolar-br bind the player to his
    own piece.
    """

    square: str
    own: bool
    piece: Literal["king", "rook", "other"] = "other"
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """The moves (UCI) that may still be played, and the ruling that says why."""

    moves: tuple[str, ...]
    ruling: Ruling


def binding(rules: Rules, legal: Sequence[Legal], touched: Sequence[Touched]) -> Bound:
    """Which legal moves remain after touching pieces in this order (4.3 to 4.5).

    With pieces of both colours the first of each counts (4.3c; 4.3.3). A move that replaces an illegal one is
    bound in the same way, by the piece that had moved and the one that it captured.
    """
    binds = [one for one in touched if not one.own or one.moved or rules.touch == "touched"]
    own, other = [one for one in binds if one.own], [one for one in binds if not one.own]
    if own and other:
        capture = _where(legal, source=own[0].square, captured=other[0].square)
        if capture:
            return _bound(rules, "touch_both", capture, "touch_capture_with", own[0].square, other[0].square)
    elif found := _castling(rules, legal, own):
        return found
    for one in binds:
        moves = _where(legal, source=one.square) if one.own else _where(legal, captured=one.square)
        if moves:
            topic = "touch_both" if own and other else "touch_own" if one.own else "touch_other"
            return _bound(rules, topic, moves, "touch_move" if one.own else "touch_capture", one.square)
    return _free(rules, legal)


def adjust(rules: Rules, *, to_move: bool) -> Ruling:
    """Saying "I adjust" before touching keeps the touch from binding; only for the player to move (4.2)."""
    cite = rules.cite("adjust")
    return Ruling("adjust_free" if to_move else "adjust_not_to_move", *cite)


def _castling(rules: Rules, legal: Sequence[Legal], own: Sequence[Touched]) -> Bound | None:
    """King and rook, as the first two that count (4.4): castling there, if the king was not the second."""
    pair = [one for one in own if one.piece != "other" or _where(legal, source=one.square)][:2]
    if {one.piece for one in pair} != {"king", "rook"}:
        return None
    king, rook = sorted(pair, key=lambda one: one.piece)
    if pair[0] is rook:
        moves = _where(legal, source=rook.square) or [
            move for move in _where(legal, source=king.square) if move.rook != rook.square
        ]
        return _bound(rules, "castle_rook_king", moves, "touch_rook_king") if moves else _free(rules, legal)
    castling = [move for move in legal if move.rook == rook.square]
    if castling:
        return _bound(rules, "castle_king_rook", castling, "touch_castle")
    moves = _where(legal, source=king.square)
    if moves:
        return _bound(rules, "castle_illegal", moves, "touch_king")
    return Bound(tuple(move.uci for move in legal), Ruling("touch_king_free", *rules.cite("castle_illegal")))


def _where(legal: Sequence[Legal], source: str | None = None, captured: str | None = None) -> list[Legal]:
    return [
        move
        for move in legal
        if (source is None or move.source == source) and (captured is None or move.captured == captured)
    ]


def _bound(rules: Rules, topic: str, moves: Sequence[Legal], key: str, *squares: str) -> Bound:
    places = tuple(Place(square[0], square[1]) for square in squares)
    values = tuple(zip(("square", "target"), places, strict=False))
    only = moves[0].uci if len(moves) == 1 else None
    ruling = Ruling(key, *rules.cite(topic), values=values, must_play=only)
    return Bound(tuple(move.uci for move in moves), ruling)


def _free(rules: Rules, legal: Sequence[Legal]) -> Bound:
    """No touched piece can be moved or captured, so any move may be played (4.5)."""
    return Bound(tuple(move.uci for move in legal), Ruling("touch_free", *rules.cite("touch_free")))
