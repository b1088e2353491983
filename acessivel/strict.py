# SPDX-License-Identifier: GPL-3.0-or-later
"""Irregular moves that were completed on the clock: found, taken back, penalised and counted (article 7)."""

from __future__ import annotations

from dataclasses import replace

from acessivel import dialogue, queries
from acessivel.dialogue import Promote
from acessivel.laws import irregularities
from acessivel.laws.irregularities import Finder, Found
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.rules import Fact, other
from acessivel.state import State, Step, clock_runs, judged, resting, say


def seen(state: State) -> tuple[State, tuple[Message, ...]]:
    """The move just completed, if it is irregular, seen by the arbiter: the program, where it supervises."""
    last = state.game.last
    if last is None or not last.irregular or not state.setup.supervised:
        return state, ()
    return _found(state, len(state.game.played) - 1, "arbiter")


def claimed(state: State) -> Step:
    """A player says that an illegal move was completed; nothing follows where there was none."""
    game = state.game
    wrong = [n for n, move in enumerate(game.played) if move.fact.irregular]
    if not wrong:
        note = Message.of("claim_illegal_wrong")
        return say(replace(state, game=game.noted(note)), note, *dialogue.question(state.asking))
    at = wrong[0] if game.rules.illegal_until == "end" else wrong[-1]
    state, messages = _found(state, at, "opponent")
    return say(state, *messages)


def pressed(state: State) -> Step:
    """The clock was pressed with no move to complete, or a pawn not promoted yet (7.5.2, 7.5.3; 2018)."""
    again = dialogue.question(state.asking)
    if not state.game.clock:
        return say(state, Message.of("no_clock"), *again)
    if not state.strict:
        return say(state, Message.of("press_nothing"), *again)
    if isinstance(state.asking, Promote):
        queen = state.game.position.unpromoted(state.asking.facts[0])
        state = replace(state, game=state.game.play(queen, state.now_ms), clock_waits=True, touched=())
        state, messages = seen(clock_runs(resting(state)))
        completed = Message.of("unpromoted", colour=queen.colour, number=queen.number, move=queen)
        return say(state, completed, *messages)
    by: Finder = "arbiter" if state.setup.supervised else "opponent"
    colour = state.game.position.turn
    ruling = irregularities.pressed_without_move(state.game.rules, _offence(state, colour, by))
    state, messages = judged(state, ruling)
    return say(state, *messages)


def _offence(state: State, colour: str, by: Finder) -> Found:
    before = state.game.offences.count(colour)
    return Found(colour, before, state.game.position.can_mate(other(colour)), by)


def _found(state: State, at: int, by: Finder) -> tuple[State, tuple[Message, ...]]:
    """The move of that place in the game is found to be irregular."""
    game = state.game
    fact, later = game.played[at].fact, len(game.played) - 1 - at
    offence = replace(
        _offence(state, fact.colour, by),
        since="moved" if later else "touched" if state.touched else "nothing",
    )
    before = game.back_to(at, state.now_ms)
    promotes = any(legal.squares == fact.squares for legal in before.position.legal)
    if promotes:
        ruling = irregularities.promotion_missed(game.rules, offence, fact.squares)
    else:
        ruling = irregularities.illegal_move(game.rules, offence)
    if not ruling.takes_back:
        return judged(state, ruling)
    return _taken_back(replace(state, game=before), ruling, fact)


def _taken_back(state: State, ruling: Ruling, fact: Fact) -> tuple[State, tuple[Message, ...]]:
    """Play goes on from the position before; what moved or was taken binds (7.5.1; 2018)."""
    taken = state.game.position.taken_on(fact)
    touched = (fact.uci[:2], *((taken,) if taken else ()))
    state = replace(state, touched=touched, offer=None, clock_waits=True)
    state, messages = judged(state, ruling)
    must = next((legal for legal in state.game.position.legal if legal.uci == ruling.must_play), None)
    if must:
        state = replace(state, game=state.game.play(must, state.now_ms), touched=())
        messages = (*messages, queries.played(state.game))
    state = clock_runs(state)
    last = queries.over(state.game) if state.game.result else queries.turn(state.game)
    return state, (*messages, last)
