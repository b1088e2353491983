# SPDX-License-Identifier: GPL-3.0-or-later
"""`step(state, event) -> (state, effects)`: the whole game as a function, without I/O."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from acessivel.clock import alarms
from acessivel.dialogue import confirmation, pointed_squares, questions
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Claiming,
    Confirm,
    Making,
    Missing,
    Touching,
)
from acessivel.dialogue.turn import (
    AcceptDraw,
    AllowTakeBack,
    AnswerAlone,
    CallArbiter,
    CarryOut,
    ClaimDraw,
    ClaimOn,
    CountMove,
    DecideAsArbiter,
    DeclineDraw,
    GoOn,
    Obey,
    PlayMove,
    RefuseTakeBack,
    SendReply,
    SignResult,
    TellTopic,
    TouchPiece,
    Turn,
)
from acessivel.game.levels import levels
from acessivel.game.results import WINNERS
from acessivel.laws import topics
from acessivel.laws.editions import edition
from acessivel.laws.ruling import cited
from acessivel.message import Message
from acessivel.queries import exploration, queries
from acessivel.session import (
    adjournment,
    answers,
    arbiter,
    commands,
    draws,
    flags,
    hall,
    long_answers,
    mate,
    moves,
    online,
    pages,
    practice,
    preferences,
    repeat_back,
    sent_moves,
    server_news,
    server_requests,
    signatures,
    start,
    touched_pieces,
    two_boards,
    yes_hint,
)
from acessivel.session.events import (
    Adjourned,
    Arrived,
    Awaited,
    Chatted,
    DeviceNews,
    Effect,
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
    OpponentGone,
    Ordered,
    Proposed,
    RatingChanged,
    Resumed,
    Returned,
    Say,
    ServerRefused,
    ServerTold,
    SpeechEnded,
    SquarePointed,
    Started,
    Tick,
    Unsealed,
)
from acessivel.session.state import (
    MateState,
    State,
    Step,
    clock_runs,
    ignored,
    resting,
    say,
    together,
    with_engine,
)
from voices.grammar import grammar
from voices.meaning import Castling, Check, Command, CommandName, Meaning, MovePattern, Piece, Place, Reading
from voices.understanding.meanings import read, read_typed

_OF_THE_USER = (Heard, Ordered, SquarePointed)
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
    words = grammar.in_words(meanings, state.setup.convention, state.setup.language)
    return (*grammar.answers(state.setup.language), *words)


def step(state: State, event: Event) -> Step:
    """What an event makes of a state, and what is to be done about it; without side effects."""
    before = state
    state, effects = two_boards.kept_private(*_decided(state, event))
    if isinstance(event, _OF_THE_USER):
        state = sent_moves.objected(before, state)
    return state, effects if state.asking != NOTHING else tuple(_concluded(state, one) for one in effects)


def _decided(state: State, event: Event) -> Step:
    """Like `_stepped`, but if a ruling turns on a mate that is hard to find, look for it first."""
    if seeking := state.mate.seeking:
        match event:
            case MateSought():
                state, event = mate.answered(state, seeking, event)
            case DeviceNews() | Mannered() | Explored() | Returned() | HallNews():
                return _step(state, event)
            case _:
                return mate.meanwhile(state, seeking, event)
    try:
        state, effects = _stepped(state, event)
    except mate.MateOpenError as asked:
        return mate.seek(state, event, asked)
    return replace(state, mate=MateState()), effects


def _concluded(state: State, effect: Effect) -> Effect:
    """Append to the end of the game, while nothing is asked, whether the user won and what can be done."""
    if not (isinstance(effect, Say) and any(message.key == "over" for message in effect.messages)):
        return effect
    unsigned = set(state.setup.persons) - set(state.game.signed)
    signs = unsigned and not (state.setup.practice or state.at_server)
    after = Message.of("after_over" if signs else "after_signing")
    return replace(effect, messages=(*effect.messages, *_own_result(state), after))


def _own_result(state: State) -> tuple[Message, ...]:
    """Whether the user won or lost, if one side is his alone; after a win, how to play a stronger engine."""
    winner = state.game.result and WINNERS.get(state.game.result.score)
    if not winner or state.two_persons:
        return ()
    if winner != state.setup.colour:
        return (Message.of("you_lost"),)
    stronger = state.setup.level + 1
    if state.setup.practice or state.at_server or stronger not in levels():
        return (Message.of("you_won"),)
    return Message.of("you_won"), Message.of("next_level", level=stronger, elo=levels()[stronger].elo)


def _stepped(state: State, event: Event) -> Step:
    """Like `step`, without what can still be done once the game is over.

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
    state, effects = together(told, _step(state, event))
    if fell := flags.felt(state, Tick(at=state.now_ms)):
        state, first = fell
        return state, (*first[:-1], *effects, first[-1])
    return state, effects


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


