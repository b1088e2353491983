# SPDX-License-Identifier: GPL-3.0-or-later
"""The way to one server: the token where there is one, and what talks to the server with it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from acessivel.devices import browser
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.online import credentials
from acessivel.online.client import Delays
from acessivel.online.lobby import Lobby
from acessivel.online.login import LoggedIn, Login, check_token, revoke, token_page
from acessivel.online.opponent import OnlineOpponent
from acessivel.online.reports import LobbyReport, OnlineTrouble
from acessivel.session.events import Event


class ServerAccess:
    """Logs in and out, and holds the `lobby` while it is logged in."""

    def __init__(
        self,
        server: str,
        report: Callable[[LobbyReport], None],
        language: str,
        delays: Delays | None = None,
    ) -> None:
        """Connect at once if there is a token; `language` is that of the page at the end of logging in.

        Raises UserError if the address of the server is not safe.
        """
        self.server, self.name = server, ""
        self._language, self._delays = language, delays
        self._report = report
        self._login: Login | None = None
        self.lobby: Lobby | None = None
        if token := credentials.load(server):
            self.lobby = Lobby(server, token, report, delays)

    @property
    def logged_in(self) -> bool:
        """Whether there is a token."""
        return self.lobby is not None

    def join(self, game_id: str, name: str, report: Callable[[Event], None]) -> OnlineOpponent:
        """Join a game that is played in this name, whose events are reported; only while logged in."""
        if self.lobby is None:
            raise AssertionError(game_id)
        return self.lobby.join(game_id, name, report)

    def log_in(self) -> str:
        """Begin to log in with a browser; returns the address that it opens. The rest is reported."""
        self._end_login()
        self._login = Login(self.server, self._report, self._language)
        browser.open_address(self._login.url)
        return self._login.url

    @property
    def token_page(self) -> str:
        """The address at which a user makes a token to paste."""
        return token_page(self.server)

    def check(self, token: str) -> None:
        """Find out whether a token is good; reports `LoggedIn` or `OnlineTrouble`."""

        def ask() -> None:
            try:
                self._report(LoggedIn(token, check_token(self.server, token)))
            except UserError as error:
                self._report(OnlineTrouble(error.message))

        threading.Thread(target=ask, name="token", daemon=True).start()

    def keep(self, token: str) -> str:
        """Keep a token and connect with it; returns where it is kept: "keyring" or "file"."""
        where = credentials.keep(self.server, token)
        self._end_login()
        if self.lobby:
            self.lobby.close()
        self.lobby = Lobby(self.server, token, self._report, self._delays)
        return where

    def log_out(self) -> None:
        """Have the server forget the token, and forget it. Raises UserError if it stays where it is kept.

        Reports `OnlineTrouble` if the server still knows it.
        """
        token, self.name = credentials.load(self.server), ""
        if self.lobby:
            self.lobby.close()
            self.lobby = None
        if token:
            threading.Thread(target=self._revoke, args=(token,), name="logout").start()
        credentials.forget(self.server)

    def _revoke(self, token: str) -> None:
        try:
            revoke(self.server, token)
        except UserError as error:
            if error.message != Message.of("online_token_refused"):
                self._report(OnlineTrouble(Message.of("online_not_revoked")))

    def close(self) -> None:
        """End what talks to the server; what is sought is withdrawn by that."""
        self._end_login()
        if self.lobby:
            self.lobby.close()

    def _end_login(self) -> None:
        if self._login:
            self._login.close()
            self._login = None
