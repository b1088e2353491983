# SPDX-License-Identifier: GPL-3.0-or-later
"""Meaning -> legal moves (none, one, many), or the reason why there is none."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import chess

from acessivel.message import Message
from acessivel.rules import chess960, dead_positions
from acessivel.rules.dead_positions import CanMate
from voices.meaning import Castling, Check, Move, MovePattern, Piece, Place, Side

_TYPES = {Piece(chess.piece_symbol(kind).upper()): kind for kind in chess.PIECE_TYPES}
_PIECES = {kind: piece for piece, kind in _TYPES.items()}
_PROMOTIONS = (Piece.QUEEN, Piece.ROOK, Piece.BISHOP, Piece.KNIGHT)
NULL_MOVE = "0000"  # in UCI: annotations have it where a side passes
WHITE, BLACK = "white", "black"
COLOURS = (WHITE, BLACK)


class BadFenError(ValueError):
    """Text that is not a FEN, or a FEN that cannot be played from: the `reasons`, as parts of a sentence."""

    def __init__(self, *names: str) -> None:
        super().__init__(", ".join(names))
        self.reasons = tuple(Message.of(f"bad_position_{name}") for name in names)


def other(colour: str) -> str:
    """The opponent's colour."""
    return BLACK if colour == WHITE else WHITE


@dataclass(frozen=True, slots=True)
class Fact:
    """A move in every form in which it is spoken, shown or written; legal, unless it is `irregular`."""

    uci: str
    san: str
    meaning: Move
    colour: str
    number: int
    irregular: bool = False

    @property
    def squares(self) -> str:
        """Origin and target without the promotion: "e7e8"."""
        return self.uci[:4]

    @property
    def numbered(self) -> str:
        """The move with its number, as PGN writes it: "4.Nf3", "4...Ng8"."""
        return f"{self.number}{'.' if self.colour == WHITE else '...'}{self.san}"


@dataclass(frozen=True, slots=True)
class Ending:
    """Why no move can follow, with the result in PGN notation (art. 5.1.1, 5.2.1, 5.2.2, 9.6; 2018)."""

    reason: str
    result: str


