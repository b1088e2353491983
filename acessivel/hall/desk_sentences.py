# SPDX-License-Identifier: GPL-3.0-or-later
"""What the desk tells: the queue, a case, a table, what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from acessivel.dialogue import arbiter_menu
from acessivel.hall.board import TableGame
from acessivel.hall.cases import HallCase
from acessivel.hall.desk import Announces, Decides, Desk, DeskSure, PairRound, Propose, Wish
from acessivel.hall.tournament_round import Seats
from acessivel.message import Duration, Message, Messages
from acessivel.queries import queries
from acessivel.rules.position import COLOURS
from acessivel.tournaments.rounds import spoken


def question(desk: Desk) -> Messages:
    """What is asked; nothing if nothing is."""
    match desk.asked:
        case Decides(table=table, deciding=deciding):
            return (Message.of("ask_desk_table", table=table, question=arbiter_menu.question(deciding)),)
        case Announces():
            says = enumerate(desk.announcements, 1)
            lines = (Message.of("numbered", number=number, name=text) for number, text in says)
            return (Message.of("ask_desk_announce"), *lines)
        case DeskSure(asks):
            return (asks,)
    return ()


def summary(desk: Desk) -> Messages:
    """How many tables there are and play, how many games are adjourned, and how much waits."""
    tables, playing = desk.hall.tables, len(desk.playing)
    over = sum(game.over for game in tables.values())
    adjourned = len(tables) - playing - over
    more = (Message.of("desk_adjourned", count=adjourned),) if adjourned else ()
    return Message.of("desk_summary", count=len(tables), playing=playing, over=over), *more, count(desk)


def lines(desk: Desk) -> Messages:
    """The queue as it stands on the display and on the page: a few words for each case."""
    return tuple(_in_short(desk, case) for case in desk.waiting)


def tables_of(desk: Desk) -> Mapping[Message, int]:
    """The table of each line of the queue."""
    return {_in_short(desk, case): case.table for case in desk.waiting}


def _in_short(desk: Desk, case: HallCase) -> Message:
    by = desk.taker(case)
    return Message.of("desk_brief_taken", case=case.brief, by=by) if by else case.brief


def count(desk: Desk) -> Message:
    """How much waits."""
    return Message.of("desk_waiting", count=len(desk.waiting)) if desk.waiting else Message.of("desk_quiet")


def of_case(desk: Desk, case: HallCase) -> Iterator[Message]:
    """A case, since when, and who has it."""
    yield case.message
    minutes = max(0, desk.now_ms - case.at_ms) // 60_000
    if minutes:
        yield Message.of("desk_since", time=Duration(60_000 * minutes))
    yield from holder(desk, case)


def holder(desk: Desk, case: HallCase) -> Iterator[Message]:
    """Who has a case, if anybody has."""
    if by := desk.taker(case):
        key = "desk_yours_already" if by == desk.by else "desk_has_it" if desk.is_here(by) else "desk_left_it"
        yield Message.of(key, by=by)


def about(desk: Desk) -> Messages:
    """What there is to say of the table that he looks at."""
    game = desk.game
    if game is None:
        return ()
    own = (case for case in desk.waiting if case.table == game.table)
    told = [message for case in own for message in of_case(desk, case)]
    told.append(Message.of("desk_table", **pair(game, desk.seat(game))))
    if game.clocks.stopped and not game.over:
        told.append(Message.of("clocks_are_stopped"))
    if desk.state and not game.over:
        told += [queries.played(desk.state.game)] if desk.state.game.last else []
        adjourned = Message.of("hall_adjourned") if game.adjourned.when else None
        told.append(adjourned or queries.turn(desk.state.game))
    if not game.over:
        times = {colour: game.left_ms(colour, desk.counts_to(game.table)) for colour in COLOURS}
        told += [
            Message.of("time_left", colour=colour, time=Duration.left(ms))
            for colour, ms in times.items()
            if ms is not None
        ]
        told += unheard(game.table, desk.unheard_ms(game))
    if result := desk.overruled(game):
        told.append(written(result))
    elif game.over and desk.state:
        told.append(queries.over(desk.state.game))
    return tuple(told)


def unheard(table: int, for_ms: int) -> Messages:
    """That nothing was heard of a table for so long; nothing if it was."""
    return (Message.of("desk_unheard", table=table, time=Duration(for_ms)),) if for_ms else ()


def written(result: str) -> Message:
    """The result that counts in place of what was played."""
    return Message.of("desk_written", result=spoken(result))


def in_the_file(desk: Desk, table: int) -> Message:
    """The result that the tournament's file has of a table."""
    seat, result = desk.seats[table], spoken(desk.results[table])
    return Message.of("desk_result", table=table, white=seat.white, black=seat.black, result=result)


def expected(desk: Desk, table: int) -> Messages:
    """Who is expected at a table at which no game has begun; nothing if nobody is."""
    if not (seat := desk.seats.get(table)):
        return ()
    at_table = Message.of("desk_table", table=table, white=seat.white, black=seat.black)
    return at_table, Message.of("desk_not_begun")


def pair(game: TableGame, seat: Seats | None) -> Mapping[str, object]:
    """The table and its players: by the names given there, else the tournament's, else their colours."""
    opened = game.opened
    given = (opened.white, opened.black) if opened else ("", "")
    expected = (seat.white, seat.black) if seat else COLOURS
    names = (name if name.strip("?") else other for name, other in zip(given, expected, strict=True))
    return {"table": game.table, **dict(zip(COLOURS, names, strict=True))}


def taken_by(desk: Desk, by: str) -> Messages:
    """What an arbiter has taken on, in a few words each."""
    own = tuple(case.brief for case in desk.waiting if desk.taker(case) == by)
    return own or (Message.of("desk_nothing_taken"),)


def sent(wishes: Sequence[Wish]) -> Message:
    """To which table a decision goes, or to how many; or that a round is being paired."""
    for wish in wishes:
        if isinstance(wish, PairRound):
            return Message.of("desk_pairing", round=wish.number)
    tables = [wish.table for wish in wishes if isinstance(wish, Propose)]
    if len(tables) == 1:
        return Message.of("desk_sent", table=tables[0])
    return Message.of("desk_sent_many", count=len(tables))
