# SPDX-License-Identifier: GPL-3.0-or-later
"""Irregular moves that were completed on the clock: found, taken back, penalised and counted (article 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import ANNOUNCING, Promote
from acessivel.dialogue.turn import Obey, Turn
from acessivel.game.game import Game
from acessivel.laws import irregularities
from acessivel.laws.irregularities import Finder, Irregularity
from acessivel.laws.ruling import Ruling
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import Position, other
from acessivel.session import draws, mate
from acessivel.session.changes import clock_runs, judged, resting, say
from acessivel.session.state import DrawState, State, Step
from voices.meaning import Command, CommandName, Meaning


def seen(state: State) -> tuple[State, tuple[Message, ...]]:
    """The move just completed, if it is irregular, seen by the arbiter: the program, if it supervises.

    Where he acts only on a claim he says nothing, which would tell the opponent (C3, 13.6; 2001).
    """
    last = state.game.last
    if last is None or not last.irregular or not state.setup.rulebook.supervised:
        return state, ()
    at = len(state.game.played) - 1
    ruling = _ruling(state, at, "arbiter")
    return (state, ()) if ruling.key == "illegal_unasked" else penalised(state, at, ruling)


def followed(state: State) -> tuple[State, tuple[Message, ...]]:
    """The arbiter had seen an illegal position: if it still stands after this move, it is drawn (A.4.4)."""
    if not state.arbiter.watched:
        return state, ()
    state = replace(state, arbiter=replace(state.arbiter, watched=False))
    if not illegal_stands(state):
        return state, ()
    return judged(state, irregularities.illegal_position(state.game.rules, next_move_completed=True))


def claimed(state: State) -> Step:
    """A player claims that an illegal move was completed; if there was none, nothing follows."""
    game = state.game
    wrong = [n for n, move in enumerate(game.played) if move.fact.irregular]
    state = _without_outdated_press(state, wrong)
    if state.clocks.pressed:
        colour, plies = state.clocks.pressed
        found = offence(state, colour, "opponent", plies, game.back_to(plies, 0).position)
        ruling = irregularities.pressed_without_move(game.rules, found)
        state = replace(
            state, clocks=replace(state.clocks, pressed=None, waits=True), game=game.pause(state.now_ms)
        )
        state, messages = judged(state, ruling)
        return say(state, *messages)
    if not wrong:
        note = Message.of("claim_illegal_wrong")
        return say(replace(state, game=game.noted(note)), note, *questions.question(state.asking))
    at = wrong[0] if game.rules.illegal_until == "end" else wrong[-1]
    state, messages = _found(state, at, "opponent")
    return say(state, *messages)


def _without_outdated_press(state: State, wrong: Sequence[int]) -> State:
    """The state without a press that an illegal move has followed, where only the last can be claimed."""
    pressed, last_only = state.clocks.pressed, state.game.rules.illegal_until != "end"
    if last_only and pressed and wrong and wrong[-1] >= pressed[1]:
        return replace(state, clocks=replace(state.clocks, pressed=None))
    return state


def who_presses_back(state: State) -> str:
    """For whom it is to press a clock back that was pressed without a move; "" if that is not known."""
    pressed = state.clocks.pressed if state.clocks.press_stands else None
    return other(pressed[0]) if pressed else ""


def pressed_back(state: State, said: Meaning | None) -> Turn | None:
    """A clock is pressed back on the page of whose it runs: it completes no move that the other announces."""
    press = Command(CommandName.PRESS)
    return Turn(state.asking, do=Obey(press)) if said == press and _is_pressing_back(state) else None


def _is_pressing_back(state: State) -> bool:
    return state.by != "" and state.by == who_presses_back(state)


def pressed(state: State) -> Step:
    """The clock was pressed with no move to complete, or a pawn not yet promoted (7.5.2, 7.5.3; 2018)."""
    again = questions.question(state.asking)
    if not state.game.clock:
        return say(state, Message.of("no_clock"), *again)
    if not state.strict:
        return say(state, Message.of("press_nothing"), *again)
    if _is_pressing_back(state):
        return _press_stands(state)
    if state.clocks.completed and state.by != other(state.clocks.completed):
        return say(state, Message.of("pressed_already"), queries.turn(state.game), *again)
    if isinstance(state.asking, Promote):
        return _press_unpromoted(state, state.asking)
    if isinstance(state.asking, ANNOUNCING):
        return say(state, *again)  # a move is made: which, is not known yet
    if not state.setup.rulebook.supervised:
        return _press_stands(state)
    position = state.game.position
    seen_at_once = offence(state, position.turn, "arbiter", len(state.game.played), position)
    state, messages = judged(state, irregularities.pressed_without_move(state.game.rules, seen_at_once))
    return say(state, *messages)


def _press_unpromoted(state: State, asking: Promote) -> Step:
    """A pawn was not promoted yet: its move is completed, or the piece must be chosen first (escolar-br)."""
    game, fact = state.game, asking.facts[0]
    if game.rules.promotion == "finish":
        unfinished = Irregularity(fact.colour, game.offences.count(fact.colour), "yes")
        why = irregularities.promotion_missed(game.rules, unfinished, fact.squares).message()
        return say(replace(state, game=game.noted(why)), why, *questions.question(asking))
    queen = game.position.unpromoted(fact)
    state = replace(
        state,
        game=game.play(queen, state.now_ms),
        clocks=state.clocks.waiting(),
        touch=state.touch.released(),
    )
    state, refused = draws.settled(state, queen)
    state, messages = seen(clock_runs(resting(state)))
    completed = Message.of("unpromoted", colour=queen.colour, number=queen.number, move=queen)
    return say(state, *refused, completed, *messages)


def _press_stands(state: State) -> Step:
    """Nobody has noticed: the opponent's time runs, until he claims it or presses back, or a move is made."""
    colour, plies = state.game.position.turn, len(state.game.played)
    if state.clocks.pressed == (colour, plies):
        back = replace(state.clocks.waiting(), pressed=None)
        state = clock_runs(replace(state, game=state.game.pause(state.now_ms), clocks=back))
        return say(
            state, Message.of("pressed_back"), queries.turn(state.game), *questions.question(state.asking)
        )
    game = state.game.awaiting(other(colour), state.now_ms)
    clocks = replace(state.clocks, pressed=(colour, plies), press_stands=True, waits=False)
    state = replace(state, game=game, clocks=clocks)
    return say(state, Message.of("press_stands", colour=colour, opponent=other(colour)))


