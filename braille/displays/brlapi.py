# SPDX-License-Identifier: GPL-3.0-or-later
"""A refreshable Braille display through BRLTTY, by BrlAPI."""

from __future__ import annotations

import contextlib
import importlib
import queue
import select
import threading
from collections.abc import Callable, Sequence
from typing import Any

from braille.displays import (
    Attached,
    Character,
    Detached,
    DisplayMissingError,
    Dots,
    Event,
    Key,
    NamedKey,
    Pressed,
    RoutingKey,
)
from braille.window import Size

PATIENCE_S = 3.0  # a stopped brltty lets a new connection wait for ever
_RETRY_S = 1.0
_LOOK_S = 0.5  # how often the size is looked at
_COMMANDS = {
    "FWINLT": NamedKey.LEFT,
    "FWINRT": NamedKey.RIGHT,
    "LNUP": NamedKey.UP,
    "LNDN": NamedKey.DOWN,
    "HOME": NamedKey.HOME,
    "RETURN": NamedKey.HOME,
    "TOP": NamedKey.HOME,
}
_SYMBOLS = {
    "LINEFEED": NamedKey.ENTER,
    "ESCAPE": NamedKey.ESCAPE,
    "BACKSPACE": NamedKey.BACKSPACE,
    "LEFT": NamedKey.CURSOR_LEFT,
    "RIGHT": NamedKey.CURSOR_RIGHT,
    "UP": NamedKey.CURSOR_UP,
    "DOWN": NamedKey.CURSOR_DOWN,
}


def _binding() -> Any:
    try:
        return importlib.import_module("brlapi")
    except ImportError as error:
        raise DisplayMissingError("the Python package brlapi is not installed") from error


def _connect(host: str | None, auth: str | None) -> Any:
    """A connection in tty mode that takes every key; DisplayMissingError. Can wait for ever."""
    brlapi = _binding()
    try:
        connection = brlapi.Connection(
            host=host.encode() if host else None, auth=auth.encode() if auth else None
        )
    except (brlapi.ConnectionError, brlapi.OperationError) as error:
        raise DisplayMissingError("BRLTTY does not answer") from error
    try:
        _take(connection, brlapi)
    except (brlapi.OperationError, OSError, DisplayMissingError) as error:
        connection.closeConnection()
        raise DisplayMissingError(f"BRLTTY does not lend its display: {error}") from error
    return connection


def _take(connection: Any, brlapi: Any) -> None:
    if _size(connection) is None:
        raise DisplayMissingError("there is none")
    try:
        connection.enterTtyMode()
    except brlapi.OperationError:
        # Without a console of its own the program stands beside all of them.
        connection.enterTtyModeWithPath([1])
    connection.acceptKeys(brlapi.rangeType_all, [0])


def _size(connection: Any) -> Size | None:
    """The size of the display now, or None when there is none."""
    columns, rows = connection.displaySize
    driver = connection.driverName
    return Size(rows, columns) if rows and columns and driver != b"NoBraille" else None


def probe(host: str | None = None, auth: str | None = None, timeout_s: float = PATIENCE_S) -> Size:
    """The size of the display; DisplayMissingError when there is none, or none answers in time.

    Without host and auth BrlAPI's own defaults hold: BRLAPI_HOST, BRLAPI_AUTH, the local BRLTTY.
    """
    found: queue.SimpleQueue[Size | DisplayMissingError] = queue.SimpleQueue()

    def attempt() -> None:
        try:
            connection = _connect(host, auth)
            size = _size(connection)
            connection.leaveTtyMode()
            connection.closeConnection()
            found.put(size or DisplayMissingError("BRLTTY has no display"))
        except DisplayMissingError as error:
            found.put(error)

    _binding()
    threading.Thread(target=attempt, name="braille probe", daemon=True).start()
    try:
        answer = found.get(timeout=timeout_s)
    except queue.Empty:
        raise DisplayMissingError("BRLTTY does not answer in time") from None
    if isinstance(answer, DisplayMissingError):
        raise answer
    return answer


