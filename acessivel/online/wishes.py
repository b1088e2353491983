# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user wants of a server: a seek, a challenge, a link; with a clock it stands while it is awaited."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online import answers, reports, terms
from acessivel.online.client import DeniedError, UnansweredError
from acessivel.online.connection import ServerConnection
from acessivel.online.event_stream import EventStream
from acessivel.online.terms import Terms

_NAME = re.compile(r"(?!(?:ai|open)$)[\w-]{2,30}", re.ASCII | re.IGNORECASE)


class Wishes:
    """Each is done by one call, which lasts as long as the wish with a clock; cancelling it withdraws that.

    A seek without one cannot be withdrawn: it is reported even then.
    """

    def __init__(
        self, connection: ServerConnection, events: EventStream, report: Callable[[reports.LobbyReport], None]
    ) -> None:
        self._client, self._events, self._report = connection.client, events, report
        self._sending = asyncio.Lock()  # a challenge without a clock, or a link
        self._refused = False  # the last of those

    async def seek(self, wanted: Terms) -> None:
        """Look for an opponent. Raises UserError, DeniedError or UnansweredError."""
        form = terms.seek_form(wanted)
        if not wanted.clocked:
            asking = asyncio.ensure_future(self._client.post("/api/board/seek", form))
            try:
                await asyncio.shield(asking)
            except asyncio.CancelledError:
                await asking
            self._report(reports.SeekBegan(wanted))
            return
        self._events.began.clear()
        try:
            await self._keep_seeking(form, wanted)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._client.delays.outcome):
                    await self._events.began.wait()
        except asyncio.CancelledError:
            self._report(reports.SeekEnded("cancelled"))
            raise
        self._report(reports.SeekEnded("paired" if self._events.began.is_set() else "expired"))

    async def _keep_seeking(self, form: dict[str, str], wanted: Terms) -> None:
        """Keep the seek's stream open until the server ends it; one that breaks off is opened again."""
        tries = 0
        while not self._events.began.is_set():
            await self._events.connected.wait()
            if self._events.refused:
                raise self._events.refused
            try:
                async with self._client.lines("POST", "/api/board/seek", form) as lines:
                    if not tries:
                        self._report(reports.SeekBegan(wanted))
                    async for _ in lines:
                        pass
                    return
            except UnansweredError as error:
                if error.fault:
                    raise
                await asyncio.sleep(self._client.delays.pause(tries))
                tries += 1

    async def challenge(self, name: str, wanted: Terms) -> None:
        """Challenge somebody. Raises UserError, DeniedError, UnansweredError or AnswerError."""
        form, path = terms.challenge_form(wanted), f"/api/challenge/{name}"
        nobody = UserError(Message.of("online_nobody", name=name))
        if not _NAME.fullmatch(name):
            raise nobody
        try:
            if wanted.clocked:
                await self._keep_challenging(path, {**form, "keepAliveStream": "true"})
            else:
                async with self._sending:
                    self._refused = True
                    self._events.sent(answers.challenge(await self._client.post(path, form), self._events.me))
                    self._refused = False
        except DeniedError as refused:
            raise nobody if refused.status == 404 else refused from refused

    async def _keep_challenging(self, path: str, form: dict[str, str]) -> None:
        """Keep a challenge's stream open until it is answered."""
        id_, done = "", ""
        try:
            async with self._client.lines("POST", path, form) as lines:
                async for told in lines:
                    if "done" in told:
                        done = str(told["done"])
                        break
                    sent = answers.challenge(told, self._events.me)
                    id_ = sent.id
                    self._events.sent(sent)
        except asyncio.CancelledError:
            self._events.gone(id_, "cancelled")
            raise
        except UnansweredError:
            if not id_:
                raise
            self._events.gone(id_, "lost")
        if done != "accepted":
            await asyncio.sleep(self._client.delays.outcome)  # the stream of events knows why
            self._events.gone(id_, {"declined": "declined", "canceled": "cancelled"}.get(done, "expired"))

    async def open(self, wanted: Terms) -> None:
        """Make a link. Raises UserError, DeniedError, UnansweredError or AnswerError."""
        form = terms.challenge_form(wanted)
        del form["color"]
        async with self._sending:
            self._refused = True
            id_, url = answers.link(await self._client.post("/api/challenge/open", form))
            self._events.stands(id_)
            self._refused = False
            colour = f"?color={wanted.colour}" if wanted.colour else ""
            await self._client.post(f"/api/challenge/{id_}/accept{colour}")
        self._report(reports.LinkMade(id_, url))

    async def withdraw(self) -> None:
        """Withdraw the newest challenge of ours that stands, unless one was meant that the server refuses.

        Raises DeniedError or UnansweredError.
        """
        on_its_way = self._sending.locked()
        async with self._sending:  # else it might not be known yet
            if on_its_way and self._refused:
                return
            if id_ := self._events.own():
                await self._client.post(f"/api/challenge/{id_}/cancel")
                self._events.gone(id_, "cancelled")
