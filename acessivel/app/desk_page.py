# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages show of a hall: made of the desk, and for everybody else perhaps some time later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from acessivel.game.results import RESULTS
from acessivel.hall import desk_sentences, positions
from acessivel.hall.board import Hall, HallRecord, TableGame
from acessivel.hall.desk import Desk, DeskNews
from acessivel.hall.entries import MoveMade
from acessivel.message import Duration, Message, Messages
from acessivel.rules.position import BLACK, COLOURS, WHITE
from acessivel.web.hall_view import HallShown, TableShown
from voices.understanding import desk_words
from voices.understanding.desk_words import DeskWord

_LOW_MS = 300_000  # with more left, only the minutes are shown
_STEP_MS = 10_000  # in which it is shown with less left


class DeskPages:
    """What the pages show; rows of tables at which nothing has happened are kept."""

    def __init__(self, words: tuple[str, str], delay_ms: int) -> None:
        """`words`: the language and convention; `delay_ms`: how much later everybody may see what happens."""
        self._language, self._delay_ms = words[0], delay_ms
        self._public = Hall()
        self._held: tuple[HallRecord, ...] = ()
        self._now_ms = 0
        self._rows: dict[object, TableShown] = {}
        self._desk = Desk("", words)

    def informed(self, desk: Desk, news: DeskNews) -> None:
        """Hold what has happened until everybody may see it."""
        self._now_ms = news.now_ms
        if not self._delay_ms:
            self._public = desk.hall
            return
        held = (*self._held, *news.records)
        due = [record for record in held if record.at_ms <= news.now_ms - self._delay_ms]
        self._held = tuple(record for record in held if record.at_ms > news.now_ms - self._delay_ms)
        if due:
            self._public = self._public.with_records(due)

    @property
    def held(self) -> bool:
        """Whether something has happened that not everybody may see yet."""
        return bool(self._held)

    def hall(self, desk: Desk, answers: tuple[str, ...]) -> HallShown:
        """All tables; `answers` are the words that answer what is asked."""
        rows, self._rows = self._rows, {}
        cases: dict[int, Messages] = {}
        for case in desk.waiting:
            told = case.message, *desk_sentences.holder(desk, case)
            cases[case.table] = (*cases.get(case.table, ()), *told)
        self._desk = desk
        tables = {
            n: self._row(rows, game, desk.now_ms, cases.get(n, ()), desk.overruled(game))
            for n, game in desk.hall.tables.items()
        }
        now_ms, seen = desk.now_ms - self._delay_ms, self._public.tables
        public = {
            n: self._row(rows, game, now_ms, (), _seen_overruled(desk, game)) for n, game in seen.items()
        }
        at = tables.get(desk.table)
        tables |= {n: self._unplayed(desk, n, cases.get(n, ())) for n in desk.unplayed}
        public |= {n: self._unplayed(desk, n, ()) for n in desk.unplayed if n not in seen or seen[n].over}
        return HallShown(_in_order(tables), _in_order(public), answers, at, _before(desk))

    def _unplayed(self, desk: Desk, table: int, cases: Messages) -> TableShown:
        """The row of a table of which only the tournament's file has a result."""
        seat, typed = desk.seats[table], desk_words.example(DeskWord.TABLE, self._language, table)
        status = (*cases, desk_sentences.written(desk.results[table]))
        return TableShown(table, seat.white, seat.black, status, "", typed)

    def _row(
        self, before: dict[object, TableShown], game: TableGame, now_ms: int, cases: Messages, result: str
    ) -> TableShown:
        """The row of a table with its game as it is shown at a moment on the hall's clock."""
        desk = self._desk
        until_ms, seat = min(now_ms, desk.counts_to(game.table)), desk.seat(game)
        times = tuple(_rounded(game.left_ms(colour, until_ms)) for colour in COLOURS)
        unheard_ms = _rounded(desk.unheard_ms(game) and now_ms - until_ms) or 0
        key = game.table, game.game, game.known, times, cases, seat, result, unheard_ms
        found = before.get(key)
        if found is None:
            pair = desk_sentences.pair(game, seat)
            unheard = desk_sentences.unheard(game.table, unheard_ms)
            status = (*cases, *_status(game, times, result), *unheard)
            typed = desk_words.example(DeskWord.TABLE, self._language, game.table)
            left = {colour: ms for colour, ms in zip(COLOURS, times, strict=True) if ms is not None}
            found = TableShown(game.table, pair[WHITE], pair[BLACK], status, _written(game), typed, left)
        self._rows[key] = found
        return found


def _in_order(rows: Mapping[int, TableShown]) -> tuple[TableShown, ...]:
    return tuple(rows[number] for number in sorted(rows))


def _before(desk: Desk) -> str:
    """Another text for each table, game and case that the arbiter has before him."""
    game = desk.game.game if desk.game else ""
    return " ".join((str(desk.table), game, desk.at.name if desk.at else ""))


def _rounded(left_ms: int | None) -> int | None:
    """A time as it is shown, so that it seldom changes; only a fallen flag has 0."""
    if left_ms is None:
        return None
    return -(-left_ms // _STEP_MS) * _STEP_MS if left_ms < _LOW_MS else left_ms // 60_000 * 60_000


def _seen_overruled(desk: Desk, game: TableGame) -> str:
    """What `Desk.overruled` tells of a game as everybody sees it: no sooner than its end."""
    now = desk.hall.games[game.table, game.game]
    return "" if now.over and not game.over else desk.overruled(now)


def _status(game: TableGame, times: tuple[int | None, ...], written: str) -> Iterator[Message]:
    """The result, or whose turn it is, unless it is adjourned, and what both have left.

    `written`: the result that counts in place of what was played.
    """
    if written:
        yield desk_sentences.written(written)
        return
    if game.over:
        result, reason = Message.of(RESULTS[game.ended.score]), Message.of(f"end_{game.ended.reason}")
        yield Message.of("desk_status_over", result=result, reason=reason)
        return
    if game.adjourned.when:
        yield Message.of("hall_adjourned")
    else:
        number, black = divmod(positions.first_half_move(game) + len(game.moves), 2)
        yield Message.of("turn", colour=COLOURS[black], number=number)
    for colour, left_ms in zip(COLOURS, times, strict=True):
        if left_ms is not None:
            yield Message.of("time_left", colour=colour, time=Duration(left_ms))


def _written(game: TableGame) -> str:
    """The moves as in a PGN."""
    first = positions.first_half_move(game)
    return " ".join(chain.from_iterable(_numbered(game.moves, first)))


def _numbered(moves: Iterable[MoveMade], first: int) -> Iterator[tuple[str, ...]]:
    """Each move with its number before White's and before the first; `first` as of `first_half_move`."""
    for half, move in enumerate(moves, first):
        number, black = divmod(half, 2)
        yield (move.san,) if black and half > first else (f"{number}.{'..' * black}", move.san)
