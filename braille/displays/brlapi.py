# SPDX-License-Identifier: GPL-3.0-or-later
"""A refreshable Braille display through BRLTTY, by BrlAPI."""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import select
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from braille.displays import (
    AltKey,
    Attached,
    Character,
    Detached,
    DisplayEvent,
    DisplayMissingError,
    Dots,
    Key,
    NamedKey,
    OtherKey,
    Pressed,
    RoutingKey,
)
from braille.window import Size

PATIENCE_S = 3.0  # a stopped brltty keeps a new connection waiting forever
_RETRY_S = 1.0
_LOOK_S = 0.25  # how often the thread checks whether it should end
_COMMANDS = {
    "FWINLT": NamedKey.LEFT,
    "FWINLTSKIP": NamedKey.LEFT,
    "FWINRT": NamedKey.RIGHT,
    "FWINRTSKIP": NamedKey.RIGHT,
    "LNUP": NamedKey.UP,
    "LNDN": NamedKey.DOWN,
    "HOME": NamedKey.HOME,
    "RETURN": NamedKey.HOME,
    "TOP": NamedKey.HOME,
    "TOP_LEFT": NamedKey.HOME,
}
# What comes by itself, from a finger that only reads, or as raw codes of a keyboard.
_NO_KEYS = frozenset({"NOOP", "ALERT", "CONTEXT", "TOUCH_AT", "PASSAT", "PASSXT", "PASSPS2"})
_SYMBOLS = {
    "LINEFEED": NamedKey.ENTER,
    "ESCAPE": NamedKey.ESCAPE,
    "BACKSPACE": NamedKey.BACKSPACE,
    "LEFT": NamedKey.CURSOR_LEFT,
    "RIGHT": NamedKey.CURSOR_RIGHT,
    "UP": NamedKey.CURSOR_UP,
    "DOWN": NamedKey.CURSOR_DOWN,
    "TAB": NamedKey.TAB,
    "PAGE_UP": NamedKey.PAGE_UP,
    "PAGE_DOWN": NamedKey.PAGE_DOWN,
    "HOME": NamedKey.HOME,
    "END": NamedKey.END,
    "INSERT": NamedKey.INSERT,
    "DELETE": NamedKey.DELETE,
    **{f"F{number}": NamedKey(f"f{number}") for number in range(1, 13)},
}
_SPACE = 0x100  # the space bar, beside the eight dots
# The letters and, as literary Braille writes them one row lower, the digits by their cells.
_DOTS_OF = {
    "abcdefghij": "1 12 14 145 15 124 1245 125 24 245",
    "klmnopqrst": "13 123 134 1345 135 1234 12345 1235 234 2345",
    "uvwxyz": "136 1236 2456 1346 13456 1356",
    "1234567890": "2 23 25 256 26 235 2356 236 35 356",
}
_SIGNS = {
    sum(1 << int(dot) - 1 for dot in dots): sign
    for signs, cells in _DOTS_OF.items()
    for sign, dots in zip(signs, cells.split(), strict=True)
}
_DOT_7 = 0x40
_SYMBOL_MASK = 0xFFFFFFFF  # the bits above are flags
_LONGEST = 0xFFFF  # no display has more columns or rows
_UNICODE = 0x1000000  # as in X11: Latin-1 is itself, all else is this plus the code point


def probe(host: str | None = None, auth: str | None = None, timeout_s: float = PATIENCE_S) -> Size:
    """The size of the display. Raises DisplayMissingError if there is none, or none answers in time.

    Without host and auth, BrlAPI's own defaults apply: BRLAPI_HOST, BRLAPI_AUTH, the local BRLTTY.
    """
    display = BrlapiDisplay(lambda _: None, host, auth, timeout_s)
    display.close()
    return display.size


