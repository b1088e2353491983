# SPDX-License-Identifier: GPL-3.0-or-later
"""A real screen reader: Orca on a screen of its own, whose speech is written down instead of spoken."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

SECONDS = 40  # before a test gives up: a reader is slow on a busy machine
PROGRAMS = ("Xvfb", "dbus-daemon", "speech-dispatcher", "orca", "xdotool", "chromium")
# A module of Speech Dispatcher that speaks at once, into a file. It runs with whatever Python is there.
_MODULE = r"""#!{python}
import re, sys

def out(*lines):
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()

def body():
    found = []
    while (line := sys.stdin.readline()) and line.rstrip("\n") != ".":
        found.append(line.rstrip("\n"))
    return "\n".join(found)

SETTING = {{
    "SET": ("203 OK RECEIVING SETTINGS", "203 OK SETTINGS RECEIVED"),
    "AUDIO": ("207 OK RECEIVING AUDIO SETTINGS", "203 OK AUDIO INITIALIZED"),
    "LOGLEVEL": ("207 OK RECEIVING LOGLEVEL SETTINGS", "203 OK LOG LEVEL SET"),
}}
while line := sys.stdin.readline():
    command = line.strip()
    if command == "INIT":
        out("299-textlog: ready", "299 OK LOADED SUCCESSFULLY")
    elif command in ("SPEAK", "CHAR", "KEY", "SOUND_ICON"):
        out("202 OK RECEIVING MESSAGE")
        text = re.sub(r"<[^>]+>", "", body()).strip()
        with open("{log}", "a") as log:
            log.write(" ".join(text.split()) + "\n")
        out("200 OK SPEAKING", "701 BEGIN", "702 END")
    elif command == "LIST VOICES":
        out("200-textlog\ten\tnone", "200 OK VOICE LIST SENT")
    elif command in SETTING:
        out(SETTING[command][0])
        body()
        out(SETTING[command][1])
    elif command == "QUIT":
        out("210 OK QUIT")
        break
    elif command.startswith("DEBUG"):
        out("200 OK DEBUGGING")
    elif command not in ("STOP", "PAUSE"):
        out("300 ERR UNKNOWN COMMAND")
