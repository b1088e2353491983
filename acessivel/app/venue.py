# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a game is played, and what goes with that: at this computer, at a table of a hall, or at a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from acessivel.app.lessons import Lessons
from acessivel.hall.outbox import Outbox
from acessivel.message import ToType
from acessivel.session.effects import AskServer

CommandAbout = Callable[[int], ToType | str]
"""What to type about the game with a number: to resume it later, or for its record."""


@dataclass(frozen=True, slots=True)
class AtComputer:
    """At this computer, by one player or two.

    `check_online` raises UserError where games at a server cannot follow; without it they never do.
    """

    resume_command: CommandAbout = str
    record_command: CommandAbout = str
    check_online: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class OnPracticeBoard:
    """On the practice board of the introduction, which is not resumed."""

    lessons: Lessons


@dataclass(frozen=True, slots=True)
class InHall:
    """At a table of a hall, which the outbox tells what happens."""

    outbox: Outbox
    resume_command: CommandAbout = str
    record_command: CommandAbout = str


@dataclass(frozen=True, slots=True)
class AtServer:
    """At a server, whose lobby follows; `ask` takes what it is asked for, and returns at once.

    With `one_move`, by correspondence, it is over as soon as the player's move stands there.
    """

    ask: Callable[[AskServer], None]
    resume_command: CommandAbout = str
    record_command: CommandAbout = str
    one_move: bool = False


Venue = AtComputer | OnPracticeBoard | InHall | AtServer
AT_COMPUTER = AtComputer()