class BrlapiDisplay:
    """BRLTTY's display: written to from the caller's thread; all else happens in a thread of its own.

    If BRLTTY or its display is lost, the driver looks for it every second and shows the last content again.
    Between taking and releasing the display, BRLTTY is asked nothing: a stopped one would never answer, and
    libbrlapi mixes up the bytes of a request and of a write from two threads.
    """

    name = "brlapi"

    def __init__(
        self,
        on_event: Callable[[DisplayEvent], None],
        host: str | None = None,
        auth: str | None = None,
        timeout_s: float = PATIENCE_S,
    ) -> None:
        """Take the display. Raises DisplayMissingError if there is none, or none answers in time.

        `on_event` is called from the driver's thread. Host and auth as of `probe`.
        """
        self._brlapi = _binding()
        self._where = host, auth
        self._on_event = on_event
        self._lock = threading.Lock()  # guards the four fields below, and writing; never held while waiting
        self._connection: Any = None
        self._size: Size | None = None
        self._cells: tuple[int, ...] = ()
        self._behind = False  # some cells have not been written
        self._closing = threading.Event()
        first: queue.SimpleQueue[DisplayEvent] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, args=(first,), name="braille", daemon=True)
        self._thread.start()
        try:
            news = first.get(timeout=timeout_s)
        except queue.Empty:
            news = Detached("BRLTTY does not answer in time")
        if isinstance(news, Detached):
            self._closing.set()
            raise DisplayMissingError(news.reason)

    @property
    def size(self) -> Size:
        """The present size, or the last one while the display is lost."""
        if self._size is None:
            raise RuntimeError("a display has a size once it is made")
        return self._size

    def show(self, cells: Sequence[int]) -> None:
        """Show rows x columns cells, or keep them until the display is back; returns at once.

        Cells that are shown already are not sent again: some displays need seconds to refresh.
        """
        with self._lock:
            if self._cells != (cells := tuple(cells)):
                self._cells = cells
                self._write()

    def close(self) -> None:
        """Release the display."""
        self._closing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(PATIENCE_S)

    def _write(self) -> None:
        """Write the pending cells; the lock is held. The thread notices if the display is lost."""
        if self._connection is None or not self._cells:
            return
        room = self.size.rows * self.size.columns
        dots = bytes(self._cells[:room]) + bytes(max(0, room - len(self._cells)))
        with contextlib.suppress(self._brlapi.OperationError, OSError, ValueError):
            # A stopped BRLTTY accepts many writes, but one too many would block.
            _, writable, _ = select.select([], [self._connection.fileDescriptor], [], 0)
            self._behind = not writable
            if writable:
                self._connection.writeDots(dots)

    def _run(self, first: queue.SimpleQueue[DisplayEvent]) -> None:
        """Make one connection after another; the constructor takes the first event, the caller the rest."""
        tell: Callable[[DisplayEvent], None] = first.put
        while not self._closing.is_set():
            try:
                connection, size, sizes = _connect(self._brlapi, *self._where)
            except DisplayMissingError as error:
                if self._size is None:
                    tell(Detached(error.reason))
                    return
                self._closing.wait(_RETRY_S)
                continue
            with self._lock:
                self._connection, self._size = connection, size
                self._write()
            tell(Attached(size))
            tell = self._on_event
            lost = self._serve(connection, size, sizes)
            if lost and not self._closing.is_set():
                tell(Detached(lost))

    def _serve(self, connection: Any, size: Size, sizes: list[Size | None]) -> str | None:
        """Report keys until the display is lost (the reason), changes its size, or is released (None)."""
        try:
            while not self._closing.is_set():
                select.select([connection.fileDescriptor], [], [], _LOOK_S)
                while (code := connection.readKey(False)) is not None:
                    if key := _key(self._brlapi, code):
                        self._on_event(Pressed(key))
                if sizes[-1] != size:
                    return None if sizes[-1] else "BRLTTY has no display"
                with self._lock:
                    if self._behind:
                        self._write()
        except (self._brlapi.OperationError, OSError, ValueError):
            return "BRLTTY has gone"
        finally:
            with self._lock:
                self._connection = None
            with contextlib.suppress(self._brlapi.OperationError, OSError):
                connection.leaveTtyMode()
            connection.closeConnection()
        return None


def _binding() -> Any:
    try:
        return importlib.import_module("brlapi")
    except ImportError as error:
        raise DisplayMissingError("the Python package brlapi is not installed") from error


