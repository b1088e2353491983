# SPDX-License-Identifier: GPL-3.0-or-later
"""What can happen to a session, and what it can want done: frozen values, the events also as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from acessivel.message import Message
from voices.meaning import CommandName


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened; `at` is in ms on a clock that only goes forward."""

    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """A new game begins; `confirm` is what may say yes in this run: "any" words, or a "key" only."""

    confirm: str = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """A game goes on in a new run of the program, whose clock began anew; `confirm` as in `Started`."""

    confirm: str = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Event):
    """An utterance, spoken or typed: what it may have been, most probable first; empty when unknown.

    Not `sure` when the first is hardly more probable than the next. `spoken` ones come from the microphone,
    and `early` ones began before what was told had been told to its end.
    """

    words: tuple[str, ...]
    sure: bool = True
    spoken: bool = False
    early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SquarePointed(Event):
    """A routing key was pressed over a square such as "e4"."""

    square: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered(Event):
    """A command was given by a key, with the piece (English letter), square or colour that it is about.

    `choice`: the language or the convention that it chooses.
    """

    command: str
    piece: str = ""
    square: str = ""
    colour: str = ""
    choice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored(Event):
    """The fingers are on a square such as "e4"; `what` is to be told about it, as of `exploration.told`."""

    what: str
    square: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Event):
    """The fingers are done with the board: the open question is put again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineMoved(Event):
    """The engine's move, in UCI; `plies`: how many moves had been made when it was asked (None: unknown)."""

    uci: str
    plies: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineAnswered(Event):
    """The engine's answer to a draw offer."""

    accepts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFailed(Event):
    """The engine ended or did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineJudged(Event):
    """What the engine thinks of the position after `ply` half-moves; `about`: the command that asked for it.

    `cp`: centipawns that White is ahead; `mate`: moves to a mate, negative by Black, 0 for none; `line`: UCI.
    """

    about: str
    ply: int
    cp: int = 0
    mate: int = 0
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineCompared(Event):
    """What the engine thinks of the positions before (with the best line) and after the half-move `ply`.

    The values are as of `EngineJudged`.
    """

    ply: int
    best_cp: int = 0
    best_mate: int = 0
    best: tuple[str, ...] = ()
    cp: int = 0
    mate: int = 0
    reply: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechEnded(Event):
    """What was being said has been said, or was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Event):
    """Time has passed: a flag may have fallen.

    `quiet`: nothing is being said, heard or typed, so the clock may speak up.
    """

    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjourned(Event):
    """The next move is sealed: in which file, when (ISO 8601, local), where and by whom it goes on.

    `session_ms`: how long the session would still have lasted. `reply`: it is the answer to a sealed move
    whose player is not there yet.
    """

    envelope: str
    when: str
    where: str
    white: str
    black: str
    session_ms: int = 0
    reply: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited(Event):
    """The game goes on, but the player who must answer the sealed move is not there: his time runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Event):
    """The player who was awaited is there: his time stops until the envelope is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsealed(Event):
    """The envelope is open: the move as it was written, or `lost` with its envelope.

    `late`: the colour that came `late_ms` after the game was to go on, "" when nobody did. `away`: who sealed
    it is not there.
    """

    sealed: str = ""
    lost: bool = False
    late: str = ""
    late_ms: int = 0
    away: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceNews(Event):
    """A device was lost or came back: the key of the sentence that says so."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mannered(Event):
    """How this run speaks, tells, sounds and listens: percent, and names, as of `preferences.Manners`."""

    rate: int
    pitch: int
    volume: int
    verbosity: str
    earcons: tuple[str, ...]
    talk: str


EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        Started,
        Resumed,
        Heard,
        SquarePointed,
        Ordered,
        Explored,
        Returned,
        EngineMoved,
        EngineAnswered,
        EngineFailed,
        EngineJudged,
        EngineCompared,
        SpeechEnded,
        Tick,
        Adjourned,
        Awaited,
        Arrived,
        Unsealed,
        DeviceNews,
        Mannered,
    )
}


def to_json(event: Event) -> str:
    """One event as a JSON object with its kind."""
    return json.dumps({"event": type(event).__name__, **asdict(event)}, ensure_ascii=False)


def from_json(text: str) -> Event:
    """The event of `to_json`; ValueError when it is none."""
    data = json.loads(text)
    try:
        kind = EVENTS[data.pop("event")]
        known = {f.name for f in fields(kind)}
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        event = kind(**{name: value for name, value in values.items() if name in known})
        return _with_choice(event) if isinstance(event, Ordered) else event
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not an event: {text[:80]}") from error


def _with_choice(event: Ordered) -> Ordered:
    """An order as journals of the first versions have it, where each choice was a command: "language_pt"."""
    command, _, choice = event.command.partition("_")
    chooses = choice and command in (CommandName.LANGUAGE, CommandName.CONVENTION)
    return replace(event, command=command, choice=choice) if chooses else event


@dataclass(frozen=True, slots=True)
class Say:
    """Tell these messages, in this order, as one announcement: the room, or if `private` one player alone.

    `unasked`: nobody waits for it, so that it is not missed where nothing is private.
    """

    messages: tuple[Message, ...] = field(default=())
    private: bool = False
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class FlagFell:
    """Let it be felt at once that a flag has fallen."""


@dataclass(frozen=True, slots=True)
class Again:
    """Let an event happen once more, before any other: something had to be felt first."""

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
    """Ask the engine what a command of practice wants to know, about the position after `ply` half-moves."""

    about: str
    ply: int


@dataclass(frozen=True, slots=True)
class Seal:
    """Let the player to move seal his move, in private."""


@dataclass(frozen=True, slots=True)
class Unseal:
    """Open the envelope of an adjourned game, when the player who must answer is there."""


@dataclass(frozen=True, slots=True)
class Adopt:
    """Let the devices speak, tell, sound and listen as the state says now.

    `setting`, with its value, is what the next run is to have as well; "" when it is for this run only.
    """

    setting: str = ""
    value: int | str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program; the game is kept."""


Effect = (
    Say
    | Explain
    | FlagFell
    | Again
    | AskEngine
    | AskEngineForDraw
    | AskEngineForAdvice
    | Seal
    | Unseal
    | Adopt
    | Leave
)
