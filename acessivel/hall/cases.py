# SPDX-License-Identifier: GPL-3.0-or-later
"""What needs an arbiter's attention: the cases of each table, most urgent first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from acessivel.game.results import RESULTS
from acessivel.hall.board import Hall, TableGame
from acessivel.hall.store import Seen
from acessivel.message import Message

# What a case can be, the most urgent first.
KINDS = ("flag", "claim", "irregularity", "refused", "call", "draw", "end", "lost")
# Cases that only a decision at the table ends, as long as it waits for one.
FOR_DECISION = frozenset({"flag", "claim"})
ALREADY = "hall_already"  # why a table need not do what is as it should be: as good as done
# Cases that are shown, but told only to who asks: a draw offer is the players' own affair.
_SHOWN_ONLY = frozenset({"draw"})
_LOST_MS = 15_000  # after which a table that says nothing is lost


@dataclass(frozen=True, slots=True)
class HallCase:
    """Something at a table that an arbiter should know or decide.

    `kind`: one of `KINDS`; `mark`: what tells it from others of its kind in the same game. `brief`: a few
    words; `message`: the whole sentence, with what the table was told. `at_ms`: since when, on the hall's
    clock.
    """

    table: int
    game: str
    kind: str
    mark: str
    brief: Message
    message: Message
    at_ms: int
    urgent: bool = True
    """It should not wait for what is being said: not the end of a game, but that by a flag."""

    @property
    def name(self) -> str:
        """What it is called in the store, the same at every desk."""
        return f"{self.table}/{self.game}/{self.kind}/{self.mark}"

    @property
    def told(self) -> bool:
        """Whether it is told as it comes up."""
        return self.kind not in _SHOWN_ONLY


def queue(  # noqa: PLR0913  # the hall at a moment, and what is known of it
    hall: Hall,
    seen: Mapping[int, Seen],
    now_ms: int,
    before: Iterable[HallCase] = (),
    settled: frozenset[str] = frozenset(),
    *,
    since_ms: int = 0,
    counted: Mapping[int, str] = MappingProxyType({}),
) -> tuple[HallCase, ...]:
    """All cases that are not settled, the most urgent first, then the oldest.

    `now_ms`: on the hall's clock. `before`: those known so far, which keep the time since when they are.
    `since_ms` as of `is_lost`. `counted`: the name of the game that counts at each table in a round; its end
    waits also if another one was begun there.
    """
    ended = {key: hall.games[key] for key in counted.items() if key in hall.games and hall.games[key].over}
    games = ended | {(game.table, game.game): game for game in hall.tables.values()}
    since = {case.name: case.at_ms for case in before}
    found = (
        _since(case, since)
        for game in games.values()
        for case in _cases(game, seen.get(game.table), now_ms, since_ms)
        if case.name not in settled
    )
    return tuple(sorted(found, key=lambda case: (KINDS.index(case.kind), case.at_ms, case.table)))


def is_lost(seen: Seen, now_ms: int, since_ms: int = 0) -> bool:
    """Whether a table is gone at a moment on the hall's clock, by itself or without a word.

    `since_ms`: since when there has been a hall to say a word to.
    """
    return seen.left or now_ms - max(seen.at_ms, since_ms) > _LOST_MS


def _since(case: HallCase, since: Mapping[str, int]) -> HallCase:
    return replace(case, at_ms=since.get(case.name, case.at_ms))


def _cases(game: TableGame, seen: Seen | None, now_ms: int, since_ms: int) -> Iterator[HallCase]:
    for answer in game.answered:
        if answer.why and answer.why.key != ALREADY:
            what = Message.of(f"desk_what_{answer.what}")
            values = {"by": answer.by, "what": what, "why": answer.why}
            yield _case(game, "refused", str(answer.proposal), values)
    if game.over:
        result = Message.of(RESULTS[game.ended.score])
        reason = Message.of(f"end_{game.ended.reason}")
        end = _case(game, "end", game.ended.score, {"result": result, "reason": reason})
        yield replace(end, urgent=bool(game.flags))
        return
    yield from _halted(game)
    yield from _irregular(game)
    if game.called or game.coming:
        yield _case(game, "call", str(game.calls))
    if game.draw and not game.awaited.key:  # a claim is an offer as well
        yield _case(game, "draw", f"{game.draw}{len(game.moves)}", {"colour": game.draw})
    if seen and not game.adjourned.when and is_lost(seen, now_ms, since_ms):
        yield _case(game, "lost", str(seen.at_ms), suffix="left" if seen.left else "", at_ms=seen.at_ms)


def _halted(game: TableGame) -> Iterator[HallCase]:
    """A flag that has fallen, or what only the arbiter can decide; one case if it is about the flag."""
    awaited = game.awaited
    ruling = {"ruling": awaited.message or ""} if awaited.key else {}
    if game.flags:
        both = len(game.flags) > 1
        side = {} if both else {"colour": game.flags[0]}
        suffix = "_".join(filter(None, ("both" if both else "", "ruling" if ruling else "")))
        yield _case(game, "flag", f"{game.falls}{awaited.key}", {**side, **ruling}, suffix)
    elif awaited.key:
        later = "later" if awaited.postponed else ""
        yield _case(game, "claim", f"{awaited.key}{later or len(game.moves)}", ruling, later)


def _irregular(game: TableGame) -> Iterator[HallCase]:
    """An illegal move that was found, or that stands on the board and was found by nobody."""
    if game.offences:
        yield _case(game, "irregularity", str(game.found), {"colour": game.offences[-1]})
    for move in game.moves:
        if move.irregular:
            values = {"colour": move.colour, "number": (move.ply + 1) // 2}
            yield _case(game, "irregularity", f"{move.uci}{move.ply}", values, "stands")


def _case(  # noqa: PLR0913, PLR0917  # what all cases have
    game: TableGame,
    kind: str,
    mark: str,
    values: Mapping[str, object] = MappingProxyType({}),
    suffix: str = "",
    at_ms: int | None = None,
) -> HallCase:
    """A case of a game; its sentence is "desk_KIND_SUFFIX", and in a few words "desk_brief_KIND"."""
    key = f"desk_{kind}_{suffix}" if suffix else f"desk_{kind}"
    message = Message.of(key, table=game.table, **values)
    short = Message.of(f"desk_brief_{kind}", table=game.table)
    since = game.at_ms if at_ms is None else at_ms
    return HallCase(game.table, game.game, kind, mark, short, message, since, urgent=kind != "lost")
