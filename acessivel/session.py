# SPDX-License-Identifier: GPL-3.0-or-later
"""`step(state, event) -> (state, effects)`: the whole game as a function, without I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from acessivel import (
    adjournment,
    alarms,
    arbitration,
    boards,
    chess960,
    claiming,
    dialogue,
    exploring,
    flagging,
    languages,
    manners,
    pointing,
    portions,
    practising,
    queries,
    resumption,
    ritual,
    signing,
    strict,
    touching,
)
from acessivel.arbiter import Deciding
from acessivel.dialogue import (
    NOTHING,
    Asking,
    Choose,
    Claiming,
    Confirm,
    Making,
    Missing,
    Numbering,
    Promote,
    Topics,
    Touching,
    Turn,
)
from acessivel.events import (
    Adjourned,
    Arrived,
    AskEngine,
    AskEngineForDraw,
    Awaited,
    DeviceNews,
    Effect,
    EngineAnswered,
    EngineCompared,
    EngineFailed,
    EngineJudged,
    EngineMoved,
    Event,
    Explain,
    Explored,
    Heard,
    Leave,
    Mannered,
    Ordered,
    Resumed,
    Returned,
    Say,
    Seal,
    SpeechEnded,
    SquarePointed,
    Started,
    Tick,
    Unseal,
    Unsealed,
)
from acessivel.laws import claims, irregularities, topics
from acessivel.laws.editions import edition
from acessivel.laws.ruling import cited
from acessivel.levels import levels
from acessivel.message import Message
from acessivel.rules import Fact, Position
from acessivel.state import State, Step, clock_runs, judged, resting, say, stopped, together
from voices import grammar
from voices.hearing import read
from voices.meaning import Answer, Castling, Command, CommandName, Meaning, MovePattern, Piece, Place, Reading

_MOST_FAILURES = 2  # in a row; then the engine is given up and the game goes on without it
# What is asked of the game as it stands, with nothing else to know.
_ORDERS: Mapping[CommandName, Callable[[State], Step]] = {
    CommandName.ADJUST: touching.adjusts,
    CommandName.SIGN: signing.asked,
    CommandName.CORRECTION: boards.correction,
    CommandName.CLAIM_FLAG: flagging.claimed,
}
_ANNOUNCING = Confirm | Choose | Missing | Promote | Claiming | Touching | Making


def expectation(state: State) -> tuple[str, tuple[str, ...]]:
    """What can be said at all, as a grammar, and the phrases that are possible now."""
    moves = () if state.game.result else (fact.meaning for fact in state.announced_in.legal)
    asked = dialogue.answers(state.asking)
    return grammar.expectation(moves, state.setup.convention, state.setup.language, asked)


def asked(state: State) -> tuple[str, ...]:
    """The phrases that answer the open question, if there is one."""
    if state.asking == NOTHING:
        return ()
    words = grammar.in_words(dialogue.answers(state.asking), state.setup.convention, state.setup.language)
    return (*grammar.answers(state.setup.language), *words)


def step(state: State, event: Event) -> Step:
    """What an event makes of a state, and what is to be done about it. Changes nothing else.

    Whatever happens, a flag that has fallen is felt at once, and ruled on or told before anything else can
    happen.
    """
    if not isinstance(event, Resumed):
        event = replace(event, at=max(event.at, state.now_ms))
        state = replace(state, now_ms=event.at)
        if fell := flagging.felt(state, event):
            return fell
    ruling: tuple[Effect, ...] = ()
    if state.ruling_due:
        state, ruling = flagging.ruled(state)
        if state.game.result and not isinstance(event, Resumed):
            return state, ruling
    elif state.fell:
        state, ruling = flagging.told(state, event)
    told = () if state.game.result else ruling  # who resumes a game hears its result anyway
    state, effects = together(told, _step(state, event))
    if fell := flagging.felt(state, Tick(at=state.now_ms)):
        state, first = fell
        return state, (*first[:-1], *effects, first[-1])
    return state, effects


def wakes_in(state: State, now_ms: int, *, quiet: bool) -> int | None:
    """In how many ms the clock has something to tell, if nothing happens; `quiet` as in `Tick`."""
    clock = state.game.clock
    if not clock or state.game.result:
        return None
    times = alarms.parse(state.setup.alarms)
    if quiet and _may_ring(state) and alarms.due(clock, now_ms, times, state.rung).rung != state.rung:
        return 0
    return alarms.next_in(clock, now_ms, times)


def _step(state: State, event: Event) -> Step:  # one line for each kind of event
    match event:
        case Started(confirm=confirm):
            return _started(replace(state, confirm=confirm))
        case Resumed(confirm=confirm):
            return _resumed(replace(state, confirm=confirm), event.at)
        case Heard():
            return _uttered(state, event)
        case SquarePointed(square=square):
            return _pointed(state, event.at, Place(*square))
        case Ordered():
            return _meant(state, event.at, _command(event))
        case Explored() | Returned():
            return state, (Say(_felt(state, event), private=state.setup.two_boards),)
        case EngineMoved() | EngineAnswered() | EngineFailed() | EngineJudged() | EngineCompared():
            return _from_engine(state, event)
        case SpeechEnded():
            return clock_runs(state), ()
        case Adjourned() | Awaited() | Arrived() | Unsealed():
            return _with_engine(resumption.happened(state, event))
        case Mannered():
            return replace(state, manners=manners.begun(event)), ()
        case DeviceNews():
            return _news(state, event)
        case Tick(quiet=True):
            return _rung(state)
    return state, ()


def _news(state: State, event: DeviceNews) -> Step:
    """A device was lost or came back."""
    state = replace(state, manners=manners.after(state.manners, event))
    return state, (Say((Message.of(event.key), *dialogue.question(state.asking))),)


def _uttered(state: State, event: Heard) -> Step:
    """What was said or typed; nothing that is said counts while the player wants nothing to be heard."""
    if event.spoken and not state.manners.listens:
        return state, ()
    setup = state.setup
    readings = tuple(read(text, setup.language, setup.convention) for text in event.words)
    return _heard(clock_runs(state), event, readings)


def _felt(state: State, event: Explored | Returned) -> tuple[Message, ...]:
    """What is under the fingers; when they are done with the board, what is awaited."""
    if isinstance(event, Returned):
        return _due(state)
    return exploring.told(event.what, Place(*event.square), state.game, state.now_ms)


def _from_engine(
    state: State, event: EngineMoved | EngineAnswered | EngineFailed | EngineJudged | EngineCompared
) -> Step:
    match event:
        case EngineMoved(plies=plies) if plies not in (None, len(state.game.played)):
            return state, ()  # to a position that the arbiter has taken back
        case EngineMoved(uci=uci):
            return _engine_moved(state, uci)
        case EngineFailed():
            return _engine_failed(state)
        case EngineJudged():
            return practising.judged(state, event)
        case EngineCompared():
            return practising.compared(state, event)
        case EngineAnswered(accepts=accepts) if state.offer and not state.two_persons:
            return claiming.answered(state, accepts=accepts)
    return state, ()


def _may_ring(state: State) -> bool:
    """Whether no move or touched piece is being announced: only then does the clock speak up by itself."""
    return not (state.game.result or isinstance(state.asking, _ANNOUNCING))


def _rung(state: State) -> Step:
    """The marks and alarms that the clock has come to; what was said before can still be repeated."""
    if not state.game.clock or not _may_ring(state):
        return state, ()
    times = alarms.parse(state.setup.alarms)
    due = alarms.due(state.game.clock, state.now_ms, times, state.rung)
    messages = (*due.messages, *dialogue.question(state.asking))
    told = (Say(messages, private=state.setup.two_boards, unasked=True),) if due.messages else ()
    return replace(state, rung=due.rung), told


def _started(state: State) -> Step:
    opening = [Message.of("welcome"), *_setup_messages(state), *_limits(state), *_initial_position(state)]
    opening += [Message.of("from_elsewhere")] if state.setup.before else []
    opening += [queries.played(state.game)] if state.game.played else []
    if state.game.result:
        return say(state, *opening, queries.over(state.game))
    return _with_engine(say(state, *opening, queries.turn(state.game)))


def _setup_messages(state: State) -> tuple[Message, ...]:
    setup = state.setup
    if setup.two_boards:
        return (Message.of("setup_two_boards"),)
    practice = (Message.of("setup_practice"),) if setup.practice else ()
    if setup.opponent == "human":
        return (Message.of("setup_human"), *practice)
    elo = levels()[setup.level].elo
    return (Message.of("setup_engine", colour=setup.colour, level=setup.level, elo=elo), *practice)


def _limits(state: State) -> tuple[Message, ...]:
    """That the edition lets no event put off the agreement of a draw, where one was to (9.1; 2001)."""
    rules = state.game.rules
    if rules.agreement_limits or not state.setup.draw_from_move:
        return ()
    return (cited(Message.of("no_draw_limit"), *rules.cite("agreement")),)


def _initial_position(state: State) -> tuple[Message, ...]:
    """How the pieces of Chess960 stand; the standard position needs no telling."""
    if not state.game.start.chess960:
        return ()
    number = chess960.number(state.setup.variant) if not state.setup.fen else None
    name = Message.of("chess960_own") if number is None else Message.of("chess960_number", number=number)
    return (name, *queries.ranks(state.game))


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
    if state.adjourned and not state.game.result:
        state, effects = say(state, *messages, adjournment.told(state.adjourned))
        return state, (*effects, Unseal())
    messages += [queries.over(state.game)] if state.game.result else [queries.turn(state.game)]
    state, effects = _with_engine(say(state, *messages, *dialogue.question(state.asking)))
    return state, (*effects, *((AskEngineForDraw(),) if state.offer and not state.two_persons else ()))


def _with_engine(result: Step) -> Step:
    """Let the engine think when the move is its own."""
    state, effects = result
    if not state.engine_to_move:
        return result
    return clock_runs(state), (*effects, AskEngine())


def _heard(state: State, event: Heard, alternatives: tuple[tuple[Reading, ...], ...]) -> Step:
    turn = ritual.heard(state, alternatives) or dialogue.respond(
        state.asking,
        alternatives if event.sure else dialogue.unsure(alternatives),
        state.game.position,
        barred=_barred(state),
        over=state.game.result is not None,
        irregular=state.strict,
    )
    if why := _unheeded(state, event, turn, alternatives):
        return state, (Say((why, *dialogue.question(state.asking))),)
    turn = practising.allowed(state, _checked(state, touching.held(state, turn), alternatives))
    return _turned(_claims(state, turn), turn, understood=any(alternatives[:1]))


def _claims(state: State, turn: Turn) -> State:
    """With the claim that an announced move is to prove, as long as that move is in question."""
    claim = state.asking.command if isinstance(state.asking, Claiming) else state.claiming
    goes_on = turn.commit or isinstance(turn.asking, Confirm | Choose | Missing | Promote)
    adjusting = state.adjusting and (isinstance(turn.asking, Touching) or bool(turn.command or turn.touched))
    state = replace(state, claiming=claim if goes_on else None, adjusting=adjusting)
    return replace(state, asking=turn.asking) if turn.asking != NOTHING else resting(state)


def _turned(state: State, turn: Turn, *, understood: bool) -> Step:
    """Do what an utterance has led to."""
    if turn.commit:
        return _commit(state, turn.commit)
    if turn.made:
        return _made(*boards.made(state))
    if turn.do:
        return _done(state, turn.do)
    if turn.answered is not None:
        return claiming.answered(state, accepts=turn.answered)
    if turn.claim:
        return _claimed(state, turn.claim)
    if turn.touched:
        return touching.confirmed(state, turn.touched)
    if turn.topic:
        told = topics.rule(turn.topic, edition(state.setup.laws))
        return portions.tell(state, told, *dialogue.question(state.asking))
    if turn.decided:
        return _with_engine(arbitration.decided(state, turn.decided))
    if turn.signed:
        return signing.signed(state, turn.signed)
    if turn.repeated:
        return ritual.done(state)
    if turn.command and turn.command.about:
        return state, (Explain(turn.command.about, dialogue.question(state.asking)),)
    if turn.command and not turn.say:
        return _asked(state, turn.command)
    return say(state, *turn.say) if understood else (state, (Say(turn.say),))


def _checked(state: State, turn: Turn, alternatives: tuple[tuple[Reading, ...], ...]) -> Turn:
    """What was understood, unless a check must be announced and was not (escolar-br)."""
    fact = turn.asking.fact if isinstance(turn.asking, Confirm) else None
    if not state.game.rules.announce_check or fact is None or not fact.meaning.check:
        return turn
    said = (reading.meaning for readings in alternatives for reading in readings)
    moves = [meaning for meaning in said if isinstance(meaning, MovePattern | Castling)]
    if not moves or any(meaning.check for meaning in moves):
        return turn
    missing = cited(Message.of("check_missing"), *state.game.rules.cite("check"))
    return Turn(NOTHING, (missing,))


def _claimed(state: State, command: CommandName, fact: Fact | None = None) -> Step:
    """A claim by repetition or 50 moves; the move that was to prove a wrong one is played (9.5.3; 2018)."""
    offered = state.offer
    state, messages, must_play = claiming.drawn(state, command, fact)
    asks = state.offer and not offered and not state.two_persons
    state, effects = _commit(state, fact, *messages[:1]) if fact and must_play else say(state, *messages)
    return state, (*effects, *((AskEngineForDraw(),) if asks else ()))


def _meant(state: State, at: int, meaning: Meaning) -> Step:
    """Something was meant without a word: by a key, or by pointing at squares."""
    return _heard(clock_runs(state), Heard(words=(), at=at), ((Reading(meaning),),))


def _command(event: Ordered) -> Command:
    piece = Piece(event.piece) if event.piece else None
    return Command(CommandName(event.command), piece, Place(*event.square), event.colour)


def _pointed(state: State, at: int, square: Place) -> Step:
    """A square picks a piece, says where it goes or answers a question; else it is told what stands there."""
    if repeated := ritual.pointed(state, square):
        return _turned(replace(state, asking=repeated.asking), repeated, understood=True)
    told = exploring.told("square", square, state.game, state.now_ms)
    meant = None if _barred(state) else pointing.pointed(state.asking, square, state.game.position)
    match meant:
        case MovePattern() | Castling():
            return _meant(state, at, meant)
        case Turn(asking=Missing() as asking) if asking != state.asking:
            return say(replace(state, asking=asking), *told, *meant.say, private=state.setup.two_boards)
        case Turn():
            return say(replace(state, asking=meant.asking), *meant.say)
    return say(state, *told, *dialogue.question(state.asking), private=state.setup.two_boards)


def _due(state: State) -> tuple[Message, ...]:
    """What is awaited: an answer to the open question, or a move."""
    over = queries.over(state.game) if state.game.result else queries.turn(state.game)
    return dialogue.question(state.asking) or (over,)


def _unheeded(
    state: State, event: Heard, turn: Turn, alternatives: tuple[tuple[Reading, ...], ...]
) -> Message | None:
    """Why an answer does not count, if it does not."""
    said = alternatives[0] if alternatives else ()
    answers = any(
        isinstance(reading.meaning, Answer) or reading.meaning == Command(CommandName.PRESS)
        for reading in said
    )
    if event.early and answers and state.asking != NOTHING:
        return Message.of("answer_early")
    if event.spoken and state.confirm == "key" and _binds(turn):
        return Message.of("answer_by_key")
    return None


def _binds(turn: Turn) -> bool:
    """Whether a yes was said to something that cannot be taken back."""
    if turn.commit or turn.made or turn.signed:
        return True
    return bool(turn.do or turn.answered or turn.claim or turn.touched or turn.decided)


def _barred(state: State) -> Message | None:
    """Why no move can be announced now, if none can."""
    if state.game.result:
        return Message.of("game_is_over", result=queries.over(state.game))
    if state.engine_to_move:
        return Message.of("not_your_turn", colour=state.game.position.turn)
    if state.pending:
        return Message.of("arbiter_must_decide")
    if state.to_repeat:
        return Message.of("repeat_first")
    if state.stopped:
        return Message.of("clocks_are_stopped")
    return boards.not_made(state) if state.game.announced else None


def _asked(state: State, command: Command) -> Step:
    """Answer a question or do what needs no yes, and put the open question again."""
    again = dialogue.question(state.asking)
    if changed := _changed(state, command.name):
        return changed
    if ordered := _ORDERS.get(command.name):
        return ordered(state)
    match command.name:
        case CommandName.REPEAT:
            return state, (Say(state.last_said or again, state.last_private),)
        case CommandName.LAWS:
            names = topics.topics(edition(state.setup.laws))
            asking = Topics(names, _before(state))
            return say(replace(state, asking=asking), *dialogue.question(asking))
        case CommandName.CLAIM_THREEFOLD | CommandName.CLAIM_FIFTY:
            claim = Claiming(command.name)
            return say(replace(state, asking=claim), *dialogue.question(claim))
        case CommandName.CLOCK_STOP:
            ruling = irregularities.clock_stopped(state.game.rules, state.speaker)
            return stopped(state, ruling.message())
        case CommandName.TOUCHED | CommandName.PRESS if why := _barred(state):
            return say(state, why, *again)
        case CommandName.TOUCHED:
            return touching.told(state, command)
        case CommandName.PRESS:
            return strict.pressed(state)
        case CommandName.MORE:
            return portions.go_on(state, *again)
    return _told(state, command)


def _told(state: State, command: Command) -> Step:
    """The answer to a question about the game, after the engine or the number of a move was asked for."""
    made, again = state.game.played, dialogue.question(state.asking)
    if command.name in practising.ADVICE:
        return practising.asked(state, command.name)
    if command.name is CommandName.MOVE_AT and command.number is None and made:
        numbering = Numbering(made[0].fact.number, made[-1].fact.number, _before(state))
        return say(replace(state, asking=numbering), *dialogue.question(numbering))
    private = state.setup.two_boards and command.name in queries.PRIVATE
    answer = queries.answer(command, state.game, state.now_ms) or ()
    return portions.tell(state, answer, *again, private=private)


def _before(state: State) -> Asking:
    """What is asked, or was before a list or a number was asked for."""
    return state.asking.before if isinstance(state.asking, Topics | Numbering) else state.asking


def _changed(state: State, command: CommandName) -> Step | None:
    """What a command changes in how the program speaks, tells, sounds and listens, or in which language."""
    if manner := manners.change(state.manners, command):
        return _adopted(replace(state, manners=manner.manners), manner)
    if language := languages.change(state.setup, command):
        return _adopted(replace(state, setup=language.setup), language)
    return None


def _adopted(state: State, change: manners.Change | languages.Change) -> Step:
    """Told back at once, in the new manner."""
    state, effects = say(state, change.told, *dialogue.question(state.asking))
    return state, (*change.adopt, *effects)


def _commit(state: State, fact: Fact, *first: Message) -> Step:
    """Play a confirmed move; besides this only `_engine_moved` and an unsealed move add one to the game."""
    if state.claiming:
        return _claimed(state, state.claiming, fact)
    if state.setup.two_boards:
        return boards.announced(state, fact, *first)
    before, game = state.game.position, state.game.play(fact, state.now_ms)
    state = replace(state, game=game, clock_waits=True, touched=(), adjusting=False, away=None)
    state, refused = claiming.refused_by_playing(state, fact.colour)
    return _made(state, before, *first, *refused, queries.played(game))


def _made(state: State, before: Position, *first: Message) -> Step:
    """What follows from a move that now counts; `before`: where it was made."""
    messages, game = [*first], state.game
    fact = game.played[-1].fact
    if game.result:
        return say(replace(state, asking=NOTHING, offer=None), *messages, queries.over(game))
    for look in (strict.seen, strict.followed):
        state, found = look(state)
        if found:
            return say(state, *messages, *found)
    state, repeated = _repeated(ritual.owed(state, before, fact), fact.colour)
    if state.two_persons and not repeated:
        messages += () if state.setup.two_boards else (queries.turn(game),)
        state = clock_runs(state)
    state = resting(state)
    return _with_engine(say(state, *messages, *(repeated or dialogue.question(state.asking))))


def _repeated(state: State, colour: str) -> tuple[State, tuple[Message, ...]]:
    """The same move made over and over, where that ends the game (escolar-br)."""
    own = [move.fact.uci for move in state.game.played if move.fact.colour == colour]
    # A piece must go back before it can make its move again.
    again = own[::-1][::2]
    times = next((n for n, uci in enumerate(again) if uci != again[0]), len(again))
    ruling = claims.same_move(state.game.rules, colour, times)
    return judged(state, ruling) if ruling else (state, ())


def _engine_moved(state: State, uci: str) -> Step:
    fact = next((fact for fact in state.game.position.legal if fact.uci == uci), None)
    if fact is None or not state.engine_to_move:
        return state, ()
    before, game = state.game.position, state.game.play(fact, state.now_ms)
    state = replace(state, game=game, clock_waits=True, engine_failures=0, touched=(), adjusting=False)
    messages = [queries.played(state.game)]
    if state.game.result:
        messages.append(queries.over(state.game))
    state = ritual.owed(state, before, fact)
    return say(state, *messages, *dialogue.question(state.asking))


def _engine_failed(state: State) -> Step:
    """Try once more; then give the engine up, and let both sides be announced."""
    if state.advice and not state.engine_to_move:
        return practising.unadvised(state)
    failures = state.engine_failures + 1
    if failures < _MOST_FAILURES:
        state = replace(state, engine_failures=failures)
        return _with_engine(say(state, Message.of("engine_failed"), *dialogue.question(state.asking)))
    state = replace(state, engine_given_up=True, offer=None)
    turn = queries.turn(state.game)
    return say(state, Message.of("engine_given_up"), turn, *dialogue.question(state.asking))


def _done(state: State, command: CommandName) -> Step:
    """What was asked back, after its yes."""
    if command is CommandName.STOP:
        return state, (Leave(),)
    if command is CommandName.TAKE_BACK:
        return practising.taken_back(state)
    if state.game.result:
        return say(state, Message.of("game_is_over", result=queries.over(state.game)))
    match command:
        case CommandName.ADJOURN if state.engines_turn:
            return say(state, Message.of("not_your_turn", colour=state.game.position.turn))
        case CommandName.ADJOURN if state.game.announced:
            return say(state, boards.not_made(state), *dialogue.question(state.asking))
        case CommandName.ADJOURN:
            return state, (Seal(),)
        case CommandName.ARBITER:
            deciding = Deciding(state.game.position.fullmove)
            return say(replace(state, asking=deciding), *dialogue.question(deciding))
        case CommandName.CLAIM_DRAW:
            return claiming.quickplay(state)
        case CommandName.CLAIM_ILLEGAL:
            return strict.claimed(state)
        case CommandName.CLOCK_STOP:
            return _with_engine(arbitration.go_on(state))
        case CommandName.RESIGN:
            return claiming.resigned(state)
    return claiming.offered(state)
