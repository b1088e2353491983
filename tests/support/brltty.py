# SPDX-License-Identifier: GPL-3.0-or-later
"""The real brltty with its virtual display: the tests are the display's hardware."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

LOOPBACK = "127.0.0.1"
_API_BASE = 4101


def free_port():
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return probe.getsockname()[1]


def dots_to_cell(dots):
    """Dot numbers as brltty writes them ("14") to a cell."""
    return sum(1 << int(dot) - 1 for dot in dots if dot.isdigit())


class VirtualBrltty:
    """brltty on loopback; `cells` is what the display shows, `press` are its keys."""

    def __init__(self, columns=40, rows=1):
        self.columns, self.rows = columns, rows
        self.cells = ()
        self._folder = Path(tempfile.mkdtemp(prefix="brltty-"))
        self._number = free_port() % 20000 + 1000
        self._changed = threading.Condition()
        self._server = socket.create_server((LOOPBACK, 0))
        self._hardware = None
        self._process = None
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.start()

    @property
    def host(self):
        """What BrlAPI calls the host."""
        return f"{LOOPBACK}:{self._number}"

    @property
    def env(self):
        return {"BRLAPI_HOST": self.host, "BRLAPI_AUTH": "none"}

    @property
    def pid(self):
        return self._process.pid

    def start(self):
        port = self._server.getsockname()[1]
        folder = self._folder
        self._process = subprocess.Popen(
            [
                "brltty", "-n", "-e", "-q", "-Z", "-l", "error", "-f", "/dev/null", "-P", folder / "pid",
                "-U", folder, "-W", folder, "-F", folder / "prefs", "-b", "vr", "-d", f"client:{LOOPBACK}:{port}",
                "-x", "no", "-s", "no", "-t", "en-nabcc", "-c", "none", "-k", "off",
                "-A", f"auth=none,host={self.host}",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._await_api()

    def _await_api(self):
        """BrlAPI listens about a second after the start."""
        for _ in range(200):
            try:
                socket.create_connection((LOOPBACK, _API_BASE + self._number), timeout=1).close()
            except OSError:
                threading.Event().wait(0.05)
            else:
                return
        pytest.fail("brltty did not open its port")

    def kill(self, sign=signal.SIGKILL):
        self._process.send_signal(sign)
        if sign == signal.SIGKILL:
            self._process.wait()
            with self._changed:
                self.cells = ()

    def press(self, key):
        """Press a key of the display, such as "FWINRT" or "ROUTE 5"."""
        with self._changed:
            self._hardware.sendall(f"{key}\n".encode())

    def wait_for(self, wanted, timeout=10):
        """Wait until the display shows cells for which `wanted` holds (or exactly those cells)."""
        fits = wanted if callable(wanted) else lambda cells: cells == tuple(wanted)
        with self._changed:
            if not self._changed.wait_for(lambda: fits(self.cells), timeout):
                pytest.fail(f"the display still shows {self.text!r}")
            return self.cells

    @property
    def text(self):
        """What the display shows as Unicode Braille."""
        return "".join(chr(0x2800 + cell) for cell in self.cells)

    def close(self):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._server.close()
        if self._hardware:
            self._hardware.close()
        self._thread.join(5)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _serve(self):
        while True:
            try:
                self._hardware, _ = self._server.accept()
            except OSError:
                return
            size = f"{self.columns} {self.rows}" if self.rows > 1 else f"{self.columns}"
            try:
                self._hardware.sendall(f"Cells {size}\n".encode())
                with self._hardware.makefile("r", encoding="utf-8", errors="replace") as lines:
                    for line in lines:
                        self._take(line)
            except OSError:
                continue

    def _take(self, line):
        if line.startswith("Braille "):
            dots = line.strip()[len('Braille "') : -1].split("|")
            with self._changed:
                self.cells = tuple(map(dots_to_cell, dots))
                self._changed.notify_all()


needs_brltty = pytest.mark.skipif(
    not shutil.which("brltty") or os.name != "posix", reason="brltty is not installed"
)
