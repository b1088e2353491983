# SPDX-License-Identifier: GPL-3.0-or-later
"""The server of the pages: who may ask, what is asked for, and what is sent."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from acessivel.web.access import Access, RefusedError, Session
from acessivel.web.hub import Hub, Json, PageStream, SeenOnPage
from acessivel.web.server_thread import Application, Receive, Scope, Send, ServerThread

_LONGEST_BODY = 8192  # bytes
_LONGEST_TEXT = 1000  # characters of a typed line, as at the keyboard
_BODY_S, _WRITE_S, _PING_S = 5.0, 10.0, 15.0
_CONNECTIONS = 256
_TYPED = 1000  # lines whose ids are remembered: the same again does nothing
_LOOKS = 3  # for a page that is gone
_AGAIN_MS = 1000  # after which a page comes back by itself
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
        " frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOLDER = Path(__file__).with_name("page")


class PageSource(Protocol):
    """What the server asks of the program; called in the server's thread."""

    def state_of(self, role: str) -> Json:
        """The present, as that role may see it."""

    @property
    def language(self) -> str:
        """The language of the game."""

    def sentence(self, key: str) -> str:
        """A sentence of the catalogue, by its key without "web_", in the language of the game."""

    def type(self, role: str, text: str, seen: SeenOnPage | None, *, sure: bool, hidden: bool) -> str:
        """Take a typed line of a role; returns the key of the sentence why not, or "" if it is taken.

        `seen`: what its page has shown with it, None if the page does not say; `sure`: a move that is not to
        be asked about; `hidden`: it was not to be seen.
        """

    def record(self, role: str, name: str) -> bytes | None:
        """The record of the game as a file of that name, if there is one for that role."""

    def live(self, if_none_match: str) -> tuple[int, Mapping[str, str], bytes] | None:
        """The games of a hall as they go on, for who may have them by this ETag, if there are any."""

    def came(self, session: Session) -> None:
        """A page of this session is open now."""

    def went(self, session: Session) -> None:
        """The last page of this session is closed."""


