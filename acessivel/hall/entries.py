# SPDX-License-Identifier: GPL-3.0-or-later
"""What a table tells the hall of its game: public entries, made of what each event has changed.

An event of the journal holds people's words; an entry holds only what everybody at the table was told.
Entries are numbered from 0 in each game. Making them again from the same journal gives the same ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache

from acessivel.game.game import PlayedMove, Setup
from acessivel.game.results import RESULTS
from acessivel.message import Message
from acessivel.messages import wire
from acessivel.messages.rendering import catalogue, has_words
from acessivel.rules.position import COLOURS
from acessivel.session.events import Event, Resumed, Started
from acessivel.session.state import State
from voices.words.files import languages


@dataclass(frozen=True, slots=True)
class HallEntry:
    """Something that a table tells the hall; a colour is "white" or "black", a time is in ms."""


@dataclass(frozen=True, slots=True)
class GameOpened(HallEntry):
    """What is agreed for the game that is at the table now; again if it is resumed, or something has changed.

    `white`, `black`: the players' names, "" (or "?", of an older table) if nobody has given them.
    `clock` and `laws` as in `Setup`; `fen`: the initial position, None for that of the `variant`. `strict`: a
    move that is not legal can stand.
    """

    white: str
    black: str
    clock: str
    laws: str
    language: str
    fen: str | None = None
    variant: str = "standard"
    strict: bool = False
    two_boards: bool = False


@dataclass(frozen=True, slots=True)
class MoveMade(HallEntry):
    """A move that counts: `ply` from 1 on, and what its player had left after it, None if nobody knows.

    From then on no clock runs, until the table says so.
    """

    ply: int
    colour: str
    uci: str
    san: str
    left_ms: int | None = None
    irregular: bool = False


@dataclass(frozen=True, slots=True)
class MovesTakenBack(HallEntry):
    """All moves but the first `plies` are taken back."""

    plies: int


@dataclass(frozen=True, slots=True)
class ClocksShown(HallEntry):
    """Whose clock runs ("" if none does), and what both show; None without a clock.

    `free_ms`: how long the running side still has of a delay before its time goes down. `stopped`: somebody
    has stopped the clocks until somebody says that play goes on.
    """

    running: str = ""
    white_ms: int | None = None
    black_ms: int | None = None
    free_ms: int = 0
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class FlagsFell(HallEntry):
    """The flags of these sides have fallen, and the table was told."""

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remarked(HallEntry):
    """A remark of the record, by its `index` from 0: a ruling, a warning, a claim, an offer.

    It replaces the one of the same index. `ply`: after how many moves; `sign`: as of `game.Note`.
    """

    index: int
    ply: int
    message: Message
    sign: str = ""


@dataclass(frozen=True, slots=True)
class RulingAwaited(HallEntry):
    """What only the arbiter can decide, by the key of its ruling; "" if nothing waits for him any more.

    `message`: the ruling as the table was told it. `postponed`: play goes on until he decides.
    """

    key: str
    message: Message | None = None
    postponed: bool = False


@dataclass(frozen=True, slots=True)
class ArbiterCalled(HallEntry):
    """The players have called the arbiter; not `waiting`: the call is settled."""

    waiting: bool


@dataclass(frozen=True, slots=True)
class DrawStands(HallEntry):
    """This side's offer of a draw is open; "" if none is."""

    colour: str


@dataclass(frozen=True, slots=True)
class OffencesCounted(HallEntry):
    """The colour of each player who made an illegal move, once for each that has been counted."""

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(HallEntry):
    """The result, as of `game.Result`; the score "*" if the game goes on after all."""

    score: str
    reason: str = ""
    article: str = ""
    edition: str = ""


@dataclass(frozen=True, slots=True)
class ResultSigned(HallEntry):
    """The colours that have signed the result."""

    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameAdjourned(HallEntry):
    """The next move is sealed: when (ISO 8601, local) and where the game resumes; both "" once it is open."""

    when: str
    where: str


@dataclass(frozen=True, slots=True)
class ProposalAnswered(HallEntry):
    """What became of an arbiter's decision, by its number in the hall: applied, or `why` not.

    `by`: whose it was; `what`, `given`: as of `events.Proposed`.
    """

    proposal: int
    by: str
    what: str
    given: tuple[int, ...] = ()
    why: Message | None = None


ENTRIES: tuple[type[HallEntry], ...] = (
    GameOpened, MoveMade, MovesTakenBack, ClocksShown, FlagsFell, Remarked, RulingAwaited, ArbiterCalled,
    DrawStands, OffencesCounted, GameEnded, ResultSigned, GameAdjourned, ProposalAnswered,
)  # fmt: skip


def to_json(entry: HallEntry) -> str:
    """One entry as a JSON object with its kind."""
    return wire.to_json(entry)


def from_json(text: str) -> HallEntry:
    """The entry that `to_json` wrote. Raises ValueError if it is none, or there are no words for it here."""
    entry: HallEntry = wire.from_json(text, ENTRIES)
    if all(map(has_words, _told(entry))):
        return entry
    if isinstance(entry, RulingAwaited):  # that something waits is known all the same
        return replace(entry, message=None)
    raise ValueError(f"no words for it: {type(entry).__name__}")


def read(text: str) -> HallEntry | None:
    """The same; None if it is none that this version knows."""
    try:
        return from_json(text)
    except ValueError:
        return None


