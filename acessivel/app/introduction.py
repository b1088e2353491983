# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether to offer the introduction, and its run: a game of its own in a temporary folder."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

from acessivel.app import consent
from acessivel.app.game import GameActivity
from acessivel.app.lessons import Lessons, Replies, board
from acessivel.app.loop import Loop
from acessivel.app.venue import OnPracticeBoard
from acessivel.game.game import Setup
from acessivel.settings.settings import Settings, file_path
from acessivel.storage.journal import Journal

_MARKER = "introduced"


def wanted(settings: Settings, setup: Setup) -> bool:
    """Whether to introduce before a game: if so set, or once, at a terminal: a pipe or a file is a script.

    Players who begin with drills, sit at a real board, or play in a hall have not come to be taught.
    """
    if settings.introduction != "auto":
        return settings.introduction == "on"
    elsewhere = setup.practice or setup.two_boards or settings.hall
    return sys.stdin.isatty() and not elsewhere and not _marker().exists()


def _marker() -> Path:
    """The file beside the settings that records that the introduction has been given."""
    return file_path().parent / _MARKER


def introduce(settings: Settings, loop: Loop) -> bool:
    """Teach until all is done or the player leaves; returns whether a game can follow, as of `Loop.run`.

    It is not offered again by itself, however it ends. Raises JournalError if its game cannot be stored.
    """
    devices = loop.devices
    own, recorder = devices.opponent, devices.recorder
    devices.opponent, devices.recorder = Replies(loop.report), None
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder))
        try:
            practice = board(settings.language, settings.convention)
            stored = journal.begin(practice, "")
            lessons = Lessons(routing="display" in devices.inputs, listed=devices.list_follows)
            venue = OnPracticeBoard(lessons)
            goes_on = loop.run(GameActivity(stored, journal, devices, loop.report, venue))
            if goes_on and "microphone" in devices.inputs and consent.wanted(settings):
                goes_on = consent.ask(settings, loop, "lessons") is not None
        finally:
            journal.close()
            devices.opponent, devices.recorder = own, recorder
    with contextlib.suppress(OSError):  # then it is offered once more
        _marker().parent.mkdir(parents=True, exist_ok=True)
        _marker().touch()
    return goes_on
