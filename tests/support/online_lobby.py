# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby in the real loop, with devices that are played, at a fake server."""

from collections import deque

from acessivel.app.online_lobby import LobbyNews, OnlineLobby
from acessivel.app.online_reception import OnlineReception
from acessivel.app.server_access import ServerAccess
from acessivel.devices.keyboard import TypedLine
from acessivel.online import credentials
from acessivel.online.terms import Terms
from support.online import SOON
from support.played_devices import Table
from voices.hearing.utterances import Utterance
from voices.recognisers import Hypothesis


class LobbyTable(Table):
    """A lobby of somebody who is logged in, or of nobody; `opponents`: whom he has played."""

    def __init__(self, lichess, name="", language="en", opponents=(), **devices):
        if name:
            credentials.keep(lichess.url, lichess.token(name))
        self.reported = deque()
        self.lichess, self.opponents = lichess, opponents
        super().__init__(self._lobby, language, **devices)
        self.settle()

    def _lobby(self, loop):
        def report(value):
            self.reported.append(value)
            loop.report(LobbyNews())

        self.access = ServerAccess(self.lichess.url, report, "en", SOON)
        self.reception = OnlineReception(self.access)
        return OnlineLobby(
            self.reception,
            loop.devices,
            ("en", "letters"),
            Terms(),
            self.reported,
            lambda: self.opponents,
        )

    def until(self, text):
        """Deal with what is reported until a line has this text; the line."""
        seen = 0
        while True:
            found = next((line for line in self.lines[seen:] if text in line), None)
            if found:
                del self.lines[: self.lines.index(found) + 1]
                return found
            seen = len(self.lines)
            self.loop.take(self.reports.get(timeout=15))

    def ends(self):
        """Deal with what is reported until the lobby is over."""
        while not self.activity.over:
            self.loop.take(self.reports.get(timeout=15))

    def type(self, text):
        """Type a line; what is said to it."""
        return self.happen(TypedLine(text))

    def say(self, words, *, early=False):
        """Say something when everything has been spoken, or too `early`; what is said to it."""
        while self.speaks and not early:
            self.spoken()
        turn, self.ear.turn = self.ear.turn, None
        assert turn is not None, "nobody listens"
        both = (Hypothesis(words, "expected", 0.0), Hypothesis(words, "all", 0.0, "network"))
        return self.happen(Utterance(both, 0.0, turn))

    def choose(self, text):
        """Type the number of the line with this text in the list that was told last."""
        number = next(
            n for n, line in self.activity.lines.items() if text in self.loop._channels._renderer.text(line)
        )
        return self.type(str(number))

    def close(self):
        self.access.close()
