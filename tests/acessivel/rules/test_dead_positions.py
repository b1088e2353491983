# SPDX-License-Identifier: GPL-3.0-or-later
"""Dead positions and "cannot mate": verdicts from the rule (5.2.2, 6.9; 2018), and mates that are replayed."""

import random

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.examples import examples

from acessivel.rules.dead_positions import AT_ONCE, THOROUGHLY, can_mate, is_dead, search

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
    # Queens, rooks and pawns with room to use them, however the pieces stand.
    ("a full board", "rnb1kb1r/1ppp1ppp/5q1n/p3p3/1P6/P3P3/2PPNPPP/RNBQKB1R w KQkq - 1 5", "yes", "yes"),
    ("an opening, the queen at home", "rnbqkbnr/1p2pp1p/6p1/P1pN4/8/5N2/P1PPPPPP/R1BQKB1R b KQkq - 0 5", "yes", "yes"),
    ("pawns that block each other, and a queen", "1n3Q2/r1P5/4p3/ppP3Pp/P4pk1/bP1K2P1/N6P/1r6 w - - 0 46", "yes", "yes"),
    ("a pawn that must be set free", "8/8/kB6/1n5p/5R1P/P7/1BBK3Q/8 w - - 0 68", "yes", "yes"),
    ("a rook against everything", "4r3/8/1BR3bk/5Q2/p1PPR1PP/P1b3P1/4K3/8 w - - 16 71", "yes", "yes"),
    ("a queen behind a wall that she breaks", "8/8/4k3/1p1p1p1p/1P1P1P1P/4K3/8/Q7 w - - 0 1", "yes", "yes"),
    # One minor piece, which needs a man of the other side beside its king.
    ("knight against a pawn that becomes a knight", "8/8/8/p6k/8/8/8/4KN2 b - - 10 98", "yes", "yes"),
    ("knight against rook in the middle of the board", "8/8/8/r3N1k1/8/8/8/2K5 b - - 13 137", "yes", "yes"),
    ("bishop against knight", "2k5/8/8/1K1b3P/8/8/N7/8 b - - 2 126", "yes", "yes"),
    ("stalemate is the end", "8/8/8/8/8/k7/p7/K7 w - - 0 1", "no", "no"),
    ("the same with the other to move", "8/8/8/8/8/k7/p7/K7 b - - 0 1", "no", "yes"),
    ("the start", chess.STARTING_FEN, "yes", "yes"),
    ("mated already", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "yes", "no"),
]  # fmt: skip


# From games of Stockfish against itself at low levels.
FROM_GAMES = [
    "6k1/1p4pp/5q2/8/4p3/1R2p1bB/bB2P2P/3r3K w - - 2 29",
    "2r1k2r/5pp1/4pn1p/p1Bb4/Pp1P3P/5P2/3N2P1/1Q3RK1 w - - 0 26",
    "3q1b1r/2p1nk2/nr2b1p1/1Np2p2/P2p1N2/4P1Pp/1QBB1P1P/R4RK1 b - - 1 23",
    "1rb1nrk1/2p1q1p1/pn2pp1B/3p3P/pP1P4/4PNR1/1P3PP1/R2QKB2 w Q - 1 18",
    "r1bq1rk1/ppppbppp/nn2p3/4P3/2PP1P2/P5P1/1P5P/RNBQKBNR w KQ - 1 10",
    "rnbqkbnr/2ppp1pp/p7/1p3N2/8/1P6/P1PPPPPP/RNBQKB1R b KQkq - 0 4",
    "8/6k1/1P1N1p2/5p1p/2B5/4Q3/5P1P/6K1 w - - 0 52",
    "7r/P3nk2/4q3/R1p2p2/2p5/2rnpPPp/4R2P/5QK1 w - - 2 42",
    "r5n1/p1pk1pQ1/1p2b3/3p1n2/1P1B4/7P/P4P2/R3K1R1 w Q - 2 19",
    "3rk1r1/1p5p/4b1p1/2B1b3/1pP1p3/7P/P3QPP1/RN4K1 w - - 1 28",
    "r1bqkbnr/pppn3p/8/3pppp1/3PP3/P1P5/1PN2PPP/R1BQKBNR b KQkq - 0 6",
    "1k1rr3/pp1n1qpp/2p1pp1n/3P4/3P4/1P1NP1P1/P3QP1P/RNR3K1 b - - 0 15",
]


@pytest.mark.parametrize(("fen", "white", "black"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_what_a_side_can_still_do(fen, white, black):
    board = chess.Board(fen)
    assert (can_mate(board, chess.WHITE), can_mate(board, chess.BLACK)) == (white, black)
    assert is_dead(board) == ((white, black) == ("no", "no"))


def test_what_is_not_decided_is_said_so_and_ends_nothing():
    board = chess.Board("k1b5/8/8/8/8/8/8/K1B5 w - - 0 1")
    assert can_mate(board, chess.WHITE, positions=3) == "undecided"
    assert not is_dead(board)


def after_random_moves(count):
    chance = random.Random(11)  # noqa: S311
    while count:
        board, plies = chess.Board(), chance.randint(2, 320)
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over():
            yield board
            count -= 1


def test_hardly_anything_is_left_open_and_the_answer_costs_little():
    played = [chess.Board(fen) for fen in FROM_GAMES]
    asked = [
        (board, colour) for board in (*played, *after_random_moves(examples(24))) for colour in chess.COLORS
    ]
    answers = [search(board, colour, AT_ONCE) for board, colour in asked]
    looked = sorted(answer.positions for answer in answers)
    assert looked[len(looked) // 2] < 2_000
    assert looked[int(0.97 * len(looked))] < AT_ONCE
    unanswered = [
        where for where, answer in zip(asked, answers, strict=True) if answer.verdict == "undecided"
    ]
    assert all(can_mate(board, colour, THOROUGHLY) != "undecided" for board, colour in unanswered)


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
        verdict, _, line = search(board, colour, positions=600)
        if verdict == "yes":
            played = board.copy()
            for move in line:
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
    assert search(board, chess.WHITE, AT_ONCE) == search(board, chess.WHITE, AT_ONCE)
