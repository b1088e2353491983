# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection to a server: a thread with its event loop, and everything that runs in it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Coroutine

from acessivel.clock.computer_sleep import LEAST_S, asleep_s
from acessivel.errors import trace
from acessivel.online.client import Client, Delays
from acessivel.online.streams import KeptStream

_LOG = logging.getLogger(__name__)
_LOOK_S = 1.0  # how often it is looked whether the computer has slept
_END_S = 5.0


class ServerConnection:
    """Runs what talks to a server; the rest of the program reaches it by `soon` and `run` alone."""

    def __init__(self, server: str, token: str, delays: Delays, waits: Callable[[float], None]) -> None:
        """Start its thread. Raises UserError if the address of the server is not safe."""
        self.server = server
        self.client = Client(server, token, delays, waits)
        self.streams: set[KeptStream] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._work, name="online", daemon=True)
        self._thread.start()

    def soon(self, do: Callable[..., object], *values: object) -> bool:
        """Do something in the thread of the connection; returns False if that has ended."""
        try:
            self._loop.call_soon_threadsafe(do, *values)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def later(self, seconds: float, do: Callable[..., object], *values: object) -> asyncio.TimerHandle:
        """Do something after a while; called in the thread of the connection."""
        return self._loop.call_later(seconds, do, *values)

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Let something run until the connection is closed; called in its thread."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def follow(self, stream: KeptStream) -> None:
        """Keep a stream open. Raises DeniedError if the server does not have it for us."""
        self.streams.add(stream)
        try:
            await stream.run()
        finally:
            self.streams.discard(stream)

    def close(self) -> None:
        """End everything that runs, and the thread."""
        self.soon(self._over.set)
        self._thread.join(_END_S)

    def _work(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._run())

    async def _run(self) -> None:
        """Until it is closed: after a sleep of the computer no stream is to be trusted."""
        while not self._over.is_set():
            before_s = asleep_s()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._over.wait()
            if abs(asleep_s() - before_s) > LEAST_S:
                _LOG.info("the computer has slept")
                for stream in self.streams:
                    stream.again(at_once=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.client.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _LOG.warning("playing online: %s", trace(error))