class BrlapiDisplay:
    """The display of BRLTTY: written to from the caller's thread, read and watched in its own.

    When BRLTTY goes, the driver looks for it every second and shows again what was shown last.
    """

    name = "brlapi"

    def __init__(
        self, on_event: Callable[[Event], None], host: str | None = None, auth: str | None = None
    ) -> None:
        """Take the display; DisplayMissingError when there is none."""
        self.size = probe(host, auth)
        self._brlapi = _binding()
        self._where = host, auth
        self._on_event = on_event
        self._lock = threading.Lock()
        self._cells: tuple[int, ...] = ()
        self._closing = threading.Event()
        self._connection: Any = _connect(host, auth)
        self._thread = threading.Thread(target=self._run, name="braille", daemon=True)
        self._thread.start()

    def show(self, cells: Sequence[int]) -> None:
        """Show rows x columns cells, or keep them for when the display is back."""
        with self._lock:
            self._cells = tuple(cells)
            self._write()

    def close(self) -> None:
        """Give the display back."""
        self._closing.set()
        self._thread.join(PATIENCE_S)
        with self._lock:
            self._drop()

    def _write(self) -> None:
        """Write what is to be shown; the lock is held. A loss shows itself to the reading thread."""
        room = self.size.rows * self.size.columns
        dots = bytes(self._cells[:room]) + bytes(max(0, room - len(self._cells)))
        if self._connection and self._cells:
            with contextlib.suppress(self._brlapi.OperationError, OSError, ValueError):
                self._connection.writeDots(dots)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            with contextlib.suppress(self._brlapi.OperationError, OSError):
                connection.leaveTtyMode()
            connection.closeConnection()

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._connection:
                self._read_keys()
            else:
                self._reconnect()

    def _read_keys(self) -> None:
        """Report keys until the connection is lost, and changes of the size."""
        try:
            ready, _, _ = select.select([self._connection.fileDescriptor], [], [], _LOOK_S)
            with self._lock:
                code = self._connection.readKey(False) if ready else None
                size = _size(self._connection)
        except (self._brlapi.OperationError, OSError, ValueError):
            with self._lock:
                self._drop()
            self._on_event(Detached())
            return
        if code is not None and (key := self._key(code)) is not None:
            self._on_event(Pressed(key))
        if size and size != self.size:
            self.size = size
            self._on_event(Attached(size))

    def _reconnect(self) -> None:
        try:
            connection = _connect(*self._where)
        except DisplayMissingError:
            self._closing.wait(_RETRY_S)
            return
        with self._lock:
            self._connection = connection
            self.size = _size(connection) or self.size
            self._write()
        self._on_event(Attached(self.size))

    def _key(self, code: int) -> Key | None:
        """What a BrlAPI key code means to us, if anything."""
        brlapi = self._brlapi
        parts = self._connection.expandKeyCode(code)
        command, argument = parts["command"], parts["argument"]
        if parts["type"] == brlapi.KEY_TYPE_CMD:
            if command == brlapi.KEY_CMD_ROUTE:
                return RoutingKey(argument)
            if command == brlapi.KEY_CMD_PASSDOTS:
                return Dots(argument & 0xFF)
            return next((k for n, k in _COMMANDS.items() if command == getattr(brlapi, f"KEY_CMD_{n}")), None)
        symbol = code & 0xFFFFFFFF
        named = next((k for n, k in _SYMBOLS.items() if symbol == getattr(brlapi, f"KEY_SYM_{n}")), None)
        if named:
            return named
        point = symbol - brlapi.KEY_SYM_UNICODE if symbol >= brlapi.KEY_SYM_UNICODE else symbol
        return Character(chr(point)) if point < 0x110000 and chr(point).isprintable() else None