def _step(state: State, event: Event) -> Step:  # noqa: PLR0912  # one line for each kind of event
    match event:
        case Started() | Resumed():
            return _begun(state, event)
        case Heard():
            return _uttered(state, event)
        case SquarePointed(square=square):
            return _pointed(state, event.at, Place(*square))
        case Ordered():
            return _meant(state, event.at, command_of(event))
        case Explored() | Returned():
            return state, (Say(_felt(state, event), private=state.setup.two_boards),)
        case EngineMoved() | EngineAnswered() | EngineFailed() | EngineJudged() | EngineCompared():
            return _from_engine(state, event)
        case ServerTold() | ServerRefused() | OpponentGone() | Chatted() | RatingChanged():
            return _from_server(state, event)
        case SpeechEnded(heard=heard):
            return sent_moves.said(clock_runs(answers.told(state, event)), heard=heard), ()
        case Adjourned() | Awaited() | Arrived() | Unsealed():
            return with_engine(adjournment.happened(state, event))
        case Proposed() | HallNews():
            return with_engine(hall.happened(state, event))
        case Mannered():
            return replace(state, preferences=preferences.begun(event)), ()
        case DeviceNews():
            return _news(state, event)
        case Tick(quiet=quiet):
            return _rung(state) if quiet else (state, ())  # time has passed, and `_stepped` handles flags
    return ignored(state, type(event))


def _begun(state: State, event: Started | Resumed) -> Step:
    """A new run of the program begins or goes on with the game."""
    state = replace(state, confirm=event.confirm, guarded=event.guarded)
    state = hall.joined(state, followed=event.hall)
    if isinstance(event, Resumed):
        return start.resumed(state, event.at)
    return start.started(state, brief=event.brief)


def _news(state: State, event: DeviceNews) -> Step:
    """A device was lost or came back."""
    state = replace(state, preferences=preferences.after(state.preferences, event))
    state = server_news.connected(state, event)
    return state, (Say((Message.of(event.key), *questions.question(state.asking))),)


def _uttered(state: State, event: Heard) -> Step:
    """What was said or typed; speech does not count while the player has switched listening off."""
    if event.spoken and not state.preferences.listens:
        return ignored(state, Heard)
    setup, state = state.setup, replace(state, by=event.by)
    reads = read if event.spoken else read_typed
    readings = tuple(reads(text, setup.language, setup.convention) for text in event.words)
    beside = (reading for text in event.beside for reading in read(text, setup.language, setup.convention))
    state, effects = _heard(clock_runs(state), event, readings, tuple(beside))
    return replace(state, by=""), effects


def _felt(state: State, event: Explored | Returned) -> tuple[Message, ...]:
    """Tell what is under the board cursor; when it leaves the board, what is awaited."""
    if isinstance(event, Returned):
        return _due(state)
    return exploration.told(event.what, Place(*event.square), state.game, state.now_ms)


def _from_engine(
    state: State, event: EngineMoved | EngineAnswered | EngineFailed | EngineJudged | EngineCompared
) -> Step:
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
    """Whether no move or touched piece is being announced: only then may the clock speak up by itself."""
    return not (state.game.result or isinstance(state.asking, _ANNOUNCING))


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


def _heard(
    state: State,
    event: Heard,
    alternatives: tuple[tuple[Reading, ...], ...],
    beside: tuple[Reading, ...] = (),
) -> Step:
    turn = repeat_back.heard(state, alternatives) or confirmation.respond(
        state.asking,
        alternatives if event.sure else confirmation.unsure(alternatives),
        state.moves_in,
        beside=beside,
        barred=moves.barred(state),
        over=state.game.result is not None,
        irregular=state.strict,
        again=event.again,
    )
    if event.again:
        turn = confirmation.of_two(turn, state.asking, state.moves_in)
    if why := pages.refused(state, turn, alternatives[0] if alternatives else ()):
        return state, (Say((why, *questions.question(state.asking))),)
    answer = answers.answer(alternatives[0] if alternatives else ())
    if why := _unheeded(state, event, turn, answer):
        return state, (Say((why, *questions.question(state.asking))),)
    if answer and (why := answers.unheeded(state, event, answer)):
        return answers.said_again(state, event, answer), (Say((why, *questions.question(state.asking))),)
    turn = hall.callable_from(state, draws.attributed(state, touched_pieces.held(state, turn)))
    turn = practice.allowed(state, _checked(state, turn))
    turn = sent_moves.turned(state, event, server_requests.warned(state, turn))
    turn = yes_hint.given(state, event, turn, beside)
    understood = any(alternatives[:1]) or turn.asking != state.asking
    following = _followed(state, turn)
    after, effects = server_requests.done(following, turn.do) or _turned(
        following, turn, understood=understood
    )
    return answers.followed(state, after, event, answer), effects


