# SPDX-License-Identifier: GPL-3.0-or-later
"""Games between two players over bad lines: the same record on both sides and at the server, whatever was cut."""

import os
import queue
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from random import Random

from support.cutting_proxy import CuttingProxy
from support.examples import examples
from support.happening import played_ucis
from support.lichess import FakeLichess

from acessivel.dialogue.questions import NOTHING, Confirm, Offered, TakingBack
from acessivel.game.game import Setup
from acessivel.online.client import Delays
from acessivel.online.lobby import Lobby
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step

AT_ONCE = Delays(answer=2, quiet=0.5, pauses=(0, 0.01, 0.02, 0.05), too_many=0.05, offline=0.05, lasted=5)
RESULTS = {"white": "1-0", "black": "0-1", "": "1/2-1/2"}
NOT_MADE = ("online_not_made", "online_move_refused")


class Scripted:
    """Plays by the core alone: announces moves, says yes, and now and then offers a draw or asks a move back."""

    def __init__(self, colour, server, token, game, seed):
        self.colour, self.chance = colour, Random(seed)  # noqa: S311
        setup = Setup.of(
            opponent="online", language="en", convention="letters", colour=colour, server=server, game_id=game,
            clock="15+10", white=f"Ana{seed}", black=f"Bob{seed}",
        )  # fmt: skip
        self.state, self.confirmed, self.told = State.new(setup), [], []
        self.events = queue.Queue()
        self.lobby = Lobby(server, token, lambda _: None, AT_ONCE)
        self.do(ev.Started())
        self.opponent = self.lobby.join(game, getattr(setup.players, colour), self.events.put)
        self.asked_at = -1  # after how many half-moves it last asked for anything beside a move

    def do(self, event):
        self.state, effects = step(self.state, event)
        for effect in effects:
            if isinstance(effect, ef.AskServer):
                self.opponent.ask(effect)
            elif isinstance(effect, ef.Say):
                self.told += effect.messages

    def say(self, *words):
        for word in words:
            self.do(ev.SpeechEnded(heard=True))
            self.do(ev.Heard(words=(word,)))

    def act(self):
        """Do what is to be done as the game stands."""
        state, plies = self.state, len(self.state.game.played)
        if state.game.result or not state.online.joined or state.online.sent:
            return
        match state.asking:
            case Offered():
                self.say("yes" if plies > 10 else "no")
            case TakingBack():
                self.say("yes")
            case _ if state.asking == NOTHING and state.game.position.turn == self.colour:
                self.play(plies)

    def play(self, plies):
        chance = self.chance.random()
        if plies >= 12 + self.chance.randrange(10):
            self.say("resign", "yes")
        elif plies > 3 and chance < 0.3 and self.asked_at != plies:
            self.asked_at = plies
            self.say("take back" if chance < 0.15 else "draw", "yes")
        else:
            uci = self.chance.choice(sorted(self.state.game.position.legal_ucis))
            self.say(uci)
            assert isinstance(self.state.asking, Confirm), uci
            self.confirmed.append(self.state.asking.fact.uci)
            self.say("yes")

    @property
    def moves(self):
        return played_ucis(self.state)


def played(lichess, seed):
    """Play a game over two bad lines; both players, the game at the server, and how often the lines were cut."""
    with ExitStack() as stack:
        names = [f"{name}{seed}" for name in ("Ana", "Bob")]
        tokens = [lichess.token(name) for name in names]
        game = lichess.start(*names)
        lines = [
            stack.enter_context(CuttingProxy(lichess.port, 2 * seed + side, share=0.6, delay=0.002))
            for side in (0, 1)
        ]
        sides = [
            Scripted(colour, line.url, token, game, seed)
            for colour, line, token in zip(("white", "black"), lines, tokens, strict=True)
        ]
        for side in sides:
            stack.callback(side.lobby.close)
        while not all(side.state.game.result for side in sides):
            for side in sides:
                with suppress(queue.Empty):
                    side.do(side.events.get(timeout=0.01))
                    side.act()
        return sides, lichess.games[game], sum(line.cuts for line in lines)


def test_games_over_bad_lines_end_in_the_same_record_on_both_sides_and_at_the_server():
    """What was confirmed is made once, or it is told that it was not; ONLINE_GAMES: how many games."""
    count = int(os.environ.get("ONLINE_GAMES", examples(20)))
    with FakeLichess(heartbeat_s=0.1, limits=False, gone_s=5) as lichess, ThreadPoolExecutor(10) as pool:
        games = list(pool.map(lambda seed: played(lichess, seed), range(count)))
    assert sum(cuts for _, _, cuts in games) > count
    wrong = [
        (seed, side.colour, wrong)
        for seed, (sides, game, _) in enumerate(games)
        for side in sides
        for wrong in faults(side, game)
    ]
    assert not wrong


def faults(side, game):
    """What is not as it should be at the end of a game."""
    if side.moves != [move.uci() for move in game.board.move_stack]:
        yield "another record than at the server"
    if side.state.game.result.score != RESULTS[game.winner]:
        yield "another result than at the server"
    made = [uci for colour, uci in game.made if colour == side.colour]
    left = iter(side.confirmed)
    if not all(uci in left for uci in made):
        yield "a move was made that was not confirmed then, or twice"
    told = Counter(dict(message.values)["move"].uci for message in side.told if message.key in NOT_MADE)
    if not Counter(side.confirmed) - Counter(made) <= told:
        yield "a confirmed move was lost without a word"
