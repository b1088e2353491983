# SPDX-License-Identifier: GPL-3.0-or-later
"""Meaning -> legal moves (none, one, many), or the reason why not; the core's only importer of `chess`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import chess

from acessivel.message import Message
from voices.meaning import Castling, Check, Move, MovePattern, Piece, Place, Side

_TYPES = {Piece(chess.piece_symbol(kind).upper()): kind for kind in chess.PIECE_TYPES}
_PIECES = {kind: piece for piece, kind in _TYPES.items()}
_PROMOTIONS = (Piece.QUEEN, Piece.ROOK, Piece.BISHOP, Piece.KNIGHT)
_ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "dead_position",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold",
    chess.Termination.SEVENTYFIVE_MOVES: "seventyfive",
}
WHITE, BLACK = "white", "black"
COLOURS = (WHITE, BLACK)


class BadFenError(ValueError):
    """A FEN that is not one, or a position that cannot be played from."""


def other(colour: str) -> str:
    """The opponent's colour."""
    return BLACK if colour == WHITE else WHITE


@dataclass(frozen=True, slots=True)
class Fact:
    """A legal move in every form that is spoken, shown or written of it."""

    uci: str
    san: str
    meaning: Move
    colour: str
    number: int

    @property
    def squares(self) -> str:
        """Origin and target without the promotion: "e7e8"."""
        return self.uci[:4]


@dataclass(frozen=True, slots=True)
class Ending:
    """Why no move can follow, with the result as PGN writes it (art. 5.1.1, 5.2.1, 5.2.2, 9.6; 2018)."""

    reason: str
    result: str


