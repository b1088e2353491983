# SPDX-License-Identifier: GPL-3.0-or-later
"""What a player claims, offers or concedes: draws, resignation; and how the session continues."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.laws import draw_claims, game_end
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import COLOURS, Fact
from acessivel.session.events import AskEngineForDraw, EngineAnswered
from acessivel.session.state import State, Step, ignored, judged, resting, say
from voices.meaning import CommandName


def drawn(state: State, command: CommandName, fact: Fact | None) -> tuple[State, tuple[Message, ...], bool]:
    """A draw by repetition or 50 moves is claimed, here or with a move that is not made yet (9.2, 9.3).

    The last value tells whether that move must now be made.
    """
    game, by = state.game, state.speaker
    uci = fact.uci if fact else None
    claim = draw_claims.Claim(
        by,
        to_move=game.position.turn == by,
        done="touched" if state.touch.squares else "nothing",
        intended=uci,
        left_ms=game.clock.left(by, state.now_ms) if game.clock else None,
    )
    if command is CommandName.CLAIM_THREEFOLD:
        ruling = draw_claims.threefold(game.rules, claim, game.position.repetitions(uci))
    else:
        ruling = draw_claims.fifty(game.rules, claim, game.position.quiet_plies(uci))
    state, messages = judged(replace(state, draw=replace(state.draw, claiming=None)), ruling)
    return state, messages, ruling.must_play is not None


def quickplay(state: State) -> Step:
    """A draw is claimed in the quickplay finish, from the arbiter or without one (10.2, D; 2009)."""
    game, by = state.game, state.speaker
    left = game.clock.left(by, state.now_ms) if game.clock else 0
    last = game.clock is not None and game.clock.moves_to_go(by) is None
    claim = game_end.QuickplayClaim(by, left, last_period=last, to_move=game.position.turn == by)
    if state.setup.rulebook.supervised:
        ruling = game_end.quickplay(game.rules, claim)
    else:
        ruling = game_end.quickplay_without_arbiter(game.rules, claim, "cannot_win")
    return _said(judged(state, ruling))


def resigned(state: State) -> Step:
    """A player resigns (5.1.2; 2018)."""
    return _said(judged(state, game_end.resignation(state.game.rules, state.speaker)))


def offered(state: State) -> Step:
    """A draw is offered: the offer stands until it is answered, aloud or by a move (9.1.2.1; 2018)."""
    game, by = state.game, state.speaker
    white, black = (game.made_by(colour) for colour in COLOURS)
    ruling = game_end.agreement(game.rules, white, black, state.setup.rulebook.draw_from_move)
    if not ruling.result:
        return say(state, ruling.message(), *questions.question(state.asking))
    note = Message.of("note_offer", colour=by)
    state = replace(state, game=game.noted(note, "(=)"), draw=replace(state.draw, offer=by))
    if state.two_persons:
        state = resting(state)
        return say(state, *questions.question(state.asking))
    state, effects = say(state, Message.of("draw_offered"))
    return state, (*effects, AskEngineForDraw())


def answered(state: State, *, accepts: bool) -> Step:
    """The offer of a draw is accepted, or refused aloud."""
    state = replace(state, draw=state.draw.without_offer())
    if isinstance(state.asking, questions.Offered):
        state = resting(state)
    if state.game.result:
        return ignored(state, EngineAnswered)
    if accepts:
        made = (state.game.made_by(colour) for colour in COLOURS)
        return _said(judged(state, game_end.agreement(state.game.rules, *made)))
    again = questions.question(state.asking)
    return say(state, Message.of("draw_refused"), queries.turn(state.game), *again)


def refused_by_playing(state: State, colour: str) -> tuple[State, tuple[Message, ...]]:
    """Touching a piece or making a move declines the draw that was offered (9.1.2.1; 2018)."""
    if not state.draw.offer or state.draw.offer == colour or not state.two_persons:
        return state, ()
    return replace(state, draw=state.draw.without_offer()), (Message.of("draw_refused"),)


def _said(told: tuple[State, tuple[Message, ...]]) -> Step:
    state, messages = told
    return say(state, *messages)
