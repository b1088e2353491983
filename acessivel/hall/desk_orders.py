# SPDX-License-Identifier: GPL-3.0-or-later
"""What an arbiter says at the desk: what follows of it, what is told, what the store is to be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from acessivel.dialogue import arbiter_menu
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.game.results import RESULTS
from acessivel.hall import desk_news as news
from acessivel.hall import desk_sentences as sentences
from acessivel.hall import positions
from acessivel.hall.board import TableGame
from acessivel.hall.cases import FOR_DECISION, HallCase
from acessivel.hall.desk import (
    ANNOUNCEMENTS,
    DONE,
    Announces,
    Decides,
    Desk,
    DeskStep,
    DeskSure,
    PairRound,
    Propose,
    Release,
    Take,
    Wish,
)
from acessivel.hall.store import ArbiterDecision
from acessivel.message import Duration, Message, Messages
from acessivel.queries import queries
from acessivel.rules.position import COLOURS
from acessivel.session.changes import ABSENCES
from voices.meaning import Command, CommandName
from voices.understanding import desk_words
from voices.understanding.desk_words import DeskOrder, DeskWord


def ordered(desk: Desk, order: DeskOrder) -> DeskStep:
    """Carry out an order; it withdraws what is asked."""
    if order.word is None:
        return numbered(desk, order.number or 0)
    taken = desk.asked.taken if isinstance(desk.asked, Decides) else ""
    if order.word not in _OF_A_CASE or not desk.at or desk.at.name != taken:
        desk, back = _withdrawn(desk)
        desk, told, wishes = _ORDERS[order.word](desk, order)
        return desk, told, (*back, *wishes)
    # The case that the question has taken on is still the arbiter's.
    desk, told, wishes = _ORDERS[order.word](replace(desk, asked=None), order)
    if isinstance(desk.asked, Decides):
        return replace(desk, asked=replace(desk.asked, taken=taken)), told, wishes
    desk, back = _given_back(desk, taken) if order.word is DeskWord.DECIDE else (desk, ())
    return desk, told, (*back, *wishes)


def asked_about(desk: Desk, command: Command) -> Messages | None:
    """The answer to a question about the game at the table; None if it is no such question."""
    if desk.state is None:
        return (which_table(desk),)
    told = queries.answer(command, desk.state.game, desk.counts_to(desk.table))
    if told and desk.game and command.name is CommandName.CLOCK:
        told += sentences.unheard(desk.table, desk.unheard_ms(desk.game))
    return told


def numbered(desk: Desk, number: int) -> DeskStep:
    """A number answers what is asked, or is that of a table."""
    match desk.asked:
        case None:
            return _table(desk, DeskOrder(DeskWord.TABLE, number))
        case Decides() | Announces() if number not in desk.expects():
            return desk, (Message.of("desk_no_such_number"), *sentences.question(desk)), ()
        case Decides(table, about=about) as decides:
            deciding = arbiter_menu.numbered(decides.deciding, number)
            if deciding.what == "claim" and not about:
                if desk.game and desk.game.awaited.key:  # it came after the menu
                    return ordered(desk, DeskOrder(DeskWord.DECIDE))
                return desk, (Message.of("desk_no_claim", table=table), *sentences.question(desk)), ()
            if deciding.what == "clocks":
                stopped = desk.hall.games[table, decides.game].clocks.stopped
                deciding = replace(deciding, what="go" if stopped else "stop")
            return _decided(desk, replace(decides, deciding=deciding))
        case Announces() if number > len(ANNOUNCEMENTS):
            return _sure_of_seats(desk)
        case Announces():
            return _sure_to_say(desk, Message.of(ANNOUNCEMENTS[number - 1]))
    return desk, sentences.question(desk), ()


def answered(desk: Desk, *, yes: bool) -> DeskStep:
    """A yes or a no to what is asked."""
    match desk.asked:
        case None:
            return desk, (Message.of("desk_nothing_asked"),), ()
        case DeskSure(wishes=wished) if yes:
            wishes = wished(desk)
            return replace(desk, asked=None), (sentences.sent(wishes),), wishes
        case Decides(deciding=deciding) as decides if yes and not deciding.missing:
            wish = Propose(decides.table, decides.game, _decision(desk, decides))
            return replace(desk, asked=None), (sentences.sent((wish,)),), (wish,)
        case Decides(at_once=True) as decides if not yes:
            moves, postpone = decides.deciding.moves, decides.deciding.may_postpone
            menu = replace(decides, deciding=Deciding(moves, may_postpone=postpone), at_once=False)
            return _decided(desk, menu)
    if yes:
        return desk, sentences.question(desk), ()
    desk, back = _withdrawn(desk)
    return desk, (Message.of("desk_withdrawn"),), back


def _withdrawn(desk: Desk) -> tuple[Desk, tuple[Wish, ...]]:
    """The desk without what is asked; a case that was taken on by that alone goes back."""
    case = desk.asked.taken if isinstance(desk.asked, Decides) else ""
    desk = replace(desk, asked=None)
    return _given_back(desk, case) if case else (desk, ())


def _given_back(desk: Desk, case: str) -> tuple[Desk, tuple[Wish, ...]]:
    taken = {item: one for item, one in desk.taken.items() if item != case}
    return replace(desk, taken=MappingProxyType(taken)), (Release(case, desk.by),)


def _next(desk: Desk, _: DeskOrder) -> DeskStep:
    """The most urgent case that nobody else has and that was not told since all were."""
    open_ones = [case for case in desk.waiting if not desk.other(case)]
    left = [case for case in open_ones if case.name not in desk.passed]
    if not open_ones:
        return desk, (sentences.count(desk),), ()
    case = (left or open_ones)[0]
    passed = (desk.passed if left else frozenset()) | {case.name}
    desk = replace(desk, passed=passed, case=case.name, untold=desk.untold - {case.name})
    others = len(desk.waiting) - 1
    more = (Message.of("desk_others", count=others),) if others else ()
    return news.looking_at(desk, case.table), (*sentences.of_case(desk, case), *more), ()


def _queue(desk: Desk, _: DeskOrder) -> DeskStep:
    return replace(desk, untold=frozenset()), (sentences.count(desk), *sentences.lines(desk)), ()


def _table(desk: Desk, order: DeskOrder) -> DeskStep:
    number = order.number or 0
    unplayed = (sentences.in_the_file(desk, number),) if number in desk.unplayed else ()
    if number not in desk.hall.tables:
        expected = unplayed or sentences.expected(desk, number)
        return desk, expected or (Message.of("desk_no_table", table=number),), ()
    told = {case.name for case in desk.waiting if case.table == number}
    desk = replace(news.looking_at(desk, number), case="", untold=desk.untold - told)
    return desk, (*unplayed, *sentences.about(desk)), ()


def _hall(desk: Desk, _: DeskOrder) -> DeskStep:
    return news.looking_at(desk, 0), sentences.summary(desk), ()


def _under(desk: Desk, order: DeskOrder) -> DeskStep:
    minutes = desk_words.LOW_MINUTES if order.number is None else order.number
    low = sorted(
        (left, number, colour, desk.unheard_ms(game))
        for number, game in desk.playing.items()
        for colour in COLOURS
        if (left := game.left_ms(colour, desk.counts_to(number))) is not None
        and (game.left_ms(colour, desk.counts_to(number) + desk.unheard_ms(game)) or 0) < 60_000 * minutes
    )
    told: list[Message] = []
    for left, number, colour, unheard_ms in low:
        told.append(Message.of("desk_low", table=number, colour=colour, time=Duration.left(left)))
        told += sentences.unheard(number, unheard_ms)
    return desk, tuple(told) or (Message.of("desk_low_none", count=minutes),), ()


def _unfinished(desk: Desk, _: DeskOrder) -> DeskStep:
    playing = desk.playing
    told = (
        Message.of(
            "desk_playing",
            **sentences.pair(game, desk.seat(game)),
            number=(positions.first_half_move(game) + len(game.moves)) // 2,
        )
        for game in playing.values()
    )
    return desk, (Message.of("desk_playing_count", count=len(playing)), *told), ()


def _results(desk: Desk, _: DeskOrder) -> DeskStep:
    """The results of the games, or what the tournament's file has in their place."""
    told = {
        game.table: Message.of(
            "desk_result",
            **sentences.pair(game, desk.seat(game)),
            result=Message.of(RESULTS[game.ended.score]),
        )
        for game in desk.ended
    }
    told |= {table: sentences.in_the_file(desk, table) for table in desk.results}
    playing = Message.of("desk_playing_count", count=len(desk.playing))
    return desk, (*(told[table] for table in sorted(told)), playing), ()