def _told(entry: HallEntry) -> Iterator[Message]:
    """What an arbiter may be told of an entry, at his desk, besides names and numbers."""
    match entry:
        case Remarked(message=message) | RulingAwaited(message=Message() as message):
            yield message
        case GameEnded(score, reason) if score != "*":
            yield Message.of(RESULTS.get(score, ""))
            yield Message.of(f"end_{reason}")
        case ProposalAnswered(what=what, why=why):
            yield Message.of(f"desk_what_{what}")
            yield from (why,) if why else ()


def entries(before: State, event: Event, after: State) -> tuple[HallEntry, ...]:
    """What the hall is told of an event, by the states before and after it; most events are no news."""
    return tuple(_entries(None if isinstance(event, Started) else before, event, after))


def clocks(state: State, now_ms: int) -> ClocksShown:
    """What the clocks show at a moment."""
    clock, stopped = state.game.clock, state.clocks.stopped
    if clock is None:
        return ClocksShown(stopped=stopped)
    white, black = (clock.left(colour, now_ms) for colour in COLOURS)
    return ClocksShown(clock.running or "", white, black, clock.free(now_ms), stopped)


def after_move(shown: ClocksShown, move: MoveMade) -> ClocksShown:
    """What the clocks show once a move is made."""
    white, black = (
        move.left_ms if move.colour == colour else left
        for colour, left in zip(COLOURS, (shown.white_ms, shown.black_ms), strict=True)
    )
    return ClocksShown("", white, black, 0, shown.stopped)


def _entries(before: State | None, event: Event, after: State) -> Iterator[HallEntry]:
    """What has become of nothing (None) or of a state that the hall knows."""
    if before is None or isinstance(event, Resumed) or _opened(before.setup) != _opened(after.setup):
        yield _opened(after.setup)
    moves = tuple(_moves(before.game.played if before else (), after.game.played))
    yield from moves
    shown = ClocksShown()
    if before:  # a new run counts its ms anew
        shown = clocks(before, before.now_ms if isinstance(event, Resumed) else after.now_ms)
    for move in moves:
        shown = after_move(shown, move) if isinstance(move, MoveMade) else shown
    if shown != (shows := clocks(after, after.now_ms)):
        yield shows
    if after.flags.fell - (before.flags.fell if before else frozenset()):
        fell = {colour for colour, _, __ in after.flags.fell}
        yield FlagsFell(tuple(colour for colour in COLOURS if colour in fell))
    known = before.game.notes if before else ()
    for index, note in enumerate(after.game.notes):
        if known[index : index + 1] != (note,):
            yield Remarked(index, note.ply, note.message, note.sign)
    for done in after.hall.proposals[len(before.hall.proposals) if before else 0 :]:
        yield ProposalAnswered(done.id, done.by, done.what, done.given, done.why)
    for was, now in zip(_standing(before), _standing(after), strict=True):
        if was != now:
            yield now


def _opened(setup: Setup) -> GameOpened:
    return GameOpened(
        _name(setup.players.white),
        _name(setup.players.black),
        setup.timing.clock,
        setup.rulebook.laws,
        setup.language,
        setup.beginning.fen,
        setup.beginning.variant,
        setup.rulebook.strict,
        setup.two_boards,
    )


def _name(name: str) -> str:
    """A player's name, not too long; "" for the word that stands in for one that nobody has given."""
    return "" if name in _stand_ins() else name[:_LONGEST_NAME]


_LONGEST_NAME = 200


@cache
def _stand_ins() -> frozenset[str]:
    return frozenset({"?", *(catalogue(language)["player"] for language in languages())})


def _moves(before: Sequence[PlayedMove], after: Sequence[PlayedMove]) -> Iterator[HallEntry]:
    """The moves that were taken back, and those that were made."""
    same = sum(
        1 for _ in itertools.takewhile(lambda both: both[0] == both[1], zip(before, after, strict=False))
    )
    if same < len(before):
        yield MovesTakenBack(same)
    for ply, move in enumerate(after[same:], same + 1):
        yield MoveMade(ply, move.fact.colour, move.fact.uci, move.fact.san, move.left_ms, move.fact.irregular)


def _standing(state: State | None) -> tuple[HallEntry, ...]:
    """What stands until it changes, each as the entry that says so."""
    if state is None:
        return NOTHING_STANDS
    arbiter, game, sealed = state.arbiter, state.game, state.adjournment.sealed
    ruling = arbiter.pending or arbiter.postponed
    message = ruling.message() if ruling else None
    return (
        RulingAwaited(ruling.key if ruling else "", message, bool(ruling and not arbiter.pending)),
        ArbiterCalled(state.hall.called),
        DrawStands(state.draw.offer or ""),
        OffencesCounted(game.offences),
        GameEnded(**asdict(game.result)) if game.result else GameEnded("*"),
        ResultSigned(game.signed),
        GameAdjourned(sealed.when, sealed.where) if sealed else GameAdjourned("", ""),
    )


NOTHING_STANDS: tuple[HallEntry, ...] = (
    RulingAwaited(""),
    ArbiterCalled(waiting=False),
    DrawStands(""),
    OffencesCounted(()),
    GameEnded("*"),
    ResultSigned(()),
    GameAdjourned("", ""),
)
