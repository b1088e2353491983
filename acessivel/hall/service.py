# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tables of a hall of one computer ask it over HTTPS, each with its key."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from acessivel.hall import certificate as certificates
from acessivel.hall.sqlite import SqliteHall
from acessivel.hall.store import HallLostError, KeyRefusedError, PushedEntry
from acessivel.messages import wire
from acessivel.web.connection import BoundedConnection
from acessivel.web.server import bound, lan_addresses

PORT = 8710
_LONGEST_BODY = 1 << 20  # bytes
_BODY_S, _CLOSE_S = 10.0, 2
_WAIT_S = 20.0  # for news, before a table asks again
_CONNECTIONS = 512

Posted = Mapping[str, Any]


class HallService:
    """Serves the tables until `close`."""

    def __init__(self, hall: SqliteHall, folder: Path, *, port: int = PORT, lan: bool = True) -> None:
        """Listen at a port, or the next free one, with the hall's certificate of that folder.

        Only on this machine, unless `lan`. Raises OSError.
        """
        self._hall = hall
        certificate, secret = certificates.own_certificate(folder)
        self.certificate = certificate.read_text("utf-8")
        self._socket = bound("" if lan else "127.0.0.1", port)
        self.port: int = self._socket.getsockname()[1]
        names = (*(lan_addresses() if lan else ()), "127.0.0.1")
        self.addresses = tuple(f"https://{name}:{self.port}" for name in names)
        config = uvicorn.Config(
            self._app(),
            http=BoundedConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_CLOSE_S,
            ssl_certfile=certificate,
            ssl_keyfile=secret,
        )
        self._server = uvicorn.Server(config)
        self._loop = asyncio.new_event_loop()
        self._waiting: dict[int, set[asyncio.Event]] = {}  # for what is proposed to a table
        hall.proposing.append(self._proposed)
        self._thread = threading.Thread(target=self._run, name="hall-service", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it; the hall's file stays open."""
        self._hall.proposing.remove(self._proposed)
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(2 * _CLOSE_S + 1)
        self._socket.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._server.serve(sockets=[self._socket]))

    def _end(self) -> None:
        """Cut every table off, which tries again: over TLS an orderly end waits for the other side."""
        self._server.should_exit = True
        for connection in tuple(self._server.server_state.connections):
            if connection.transport:
                connection.transport.abort()

    def _proposed(self, table: int) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._wake, table)

    def _wake(self, table: int) -> None:
        for one in self._waiting.get(table, ()):
            one.set()

    def _app(self) -> Starlette:
        asked: Mapping[str, Callable[[int, Posted], object]] = {
            "last": self._last,
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
        except (KeyError, TypeError, ValueError, RecursionError, TimeoutError, ClientDisconnect):
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
            if answer.body == b"[]" and not self._server.should_exit:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_WAIT_S):
                        await news.wait()
            return answer
        finally:
            for table in tables:
                self._waiting[table].discard(news)

    def _last(self, table: int, asked: Posted) -> object:
        return self._hall.last(table, _text(asked, "game"))

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
