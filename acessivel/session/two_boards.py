# SPDX-License-Identifier: GPL-3.0-or-later
"""Two boards between two people: an announced move counts when the opponent has made it on his own.

Points of the appendix for blind players, E.1 (2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import NOTHING
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import Fact, Position
from acessivel.session import draws
from acessivel.session.changes import resting, say
from acessivel.session.effects import Effect, Say
from acessivel.session.state import State, Step, TouchState
from voices.meaning import Castling, MovePattern, Reading


def is_private(state: State) -> bool:
    """Whether the open question is one player's own: a piece was picked without a word."""
    picked = isinstance(state.asking, questions.Missing) and state.asking.pointed
    return state.setup.two_boards and picked


def kept_private(state: State, effects: tuple[Effect, ...]) -> Step:
    """What the room is told now, and can have repeated, without a question that only one player may know.

    Where there is nothing else to tell, that player alone is asked again.
    """
    own = questions.question(state.asking) if is_private(state) else ()
    if not own:
        return state, effects
    told = state.told if state.told.private else replace(state.told, last=_without(state.told.last, own))
    return replace(state, told=told), tuple(_kept_private(effect, own) for effect in effects)


def _kept_private(effect: Effect, own: tuple[Message, ...]) -> Effect:
    if not isinstance(effect, Say) or effect.private:
        return effect
    public = _without(effect.messages, own)
    return replace(effect, messages=public) if public else replace(effect, private=True)


def _without(messages: tuple[Message, ...], own: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message not in own)


def announced(state: State, fact: Fact, *first: Message) -> Step:
    """A move is made and announced: the opponent's time runs, and he hears the move (points 1, 3, 9b)."""
    game = state.game.announce(fact, state.now_ms)
    clocks = replace(state.clocks, waits=False)
    state = replace(state, game=game, clocks=clocks, touch=TouchState(), touch_before=state.touch)
    state, refused = draws.refused_by_playing(state, fact.colour)
    if state.draw.with_move:
        first = (*first, Message.of("note_offer", colour=fact.colour))
    state, _ = draws.offered_with(state, fact.colour)
    state = resting(state)
    return say(state, *first, *refused, *questions.question(state.asking))


def made(state: State) -> tuple[State, Position, Message]:
    """The opponent has made the move on his board: it counts (points 1, 9a). It is not told again."""
    game = state.game.made(state.now_ms)
    return replace(state, game=game), state.game.position, Message.of("noted")


def replied(state: State, readings: Sequence[Reading]) -> Message | None:
    """Whose turn it is, if what has repeated the move that counts now announces a reply too: both castle."""
    moves = (each.meaning for each in readings if isinstance(each.meaning, MovePattern | Castling))
    awaited = state.asking == NOTHING and not state.game.result
    replies = awaited and any(state.game.position.matching(move) for move in moves)
    return queries.turn(state.game) if replies else None


def not_made(state: State) -> Message:
    """Why nothing else can be announced: the opponent has not made the last move yet."""
    return Message.of("made_first", colour=state.speaker)


def correction(state: State) -> Step:
    """A slip can be corrected only before the opponent's clock has been started (point 6)."""
    if state.game.clock:
        return say(state, Message.of("correction_too_late"), *questions.question(state.asking))
    game = replace(state.game, announced=None)
    state = resting(replace(state, game=game, touch=state.touch_before))
    return say(state, Message.of("withdrawn"), *questions.question(state.asking))
