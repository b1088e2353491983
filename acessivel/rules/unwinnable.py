# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a position itself proves that a side can never mate: too few pieces, or pawns locked for good."""

from __future__ import annotations

from collections.abc import Iterable

import chess


def cannot_mate(board: chess.Board, colour: chess.Color) -> bool:
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
    white = board.pawns & board.occupied_co[chess.WHITE]
    black = board.pawns & board.occupied_co[chess.BLACK]
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