def offence(state: State, colour: str, by: Finder, plies: int, put_back: Position) -> Irregularity:
    """An offence of a side after so many moves, with how far the game has gone on since.

    `put_back`: the position that is restored; whether the opponent can mate is asked of it, and only where
    that decides (7.4b, 2009; 7.5.5, 2018).
    """
    game = state.game
    replied = any(move.fact.colour != colour for move in game.played[plies:])
    touched = state.touch.squares and game.position.turn != colour
    before = game.offences.count(colour)
    asked = irregularities.turns_on_mate(game.rules, before)
    return Irregularity(
        colour,
        before,
        mate.can_mate(state, put_back, other(colour)) if asked else "yes",
        by,
        "moved" if replied else "touched" if touched else "nothing",
    )


def illegal_stands(state: State) -> bool:
    """Whether both kings are in check, or an unpromoted pawn still stands on the last rank."""
    game = state.game
    return game.position.both_in_check or any(
        _promotes(game, at) and not _is_gone(state, at)
        for at, move in enumerate(game.played)
        if move.fact.irregular
    )


def _is_gone(state: State, at: int) -> bool:
    """Whether what a move has brought to its square, by its index, has left it since or was taken there."""
    played = state.game.played
    square = played[at].fact.uci[2:4]
    return any(square in (move.fact.uci[:2], move.fact.uci[2:4]) for move in played[at + 1 :])


def last_found(state: State) -> tuple[State, tuple[Message, ...]]:
    """Penalise the last irregular move as if it were claimed."""
    wrong = [n for n, move in enumerate(state.game.played) if move.fact.irregular]
    return _found(state, wrong[-1], "opponent") if wrong else (state, ())


def _promotes(game: Game, at: int) -> bool:
    """Whether an irregular move, by its index, is a legal pawn move but for the missing promotion."""
    before = game.back_to(at, 0).position
    return any(legal.squares == game.played[at].fact.squares for legal in before.legal)


def _found(state: State, at: int, by: Finder) -> tuple[State, tuple[Message, ...]]:
    """Rule on an irregular move of the game, by its index, and carry it out."""
    return penalised(state, at, _ruling(state, at, by))


def _ruling(state: State, at: int, by: Finder) -> Ruling:
    game = state.game
    fact = game.played[at].fact
    what = offence(state, fact.colour, by, at + 1, game.back_to(at, 0).position)
    if _promotes(game, at):
        return irregularities.promotion_missed(game.rules, what, fact.squares)
    return irregularities.illegal_move(game.rules, what)


def _still_offered(state: State, colour: str) -> DrawState:
    """The offer of a draw once a side's move is taken back: its own goes with the next (9.1.2.1; 2018)."""
    own = state.draw.offer == colour
    return replace(state.draw.without_offer(), with_move=colour) if own else state.draw


def penalised(state: State, at: int, ruling: Ruling) -> tuple[State, tuple[Message, ...]]:
    """Carry out the ruling on a move, by its index; if it is taken back, its pieces bind (7.5.1; 2018)."""
    if not ruling.takes_back:
        return judged(state, ruling)
    fact = state.game.played[at].fact
    state = replace(state, game=state.game.uncompleted(at, state.now_ms))
    taken = state.game.position.taken_on(fact)
    touched = (fact.uci[:2], *((taken,) if taken else ()))
    state = replace(
        state,
        touch=replace(state.touch, squares=touched, moved=touched[0]),
        draw=_still_offered(state, fact.colour),
        clocks=state.clocks.waiting(),
    )
    state, messages = judged(state, ruling)
    asked = state.asking
    must = next((legal for legal in state.game.position.legal if legal.uci == ruling.must_play), None)
    if must:
        state = replace(state, game=state.game.play(must, state.now_ms), touch=state.touch.released())
        state, _ = draws.offered_with(state, fact.colour)
        messages = (*messages, queries.played(state.game))
    state = clock_runs(resting(state))
    last = queries.over(state.game) if state.game.result else queries.turn(state.game)
    offered = () if state.asking == asked else questions.question(state.asking)
    return state, (*messages, last, *offered)
