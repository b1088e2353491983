# SPDX-License-Identifier: GPL-3.0-or-later
"""Centipawns and mates as sentences, from the player's side."""

import pytest

from acessivel.rules.position import Position
from acessivel.session.evaluation import Judgement, evaluation, explanation, facts


@pytest.mark.parametrize(
    ("cp", "mate", "key", "colour", "count"),
    [
        (0, 0, "eval_equal", None, None),
        (-39, 0, "eval_equal", None, None),
        (40, 0, "eval_little", "white", None),
        (-79, 0, "eval_little", "black", None),
        (80, 0, "eval_pawns", "white", 1),
        (-149, 0, "eval_pawns", "black", 1),
        (151, 0, "eval_pawns", "white", 2),
        (-1234, 0, "eval_pawns", "black", 12),
        (0, 1, "eval_mate", "white", 1),
        (0, -1, "eval_mate", "black", 1),
        (0, -4, "eval_mate", "black", 4),
    ],
)
def test_the_evaluation_in_words(cp, mate, key, colour, count):
    message = evaluation(Judgement(cp, mate))
    values = dict(message.values)
    assert (message.key, values.get("colour"), values.get("count")) == (key, colour, count)


def move(position, uci):
    return next(fact for fact in position.legal if fact.uci == uci)


START = Position.start()
AFTER_E4 = START.after("e2e4")
E4, A6 = move(START, "e2e4"), move(AFTER_E4, "a7a6")


@pytest.mark.parametrize(
    ("best", "after", "keys", "count"),
    [
        # The engine's own choice is the best, whatever the numbers say a moment later.
        (Judgement(30, 0, ("e2e4",)), Judgement(-200), ["why_best"], None),
        (Judgement(30, 0, ("d2d4",)), Judgement(-19), ["why_fine"], None),
        (Judgement(30, 0, ("d2d4",)), Judgement(80), ["why_fine"], None),
        (Judgement(30, 0, ("d2d4",)), Judgement(-20, 0, ("e7e5",)), ["why_lost", "why_better", "why_reply"], 1),
        (Judgement(30, 0, ("d2d4",)), Judgement(-270), ["why_lost", "why_better"], 3),
        # Who wins in any case has lost nothing, nor has who is mated in any case.
        (Judgement(2000, 0, ("d2d4",)), Judgement(1200), ["why_fine"], None),
        (Judgement(0, -3, ("d2d4",)), Judgement(0, -2), ["why_fine"], None),
        (Judgement(0, 2, ("d2d4",)), Judgement(0, 5), ["why_fine"], None),
        (Judgement(0, 2, ("d2d4",)), Judgement(900, 0, ("e7e5",)), ["why_missed", "why_better"], 2),
        (Judgement(0, 1, ("d2d4",)), Judgement(0), ["why_missed", "why_better"], 1),
        (Judgement(0, 0, ("d2d4",)), Judgement(0, -1), ["why_mated", "why_better"], 1),
        (Judgement(0, 3, ("d2d4",)), Judgement(0, -2), ["why_mated", "why_better"], 2),
        (Judgement(), Judgement(), ["why_best"], None),
    ],
)  # fmt: skip
def test_what_a_move_of_white_has_lost(best, after, keys, count):
    told = explanation(E4, START, best, after)
    assert [message.key for message in told] == keys
    assert dict(told[0].values).get("count") == count


def test_black_s_loss_is_what_white_gains():
    best = Judgement(30, 0, ("e7e5",))
    told = explanation(A6, AFTER_E4, best, Judgement(250, 0, ("d2d4", "e7e6", "g1f3", "b8c6")))
    assert [message.key for message in told] == ["why_lost", "why_better", "why_reply"]
    assert dict(told[0].values)["count"] == 2
    assert [fact.san for fact in dict(told[2].values)["moves"]] == ["d4", "e6", "Nf3"]
    assert explanation(A6, AFTER_E4, best, Judgement(-300))[0].key == "why_fine"


def test_a_line_is_told_as_far_as_it_is_legal():
    assert [fact.san for fact in facts(START, ("e2e4", "e7e5", "e4e5", "d7d6"))] == ["e4", "e5"]
    assert facts(START, ("0000",)) == ()