def _pair(desk: Desk, _: DeskOrder) -> DeskStep:
    """Ask whether the next round of the tournament is to be paired."""
    if not desk.coming:
        return desk, (Message.of("desk_pair_all" if desk.seats else "desk_pair_none"),), ()
    wish = PairRound(desk.coming)
    return _sure(desk, Message.of("ask_desk_pair", round=wish.number), lambda _: (wish,))


def _take(desk: Desk, _: DeskOrder) -> DeskStep:
    case = desk.at or next(iter(desk.waiting), None)
    if case is None:
        return desk, (sentences.count(desk),), ()
    desk = replace(news.looking_at(desk, case.table), case=case.name)
    if desk.taker(case) == desk.by:
        return desk, (Message.of("desk_yours_already", by=desk.by),), ()
    if other := desk.other(case):
        return desk, (Message.of("desk_has_it", by=other),), ()
    return replace(desk, taking=case.name), (), _taking(desk, case)


def _taking(desk: Desk, case: HallCase) -> tuple[Wish, ...]:
    """What takes a case on, over from who has it and is gone."""
    gone = desk.taker(case)
    return *((Release(case.name, gone),) if gone else ()), Take(case.name)


def _release(desk: Desk, _: DeskOrder) -> DeskStep:
    case = desk.at
    if case is None or desk.taker(case) != desk.by:
        return desk, (Message.of("desk_not_yours"),), ()
    desk, back = _given_back(desk, case.name)
    return desk, (Message.of("desk_released", case=case.brief),), back


