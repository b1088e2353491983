# SPDX-License-Identifier: GPL-3.0-or-later
"""The confirmation loop as a table: what is being asked, and what each meaning does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from acessivel.message import Message
from acessivel.rules import Fact, Position
from voices.meaning import (
    Answer,
    Castling,
    Command,
    CommandName,
    Meaning,
    Move,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Reading,
)

_NOT_AFTER_THE_END = frozenset({CommandName.RESIGN, CommandName.DRAW})
ASKED_BACK = frozenset({CommandName.RESIGN, CommandName.DRAW, CommandName.STOP})

Readings = Sequence[Reading]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing is being asked: a move or a command is awaited."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """One move was repeated, and awaits its yes; `others` are the next readings.

    `doubtful` when the words mean this move only in another language or in careless writing.
    """

    fact: Fact
    others: tuple[Fact, ...] = ()
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Several moves were offered as a numbered list."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Promote:
    """The same pawn move with each piece that it can become."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Sure:
    """Resign, draw or stop was said, and awaits its yes; on no, what was asked before is asked again."""

    command: CommandName
    before: Asking


@dataclass(frozen=True, slots=True)
class Offered:
    """A draw was offered by a side, and the opponent has to answer."""

    by: str


NOTHING = Nothing()
Asking = Nothing | Confirm | Choose | Promote | Sure | Offered


@dataclass(frozen=True, slots=True)
class Turn:
    """What an utterance leads to: what is asked next, what is said, and at most one thing to do."""

    asking: Asking
    say: tuple[Message, ...] = ()
    commit: Fact | None = None
    command: Command | None = None
    do: CommandName | None = None
    answered: bool | None = None


def question(asking: Asking) -> tuple[Message, ...]:
    """The question that is open, as it is put and put again."""
    match asking:
        case Confirm(fact, _, doubtful):
            return (Message.of("ask_other_reading" if doubtful else "ask_move", move=fact),)
        case Choose(facts):
            items = (Message.of("choice", number=n, move=f) for n, f in enumerate(unique_squares(facts), 1))
            return (Message.of("ask_choice", choices=tuple(items)),)
        case Promote(facts):
            return (Message.of("ask_promotion", move=facts[0]),)
        case Sure(command, _):
            return (Message.of(f"ask_{command}"),)
        case Offered(by):
            return (Message.of("ask_accept_draw", colour=by),)
        case Nothing():
            return ()


