# SPDX-License-Identifier: GPL-3.0-or-later
"""Dead positions and "cannot mate": verdicts from the rule (5.2.2, 6.9; 2018), and mates that are replayed."""

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.examples import examples

from acessivel.rules.dead_positions import can_mate, helpmate, is_dead

CASES = [
    # why; FEN; can White mate, can Black
    ("bare kings", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "no", "no"),
    ("lone bishop", "8/8/8/8/8/k7/8/K1B5 w - - 0 1", "no", "no"),
    ("bishops of one colour", "kb6/8/8/8/8/8/8/K1B5 w - - 0 1", "no", "no"),
    ("lone knight", "k7/2N5/8/8/8/8/8/K7 b - - 0 1", "no", "no"),
    ("knight against queen, which only takes", "8/8/4k3/8/4q3/8/8/K1N5 w - - 0 1", "no", "yes"),
    ("bishop against rook, which only stands between", "kr6/8/8/8/8/8/8/K1B5 w - - 0 1", "no", "yes"),
    ("knight against rook, which can be in the way", "kr6/8/8/8/8/8/8/K1N5 w - - 0 1", "yes", "yes"),
    ("knight against knight", "kn6/8/8/8/8/8/8/K1N5 w - - 0 1", "yes", "yes"),
    ("a pawn becomes a queen", "4k3/8/8/8/8/8/P7/K7 w - - 0 1", "yes", "no"),
    ("the queen must be taken, nothing is left", "7k/8/8/8/8/8/6q1/7K w - - 0 1", "no", "no"),
    ("a wall that nobody crosses", "8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/8 w - - 0 1", "no", "no"),
    (
        "a wall with bishops that can do nothing",
        "5bk1/6p1/3p1pPp/2pP1P1P/1pP5/pP6/P7/K4B2 w - - 0 1",
        "no",
        "no",
    ),
    # The families of the Chess Unwinnability Analyzer: bishops of one colour, walls, forced lines. Between the
    # pawns of b4 to h4 and b5 to h5 a king enters only squares that the other side's pawns attack.
    ("many bishops of one colour", "4kb2/8/8/8/8/4B3/8/2B1K3 w - - 0 1", "no", "no"),
    ("bishops of both colours, one each", "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "yes", "yes"),
    ("a wall, and a bishop of the colour of its own pawns", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "no", "no"),
    ("a wall, each with a bishop of its own pawns' colour", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "no", "no"),
    ("a wall, and a bishop that takes its pawns", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4KB2 w - - 0 1", "yes", "yes"),
    ("a wall, and a knight that takes its pawns", "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4KN2 w - - 0 1", "yes", "yes"),
    ("a wall with a gap for the kings", "4k3/8/8/1p1p1p2/1P1P1P2/8/8/4K3 w - - 0 1", "yes", "yes"),
    ("a wall with one pawn that can still move", "4k3/8/7p/1p1p1p2/1P1P1P1P/8/8/4K3 w - - 0 1", "yes", "yes"),
    ("stalemate is the end", "8/8/8/8/8/k7/p7/K7 w - - 0 1", "no", "no"),
    ("the same with the other to move", "8/8/8/8/8/k7/p7/K7 b - - 0 1", "no", "yes"),
    ("the start", chess.STARTING_FEN, "yes", "yes"),
    ("mated already", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "yes", "no"),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "white", "black"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_what_a_side_can_still_do(fen, white, black):
    board = chess.Board(fen)
    assert (can_mate(board, chess.WHITE), can_mate(board, chess.BLACK)) == (white, black)
    assert is_dead(board) == ((white, black) == ("no", "no"))


def test_what_is_not_decided_is_said_so_and_ends_nothing():
    board = chess.Board("k1b5/8/8/8/8/8/8/K1B5 w - - 0 1")
    assert can_mate(board, chess.WHITE, positions=3) == "undecided"
    assert not is_dead(board)


def boards(chance, most):
    board = chess.Board(None)
    squares = chance.sample(chess.SQUARES, most + 2)
    board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
    board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
    for square in squares[2:]:
        kinds = "QRBNqrbn" if chess.square_rank(square) in (0, 7) else "RBNPrbnp"
        board.set_piece_at(square, chess.Piece.from_symbol(chance.choice(kinds)))
    board.turn = chance.random() < 0.5
    return board


@settings(max_examples=examples(40), deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 3))
def test_no_random_play_mates_where_no_mate_is_possible_and_each_mate_found_is_one(chance, most):
    board = boards(chance, most)
    assume(board.is_valid())
    for colour in chess.COLORS:
        verdict = can_mate(board, colour, positions=600)
        if verdict == "yes":
            played = board.copy()
            for move in helpmate(board, colour, positions=600) or []:
                assert move in played.legal_moves
                played.push(move)
            assert played.is_checkmate()
            assert played.turn is not colour
        elif verdict == "no":
            for _ in range(5):
                played = board.copy()
                for _ in range(40):
                    moves = list(played.legal_moves)
                    if not moves:
                        break
                    played.push(chance.choice(moves))
                assert not (played.is_checkmate() and played.turn is not colour)


def test_the_search_is_the_same_each_time():
    board = chess.Board("kn6/8/8/8/8/8/8/K1N5 w - - 0 1")
    assert helpmate(board, chess.WHITE) == helpmate(board, chess.WHITE)
