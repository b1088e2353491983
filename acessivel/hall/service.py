# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tables of a hall of one computer ask it over HTTPS, each with its key."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from acessivel.hall import certificate as certificates
from acessivel.hall.sqlite import SqliteHall
from acessivel.hall.store import HallLostError, KeyRefusedError, PushedEntry
from acessivel.messages import wire
from acessivel.web.server_thread import ServerThread

PORT = 8710
_LONGEST_BODY = 1 << 20  # bytes
_BODY_S = 10.0
_WAIT_S = 20.0  # for news, before a table asks again
_CONNECTIONS = 512

Posted = Mapping[str, Any]


class HallService(ServerThread):
    """Serves the tables until `close`."""

    def __init__(self, hall: SqliteHall, folder: Path, *, port: int = PORT, lan: bool = True) -> None:
        """Listen at a port, or the next free one, with the hall's certificate of that folder.

        Only on this machine, unless `lan`. Raises OSError.
        """
        public, secret = certificates.own_certificate(folder)
        self.certificate = public.read_text("utf-8")
        super().__init__("hall-service", port=port, lan=lan)
        self._hall = hall
        self._waiting: dict[int, set[asyncio.Event]] = {}  # for what is proposed to a table
        names = self.lan_addresses or ("127.0.0.1",)
        self.addresses = tuple(f"https://{name}:{self.port}" for name in names)
        hall.proposing.append(self._proposed)
        self.start(self._app(), connections=_CONNECTIONS, certificate=(public, secret))

    def at_end(self) -> None:
        """Cut every table off, which tries again: over TLS an orderly end waits for the other side."""
        self.cut_off()

    def close(self) -> None:
        """End it; the hall's file stays open."""
        self._hall.proposing.remove(self._proposed)
        super().close()

    def _proposed(self, table: int) -> None:
        self.soon(self._wake, table)

    def _wake(self, table: int) -> None:
        for one in self._waiting.get(table, ()):
            one.set()

    def _app(self) -> Starlette:
        asked: Mapping[str, Callable[[int, Posted], object]] = {
            "append": self._append,
            "alive": self._alive,
            "proposals": self._proposals,
        }
        routes = [Route(f"/hall/{name}", self._route(do), methods=["POST"]) for name, do in asked.items()]
        return Starlette(routes=[*routes, Route("/hall/wait", self._wait, methods=["POST"])])

    def _route(self, do: Callable[[int, Posted], object]) -> Callable[[Request], Any]:
        async def route(request: Request) -> Response:
            return await self._answered(request, do)

        return route

    async def _answered(self, request: Request, do: Callable[[int, Posted], object]) -> Response:
        """What a table may ask, or why it is refused: 403 for its key, 400 for what no table of ours asks."""
        try:
            table = await run_in_threadpool(self._table, request)
            asked = await self._body(request)
            return JSONResponse(await run_in_threadpool(do, table, asked))
        except KeyRefusedError:
            return Response(status_code=403)
        except (
            KeyError,
            TypeError,
            ValueError,
            OverflowError,
            RecursionError,
            TimeoutError,
            ClientDisconnect,
        ):
            return Response(status_code=400, headers={"Connection": "close"})
        except HallLostError:
            return Response(status_code=503)

    def _table(self, request: Request) -> int:
        """The table whose key was given. Raises KeyRefusedError."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        table, _, key = given.partition(".")
        if scheme != "Bearer" or not (table.isascii() and table.isdigit() and len(table) < 9):
            raise KeyRefusedError
        self._hall.check(int(table), key)
        return int(table)

    async def _body(self, request: Request) -> Posted:
        body = b""
        async with asyncio.timeout(_BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > _LONGEST_BODY:
                    raise ValueError
        found = json.loads(body)
        if not isinstance(found, dict):
            raise TypeError
        return found

    async def _wait(self, request: Request) -> Response:
        """Answer when something was proposed to the game, or after a while."""
        news = asyncio.Event()
        tables: list[int] = []

        def proposals(table: int, asked: Posted) -> object:
            tables.append(table)
            self._waiting.setdefault(table, set()).add(news)  # before it is looked
            return self._proposals(table, asked)

        try:
            answer = await self._answered(request, proposals)
            if answer.body == b"[]" and not self.ends:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_WAIT_S):
                        await news.wait()
            return answer
        finally:
            for table in tables:
                self._waiting[table].discard(news)

    def _append(self, table: int, asked: Posted) -> object:
        pushed = [PushedEntry(int(number), str(text), int(ago)) for number, text, ago in asked["entries"]]
        return self._hall.append(table, _text(asked, "game"), pushed)

    def _alive(self, table: int, asked: Posted) -> object:
        self._hall.alive(table, leaves=asked["leaves"] is True)
        return None

    def _proposals(self, table: int, asked: Posted) -> object:
        found = self._hall.proposals(table, _text(asked, "game"), int(asked["after"]))
        return list(map(wire.to_json, found))


def _text(asked: Posted, name: str) -> str:
    if not isinstance(value := asked[name], str):
        raise TypeError(name)
    return value
