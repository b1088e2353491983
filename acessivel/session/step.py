# SPDX-License-Identifier: GPL-3.0-or-later
"""`step(state, event) -> (state, effects)`: the whole game as a function, without I/O."""

from __future__ import annotations

from dataclasses import replace

from acessivel.clock import alarms
from acessivel.dialogue import questions
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    TAKES_YES,
    Claiming,
    Making,
    Touching,
)
from acessivel.game.levels import levels
from acessivel.game.results import WINNERS
from acessivel.message import Message
from acessivel.queries import exploration, queries
from acessivel.session import (
    adjournment,
    answers,
    draws,
    flags,
    hall,
    mate,
    moves,
    online,
    practice,
    preferences,
    sent_moves,
    server_news,
    start,
    two_boards,
    utterance,
)
from acessivel.session.changes import clock_runs, ignored, together, with_engine
from acessivel.session.effects import Effect, Say
from acessivel.session.events import (
    Adjourned,
    Arrived,
    Awaited,
    Chatted,
    Concluded,
    DeviceNews,
    EngineAnswered,
    EngineCompared,
    EngineFailed,
    EngineJudged,
    EngineMoved,
    Event,
    Explored,
    HallNews,
    Heard,
    Mannered,
    MateSought,
    MoveWritten,
    OpponentGone,
    Ordered,
    Proposed,
    RatingChanged,
    Resumed,
    Returned,
    SealingGivenUp,
    ServerRefused,
    ServerTold,
    SpeechEnded,
    SquarePointed,
    Started,
    Tick,
    Unsealed,
)
from acessivel.session.state import MateState, State, Step
from voices.grammar import grammar
from voices.meaning import Place

_OF_THE_USER = (Heard, Ordered, SquarePointed, Explored, Returned)
_NOBODY_HEARD = frozenset({"microphone_lost", "microphone_dead", "hearing_lost"})
_ANNOUNCING = (*ANNOUNCING, Claiming, Touching, Making)


def expectation(state: State) -> tuple[str, tuple[str, ...]]:
    """What can be said at all, as a grammar, and the phrases that are possible now."""
    moves = () if state.game.result else (fact.meaning for fact in state.announced_in.legal)
    asked = (*questions.answers(state.asking), *answers.named(state.asking))
    return grammar.expectation(moves, state.setup.convention, state.setup.language, asked)


def asked(state: State) -> tuple[str, ...]:
    """The phrases that answer the open question, if there is one."""
    if state.asking == NOTHING:
        return ()
    meanings = (*questions.answers(state.asking), *answers.named(state.asking))
    spoken_in = state.setup.convention, state.setup.language
    every, yeses = grammar.answers(*spoken_in), grammar.yeses(*spoken_in)
    takes_yes = isinstance(state.asking, TAKES_YES)
    return (
        *(word for word in every if takes_yes or word not in yeses),
        *grammar.in_words(meanings, *spoken_in),
    )


def step(state: State, event: Event) -> Step:
    """What an event makes of a state, and what is to be done about it; without side effects."""
    before = state
    state, effects = two_boards.kept_private(*_with_mates_found(state, event))
    if isinstance(event, _OF_THE_USER):
        state = sent_moves.objected(before, state)
    state = online.offering_on(before, state)
    return state, effects if state.asking != NOTHING else tuple(_with_result(state, one) for one in effects)


def _with_mates_found(state: State, event: Event) -> Step:
    """Like `_with_flags`, but if a ruling turns on a mate that is hard to find, look for it first."""
    if seeking := state.mate.seeking:
        match event:
            case MateSought():
                state, event = mate.answered(state, seeking, event)
            case DeviceNews() | Mannered() | Explored() | Returned() | HallNews():
                return _happened(state, event)
            case _:
                return mate.meanwhile(state, seeking, event)
    try:
        state, effects = _with_flags(state, event)
    except mate.MateOpenError as asked:
        return mate.seek(state, event, asked)
    return replace(state, mate=MateState()), effects


