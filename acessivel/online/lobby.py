# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user can do at a server outside a game: every call returns at once, each result is a report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLateError
from contextlib import suppress
from functools import partial

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online import reports, terms
from acessivel.online.answers import AnswerError, Ended
from acessivel.online.client import Delays, DeniedError, UnansweredError
from acessivel.online.connection import ServerConnection
from acessivel.online.event_stream import EventStream
from acessivel.online.opponent import OnlineOpponent
from acessivel.online.reports import LobbyReport, OnlineTrouble
from acessivel.online.terms import Terms
from acessivel.online.troubles import trouble
from acessivel.online.watching import Watching
from acessivel.online.wishes import Wishes
from acessivel.session.events import Event

Doing = Callable[[], Coroutine[None, None, None]]

_LAST_S = 3.0  # how long what is being withdrawn may still take at the end
_NO_SEEK, _NO_CHALLENGE = reports.SeekEnded("refused"), reports.ChallengeGone("", "refused")


class Lobby:
    """One account at one server; one seek, or one challenge with a clock, stands at a time.

    Reports come from the thread of the connection.
    """

    def __init__(
        self,
        server: str,
        token: str,
        report: Callable[[LobbyReport], None],
        delays: Delays | None = None,
    ) -> None:
        """Connect at once. Raises UserError if the address of the server is not safe."""
        self._report_to = report
        self._connection = ServerConnection(server, token, delays or Delays(), self._waits)
        self._events = EventStream(self._connection, self._report, self._ended)
        self._wishes = Wishes(self._connection, self._events, self._report)
        self._opponents: dict[str, OnlineOpponent] = {}
        self._wish: asyncio.Task[None] | None = None
        self._watched: asyncio.Task[None] | None = None
        self._withdrawing: asyncio.Task[None] | None = None
        self._connection.soon(lambda: self._connection.start(self._events.run()))

    def seek(self, wanted: Terms) -> None:
        """Look for an opponent, with a clock until one is found or `cancel`."""
        self._connection.soon(self._begin, lambda: self._wishes.seek(wanted), _NO_SEEK)

    def challenge(self, name: str, wanted: Terms) -> None:
        """Challenge somebody by name; with a clock it stands until it is answered or `cancel`."""
        work = partial(self._wishes.challenge, name, wanted)
        if wanted.clocked:
            self._connection.soon(self._begin, work, _NO_CHALLENGE)
        else:
            self._soon(work, _NO_CHALLENGE)

    def open_challenge(self, wanted: Terms) -> None:
        """Make a link by which anybody can play against us."""
        self._soon(lambda: self._wishes.open(wanted), _NO_CHALLENGE)

    def cancel(self) -> None:
        """Withdraw the seek or the challenge that is waited for, or else the last one that stands."""
        self._connection.soon(self._cancel)

    def stop_waiting(self) -> None:
        """Withdraw the seek or the challenge that is waited for, if there is one."""
        self._connection.soon(lambda: self._wish and self._wish.cancel())

    def accept(self, challenge_id: str) -> None:
        """Accept a challenge to us."""
        self._soon(lambda: self._answer(challenge_id, "accept"))

    def decline(self, challenge_id: str, reason: str = "generic") -> None:
        """Decline a challenge to us, for a reason of the server's list."""
        self._soon(lambda: self._answer(challenge_id, "decline", reason=reason))

    def ai(self, level: int, wanted: Terms) -> None:
        """Play against the server's engine, at level 1 to 8."""
        self._soon(lambda: self._ai(level, wanted), _NO_CHALLENGE)

    def games(self) -> None:
        """List our games."""
        self._soon(self._list)

    def look_up(self, game_id: str) -> None:
        """Find out everything of a game of ours."""
        self._soon(lambda: self._look_up(game_id))

    def account(self) -> None:
        """Find out who we are, and our ratings."""
        self._soon(self._events.find_account)

    def watch(self, wanted: str) -> None:
        """Follow a game of others by the name of a player, or its id or address; one at a time."""
        self._connection.soon(self._watch, wanted)

    def unwatch(self) -> None:
        """Stop following it."""
        self._connection.soon(self._stop_watching)

    def join(self, game_id: str, name: str, report: Callable[[Event], None]) -> OnlineOpponent:
        """Join a game that is played in this name; its events are reported until the opponent is closed."""
        opponent = OnlineOpponent(self._connection, self._events, game_id, name, report)
        self._opponents[game_id] = opponent
        return opponent

    def close(self) -> None:
        """Withdraw what is waited for, leave every game, and end the connection."""
        for opponent in tuple(self._opponents.values()):
            opponent.close()
        self._report_to = lambda _: None
        withdrawn: Future[None] = Future()
        if self._connection.soon(lambda: self._connection.start(self._withdraw(withdrawn))):
            with suppress(TooLateError):
                withdrawn.result(_LAST_S + 1)
        self._connection.close()

    # In the thread of the connection

    def _report(self, report: LobbyReport) -> None:
        self._report_to(report)

    def _soon(self, work: Doing, failed: LobbyReport | None = None) -> None:
        self._connection.soon(lambda: self._connection.start(self._tried(work, failed)))

    def _begin(self, work: Doing, failed: LobbyReport) -> None:
        if self._wish:
            self._wish.cancel()
        self._wish = self._connection.start(self._tried(work, failed))

    def _cancel(self) -> None:
        if self._wish and not self._wish.done():
            self._wish.cancel()
        else:
            self._withdrawing = self._connection.start(self._tried(self._wishes.withdraw))

    async def _withdraw(self, withdrawn: Future[None]) -> None:
        """Wait until what is being withdrawn is, if that is soon done."""
        if self._withdrawing:
            await asyncio.wait((self._withdrawing,), timeout=_LAST_S)
        withdrawn.set_result(None)

    async def _tried(self, work: Doing, failed: LobbyReport | None = None) -> None:
        """Do it, or report what its failure means for it, and then why: who hears that can go on at once."""
        await self._events.started.wait()
        try:
            await work()
        except (UserError, DeniedError, UnansweredError, AnswerError) as error:
            if failed:
                self._report(failed)
            self._report(OnlineTrouble(trouble(error, self._connection.server)))

    def _waits(self, seconds: float) -> None:
        """Tell that the server has been asked too often: in the game, or else outside."""
        playing = [opponent for opponent in self._opponents.values() if not opponent.over]
        for opponent in playing:
            opponent.waits()
        if not playing:
            self._report(OnlineTrouble(Message.of("online_waiting", seconds=round(seconds))))

    def _ended(self, game: Ended) -> None:
        opponent = self._opponents.get(game.id)
        if opponent and game.rating:
            opponent.rating_changed(game.rating)

    async def _answer(self, challenge_id: str, how: str, **form: str) -> None:
        try:
            await self._connection.client.post(f"/api/challenge/{challenge_id}/{how}", form)
        except DeniedError as refused:
            if refused.status != 404:
                raise
            self._events.gone(challenge_id, "expired")
            raise UserError(Message.of("online_challenge_gone")) from refused
        if how == "decline":
            self._events.gone(challenge_id, "declined")

    async def _ai(self, level: int, wanted: Terms) -> None:
        form = {**terms.challenge_form(wanted), "level": str(level)}
        del form["rated"]
        await self._connection.client.post("/api/challenge/ai", form)

    async def _list(self) -> None:
        self._report(reports.GamesFound(await self._events.playing()))

    async def _look_up(self, game_id: str) -> None:
        self._report(reports.GameLookedUp(await self._events.look_up(game_id)))

    def _watch(self, wanted: str) -> None:
        self._stop_watching()
        watching = Watching(self._connection, wanted, self._events.games, self._report)
        self._watched = self._connection.start(self._tried(watching.run))

    def _stop_watching(self) -> None:
        if self._watched:
            self._watched.cancel()
