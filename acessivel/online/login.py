# SPDX-License-Identifier: GPL-3.0-or-later
"""Logging in with a browser (OAuth 2 with PKCE, RFC 7636 and 8252) or with a pasted token; logging out."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import html
import secrets
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.online import answers
from acessivel.online.answers import AnswerError
from acessivel.online.client import Client, Delays, DeniedError, UnansweredError, checked
from acessivel.online.reports import LobbyReport, OnlineTrouble
from acessivel.online.troubles import trouble

_SCOPE = "board:play"  # enough for seeks and challenges too
_CLIENT = "acessivel"  # any name will do: programs are not registered
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
}
_PAGE = """<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>
<body><main><h1>{title}</h1><p>{text}</p></main></body></html>
"""
_Answered = TypeVar("_Answered")


@dataclass(frozen=True, slots=True)
class LoggedIn(LobbyReport):
    """The token of somebody, by name."""

    token: str
    name: str


def token_page(server: str) -> str:
    """The page on which a user makes a token to paste, with the right permission chosen."""
    asked = urlencode({"scopes[]": _SCOPE, "description": _CLIENT})
    return f"{checked(server)}/account/oauth/token/create?{asked}"


def check_token(server: str, token: str) -> str:
    """The name of whom a token belongs to; waits for the server.

    Raises UserError if it is wrong, may not play, or the server cannot be asked.
    """

    async def check(client: Client) -> str:
        found = (await client.post("/api/token/test", token)).get(token)
        if found is None:
            raise UserError(Message.of("online_token_wrong"))
        if _SCOPE not in answers.value(found, "scopes", str, "").split(","):
            raise DeniedError(403, "")
        return answers.account(await client.get("/api/account")).name

    return _asked(server, token, check)


def revoke(server: str, token: str) -> None:
    """Have the server forget a token; waits for it. Raises UserError if that fails."""
    _asked(server, token, lambda client: client.delete("/api/token"))


class Login:
    """Waits for the browser that is sent to `url`, and reports `LoggedIn` or `OnlineTrouble` once."""

    def __init__(self, server: str, report: Callable[[LobbyReport], None], language: str = "en") -> None:
        """Listen on this machine alone; the page at the end is in a language.

        Raises UserError if the address of the server is not safe.
        """
        self._server, self._report = checked(server), report
        self._renderer = Renderer(language)
        self._verifier, self._state = secrets.token_urlsafe(64), secrets.token_urlsafe(24)
        self._once = threading.Lock()
        self._listener = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._listener.daemon_threads = True
        self._redirect = f"http://127.0.0.1:{self._listener.server_port}/"
        threading.Thread(target=self._listener.serve_forever, args=(0.1,), name="login", daemon=True).start()

    @property
    def url(self) -> str:
        """The page to open in a browser."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self._verifier.encode()).digest())
        asked = {
            "response_type": "code",
            "client_id": _CLIENT,
            "redirect_uri": self._redirect,
            "code_challenge_method": "S256",
            "code_challenge": challenge.decode().rstrip("="),
            "scope": _SCOPE,
            "state": self._state,
        }
        return f"{self._server}/oauth?{urlencode(asked)}"

    def close(self) -> None:
        """Wait no more; nothing is reported any more."""
        self._report = lambda _: None
        self._listener.shutdown()
        self._listener.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        login = self

        class Handler(BaseHTTPRequestHandler):
            """Answers the browser when it comes back."""

            def do_GET(self) -> None:
                """Take what the server has given the browser along."""
                status, key = login._came_back(self.path)
                self.send_response(status)
                for name, text in _HEADERS.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(login._page(key).encode())

            def log_message(self, *_: object) -> None:
                """Write no code or state anywhere."""

        return Handler

    def _page(self, key: str) -> str:
        title, text = (self._renderer.text(Message.of(name)) for name in ("online_login_page", key))
        return _PAGE.format(
            language=self._renderer.language, title=html.escape(title), text=html.escape(text)
        )

    def _came_back(self, path: str) -> tuple[int, str]:
        """The status and the sentence of the page; what has nothing to do with us changes nothing."""
        query = {name: found[0] for name, found in parse_qs(urlsplit(path).query).items()}
        ours = secrets.compare_digest(query.get("state", "").encode(), self._state.encode())
        if not ours or not self._once.acquire(blocking=False):
            return 400, "online_login_page_denied"
        try:
            token = self._token(query.get("code"))
            self._report(LoggedIn(token, check_token(self._server, token)))
        except UserError as error:
            self._report(OnlineTrouble(error.message))
            return 200, "online_login_page_denied"
        return 200, "online_login_page_done"

    def _token(self, code: str | None) -> str:
        """A token for what the browser has brought. Raises UserError."""
        if code is None:
            raise UserError(Message.of("online_login_denied"))
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": self._verifier,
            "redirect_uri": self._redirect,
            "client_id": _CLIENT,
        }
        try:
            told = _asked(self._server, "", lambda client: client.post("/api/token", form))
            return answers.value(told, "access_token", str)
        except AnswerError as error:
            raise UserError(Message.of("online_login_failed")) from error


def _asked(server: str, token: str, ask: Callable[[Client], Awaitable[_Answered]]) -> _Answered:
    """What a server answers. Raises UserError."""

    async def asked() -> _Answered:
        client = Client(server, token, Delays())
        try:
            return await ask(client)
        finally:
            await client.close()

    try:
        return asyncio.run(asked())
    except (DeniedError, UnansweredError, AnswerError) as error:
        raise UserError(trouble(error, server)) from error
