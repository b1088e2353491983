# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps a stream of the server open: opened anew when it breaks off, is silent or ends, ever more slowly."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from acessivel.online.answers import Json
from acessivel.online.client import Client, UnansweredError


class StreamReader(Protocol):
    """Is told what becomes of a stream."""

    def opening(self) -> None:
        """It is asked for now."""

    def opened(self) -> None:
        """The server has it for us."""

    def take(self, told: Json) -> bool:
        """Take an object; returns whether the stream is over."""

    def lost(self, orderly: bool) -> None:
        """It has ended too early; `orderly` if it was the server that ended it."""


class KeptStream:
    """One stream that is to stay open until its listener says that it is over."""

    def __init__(self, client: Client, path: str, listener: StreamReader) -> None:
        self._client, self._path, self._listener = client, path, listener
        self._tries = 0
        self._reading: asyncio.Task[bool] | None = None
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Read it to its end. Raises DeniedError if the server does not have it for us."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            self._reading = asyncio.ensure_future(self._read())
            try:
                await asyncio.wait((self._reading,))
            finally:
                self._reading.cancel()
                await asyncio.gather(self._reading, return_exceptions=True)
            orderly = False
            with contextlib.suppress(UnansweredError, asyncio.CancelledError):
                if self._reading.result():
                    return
                orderly = True
            if loop.time() - began >= self._client.delays.lasted:
                self._tries = 0
            self._listener.lost(orderly)
            await self._pause()

    def again(self, *, at_once: bool = False) -> None:
        """Open it anew, since what it has told may be out of date; `at_once` without any pause."""
        if at_once:
            self._tries = 0
            self._wake.set()
        if self._reading:
            self._reading.cancel()

    def well(self) -> None:
        """The server can be reached: the next try is the first again."""
        self._tries = 0

    async def _read(self) -> bool:
        self._listener.opening()
        async with self._client.lines("GET", self._path) as lines:
            self._listener.opened()
            async for told in lines:
                if self._listener.take(told):
                    return True
        return False

    async def _pause(self) -> None:
        pause = self._client.delays.pause(self._tries)
        self._tries += 1
        self._wake.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._wake.wait()
