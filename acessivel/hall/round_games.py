# SPDX-License-Identifier: GPL-3.0-or-later
"""Which games of a hall are those of a round: those of the round before stay at their tables for a while."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from acessivel.hall.board import Hall, HallRecord, TableGame
from acessivel.hall.tournament_round import counted, name_words, named, sit_there
from acessivel.message import Message
from acessivel.tournaments.rounds import boards
from acessivel.tournaments.tournament import Entrant, Tournament

_LATELY_MS = 12 * 3_600_000  # what ended longer before the first round is hardly of it
_SIGN, _MOST_NAMES = 2, 500  # characters that stand for a name, of so many players
_WhenPaired = Callable[[Tournament, int], int | None]


def item(file: str, event: Tournament, number: int) -> str:
    """What a round of the tournament in a file is called in the hall's store.

    A round of another tournament with the same names is called otherwise, by its date and by who meets whom:
    by their start numbers, since a name may be corrected, and in a file without a date by their names too.
    """
    pairs = _pairs_of(event, number)
    dated = any((event.begins, *event.dates))
    names = [] if dated else [event.players[player].name for pair in pairs for player in pair]
    mark = hashlib.sha256(repr((event.begins, event.dates, pairs, names)).encode()).hexdigest()[:16]
    return f"round/{file}/{event.name}/{number}/{mark}"


def item_among(items: Iterable[str], file: str, event: Tournament, number: int) -> str:
    """What a round is called in a store that has these items: one that is there already, or a new one.

    Behind the name of `item` stand signs of the players' names. Where most are others, it is another round;
    where some are, they have been corrected. Without any signs an older version has named it.
    """
    name, signs = item(file, event, number), _signs(event, number)
    there = {one.removeprefix(name).removeprefix("/"): one for one in items if one.startswith(name)}
    return next(
        (one for of, one in there.items() if not of or _mostly(of, signs)), f"{name}/{''.join(signs)}"
    )


def _pairs_of(event: Tournament, number: int) -> Sequence[tuple[int, int]]:
    """Who meets whom, by their start numbers."""
    return sorted((board.white, board.black) for board in boards(event, number))


def _signs(event: Tournament, number: int) -> Sequence[str]:
    """A sign of the name of each player of a round."""
    names = [event.players[player].name for pair in _pairs_of(event, number) for player in pair]
    words = (" ".join(name_words(name)) for name in names[:_MOST_NAMES])
    return [hashlib.sha256(one.encode()).hexdigest()[:_SIGN] for one in words]


def _mostly(there: str, signs: Sequence[str]) -> bool:
    """Whether half of the signs, or more, are those that are there."""
    same = sum(there[_SIGN * at :].startswith(sign) for at, sign in enumerate(signs))
    return 2 * same >= len(signs)


class RoundGames:
    """Tells the games of one round from those before and after it."""

    def __init__(
        self, number: int, paired_ms: _WhenPaired, noted_ms: _WhenPaired = lambda _event, _number: None
    ) -> None:
        """`paired_ms`: since when the hall knows that a round is paired; None if it cannot be asked now.

        `noted_ms`: the same of the round before, without noting it; None if the hall does not know it either.
        """
        self.number, self._paired_ms = number, paired_ms
        self._before = RoundGames(number - 1, noted_ms) if number > 1 else None
        self._was_paired: bool | None = None  # already when this was asked first; None: it was not yet
        self._led_late = number == 1  # no desk was there when the round was paired
        self._since_ms: int | None = None
        self._noted = False  # the hall knows since when the next round is paired
        self._over_ms: int | None = None  # since when all results are there, and the next round is paired
        self._early = Hall()  # as it was when the round was paired
        self._new: list[HallRecord] = []

    def follow(self, event: Tournament, records: Iterable[HallRecord], now_ms: int) -> None:
        """Take into account what is new in the hall and in the tournament."""
        paired = event.paired_rounds >= self.number
        self._was_paired = paired if self._was_paired is None else self._was_paired
        if self._since_ms is None and paired:
            self._since_ms = self._paired_ms(event, self.number)
            noted_now = self._since_ms is not None and self._since_ms >= now_ms
            self._led_late = self._led_late or (self._was_paired and noted_now)
        if not self._noted and event.paired_rounds > self.number:
            # Its desk comes later: what its tables begin until then is of that round.
            self._noted = self._paired_ms(event, self.number + 1) is not None
        self._new += records
        if self._since_ms is not None:
            early = [one for one in self._new if one.at_ms <= self._since_ms]
            self._early = self._early.with_records(early)
            if self._before and self._led_late and early:
                self._before.follow(event, early, now_ms)
            self._new.clear()
        over = event.rounds >= self.number and event.paired_rounds > self.number
        self._over_ms = (self._over_ms or now_ms) if over else None

    @property
    def known(self) -> bool:
        """Whether it can be told by now which games they are."""
        return self._since_ms is not None

    def of(self, event: Tournament, hall: Hall) -> Hall:
        """A hall with the games of the round alone.

        A game that was begun when the round was paired counts only if its players are named, and meet in this
        round alone; in the first round also if it was in play.
        """
        if self._since_ms is None:
            return Hall()
        pairs = self._pairs(event)
        games = {key: game for key, game in hall.games.items() if self._counts(game, pairs.get(game.table))}
        return Hall(MappingProxyType(games))

    def left_out(self, event: Tournament, hall: Hall) -> Iterator[Message]:
        """At which tables a game is over that does not count, though it may be of this round.

        It was in play when the round was paired; or over, if no desk was there then, and it is not one of the
        round before.
        """
        pairs, others = self._pairs(event), self._of_earlier_rounds(event)
        for game in hall.games.values():
            pair = pairs.get(game.table)
            if pair is None or not game.over or self._counts(game, pair):
                continue
            if self._was_in_play(game):
                yield Message.of("round_early_game", table=game.table, round=self.number)
            elif self._led_late and game.game not in others and self._may_be_of(game, *pair):
                yield Message.of("round_over_before", table=game.table, round=self.number)

    def _of_earlier_rounds(self, event: Tournament) -> Collection[str]:
        """The names of the games of the rounds before, as far as that is of interest."""
        return self._before.up_to_it(event, self._early) if self._before and self._led_late else ()

    def up_to_it(self, event: Tournament, hall: Hall) -> Collection[str]:
        """The names of the games that count in this round, and of those begun before it was paired."""
        of_it = counted(event, self.number, self.of(event, hall))
        return {name for _, name in self._early.games} | {game.game for game in of_it.values()}

    def _pairs(self, event: Tournament) -> Mapping[int, tuple[Entrant, Entrant]]:
        """Who meet at each table."""
        return {
            board.table: (event.players[board.white], event.players[board.black])
            for board in boards(event, self.number)
        }

    def _was_in_play(self, game: TableGame) -> bool:
        """Whether a game was in play when the round was paired."""
        early = self._early.games.get((game.table, game.game))
        return early is not None and not (early.over or early.adjourned.when)

    def _may_be_of(self, game: TableGame, white: Entrant, black: Entrant) -> bool:
        """Whether a game of these two had ended when the round was paired, and not long before."""
        early = self._early.games.get((game.table, game.game)) if sit_there(game, white, black) else None
        return early is not None and early.over and (self._since_ms or 0) - early.at_ms < _LATELY_MS

    def _counts(self, game: TableGame, pair: tuple[Entrant, Entrant] | None) -> bool:
        if self._over_ms is not None and game.opened_ms >= self._over_ms:
            return False
        new = (game.table, game.game) not in self._early.games
        if new or (self.number == 1 and self._was_in_play(game)):
            return True
        return pair is not None and named(game) and sit_there(game, *pair) and not self._have_met(*pair)

    def _have_met(self, white: Entrant, black: Entrant) -> bool:
        return any(white.paired(before).opponent == black.number for before in range(1, self.number))
