# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a side can still mate by any series of legal moves (art. 5.2.2, 6.9; 2018): proved, or open."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from itertools import count
from typing import Literal

import chess

CanMate = Literal["yes", "no", "undecided"]

# How many positions to look at. A flag falls once a game, but after each move the check must be cheap.
AT_THE_FLAG = 45_000
AFTER_A_MOVE = 40


def can_mate(board: chess.Board, colour: chess.Color, positions: int = AT_THE_FLAG) -> CanMate:
    """Whether a side could mate if both sides helped: "no" is proved, "yes" was found, else "undecided".

    Looks at a limited number of positions, so that the answer is the same on every machine. Neither
    repetitions nor the number of quiet moves end a series.
    """
    return _search(board, colour, positions)[0]


def helpmate(
    board: chess.Board, colour: chess.Color, positions: int = AT_THE_FLAG
) -> list[chess.Move] | None:
    """Moves of both sides that end in mate by a side, if the search finds them within so many positions."""
    verdict, line = _search(board, colour, positions)
    return line if verdict == "yes" else None


def is_dead(board: chess.Board, positions: int = AFTER_A_MOVE) -> bool:
    """Whether it is proved that no series of legal moves leads to mate by either side."""
    few = board.legal_moves.count() < positions // len(_ORDERS)  # otherwise no search can prove a "no"
    sides = chess.COLORS
    return all(_cannot(board, side) or (few and can_mate(board, side, positions) == "no") for side in sides)