def unique_squares(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """One fact for each pair of squares: the promotions of one pawn move count once."""
    return tuple({fact.squares: fact for fact in reversed(tuple(facts))}.values())[::-1]


def respond(
    asking: Asking,
    alternatives: Sequence[Readings],
    position: Position,
    *,
    barred: Message | None = None,
    over: bool = False,
) -> Turn:
    """What an utterance does; `alternatives` are the readings of what was heard, most probable first.

    `barred` says why no move can be made now, if none can; `over` that the game has ended.
    """
    readings, *later = alternatives or ((),)
    for reading in readings:
        handler = _TABLE.get((type(asking), type(reading.meaning)))
        if handler:
            return handler(asking, reading.meaning)
    moves = [r for r in readings if isinstance(r.meaning, MovePattern | Castling)]
    if moves and barred:
        return Turn(asking, _again(asking, barred))
    if moves:
        turn = _announced(moves, later, position)
        refused = (Message.of("draw_refused"),) if isinstance(asking, Offered) else ()
        return replace(turn, say=(*refused, *turn.say))
    for reading in readings:
        if isinstance(reading.meaning, Command):
            if over and barred and reading.meaning.name in _NOT_AFTER_THE_END:
                return Turn(asking, (barred,))
            return _commanded(asking, reading.meaning)
    return Turn(asking, _again(asking, *_no_answer(asking, understood=bool(readings))))


def _no_answer(asking: Asking, *, understood: bool) -> tuple[Message, ...]:
    """What to say to words that answer nothing."""
    if not understood:
        return (Message.of("not_understood"),)
    match asking:
        case Nothing():
            return (Message.of("nothing_asked"),)
        case Confirm() | Sure() | Offered():
            return (Message.of("answer_asked"),)
        case Choose() | Promote():
            return ()


def _again(asking: Asking, *messages: Message) -> tuple[Message, ...]:
    return (*messages, *question(asking))


def _commanded(asking: Asking, command: Command) -> Turn:
    if command.name in ASKED_BACK:
        sure = Sure(command.name, asking.before if isinstance(asking, Sure) else asking)
        return Turn(sure, question(sure), command=command)
    if command.name is CommandName.CORRECTION:
        if isinstance(asking, Nothing | Offered):
            return Turn(asking, _again(asking, Message.of("nothing_to_correct")), command=command)
        return Turn(NOTHING, (Message.of("withdrawn"),), command=command)
    return Turn(asking, command=command)


def _announced(moves: Readings, later: Sequence[Readings], position: Position) -> Turn:
    """A move was announced: offer what it can be, or refuse it with the reason."""
    for likely in (True, False):
        facts = _legal((r for r in moves if r.likely is likely), position)
        if facts:
            others = _legal((r for readings in later for r in readings if r.likely), position)
            return _offer(facts, tuple(f for f in others if f not in facts), doubtful=not likely)
    said = _first_move(moves)
    return Turn(NOTHING, (Message.of("refused", heard=said, reason=position.refusal(said)),))


def _legal(readings: Iterable[Reading], position: Position) -> tuple[Fact, ...]:
    moves = (r.meaning for r in readings if isinstance(r.meaning, MovePattern | Castling))
    return tuple(dict.fromkeys(fact for move in moves for fact in position.matching(move)))


def _first_move(moves: Readings) -> Move:
    return next(r.meaning for r in moves if isinstance(r.meaning, MovePattern | Castling))


def _offer(facts: tuple[Fact, ...], others: tuple[Fact, ...] = (), *, doubtful: bool = False) -> Turn:
    asking: Asking
    if len(unique_squares(facts)) > 1:
        asking = Choose(facts)
    elif len(facts) > 1:
        asking = Promote(facts)
    else:
        asking = Confirm(facts[0], others, doubtful)
    return Turn(asking, question(asking))


def _confirm_answered(asking: Confirm, answer: Answer) -> Turn:
    if answer.yes:
        return Turn(NOTHING, commit=asking.fact)
    if asking.others:
        following = Confirm(asking.others[0], asking.others[1:])
        return Turn(following, question(following))
    return Turn(NOTHING, (Message.of("say_again"),))


def _choice_made(asking: Choose, number: Number) -> Turn:
    offered = unique_squares(asking.facts)
    if not 1 <= number.value <= len(offered):
        return Turn(asking, _again(asking, Message.of("no_such_choice", count=len(offered))))
    chosen = offered[number.value - 1].squares
    return _offer(tuple(fact for fact in asking.facts if fact.squares == chosen))


def _unclear_answer(asking: Asking, answer: Answer) -> Turn:
    """A list or "which piece?" is not answered by yes; no withdraws it."""
    if answer.yes:
        return Turn(asking, question(asking))
    return Turn(NOTHING, (Message.of("say_again"),))


def _piece_chosen(asking: Promote, named: PieceNamed) -> Turn:
    facts = tuple(fact for fact in asking.facts if _promotes_to(fact, named.piece))
    if not facts:
        return Turn(asking, _again(asking, Message.of("refuse_promotion")))
    return _offer(facts)


def _promotes_to(fact: Fact, piece: Piece) -> bool:
    return isinstance(fact.meaning, MovePattern) and fact.meaning.promotion is piece


def _sure_answered(asking: Sure, answer: Answer) -> Turn:
    if answer.yes:
        return Turn(asking.before, do=asking.command)
    return Turn(asking.before, _again(asking.before, Message.of("going_on")))


def _draw_answered(asking: Offered, answer: Answer) -> Turn:
    del asking
    return Turn(NOTHING, answered=answer.yes)


_TABLE: Mapping[tuple[type[Asking], type[Meaning]], Callable[..., Turn]] = {
    (Confirm, Answer): _confirm_answered,
    (Choose, Number): _choice_made,
    (Choose, Answer): _unclear_answer,
    (Promote, PieceNamed): _piece_chosen,
    (Promote, Answer): _unclear_answer,
    (Sure, Answer): _sure_answered,
    (Offered, Answer): _draw_answered,
}
