# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a side is from a mate that both help to, by several plans: decides only what is looked at first.

Estimates are whole numbers, smaller the nearer the mate is; nothing is proved by them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import chess

Plan = Callable[[chess.Board, chess.Color], int]

_FAR = 99  # from what a plan aims at: farther than anything is


def plans(board: chess.Board, colour: chess.Color) -> tuple[Plan, ...]:
    """The plans that suit the pieces of a side, the most promising first."""
    own = board.occupied_co[colour]
    strong, minor = own & (board.queens | board.rooks | board.pawns), own & (board.knights | board.bishops)
    return ((_stripped,) if strong else ()) + ((_framed,) if minor else ()) + _CORNERED


def _stripped(board: chess.Board, colour: chess.Color) -> int:
    """Let a queen or a rook take everything, since it mates a bare king; a pawn becomes a queen for that."""
    own, men = board.occupied_co[colour], board.occupied_co[not colour] & ~board.kings
    heavy = own & (board.queens | board.rooks)
    way = 0 if heavy else 60 + _to_promotion(board, colour)
    if not men:
        return way + _to_the_edge(board, colour)
    aims = any(board.attacks_mask(square) & men for square in chess.SquareSet(own))
    hunters = chess.SquareSet(heavy or own)
    near = (
        0 if aims else min(chess.square_distance(one, man) for one in hunters for man in chess.SquareSet(men))
    )
    return way + 30 + 10 * chess.popcount(men) + near + (board.turn is not colour)


def _to_promotion(board: chess.Board, colour: chess.Color) -> int:
    """The steps of the pawn that is nearest to its promotion, and the pieces in its way."""
    ways = [_FAR]
    for square in board.pieces(chess.PAWN, colour):
        last = chess.square(chess.square_file(square), 7 if colour else 0)
        blocked = chess.SquareSet.between(square, last) | chess.SquareSet.from_square(last)
        steps = chess.square_distance(square, last)
        ways.append(4 * steps + 4 * len(blocked & chess.SquareSet(board.occupied)))
    return min(ways)


def _to_the_edge(board: chess.Board, colour: chess.Color) -> int:
    """How far a bare king is from a mate by heavy pieces: its free squares, the edge, and the other king."""
    king, mate = board.king(not colour), board.king(colour)
    if king is None or mate is None:
        return _FAR
    flights = chess.SquareSet(chess.BB_KING_ATTACKS[king] & ~board.occupied_co[not colour])
    free = sum(not board.is_attacked_by(colour, square) for square in flights)
    edge = min(min(at, 7 - at) for at in (chess.square_file(king), chess.square_rank(king)))
    return 3 * free + 3 * edge + chess.square_distance(king, mate)


def _cornered(board: chess.Board, colour: chess.Color, corners: tuple[chess.Square, chess.Square]) -> int:
    """Walk the king into a corner of one colour, where its own pieces hem it in."""
    king = board.king(not colour)
    if king is None:
        return _FAR
    pieces = chess.SquareSet(board.occupied & ~board.pawns)
    near = sum(chess.square_distance(king, square) for square in pieces)
    way = min(chess.square_manhattan_distance(king, corner) for corner in corners)
    return 8 * way + 2 * near - chess.popcount(chess.BB_KING_ATTACKS[king] & board.occupied)


_CORNERED: tuple[Plan, ...] = (
    partial(_cornered, corners=(chess.A1, chess.H8)),
    partial(_cornered, corners=(chess.H1, chess.A8)),
)


@dataclass(frozen=True, slots=True)
class CornerMate:
    """A mate in a corner by one minor piece: where the kings and the piece stand, and what is hemming in."""

    corner: chess.Square
    king: chess.Square
    minor: chess.Square
    hemming: chess.Square
    by: tuple[chess.PieceType, ...]


# In the corner a8, the king beside the men of these kinds on a7: who mates, who hems in, where king and mate.
_MATES = (
    (chess.KNIGHT, (chess.ROOK,), chess.C8, chess.B6),
    (chess.KNIGHT, (chess.KNIGHT,), chess.C7, chess.B6),
    (chess.KNIGHT, (chess.BISHOP, chess.PAWN), chess.C8, chess.C7),
    (chess.BISHOP, (chess.BISHOP, chess.KNIGHT, chess.PAWN), chess.C7, chess.B7),
)


@cache
def _frames(minor: chess.PieceType) -> tuple[CornerMate, ...]:
    """The mates by a minor piece in all corners, on both sides of each."""
    return tuple(
        CornerMate(turned(chess.A8), turned(king), turned(mate), turned(chess.A7), by)
        for kind, by, king, mate in _MATES
        if kind == minor
        for flip in (0, 7, 56, 63)
        for turned in (partial(_turned, flip=flip), partial(_turned, flip=flip, across=True))
    )


def _turned(square: chess.Square, *, flip: int, across: bool = False) -> chess.Square:
    """A square of the turned or mirrored board; `across`: mirrored at the diagonal from a1 first."""
    if across:
        square = chess.square(chess.square_rank(square), chess.square_file(square))
    return square ^ flip


def _framed(board: chess.Board, colour: chess.Color) -> int:
    """Bring everybody to the mate by a minor piece that is nearest, with a man that hems in its own king."""
    king, mate = board.king(not colour), board.king(colour)
    if king is None or mate is None:
        return _FAR
    own, other = board.occupied_co[colour], board.occupied_co[not colour]
    men = [
        (square, kind)
        for square in chess.SquareSet(other & ~board.kings & ~board.queens)
        if (kind := board.piece_type_at(square))
    ]
    best = 10 * _FAR
    for square in chess.SquareSet(own & (board.knights | board.bishops)):
        kind = chess.KNIGHT if board.knights >> square & 1 else chess.BISHOP
        for frame in _frames(kind):
            way = _moves(kind, square, frame.minor)
            way += 3 * chess.square_distance(king, frame.corner) + 3 * chess.square_distance(mate, frame.king)
            if way < best:
                hems = min((_hems(frame, man, at, not colour) for at, man in men), default=_FAR)
                best = min(best, way + hems)
    return best + 3 * chess.popcount(other & board.queens) + 2 * max(0, len(men) - 1)  # they are in the way


def _hems(frame: CornerMate, kind: chess.PieceType, square: chess.Square, colour: chess.Color) -> int:
    """How far a man is from hemming in its king; a pawn can become what does."""
    if kind != chess.PAWN:
        return _moves(kind, square, frame.hemming) if kind in frame.by else _FAR
    last = 7 if colour else 0
    steps = abs(last - chess.square_rank(square))
    ahead = steps - abs(last - chess.square_rank(frame.hemming))
    same_file = chess.square_file(square) == chess.square_file(frame.hemming)
    return ahead if chess.PAWN in frame.by and same_file and ahead >= 0 else 2 * steps + 6


@cache
def _moves(kind: chess.PieceType, start: chess.Square, goal: chess.Square) -> int:
    """How many moves a piece needs on an empty board."""
    if kind == chess.KNIGHT:
        return chess.square_knight_distance(start, goal)
    if start == goal:
        return 0
    light = [bool(chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES) for square in (start, goal)]
    if kind == chess.BISHOP and light[0] != light[1]:
        return _FAR
    board = chess.Board(None)
    board.set_piece_at(start, chess.Piece(kind, chess.WHITE))
    return 1 if goal in board.attacks(start) else 2