class WebServer(ServerThread):
    """Serves the pages until `close`; the rest of the program reaches it by `soon` alone."""

    def __init__(self, source: PageSource, roles: Iterable[str], *, port: int, lan: bool = False) -> None:
        """Listen at a port, or the next free one; on this machine alone, unless `lan`. Raises OSError."""
        super().__init__("web", port=port, lan=lan)
        self._source = source
        names = ("localhost", "127.0.0.1", *((socket.gethostname(), *self.lan_addresses) if lan else ()))
        self._hosts = frozenset(f"{name}:{self.port}".lower() for name in names)
        self._files = {path.name: path.read_bytes() for path in _FOLDER.iterdir() if path.suffix in _TYPES}
        self.access = Access(roles, time.monotonic)
        self.hub = Hub(source.state_of)
        self._typed: OrderedDict[tuple[str, str], bool] = OrderedDict()  # whether each line was taken
        self.start(self._app(), connections=_CONNECTIONS, longest_head=2 * _LONGEST_BODY)

    def at_end(self) -> None:
        """End every stream."""
        self.hub.leave()

    def links(self) -> Mapping[str, Sequence[str]]:
        """The links of each role: on this machine, and then in the network."""
        names = ("127.0.0.1", *self.lan_addresses)
        return {
            role: [f"http://{_in_url(name)}:{self.port}/#k={key}" for name in names]
            for role, key in self.access.keys.items()
        }

    def revoke(self, role: str) -> None:
        """Give a role another link, and end the pages that were opened by the old one."""
        self.access.renew(role)
        self.soon(lambda: self.hub.end(self.access.end(role)))

    def exchange(self) -> None:
        """Let the two players' pages change colours; called in the thread."""
        self.access.exchange()
        self.hub.exchange()

    # What can be asked for

    def _app(self) -> Application:
        routes = [
            Route("/", partial(self._file, "index.html")),
            *(Route(f"/{name}", partial(self._file, name)) for name in self._files if name != "index.html"),
            Route("/enter", self._enter, methods=["POST"]),
            Route("/type", self._type, methods=["POST"]),
            Route("/events", self._events),
            Route("/record/{name}", self._record),
            Route("/live.pgn", self._live),
        ]
        nothing: Any = {404: self._nothing, 405: self._nothing}
        starlette = Starlette(routes=routes, exception_handlers=nothing)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            """Nothing for who asks from elsewhere; the same headers on every answer."""
            answer: Any = starlette if self._is_ours(Request(scope)) else self._refused("forbidden", 403)
            await answer(scope, receive, _with_headers(send))

        return app

    def _is_ours(self, request: Request) -> bool:
        """Whether it is asked for by this name, and by a page of ours if by a page at all."""
        headers = request.headers
        hosts = headers.getlist("host")
        # The address at which a connection has come is no name that somebody could have made lead here.
        here = "{}:{}".format(*request.scope["server"])
        if len(hosts) != 1 or hosts[0].lower() not in (*self._hosts, here):
            return False
        origin = f"http://{hosts[0].lower()}"
        origins = [one.lower() for one in headers.getlist("origin")]
        if origins not in ([], [origin]) or (request.method not in ("GET", "HEAD") and not origins):
            return False
        if request.scope["path"] == "/" and request.method in ("GET", "HEAD"):
            return True  # a link may stand anywhere, and its page holds nothing of a game
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")

    async def _file(self, name: str, request: Request) -> Response:  # noqa: ARG002  # the same for everybody
        return Response(self._files[name], media_type=_TYPES[Path(name).suffix])

    async def _nothing(self, request: Request, error: Exception) -> Response:  # noqa: ARG002
        return self._refused("forbidden", 403)

    async def _enter(self, request: Request) -> Response:
        """The cookie of a role, for its key."""
        if not self.access.may_try(request.client.host if request.client else ""):
            return self._refused("too_fast", 429)
        asked = await self._json(request)
        if isinstance(asked, Response):
            return asked
        key, take = asked.get("key"), asked.get("take", False)
        if not isinstance(key, str) or not isinstance(take, bool):
            return self._refused("bad", 400)
        try:
            session, ended = self.access.enter(key, self._cookie(request), take=take)
        except RefusedError as error:
            status = {"held": 409, "full": 429}.get(error.key, 403)
            return self._refused(error.key, status, **({"take": "take"} if error.key == "held" else {}))
        self.hub.end(ended)
        response = Response(status_code=204)
        response.set_cookie(self._cookie_name, session.cookie, httponly=True, samesite="strict", path="/")
        return response

    async def _type(self, request: Request) -> Response:
        """A line as it is typed at the keyboard; the same id again does nothing more.

        A page that nobody has answered asks with `dropped` what became of its line: if it was not taken by
        then, it never is. Nor is one whose page waits for no answer any more.
        """
        if self._session(request) is None:
            return self._refused("forbidden", 403)
        asked = await self._json(request)
        if isinstance(asked, Response):
            return asked
        gone = await _is_gone(request)
        session = self._session(request)  # nothing is awaited from here on
        if session is None:
            return self._refused("forbidden", 403)
        id_, text, seen = (asked.get(name) for name in ("id", "text", "seen"))
        sure, hidden, dropped = flags = [asked.get(name) for name in ("sure", "hidden", "dropped")]
        if not (
            isinstance(id_, str)
            and 8 <= len(id_) <= 64
            and isinstance(text, str)
            and isinstance(seen, str | None)
            and all(isinstance(flag, bool | None) for flag in flags)
        ):
            return self._refused("bad", 400)
        if asked.get("page", session.page) != session.page:  # its browser has opened another link since
            return self._refused("forbidden", 403)
        if len(text) > _LONGEST_TEXT:
            return self._refused("too_long", 413)
        if (session.page, id_) in self._typed:
            return JSONResponse({"taken": self._typed[session.page, id_], "again": True})
        if dropped:
            self._remember(session, id_, taken=False)
        if dropped or gone:
            return JSONResponse({"taken": False})
        shown = self.hub.seen_at(session.role, seen or "")
        if why := self._source.type(session.role, text, shown, sure=bool(sure), hidden=bool(hidden)):
            return self._refused(why, 429 if why == "too_fast" else 403)
        self._remember(session, id_, taken=True)
        return JSONResponse({"taken": True})

    def _remember(self, session: Session, id_: str, *, taken: bool) -> None:
        self._typed[session.page, id_] = taken
        if len(self._typed) > _TYPED:
            self._typed.popitem(last=False)

    async def _events(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return self._refused("forbidden", 403)
        if self.hub.full(session):
            return self._refused("full", 429)
        last = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return _Events(self, session, last)

    async def _record(self, request: Request) -> Response:
        session, name = self._session(request), request.path_params["name"]
        body = await run_in_threadpool(self._source.record, session.role, name) if session else None
        if body is None:
            return self._refused("forbidden", 403)
        kept = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(body, media_type="application/octet-stream", headers=kept)

    async def _live(self, request: Request) -> Response:
        """The games of a hall as they go on, for everybody: they are shown when they may be seen."""
        found = self._source.live(request.headers.get("if-none-match", ""))
        if found is None:
            return self._refused("forbidden", 403)
        status, headers, body = found
        return Response(body, status, headers)

    async def _json(self, request: Request) -> dict[str, Any] | Response:
        """The object in the body of a request, or why it is refused."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return self._refused("bad", 415)
        body = b""
        try:
            async with asyncio.timeout(_BODY_S):
                async for part in request.stream():
                    body += part
                    if len(body) > _LONGEST_BODY:
                        return self._refused("too_long", 413)
            found = json.loads(body)
            json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair is no text
        except (TimeoutError, ClientDisconnect):
            return self._refused("bad", 408)
        except (ValueError, RecursionError):
            found = None
        return found if isinstance(found, dict) else self._refused("bad", 400)

    def _session(self, request: Request) -> Session | None:
        return self.access.session(self._cookie(request))

    def _cookie(self, request: Request) -> str:
        return request.cookies.get(self._cookie_name, "")

    @property
    def _cookie_name(self) -> str:
        return f"acessivel_{self.port}"  # cookies know no ports

    def _refused(self, key: str, status: int, **buttons: str) -> Response:
        """Why not, in a sentence, and what can be done; who has sent a body that is not read is cut off."""
        error = {name: self._source.sentence(one) for name, one in {"error": key, **buttons}.items()}
        error["language"] = self._source.language
        return JSONResponse(error, status, {"Connection": "close"} if status in (408, 413) else None)

    # Streams

    async def follow(self, session: Session, last_id: str, send: Send) -> None:
        """Send the events of a session until its page is gone, too slow, or not wanted any more."""
        stream = self.hub.open(session, last_id)
        self._source.came(session)
        try:
            await self._send(send, f"retry: {_AGAIN_MS}\n\n".encode())
            while not stream.ended:
                await self._send(send, *(await self._news(stream)))
            await self._send(send, *self.hub.news(stream))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self.hub.close(stream)
            if not session.open:
                self._source.went(session)

    async def _news(self, stream: PageStream) -> list[bytes]:
        try:
            async with asyncio.timeout(_PING_S):
                await stream.wake.wait()
        except TimeoutError:
            return [b"event: alive\ndata: {}\n\n"]
        return self.hub.news(stream)

    @staticmethod
    async def _send(send: Send, *parts: bytes) -> None:
        async with asyncio.timeout(_WRITE_S):
            for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})


class _Events(Response):
    """The stream of a session, which ends when its page is gone."""

    def __init__(self, server: WebServer, session: Session, last_id: str) -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]
        self._server, self._session, self._last_id = server, session, last_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; who does not read it is cut off."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        follows = asyncio.ensure_future(self._server.follow(self._session, self._last_id, send))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait((follows, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            follows.cancel()
            ended, _ = await asyncio.gather(follows, gone, return_exceptions=True)
        if isinstance(ended, TimeoutError):
            scope["state"]["cut_off"]()
            await _disconnected(receive)
        elif isinstance(ended, Exception):
            raise ended


async def _is_gone(request: Request) -> bool:
    """Whether who has sent a request is gone, as after the program stood still for a while."""
    for _ in range(_LOOKS):  # what is in the socket is read between them
        if await request.is_disconnected():
            return True
    return False


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _with_headers(send: Send) -> Send:
    async def sends(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *own]}
        await send(message)

    return sends


def _in_url(name: str) -> str:
    return f"[{name}]" if ":" in name else name
