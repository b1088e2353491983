# SPDX-License-Identifier: GPL-3.0-or-later
"""What can happen to a session: frozen values, also as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from voices.meaning import Command, CommandName, Piece, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened; `at` is in ms on a clock that never goes back."""

    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Event):
    """A new game begins; `confirm` is what may say yes in this run: "any" words, or a "key" only.

    `brief`: nobody is heard before what is told first is over. `hall`: arbiters follow the game from
    elsewhere, and can be called.
    """

    confirm: str = "any"
    brief: bool = False
    hall: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """A game continues in a new run of the program, whose clock starts afresh; the rest as in `Started`."""

    confirm: str = "any"
    hall: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(Event):
    """An utterance, spoken or typed: its possible readings, most probable first; empty if unknown.

    Not `sure` if the first is hardly more probable than the next; `doubted`: it is a legal move, but not
    sure enough, or perhaps one that is not legal was announced. `spoken` ones come from the microphone, and
    `early` ones began before the open question had been heard to its end. `key`: a key such as Enter stands
    for the words. `again`: neither it nor the one before was understood alone, and the readings are those of
    both. `beside`: what else the ears may have taken for what was spoken, too improbable to be offered, and
    what sounds like it, most likely first; empty in the first journals. `by`: the role on whose page it
    was typed ("white", "arbiter"); "" for the devices of the program. `faced`: it is a player's page, and the
    other player has one too.
    """

    words: tuple[str, ...]
    sure: bool = True
    spoken: bool = False
    early: bool = False
    key: bool = False
    again: bool = False
    beside: tuple[str, ...] = ()
    by: str = ""
    doubted: bool = False
    faced: bool = False


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

    @property
    def meaning(self) -> Command:
        """The command with what it is about."""
        piece = Piece(self.piece) if self.piece else None
        name, place = CommandName(self.command), Place(*self.square)
        return Command(name, piece, place, self.colour, choice=self.choice)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored(Event):
    """The board cursor is on a square such as "e4"; `what` to tell about it, as of `exploration.told`."""

    what: str
    square: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Event):
    """The board cursor leaves the board: the open question is put again."""


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
    """The engine's judgement of the position after `ply` half-moves; `about`: the command that asked for it.

    `cp`: centipawns that White is ahead; `mate`: moves to a mate, negative by Black, 0 for none; `line`: UCI.
    """

    about: str
    ply: int
    cp: int = 0
    mate: int = 0
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineCompared(Event):
    """The engine's judgement of the positions before (with the best line) and after the half-move `ply`.

    The values are as in `EngineJudged`.
    """

    ply: int
    best_cp: int = 0
    best_mate: int = 0
    best: tuple[str, ...] = ()
    cp: int = 0
    mate: int = 0
    reply: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTold(Event):
    """How a game at a server stands: everything, so that the same told twice changes nothing.

    `moves` in UCI from the beginning, castling in either notation; what each side has left, -1 if it has no
    clock; `status` and `winner` (a colour) in the server's words; whose offer of a `draw` and whose proposal
    of a `takeback` stands, "" if none does; within how many ms the side to move must make its first move, 0
    if that is not limited. `fresh`: the connection was made anew, and no request from before is on its way.
    """

    moves: tuple[str, ...] = ()
    white_ms: int = -1
    black_ms: int = -1
    status: str = "started"
    winner: str = ""
    draw: str = ""
    takeback: str = ""
    first_move_ms: int = 0
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRefused(Event):
    """A server did not do what `AskServer` asked for, or `JOIN`: why, in its words, "" if no answer has come.

    Without an answer it may have been done after all: what is told next, `fresh`, shows that.
    """

    request: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentGone(Event):
    """The opponent at a server has gone, or is back; in how many ms a claim is possible, -1: unknown."""

    gone: bool
    claim_ms: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Chatted(Event):
    """Somebody has written to the players at a server: who, by name, and what."""

    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChanged(Event):
    """What the player's rating is after a game at a server, and by how much it has changed."""

    rating: int
    change: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MateSought(Event):
    """What `SeekMate` asked for: whether that side can still mate, "yes", "no" or "undecided"."""

    answer: str = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechEnded(Event):
    """What was being said has ended, or was stopped; `heard`: a voice has said it to its end."""

    heard: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(Event):
    """Time has passed: a flag may have fallen.

    `quiet`: nothing is being said, heard or typed, so the clock may speak up.
    """

    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjourned(Event):
    """The next move is sealed: in which file, when (ISO 8601, local), where and by whom the game resumes.

    `session_ms`: how long the session would still have lasted. `reply`: it answers a sealed move whose player
    is not there yet. `identity` stands in the envelope too, which belongs to no other game; "" in old ones.
    """

    envelope: str
    when: str
    where: str
    white: str
    black: str
    session_ms: int = 0
    reply: bool = False
    identity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveWritten(Event):
    """The player has confirmed the move to be sealed: his clock stops, whatever is still asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealingGivenUp(Event):
    """Nothing is sealed after all: the clock runs again, and the time since `MoveWritten` counts as used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited(Event):
    """The game resumes, but the player who must answer the sealed move is absent: his clock runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Event):
    """The awaited player has arrived: his clock stops until the envelope is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded(Event):
    """An adjourned game ends with its envelope closed: this colour resigns, or "" if a draw is agreed."""

    resigns: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsealed(Event):
    """The envelope is open: the move as it was written, or `lost` with its envelope.

    `late`: the colour that came `late_ms` after the game was to resume, "" if none did. `away`: the player
    who sealed it is absent.
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
    """How this run speaks, tells, sounds and listens: percent, and names, as of `preferences.Preferences`.

    `rates` and `pitches`, the limits of its voice, and `voiced` were not known in the first journals.
    """

    rate: int
    pitch: int
    volume: int
    verbosity: str
    earcons: tuple[str, ...]
    talk: str
    listens: bool = True
    rates: tuple[int, ...] = ()
    pitches: tuple[int, ...] = ()
    voiced: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed(Event):
    """An arbiter has decided something from elsewhere: its number in the hall, and `by` whom.

    `what`: "stop" or "go" for the clocks, "coming", "announce" for a `message` (JSON, as of `messages.wire`),
    or a key of `arbiter_menu.MENU` or `FOUND`, with the numbers `given` as they are asked for there. `about`,
    `plies`: the ruling that he decides on, and how many moves had been made when he did, `ago_ms` ago.
    """

    id: int
    by: str
    what: str
    given: tuple[int, ...] = ()
    about: str = ""
    plies: int = 0
    message: str = ""
    ago_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HallNews(Event):
    """The hall is `lost`, and nothing reaches it now; or it is back.

    `never`: it has not been reached yet in this run. `refused`: it does not take the key of this table.
    """

    lost: bool
    never: bool = False
    refused: bool = False


# Why a server refuses to let a player into a game, if it does not accept the log-in; else in its own words.
NOT_LOGGED_IN = "online_token_refused"
# Why the server is not even asked: the game is not played in the name of who is logged in.
OTHER_ACCOUNT = "online_other_account"
# The connection to a server, as `DeviceNews` tells it: lost, back, or held up as the server wants a pause.
SERVER_LOST, SERVER_BACK, SERVER_WAITS = "online_lost", "online_back", "online_waits"


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
        ServerTold,
        ServerRefused,
        OpponentGone,
        Chatted,
        RatingChanged,
        MateSought,
        SpeechEnded,
        Tick,
        MoveWritten,
        SealingGivenUp,
        Adjourned,
        Awaited,
        Arrived,
        Concluded,
        Unsealed,
        DeviceNews,
        Mannered,
        Proposed,
        HallNews,
    )
}


def to_json(event: Event) -> str:
    """One event as a JSON object with its kind."""
    return json.dumps({"event": type(event).__name__, **asdict(event)}, ensure_ascii=False)


def from_json(text: str) -> Event:
    """The event that `to_json` wrote. Raises ValueError if it is none."""
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
    """An order from journals of the first versions, where each choice was a command: "language_pt"."""
    command, _, choice = event.command.partition("_")
    chooses = choice and command in (CommandName.LANGUAGE, CommandName.CONVENTION)
    return replace(event, command=command, choice=choice) if chooses else event