def _search(board: chess.Board, colour: chess.Color, positions: int) -> tuple[CanMate, list[chess.Move]]:
    """Look for a mate in several orders: one often finds at once what another misses."""
    if board.is_checkmate():
        return ("yes", []) if board.turn is not colour else ("no", [])
    if _cannot(board, colour):
        return "no", []
    for far in _ORDERS:
        verdict, line = _ordered(board, colour, positions // len(_ORDERS), far)
        if verdict != "undecided":
            return verdict, line
    return "undecided", []


def _ordered(
    board: chess.Board, colour: chess.Color, positions: int, far: Callable[[chess.Board, chess.Color], int]
) -> tuple[CanMate, list[chess.Move]]:
    """Positions that can arise, the nearest to a mate first; ends without a mate when all have been seen."""
    start = board.copy(stack=False)
    seen: set[Hashable] = {identity(start)}
    came: dict[Hashable, tuple[Hashable, chess.Move]] = {}
    order = count()
    waiting: list[tuple[int, int, chess.Board]] = [(0, next(order), start)]
    while waiting:
        _, __, here = heapq.heappop(waiting)
        for move in here.legal_moves:
            after = here.copy(stack=False)
            after.push(move)
            key = identity(after)
            if key in seen:
                continue
            seen.add(key)
            came[key] = (identity(here), move)
            if after.turn is not colour and after.is_checkmate():
                return "yes", _line(came, key)
            if len(seen) > positions:
                return "undecided", []
            if not _cannot(after, colour):
                heapq.heappush(waiting, (far(after, colour), next(order), after))
    return "no", []


def identity(board: chess.Board) -> Hashable:
    """What makes two positions the same for all future moves (art. 9.2.2; 2018)."""
    key: Hashable = board._transposition_key()  # noqa: SLF001  # the library offers it only as text (FEN)
    return key


def _line(came: Mapping[Hashable, tuple[Hashable, chess.Move]], key: Hashable) -> list[chess.Move]:
    moves: list[chess.Move] = []
    while key in came:
        key, move = came[key]
        moves.append(move)
    return moves[::-1]


def _hemmed(board: chess.Board, colour: chess.Color) -> int:
    """Estimate how far away mate is from the freedom of the king; only decides what is looked at first."""
    king, own = board.king(not colour), board.occupied_co[colour]
    if king is None:
        return 0
    flights = chess.SquareSet(chess.BB_KING_ATTACKS[king] & ~board.occupied_co[not colour])
    free = sum(not board.is_attacked_by(colour, square) for square in flights)
    to_edge = sorted(min(at, 7 - at) for at in (chess.square_file(king), chess.square_rank(king)))
    near = sum(chess.square_distance(king, square) for square in chess.SquareSet(own & ~board.pawns))
    if own & (board.queens | board.rooks):
        return 6 * free + 4 * to_edge[0] + near
    # A minor piece needs the corner; a pawn has to become a queen.
    last = 7 if colour else 0
    ways = [abs(last - chess.square_rank(square)) for square in board.pieces(chess.PAWN, colour)]
    company = chess.SquareSet(board.occupied_co[not colour] & ~board.pawns)
    near += sum(chess.square_distance(king, square) for square in company)
    return 6 * free + 6 * sum(to_edge) + near + (8 * min(ways) + 20 if ways else 0)


def _stripped(board: chess.Board, colour: chess.Color) -> int:
    """Like `_hemmed`, but lets a queen or a rook take everything first, since it mates a bare king alone."""
    heavy = board.occupied_co[colour] & (board.queens | board.rooks)
    if not heavy:
        return _hemmed(board, colour)
    others = board.occupied_co[not colour] & ~board.kings
    aims = any(board.attacks_mask(square) & others for square in chess.SquareSet(heavy))
    return _hemmed(board, colour) + 12 * chess.popcount(others) - 8 * aims


def _cornered(board: chess.Board, colour: chess.Color, corners: tuple[chess.Square, chess.Square]) -> int:
    """Like `_hemmed`, but walks the king into a corner of one colour, where its own pieces hem it in."""
    king = board.king(not colour)
    if king is None:
        return 0
    pieces = chess.SquareSet(board.occupied & ~board.pawns)
    near = sum(chess.square_distance(king, square) for square in pieces)
    way = min(chess.square_manhattan_distance(king, corner) for corner in corners)
    return 8 * way + 2 * near - chess.popcount(chess.BB_KING_ATTACKS[king] & board.occupied)


_ORDERS: tuple[Callable[[chess.Board, chess.Color], int], ...] = (
    _stripped,
    _hemmed,
    partial(_cornered, corners=(chess.A1, chess.H8)),
    partial(_cornered, corners=(chess.H1, chess.A8)),
)


def _cannot(board: chess.Board, colour: chess.Color) -> bool:
    """Whether the position itself proves that a side can never mate."""
    # The library errs on one side only: what it calls insufficient really is, whatever the other side has.
    return board.has_insufficient_material(colour) or _walled(board, colour)


def _walled(board: chess.Board, colour: chess.Color) -> bool:
    """Whether the pawns are locked for good and the pieces cannot mate between them.

    Every pawn is blocked by another pawn. Each piece is given all squares that it could ever reach if it were
    alone with the pawns, which is more than it can really reach. If no piece can take a pawn from there or be
    taken by one, then no pawn ever moves or disappears, so the pawns stay locked. Then a mate needs a square
    for the king where a piece can check it, and every square around it must be barred by a pawn or within
    reach of some piece.
    """
    if not _locked(board) or board.clean_castling_rights() or board.has_legal_en_passant():
        return False
    reach: dict[chess.Square, chess.Bitboard] = {}
    for square in chess.SquareSet(board.occupied & ~board.pawns):
        found = _reach(board, square)
        if found is None:
            return False
        reach[square] = found
    loser = board.king(not colour)
    if loser is None:
        return False
    mine, its = board.occupied_co[colour], board.occupied_co[not colour]
    checks = _union(
        _from(board, square, reach[square])
        for square in reach
        if mine >> square & 1 and square != board.king(colour)
    )
    barred = checks | (its & board.pawns) | _pawn_attacks(board, colour)
    barred |= _union(_from(board, square, reach[square]) for square in reach if square == board.king(colour))
    barred |= _union(reach[square] for square in reach if its >> square & 1 and square != loser)
    return all(chess.BB_KING_ATTACKS[square] & ~barred for square in chess.SquareSet(reach[loser] & checks))


def _locked(board: chess.Board) -> bool:
    """Whether every pawn is blocked by a pawn, and none can take another."""
    white, black = (board.pawns & board.occupied_co[colour] for colour in (chess.WHITE, chess.BLACK))
    if not board.pawns or (white << 8 | black >> 8) & ~board.pawns:
        return False
    return not (_pawn_attacks(board, chess.WHITE) & black or _pawn_attacks(board, chess.BLACK) & white)


def _reach(board: chess.Board, square: chess.Square) -> chess.Bitboard | None:
    """Every square that a piece could reach between the pawns; None if it takes one or is taken by one."""
    colour = bool(board.occupied_co[chess.WHITE] >> square & 1)
    own, foe = board.pawns & board.occupied_co[colour], board.pawns & board.occupied_co[not colour]
    guarded, is_king = _pawn_attacks(board, not colour), bool(board.kings >> square & 1)
    found = waiting = chess.BB_SQUARES[square]
    while waiting:
        step = _from(board, square, waiting) & ~own
        if is_king:
            step &= ~guarded
        waiting = step & ~found
        found |= waiting
        if found & (foe | guarded):
            return None
    return None if found & guarded else found


def _from(board: chess.Board, square: chess.Square, places: chess.Bitboard) -> chess.Bitboard:
    """What a piece attacks from any of those squares, if only pawns stand in its way."""
    kind, piece = board.piece_type_at(square), chess.BB_EMPTY
    for place in chess.SquareSet(places):
        if kind == chess.KING:
            piece |= chess.BB_KING_ATTACKS[place]
        elif kind == chess.KNIGHT:
            piece |= chess.BB_KNIGHT_ATTACKS[place]
        if kind in (chess.BISHOP, chess.QUEEN):
            piece |= chess.BB_DIAG_ATTACKS[place][chess.BB_DIAG_MASKS[place] & board.pawns]
        if kind in (chess.ROOK, chess.QUEEN):
            piece |= chess.BB_RANK_ATTACKS[place][chess.BB_RANK_MASKS[place] & board.pawns]
            piece |= chess.BB_FILE_ATTACKS[place][chess.BB_FILE_MASKS[place] & board.pawns]
    return piece


def _pawn_attacks(board: chess.Board, colour: chess.Color) -> chess.Bitboard:
    pawns = chess.SquareSet(board.pawns & board.occupied_co[colour])
    return _union(chess.BB_PAWN_ATTACKS[colour][square] for square in pawns)


def _union(parts: Iterable[chess.Bitboard]) -> chess.Bitboard:
    found = chess.BB_EMPTY
    for part in parts:
        found |= part
    return found
