# SPDX-License-Identifier: GPL-3.0-or-later
"""A bad line between the tables and the server."""

from __future__ import annotations

import asyncio
import queue
import random
import threading


class Proxy:
    """Between the tables and the server: holds up what is sent, and cuts connections."""

    def __init__(self, port: int, seed: int) -> None:
        self._to, self._chance = port, random.Random(seed)
        self.rough = False
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        started: queue.SimpleQueue[int] = queue.SimpleQueue()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        self.port = started.get()

    def cut(self) -> None:
        """Cut every connection."""
        self._loop.call_soon_threadsafe(self._cut)

    def _cut(self) -> None:
        for one in self._open:
            one.transport.abort()

    def _run(self, started: queue.SimpleQueue[int]) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._pass, "127.0.0.1", 0, backlog=512))
        started.put(server.sockets[0].getsockname()[1])
        self._loop.run_forever()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, far_writer}
        ways = (self._pump(reader, far_writer), self._pump(far_reader, writer))
        await asyncio.gather(*ways, return_exceptions=True)
        self._open -= {writer, far_writer}

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(1 << 14):
                if self.rough:
                    await asyncio.sleep(self._chance.choice((0, 0, 0, 0.05, 0.5)))
                    if self._chance.random() < 0.003:
                        break
                writer.write(data)
                await writer.drain()
        finally:
            writer.transport.abort()