def _with_flags(state: State, event: Event) -> Step:
    """Like `_happened`, with the flags that fall by then.

    Whatever happens, a fallen flag is announced at once, and ruled on or told before anything else can
    happen.
    """
    if not isinstance(event, Resumed):
        event = replace(event, at=max(event.at, state.now_ms))
        state = replace(state, now_ms=event.at)
        if fell := flags.felt(state, event):
            return fell
    ruling: tuple[Effect, ...] = ()
    if state.flags.ruling_due:
        state, ruling = flags.ruled(state)
        if state.game.result and not isinstance(event, Resumed):
            return state, ruling
    elif state.flags.fell:
        state, ruling = flags.told(state, event)
    told = () if state.game.result else ruling  # resuming a game tells its result anyway
    state, effects = together(told, _happened(state, event))
    if fell := flags.felt(state, Tick(at=state.now_ms)):
        state, first = fell
        return state, (*first[:-1], *effects, first[-1])
    return state, effects


def _with_result(state: State, effect: Effect) -> Effect:
    """Append to the end of the game, while nothing is asked, whether the user won and what can be done."""
    if not (isinstance(effect, Say) and any(message.key == "over" for message in effect.messages)):
        return effect
    return replace(effect, messages=(*effect.messages, *_own_result(state), *_what_follows(state)))


def _what_follows(state: State) -> tuple[Message, ...]:
    """What can be done after the end; nothing in the introduction, which ends with the game."""
    if state.setup.lessons:
        return ()
    if state.setup.drill:
        return (Message.of("after_drill"),)
    unsigned = set(state.setup.persons) - set(state.game.signed)
    signs = unsigned and not (state.setup.practice or state.at_server)
    return (Message.of("after_over" if signs else "after_signing"),)


def _own_result(state: State) -> tuple[Message, ...]:
    """Whether the user won or lost, if one side is his alone; after a win, how to play a stronger engine."""
    winner = state.game.result and WINNERS.get(state.game.result.score)
    if not winner or state.two_persons:
        return ()
    if winner != state.setup.colour:
        return (Message.of("you_lost"),)
    stronger = state.setup.level + 1
    if state.setup.practice or state.setup.lessons or state.at_server or stronger not in levels():
        return (Message.of("you_won"),)
    return Message.of("you_won"), Message.of("next_level", level=stronger, elo=levels()[stronger].elo)


def wakes_in(state: State, now_ms: int, *, quiet: bool) -> int | None:
    """In how many ms the clock has something to announce, if nothing happens; `quiet` as in `Tick`."""
    clock = state.game.clock
    waits = [
        server_news.wakes_in(state, now_ms, quiet=quiet and _may_ring(state)),
        sent_moves.wakes_in(state, now_ms, quiet=quiet),
        hall.wakes_in(state, quiet=quiet and _may_ring(state)),
    ]
    if not clock or state.game.result or state.mate.seeking:
        return min((ms for ms in waits if ms is not None), default=None)
    times = alarms.parse(state.setup.timing.alarms)
    if (
        quiet
        and _may_ring(state)
        and alarms.due(clock, now_ms, times, state.clocks.rung).rung != state.clocks.rung
    ):
        return 0
    waits.append(alarms.next_in(clock, now_ms, times))
    return min((ms for ms in waits if ms is not None), default=None)


def _happened(state: State, event: Event) -> Step:  # noqa: PLR0912  # one line for each kind of event
    """What an event leads to by itself."""
    match event:
        case Started() | Resumed():
            return _begun(state, event)
        case Heard():
            return utterance.heard(state, event)
        case SquarePointed():
            return utterance.pointed(state, event)
        case Ordered():
            return utterance.ordered(state, event)
        case Explored() | Returned():
            return state, (Say(_felt(state, event), private=state.setup.two_boards),)
        case EngineMoved() | EngineAnswered() | EngineFailed() | EngineJudged() | EngineCompared():
            return _from_engine(state, event)
        case ServerTold() | ServerRefused() | OpponentGone() | Chatted() | RatingChanged():
            return _from_server(state, event)
        case SpeechEnded():
            return _spoken(state, event)
        case (
            MoveWritten() | SealingGivenUp() | Adjourned() | Awaited() | Arrived() | Concluded() | Unsealed()
        ):
            return with_engine(adjournment.happened(state, event))
        case Proposed() | HallNews():
            return with_engine(hall.happened(state, event))
        case Mannered():
            return replace(state, preferences=preferences.begun(event)), ()
        case DeviceNews():
            return _news(state, event)
        case Tick(quiet=quiet):
            return _rung(state) if quiet else (state, ())  # time has passed, and `_with_flags` handles flags
    return ignored(state, type(event))


