# SPDX-License-Identifier: GPL-3.0-or-later
"""A move that is prepared before the reply: what can be announced, and when it is still that move after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.positions import positions

from acessivel.rules.position import Position
from acessivel.rules.prepared_moves import after_reply, before_reply
from voices.meaning import Piece
from voices.understanding.meanings import read

# Position before the reply, what is announced for after it, the moves that it can be.
ANNOUNCED = [
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "Nf3", ["g1f3"]),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "d3", ["d2d3"]),  # not c2xd3
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "exd5", ["e4d5"]),  # nothing stands there yet
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e4d5", ["e4d5"]),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "Qxd2", ["d1d2"]),  # a recapture
    ("4k3/8/8/3N4/8/8/6B1/4K3 b - - 0 1", "Bxd5", ["g2d5"]),
    ("4k3/4r3/8/8/8/8/4N3/4K3 b - - 0 1", "Nc3", ["e2c3"]),  # pinned as yet
    ("4k3/P7/8/8/8/8/8/4K3 b - - 0 1", "a8=Q", ["a7a8q"]),
    ("1n2k3/P7/8/8/8/8/8/4K3 b - - 0 1", "axb8=Q", ["a7b8q"]),
    ("4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1", "O-O", ["e1g1"]),
    ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", "Rh8", ["h1h8"]),
    ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", "Nf3", []),
    ("4k3/7p/8/8/8/8/8/4K2R b - - 0 1", "Rh8", []),  # the way is blocked
    ("4k2R/8/8/8/8/8/8/4K3 b - - 0 1", "Rxe8", []),  # no king is taken
]  # fmt: skip
# Position before the reply, prepared move, reply, and what it is then; "" if it is another, or none.
REPLIES = [
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "g1f3", "e7e5", "g1f3"),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e4d5", "d7d5", "e4d5"),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e4d5", "e7e5", ""),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e4e5", "e7e5", ""),  # blocked
    ("4k3/8/2p5/3N4/8/8/6B1/4K3 b - - 0 1", "g2d5", "c6d5", "g2d5"),  # taken, and taken back
    ("4k3/8/2p5/3N4/8/8/6B1/4K3 b - - 0 1", "g2d5", "e8d8", ""),  # nothing was taken
    ("4k3/8/4n3/8/8/8/8/3RK3 b - - 0 1", "d1d4", "e6d4", ""),  # it would capture now
    ("4k3/8/4n3/8/3r4/8/8/3RK3 b - - 0 1", "d1d4", "d4h4", ""),  # it would not capture any more
    ("4k3/8/4n3/8/3r4/8/8/3RK3 b - - 0 1", "d1d4", "e8e7", "d1d4"),
    ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "e5d6", "d7d5", "e5d6"),  # en passant is a capture too
    ("4k3/4r3/8/8/8/8/4N3/4K3 b - - 0 1", "e2c3", "e7d7", "e2c3"),
    ("4k3/4r3/8/8/8/8/4N3/4K3 b - - 0 1", "e2c3", "e7e6", ""),  # still pinned
    ("4k3/3r4/8/8/8/8/8/R3K2R b KQ - 0 1", "e1g1", "d7f7", ""),  # through check
    ("4k3/3r4/8/8/8/8/8/R3K2R b KQ - 0 1", "e1g1", "d7a7", "e1g1"),
    ("1n2k3/P7/8/8/8/8/8/4K3 b - - 0 1", "a7a8q", "e8e7", "a7a8q"),
    ("1n2k3/P7/8/8/8/8/8/4K3 b - - 0 1", "a7b8q", "b8c6", ""),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "words", "moves"), ANNOUNCED)
def test_what_a_reply_may_allow_can_be_announced(fen, words, moves):
    before = before_reply(Position.start(fen))
    said = next(reading.meaning for reading in read(words, "en") if reading.likely)
    assert [fact.uci for fact in before.matching(said)] == moves


@pytest.mark.parametrize(("fen", "prepared", "reply", "becomes"), REPLIES)
def test_after_the_reply_it_is_the_same_move_or_none(fen, prepared, reply, becomes):
    position = Position.start(fen)
    (fact,) = (fact for fact in before_reply(position).legal if fact.uci == prepared)
    found = after_reply(fact, position.after(reply))
    assert (found.uci if found else "") == becomes


def test_it_has_the_number_of_the_move_after_the_reply():
    position = Position.start()
    assert {fact.numbered for fact in before_reply(position).legal} >= {"1...e5", "1...Nf6"}
    assert {fact.numbered for fact in before_reply(position.after("e2e4")).legal} >= {"2.d4", "2.Nf3"}


@given(positions(), st.data())
def test_each_move_that_stood_on_the_board_before_the_reply_could_be_prepared(position, data):
    if not position.legal:
        return
    before = {fact.uci: fact for fact in before_reply(position).legal}
    assert all(fact.meaning.check.value == "" for fact in before.values())
    after = position.after(data.draw(st.sampled_from(position.legal)).uci)
    for fact in after.legal:
        prepared = before.get(fact.uci)
        if prepared and (found := after_reply(prepared, after)):
            assert found == fact
    king = position.where(position.turn, Piece.KING)[0]  # whose square is free only after the reply
    knights = {fact.uci for fact in after.legal if fact.san.startswith("N") and fact.uci[2:] != str(king)}
    assert before.keys() >= knights  # nothing can open or close a knight's way


def test_castling_by_the_square_of_the_rook_is_the_same_move():
    position = Position.start("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert position.fact("e1h1") == position.fact("e1g1")
    with pytest.raises(ValueError, match="0000"):
        position.fact("0000")