class Position:
    """A position with the moves that led to it; immutable: `after` returns the next one.

    `met` has the identities of the positions since the last irreversible move, without this one: each
    position adds one to those of the position before, so that a move of a long game costs no more than one of
    a short game.
    """

    def __init__(
        self, board: chess.Board, moves: tuple[chess.Move, ...] = (), met: tuple[Hashable, ...] = ()
    ) -> None:
        self._board = board
        self._moves = moves
        self._met = met

    @classmethod
    def start(cls, fen: str | None = None, variant: str = chess960.STANDARD) -> Position:
        """The initial position of a variant or of a FEN. Raises BadFenError if it cannot be played from.

        A FEN is read as Chess960 if the variant says so, or if its castling rights (X-FEN or Shredder-FEN)
        need it.
        """
        if not fen:
            number = chess960.number(variant)
            return cls(chess.Board() if number is None else chess.Board.from_chess960_pos(number))
        free = variant != chess960.STANDARD
        try:
            board = chess.Board(fen, chess960=free)
            if board.status() & chess.STATUS_BAD_CASTLING_RIGHTS:
                board = chess.Board(fen, chess960=True)
        except ValueError as error:
            raise BadFenError("no_fen") from error
        if not board.is_valid():
            found = (status.name for status in chess.Status if board.status() & status)
            raise BadFenError(*(name.lower() for name in found if name))
        return cls(board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Position({self.fen!r})"

    @cached_property
    def _key(self) -> tuple[str, tuple[chess.Move, ...]]:
        return self.fen, self._moves

    @cached_property
    def _identity(self) -> Hashable:
        return dead_positions.identity(self._board)

    @property
    def fen(self) -> str:
        """The position in FEN."""
        return self._board.fen()

    @property
    def chess960(self) -> bool:
        """Whether castling follows the rules of Chess960 (F.3; 2009)."""
        return self._board.chess960

    @property
    def placement(self) -> str:
        """The first field of the FEN."""
        return self._board.board_fen()

    @property
    def turn(self) -> str:
        """The side to move: "white" or "black"."""
        return WHITE if self._board.turn else BLACK

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._board.is_check()

    @property
    def both_in_check(self) -> bool:
        """Whether both kings are in check, which no legal move can bring about."""
        sides = ((colour, self._board.king(colour)) for colour in chess.COLORS)
        return all(
            king is not None and self._board.is_attacked_by(not colour, king) for colour, king in sides
        )

    @property
    def fullmove(self) -> int:
        """The number of the next move."""
        return self._board.fullmove_number

    def after(self, uci: str) -> Position:
        """The position after a legal move. Raises ValueError if the move is not legal."""
        move = chess.Move.from_uci(uci)
        if move not in self._board.legal_moves:
            raise ValueError(f"{uci} is not legal in {self.fen}")
        met = () if self._board.is_irreversible(move) else (*self._met, self._identity)
        board = self._board.copy(stack=False)
        board.push(move)
        return Position(board, (*self._moves, move), met)

    def made(self, fact: Fact) -> Position:
        """The position after a move as it was announced, even if it breaks the rules.

        What is `unpromoted` stays a pawn, which attacks nothing.
        """
        if not fact.irregular:
            return self.after(fact.uci)
        move, board = chess.Move.from_uci(fact.uci), self._board.copy(stack=False)
        piece = board.remove_piece_at(move.from_square)
        pawn = piece is not None and piece.piece_type == chess.PAWN
        quiet = not pawn and board.piece_at(move.to_square) is None
        met = (*self._met, self._identity) if quiet else ()
        promotes = None if fact.uci in self.legal_ucis else move.promotion
        kind = promotes or (piece.piece_type if piece else chess.PAWN)
        board.set_piece_at(move.to_square, chess.Piece(kind, board.turn))
        board.castling_rights = board.clean_castling_rights()
        if kind == chess.KING:
            board.castling_rights &= ~(chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
        board.ep_square = None
        board.halfmove_clock = board.halfmove_clock + 1 if quiet else 0
        board.fullmove_number += board.turn == chess.BLACK
        board.turn = not board.turn
        return Position(board, met=met)

    def passed(self) -> Position:
        """The position if the side to move passes, as it may only in an annotation."""
        board = self._board.copy(stack=False)
        board.push(chess.Move.null())
        return Position(board)

    def irregular(self, said: Move) -> tuple[Fact, ...]:
        """What an announcement that fits no legal move does on the board; none if that is unclear.

        It must name a piece of the player's own and its target, which holds neither another own piece nor a
        king. If a pawn is named by its target alone, the one on that file is meant; one that takes stands
        on a file beside it.
        """
        if isinstance(said, Castling) or not said.whole or not said.target.complete:
            return ()
        stands = self.at(str(said.target))
        if stands and (stands[0] == self.turn or stands[1] is Piece.KING):
            return ()
        origins = tuple(self._candidates(said))
        if _kind(said) is Piece.PAWN and said.origin == Place():
            file = chess.square_file(chess.parse_square(str(said.target)))
            origins = tuple(one for one in origins if abs(chess.square_file(one) - file) == said.capture)
        places = map(_place, origins)
        return tuple(fact for origin in places for fact in self._irregular(said, origin, taken=bool(stands)))

    def _irregular(self, said: MovePattern, origin: Place, *, taken: bool) -> Iterator[Fact]:
        piece = _PIECES[self._board.piece_type_at(chess.parse_square(str(origin))) or chess.PAWN]
        last = piece is Piece.PAWN and said.target.rank in ("1", "8")
        named = (said.promotion,) if said.promotion in _PROMOTIONS else _PROMOTIONS
        for promotion in named if last else (None,):
            meaning = MovePattern(said.target, piece, origin, capture=taken, promotion=promotion)
            becomes = f"={promotion}" if promotion else ""
            letter, takes = "" if piece is Piece.PAWN else piece, "x" if taken else ""
            uci = f"{origin}{said.target}{promotion.lower() if promotion else ''}"
            san = f"{letter}{origin}{takes}{said.target}{becomes}"
            yield Fact(uci, san, meaning, self.turn, self.fullmove, irregular=True)

    def unpromoted(self, fact: Fact) -> Fact:
        """A promotion completed without naming the piece: it is written with a queen, and stays a pawn."""
        promoted = fact.meaning
        if isinstance(promoted, MovePattern):
            promoted = replace(promoted, promotion=Piece.QUEEN, check=Check.NONE)
        san = f"{fact.san.split('=')[0]}=Q"
        return replace(fact, uci=f"{fact.squares}q", san=san, meaning=promoted, irregular=True)

    def taken_on(self, fact: Fact) -> str | None:
        """The square of the captured piece: behind the target if a pawn is taken en passant."""
        meaning = fact.meaning
        if not isinstance(meaning, MovePattern) or not meaning.capture:
            return None
        if meaning.en_passant:
            return f"{meaning.target.file}{meaning.origin.rank}"
        return str(meaning.target)

    def castling_rook(self, fact: Fact) -> str | None:
        """The square of the rook with which a move castles; None for any other move."""
        if not isinstance(fact.meaning, Castling):
            return None
        rook = self._castling_rook(chess.parse_square(fact.uci[:2]), fact.meaning.side)
        return None if rook is None else chess.square_name(rook)

    @cached_property
    def legal(self) -> tuple[Fact, ...]:
        """Every legal move."""
        return tuple(self._fact(move) for move in self._legal_moves)

    @cached_property
    def legal_ucis(self) -> tuple[str, ...]:
        """Every legal move in UCI, in the same order: without its notation, which takes ten times as long."""
        return tuple(move.uci() for move in self._legal_moves)

    @cached_property
    def _legal_moves(self) -> tuple[chess.Move, ...]:
        kings = self._board.kings  # An irregular move can leave a king attacked; a king cannot be captured.
        return tuple(move for move in self._board.legal_moves if not kings & chess.BB_SQUARES[move.to_square])

    def fact(self, uci: str) -> Fact:
        """The legal move with this UCI; castling may also be written as the squares of king and rook.

        Raises ValueError if it is not legal.
        """
        move = self._board.parse_uci(uci)
        if not move:
            raise ValueError(uci)
        return self._fact(move)

    def _fact(self, move: chess.Move) -> Fact:
        board = self._board.copy(stack=False)  # `san` moves there and back: another thread may be reading
        san = board.san(move)
        check = Check.MATE if san.endswith("#") else Check.CHECK if san.endswith("+") else Check.NONE
        meaning = replace(self._meaning(move), check=check)
        return Fact(move.uci(), san, meaning, self.turn, self.fullmove)

    def _meaning(self, move: chess.Move) -> Move:
        """What a legal move means, without the check that it gives."""
        if self._board.is_castling(move):
            return Castling(Side.SHORT if self._board.is_kingside_castling(move) else Side.LONG)
        kind = self._board.piece_type_at(move.from_square)
        return MovePattern(
            _place(move.to_square),
            _PIECES[kind or chess.PAWN],
            _place(move.from_square),
            capture=self._board.is_capture(move),
            promotion=_PIECES[move.promotion] if move.promotion else None,
            en_passant=self._board.is_en_passant(move),
        )

    def matching(self, said: Move) -> tuple[Fact, ...]:
        """The legal moves that an announcement can mean; promotions to a queen come first."""
        fitting = (move for move in self._legal_moves if _fits(said, self._meaning(move), move.uci()))
        return tuple(sorted(map(self._fact, fitting), key=lambda fact: _promotion_rank(fact.meaning)))

    def begun(self, said: Move) -> Move:
        """Read an announcement that names only an own piece or its square as a move whose target is missing.

        No piece can go where an own piece stands, so that square must be the origin.
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
        """No own piece stands where the announced piece should."""
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
        without_extras = replace(said, piece=_kind(said), capture=False, promotion=None, en_passant=False)
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
        if piece is Piece.KING and self.castling(_place(origins[0]), said.target, near=True):
            return Message.of("refuse_castle_by_name")
        if self._board.color_at(target) == self._board.turn:
            return Message.of("refuse_own_piece", square=said.target)
        if any(self._pseudo_legal(origin, target) for origin in origins):
            return self._check_refusal(target)
        for origin in origins:
            blocker = self._blocker(origin, target)
            if blocker is not None:
                return Message.of("refuse_blocked", square=_place(blocker))
        castling = piece is Piece.KING and self.unnamed_castling(_place(origins[0]), said.target)
        if castling:
            return self._castling_refusal(castling.side)
        return Message.of("refuse_no_way", piece=piece, square=said.target)

    def _check_refusal(self, *targets: chess.Square) -> Message:
        """A piece could go to these squares but for a king: its own, or the one that stands there."""
        if all(self._board.kings & chess.BB_SQUARES[target] for target in targets):
            return Message.of("refuse_takes_king")  # it was left in check
        return Message.of("refuse_still_in_check" if self.in_check else "refuse_leaves_in_check")

    def _part_refusal(self, said: MovePattern, piece: Piece, origins: Sequence[chess.Square]) -> Message:
        """The piece is there, but no move of it fits the part of the target that was said."""
        moves = (move for move in self._board.pseudo_legal_moves if move.from_square in origins)
        goes = [move.to_square for move in moves if not self._board.is_castling(move)]
        fitting = [target for target in goes if _within(said.target, _place(target))]
        if fitting:
            return self._check_refusal(*fitting)
        if said.target == Place() and said.origin.complete:
            return Message.of("refuse_cannot_move_there", piece=piece, square=said.origin)
        if said.target == Place():
            return Message.of("refuse_cannot_move", piece=piece)
        if piece is Piece.KING and said.target.file:
            king = _place(origins[0])
            if self.castling(king, replace(king, file=said.target.file), near=True):
                return Message.of("refuse_castle_by_name")
        key = "refuse_no_way_to_file" if said.target.file else "refuse_no_way_to_rank"
        return Message.of(key, piece=piece, square=said.target)

    def _piece(self, said: MovePattern) -> Piece:
        """An own piece that an announcement can be about; there must be one."""
        return _PIECES[self._board.piece_type_at(next(self._candidates(said))) or chess.PAWN]

    def _candidates(self, said: MovePattern) -> Iterator[chess.Square]:
        """The squares of the own pieces that could make an announced move."""
        for square, piece in self._board.piece_map().items():
            name = chess.square_name(square)
            fits = _kind(said) in (None, _PIECES[piece.piece_type]) and _within(said.origin, Place(*name))
            if fits and piece.color == self._board.turn:
                yield square

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
        """Art. 3.8.2 (2018), F.3 (2009): rights, pieces between, check before, through and after."""
        board, colour = self._board, self._board.turn
        king = board.king(colour)
        rook = None if king is None else self._castling_rook(king, side)
        if king is None or rook is None:
            return Message.of("refuse_castle_moved")
        rank = chess.square_rank(king)
        goal = chess.square(6 if side is Side.SHORT else 2, rank)
        rook_goal = chess.square(5 if side is Side.SHORT else 3, rank)
        ways = _way(king, goal) | _way(rook, rook_goal) | chess.SquareSet.between(king, rook)
        for square in ways - chess.SquareSet((king, rook)):
            if board.piece_at(square):
                return Message.of("refuse_castle_blocked", square=_place(square))
        if self.in_check:
            return Message.of("refuse_castle_in_check")
        for square in _way(king, goal) - chess.SquareSet((king,)):
            if board.is_attacked_by(not colour, square):
                return Message.of("refuse_castle_attacked", square=_place(square))
        # In Chess960 the rook itself can shield the king's target square from check.
        return Message.of("refuse_castle_attacked", square=_place(goal))

    def _castling_rook(self, king: chess.Square, side: Side) -> chess.Square | None:
        """The square of the rook with which a king may still castle on a side; None if the right is lost."""
        rank = chess.BB_RANKS[chess.square_rank(king)]
        rooks = chess.SquareSet(
            self._board.clean_castling_rights() & rank & self._board.occupied_co[self._board.turn]
        )
        way = (rook for rook in rooks if (rook > king) is (side is Side.SHORT))
        return next(way, None)

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

    def attackers(self, colour: str, square: Place) -> tuple[Place, ...]:
        """The squares of a side's pieces that attack a square, or defend what stands there, from a1 on."""
        found = self._board.attackers(colour == WHITE, chess.parse_square(str(square)))
        return tuple(map(_place, found))

    def pins(self, colour: str) -> tuple[tuple[Place, Place], ...]:
        """The pieces of a side that are pinned to their king, each with what pins it, from a1 on."""
        board, side = self._board, colour == WHITE
        king, found = board.king(side), []
        for square in chess.SquareSet(board.occupied_co[side]):
            if king is None or square == king or not board.is_pinned(side, square):
                continue
            ray = board.pin(side, square) & board.occupied_co[not side]
            between = (p for p in ray if _alone(board, square, chess.SquareSet.between(king, p)))
            found += [(_place(square), _place(pinner)) for pinner in between]
        return tuple(found)

    def castling_rights(self, colour: str) -> tuple[Side, ...]:
        """The sides on which neither king nor rook has moved, for castling (3.8.2.1; 2018), short first."""
        king, rights = self._board.king(colour == WHITE), self._board.clean_castling_rights()
        rooks = chess.SquareSet(rights & self._board.occupied_co[colour == WHITE])
        kept = {Side.SHORT if king is not None and rook > king else Side.LONG for rook in rooks}
        return tuple(side for side in Side if side in kept)

    def castling_goals(self, castling: Castling) -> tuple[Place, Place]:
        """Where the king and rook of the side to move stand after castling (art. 3.8.2; 2018)."""
        rank = "1" if self._board.turn else "8"
        king, rook = ("g", "f") if castling.side is Side.SHORT else ("c", "d")
        return Place(king, rank), Place(rook, rank)

    def castling(self, king: Place, square: Place, *, near: bool = False) -> Fact | None:
        """The legal castling move with the rook on a square, or with the king going there over two files.

        `near`: also over one file or none, which can be a plain king move as well.
        """
        for move in self._board.legal_moves:
            if self._board.is_castling(move) and _place(move.from_square) == king:
                side = Side.SHORT if self._board.is_kingside_castling(move) else Side.LONG
                rook = self._castling_rook(move.from_square, side)
                goal = chess.square(6 if side is Side.SHORT else 2, chess.square_rank(move.from_square))
                far = near or chess.square_distance(move.from_square, goal) > 1
                if (rook is not None and square == _place(rook)) or (far and square == _place(goal)):
                    return self._fact(move)
        return None

    def unnamed_castling(self, king: Place, square: Place) -> Castling | None:
        """The castling, legal or not, that a king seems to make which goes so far along its first rank.

        There must be a rook for it: one that may still castle, or one at home as the king is. A piece of the
        opponent's on the square is taken, which no castling does.
        """
        side = {"g": Side.SHORT, "c": Side.LONG}.get(square.file or "")
        origin = chess.parse_square(str(king))
        if side is None or self.castling_goals(Castling(side))[0] != square or king.rank != square.rank:
            return None
        if (stands := self.at(str(square))) and stands[0] != self.turn:
            return None
        corner = f"{'h' if side is Side.SHORT else 'a'}{king.rank}"
        at_home = king.file == "e" and self.at(corner) == (self.turn, Piece.ROOK)
        far = chess.square_distance(origin, chess.parse_square(str(square))) > 1
        return Castling(side) if far and (at_home or self._castling_rook(origin, side) is not None) else None

    def can_mate(self, colour: str, *, thoroughly: bool = False) -> CanMate:
        """Whether a side could mate by any series of legal moves (art. 6.9; 2018), if this can be decided.

        At once, which leaves few questions open, or `thoroughly`, which takes seconds and leaves hardly any.
        """
        positions = dead_positions.THOROUGHLY if thoroughly else dead_positions.AT_ONCE
        return dead_positions.can_mate(self._board, colour == WHITE, positions)

    def repetitions(self, uci: str | None = None) -> int:
        """How often the position has occurred, including now; with a move: the position that it leads to.

        Positions are the same if they have the same pieces, player to move and possible moves: castling
        rights, lost when king or rook moves, and a legal capture en passant. The editions word it
        differently, but count alike (art. 9.2).
        """
        if uci:
            return self.after(uci).repetitions()
        return 1 + self._met.count(self._identity)

    def quiet_plies(self, uci: str | None = None) -> int:
        """The number of half-moves in a row without a pawn move or a capture, including the given one."""
        return self.after(uci).quiet_plies() if uci else self._board.halfmove_clock

    def ending(self, automatic: frozenset[str]) -> Ending | None:
        """Mate, stalemate, a dead position, or whatever in `automatic` ends a game without a claim.

        Mate takes precedence over 75 quiet moves (9.6.2; 2018). A position that is not proved dead is played
        on.
        """
        if not any(self._board.generate_legal_moves()):
            if not self.in_check:
                return Ending("stalemate", "1/2-1/2")
            return Ending("checkmate", "0-1" if self._board.turn else "1-0")
        if dead_positions.is_dead(self._board):
            return Ending("dead_position", "1/2-1/2")
        if "fivefold" in automatic and self.repetitions() >= 5:
            return Ending("fivefold", "1/2-1/2")
        if "seventyfive" in automatic and self.quiet_plies() >= 150:
            return Ending("seventyfive", "1/2-1/2")
        return None


def is_light(square: Place) -> bool:
    """Whether a square is white."""
    return bool(chess.BB_SQUARES[chess.parse_square(str(square))] & chess.BB_LIGHT_SQUARES)


def _place(square: chess.Square) -> Place:
    return Place(*chess.square_name(square))


def _alone(board: chess.Board, square: chess.Square, way: chess.SquareSet) -> bool:
    """Whether the way is empty except for a piece on a given square."""
    return square in way and not way & board.occupied & ~chess.BB_SQUARES[square]


def _way(start: chess.Square, goal: chess.Square) -> chess.SquareSet:
    """The squares between two squares of a rank, both included."""
    return chess.SquareSet.between(start, goal) | chess.SquareSet((start, goal))


def _within(whole: Place, square: Place) -> bool:
    return whole.file in (None, square.file) and whole.rank in (None, square.rank)


def _promotion_rank(meaning: Move) -> int:
    promotion = meaning.promotion if isinstance(meaning, MovePattern) else None
    return _PROMOTIONS.index(promotion) if promotion else 0


def _kind(said: MovePattern) -> Piece | None:
    """The piece that an announcement is about, unless it is about any piece."""
    return said.piece or (None if said.any_piece else Piece.PAWN)


def _fits(said: Move, meaning: Move, uci: str) -> bool:
    if isinstance(said, Castling):
        return isinstance(meaning, Castling) and meaning.side is said.side
    if isinstance(meaning, Castling):
        # UCI writes castling as the king's two squares; in Chess960 as the squares of king and rook.
        return said.piece is None and str(said.origin) + str(said.target) == uci
    return (
        _kind(said) in (None, meaning.piece)
        and _within(said.origin, meaning.origin)
        and _within(said.target, meaning.target)
        and said.capture <= meaning.capture
        and said.en_passant <= meaning.en_passant
        and said.promotion in (None, meaning.promotion)
    )