def _begun(state: State, event: Started | Resumed) -> Step:
    """A new run of the program begins or goes on with the game."""
    state = hall.joined(replace(state, confirm=event.confirm), followed=event.hall)
    if isinstance(event, Resumed):
        return start.resumed(state, event.at)
    return start.started(state, brief=event.brief)


def _news(state: State, event: DeviceNews) -> Step:
    """A device was lost or came back; a move that needs no yes does not go where no voice can object."""
    state = replace(state, preferences=preferences.after(state.preferences, event))
    if event.key in _NOBODY_HEARD:
        state = sent_moves.after_speech(state, heard=False)
    state = server_news.connected(state, event)
    return state, (Say((Message.of(event.key), *questions.question(state.asking))),)


def _spoken(state: State, event: SpeechEnded) -> Step:
    """What was being said is over: the clock, answers and a sent move have waited for that."""
    state = clock_runs(answers.after_speech(state, event))
    return sent_moves.after_speech(state, heard=event.heard), ()


def _felt(state: State, event: Explored | Returned) -> tuple[Message, ...]:
    """Tell what is under the board cursor; when it leaves the board, what is awaited."""
    if isinstance(event, Returned):
        return _due(state)
    return exploration.told(event.what, Place(*event.square), state.game, state.now_ms)


def _from_engine(
    state: State, event: EngineMoved | EngineAnswered | EngineFailed | EngineJudged | EngineCompared
) -> Step:
    """The engine has moved or answered, or given what a practice command asked for."""
    match event:
        case EngineMoved(plies=plies) if plies not in (None, len(state.game.played)):
            return ignored(state, EngineMoved)  # to a position that the arbiter has taken back
        case EngineMoved(uci=uci):
            return moves.engine_moved(state, uci)
        case EngineFailed():
            return moves.engine_failed(state)
        case EngineJudged():
            return practice.judged(state, event)
        case EngineCompared():
            return practice.compared(state, event)
        case EngineAnswered(accepts=accepts) if state.draw.offer and not state.two_persons:
            return draws.answered(state, accepts=accepts)
    return ignored(state, type(event))


def _from_server(
    state: State, event: ServerTold | ServerRefused | OpponentGone | Chatted | RatingChanged
) -> Step:
    """A server has told about its game, in a game that is played there."""
    if not state.at_server:
        return ignored(state, type(event))
    match event:
        case ServerTold():
            return online.told(state, event)
        case ServerRefused():
            return server_news.refused(state, event)
        case OpponentGone():
            return server_news.gone(state, event)
        case Chatted():
            return server_news.chatted(state, event)
        case RatingChanged():
            return server_news.rated(state, event)


def _may_ring(state: State) -> bool:
    """Whether no move, touched piece or order waits: only then may the clock speak up by itself."""
    orders = isinstance(state.asking, questions.Sure)
    return not (state.game.result or orders or isinstance(questions.innermost(state.asking), _ANNOUNCING))


def _rung(state: State) -> Step:
    """The marks and alarms that the clock has reached; the last answer can still be repeated."""
    if sent := sent_moves.due(state):
        return sent
    if _may_ring(state) and (news := server_news.due(state) or hall.due(state)):
        return news
    if not state.game.clock or not _may_ring(state):
        return state, ()
    times = alarms.parse(state.setup.timing.alarms)
    due = alarms.due(state.game.clock, state.now_ms, times, state.clocks.rung)
    messages = (*due.messages, *questions.question(state.asking))
    told = (Say(messages, private=state.setup.two_boards, unasked=True),) if due.messages else ()
    return replace(state, clocks=replace(state.clocks, rung=due.rung)), told


def _due(state: State) -> tuple[Message, ...]:
    """What is awaited: an answer to the open question, or a move."""
    over = queries.over(state.game) if state.game.result else queries.turn(state.game)
    return questions.question(state.asking) or (over,)