class Position:
    """A position with the moves that led to it; never changed, `after` makes the next one."""

    def __init__(self, board: chess.Board) -> None:
        self._board = board

    @classmethod
    def start(cls, fen: str | None = None) -> Position:
        """The initial position, or the one of a FEN; BadFenError when nothing can be played from it."""
        try:
            board = chess.Board(fen) if fen else chess.Board()
        except ValueError as error:
            raise BadFenError(str(error)) from error
        if not board.is_valid():
            names = (status.name for status in chess.Status if board.status() & status and status.name)
            raise BadFenError(", ".join(name.lower().replace("_", " ") for name in names))
        return cls(board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"

    @cached_property
    def _key(self) -> tuple[str, tuple[chess.Move, ...]]:
        return self.fen, tuple(self._board.move_stack)

    @property
    def fen(self) -> str:
        """The position in FEN."""
        return self._board.fen()

    @property
    def placement(self) -> str:
        """The first field of the FEN."""
        return self._board.board_fen()

    @property
    def turn(self) -> str:
        """Whose move it is: "white" or "black"."""
        return WHITE if self._board.turn else BLACK

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._board.is_check()

    @property
    def fullmove(self) -> int:
        """The number of the move to come."""
        return self._board.fullmove_number

    def after(self, uci: str) -> Position:
        """The position after a legal move; ValueError when it is not legal."""
        move = chess.Move.from_uci(uci)
        if move not in self._board.legal_moves:
            raise ValueError(f"{uci} is not legal in {self.fen}")
        board = self._board.copy()
        board.push(move)
        return Position(board)

    @cached_property
    def legal(self) -> tuple[Fact, ...]:
        """Every legal move."""
        return tuple(self._fact(move) for move in self._board.legal_moves)

    def _fact(self, move: chess.Move) -> Fact:
        san = self._board.san(move)
        check = Check.MATE if san.endswith("#") else Check.CHECK if san.endswith("+") else Check.NONE
        meaning: Move
        if self._board.is_castling(move):
            meaning = Castling(Side.SHORT if self._board.is_kingside_castling(move) else Side.LONG, check)
        else:
            kind = self._board.piece_type_at(move.from_square)
            meaning = MovePattern(
                _place(move.to_square),
                _PIECES[kind or chess.PAWN],
                _place(move.from_square),
                capture=self._board.is_capture(move),
                promotion=_PIECES[move.promotion] if move.promotion else None,
                en_passant=self._board.is_en_passant(move),
                check=check,
            )
        return Fact(move.uci(), san, meaning, self.turn, self.fullmove)

    def matching(self, said: Move) -> tuple[Fact, ...]:
        """The legal moves that an announcement can mean; promotions are listed queen first."""
        facts = [fact for fact in self.legal if _fits(said, fact)]
        return tuple(sorted(facts, key=lambda fact: _promotion_rank(fact.meaning)))

    def begun(self, said: Move) -> Move:
        """An announcement that names only a square, or a piece on it, of one's own is one without its target.

        Nothing can go where a piece of one's own stands: that is where the move begins.
        """
        if isinstance(said, Castling) or said != MovePattern(said.target, said.piece):
            return said
        stands = self.at(str(said.target)) if said.target.complete else None
        if stands is None or stands[0] != self.turn or said.piece not in (None, stands[1]):
            return said
        return MovePattern(Place(), said.piece, said.target)

    def refusal(self, said: Move) -> Message:
        """Why no legal move fits an announcement."""
        if isinstance(said, Castling):
            return self._castling_refusal(said.side)
        if said.any_piece and said.origin == Place():
            return Message.of("refuse_none_takes", square=said.target)
        return self._origin_refusal(said) or self._target_refusal(said)

    def _origin_refusal(self, said: MovePattern) -> Message | None:
        """Nothing of one's own stands where the announced piece should."""
        if said.origin.complete:
            stands = self.at(str(said.origin))
            if stands is None:
                return Message.of("refuse_nothing_there", square=said.origin)
            colour, piece = stands
            if colour != self.turn:
                return Message.of("refuse_not_yours", square=said.origin)
            if said.piece not in (None, piece):
                return Message.of("refuse_other_piece", square=said.origin, piece=piece)
        elif not list(self._candidates(said)):
            piece = said.piece or Piece.PAWN
            if said.origin == Place():
                return Message.of("refuse_no_piece", piece=piece)
            return Message.of("refuse_no_piece_there", piece=piece, place=said.origin)
        return None

    def _target_refusal(self, said: MovePattern) -> Message:
        """The piece is there, but cannot make the announced move."""
        without_extras = replace(said, capture=False, promotion=None, en_passant=False)
        if self.matching(without_extras):
            if said.capture and not self.matching(replace(without_extras, capture=True)):
                if said.target == Place():
                    return Message.of("refuse_takes_nothing", piece=self._piece(said))
                return Message.of("refuse_nothing_to_take", square=said.target)
            if said.en_passant and not self.matching(replace(without_extras, en_passant=True)):
                return Message.of("refuse_not_en_passant")
            return Message.of("refuse_promotion")
        origins, piece = tuple(self._candidates(said)), self._piece(said)
        if not said.target.complete:
            return self._part_refusal(said, piece, origins)
        target = chess.parse_square(str(said.target))
        if self._board.color_at(target) == self._board.turn:
            return Message.of("refuse_own_piece", square=said.target)
        if piece is Piece.KING and self._castles(origins[0], target):
            return Message.of("refuse_castle_by_name")
        if any(self._pseudo_legal(origin, target) for origin in origins):
            return Message.of("refuse_still_in_check" if self.in_check else "refuse_leaves_in_check")
        for origin in origins:
            blocker = self._blocker(origin, target)
            if blocker is not None:
                return Message.of("refuse_blocked", square=_place(blocker))
        return Message.of("refuse_no_way", piece=piece, square=said.target)

    def _part_refusal(self, said: MovePattern, piece: Piece, origins: Sequence[chess.Square]) -> Message:
        """The piece is there, but no move of it goes where was said, as far as that was said."""
        goes = (move for move in self._board.pseudo_legal_moves if move.from_square in origins)
        if any(_within(said.target, _place(m.to_square)) and not self._board.is_castling(m) for m in goes):
            return Message.of("refuse_still_in_check" if self.in_check else "refuse_leaves_in_check")
        if said.target == Place():
            return Message.of("refuse_cannot_move", piece=piece)
        return Message.of("refuse_no_way", piece=piece, square=said.target)

    def _piece(self, said: MovePattern) -> Piece:
        """A piece of one's own that an announcement can be about; there must be one."""
        return _PIECES[self._board.piece_type_at(next(self._candidates(said))) or chess.PAWN]

    def _candidates(self, said: MovePattern) -> Iterator[chess.Square]:
        """The squares of one's own pieces that an announcement can begin from."""
        for square, piece in self._board.piece_map().items():
            name = chess.square_name(square)
            fits = _kind(said) in (None, _PIECES[piece.piece_type]) and _within(said.origin, Place(*name))
            if fits and piece.color == self._board.turn:
                yield square

    def _castles(self, origin: chess.Square, target: chess.Square) -> bool:
        return self._board.is_legal(chess.Move(origin, target)) and self._board.is_castling(
            chess.Move(origin, target)
        )

    def _pseudo_legal(self, origin: chess.Square, target: chess.Square) -> bool:
        moves = (chess.Move(origin, target), chess.Move(origin, target, chess.QUEEN))
        return any(self._board.is_pseudo_legal(move) for move in moves)

    def _blocker(self, origin: chess.Square, target: chess.Square) -> chess.Square | None:
        """The first occupied square on the way of a piece that could otherwise go there."""
        alone = chess.Board(None)
        alone.set_piece_at(origin, self._board.piece_at(origin))
        alone.turn = self._board.turn
        if not any(alone.is_pseudo_legal(chess.Move(origin, target, p)) for p in (None, chess.QUEEN)):
            return None
        way = chess.SquareSet.between(origin, target) | chess.BB_SQUARES[target]
        steps = sorted(way, key=lambda square: chess.square_distance(origin, square))
        return next((square for square in steps if self._board.piece_at(square)), None)

    def _castling_refusal(self, side: Side) -> Message:
        """Art. 3.8.2 (2018): rights, pieces between, check before, through and after."""
        board, colour = self._board, self._board.turn
        rights = (
            board.has_kingside_castling_rights if side is Side.SHORT else board.has_queenside_castling_rights
        )
        king = board.king(colour)
        if king is None or not rights(colour):
            return Message.of("refuse_castle_moved")
        rank = chess.square_rank(king)
        rook = chess.square(7 if side is Side.SHORT else 0, rank)
        goal = chess.square(6 if side is Side.SHORT else 2, rank)
        for square in chess.SquareSet.between(king, rook):
            if board.piece_at(square):
                return Message.of("refuse_castle_blocked", square=_place(square))
        if self.in_check:
            return Message.of("refuse_castle_in_check")
        for square in chess.SquareSet.between(king, goal) | chess.BB_SQUARES[goal]:
            if board.is_attacked_by(not colour, square):
                return Message.of("refuse_castle_attacked", square=_place(square))
        return Message.of("refuse_castle_moved")

    def at(self, square: str) -> tuple[str, Piece] | None:
        """Colour and piece on a square such as "e4", or None."""
        piece = self._board.piece_at(chess.parse_square(square))
        return (WHITE if piece.color else BLACK, _PIECES[piece.piece_type]) if piece else None

    def where(self, colour: str, piece: Piece) -> tuple[Place, ...]:
        """The squares of all pieces of a kind, from a1 on."""
        return tuple(map(_place, self._board.pieces(_TYPES[piece], colour == WHITE)))

    def on(self, place: Place) -> tuple[tuple[str, Piece, Place], ...]:
        """The pieces on a rank or a file, from a or 1 on."""
        squares = (square for square in chess.SQUARES if _within(place, _place(square)))
        found = ((self.at(chess.square_name(square)), _place(square)) for square in squares)
        return tuple((*stands, where) for stands, where in found if stands)

    def has_mating_material(self, colour: str) -> bool:
        """Whether a side has pieces with which some mate exists."""
        return not self._board.has_insufficient_material(colour == WHITE)

    def ending(self) -> Ending | None:
        """Mate, stalemate, dead position by lack of material, fivefold repetition or 75 moves, if any."""
        outcome = self._board.outcome(claim_draw=False)
        return Ending(_ENDINGS[outcome.termination], outcome.result()) if outcome else None


def is_light(square: Place) -> bool:
    """Whether a square is white."""
    return bool(chess.BB_SQUARES[chess.parse_square(str(square))] & chess.BB_LIGHT_SQUARES)


def _place(square: chess.Square) -> Place:
    return Place(*chess.square_name(square))


def _within(whole: Place, square: Place) -> bool:
    return whole.file in (None, square.file) and whole.rank in (None, square.rank)


def _promotion_rank(meaning: Move) -> int:
    promotion = meaning.promotion if isinstance(meaning, MovePattern) else None
    return _PROMOTIONS.index(promotion) if promotion else 0


def _kind(said: MovePattern) -> Piece | None:
    """The piece that an announcement is about, if not any."""
    return said.piece or (None if said.any_piece else Piece.PAWN)


def _fits(said: Move, fact: Fact) -> bool:
    meaning = fact.meaning
    if isinstance(said, Castling):
        return isinstance(meaning, Castling) and meaning.side is said.side
    if isinstance(meaning, Castling):
        # UCI writes castling as the king's two squares.
        return said.piece is None and str(said.origin) + str(said.target) == fact.uci
    return (
        _kind(said) in (None, meaning.piece)
        and _within(said.origin, meaning.origin)
        and _within(said.target, meaning.target)
        and said.capture <= meaning.capture
        and said.en_passant <= meaning.en_passant
        and said.promotion in (None, meaning.promotion)
    )