def _done(desk: Desk, _: DeskOrder) -> DeskStep:
    case = desk.at
    if case is None:
        return desk, (Message.of("desk_no_case"), sentences.count(desk)), ()
    if other := desk.other(case):
        return desk, (Message.of("desk_has_it", by=other),), ()
    if case.name in desk.untold:  # what he means is another one
        desk = replace(desk, case=case.name, untold=desk.untold - {case.name})
        return desk, tuple(sentences.of_case(desk, case)), ()
    if case.kind in FOR_DECISION and desk.hall.games[case.table, case.game].awaited.key:
        decide = desk_words.example(DeskWord.DECIDE, desk.words[0])
        return desk, (Message.of("desk_undecided", table=case.table, decide=decide),), ()
    waiting = tuple(other for other in desk.waiting if other.name != case.name)
    untold, settled = desk.untold - {case.name}, desk.settled | {case.name}
    desk = replace(desk, waiting=waiting, untold=untold, settled=settled)
    told = Message.of("desk_settled", case=case.brief), sentences.count(desk)
    coming = () if desk.taker(case) == desk.by else news.coming(desk, case)
    return desk, told, (Take(case.name + DONE), *coming)


def _decide(desk: Desk, _: DeskOrder) -> DeskStep:
    """Ask what he decides: about the ruling that waits for him, or else by the menu."""
    game = desk.game
    if game is None:
        return desk, (which_table(desk),), ()
    case = desk.at if desk.at and desk.at.game == game.game else None
    if game.over:
        return desk, (Message.of("desk_over_already", table=game.table),), ()
    if case and (other := desk.other(case)):
        return desk, (Message.of("desk_has_it", by=other),), ()
    moves = desk.state.game.position.fullmove if desk.state else len(game.moves) // 2 + 1
    awaited = game.awaited
    deciding = Deciding(
        moves,
        "claim" if awaited.key else "",
        may_postpone=awaited.key == "quickplay_asked" and not awaited.postponed,
    )
    if awaited.key in ABSENCES:
        colour = dict(awaited.message.values).get("colour") if awaited.message else None
        absent = tuple(one for one in COLOURS if one == colour)
        deciding = arbiter_menu.on_absence(moves, absent or COLOURS)
    takes = case if case and desk.taker(case) != desk.by else None
    taken = takes.name if takes else ""
    plies, at_once = len(game.moves), bool(awaited.key)
    decides = Decides(game.table, game.game, awaited.key, plies, deciding, at_once=at_once, taken=taken)
    desk, told, _wishes = _decided(desk, decides)
    return desk, told, _taking(desk, takes) if takes else ()


def _decided(desk: Desk, decides: Decides) -> DeskStep:
    """The decision with what is known of it, and the next question."""
    desk = replace(desk, asked=decides)
    return desk, sentences.question(desk), ()


def _decision(desk: Desk, decides: Decides) -> ArbiterDecision:
    """What goes to the table.

    A ruling is decided as it was asked, all else as the game is at the yes.
    """
    deciding, game = decides.deciding, desk.hall.games.get((decides.table, decides.game))
    if game and deciding.what in arbiter_menu.CLOCKS:
        return _for_clocks(deciding.what, game)
    plies = len(game.moves) if game and deciding.what not in ("claim", "absence") else decides.plies
    return ArbiterDecision(deciding.what, deciding.given, decides.about, plies)


def _for_clocks(what: str, game: TableGame) -> ArbiterDecision:
    """To stop the clocks of a game as it stands, or to let them run."""
    return ArbiterDecision(what, plies=len(game.moves))


def _clocks(what: str) -> Callable[[Desk, DeskOrder], DeskStep]:
    """Stop the clocks of the table, or let them run."""

    def order(desk: Desk, _: DeskOrder) -> DeskStep:
        game = desk.game
        if game is None:
            return desk, (which_table(desk),), ()
        wishes = (Propose(game.table, game.game, _for_clocks(what, game)),)
        return desk, (sentences.sent(wishes),), wishes

    return order


