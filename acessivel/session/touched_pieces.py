# SPDX-License-Identifier: GPL-3.0-or-later
"""Touched pieces: how they are announced, and which moves they still allow (article 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from acessivel.dialogue import confirmation, questions
from acessivel.dialogue.offer import offer
from acessivel.dialogue.questions import Choose, Confirm, Difference, Missing, Promote, Touching
from acessivel.dialogue.turn import Turn
from acessivel.laws import touch
from acessivel.message import Message
from acessivel.rules.position import Fact, other
from acessivel.session.changes import resting, say
from acessivel.session.draws import refused_by_playing
from acessivel.session.state import State, Step
from voices.meaning import Command, Piece, Place

_KINDS: dict[Piece, Literal["king", "rook"]] = {Piece.KING: "king", Piece.ROOK: "rook"}


def told(state: State, command: Command) -> Step:
    """A piece was announced as touched: ask which, if there are several, and whether that is right."""
    position, place, piece = state.game.position, command.place, command.piece
    if place.complete:
        stands = position.at(str(place))
        if stands is None:
            return _told_apart(state, Message.of("empty_light", square=place))
        if piece not in (None, stands[1]) or command.colour not in ("", stands[0]):
            there = Message.of("on_square", square=place, colour=stands[0], piece=stands[1])
            return _told_apart(state, there)
        asking = Touching(stands[1], (place,))
    else:
        named = piece or Piece.KING
        sides = (command.colour,) if command.colour else (position.turn, other(position.turn))
        squares = next(filter(None, (position.where(side, named) for side in sides)), ())
        if not squares and command.colour:
            return _again(state, Message.of("none_of_side", colour=command.colour, piece=named))
        if not squares:
            return _again(state, Message.of("none_of_kind", piece=named))
        asking = Touching(named, squares)
    return say(replace(state, asking=asking), *questions.question(asking))


def _told_apart(state: State, there: Message) -> Step:
    """Another piece than the announced one stands there: with two boards only its player is told."""
    return say(state, there, *questions.question(state.asking), private=state.setup.two_boards)


def confirmed(state: State, square: Place) -> Step:
    """The piece was touched: it binds, unless it is only adjusted (4.2, 4.3)."""
    rules = state.game.rules
    if state.touch.adjusting:
        return _again(state, touch.adjust(rules, to_move=True).message())
    state = replace(state, touch=replace(state.touch, squares=(*state.touch.squares, str(square))))
    state, refused = refused_by_playing(state, state.game.position.turn)
    return _again(resting(state), *refused, _bound(state).ruling.message())


def adjusts(state: State) -> Step:
    """After "I adjust", pieces touched until something else is said do not bind."""
    mine = state.speaker == state.game.position.turn
    ruling = touch.adjust(state.game.rules, to_move=mine)
    return _again(
        replace(state, touch=replace(state.touch, adjusting=mine and not state.touch.squares)),
        ruling.message(),
    )


def held(state: State, turn: Turn) -> Turn:
    """What was understood, unless a touched piece forbids the announced move; of several what it allows."""
    match turn.asking:
        case Confirm(fact):
            facts: tuple[Fact, ...] = (fact,)
        case Choose(facts) | Difference(facts) | Promote(facts) | Missing(_, facts):
            pass
        case _:
            return turn
    if not state.touch.squares or turn.asking == state.asking:
        return turn
    bound = _bound(state)
    origins = {uci[:2] for uci in bound.moves}
    allowed = tuple(
        fact for fact in facts if (fact.uci[:2] in origins if fact.irregular else fact.uci in bound.moves)
    )
    if allowed and isinstance(turn.asking, Choose) and allowed != facts:
        return offer(allowed, check=turn.asking.check)
    if allowed:
        return turn
    why = Message.of("refused", heard=facts[0].meaning, reason=bound.ruling.message())
    return confirmation.forbidden(state.asking, turn, why)


def _bound(state: State) -> touch.Bound:
    position = state.game.position
    legal = [
        touch.Legal(fact.uci, fact.uci[:2], position.taken_on(fact), position.castling_rook(fact))
        for fact in position.legal
    ]
    pieces = [
        touch.Touched(
            square,
            own=stands[0] == position.turn,
            piece=_KINDS.get(stands[1], "other"),
            moved=square == state.touch.moved,
        )
        for square in state.touch.squares
        if (stands := position.at(square))
    ]
    return touch.binding(state.game.rules, legal, pieces)


def _again(state: State, *messages: Message) -> Step:
    return say(state, *messages, *questions.question(state.asking))
