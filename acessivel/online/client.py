# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks one server with one token, one request at a time; it refuses, or no answer comes: two errors."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import re
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from urllib.parse import urlsplit

import httpx

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online.answers import Json

_LOG = logging.getLogger(__name__)
Body = Mapping[str, str] | str | None

_TOKEN = re.compile(r"[!-~]+")
_LONGEST_LINE = 2**20  # bytes


@dataclass(frozen=True, slots=True)
class Delays:
    """How long what is waited for, in seconds.

    `quiet`: a stream that sends nothing is dead, for the server sends an empty line every 7 s; `pauses`:
    until a stream is opened the second, third, ... time, then always; it counts as the first time again after
    it has `lasted`; `too_many`: after the server has said that it was asked too often; `offline`: a shorter
    interruption is not told; `outcome`: so much later the stream of events may tell what came of a seek or a
    challenge.
    """

    connect: float = 10
    answer: float = 10
    quiet: float = 20
    pauses: tuple[float, ...] = (0, 3, 6, 12, 24, 48, 60)
    lasted: float = 30
    too_many: float = 60
    offline: float = 1
    outcome: float = 3

    def pause(self, tries: int) -> float:
        """How long to wait after so many vain tries."""
        return self.pauses[min(tries, len(self.pauses) - 1)]


class DeniedError(Exception):
    """The server has answered no: its status, and its words."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"{status} {reason}")
        self.status, self.reason = status, reason


class UnansweredError(Exception):
    """No answer has come, or that of a server in trouble (`fault`): it may have been done or not."""

    def __init__(self, why: str, *, fault: bool = False) -> None:
        super().__init__(why)
        self.fault = fault


class Client:
    """Asks a server; to be used in one event loop."""

    def __init__(
        self, server: str, token: str, delays: Delays, waits: Callable[[float], None] = lambda _: None
    ) -> None:
        """Ask in the name of a token; `waits` is told how many seconds everything has to wait."""
        self.delays, self._waits = delays, waits
        self._turn = asyncio.Lock()
        self._free_at = 0.0
        self._http = http(server, token, delays)

    async def close(self) -> None:
        """Close every connection."""
        await self._http.aclose()

    async def get(self, path: str) -> Json:
        """Ask for something. Raises DeniedError or UnansweredError."""
        return await self._ask("GET", path, None)

    async def post(self, path: str, body: Body = None, fits: Callable[[], bool] | None = None) -> Json:
        """Have something done, with a form or a text. Raises DeniedError or UnansweredError.

        With `fits` it is asked for once at most, never after a pause, and only if it still fits then.
        """
        return await self._ask("POST", path, body, fits)

    async def delete(self, path: str) -> Json:
        """Have something removed. Raises DeniedError or UnansweredError."""
        return await self._ask("DELETE", path, None)

    async def _ask(self, method: str, path: str, body: Body, fits: Callable[[], bool] | None = None) -> Json:
        async with self._turn, self._asking(method, path, body, self.delays.answer, fits) as response:
            with _unanswered():
                return _json(await response.aread())

    @contextlib.asynccontextmanager
    async def lines(self, method: str, path: str, body: Body = None) -> AsyncIterator[AsyncIterator[Json]]:
        """What a stream tells, as long as it is read; leaving it closes it. It waits for no other request.

        Raises DeniedError, or UnansweredError also where it breaks off or falls silent.
        """
        async with self._asking(method, path, body, self.delays.quiet) as response:
            yield _told(response)

    @contextlib.asynccontextmanager
    async def _asking(
        self, method: str, path: str, body: Body, read_s: float, fits: Callable[[], bool] | None = None
    ) -> AsyncIterator[httpx.Response]:
        """An answer whose body is still to be read."""
        timeout = httpx.Timeout(self.delays.answer, connect=self.delays.connect, read=read_s)
        text, form = (body, None) if isinstance(body, str) else (None, body)
        request = self._http.build_request(method, path, content=text, data=form, timeout=timeout)
        response = await self._answered(request, fits)
        try:
            yield response
        finally:
            await response.aclose()

    async def _answered(self, request: httpx.Request, fits: Callable[[], bool] | None) -> httpx.Response:
        loop = asyncio.get_running_loop()
        while True:
            pause = max(0.0, self._free_at - loop.time())
            await asyncio.sleep(pause)
            if fits and (pause or not fits()):
                raise UnansweredError("out of date")
            with _unanswered():
                response = await self._http.send(request, stream=True)
                if response.status_code < 400:
                    return response
                try:
                    reason = _reason(await response.aread())
                finally:
                    await response.aclose()
            _LOG.info("the server has answered %d", response.status_code)
            if response.status_code >= 500:
                raise UnansweredError(str(response.status_code), fault=True)
            if response.status_code != httpx.codes.TOO_MANY_REQUESTS:
                raise DeniedError(response.status_code, reason)
            self._free_at = loop.time() + self.delays.too_many
            self._waits(self.delays.too_many)


def http(server: str, token: str, delays: Delays) -> httpx.AsyncClient:
    """The connections to a server, with what each request carries.

    Raises UserError if the address is not safe, or what should be a token cannot be one.
    """
    headers = {"User-Agent": f"acessivel/{version('acessivel')}", "Accept-Encoding": "identity"}
    if token:
        if not _TOKEN.fullmatch(token):
            raise UserError(Message.of("online_token_wrong"))
        headers["Authorization"] = f"Bearer {token}"
    # A proxy is never the way to this machine.
    return httpx.AsyncClient(
        base_url=checked(server),
        headers=headers,
        timeout=delays.answer,
        trust_env=not _is_here(server),
        verify=_certificates(),
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Whose word is taken for who a server is: read once for all connections."""
    return httpx.create_ssl_context()


def checked(server: str) -> str:
    """The address of a server. Raises UserError if it is none, or a token would travel there unencrypted."""
    parts = urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(Message.of("online_no_address", server=server))
    if parts.scheme == "http" and not _is_here(server):
        raise UserError(Message.of("online_not_safe", server=server))
    return server.rstrip("/")


def _is_here(server: str) -> bool:
    host = urlsplit(server).hostname or ""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


@contextlib.contextmanager
def _unanswered() -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise UnansweredError(type(error).__name__) from error


async def _told(response: httpx.Response) -> AsyncIterator[Json]:
    """The objects of a stream, one a line; a line that has no end yet counts for nothing."""
    rest = b""
    with _unanswered():
        async for part in response.aiter_bytes():
            *whole, rest = (rest + part).split(b"\n")
            for line in whole:
                if line.strip() and (told := _json(line)):
                    yield told
            if len(rest) > _LONGEST_LINE:
                raise UnansweredError("no end of a line")


def _json(text: bytes) -> Json:
    """An object; an empty one for anything else, of which nothing is known."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _reason(body: bytes) -> str:
    """Why the server refuses, in its own words: a sentence, or what is wrong in the fields of a form."""
    error = _json(body).get("error", "")
    if isinstance(error, dict):
        return "; ".join(f"{name}: {_words(wrong)}" for name, wrong in error.items())
    return _words(error)


def _words(told: object) -> str:
    return ", ".join(map(str, told)) if isinstance(told, list) else str(told)
