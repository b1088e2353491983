# SPDX-License-Identifier: GPL-3.0-or-later
"""The program called in this process, with an environment, streams and handlers of its own."""

import contextlib
import io
import locale
import logging
import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from acessivel import cli

NAME = str(Path(sys.executable).with_name("acessivel"))
_ROOMS = ("acessivel", "voices", "braille")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCONT)


def call(command, typed, env):
    """Its exit status and the bytes of its two outputs; `command` begins with the name of the program."""
    with contextlib.ExitStack() as stack:
        stdin, stdout, stderr = (stack.enter_context(stream()) for _ in range(3))
        stdin.buffer.write(typed)
        stdin.buffer.seek(0)
        code = called(command, env, stdin, stdout, stderr)
        return code, written(stdout), written(stderr)


def called(command, env, stdin, stdout, stderr):
    """Its exit status; in a thread beside the first it is told of no signals, as Python hears them in the first."""
    with contextlib.ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        for name in os.environ.keys() - env.keys():
            patch.delenv(name)
        for name, value in env.items():
            patch.setenv(name, value)
        if threading.current_thread() is not threading.main_thread():
            patch.setattr(signal, "signal", lambda *_: None)
        stack.enter_context(_handlers())
        patch.setattr(sys, "argv", command)
        for name, value in {"stdin": stdin, "stdout": stdout, "stderr": stderr}.items():
            patch.setattr(sys, name, value)
        code = _status(command[1:])
        if any(Path(env["HOME"]).rglob("*.toml")):
            _forget()
        return code


def stream():
    """A file, as some code asks for its number."""
    return io.TextIOWrapper(tempfile.TemporaryFile(), "utf-8", "surrogateescape")


def written(file):
    file.flush()
    file.buffer.seek(0)
    return file.buffer.read()


def _status(arguments):
    try:
        return cli.main(arguments)
    except SystemExit as ended:
        return ended.code or 0


@contextlib.contextmanager
def _handlers():
    """As a process begins, and afterwards as it was: the locale, signals, and where errors are written to."""
    ctype, signals = locale.setlocale(locale.LC_CTYPE), {name: signal.getsignal(name) for name in _SIGNALS}
    log = logging.getLogger()
    handlers, level, raises = log.handlers[:], log.level, logging.raiseExceptions
    log.handlers.clear()
    locale.setlocale(locale.LC_CTYPE, "")
    try:
        yield
    finally:
        locale.setlocale(locale.LC_CTYPE, ctype)
        for name, handler in signals.items():
            signal.signal(name, handler)
        for handler in log.handlers:
            handler.close()
        log.handlers[:], logging.raiseExceptions = handlers, raises
        log.setLevel(level)


def _forget():
    """What has been read of the files of a home, which another run may find changed."""
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] in _ROOMS:
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
