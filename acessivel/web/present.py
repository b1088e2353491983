# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to show on the pages, whoever looks at it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from acessivel.message import Message, Messages
from acessivel.messages.rendering import Renderer
from acessivel.session.state import State
from acessivel.storage.stored_game import Stored
from acessivel.web.hall_view import HallShown

# The games of a hall as they go on, for who has a state of them by its ETag: status, headers, body.
Live = Callable[[str], tuple[int, Mapping[str, str], bytes]]


@dataclass(frozen=True, slots=True)
class TalkShown:
    """What is asked in a conversation that takes lines in place of the game, as about a sealed move.

    `to`: the role on whose page it is held, or those whose may hold it; "" for the program's own devices.
    `gives_up`: what an empty line does, and `by_enter` where the question says so. `resigns`: the colour that
    is asked whether it does, on its own page too. `beside`: the roles whom the game itself asks meanwhile.
    """

    question: Messages
    to: Collection[str]
    gives_up: Message
    yes_or_no: bool
    by_enter: bool
    resigns: str = ""
    beside: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Present:
    """What there is to show: the activity, its words, what it asks, and its state if it has a board.

    `sequence` is the number of the journal's last event, and `now` tells the time on the activity's clock.
    `hidden`: what is typed is not to be seen. `started`: when the game began (ISO 8601).
    `choices`: messages that can be chosen, with what is typed for each. `stored`: a game of the journal whose
    record is wanted. `hall`: the tables of a hall, instead of a game. `yes_or_no`: these answer what is asked
    outside of a game. `talk`: the conversation that takes lines in place of the game. `clocks_stand`: no
    clock runs now, whatever the state says.
    """

    kind: str
    renderer: Renderer
    pending: tuple[Message, ...] = ()
    state: State | None = None
    sequence: int = 0
    now: Callable[[], int] = int
    hidden: bool = False
    started: str = ""
    choices: Mapping[Message, str] = field(default_factory=dict)
    stored: Stored | None = None
    hall: HallShown | None = None
    yes_or_no: bool = False
    talk: TalkShown | None = None
    clocks_stand: bool = False

    @property
    def played(self) -> State | None:
        """The state, if it is that of a game that is played."""
        return self.state if self.kind in ("game", "lessons") else None

    @property
    def recorded(self) -> Stored | None:
        """The game whose record can be downloaded: the one that is played, or the one that is wanted."""
        if state := self.played:
            return Stored(0, self.started, state, self.sequence)
        return self.stored
