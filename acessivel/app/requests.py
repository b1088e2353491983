# SPDX-License-Identifier: GPL-3.0-or-later
"""What a game asks of its opponent, at a server or on this computer, and of a search: answers are events."""

from __future__ import annotations

import threading
from collections.abc import Callable

from acessivel.app.venue import AtServer, Venue
from acessivel.devices.devices import Devices
from acessivel.session import effects as ef
from acessivel.session import events as ev
from acessivel.session.state import State

Request = ef.AskServer | ef.AskEngine | ef.AskEngineForDraw | ef.AskEngineForAdvice
_FROM_ENGINE = (ev.EngineMoved, ev.EngineFailed, ev.EngineJudged, ev.EngineCompared)


class Requests:
    """Asks; `report` takes the answers."""

    def __init__(self, devices: Devices, venue: Venue, report: Callable[[object], None]) -> None:
        self._devices, self._venue, self._report = devices, venue, report
        self.thinking = False  # the engine, about a move or an advice

    def ask(self, request: Request, state: State, now_ms: int) -> None:
        """Ask the opponent of this game; without an engine it has no answer."""
        match request, self._devices.opponent:
            case ef.AskServer(), _:
                if isinstance(self._venue, AtServer):
                    self._venue.ask(request)
            case ef.AskEngine() | ef.AskEngineForAdvice(), None:
                self._report(ev.EngineFailed())
            case _, None:
                self._report(ev.EngineAnswered(accepts=False))
            case ef.AskEngine(), opponent:
                self.thinking = True
                opponent.ask_move(state.game, now_ms)
            case ef.AskEngineForAdvice(about, ply), opponent:
                self.thinking = True
                opponent.ask_advice(state.game, about, ply)
            case _, opponent:
                opponent.ask_draw(state.game, engine_colour(state))

    def answered(self, event: ev.Event) -> None:
        """Something was reported, perhaps by the engine."""
        self.thinking = self.thinking and not isinstance(event, _FROM_ENGINE)

    def seek_mate(self, state: State) -> None:
        """Search in a thread: what is being told goes on meanwhile."""
        if sought := state.mate.seeking:

            def seek() -> None:
                answer = sought.position.can_mate(sought.colour, thoroughly=True)
                self._report(ev.MateSought(answer=answer))

            threading.Thread(target=seek, name="mate", daemon=True).start()


def engine_colour(state: State) -> str:
    """The side that the engine plays; only in a game against it."""
    return next(colour for colour in ("white", "black") if colour not in state.setup.persons)