def _followed(state: State, turn: Turn) -> State:
    """The state with the next question, a claim that stands from now on, and no adjusting that is over."""
    touches = isinstance(turn.do, Obey | AnswerAlone | TouchPiece) or isinstance(turn.asking, Touching)
    state = replace(
        draws.claimed_for_good(state, turn),
        touch=replace(state.touch, adjusting=state.touch.adjusting and touches),
    )
    return replace(state, asking=turn.asking) if turn.asking != NOTHING else resting(state)


def _turned(state: State, turn: Turn, *, understood: bool) -> Step:  # noqa: C901, PLR0912  # one line a deed
    """Do what an utterance has led to."""
    match turn.do:
        case PlayMove(fact):
            return moves.commit(state, fact)
        case CountMove():
            return moves.made(*two_boards.made(state))
        case CarryOut(name, colour):
            return commands.done(state, name, colour)
        case AcceptDraw() | DeclineDraw():
            return draws.answered(state, accepts=isinstance(turn.do, AcceptDraw))
        case ClaimDraw(name):
            return moves.claimed(state, name)
        case ClaimOn(ground):
            return draws.quickplay_on(state, ground)
        case TouchPiece(square):
            return touched_pieces.confirmed(state, square)
        case TellTopic(topic):
            told = topics.rule(topic, edition(state.setup.rulebook.laws))
            return long_answers.tell(state, told, *questions.question(state.asking))
        case DecideAsArbiter(deciding):
            return with_engine(arbiter.decided(state, deciding))
        case SignResult(colour):
            return signatures.signed(state, colour)
        case CallArbiter():
            return hall.called(state)
        case GoOn():
            return repeat_back.done(state)
        case Obey(command):
            return commands.ordered(state, command)
        case AnswerAlone() | AllowTakeBack() | RefuseTakeBack() | SendReply() | None:
            told = turn.say if turn.asking != NOTHING else (*turn.say, *questions.question(state.asking))
            return say(state, *told) if understood else (state, (Say(told),))
    assert_never(turn.do)


def _checked(state: State, turn: Turn) -> Turn:
    """What was understood, unless a check must be announced and was not (escolar-br)."""
    asking = turn.asking
    if not (state.game.rules.announce_check and isinstance(asking, Confirm)) or asking == state.asking:
        return turn
    given = asking.fact.meaning.check
    if given is Check.NONE or asking.check is not Check.NONE:
        return turn
    missing = Message.of("check_missing", check=given)
    return Turn(NOTHING, (cited(missing, *state.game.rules.cite("check")),))


def _meant(state: State, at: int, meaning: Meaning) -> Step:
    """Something was meant without words: by a key, or by pointing at squares."""
    return _heard(clock_runs(state), Heard(words=(), at=at, key=True), ((Reading(meaning),),))


def command_of(event: Ordered) -> Command:
    """The command that a key gave."""
    piece = Piece(event.piece) if event.piece else None
    name, place = CommandName(event.command), Place(*event.square)
    return Command(name, piece, place, event.colour, choice=event.choice)


def _pointed(state: State, at: int, square: Place) -> Step:
    """Pick a piece, choose its target or answer a question with a square; else tell what stands there."""
    if repeated := repeat_back.pointed(state, square):
        return _turned(replace(state, asking=repeated.asking), repeated, understood=True)
    told = exploration.told("square", square, state.game, state.now_ms)
    meant = (
        None
        if moves.barred(state)
        else pointed_squares.pointed(state.asking, square, state.moves_in, irregular=state.strict)
    )
    match meant:
        case MovePattern() | Castling():
            return _meant(state, at, meant)
        case Turn(asking=Missing() as asking) if asking != state.asking:
            return say(replace(state, asking=asking), *told, *meant.say, private=state.setup.two_boards)
        case Turn():
            alone = state.setup.two_boards and (state.asking == NOTHING or two_boards.is_private(state))
            return say(replace(state, asking=meant.asking), *meant.say, private=alone)
    return say(state, *told, *questions.question(state.asking), private=state.setup.two_boards)


def _due(state: State) -> tuple[Message, ...]:
    """What is awaited: an answer to the open question, or a move."""
    over = queries.over(state.game) if state.game.result else queries.turn(state.game)
    return questions.question(state.asking) or (over,)


def _unheeded(state: State, event: Heard, turn: Turn, answer: Meaning | None) -> Message | None:
    """Why a spoken answer does not count; None if it does."""
    if event.early and (answer or isinstance(turn.do, AcceptDraw)) and state.asking != NOTHING:
        return Message.of("answer_early")
    if event.spoken and state.confirm == "key" and turn.binds:
        return Message.of("answer_by_key")
    return None
