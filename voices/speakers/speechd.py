# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech Dispatcher, if its server runs, through Debian's `speechd` module."""

from __future__ import annotations

import importlib
import queue
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from voices.speakers import Span, SpeakerFailedError, SpeakerMissingError
from voices.speakers.accents import preferred
from voices.speakers.manner import USUAL, Manner

_PATIENCE_S = 1.0
_CONNECTING_S = 5.0
_LEAST, _MOST = -100, 100  # of its rate, pitch and volume


@dataclass(slots=True, eq=False)
class _SentMessage:
    """A message and those of its parts, by the server's numbers, that have not ended."""

    spans: tuple[Span, ...]
    manner: Manner
    on_end: Callable[[], None]
    parts: set[int] = field(default_factory=set)
    sent: bool = False


class SpeechdSpeaker:
    """The voice that blind users of Linux have set up for themselves.

    Raises SpeakerMissingError at once if the module is missing or no server runs: it starts none, because the
    user's own voice settings are the reason to prefer it.
    """

    name = "speechd"

    def __init__(self) -> None:
        try:
            library = importlib.import_module("speechd")
        except ImportError:
            raise SpeakerMissingError(
                "The module speechd is missing: apt-get install python3-speechd."
            ) from None
        self._client, self._usual = _connect(library)
        self._library = library
        # The library misses the end of a part that ends before `speak` has registered its callback, and
        # reports nothing when the server goes away: hence its connection is used directly.
        self._connection = self._client._conn  # noqa: SLF001
        self._connection.set_callback(self._happened)
        self._manner = self._spoken = Manner()
        self._lock = threading.Lock()
        self._current: _SentMessage | None = None
        self.began: float | None = None
        self.cut = False
        self._ended_parts: set[int] = set()
        self._gone = False
        self._orders: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._watch, name="speechd-watch", daemon=True).start()
        # A call to a server that dies during it never returns: no thread of the program makes one.
        self._worker = threading.Thread(target=self._work, name="speechd", daemon=True)
        self._worker.start()

    def speak(self, spans: Sequence[Span], on_end: Callable[[], None]) -> None:
        """See `Speaker.speak`."""
        if self._connection_lost():
            raise SpeakerFailedError("Speech Dispatcher has gone away.")
        self.hush()
        message = _SentMessage(tuple(spans), self._manner, on_end)
        with self._lock:
            self._current, self.began, self.cut = message, None, False
        self._orders.put(lambda: self._send(message))
        if self._connection_lost():
            self._finish(message)

    def take(self, manner: Manner) -> None:
        """See `Speaker.take`."""
        self._manner = manner

    def hush(self) -> None:
        """Stop speaking within about 50 ms."""
        if message := self._current:
            self._orders.put(self._client.cancel)
            self._finish(message)

    def close(self) -> None:
        """Stop speaking and disconnect from the server."""
        self.hush()
        self._orders.put(None)
        if not self._gone:
            self._worker.join(_PATIENCE_S)
        # Without a goodbye, which a server that has stopped would not answer.
        self._connection.close()

    @property
    def limits(self) -> Mapping[str, tuple[int, int]]:
        """See `Speaker.limits`: the ends of the server's own units, from where the user has set it up."""
        rate, pitch, _ = self._usual
        return {
            "rate": (USUAL - (rate - _LEAST + 1) // 2, USUAL + 3 * (_MOST - rate)),
            "pitch": (USUAL - (pitch - _LEAST + 1) // 2, USUAL + (_MOST - pitch + 1) // 2),
        }

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            # SSIPError, SSIPResponseError and OSError: in each case this message is over.
            try:
                order()
            except Exception as error:  # noqa: BLE001
                # The connection's own thread may notice later than this one that the server is gone.
                if isinstance(error, OSError | self._library.SSIPCommunicationError):
                    self._gone = True
                if message := self._current:
                    self._finish(message)

    @property
    def failed(self) -> bool:
        """See `Speaker.failed`: the server is gone."""
        return self._gone

    def _connection_lost(self) -> bool:
        return self._gone

    def _watch(self) -> None:
        self._connection._communication_thread.join()  # noqa: SLF001
        self._gone = True
        if message := self._current:
            self._finish(message)

    def _send(self, message: _SentMessage) -> None:
        if message.manner != self._spoken:
            self._set(message.manner)
        for span in message.spans:
            if message is not self._current:
                return
            self._client.set_language(preferred("speechd", span.language)[0])
            number = int(self._client.speak(span.text)[2][0])
            with self._lock:
                if number not in self._ended_parts:
                    message.parts.add(number)
        with self._lock:
            self._ended_parts.clear()
            message.sent = True
            over = not message.parts
        if over:
            self._finish(message)

    def _set(self, manner: Manner) -> None:
        """Apply a manner in the server's units, relative to what the user has set up."""
        rate, pitch, volume = self._usual
        # Its slowest rate is about half its normal one, its fastest about four times that.
        faster = manner.rate - USUAL
        self._client.set_rate(_within(rate + (faster // 3 if faster > 0 else 2 * faster)))
        self._client.set_pitch(_within(pitch + 2 * (manner.pitch - USUAL)))
        self._client.set_volume(round((volume - _LEAST) * manner.volume / USUAL) + _LEAST)
        self._spoken = manner

    def _happened(self, number: int, _client: int, event: str, **_mark: str) -> None:
        kinds = self._library.CallbackType
        if event not in {kinds.BEGIN, kinds.END, kinds.CANCEL}:
            return
        with self._lock:
            message = self._current
            if message is None:
                return
            if event == kinds.BEGIN:
                self.began = time.monotonic()
                return
            if number in message.parts:
                message.parts.remove(number)
                self.cut = self.cut or event == kinds.CANCEL  # its own cancels are those of a former message
            elif not message.sent:
                self._ended_parts.add(number)
            over = message.sent and not message.parts
        if over:
            self._finish(message)

    def _finish(self, message: _SentMessage) -> None:
        with self._lock:
            if message is not self._current:
                return
            self._current = None
        message.on_end()


def _usual(client: Any) -> tuple[int, int, int]:
    """The rate, pitch and volume that the user has set up."""
    return int(client.get_rate() or 0), int(client.get_pitch() or 0), int(client.get_volume() or _MOST)


def _within(value: int) -> int:
    return max(_LEAST, min(_MOST, value))


def _connect(library: Any) -> tuple[Any, tuple[int, int, int]]:
    """The connection, and the voice settings of the user."""
    found: queue.SimpleQueue[tuple[Any, tuple[int, int, int]] | str] = queue.SimpleQueue()
    # A server that has stopped takes the connection, and never answers.
    threading.Thread(target=lambda: found.put(_tried(library)), name="speechd-connect", daemon=True).start()
    try:
        connected = found.get(timeout=_CONNECTING_S)
    except queue.Empty:
        connected = f"nothing in {_CONNECTING_S:.0f} seconds"
    if isinstance(connected, str):
        raise SpeakerMissingError(f"Speech Dispatcher does not answer: {connected}.")
    return connected


def _tried(library: Any) -> tuple[Any, tuple[int, int, int]] | str:
    """The same, or why there is none."""
    # Without a server the library does not close its socket.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        # Its errors have two unrelated bases, and a half-open server raises others.
        try:
            client = library.SSIPClient("acessivel", autospawn=False)
            return client, _usual(client)
        except Exception as error:  # noqa: BLE001
            return " ".join(str(error).split()) or type(error).__name__
