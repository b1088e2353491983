# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the cursor stands on the board, and what a key asks or orders there."""

from __future__ import annotations

from acessivel.devices.keys import CLOCKS, NEXT_ALIKE, PIECE_ACTIONS, orders
from acessivel.dialogue.questions import NOTHING, Asking
from acessivel.message import Message
from acessivel.queries import exploration
from acessivel.queries.exploration import STEPS, TELLING
from acessivel.session.events import Event, Explored, Ordered, Returned, SquarePointed
from acessivel.session.state import State
from voices.meaning import CommandName, Place


class BoardCursor:
    """The square that is being explored, until the user says, does or points at something else."""

    def __init__(self) -> None:
        self._square: Place | None = None
        self._exploring = False
        # What was asked, and what was left to tell, at its last step.
        self._known: tuple[Asking, tuple[Message, ...]] = (NOTHING, ())

    @property
    def square(self) -> str | None:
        """The square under the cursor while the board is being explored."""
        return str(self._square) if self._exploring else None

    def act(self, action: str | None, state: State) -> Event | None:
        """What an action asks or orders; None if it is not about the board cursor."""
        if action is None:
            return None
        if action in STEPS or action == NEXT_ALIKE:
            return self._go(action, state)
        if action in TELLING:
            return self._ask(action, state)
        if action in PIECE_ACTIONS:
            return Ordered(command=CommandName.PIECES, piece=PIECE_ACTIONS[action])
        if action in CLOCKS:
            return Ordered(command=CommandName.CLOCK, colour=CLOCKS[action])
        if order := orders().get(action):
            square = str(self._here(state)) if order.name is CommandName.TOUCHED else ""
            return Ordered(command=order.name, square=square, choice=order.choice)
        if self._exploring and action in ("send", "cancel") and not self._is_overtaken(action, state):
            here, self._exploring = self._here(state), False
            return SquarePointed(square=str(here)) if action == "send" else Returned()
        if action == "send" and state.told.rest and state.asking == NOTHING:
            return Ordered(command=CommandName.MORE)
        return None

    def follow(self, event: Event) -> None:
        """Follow what the user does in another way: to a square that is pointed at, else off the board."""
        match event:
            case SquarePointed(square=square):
                self._square, self._exploring = Place(*square), False
            case Explored() | Ordered():
                pass
            case _:
                self._square, self._exploring = None, False

    def _is_overtaken(self, action: str, state: State) -> bool:
        """Whether a key is for what was asked, or Enter for what was begun to be told, since that step."""
        asked, rest = self._known
        if state.asking != NOTHING:
            return state.asking != asked
        return action == "send" and state.told.rest not in ((), rest)

    def _here(self, state: State) -> Place:
        return self._square or exploration.first_square(state.game, from_black=state.setup.from_black)

    def _ask(self, what: str, state: State) -> Event:
        self._square, self._exploring = self._here(state), True
        self._known = state.asking, state.told.rest
        return Explored(what=what, square=str(self._square))

    def _go(self, action: str, state: State) -> Event:
        here = self._here(state)
        if action == NEXT_ALIKE:
            self._square = exploration.next_alike(here, state.game.position)
            return self._ask("square", state)
        there = exploration.moved(here, action, from_black=state.setup.from_black)
        self._square = there or here
        return self._ask("square" if there else "edge", state)
