# SPDX-License-Identifier: GPL-3.0-or-later
"""`step(state, event) -> (state, effects)`: the whole game as a function, without I/O."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acessivel import dialogue, queries
from acessivel.dialogue import NOTHING, Asking, Offered, Turn
from acessivel.events import (
    AskEngine,
    AskEngineForDraw,
    DeviceNews,
    Effect,
    EngineAnswered,
    EngineFailed,
    EngineMoved,
    Event,
    Heard,
    Leave,
    Resumed,
    Say,
    SpeechEnded,
    SquarePointed,
    Started,
    Tick,
)
from acessivel.game import Game, Setup, win_for
from acessivel.message import Message
from acessivel.rules import Fact, other
from voices import grammar
from voices.hearing import read
from voices.meaning import Answer, Command, CommandName, Place, Reading

_MOST_FAILURES = 2  # in a row; then the engine is given up and the game goes on without it


@dataclass(frozen=True, slots=True)
class State:
    """A session between two events.

    `clock_waits`: the time of the side to move starts when speech has ended or something is announced.
    `confirm`: what may say yes in this run, "any" words or a "key" only.
    """

    setup: Setup
    game: Game
    asking: Asking = NOTHING
    last_said: tuple[Message, ...] = ()
    clock_waits: bool = True
    confirm: str = "any"
    draw_offered: bool = False
    engine_failures: int = 0
    engine_given_up: bool = False
    now_ms: int = 0

    @classmethod
    def new(cls, setup: Setup) -> State:
        """The state before the first event; errors as of `Game.new`."""
        return cls(setup, Game.new(setup))

    @property
    def two_persons(self) -> bool:
        """Whether the moves of both sides are announced: always, or in this run for want of an engine."""
        return self.setup.opponent == "human" or self.engine_given_up

    @property
    def engine_to_move(self) -> bool:
        """Whether the engine's move is awaited."""
        mine = self.game.position.turn in self.setup.persons
        return not (self.game.result or self.two_persons or mine)


Step = tuple[State, tuple[Effect, ...]]


def expectation(state: State) -> tuple[str, tuple[str, ...]]:
    """What can be said at all, as a grammar, and the phrases that are possible now."""
    moves = () if state.game.result else (fact.meaning for fact in state.game.position.legal)
    asked = dialogue.answers(state.asking)
    return grammar.expectation(moves, state.setup.convention, state.setup.language, asked)


def step(state: State, event: Event) -> Step:
    """What an event makes of a state, and what is to be done about it. Changes nothing else."""
    if not isinstance(event, Resumed):
        event = replace(event, at=max(event.at, state.now_ms))
        flagged = state.game.flag_fallen(event.at)
        if flagged is not state.game:
            state = replace(state, game=flagged, asking=NOTHING, now_ms=event.at)
            return _say(state, queries.over(flagged))
        state = replace(state, now_ms=event.at)
    match event:
        case Started(confirm=confirm):
            return _started(replace(state, confirm=confirm))
        case Resumed(confirm=confirm):
            return _resumed(replace(state, confirm=confirm), event.at)
        case Heard(words=words):
            setup = state.setup
            readings = tuple(read(text, setup.language, setup.convention) for text in words)
            return _heard(_clock_runs(state), event, readings)
        case SquarePointed(square=square):
            return _pointed(state, Place(*square))
        case EngineMoved(uci=uci):
            return _engine_moved(state, uci)
        case EngineAnswered(accepts=accepts) if state.draw_offered:
            return _draw_answered(state, accepts)
        case EngineFailed():
            return _engine_failed(state)
        case SpeechEnded():
            return _clock_runs(state), ()
        case DeviceNews(key=key):
            return state, (Say((Message.of(key), *dialogue.question(state.asking))),)
        case Tick() | _:
            return state, ()


def _say(state: State, *messages: Message) -> Step:
    return replace(state, last_said=messages), (Say(messages),)


def _clock_runs(state: State) -> State:
    """The time of the side to move starts, if it was waiting for the end of an announcement."""
    if not state.clock_waits:
        return state
    return replace(state, game=state.game.let_run(state.now_ms), clock_waits=False)


def _started(state: State) -> Step:
    opening = [Message.of("welcome"), _setup_message(state)]
    if state.game.result:
        return _say(state, *opening, queries.over(state.game))
    return _with_engine(_say(state, *opening, queries.turn(state.game)))


def _setup_message(state: State) -> Message:
    if state.setup.opponent == "human":
        return Message.of("setup_human")
    return Message.of("setup_engine", colour=state.setup.colour, level=state.setup.level)


def _resumed(state: State, at: int) -> Step:
    """Go on in a new run: the time since the last event is nobody's."""
    clock = state.game.clock.stop(state.now_ms) if state.game.clock else None
    # The new run counts its ms from 0.
    clock = replace(clock, since_ms=at) if clock else None
    state = replace(
        state,
        game=replace(state.game, clock=clock),
        now_ms=at,
        clock_waits=True,
        engine_failures=0,
        engine_given_up=False,
    )
    messages = [Message.of("resumed"), queries.played(state.game)]
    messages += [queries.over(state.game)] if state.game.result else [queries.turn(state.game)]
    state, effects = _with_engine(_say(state, *messages, *dialogue.question(state.asking)))
    return state, (*effects, *((AskEngineForDraw(),) if state.draw_offered else ()))


