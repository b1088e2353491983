# SPDX-License-Identifier: GPL-3.0-or-later
"""What the hall knows of all tables: entries in any order, late, or twice, give the same as in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from acessivel.hall.entries import (
    ArbiterCalled,
    ClocksShown,
    DrawStands,
    FlagsFell,
    GameAdjourned,
    GameEnded,
    GameOpened,
    HallEntry,
    MoveMade,
    MovesTakenBack,
    OffencesCounted,
    ProposalAnswered,
    Remarked,
    ResultSigned,
    RulingAwaited,
    after_move,
)
from acessivel.rules.position import COLOURS, WHITE


@dataclass(frozen=True, slots=True)
class HallRecord:
    """An entry as the hall keeps it: of which game at which table, its number, and when it happened.

    `game`: a name that no other game has. `at_ms`: on the hall's clock, in ms since 1970. `entry`: None if
    this version cannot read it.
    """

    table: int
    game: str
    number: int
    at_ms: int
    entry: HallEntry | None


@dataclass(frozen=True, slots=True)
class TableGame:
    """A game at a table, as far as its entries are known without a gap."""

    table: int
    game: str
    known: int = 0
    """How many entries are known without a gap."""
    opened: GameOpened | None = None
    opened_ms: int = 0
    """When its first entry happened, in ms since 1970."""
    here_ms: int = 0
    """When it was begun or resumed last."""
    at_ms: int = 0
    """When its last entry happened."""
    moves: tuple[MoveMade, ...] = ()
    clocks: ClocksShown = field(default_factory=ClocksShown)
    """What the clocks showed at `clocks_ms`."""
    clocks_ms: int = 0
    flags: tuple[str, ...] = ()
    """The sides whose flags have fallen."""
    falls: int = 0
    """How often a flag has fallen."""
    remarks: tuple[Remarked, ...] = ()
    awaited: RulingAwaited = field(default_factory=lambda: RulingAwaited(""))
    called: bool = False
    calls: int = 0
    """How often the arbiter has been called."""
    coming: bool = False
    """Whether an arbiter who was called is on his way, and has decided nothing since."""
    draw: str = ""
    offences: tuple[str, ...] = ()
    found: int = 0
    """How many illegal moves have been found, those too that count no longer."""
    ended: GameEnded = field(default_factory=lambda: GameEnded("*"))
    signed: tuple[str, ...] = ()
    answered: tuple[ProposalAnswered, ...] = ()
    """What became of the arbiters' decisions."""
    adjourned: GameAdjourned = field(default_factory=lambda: GameAdjourned("", ""))
    ahead: Mapping[int, HallRecord] = field(default_factory=lambda: MappingProxyType({}))
    """Entries behind a gap, by their number."""

    @property
    def over(self) -> bool:
        """Whether it has a result."""
        return self.ended.score != "*"

    def left_ms(self, colour: str, now_ms: int) -> int | None:
        """What a side has left, at a moment on the hall's clock; None without a clock."""
        shown = self.clocks
        left = shown.white_ms if colour == WHITE else shown.black_ms
        if left is None or shown.running != colour:
            return left
        return max(0, left - max(0, now_ms - self.clocks_ms - shown.free_ms))

    def with_record(self, record: HallRecord) -> TableGame:
        """The game with one more entry of it; the same again changes nothing."""
        if record.number < self.known or record.number in self.ahead:
            return self
        if record.number == self.known and not self.ahead:
            return _with_next(self, record)
        ahead = {**self.ahead, record.number: record}
        game = self
        while due := ahead.pop(game.known, None):
            game = _with_next(game, due)
        return replace(game, ahead=MappingProxyType(ahead))


@dataclass(frozen=True, slots=True)
class Hall:
    """All games of all tables, by table and game."""

    games: Mapping[tuple[int, str], TableGame] = field(default_factory=lambda: MappingProxyType({}))

    def with_records(self, records: Iterable[HallRecord]) -> Hall:
        """The hall with these entries as well, in whatever order they come."""
        games = dict(self.games)
        for record in records:
            key = record.table, record.game
            games[key] = games.get(key, TableGame(*key)).with_record(record)
        return Hall(MappingProxyType(games))

    @property
    def tables(self) -> Mapping[int, TableGame]:
        """The game that was begun or resumed last at each table."""
        return {table: games[-1] for table, games in self.by_table.items()}

    @property
    def by_table(self) -> Mapping[int, Sequence[TableGame]]:
        """The games of each table in the order in which they were begun or resumed."""
        found: dict[int, list[TableGame]] = {}
        for game in sorted(self.games.values(), key=lambda game: (game.table, game.here_ms, game.game)):
            if game.opened:
                found.setdefault(game.table, []).append(game)
        return found

    @property
    def cursor(self) -> Mapping[tuple[int, str], int]:
        """How many entries of each game are known without a gap: what to ask the store for from there on."""
        return {key: game.known for key, game in self.games.items()}


_NO_DECISION = frozenset({"coming", "announce", "pairing"})


def _still_down(flags: tuple[str, ...], shown: ClocksShown) -> tuple[str, ...]:
    """The flags that have not been lifted by time that was added."""
    left = dict(zip(COLOURS, (shown.white_ms, shown.black_ms), strict=True))
    return tuple(colour for colour in flags if not left[colour])


def _with_next(game: TableGame, record: HallRecord) -> TableGame:
    """The game with its next entry known."""
    return replace(_applied(game, record), known=game.known + 1, at_ms=record.at_ms)


def _applied(game: TableGame, record: HallRecord) -> TableGame:
    """The game after its next entry."""
    match record.entry:
        case GameOpened() as opened:
            began_ms = game.opened_ms or record.at_ms
            return replace(game, opened=opened, opened_ms=began_ms, here_ms=record.at_ms)
        case MoveMade() as move:
            clocks = after_move(game.clocks, move)
            moves = (*game.moves[: move.ply - 1], move)
            return replace(game, moves=moves, clocks=clocks, clocks_ms=record.at_ms)
        case MovesTakenBack(plies):
            return replace(game, moves=game.moves[:plies])
        case ClocksShown() as shown:
            return replace(game, clocks=shown, clocks_ms=record.at_ms, flags=_still_down(game.flags, shown))
        case FlagsFell(colours):
            flags = tuple(one for one in COLOURS if one in (*game.flags, *colours))
            return replace(game, flags=flags, falls=game.falls + 1)
        case Remarked() as remark:
            index = remark.index
            return replace(game, remarks=(*game.remarks[:index], remark, *game.remarks[index + 1 :]))
    return _standing(game, record.entry)


def _standing(game: TableGame, entry: HallEntry | None) -> TableGame:
    """The game after an entry that says what stands from now on."""
    match entry:
        case RulingAwaited() as awaited:
            return replace(game, awaited=awaited)
        case ArbiterCalled(waiting):
            return replace(
                game, called=waiting, calls=game.calls + waiting, coming=game.coming and not waiting
            )
        case DrawStands(colour):
            return replace(game, draw=colour)
        case OffencesCounted(colours):
            new = max(0, len(colours) - len(game.offences))
            return replace(game, offences=colours, found=game.found + new)
        case GameEnded() as ended:
            return replace(game, ended=ended)
        case ResultSigned(colours):
            return replace(game, signed=colours)
        case GameAdjourned() as adjourned:
            return replace(game, adjourned=adjourned)
        case ProposalAnswered() as answer:
            coming = game.called or game.coming if answer.what == "coming" else game.coming
            decided = not answer.why and answer.what not in _NO_DECISION
            return replace(game, answered=(*game.answered, answer), coming=coming and not decided)
    return game
