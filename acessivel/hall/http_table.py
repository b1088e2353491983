# SPDX-License-Identifier: GPL-3.0-or-later
"""The hall of one computer as a table elsewhere reaches it: over HTTPS, with its key."""

from __future__ import annotations

import contextlib
import http.client
import json
import select
import socket
import ssl
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from acessivel.hall import key_file
from acessivel.hall.key_file import TableKey
from acessivel.hall.store import (
    PROPOSAL,
    HallLostError,
    KeyRefusedError,
    Proposal,
    PushedEntry,
    TableStore,
)
from acessivel.messages import wire

_ANSWER_S = 10.0
_TROUBLE = (OSError, http.client.HTTPException)


class HttpTable(TableStore):
    """Two connections: one waits for news, the other asks and tells meanwhile."""

    def __init__(self, url: str, key: TableKey) -> None:
        """Reach the hall at "https://HOST:PORT" with a key. Raises ValueError for another address."""
        parts = urlsplit(url)
        if parts.scheme != "https" or not parts.hostname:
            raise ValueError(url)
        self._host, self._port = parts.hostname, parts.port or 443
        self._context = key_file.context(key)
        self._headers = {
            "Authorization": f"Bearer {key.table}.{key.key}",
            "Content-Type": "application/json",
        }
        self._asking: http.client.HTTPSConnection | None = None
        self._waiting: http.client.HTTPSConnection | None = None
        self._awaited: tuple[str, int] | None = None
        self._woken, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)

    def append(self, game: str, pushed: Sequence[PushedEntry]) -> int:
        """As of `TableStore.append`."""
        told = [[one.number, one.text, one.ago_ms] for one in pushed]
        return int(self._ask("append", game=game, entries=told))

    def alive(self, *, leaves: bool = False) -> None:
        """As of `TableStore.alive`."""
        self._ask("alive", leaves=leaves)

    def proposals(self, game: str, after: int) -> tuple[Proposal, ...]:
        """As of `TableStore.proposals`."""
        found = self._ask("proposals", game=game, after=after)
        return tuple(wire.from_json(text, PROPOSAL) for text in found)

    def wait(self, game: str, after: int, timeout_s: float) -> None:
        """As of `TableStore.wait`."""
        try:
            if self._waiting is None or self._awaited != (game, after):
                self._stop_waiting()
                self._waiting, self._awaited = self._connected(), (game, after)
                self._send(self._waiting, "wait", {"game": game, "after": after})
            ready, _, _ = select.select([self._waiting.sock, self._woken], [], [], timeout_s)
            answered = self._waiting.sock in ready and _has_come(self._waiting.sock)
        except _TROUBLE as error:
            self._stop_waiting()
            raise HallLostError(type(error).__name__) from error
        if self._woken in ready:
            self._woken.recv(1 << 12)
        if answered:
            self._stop_waiting()

    def wake(self) -> None:
        """As of `TableStore.wake`."""
        with contextlib.suppress(OSError):  # it is full, or closed
            self._wakes.send(b".")

    def close(self) -> None:
        """As of `TableStore.close`."""
        self._stop_waiting()
        if self._asking:
            self._asking.close()
        self._woken.close()
        self._wakes.close()

    def _ask(self, what: str, **values: object) -> Any:
        """The answer to a question; one more try if the connection was closed meanwhile."""
        for again in (True, False):
            try:
                self._asking = self._asking or self._connected()
                self._send(self._asking, what, values)
                answer = self._asking.getresponse()
                body = answer.read()
            except _TROUBLE as error:
                fresh = self._asking
                self._asking = None
                if fresh:
                    fresh.close()
                if not again or not isinstance(
                    error, http.client.RemoteDisconnected | ConnectionError | ssl.SSLError
                ):
                    raise HallLostError(type(error).__name__) from error
            else:
                return self._read(answer.status, body)
        raise AssertionError

    @staticmethod
    def _read(status: int, body: bytes) -> Any:
        if status == http.client.FORBIDDEN:
            raise KeyRefusedError
        if status != http.client.OK:
            raise HallLostError(str(status))
        try:
            return json.loads(body)
        except ValueError as error:
            raise HallLostError("answer") from error

    def _connected(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(self._host, self._port, timeout=_ANSWER_S, context=self._context)

    def _send(self, connection: http.client.HTTPSConnection, what: str, values: object) -> None:
        connection.request("POST", f"/hall/{what}", json.dumps(values), self._headers)

    def _stop_waiting(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting:
            waiting.close()


def _has_come(sock: ssl.SSLSocket) -> bool:
    """Whether an answer has come, whose beginning is read: TLS sends tickets of its own before it."""
    sock.setblocking(False)
    try:
        sock.recv(1)
    except ssl.SSLWantReadError:
        return False
    finally:
        sock.settimeout(_ANSWER_S)
    return True
