# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps a round: results into the tournament's file, live games into theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from acessivel.errors import UserError, reason
from acessivel.hall.board import Hall, HallRecord
from acessivel.hall.live_pgn import GameTexts, illegal_tables, live_pgn, write
from acessivel.hall.round_games import RoundGames
from acessivel.hall.tournament_round import NOTHING, counted, overruled, with_games, with_written
from acessivel.message import Message, Messages
from acessivel.storage import tournament_file
from acessivel.storage.tournament_file import StoredTournament
from acessivel.tournaments.announcements import round_told
from acessivel.tournaments.rounds import boards
from acessivel.tournaments.tournament import Tournament, TrfError
from acessivel.tournaments.trf_edit import with_tables

# What is told again if it comes back after it was gone.
_PASSING = frozenset({"live_not_written"})


class RoundKeeper:
    """Follows one round; its calls wait for files, and are for a thread that may."""

    def __init__(
        self,
        stored: StoredTournament,
        games: RoundGames,
        tie_breaks: Sequence[str],
        live: Path | None = None,
        delay_ms: int = 0,
    ) -> None:
        """Keep a round of a tournament; `live`: the file of its games, written so much after the moves."""
        self.stored = stored
        self.live_text = ""
        self._of_the_round, self._number, self._tie_breaks = games, games.number, tie_breaks
        self._live, self._delay_ms = live, delay_ms
        self._hall, self._shown = Hall(), Hall()
        self._texts: GameTexts = {}
        self._waiting: list[HallRecord] = []
        self._ended: frozenset[tuple[int, str, str]] = frozenset()
        self._told: frozenset[Message] = frozenset()
        self._seen = _state(stored.path)
        self._trouble: Message | None = None
        self._written = NOTHING

    def follow(self, records: Iterable[HallRecord], now_ms: int) -> Messages:
        """Take what is new in the hall into account; returns what an arbiter should know, each thing once.

        `now_ms`: on the hall's clock; call it again without records, so that what was delayed follows.
        """
        new = tuple(records)
        self._of_the_round.follow(self.stored.event, new, now_ms)
        self._hall = self._hall.with_records(new)
        self._waiting += new
        until = now_ms - self._delay_ms
        due = [record for record in self._waiting if record.at_ms <= until]
        self._waiting = [record for record in self._waiting if record.at_ms > until]
        self._shown = self._shown.with_records(due)
        left_out = self._of_the_round.left_out(self.stored.event, self._hall)
        found = (*self._results(), *left_out, *self._unpaired(), *self._follow_live())
        told = tuple(message for message in dict.fromkeys(found) if message not in self._told)
        gone = {message for message in self._told if message.key in _PASSING} - set(found)
        self._told = self._told - gone | set(told)
        return told

    @property
    def games(self) -> Mapping[int, str]:
        """The name of the game that counts at each table of the round."""
        event = self.stored.event
        found = counted(event, self._number, self._of_the_round.of(event, self._hall))
        return {table: game.game for table, game in found.items()}

    @property
    def unbegun(self) -> frozenset[int]:
        """The tables of the round at which no game of it was begun; none until its games are known."""
        event = self.stored.event
        begun = self._of_the_round.of(event, self._hall).by_table
        tables = (board.table for board in boards(event, self._number) if self._of_the_round.known)
        return frozenset(tables) - begun.keys()

    def pair(self, paired: Callable[[Tournament], tuple[Tournament, Messages]]) -> Messages:
        """Write the next round into the file as it was paired; returns who plays whom. Raises UserError."""
        stored = tournament_file.load(self.stored.path)
        event, said = paired(stored.event)
        tournament_file.save(replace(stored, event=event))
        self.stored, self._seen = replace(stored, event=event), _state(stored.path)
        number = event.paired_rounds
        return (*said, Message.of("round_paired", round=number), *round_told(event, number))

    def _results(self) -> Messages:
        """Write the results that have come since, and take up what others have changed in the file."""
        hall = self._of_the_round.of(self.stored.event, self._hall)
        games = hall.games.values()
        ended = frozenset((each.table, each.game, each.ended.score) for each in games if each.over)
        seen = _state(self.stored.path)
        if (ended, seen) == (self._ended, self._seen):
            return ()
        try:
            stored = tournament_file.load(self.stored.path)
            # Another program may have written results of rounds before: the hall plays on at its tables.
            event = with_tables(stored.event, self.stored.event, (self._number,))
            event, odd = with_games(event, self._number, hall, self._tie_breaks, self._written)
            if event is not stored.event:
                tournament_file.save(replace(stored, event=event))
        except (UserError, TrfError) as raised:
            error = raised if isinstance(raised, UserError) else tournament_file.bad_line(stored.path, raised)
            # A file that another program is writing just now is whole when it is looked at again.
            again = error.message == self._trouble
            self._trouble = error.message
            return (error.message,) if again else ()
        self._written = with_written(self._written, stored.event, event, self._number, hall)
        self.stored, self._ended = replace(stored, event=event), ended
        self._seen, self._trouble = seen, None  # what is written now is read once more
        return odd

    def _unpaired(self) -> Iterator[Message]:
        """That nothing can be kept of a round as long as nobody has paired it."""
        if self.stored.event.paired_rounds < self._number:
            yield Message.of("round_not_paired", round=self._number)

    def _follow_live(self) -> Messages:
        """Write the live games, and say at which tables nobody can follow to the end."""
        if not self._of_the_round.known:  # games without moves would take back what was shown before
            return ()
        event = self.stored.event
        shown = self._of_the_round.of(event, self._shown)
        results = overruled(event, self._number, self._of_the_round.of(event, self._hall), shown)
        self.live_text = live_pgn(event, self._number, shown, self._texts, results)
        tables = illegal_tables(event, self._number, shown)
        told = tuple(Message.of("live_illegal", table=table) for table in tables)
        try:
            if self._live:
                write(self._live, self.live_text)
        except OSError as error:
            told += (Message.of("live_not_written", reason=reason(error, "writing")),)
        return told


def _state(path: Path) -> tuple[int, int]:
    """What changes when a file is written again."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
