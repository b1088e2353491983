# SPDX-License-Identifier: GPL-3.0-or-later
"""Article 4: what a touched piece binds to; the moves are made from real positions."""

import chess
import pytest

from acessivel.laws.editions import edition
from acessivel.laws.touch import Legal, Touched, adjust, binding

FIDE = ("fide-2001", "fide-2009", "fide-2014", "fide-2018")
NUMBERS = {  # rule: 2001 and 2009, 2014 and 2018
    "own": ("4.3a", "4.3.1"),
    "other": ("4.3b", "4.3.2"),
    "both": ("4.3c", "4.3.3"),
    "castle": ("4.4a", "4.4.1"),
    "rook first": ("4.4b", "4.4.2"),
    "king": ("4.4c", "4.4.3"),
    "free": ("4.5", "4.5"),
}


def article(name, rule):
    return NUMBERS[rule][name in ("fide-2014", "fide-2018")]


def legal(board):
    """The legal moves as `touch` takes them."""
    for move in board.legal_moves:
        captured = None
        if board.is_capture(move):
            square = move.to_square
            if board.is_en_passant(move):
                square += -8 if board.turn else 8
            captured = chess.square_name(square)
        rook = None
        if board.is_castling(move):
            file = 7 if board.is_kingside_castling(move) else 0
            rook = chess.square_name(chess.square(file, chess.square_rank(move.from_square)))
        yield Legal(move.uci(), chess.square_name(move.from_square), captured, rook)


def touching(board, squares):
    kinds = {chess.KING: "king", chess.ROOK: "rook"}
    for name in squares.split():
        piece = board.piece_at(chess.parse_square(name))
        yield Touched(name, piece.color == board.turn, kinds.get(piece.piece_type, "other"))


def bound(name, fen, squares):
    board = chess.Board(fen)
    found = binding(edition(name).rules(), list(legal(board)), list(touching(board, squares)))
    return set(found.moves), found.ruling


START = chess.STARTING_FEN
CASTLE = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
SHORT_HINDERED = "r3k2r/pppp1ppp/8/8/1b6/8/PPP2PPP/R3KN1R w KQ - 0 1"  # the king is in check
LONG_ONLY = "4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1"  # g1 is attacked: only the long side
EXCHANGE = "4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1"
TWO_TAKERS = "4k3/8/8/3pp3/3P4/5N2/8/4K3 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"

CASES = [
    # position, touched in this order, rule, moves that remain
    (START, "g1", "own", {"g1f3", "g1h3"}),
    (START, "f1 g1", "own", {"g1f3", "g1h3"}),  # the first that can move
    (START, "f1", "free", None),
    (START, "e7", "free", None),
    (START, "b1 g1", "own", {"b1a3", "b1c3"}),
    (EXCHANGE, "d5", "other", {"e4d5", "c3d5"}),
    (EXCHANGE, "c3 d5", "both", {"c3d5"}),
    (EXCHANGE, "d5 e4", "both", {"e4d5"}),
    (EXCHANGE, "e1 d5", "both", {"e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}),  # the king cannot take: the first touched
    (EXCHANGE, "d5 e1", "both", {"e4d5", "c3d5"}),  # here that was the pawn on d5
    (TWO_TAKERS, "f3 d5", "both", None),
    (EN_PASSANT, "e5 d5", "both", {"e5d6"}),
    (EN_PASSANT, "d5", "other", {"e5d6"}),
    (CASTLE, "e1 h1", "castle", {"e1g1"}),
    (CASTLE, "e1 a1", "castle", {"e1c1"}),
    (CASTLE, "h1 e1", "rook first", {"h1g1", "h1f1"}),
    (CASTLE, "e1", "own", {"e1g1", "e1c1", "e1d1", "e1f1"}),
    (CASTLE, "h1", "own", {"h1g1", "h1f1"}),
    (LONG_ONLY, "e1 h1", "king", {"e1d1", "e1f1", "e1c1"}),  # castling on the other side is allowed
    (LONG_ONLY, "e1 a1", "castle", {"e1c1"}),
]  # fmt: skip


@pytest.mark.parametrize("name", FIDE)
@pytest.mark.parametrize(("fen", "squares", "rule", "wanted"), CASES)
def test_what_remains(name, fen, squares, rule, wanted):
    moves, ruling = bound(name, fen, squares)
    if wanted is None and rule == "both":
        wanted = {move.uci() for move in chess.Board(fen).legal_moves if move.from_square == chess.F3}
    elif wanted is None:
        wanted = {move.uci() for move in chess.Board(fen).legal_moves}
    assert moves == wanted
    assert ruling.article == article(name, rule)
    assert ruling.must_play == (next(iter(wanted)) if len(wanted) == 1 else None)


@pytest.mark.parametrize("name", FIDE)
def test_a_king_without_a_move_frees_the_player_who_wanted_to_castle(name):
    fen = "4k3/8/8/8/8/8/3PPP2/3QKB1R w - - 0 1"  # no right to castle, and no square for the king
    moves, ruling = bound(name, fen, "e1 h1")
    assert moves == {move.uci() for move in chess.Board(fen).legal_moves}
    assert ruling.article == article(name, "king")
    assert ruling.key == "touch_king_free"


def test_a_rook_that_cannot_move_before_the_king_leaves_the_king_without_that_castling():
    moves, ruling = bound("fide-2018", "4k3/8/8/8/8/8/7P/R3K1NR w KQ - 0 1", "h1 e1")
    assert moves == {"e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "e1c1"}
    assert ruling.article == "4.4.2"


def test_a_check_leaves_only_what_answers_it():
    moves, _ = bound("fide-2018", SHORT_HINDERED, "e1 h1")
    assert moves == {"e1d1", "e1e2"}


def test_in_the_brazilian_school_rules_an_own_piece_binds_once_it_has_been_moved():
    rules = edition("escolar-br").rules()
    moves = list(legal(chess.Board()))
    everything = {move.uci for move in moves}
    assert set(binding(rules, moves, [Touched("g1", own=True)]).moves) == everything
    lifted = binding(rules, moves, [Touched("g1", own=True, moved=True)])
    assert set(lifted.moves) == {"g1f3", "g1h3"}
    assert lifted.ruling.article == "Regra da peça tocada"
    board = chess.Board(EXCHANGE)
    other = binding(rules, list(legal(board)), [Touched("d5", own=False)])
    assert set(other.moves) == {"e4d5", "c3d5"}


@pytest.mark.parametrize(
    ("name", "article"), [("fide-2001", "4.2"), ("fide-2009", "4.2"), ("fide-2014", "4.2.1"), ("fide-2018", "4.2.1")]
)  # fmt: skip
def test_i_adjust(name, article):
    free, not_now = (adjust(edition(name).rules(), to_move=turn) for turn in (True, False))
    assert (free.key, free.article) == ("adjust_free", article)
    assert (not_now.key, not_now.article) == ("adjust_not_to_move", article)
