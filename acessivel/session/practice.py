# SPDX-License-Identifier: GPL-3.0-or-later
"""What practice allows and a game does not: hints, evaluation, "why was that bad", taking a move back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.confirmation import NOT_AFTER_THE_END, ONLY_AFTER_THE_END
from acessivel.dialogue.questions import NOTHING
from acessivel.dialogue.turn import Turn
from acessivel.game.game import ON_THE_BOARD
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.rules.position import Fact
from acessivel.session import fair_play
from acessivel.session.changes import ignored, resting, say
from acessivel.session.effects import AskEngineForAdvice
from acessivel.session.evaluation import Judgement, evaluation, explanation, facts
from acessivel.session.events import EngineCompared, EngineJudged
from acessivel.session.state import DrawState, Hint, PracticeState, State, Step, TouchState
from voices.meaning import CommandName, MovePattern, Piece

_ONLY_HERE = queries.ENGINE_ADVICE | queries.BOARD_ADVICE | {CommandName.TAKE_BACK}
_ONLY_IN_A_HALL = frozenset({CommandName.NEXT_PAIRING})
_AFTER_THE_END = frozenset({CommandName.OPENING})  # helps nobody any more


def allowed(state: State, turn: Turn) -> Turn:
    """What was understood, unless it asks for something that this game does not allow, or not now."""
    name = turn.command and turn.command.name
    why = name and (fair_play.refused(state, name) or _refusal(state, name))
    return Turn(state.asking, (why, *questions.question(state.asking))) if why else turn


def advises(state: State) -> bool:
    """Whether this is a practice game: begun as one, and not between two people with a clock."""
    return state.setup.practice and not (state.at_server or (state.two_persons and state.game.clock))


def commands(state: State) -> Iterator[CommandName]:
    """What can be said in this game as it stands, before or after its end."""
    barred = NOT_AFTER_THE_END if state.game.result else ONLY_AFTER_THE_END | {CommandName.SIGN}
    barred |= frozenset() if advises(state) or state.at_server else _ONLY_HERE
    barred |= frozenset() if state.hall.joined else _ONLY_IN_A_HALL
    barred -= _AFTER_THE_END if state.game.result else frozenset()
    return (name for name in CommandName if name not in barred and not fair_play.refused(state, name))


def _refusal(state: State, name: CommandName) -> Message | None:
    """Why a command of practice is refused; None if it is allowed, and for all other commands.

    The Laws forbid advice and taking back (11.3, 4.7; 2018), so no setting of another game allows it.
    """
    result = state.game.result
    if name not in _ONLY_HERE or state.at_server or (result and name in _AFTER_THE_END):
        return None
    if not advises(state):
        return Message.of("practice_only")
    if name in queries.BOARD_ADVICE:
        return None
    if state.engines_turn:
        return Message.of("not_your_turn", colour=state.game.position.turn)
    if state.arbiter.pending:
        return Message.of("arbiter_must_decide")
    if name in (CommandName.WHY, CommandName.TAKE_BACK):
        over = result and name is CommandName.TAKE_BACK and result.reason not in ON_THE_BOARD
        return _over(state) if over else None if _own_move(state) else Message.of("no_own_move")
    if result:
        return _over(state)
    return Message.of("repeat_first") if name is CommandName.HINT and state.to_repeat else None


def _over(state: State) -> Message:
    return Message.of("game_is_over", result=queries.over(state.game))


def _own_move(state: State) -> int:
    """The number of half-moves up to and including the player's last move; 0 if there is none."""
    played = state.game.played
    return next((n for n in range(len(played), 0, -1) if played[n - 1].fact.colour == state.speaker), 0)


def asked(state: State, name: CommandName) -> Step:
    """Let the engine judge what is asked about; a hint that was begun is completed."""
    ply = len(state.game.played)
    if (
        name is CommandName.HINT
        and state.practice.hint
        and state.practice.hint.position == state.game.position
    ):
        return say(
            state, Message.of("hint_move", move=state.practice.hint.fact), *questions.question(state.asking)
        )
    if name is CommandName.WHY:
        ply = _own_move(state)
        fact = state.game.played[ply - 1].fact
        if state.game.result and ply == len(state.game.played) and state.game.result.reason == "checkmate":
            return say(state, Message.of("why_best", move=fact))
    ask = AskEngineForAdvice(name, ply)
    waits = state.practice.advice
    state = replace(state, practice=replace(state.practice, advice=name))
    if not waits:
        return state, (ask,)
    state, told = say(state, Message.of("working"), *questions.question(state.asking))
    return state, (*told, ask)


def judged(state: State, event: EngineJudged) -> Step:
    """Tell the requested hint or evaluation, unless the game has moved on."""
    if state.practice.advice != event.about:
        return ignored(state, type(event))
    state = replace(state, practice=replace(state.practice, advice=""))
    if event.ply != len(state.game.played) or state.game.result:
        return ignored(state, type(event))
    told = Judgement(event.cp, event.mate, event.line)
    again = questions.question(state.asking)
    if event.about != CommandName.HINT:
        return say(state, evaluation(told), *again)
    found = facts(state.game.position, event.line[:1])
    if not found:
        return say(state, Message.of("no_advice"), *again)
    state = replace(state, practice=replace(state.practice, hint=Hint(state.game.position, found[0])))
    return say(state, _first_hint(found[0]), *again)


def _first_hint(fact: Fact) -> Message:
    """Tell the piece that should move; its target only if the hint is requested again."""
    if isinstance(fact.meaning, MovePattern):
        return Message.of("hint_piece", piece=fact.meaning.piece or Piece.PAWN, square=fact.meaning.origin)
    return Message.of("hint_castling")


def compared(state: State, event: EngineCompared) -> Step:
    """Tell what the player's last move has lost, if that is still what was asked about."""
    if state.practice.advice != CommandName.WHY:
        return ignored(state, type(event))
    state = replace(state, practice=replace(state.practice, advice=""))
    if event.ply != _own_move(state):
        return ignored(state, type(event))
    before = state.game.back_to(event.ply - 1, state.now_ms).position
    told = explanation(
        state.game.played[event.ply - 1].fact,
        before,
        Judgement(event.best_cp, event.best_mate, event.best),
        Judgement(event.cp, event.mate, event.reply),
    )
    return say(state, *told, *questions.question(state.asking))


def unadvised(state: State) -> Step:
    """The engine did not answer a question about advice; it can be asked again."""
    state = replace(state, practice=replace(state.practice, advice=""))
    return say(state, Message.of("no_advice"), *questions.question(state.asking))


def taken_back(state: State) -> Step:
    """Take back the player's last move and the reply; the time that was used stays used.

    The journal keeps what happened; the record shows the game as it stands.
    """
    if why := _refusal(state, CommandName.TAKE_BACK):
        return say(state, why, *questions.question(state.asking))
    ply = _own_move(state) - 1
    moves = tuple(move.fact for move in state.game.played[ply:])
    game = state.game.back_to(ply, state.now_ms)
    game = replace(game, notes=tuple(note for note in state.game.notes if note.ply <= ply))
    state = replace(
        state,
        game=replace(game, signed=()),
        asking=NOTHING,
        draw=DrawState(),
        touch=TouchState(),
        practice=PracticeState(),
        clocks=state.clocks.waiting(),
    )
    state = resting(state)
    told = Message.of("taken_back", moves=moves)
    return say(state, told, queries.turn(game), *questions.question(state.asking))
