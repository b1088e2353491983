# SPDX-License-Identifier: GPL-3.0-or-later
"""The real brltty with its virtual display: the tests are the display's hardware."""

import contextlib
import fcntl
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time
from pathlib import Path

import pytest

from braille.displays import DisplayMissingError, brlapi

LOOPBACK = "127.0.0.1"
_API_BASE = 4101
_ANSWER_S = 0.03  # a program answers a key sooner, but on a very busy machine


def free_port():
    """A TCP port of loopback that nobody uses now."""
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return found.getsockname()[1]


def dots_to_cell(dots):
    """Dot numbers as brltty writes them ("14") to a cell."""
    return sum(1 << int(dot) - 1 for dot in dots if dot.isdigit())


def _unread(sent):
    """How much of what was sent into a local socket has not been read at its other end; nothing once it is closed."""
    if sent.fileno() < 0:
        return 0
    return int.from_bytes(fcntl.ioctl(sent, termios.TIOCOUTQ, bytes(4)), sys.byteorder)


class VirtualBrltty:
    """brltty on loopback; `cells` is what the display shows, `press` are its keys."""

    def __init__(self, columns=40, rows=1):
        self.columns, self.rows = columns, rows
        self.cells = ()
        self._folder = Path(tempfile.mkdtemp(prefix="brltty-"))
        self._api_port = free_port()
        self._changed = threading.Condition()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self._folder / "display"))
        self._server.listen()
        self._hardware = None
        self._plugged = threading.Event()
        self._plugged.set()
        self._process = None
        self._thread = threading.Thread(target=self._serve, name="virtual display", daemon=True)
        self._thread.start()
        self.start()

    @property
    def host(self):
        """What BrlAPI calls the host."""
        return f"{LOOPBACK}:{self._api_port - _API_BASE}"

    @property
    def env(self):
        """The variables by which a program finds this brltty."""
        return {"BRLAPI_HOST": self.host, "BRLAPI_AUTH": "none"}

    @property
    def pid(self):
        return self._process.pid

    @property
    def text(self):
        """What the display shows as Unicode Braille."""
        return "".join(chr(0x2800 + cell) for cell in self.cells)

    def start(self):
        """Start brltty, and wait until programs can use its display."""
        folder = self._folder
        self._process = subprocess.Popen(
            [
                "brltty", "-n", "-e", "-q", "-Z", "-l", "error", "-f", "/dev/null", "-P", folder / "pid",
                "-U", folder, "-W", folder, "-F", folder / "prefs", "-b", "vr", "-d", f"client:{folder}/display",
                "-x", "no", "-s", "no", "-t", "en-nabcc", "-c", "none", "-k", "off",
                "-A", f"auth=none,host={self.host}",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until = time.monotonic() + 15
        while not (self._hardware and self._answers()):
            if time.monotonic() > until or self._process.poll() is not None:
                self.close()
                pytest.fail("brltty does not start")
            time.sleep(0.02)  # it has no other way to say that it is ready

    def kill(self, sign=signal.SIGKILL):
        """Send brltty a signal; when this returns it is gone after SIGKILL, and stands still after SIGSTOP."""
        self._process.send_signal(sign)
        if sign == signal.SIGSTOP:
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)
        if sign == signal.SIGKILL:
            self._process.wait()
            with self._changed:
                assert self._changed.wait_for(lambda: self._hardware is None, 5)

    def restart(self):
        """Kill brltty and start it again at the same place."""
        if self._process.poll() is None:
            self.kill()
        self.start()

    def press(self, key):
        """Press a key of the display: "FWINRT", "ROUTE 5" (that cell, counted from 0; never 0), "PASSCHAR 97"."""
        self._send(key)

    def resize(self, columns, rows=1):
        """Become a display of another size."""
        self.columns, self.rows = columns, rows
        self._send(self._cells_line())

    def unplug(self):
        """Pull the display's plug."""
        self._plugged.clear()
        with self._changed:
            self._hardware.shutdown(socket.SHUT_RDWR)

    def plug(self):
        """Plug the display in again; brltty finds it within a second or two."""
        self._plugged.set()

    def wait_for(self, wanted, timeout=10):
        """Wait until the display shows cells for which `wanted` holds (or exactly those cells)."""
        fits = wanted if callable(wanted) else lambda cells: cells == tuple(wanted)
        with self._changed:
            if not self._changed.wait_for(lambda: fits(self.cells), timeout):
                pytest.fail(f"the display still shows {self.text!r}")
            return self.cells

    def changes(self, before, timeout):
        """Whether the display shows something else than some cells, now or before a time is over."""
        with self._changed:
            return self._changed.wait_for(lambda: self.cells != before, timeout)

    def close(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._plugged.set()
        self._server.shutdown(socket.SHUT_RDWR)  # else accept waits on
        self._server.close()
        self._thread.join(5)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _answers(self):
        try:
            with socket.create_connection((LOOPBACK, self._api_port), timeout=1) as connection:
                if not connection.recv(1):  # the server speaks first, mostly once it has its display
                    return False
            return bool(brlapi.probe(self.host, "none"))
        except (OSError, DisplayMissingError):
            return False

    def _cells_line(self):
        return f"Cells {self.columns} {self.rows}" if self.rows > 1 else f"Cells {self.columns}"

    def _send(self, line):
        """Send a line; return once brltty has read it, and nothing has changed for as long as an answer takes.

        It looks every 40 ms, and takes one line then: of two that it reads at once, one waits for a third.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._hardware, 10):
                pytest.fail("brltty has no display")
            hardware = self._hardware
        hardware.sendall(f"{line}\n".encode())
        until = time.monotonic() + 10
        while _unread(hardware):
            if time.monotonic() > until:
                pytest.fail(f"brltty does not take {line!r}")
            time.sleep(0.002)  # nothing tells when it has
        with self._changed:
            while self._changed.wait(_ANSWER_S):
                pass

    def _serve(self):
        while True:
            try:
                hardware, _ = self._server.accept()
            except OSError:
                return
            with hardware, contextlib.suppress(OSError):
                self._plugged.wait()
                hardware.sendall(f"{self._cells_line()}\n".encode())
                self._become(hardware)
                with hardware.makefile("r", encoding="utf-8", errors="replace") as lines:
                    for line in lines:
                        self._take(line)
            self._become(None)

    def _become(self, hardware):
        with self._changed:
            self._hardware, self.cells = hardware, ()
            self._changed.notify_all()

    def _take(self, line):
        if line.startswith("Braille "):
            dots = line.strip()[len('Braille "') : -1].split("|")
            with self._changed:
                self.cells = tuple(map(dots_to_cell, dots))
                self._changed.notify_all()


needs_brltty = pytest.mark.skipif(
    not shutil.which("brltty") or not importlib.util.find_spec("brlapi"),
    reason="brltty or its Python binding is not installed",
)
