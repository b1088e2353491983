# SPDX-License-Identifier: GPL-3.0-or-later
"""A bad line between a client and a server on this machine: it cuts connections after random bytes, and delays."""

import asyncio
import contextlib
import socket
import threading
import weakref
from random import Random


class CuttingProxy:
    """Forwards what comes to `url` to a port, while it is entered; nothing is reordered or changed.

    Of the connections that begin while it is not `calm`, a `share` is cut after up to `most` bytes in both
    directions together, seldom after many; each part is delayed by up to `delay` seconds.
    """

    def __init__(self, port, seed, *, share=0.5, most=4000, delay=0.0):
        self._port, self._share, self._most, self._delay = port, share, most, delay
        self._chance = Random(seed)  # noqa: S311
        self.calm, self.cuts = False, 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._open, self._writers = set(), weakref.WeakSet()
        self._thread = threading.Thread(target=self._run, name="proxy")

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def _run(self):
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self):
        server = await asyncio.start_server(self._connected, sock=self._socket)
        await self._over.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)  # what is aborted is closed in the next rounds of the loop

    async def _connected(self, reader, writer):
        task = asyncio.current_task()
        self._open.add(task)
        self._writers.add(writer)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await self._forward(reader, writer)
        self._open.discard(task)

    async def _forward(self, reader, writer):
        cuts = not self.calm and self._chance.random() < self._share
        line = Line(int(self._most ** self._chance.random()) if cuts else None)
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers.add(server_writer)
        ways = [
            asyncio.ensure_future(self._pump(*way, line))
            for way in ((reader, server_writer), (server_reader, writer))
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            self.cuts += line.cut
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for one in (writer, server_writer):
                one.transport.abort() if line.cut else one.close()

    async def _pump(self, reader, writer, line):
        while part := await reader.read(65536):
            if self._delay:
                await asyncio.sleep(self._chance.random() * self._delay)
            writer.write(line.passed(part))
            await writer.drain()
            if line.cut:
                return


class Line:
    """What may still pass on one connection; None: anything."""

    def __init__(self, left):
        self._left, self.cut = left, False

    def passed(self, part):
        if self._left is None:
            return part
        part, self._left = part[: self._left], self._left - len(part)
        self.cut = self._left <= 0
        return part
