# SPDX-License-Identifier: GPL-3.0-or-later
"""What a session asks to be done about an event: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from acessivel.message import Message
from acessivel.session.events import Event
from voices.meaning import CommandName


@dataclass(frozen=True, slots=True)
class Say:
    """Tell these messages in order, as one announcement: to the room, or if `private` to one player alone.

    `unasked`: nobody waits for it, so it may be left out where nothing is private. `to`: the role whose page
    has asked for what is private; "" if a device of the program has.
    """

    messages: tuple[Message, ...] = field(default=())
    private: bool = False
    unasked: bool = False
    to: str = ""


@dataclass(frozen=True, slots=True)
class FlagFell:
    """Announce at once that a flag has fallen."""


@dataclass(frozen=True, slots=True)
class Again:
    """Apply an event once more, before any other: a fallen flag had to be noticed first."""

    event: Event


@dataclass(frozen=True, slots=True)
class Explain:
    """Tell what a command does, how it is said and which key has it; then put the open question again."""

    command: CommandName
    question: tuple[Message, ...] = ()
    choice: str = ""


@dataclass(frozen=True, slots=True)
class AskEngine:
    """Let the engine move in the position of the state."""


@dataclass(frozen=True, slots=True)
class AskEngineForDraw:
    """Ask the engine whether it accepts a draw."""


@dataclass(frozen=True, slots=True)
class AskEngineForAdvice:
    """Ask the engine what a practice command wants to know, about the position after `ply` half-moves."""

    about: str
    ply: int


JOIN = "join"  # a request of no player: the server does not let this one into the game

# What can be asked of a server about a game there.
ServerRequest = Literal[
    "move",
    "draw_yes",
    "draw_no",
    "takeback_yes",
    "takeback_no",
    "resign",
    "abort",
    "claim_victory",
    "claim_draw",
    "chat",
]


@dataclass(frozen=True, slots=True)
class AskServer:
    """Ask the server of a game for something; what it has done is seen by what it tells next.

    "draw_yes" offers or accepts a draw, "draw_no" declines it or withdraws the offer; so with the proposal to
    take a move back. `uci` is the move, `draw`: a draw is offered with it; `text` is written to the opponent.
    """

    request: ServerRequest
    uci: str = ""
    draw: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class SeekMate:
    """Find out thoroughly whether a side can still mate: what `State.mate.seeking` asks; all else waits."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Let the player to move seal his move, in private."""


@dataclass(frozen=True, slots=True)
class Unseal:
    """Open the envelope of an adjourned game, if the player who must answer is present."""


@dataclass(frozen=True, slots=True)
class Adopt:
    """Let the devices speak, tell, sound and listen as the state says now.

    `setting`, with its value, is kept for the next run as well; "" if it is for this run only.
    """

    setting: str = ""
    value: int | str = ""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Begin another game as it was agreed for this one, or with the colours `changed`."""

    changed: bool


@dataclass(frozen=True, slots=True)
class PlayOnline:
    """Go on with games at a server; this one stays in the journal."""


@dataclass(frozen=True, slots=True)
class OrderPages:
    """Do what a command says about the pages in a browser: about all, or that of a role.

    `by`: the role on whose page it was typed, "" for the devices of the program.
    """

    command: CommandName
    role: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program; the game stays in the journal."""


Effect = (
    Say
    | Explain
    | FlagFell
    | Again
    | AskEngine
    | AskEngineForDraw
    | AskEngineForAdvice
    | AskServer
    | SeekMate
    | Seal
    | Unseal
    | Adopt
    | PlayAgain
    | PlayOnline
    | OrderPages
    | Leave
)
