# SPDX-License-Identifier: GPL-3.0-or-later
"""A web application served by uvicorn in a thread of its own, at a port of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import ifaddr
import uvicorn

from acessivel.web.connection import BoundedConnection

_PORTS = 20  # that are tried from the wanted one on
_CLOSE_S = 2

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class ServerThread:
    """Listens from the beginning, and serves an application from `start` to `close`."""

    def __init__(self, name: str, *, port: int, lan: bool) -> None:
        """Listen at a port, or the next free one; on this machine alone, unless `lan`. Raises OSError."""
        self._socket = _bound("" if lan else "127.0.0.1", port)
        self.port: int = self._socket.getsockname()[1]
        self.lan = lan
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(
        self,
        application: Application,
        *,
        connections: int,
        longest_head: int | None = None,
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        """Serve so many connections at a time; `longest_head`: bytes of a request before its body.

        `certificate`: the files of a certificate and of its secret key, to serve over HTTPS.
        """
        public, secret = certificate or (None, None)
        config = uvicorn.Config(
            application,
            http=BoundedConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=connections,
            h11_max_incomplete_event_size=longest_head,
            timeout_graceful_shutdown=_CLOSE_S,
            ssl_certfile=public,
            ssl_keyfile=secret,
        )
        self._server = uvicorn.Server(config)
        self._thread.start()

    @property
    def lan_addresses(self) -> tuple[str, ...]:
        """The addresses by which the local network reaches it now, that of the way out first."""
        return _lan_addresses() if self.lan else ()

    @property
    def ends(self) -> bool:
        """Whether it is being closed."""
        return self._server.should_exit

    def soon(self, do: Callable[..., object], *values: object) -> None:
        """Do something in the thread, unless it has ended."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(do, *values)

    def at_once(self, do: Callable[[], object]) -> None:
        """Do something in the thread, and wait until it is done, unless it has ended or stands still."""
        done = threading.Event()
        self.soon(do)
        self.soon(done.set)
        done.wait(_CLOSE_S)

    def later(self, seconds: float, do: Callable[..., object], *values: object) -> None:
        """Do something after a while; called in the thread."""
        self._loop.call_later(seconds, do, *values)

    def cut_off(self) -> None:
        """Cut every connection off; called in the thread."""
        for connection in tuple(self._server.server_state.connections):
            if connection.transport:
                connection.transport.abort()

    def at_end(self) -> None:
        """What is left to be done when it ends; called in the thread."""

    def close(self) -> None:
        """End it, and wait for that."""
        self.soon(self._end)
        self._thread.join(2 * _CLOSE_S + 1)
        self._socket.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._server.serve(sockets=[self._socket]))

    def _end(self) -> None:
        self._server.should_exit = True
        self.at_end()


def _bound(host: str, port: int) -> socket.socket:
    """A socket at a port, or the next free one. Raises OSError."""
    wanted = range(port, min(port + _PORTS, 65536)) if port else (0,)
    refused = OSError()
    for number in wanted:
        bound = socket.socket()
        try:
            if os.name == "posix":  # elsewhere two programs could listen at the same port
                bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, number))
            bound.listen()
        except OSError as error:
            bound.close()
            refused = error
        else:
            return bound
    raise refused


def _lan_addresses() -> tuple[str, ...]:
    """The addresses by which the local network reaches this machine, that of the way out first.

    Nothing is sent to find out.
    """
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # for documentation (RFC 5737): only the way there is looked up
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += _of_interfaces()
    return tuple(one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback)


def _of_interfaces() -> list[str]:
    """The addresses of the networks that this machine is in."""
    return [str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4]
