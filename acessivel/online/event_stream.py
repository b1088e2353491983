# SPDX-License-Identifier: GPL-3.0-or-later
"""The stream of what happens to an account: games that begin and end, challenges that come and go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace

from acessivel.message import Message
from acessivel.online import answers, reports
from acessivel.online.answers import AnswerError, Json, OnlineGame
from acessivel.online.client import DeniedError, UnansweredError
from acessivel.online.connection import ServerConnection
from acessivel.online.streams import KeptStream
from acessivel.online.troubles import trouble

_LOG = logging.getLogger(__name__)
_LISTED = 50  # games that the server lists at most
_SENT_AWAY = 2  # so often, and somebody else must have our token


class EventStream:
    """Reports each thing once, although the server tells all that is open again at each opening."""

    def __init__(
        self,
        connection: ServerConnection,
        report: Callable[[reports.LobbyReport], None],
        ended: Callable[[answers.Ended], None],
    ) -> None:
        """To be run by `run`; `ended` is told of each game that is over."""
        self._connection, self._client = connection, connection.client
        self._report, self._ended = report, ended
        self.me = ""
        self.known = asyncio.Event()  # who we are, or that we shall never find out
        self.games: set[str] = set()  # that go on
        self._challenges: dict[str, bool] = {}  # that stand, oldest first -> whether they are ours
        self._settled: set[str] = set()  # challenges that stand no more
        self.started = asyncio.Event()  # it is known what we played before, or that the server is away
        self.connected = asyncio.Event()  # or never any more
        self.refused: DeniedError | AnswerError | None = None  # why nothing will be heard any more
        self.began = asyncio.Event()  # a game, since it was cleared
        self._told_lost = False
        self._opened_at = 0.0
        self._sent_away = 0  # how often the server has closed it in good order soon after it was opened

    async def run(self) -> None:
        """Find out who we are and what we play, and then hear what happens, as long as the token is good."""
        tries = 0
        while True:
            try:
                await self.find_account()
                self.games |= {game.id for game in await self.playing()}
                self.started.set()
                await self._connection.follow(KeptStream(self._client, "/api/stream/event", self))
            except UnansweredError:
                self._disconnected()
                await asyncio.sleep(self._client.delays.pause(tries))
                tries += 1
            except (DeniedError, AnswerError) as error:
                self._report(reports.OnlineTrouble(trouble(error, self._connection.server)))
                self.refused = error
                self.known.set()
                self.started.set()
                self.connected.set()
                return

    async def find_account(self) -> None:
        """Report whose token it is. Raises DeniedError, UnansweredError or AnswerError."""
        account = answers.account(await self._client.get("/api/account"))
        self.me = account.name
        self.known.set()
        self._report(reports.Account(account))

    async def playing(self) -> tuple[OnlineGame, ...]:
        """The games that we play. Raises DeniedError, UnansweredError or AnswerError."""
        return answers.games(await self._client.get(f"/api/account/playing?nb={_LISTED}"))

    async def look_up(self, game_id: str) -> OnlineGame:
        """All of a game of ours but its position. Raises DeniedError, UnansweredError or AnswerError."""
        async with self._client.lines("GET", f"/api/board/game/stream/{game_id}") as lines:
            async for told in lines:
                return answers.looked_up(told, self.me)
        raise UnansweredError("an empty stream")

    def sent(self, challenge: answers.Challenge) -> None:
        """A challenge of ours stands: report it, unless it was told before, or stands no more."""
        if self.stands(challenge.id):
            self._report(reports.ChallengeSent(challenge))

    def stands(self, challenge_id: str, *, mine: bool = True) -> bool:
        """A challenge stands; whether that is news."""
        news = challenge_id not in self._challenges and challenge_id not in self._settled
        if news:
            self._challenges[challenge_id] = mine
        return news

    def own(self) -> str | None:
        """The newest challenge of ours that stands."""
        return next((id_ for id_, mine in reversed(self._challenges.items()) if mine), None)

    def gone(self, challenge_id: str, why: str, reason: str = "") -> None:
        """A challenge stands no more: report it, if it was told."""
        self._settled.add(challenge_id)
        if self._challenges.pop(challenge_id, None) is not None:
            self._report(reports.ChallengeGone(challenge_id, why, reason))

    # The stream

    def opening(self) -> None:
        """Nothing has to be known before."""

    def opened(self) -> None:
        """Report that it is heard again."""
        self._opened_at = asyncio.get_running_loop().time()
        if not self.connected.is_set():
            self.connected.set()
            self._told_lost = False
            self._report(reports.Connected())

    def lost(self, orderly: bool) -> None:
        """Report it; and if the server sends us away again and again, why that may be."""
        soon = asyncio.get_running_loop().time() - self._opened_at < self._client.delays.lasted
        self._sent_away = self._sent_away + 1 if orderly and soon else 0
        if self._sent_away == _SENT_AWAY:
            self._report(reports.OnlineTrouble(Message.of("online_elsewhere")))
        self._disconnected()

    def _disconnected(self) -> None:
        self.connected.clear()
        self.started.set()
        if not self._told_lost:
            self._told_lost = True
            self._report(reports.Disconnected())

    def take(self, told: Json) -> bool:
        """Report what it tells; it is never over."""
        try:
            match told.get("type"):
                case "gameStart":
                    self._game_began(answers.game(answers.part(told, "game")))
                case "gameFinish":
                    self._game_ended(answers.ended(answers.part(told, "game")))
                case "challenge":
                    self._challenged(answers.challenge(answers.part(told, "challenge"), self.me))
                case "challengeCanceled":
                    self.gone(answers.challenge(answers.part(told, "challenge"), self.me).id, "cancelled")
                case "challengeDeclined":
                    declined = answers.challenge(answers.part(told, "challenge"), self.me)
                    self.gone(declined.id, "declined", declined.reason)
        except AnswerError as error:
            _LOG.warning("the server makes no sense: %s", error)
        return False

    def _game_began(self, game: OnlineGame) -> None:
        self._challenges.pop(game.id, None)
        self._settled.add(game.id)
        if game.id not in self.games:
            self.games.add(game.id)
            self.began.set()
            self._connection.start(self._report_game(game))

    async def _report_game(self, game: OnlineGame) -> None:
        """Report a game that has begun with its time control, which only its own stream tells."""
        tries = 0
        while True:
            try:
                found = await self.look_up(game.id)
            except UnansweredError:
                await asyncio.sleep(self._client.delays.pause(tries))
                tries += 1
            except (DeniedError, AnswerError):
                return  # it is over already
            else:
                playable = found.playable and game.playable
                self._report(reports.GameBegan(replace(found, fen=game.fen, playable=playable)))
                return

    def _game_ended(self, game: answers.Ended) -> None:
        self.games.discard(game.id)
        self._ended(game)
        self._report(reports.OnlineGameEnded(game))

    def _challenged(self, challenge: answers.Challenge) -> None:
        if challenge.mine:
            self.sent(challenge)
        elif self.stands(challenge.id, mine=False):
            self._report(reports.ChallengeCame(challenge))
