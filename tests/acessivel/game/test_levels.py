# SPDX-License-Identifier: GPL-3.0-or-later
"""The levels: their table, the chance by which a weak one slips, and the real engine at each of them."""

import queue
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.devices.engine import Opponent, find_engine
from acessivel.game.engine_choice import STEADY, Rated, Weakness, choose
from acessivel.game.game import Game, Setup
from acessivel.game.levels import levels
from acessivel.session.events import EngineCompared, EngineJudged, EngineMoved
from acessivel.settings.settings import LEVELS, Settings

needs_stockfish = pytest.mark.skipif(find_engine() is None, reason="Stockfish is not installed")


def test_the_table_has_the_levels_that_can_be_asked_for_each_stronger_than_the_last():
    table = levels()
    assert list(table) == list(LEVELS)
    strengths = [level.elo for level in table.values()]
    assert strengths == sorted(set(strengths))
    assert table[1].elo <= 500
    assert table[Settings().level].elo <= 1000
    assert [level.weakness == STEADY for level in table.values()] == sorted(
        level.weakness == STEADY for level in table.values()
    )


def chance(seed):
    return random.Random(seed)  # noqa: S311


RATED = st.lists(st.integers(-3000, 3000), min_size=1, max_size=30).map(
    lambda worths: [Rated(f"m{n}", worth) for n, worth in enumerate(worths)]
)


@given(RATED, st.floats(0, 1), st.integers(0, 900), st.integers())
def test_a_move_loses_no_more_than_a_slip_may(rated, slips, loss, seed):
    worth = {move.uci: move.worth for move in rated}
    best = max(worth.values())
    chosen = choose(rated, Weakness(slips, loss), chance(seed))
    assert worth[chosen] >= min(best, 1000) - loss
    assert choose(rated, Weakness(slips, loss), chance(seed)) == chosen
    assert worth[choose(rated, STEADY, chance(seed))] == best


def test_it_slips_as_often_as_it_says():
    rated = [Rated("best", 100), Rated("near", 0), Rated("far", -500)]
    luck, weakness = chance(5), Weakness(0.5, 200)
    found = Counter(choose(rated, weakness, luck) for _ in range(4000))
    # A slip is one of two moves, the best among them.
    assert set(found) == {"best", "near"}
    assert 900 <= found["near"] <= 1100


def test_of_a_won_game_a_slip_may_lose_the_mate_but_not_the_win():
    rated = [Rated("mates", 99_999), Rated("wins", 1500), Rated("throws away", -300)]
    found = {choose(rated, Weakness(1.0, 500), chance(seed)) for seed in range(200)}
    assert found == {"mates", "wins"}


@pytest.fixture
def engine():
    opened = []

    def open_(level, seed=1):
        answers = queue.SimpleQueue()
        opened.append(Opponent(find_engine(), level, answers.put, chance(seed)))
        return opened[-1], answers

    yield open_
    for opponent in opened:
        opponent.close()


def game(*ucis, **setup):
    found = Game.new(Setup.of(**setup))
    for uci in ucis:
        found = found.play(next(fact for fact in found.position.legal if fact.uci == uci), 0)
    return found


@needs_stockfish
@pytest.mark.parametrize("level", LEVELS)
def test_each_level_plays_a_legal_move(engine, level):
    opponent, answers = engine(level)
    start = game()
    opponent.ask_move(start, 0)
    answer = answers.get(timeout=60)
    assert isinstance(answer, EngineMoved)
    assert answer.uci in {fact.uci for fact in start.position.legal}


@needs_stockfish
def test_the_weakest_level_varies_and_the_strongest_takes_what_hangs(engine):
    weak, answers = engine(1)
    found = set()
    for _ in range(40):
        weak.ask_move(game(), 0)
        found.add(answers.get(timeout=60).uci)
    assert len(found) > 10
    strong, answers = engine(8)
    strong.ask_move(game(fen="3qk3/8/8/8/3Q4/8/8/7K b - - 0 1"), 0)
    assert answers.get(timeout=60).uci == "d8d4"


@needs_stockfish
def test_advice_is_at_full_strength_whatever_the_level(engine):
    opponent, answers = engine(1)
    mate = game(fen="6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    for about in ("hint", "evaluate"):
        opponent.ask_advice(mate, about, 0)
        judged = answers.get(timeout=60)
        assert isinstance(judged, EngineJudged)
        assert (judged.about, judged.mate, judged.line) == (about, 1, ("a1a8",))


@needs_stockfish
def test_a_blunder_is_compared_with_the_best_move(engine):
    opponent, answers = engine(3)
    mated = game("f2f3", "e7e5", "g2g4", "d8h4")
    opponent.ask_advice(mated, "why", 3)
    compared = answers.get(timeout=60)
    assert isinstance(compared, EngineCompared)
    assert (compared.mate, compared.reply) == (-1, ("d8h4",))
    assert compared.best
    assert compared.best[0] != "g2g4"


@needs_stockfish
def test_a_stalemate_that_throws_a_win_away_is_explained(engine):
    opponent, answers = engine(3)
    stalemate = game("f5f7", fen="7k/8/6K1/5Q2/8/8/8/8 w - - 0 1")
    assert stalemate.result.reason == "stalemate"
    opponent.ask_advice(stalemate, "why", 1)
    compared = answers.get(timeout=60)
    assert isinstance(compared, EngineCompared)
    assert compared.best_mate > 0
    assert (compared.cp, compared.mate, compared.reply) == (0, 0, ())
