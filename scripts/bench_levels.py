# SPDX-License-Identifier: GPL-3.0-or-later
"""`make bench-levels`: each level of the engine plays the one below it, and the first a careful beginner.

Prints the score with the difference in Elo that it stands for (logistic), and its standard error.
"""

from __future__ import annotations

import argparse
import math
import queue
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from acessivel.devices.engine import Opponent, find_engine  # noqa: E402
from acessivel.game.game import Game, Setup  # noqa: E402
from acessivel.game.levels import levels  # noqa: E402
from acessivel.rules.position import COLOURS, Fact, Position, other  # noqa: E402
from acessivel.session.events import EngineMoved, Event  # noqa: E402
from voices.meaning import MovePattern, Piece  # noqa: E402

_MOST_PLIES = 300  # then the game counts as drawn
_VALUES = {Piece.QUEEN: 9, Piece.ROOK: 5, Piece.BISHOP: 3, Piece.KNIGHT: 3, Piece.PAWN: 1}

Player = Callable[[Game], str]


def material(position: Position, colour: str) -> int:
    """What a side is ahead, in pawns."""
    return sum(
        value * (len(position.where(colour, piece)) - len(position.where(other(colour), piece)))
        for piece, value in _VALUES.items()
    )


def careful(chance: Random) -> Player:
    """A beginner who takes what hangs, hangs nothing to the next move, mates in one, and knows no more."""

    def move(game: Game) -> str:
        position, colour = game.position, game.position.turn

        def worth(fact: Fact) -> int:
            after = position.after(fact.uci)
            if fact.san.endswith("#"):
                return 1000
            takes = [r for r in after.legal if isinstance(r.meaning, MovePattern) and r.meaning.capture]
            return min((material(after.after(r.uci), colour) for r in takes), default=material(after, colour))

        rated = [(worth(fact), fact.uci) for fact in position.legal]
        best = max(worth for worth, _ in rated)
        return chance.choice([uci for worth, uci in rated if worth >= best])

    return move


def engine(level: int, seed: int) -> tuple[Player, Opponent]:
    """The engine at a level, exactly as it plays in the program."""
    answers: queue.SimpleQueue[Event] = queue.SimpleQueue()
    opponent = Opponent(find_engine() or "stockfish", level, answers.put, Random(seed))

    def move(game: Game) -> str:
        opponent.ask_move(game, 0)
        answer = answers.get(timeout=60)
        if not isinstance(answer, EngineMoved):
            raise SystemExit(f"level {level}: {answer}")
        return answer.uci

    return move, opponent


def play(white: Player, black: Player) -> float:
    """The score of White: 1, 0.5 or 0."""
    game = Game.new(Setup())
    players = dict(zip(COLOURS, (white, black), strict=True))
    while not game.result and len(game.played) < _MOST_PLIES:
        uci = players[game.position.turn](game)
        game = game.play(next(fact for fact in game.position.legal if fact.uci == uci), 0)
    scores = {"1-0": 1.0, "0-1": 0.0}
    return scores.get(game.result.score, 0.5) if game.result else 0.5


def match(name: str, one: Player, two: Player, games: int) -> None:
    """One line: how the first scored against the second, with both colours in turn."""
    scores = [play(one, two) if n % 2 == 0 else 1 - play(two, one) for n in range(games)]
    share = sum(scores) / games
    error = math.sqrt(sum((score - share) ** 2 for score in scores)) / games
    bounded = min(max(share, 0.5 / games), 1 - 0.5 / games)
    elo = 400 * math.log10(bounded / (1 - bounded))
    print(f"{name}: {sum(scores):g} of {games} ({share:.0%} +- {error:.0%}), {elo:+.0f} Elo", flush=True)


def main() -> None:
    """Play the matches that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--levels", type=int, nargs="*", default=list(levels()))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for level in options.levels:
        one, opponent = engine(level, options.seed)
        below, lower = engine(level - 1, options.seed + 1) if level > 1 else (None, None)
        if below:
            match(f"level {level} against level {level - 1}", one, below, options.games)
        else:
            beginner = careful(Random(options.seed))
            match("a careful beginner against level 1", beginner, one, options.games)
        opponent.close()
        if lower:
            lower.close()


if __name__ == "__main__":
    main()
