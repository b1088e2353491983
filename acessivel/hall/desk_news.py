# SPDX-License-Identifier: GPL-3.0-or-later
"""What the hall tells a desk: what comes up, who has taken what on, what became of decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from acessivel.hall import desk_sentences as sentences
from acessivel.hall import positions
from acessivel.hall.cases import ALREADY, HallCase, queue
from acessivel.hall.desk import DONE, SAID_AT_ONCE, Decides, Desk, DeskNews, DeskStep, Propose, Wish
from acessivel.hall.entries import ProposalAnswered
from acessivel.hall.store import ArbiterDecision, Proposal, Taken
from acessivel.message import Message, Messages
from acessivel.session.state import State

# What goes to tables with something else that he has done, and needs no answer.
_BY_ITSELF = frozenset({"coming", "pairing"})


def informed(desk: Desk, news: DeskNews) -> Desk:
    """The desk after news of the hall; what comes up in them is to be told by `told_news`."""
    before, hall = desk, desk.hall.with_records(news.records)
    taken = {one.item: one for one in news.taken}
    settled = frozenset(item.removesuffix(DONE) for item in taken if item.endswith(DONE))
    gone = settled | desk.settled  # news may be older than what he has settled
    waiting = queue(
        hall, news.seen, news.now_ms, desk.waiting, gone, since_ms=news.since_ms, counted=desk.counted
    )
    desk = replace(
        desk,
        hall=hall,
        seen=news.seen,
        taken=MappingProxyType(taken),
        present=news.present,
        now_ms=news.now_ms,
        since_ms=news.since_ms,
        waiting=waiting,
        settled=desk.settled - settled,
        ready=True,
    )
    known = {case.name for case in before.waiting}
    fresh = {case.name for case in waiting if case.name not in known or _is_back(before, desk, case)}
    told = {case.name for case in waiting if case.told}
    desk = replace(desk, untold=(desk.untold | fresh if before.ready else frozenset()) & told)
    desk = looking_at(desk, desk.table, before)
    for record in news.records:
        if isinstance(answer := record.entry, ProposalAnswered):
            desk = _answered(desk, answer)
    return _overtaken(_taken_over(before, desk))


def _taken_over(before: Desk, after: Desk) -> Desk:
    """The desk without what is asked about a game of which another arbiter has taken his case over."""
    asked = after.asked
    if not isinstance(asked, Decides):
        return after
    his = (case for case in after.waiting if before.taker(case) == after.by)
    of_it = (after.other(case) for case in his if (case.table, case.game) == (asked.table, asked.game))
    if by := next(filter(None, of_it), ""):
        told = Message.of("desk_has_it", by=by)
        return replace(after, asked=None, overtaken=(*after.overtaken, told))
    return after


def _is_back(before: Desk, after: Desk, case: HallCase) -> bool:
    """Whether another arbiter had a case, and nobody has it now: it was handed back, or he is gone."""
    return bool(before.other(case)) and not after.other(case) and after.taker(case) != after.by


def sent(desk: Desk, proposal: Proposal) -> Desk:
    """The desk once the store has one of its decisions: its table's answer is awaited."""
    desk = replace(desk, proposed=MappingProxyType({**desk.proposed, proposal.id: proposal}))
    game = desk.hall.games.get((proposal.table, proposal.game))
    for answer in game.answered if game else ():
        desk = _answered(desk, answer)
    return _overtaken(desk)


def took(desk: Desk, taken: Taken) -> DeskStep:
    """The desk once the store has said who has something now: of two who want it at once, one.

    What the other is asked about that game is withdrawn.
    """
    asked_for = desk.taking == taken.item
    desk = replace(
        desk,
        taken=MappingProxyType({**desk.taken, taken.item: taken}),
        taking="" if asked_for else desk.taking,
    )
    if taken.item.endswith(DONE):
        return desk, (), ()
    case = next((case for case in desk.waiting if case.name == taken.item), None)
    if taken.by != desk.by:
        asked = desk.asked
        if isinstance(asked, Decides) and taken.item.startswith(f"{asked.table}/{asked.game}/"):
            desk = replace(desk, asked=None)
        return desk, (Message.of("desk_has_it", by=taken.by),), ()
    told = (Message.of("desk_yours", case=case.brief),) if case and asked_for else ()
    return desk, told, coming(desk, case) if case else ()


