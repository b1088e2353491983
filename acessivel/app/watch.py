# SPDX-License-Identifier: GPL-3.0-or-later
"""Watching a game of others online: moves are told as they come, and can be stepped through."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from acessivel.app.activity import Input, Output, Reported, Tell
from acessivel.app.online_lobby import LobbyNews
from acessivel.app.online_reception import OnlineReception
from acessivel.app.replay import ReplayActivity
from acessivel.game.game import Setup
from acessivel.message import Message, Messages
from acessivel.online.reports import LobbyReport, Watched
from acessivel.records import replayed_game
from acessivel.records.pgn_files import Recorded
from acessivel.records.replayed_game import Replay
from acessivel.rules.position import WHITE

_SCORES = {"white": "1-0", "black": "0-1"}
_NO_SCORE = ("aborted", "noStart", "unknownFinish")


class WatchActivity(ReplayActivity):
    """A replay that grows: who stands at its end hears each new move, who reads elsewhere is left alone."""

    def __init__(
        self,
        reception: OnlineReception,
        reported: deque[LobbyReport],
        watched: Watched,
        words: tuple[str, str],
    ) -> None:
        """`watched`: how the game stands now. Raises ValueError if it cannot be followed here."""
        replay = _replay(watched, words)
        super().__init__(replayed_game.at_end(replay), words)
        self._reception, self._reported = reception, reported

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Take what is reported; all else as in a replay."""
        if input_ != Reported(LobbyNews()):
            return super().handle(input_, now_ms)
        told: Messages = ()
        while self._reported:
            report = self._reported.popleft()
            told += self._followed(report) if isinstance(report, Watched) else self._reception.take(report)
        self.over = self.over or self._reception.chosen is not None
        return (Tell(told),) if told else ()

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002
        """The lobby follows, and says so."""
        return ()

    def _followed(self, watched: Watched) -> Messages:
        """Go on as the game does."""
        try:
            self._replay, told = replayed_game.grown(self._replay, _replay(watched, self._words))
        except ValueError:  # a move that is none here
            return (Message.of("lobby_cannot_follow"),)
        return told


def _replay(watched: Watched, words: tuple[str, str]) -> Replay:
    """A game as it stands, with the times after the last two moves. Raises ValueError for nonsense."""
    language, convention = words
    setup = Setup.of(
        language=language,
        convention=convention,
        fen=watched.fen or None,
        white=watched.white or "?",
        black=watched.black or "?",
    )
    left = {WHITE: watched.white_s, "black": watched.black_s}
    blacks = Replay.of(setup, [Recorded()]).here.position.turn != WHITE
    moves = [Recorded()]
    for number, uci in enumerate(watched.moves):
        seconds = left["black" if bool(number % 2) != blacks else WHITE]
        late = number >= len(watched.moves) - 2 and seconds is not None
        moves.append(Recorded(uci, number, (seconds or 0) * 1000 if late else None))
    score = "*"
    if watched.over and watched.over not in _NO_SCORE:
        score = _SCORES.get(watched.winner, "1/2-1/2")
    return Replay.of(setup, moves, score, advises=False, goes_on=not watched.over)
