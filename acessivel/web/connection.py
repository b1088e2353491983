# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection that is not waited for: who sends a request too slowly, or nothing, is cut off."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

_PATIENCE_S = 10  # for the head of a request, and for what is left to be sent when a connection is closed


class BoundedConnection(H11Protocol):
    """uvicorn's own connection, looked at now and then; it waits for a request's head without an end."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to look at it."""
        super().connection_made(cast("asyncio.Transport", transport))
        self.app_state = {"cut_off": self.transport.abort}  # for those who answer, in the scope of a request
        self._idle = False
        self._watch = self.loop.call_later(_PATIENCE_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._watch.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Cut it off if nothing has been asked for since the last look, or if it does not close."""
        idle = self.cycle is None or self.cycle.response_complete
        if self.transport.is_closing() or (idle and self._idle):
            self.transport.abort()
            return
        self._idle = idle
        self._watch = self.loop.call_later(_PATIENCE_S, self._look)