def coming(desk: Desk, case: HallCase) -> tuple[Wish, ...]:
    """Who has called an arbiter, and still waits, is told that he comes."""
    if case.kind != "call" or not desk.hall.games[case.table, case.game].called:
        return ()
    return (Propose(case.table, case.game, ArbiterDecision("coming")),)


def told_news(desk: Desk) -> tuple[Desk, Messages]:
    """What is told by itself now: what came up, and what became of this arbiter's decisions."""
    cases = [c for c in desk.waiting if c.name in desk.untold and not desk.other(c)]
    told = [case.message for case in cases[:SAID_AT_ONCE]]
    if more := len(cases) - len(told):
        told.append(Message.of("desk_more", count=more))
    told += (*_applied(desk.applied), *desk.overtaken)
    desk = replace(desk, untold=frozenset(), applied=(), overtaken=())
    return desk, (*told, *(sentences.question(desk) if told else ()))


def _answered(desk: Desk, answer: ProposalAnswered) -> Desk:
    """A table has answered; why it refused is a case of its own."""
    if answer.proposal not in desk.proposed:
        return desk
    left = {number: one for number, one in desk.proposed.items() if number != answer.proposal}
    refused = answer.why and answer.why.key != ALREADY
    done = () if refused or answer.what in _BY_ITSELF else (desk.proposed[answer.proposal],)
    return replace(desk, proposed=MappingProxyType(left), applied=(*desk.applied, *done))


def _overtaken(desk: Desk) -> Desk:
    """The desk without what is asked, or not answered, about games after which others were begun."""
    tables = desk.hall.tables

    def is_gone(about: Decides | Proposal) -> bool:
        return about.table in tables and tables[about.table].game != about.game

    gone = {number: one for number, one in desk.proposed.items() if is_gone(one)}
    told = tuple(
        Message.of("desk_unanswered", table=one.table, what=Message.of(f"desk_what_{one.decision.what}"))
        for one in gone.values()
        if one.decision.what not in _BY_ITSELF
    )
    if gone:
        left = {number: one for number, one in desk.proposed.items() if number not in gone}
        desk = replace(desk, proposed=MappingProxyType(left))
    if isinstance(desk.asked, Decides) and is_gone(desk.asked):
        told += (Message.of("desk_other_game", table=desk.asked.table),)
        desk = replace(desk, asked=None)
    return replace(desk, overtaken=(*desk.overtaken, *told))


def _applied(applied: Sequence[Proposal]) -> Iterator[Message]:
    """That tables have applied something: each by its number, or how many if they are several."""
    by_what: dict[str, list[Proposal]] = {}
    for proposal in applied:
        by_what.setdefault(proposal.decision.what, []).append(proposal)
    for what, done in by_what.items():
        named = Message.of(f"desk_what_{what}")
        if len(done) > SAID_AT_ONCE:
            yield Message.of("desk_applied_many", what=named, count=len(done))
        else:
            for one in done:
                yield Message.of("desk_applied", what=named, table=one.table)


def looking_at(desk: Desk, table: int, before: Desk | None = None) -> Desk:
    """The desk with the game of a table before it, as far as it is known now.

    `before`: the desk before the last news; what has not changed since is not made anew.
    """
    game = desk.hall.tables.get(table)
    if before and before.state and game is before.game:
        state: State | None = before.state
    else:
        state = positions.state_of(game, desk.words) if game else None
    if game and state:
        state = positions.at_moment(
            state, game, desk.counts_to(table), runs=desk.counts_to(table) == desk.now_ms
        )
    return replace(desk, table=table, state=state)
