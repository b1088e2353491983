# SPDX-License-Identifier: GPL-3.0-or-later
"""Each activity that there is, made for the real loop."""

import contextlib
from collections import deque
from random import Random

import numpy as np
import pytest
import soundfile

from acessivel.app.consent import LEARNING, ConsentActivity
from acessivel.app.demo import DemoActivity
from acessivel.app.desk import DeskActivity
from acessivel.app.drill import DrillActivity
from acessivel.app.enrolment import EnrolmentActivity
from acessivel.app.game import GameActivity
from acessivel.app.lessons import Lessons, Replies, board
from acessivel.app.online_lobby import OnlineLobby
from acessivel.app.online_reception import OnlineReception
from acessivel.app.replay import ReplayActivity
from acessivel.app.server_access import ServerAccess
from acessivel.app.start_menu import FIRST, StartEntry, StartMenu
from acessivel.app.tell import TellingActivity
from acessivel.app.venue import AtComputer, OnPracticeBoard
from acessivel.app.watch import WatchActivity
from acessivel.drills import colours
from acessivel.drills.round import Round
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.online.reports import Watched
from acessivel.online.terms import Terms
from acessivel.records.pgn_files import Recorded
from acessivel.records.replayed_game import Replay
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal

LANGUAGES = ("pt", "en", "de", "es")


class Lines:
    """A keyboard that counts how many lines may be read on."""

    typing = False

    def __init__(self):
        self.permits = 1

    def proceed(self, *, busy):
        self.permits += not busy
        return not busy

    def write(self, line):
        pass

    def hide(self, *, hidden):  # noqa: ARG002 - the protocol of a keyboard
        return True

    def close(self):
        pass


def stored(journal, setup):
    return journal.begin(setup, "2026-01-01T00:00:00")


def game(folder, language):
    journal, setup = Journal(folder), Setup.of(language=language)
    return lambda loop: GameActivity(
        stored(journal, setup),
        journal,
        loop.devices,
        loop.report,
        AtComputer("acessivel resume {}".format),
    )


def lessons(folder, language):
    journal, setup = Journal(folder), board(language, "fide")

    def make(loop):
        loop.devices.opponent = Replies(loop.report)
        venue = OnPracticeBoard(Lessons(routing=True))
        return GameActivity(stored(journal, setup), journal, loop.devices, loop.report, venue)

    return make


def drill(_, language):
    round_ = Round(colours.questions(Random(1)), 10)  # noqa: S311
    return lambda loop: DrillActivity(
        round_, loop.devices, (language, "fide"), lambda: (Message.of("drill_right"),)
    )


def replay(_, language):
    moves = [Recorded("", 0), Recorded("e2e4", 0), Recorded("e7e5", 1)]
    return lambda _: ReplayActivity(Replay.of(Setup.of(language=language), moves), (language, "fide"))


def enrolment(folder, language):
    pytest.importorskip("pocketsphinx")
    recording = folder / "silence.wav"
    soundfile.write(recording, np.zeros(16_000 * 5, dtype="float32"), 16_000)
    settings = Settings(language=language, microphone=str(recording))
    return lambda loop: EnrolmentActivity(settings, loop.devices, loop.report, lambda *_: ())


def telling(_, language):
    return lambda _: TellingActivity((Message.of("drill_how"),), (language, "fide"), waits=True)


def demo(folder, language):
    make = game(folder, language)
    return lambda loop: DemoActivity(make(loop), None, folder / "utterance.wav", contextlib.nullcontext)


def desk(_, language):
    return lambda loop: DeskActivity("Eva", (language, "fide"), loop.devices, lambda _: None)


def reception():
    """That of somebody who is not logged in, so that no server is asked."""
    return OnlineReception(ServerAccess("https://lichess.org", lambda _: None, "en"))


def lobby(_, language):
    return lambda loop: OnlineLobby(
        reception(), loop.devices, (language, "fide"), Terms(), deque(), lambda: ()
    )


def watch(_, language):
    watched = Watched("1", "Ana", "Rui", moves=("e2e4", "e7e5"))
    return lambda _: WatchActivity(reception(), deque(), watched, (language, "fide"))


def start(_, language):
    lists = {FIRST: (StartEntry(Message.of("drill_how")),)}
    return lambda _: StartMenu(lists, (language, "fide"), lambda _: None)


def consent(_, language):
    return lambda _: ConsentActivity(LEARNING, (language, "fide"), "lessons")


ACTIVITIES = (
    game, lessons, drill, replay, enrolment, telling, demo, desk, lobby, watch, start, consent
)  # fmt: skip
each = pytest.mark.parametrize("make", ACTIVITIES, ids=lambda make: make.__name__)
in_each_language = pytest.mark.parametrize("language", LANGUAGES)
