# SPDX-License-Identifier: GPL-3.0-or-later
"""The opponent of one game at a server: what its stream tells as events, and what is asked for, in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLateError
from contextlib import suppress

import httpx

from acessivel.online import answers
from acessivel.online.answers import AnswerError, Json
from acessivel.online.client import DeniedError, UnansweredError
from acessivel.online.connection import ServerConnection
from acessivel.online.event_stream import EventStream
from acessivel.online.streams import KeptStream
from acessivel.session.effects import JOIN, AskServer, ServerRequest
from acessivel.session.events import (
    NOT_LOGGED_IN,
    OTHER_ACCOUNT,
    SERVER_BACK,
    SERVER_LOST,
    SERVER_WAITS,
    DeviceNews,
    Event,
    ServerRefused,
    ServerTold,
)

_LOG = logging.getLogger(__name__)
_LAST_S = 3.0  # how long what was asked for may still take when the game is left

_PATHS: Mapping[ServerRequest, str] = {
    "move": "move/{uci}",
    "draw_yes": "draw/yes",
    "draw_no": "draw/no",
    "takeback_yes": "takeback/yes",
    "takeback_no": "takeback/no",
    "resign": "resign",
    "abort": "abort",
    "claim_victory": "claim-victory",
    "claim_draw": "claim-draw",
    "chat": "chat",
}


class OnlineOpponent:
    """Joins a game by its stream, and reports each thing that happens there as one event.

    The first state after each opening of the stream is `fresh`, unless something that was asked for is still
    on its way. What has failed is reported as `ServerRefused`, and never asked for again from here: if no
    answer has come, or a move was refused, the stream is opened anew, and a fresh state follows. So it is if
    a move has to wait for a pause that the server wants, or another position is told before it goes out.
    """

    def __init__(
        self,
        connection: ServerConnection,
        events: EventStream,
        game_id: str,
        name: str,
        report: Callable[[Event], None],
    ) -> None:
        """Join the game as soon as it is known that the account is the one of that name."""
        self._connection, self._events, self._report = connection, events, report
        self._id, self._name = game_id, name
        self._asked: asyncio.Queue[tuple[AskServer, tuple[str, ...]]] = asyncio.Queue()  # after which moves
        self._moves: tuple[str, ...] = ()  # as they were told last
        self._waiting = 0  # how much of what was asked for has not ended
        self._count = 0  # of all that was asked for
        self._count_at_opening: int | None = None  # None if something was on its way then
        self._owes = True  # a fresh state must still follow
        self.over = False  # the game, or we have left it
        self._told_lost = False
        self._tell_lost: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stream = KeptStream(connection.client, f"/api/board/game/stream/{game_id}", self)
        connection.soon(self._begin)

    def ask(self, request: AskServer) -> None:
        """Ask the server for something; what comes of it is reported."""
        self._connection.soon(self._put, request)

    def close(self) -> None:
        """Leave the game; what was asked for is still sent, if that is soon done."""
        self.over = True
        left: Future[None] = Future()
        if self._connection.soon(lambda: self._connection.start(self._leave(left))):
            with suppress(TooLateError):
                left.result(_LAST_S + 1)
        self._report = lambda _: None

    def waits(self) -> None:
        """Tell that the server has been asked too often; after the pause a fresh state follows."""
        self._report(DeviceNews(key=SERVER_WAITS))
        self._owes = True
        delays = self._connection.client.delays
        self._connection.later(delays.too_many + delays.offline, self._open_anew_if_owed)

    def rating_changed(self, change: Event) -> None:
        """Tell the new rating after the game."""
        self._report(change)

    def _begin(self) -> None:
        self._tasks = [self._connection.start(self._join())]

    async def _leave(self, left: Future[None]) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_S):
                await self._asked.join()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        left.set_result(None)

    # What the stream tells

    async def _join(self) -> None:
        try:
            if await self._is_ours():
                self._tasks.append(self._connection.start(self._send()))
                await self._connection.follow(self._stream)
            else:
                self._refused(OTHER_ACCOUNT)
        except DeniedError as refused:
            self._refused(NOT_LOGGED_IN if refused.status == httpx.codes.UNAUTHORIZED else refused.reason)
        except Exception:
            self._say_lost()  # nothing more will come, and that must not look like a long thought
            raise
        self.over = True

    async def _is_ours(self) -> bool:
        """Wait until it is known whose account it is; whether the game is played in that name."""
        await self._events.started.wait()
        if not self._events.known.is_set():  # the server is away
            self.lost(orderly=False)
            await self._events.known.wait()
        return self._events.me.casefold() in ("", self._name.casefold())

    def _refused(self, reason: str) -> None:
        if self._tell_lost:
            self._tell_lost.cancel()
        self._report(ServerRefused(request=JOIN, reason=reason))

    def opening(self) -> None:
        """The state that comes is fresh if nothing is on its way from here until it is there."""
        self._count_at_opening = None if self._waiting else self._count

    def opened(self) -> None:
        """Tell it if the interruption was told."""
        if self._tell_lost:
            self._tell_lost.cancel()
            self._tell_lost = None
        if self._told_lost:
            self._told_lost = False
            self._report(DeviceNews(key=SERVER_BACK))

    def lost(self, orderly: bool) -> None:  # noqa: ARG002  # a game goes on however its stream has ended
        """Tell it, unless it is soon over."""
        if not self._told_lost and not self._tell_lost:
            self._tell_lost = self._connection.later(self._connection.client.delays.offline, self._say_lost)

    def _say_lost(self) -> None:
        self._told_lost, self._tell_lost = True, None
        self._report(DeviceNews(key=SERVER_LOST))

    def take(self, told: Json) -> bool:
        """Report what a line of the stream says; whether the game is over."""
        try:
            if told.get("type") == "gameFull":
                event: Event | None = self._beginning(told)
            else:
                event = answers.in_game(told)
        except AnswerError as error:
            _LOG.warning("the server makes no sense: %s", error)
            return False
        if isinstance(event, ServerTold):
            self._moves = event.moves
        if event:
            self._report(event)
        return answers.is_over(event)

    def _beginning(self, told: Json) -> Event:
        fresh = self._count_at_opening == self._count
        event = answers.server_told(answers.part(told, "state"), fresh=fresh)
        self._owes = not fresh
        if not answers.is_over(event):
            self._open_anew_if_owed()
        return event

    def _open_anew_if_owed(self) -> None:
        """A fresh state comes only from an opening of the stream with nothing on its way."""
        if self._owes and not self._waiting:
            self._stream.again()

    # What is asked for

    def _put(self, request: AskServer) -> None:
        self._waiting += 1
        self._count += 1
        self._asked.put_nowait((request, self._moves))

    async def _send(self) -> None:
        while True:
            refused = await self._done(*await self._asked.get())
            self._waiting -= 1
            self._asked.task_done()
            answered = refused is None or bool(refused.reason)
            if answered:
                self._stream.well()
            if refused is not None:
                self._report(refused)
                self._owes |= refused.request == "move" or not answered
            self._open_anew_if_owed()

    async def _done(self, request: AskServer, after: tuple[str, ...]) -> ServerRefused | None:
        """Ask for it; what to tell if it has failed."""
        path = f"/api/board/game/{self._id}/{_PATHS[request.request].format(uci=request.uci)}"
        if request.draw:
            path += "?offeringDraw=true"
        form = {"room": "player", "text": request.text} if request.request == "chat" else None
        fits = (lambda: self._moves == after) if request.request == "move" else None
        try:
            await self._connection.client.post(path, form, fits)
        except DeniedError as refused:
            return ServerRefused(request=request.request, reason=refused.reason or str(refused.status))
        except UnansweredError:
            return ServerRefused(request=request.request)
        return None