def _all_clocks(what: str) -> Callable[[Desk, DeskOrder], DeskStep]:
    """Stop the clocks of all tables that play, or let them run, once that is confirmed."""

    def wished(desk: Desk) -> tuple[Wish, ...]:
        return tuple(Propose(n, game.game, _for_clocks(what, game)) for n, game in desk.playing.items())

    def order(desk: Desk, _: DeskOrder) -> DeskStep:
        if not desk.playing:
            return desk, (Message.of("desk_playing_count", count=0),), ()
        return _sure(desk, Message.of(f"ask_desk_{what}_all", count=len(desk.playing)), wished)

    return order


def _sure(desk: Desk, question: Message, wished: Callable[[Desk], tuple[Wish, ...]]) -> DeskStep:
    """Ask whether something is meant."""
    desk = replace(desk, asked=DeskSure(question, wished))
    return desk, sentences.question(desk), ()


def _announce(desk: Desk, order: DeskOrder) -> DeskStep:
    if order.text:
        return _sure_to_say(desk, Message.of("hall_says", text=order.text), order.text)
    desk = replace(desk, asked=Announces())
    return desk, sentences.question(desk), ()


def _sure_to_say(desk: Desk, message: Message, text: str = "") -> DeskStep:
    """Ask whether all tables that are there are to be told this; `text` is what he has typed of it."""
    decision = ArbiterDecision("announce", message=message)

    def wished(desk: Desk) -> tuple[Wish, ...]:
        return tuple(
            Propose(number, game.game, decision)
            for number, game in desk.hall.tables.items()
            if not (number in desk.seen and desk.seen[number].left)
        )

    count = len(wished(desk))
    if not count:
        return replace(desk, asked=None), (Message.of("desk_no_tables"),), ()
    return _sure(desk, Message.of("ask_desk_say", text=text or message, count=count), wished)


def _sure_of_seats(desk: Desk) -> DeskStep:
    """Ask whether each table is to be told who sits there."""

    def wished(desk: Desk) -> tuple[Wish, ...]:
        return tuple(
            Propose(number, game.game, ArbiterDecision("announce", message=desk.seats[number].message))
            for number, game in desk.hall.tables.items()
            if number in desk.seats
        )

    count = len(wished(desk))
    if not count:
        return replace(desk, asked=None), (Message.of("desk_no_tables"),), ()
    return _sure(desk, Message.of("ask_desk_seats", count=count), wished)


def next_paired(desk: Desk, following: Mapping[int, Message]) -> tuple[Wish, ...]:
    """What tells each table, to be asked for there, what its players have next."""
    return tuple(
        Propose(number, game.game, ArbiterDecision("pairing", message=following[number]))
        for number, game in desk.hall.tables.items()
        if number in following
    )


def _arbiters(desk: Desk, _: DeskOrder) -> DeskStep:
    here = [desk.by, *(by for by in sorted(desk.present) if by != desk.by and desk.is_here(by))]
    gone = sorted({desk.taker(case) for case in desk.waiting} - {"", *here})
    told = tuple(
        Message.of(key, by=by, cases=sentences.taken_by(desk, by))
        for key, arbiters in (("desk_arbiter", here), ("desk_arbiter_gone", gone))
        for by in arbiters
    )
    return desk, told, ()


_OF_A_CASE = frozenset({DeskWord.DECIDE, DeskWord.TAKE, DeskWord.DONE, DeskWord.RELEASE})
_ORDERS: Mapping[DeskWord, Callable[[Desk, DeskOrder], DeskStep]] = {
    DeskWord.NEXT: _next,
    DeskWord.QUEUE: _queue,
    DeskWord.TABLE: _table,
    DeskWord.UNDER: _under,
    DeskWord.UNFINISHED: _unfinished,
    DeskWord.RESULTS: _results,
    DeskWord.PAIR: _pair,
    DeskWord.TAKE: _take,
    DeskWord.RELEASE: _release,
    DeskWord.DONE: _done,
    DeskWord.DECIDE: _decide,
    DeskWord.STOP_CLOCKS: _clocks("stop"),
    DeskWord.START_CLOCKS: _clocks("go"),
    DeskWord.STOP_ALL: _all_clocks("stop"),
    DeskWord.START_ALL: _all_clocks("go"),
    DeskWord.ANNOUNCE: _announce,
    DeskWord.ARBITERS: _arbiters,
    DeskWord.HALL: _hall,
}


def which_table(desk: Desk) -> Message:
    """That a table must be named first."""
    table = desk_words.example(DeskWord.TABLE, desk.words[0], next(iter(desk.hall.tables), 1))
    return Message.of("desk_which_table", table=table)
