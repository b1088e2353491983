# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves that are prepared while the opponent thinks: which can be announced, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

import chess

from acessivel.rules.position import Fact, Position
from voices.meaning import Castling, Check, Move, MovePattern

_PROMOTIONS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


@lru_cache(maxsize=8)
def before_reply(position: Position) -> Position:
    """The position as the side that is not to move may announce its next move in it.

    Its legal moves are those that a reply may allow: those of the pieces as they stand, even of pinned ones,
    the recaptures where an own piece stands now, and captures by pawns where nothing stands yet.
    """
    board = chess.Board(position.fen, chess960=position.chess960)
    board.turn = not board.turn
    board.ep_square = None
    board.fullmove_number += board.turn == chess.WHITE
    return _BeforeReply(board)


def after_reply(prepared: Fact, position: Position) -> Fact | None:
    """The legal move that a prepared one is after the reply; None if it is none, or its words mean another.

    A piece that was to go to an empty square does not capture there, nor does one go where it was to capture.
    """
    fact = next((fact for fact in position.legal if fact.uci == prepared.uci), None)
    return fact if fact and _as_announced(fact.meaning) == _as_announced(prepared.meaning) else None


def _as_announced(meaning: Move) -> Move:
    """A move without what cannot be known before the reply."""
    if isinstance(meaning, Castling):
        return replace(meaning, check=Check.NONE)
    return replace(meaning, check=Check.NONE, en_passant=False)


class _BeforeReply(Position):
    """A position before the reply, with the side to move that waits for it."""

    def matching(self, said: Move) -> tuple[Fact, ...]:
        """As for any position; but a capture that only a reply makes possible must be said to be one.

        Without that it is meant only if nothing else is.
        """
        fitting = super().matching(said)
        if isinstance(said, MovePattern) and said.capture:
            return fitting
        now = tuple(fact for fact in fitting if self._boards[chess.Move.from_uci(fact.uci)] is self._board)
        return now or fitting

    @cached_property
    def _legal_moves(self) -> tuple[chess.Move, ...]:
        return tuple(self._boards)

    def _fact(self, move: chess.Move) -> Fact:
        fact = _Possible(self._boards[move]).told(move)
        return replace(fact, san=fact.san.rstrip("+#"), meaning=replace(fact.meaning, check=Check.NONE))

    def _meaning(self, move: chess.Move) -> Move:
        return _Possible(self._boards[move]).meant(move)

    @cached_property
    def _boards(self) -> Mapping[chess.Move, chess.Board]:
        """Each move that can be prepared, with a board on which it can be made."""
        board = self._board
        kings = board.kings
        found = {
            move: board for move in board.pseudo_legal_moves if not kings & chess.BB_SQUARES[move.to_square]
        }
        for square in chess.SquareSet(~(board.occupied_co[not board.turn] | kings)):
            answered = board.copy(stack=False)
            answered.set_piece_at(square, chess.Piece(chess.KNIGHT, not board.turn))
            pieces = board.occupied if board.piece_at(square) else board.pawns
            for origin in board.attackers(board.turn, square) & pieces:
                last = board.piece_type_at(origin) == chess.PAWN and chess.square_rank(square) in (0, 7)
                for promotion in _PROMOTIONS if last else (None,):
                    found.setdefault(chess.Move(origin, square, promotion), answered)
        return found


class _Possible(Position):
    """A position on which a move can be made, as what it then is."""

    def told(self, move: chess.Move) -> Fact:
        """The move with its notation."""
        return self._fact(move)

    def meant(self, move: chess.Move) -> Move:
        """The move as it is announced."""
        return self._meaning(move)
