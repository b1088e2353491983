# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake server, accounts at it, and a lobby whose reports are waited for."""

import pytest
from support.lichess import FakeLichess
from support.online import SOON, Reports

from acessivel.online.lobby import Lobby


@pytest.fixture
def lichess():
    with FakeLichess(heartbeat_s=0.2) as fake:
        yield fake


@pytest.fixture
def enter(lichess):
    """Let somebody into the lobby: `enter("Ana")` gives the lobby and its reports."""
    opened = []

    def into(name, server=None, delays=SOON, **more):
        reports = Reports()
        lobby = Lobby(server or lichess.url, lichess.token(name, **more), reports, delays)
        opened.append(lobby)
        return lobby, reports

    yield into
    for lobby in opened:
        lobby.close()