"""
_SPEECHD = """\
LogDir "default"
DefaultModule textlog
DefaultLanguage "en"
AddModule "textlog" "{module}" ""
"""
_PROFILE = {
    "profile": ["Default", "default"],
    "sayAllOnLoad": False,
    "pageSummaryOnLoad": False,
    "pronunciations": {},
    "keybindings": {},
}
_ORCA = {"general": {}, "profiles": {"default": _PROFILE}, "pronunciations": {}, "keybindings": {}}


class ScreenReader:
    """Orca, with Chromium's page beside it; `keys` are pressed on the screen's own keyboard."""

    def __init__(self, folder, link):
        missing = [program for program in PROGRAMS if shutil.which(program) is None]
        if missing:
            pytest.skip(f"{', '.join(missing)}: not installed, system-packages.txt names them")
        pytest.importorskip("playwright", reason="Playwright is not installed")
        self._folder, self._ended = Path(folder), contextlib.ExitStack()
        self.log = self._folder / "speech.log"
        self._heard = 0
        try:
            self._begin(link)
        except BaseException:
            self.close()
            raise

    def _begin(self, link):
        self._files()
        self._screen()
        self._bus()
        socket = self._folder / "run/speechd.sock"
        self._start(
            "speech-dispatcher", "-s", "-t", "0", "-C", self._folder / "conf", "-c", "unix_socket", "-S", socket,
            "-L", self._folder / "log", "-P", self._folder / "run/speechd.pid",
        )  # fmt: skip
        _until(socket.exists)
        self.env["SPEECHD_ADDRESS"] = f"unix_socket:{socket}"
        self._start("orca")
        self.heard("Screen reader on")
        self._browser(link)

    def _files(self):
        for name in ("home/.local/share/orca", "run", "conf", "log", "browser", "alone"):
            (self._folder / name).mkdir(parents=True, mode=0o700)
        module = self._folder / "textlog"
        module.write_text(_MODULE.format(python=sys.executable, log=self.log))
        module.chmod(0o700)
        # Orca looks for others of its user by `pgrep`, and ends them or itself: a developer's, another test's.
        alone = self._folder / "alone/pgrep"
        alone.write_text("#!/bin/sh\nexit 1\n")
        alone.chmod(0o700)
        (self._folder / "conf/speechd.conf").write_text(_SPEECHD.format(module=module))
        (self._folder / "home/.local/share/orca/user-settings.conf").write_text(json.dumps(_ORCA))
        self.log.touch()
        own = {"DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SPEECHD_ADDRESS", "AT_SPI_BUS_ADDRESS"}
        self.env = {name: value for name, value in os.environ.items() if name not in own} | {
            "HOME": str(self._folder / "home"),
            "PATH": f"{alone.parent}{os.pathsep}{os.environ['PATH']}",
            "XDG_RUNTIME_DIR": str(self._folder / "run"),
            "XDG_CONFIG_HOME": str(self._folder / "home/.config"),
            "LC_ALL": "C.UTF-8",
        }

    def _screen(self):
        read, write = os.pipe()
        self._start(
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            "1280x900x24",
            "-nolisten",
            "tcp",
            pass_fds=(write,),
        )
        os.close(write)
        with os.fdopen(read) as number:
            self.env["DISPLAY"] = f":{number.readline().strip()}"

    def _bus(self):
        bus = self._start(
            "dbus-daemon", "--session", "--nofork", "--print-address=1", stdout=subprocess.PIPE, text=True
        )
        self._ended.callback(bus.stdout.close)
        self.env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()

    def _browser(self, link):
        from playwright.sync_api import Error, sync_playwright

        chromium = self._ended.enter_context(sync_playwright()).chromium
        try:
            context = self._window(chromium, link)
        except Error:  # it has hung as it started, nobody knows why
            context = self._window(chromium, link)
        self._ended.callback(context.close)
        self.page = context.pages[0]
        self.page.wait_for_selector("#game:not([hidden])")

    def _window(self, chromium, link):
        """A window without an address bar. Raises Playwright's Error if it does not open."""
        return chromium.launch_persistent_context(
            self._folder / "browser",
            executable_path=shutil.which("chromium"),
            headless=False,
            no_viewport=True,
            timeout=SECONDS * 1000,
            env=self.env,
            args=["--force-renderer-accessibility", f"--app={link}"],
        )

    def _start(self, *command, **how):
        """Start a program that ends with the reader."""
        how = {"stdout": subprocess.DEVNULL} | how
        process = subprocess.Popen([*map(str, command)], env=self.env, stderr=subprocess.DEVNULL, **how)

        def end():
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self._ended.callback(end)
        return process

    def keys(self, *names):
        """Press keys by their names in X: "Right", "Tab", "e"."""
        for name in names:
            subprocess.run(
                ["xdotool", "key", name], env=self.env, check=True, capture_output=True, timeout=SECONDS
            )

    def heard(self, *parts):
        """Wait until all of these are spoken, in this order, after what was heard before; everything since."""
        since, spoken = self._heard, []

        def found():
            spoken[:] = self.log.read_text("utf-8").splitlines()
            at = since
            for part in parts:
                at = next((count + 1 for count in range(at, len(spoken)) if part in spoken[count]), 0)
                if not at:
                    return False
            self._heard = at
            return True

        _until(found, lambda: f"{parts} in {spoken[since:]}")
        return spoken[since : self._heard]

    def close(self):
        self._ended.close()


def _until(done, why=lambda: ""):
    """Wait for a program of others, which tells nobody when it is ready."""
    ends = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < ends, why()
        time.sleep(0.02)