def _with_engine(result: Step) -> Step:
    """Let the engine think when the move is its own."""
    state, effects = result
    if not state.engine_to_move:
        return result
    return _clock_runs(state), (*effects, AskEngine())


def _heard(state: State, event: Heard, alternatives: tuple[tuple[Reading, ...], ...]) -> Step:
    turn = dialogue.respond(
        state.asking,
        alternatives if event.sure else dialogue.unsure(alternatives),
        state.game.position,
        barred=_barred(state),
        over=state.game.result is not None,
    )
    if why := _unheeded(state, event, turn, alternatives):
        return state, (Say((why, *dialogue.question(state.asking))),)
    state = replace(state, asking=turn.asking)
    if turn.commit:
        return _commit(state, turn.commit)
    if turn.do:
        return _done(state, turn.do)
    if turn.answered is not None:
        return _draw_answered(state, turn.answered)
    if turn.command and not turn.say:
        return _asked(state, turn.command)
    if not any(alternatives[:1]):
        return state, (Say(turn.say),)
    return _say(state, *turn.say)


def _pointed(state: State, square: Place) -> Step:
    """A square answers the open question if it can; else it is told what stands there."""
    turn = dialogue.pointed(state.asking, square, state.game.position)
    if turn:
        return _say(replace(state, asking=turn.asking), *turn.say)
    command = Command(CommandName.SQUARE, place=square)
    told = queries.square(command, state.game, state.now_ms)
    return _say(state, *told, *dialogue.question(state.asking))


def _unheeded(
    state: State, event: Heard, turn: Turn, alternatives: tuple[tuple[Reading, ...], ...]
) -> Message | None:
    """Why an answer does not count, if it does not."""
    said = alternatives[0] if alternatives else ()
    answers = any(isinstance(reading.meaning, Answer) for reading in said)
    if event.early and answers and state.asking != NOTHING:
        return Message.of("answer_early")
    if event.spoken and state.confirm == "key" and (turn.commit or turn.do or turn.answered):
        return Message.of("answer_by_key")
    return None


def _barred(state: State) -> Message | None:
    """Why no move can be announced now, if none can."""
    if state.game.result:
        return Message.of("game_is_over", result=queries.over(state.game))
    if state.engine_to_move:
        return Message.of("not_your_turn", colour=state.game.position.turn)
    return None


def _asked(state: State, command: Command) -> Step:
    """Answer a question, and put the open one again."""
    again = dialogue.question(state.asking)
    if command.name is CommandName.REPEAT:
        return state, (Say(state.last_said or again),)
    answered = queries.answer(command, state.game, state.now_ms) or ()
    return _say(state, *answered, *again)


def _commit(state: State, fact: Fact) -> Step:
    """Play a confirmed move; only this and `_engine_moved` add a move to the game."""
    state = replace(state, game=state.game.play(fact, state.now_ms), clock_waits=True)
    messages = [queries.played(state.game)]
    if state.game.result:
        return _say(state, *messages, queries.over(state.game))
    if state.two_persons:
        messages.append(queries.turn(state.game))
        state = _clock_runs(state)
    return _with_engine(_say(state, *messages))


def _engine_moved(state: State, uci: str) -> Step:
    fact = next((fact for fact in state.game.position.legal if fact.uci == uci), None)
    if fact is None or not state.engine_to_move:
        return state, ()
    state = replace(state, game=state.game.play(fact, state.now_ms), clock_waits=True, engine_failures=0)
    messages = [queries.played(state.game)]
    if state.game.result:
        messages.append(queries.over(state.game))
    return _say(state, *messages, *dialogue.question(state.asking))


def _engine_failed(state: State) -> Step:
    """Try once more; then give the engine up, and let both sides be announced."""
    failures = state.engine_failures + 1
    if failures < _MOST_FAILURES:
        state = replace(state, engine_failures=failures)
        return _with_engine(_say(state, Message.of("engine_failed"), *dialogue.question(state.asking)))
    state = replace(state, engine_given_up=True, draw_offered=False)
    turn = queries.turn(state.game)
    return _say(state, Message.of("engine_given_up"), turn, *dialogue.question(state.asking))


def _done(state: State, command: CommandName) -> Step:
    """Resign, offer a draw or stop, after its yes."""
    if command is CommandName.STOP:
        return state, (Leave(),)
    if state.game.result:
        return _say(state, Message.of("game_is_over", result=queries.over(state.game)))
    by = state.game.position.turn if state.two_persons else state.setup.colour
    if command is CommandName.RESIGN:
        game = state.game.finish(win_for(other(by)), "resignation", state.now_ms)
        return _say(replace(state, game=game, asking=NOTHING), queries.over(game))
    if state.two_persons:
        state = replace(state, asking=Offered(by))
        return _say(state, *dialogue.question(state.asking))
    state, effects = _say(replace(state, draw_offered=True), Message.of("draw_offered"))
    return state, (*effects, AskEngineForDraw())


def _draw_answered(state: State, accepts: bool) -> Step:
    state = replace(
        state, asking=NOTHING if isinstance(state.asking, Offered) else state.asking, draw_offered=False
    )
    if state.game.result:
        return state, ()
    if accepts:
        game = state.game.finish("1/2-1/2", "agreement", state.now_ms)
        return _say(replace(state, game=game, asking=NOTHING), queries.over(game))
    again = dialogue.question(state.asking)
    return _say(state, Message.of("draw_refused"), queries.turn(state.game), *again)