def _connect(brlapi: Any, host: str | None, auth: str | None) -> tuple[Any, Size, list[Size | None]]:
    """A connection in tty mode, the size of its display, and a list that grows with each change of size.

    Raises DisplayMissingError if there is none now. Can block forever.
    """
    try:
        connection = brlapi.Connection(
            host=host.encode() if host else None, auth=auth.encode() if auth else None
        )
    except brlapi.OperationError as error:
        raise DisplayMissingError("BRLTTY does not answer") from error
    with contextlib.ExitStack() as undo:
        undo.callback(connection.closeConnection)
        try:
            sizes = _watch_size(connection, brlapi)
            size = sizes[0]
            if size is None or connection.driverName == b"NoBraille":
                raise DisplayMissingError("BRLTTY has no display")
            _enter(connection, brlapi)
        except (brlapi.OperationError, OSError) as error:
            raise DisplayMissingError("BRLTTY does not lend its display") from error
        undo.pop_all()
    return connection, size, sizes


def _enter(connection: Any, brlapi: Any) -> None:
    """Take the display while the user is at our terminal; elsewhere a screen reader keeps it."""
    try:
        connection.enterTtyMode()
    except brlapi.OperationError:
        # No terminal that BrlAPI knows: the console of the desktop session, or else the first one.
        console = os.environ.get("XDG_VTNR", "")
        connection.enterTtyModeWithPath([int(console) if console.isdecimal() else 1])
    # Every key is reported except those that restart BRLTTY's drivers, which it keeps. Otherwise dots would
    # come as characters of BRLTTY's own table.
    dots = brlapi.KEY_TYPE_CMD | brlapi.KEY_CMD_PASSDOTS
    connection.acceptKeys(brlapi.rangeType_command, [dots])


def _dots(argument: int) -> Key:
    """Typed dots; with the space bar they are a chord: Alt with their sign, dot 7 being Shift."""
    cell = argument & 0xFF
    if not (argument & _SPACE and cell):
        return Dots(cell)
    sign = _SIGNS.get(cell & ~_DOT_7)
    if sign is None:
        return OtherKey("passdots")
    return AltKey(sign.upper() if cell & _DOT_7 else sign)


def _watch_size(connection: Any, brlapi: Any) -> list[Size | None]:
    """The size of the display, in a list to which reading keys adds each new one; None is no display."""
    which = brlapi.PARAM_DISPLAY_SIZE, 0, brlapi.PARAMF_GLOBAL
    sizes = [_size(connection.getParameter(*which))]
    connection.watchParameter(*which, lambda *news: sizes.append(_size(news[-1])))
    return sizes


def _size(columns_rows: Sequence[int]) -> Size | None:
    # BrlAPI 0.8.4 sends some of the changes with their bytes in network order.
    swapped = (int.from_bytes(n.to_bytes(4, "little")) if n > _LONGEST else n for n in columns_rows)
    columns, rows = swapped
    return Size(rows, columns) if rows and columns else None


def _key(brlapi: Any, code: int) -> Key | None:
    """The meaning of a BrlAPI key code; None if it has none here."""
    parts = brlapi.expandKeyCode(code)
    if parts["type"] == brlapi.KEY_TYPE_CMD:
        command, argument = parts["command"], parts["argument"]
        if command == brlapi.KEY_CMD_ROUTE:
            return RoutingKey(argument)
        if command == brlapi.KEY_CMD_PASSDOTS:
            return _dots(argument)
        name = _command_names(brlapi).get(command)
        return (_COMMANDS.get(name) or OtherKey(name.lower())) if name else None
    symbol = code & _SYMBOL_MASK
    for name, key in _SYMBOLS.items():
        if symbol == getattr(brlapi, f"KEY_SYM_{name}"):
            return key
    point = symbol - _UNICODE if symbol >= _UNICODE else symbol
    if (symbol >= _UNICODE or symbol <= 0xFF) and point < 0x110000 and chr(point).isprintable():
        alt = parts["flags"] & brlapi.KEY_FLG_INPUT_META
        return AltKey(chr(point)) if alt else Character(chr(point))
    return None


@cache
def _command_names(brlapi: Any) -> dict[int, str]:
    """BRLTTY's commands by their code in BrlAPI, without argument; CLIP_NEW, not its old name CUTBEGIN."""
    names = (name.removeprefix("KEY_CMD_") for name in reversed(dir(brlapi)) if name.startswith("KEY_CMD_"))
    commands = (name for name in names if not name.endswith(("_MASK", "_SHIFT")) and name not in _NO_KEYS)
    return {getattr(brlapi, f"KEY_CMD_{name}"): name for name in commands}
