# SPDX-License-Identifier: GPL-3.0-or-later
"""What was said, typed, pressed or pointed at: the turn that it is, what hinders it, and what it does."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from acessivel.dialogue import arbiter_menu, confirmation, pointed_squares, questions
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.questions import NOTHING, Choose, Confirm, Missing, Promote, Touching
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
from acessivel.laws import topics
from acessivel.laws.editions import edition
from acessivel.laws.ruling import cited
from acessivel.message import Message
from acessivel.queries import exploration
from acessivel.session import (
    answer_hint,
    answers,
    arbiter,
    commands,
    draws,
    hall,
    illegal_moves,
    long_answers,
    moves,
    pages,
    practice,
    repeat_back,
    sent_moves,
    server_requests,
    signatures,
    spoken_language,
    touched_pieces,
    two_boards,
    withdrawals,
)
from acessivel.session.changes import clock_runs, ignored, resting, say, together, with_engine
from acessivel.session.effects import Say
from acessivel.session.events import Heard, Ordered, SquarePointed
from acessivel.session.state import State, Step
from voices.meaning import Castling, Check, Command, CommandName, Meaning, MovePattern, Number, Place, Reading
from voices.understanding import piece_answers
from voices.understanding.meanings import read_heard, read_typed

_NOTHING_ASKED = frozenset({"nothing_asked", "nothing_asked_over"})


def heard(state: State, event: Heard) -> Step:
    """What was said or typed; speech does not count while the player has switched listening off."""
    if event.spoken and not state.preferences.listens:
        return ignored(state, Heard)
    setup, state = state.setup, replace(state, by=event.by)
    readings = tuple(_read(state, text, spoken=event.spoken) for text in event.words)
    beside = (
        reading for text in event.beside for reading in read_heard(text, setup.language, setup.convention)
    )
    state, effects = _understood(clock_runs(state), event, readings, tuple(beside))
    return replace(state, by=""), effects


def _read(state: State, text: str, *, spoken: bool) -> tuple[Reading, ...]:
    """What a text can mean: first what is asked for by a piece or a result."""
    setup = state.setup
    asked: tuple[Reading, ...] = ()
    match state.asking:
        case Promote():
            asked = piece_answers.read(text, setup.language, setup.convention, spoken=spoken)
        case Choose(telling="which_piece") as asking if not spoken:
            moving = [fact.meaning.piece for fact in asking.facts if isinstance(fact.meaning, MovePattern)]
            asked = piece_answers.read(text, setup.language, setup.convention, spoken=False, offered=moving)
        case Deciding() as deciding if not spoken and (score := arbiter_menu.score_written(deciding, text)):
            asked = (Reading(Number(score)),)
    if asked or spoken:
        return asked or read_heard(text, setup.language, setup.convention)
    return read_typed(text, setup.language, setup.convention)


def ordered(state: State, event: Ordered) -> Step:
    """Do what a key orders."""
    return _without_words(state, event.at, event.meaning)


def pointed(state: State, event: SquarePointed) -> Step:
    """Pick a piece, choose its target or answer a question with a square; else tell what stands there."""
    square = Place(*event.square)
    if repeated := repeat_back.pointed(state, square):
        return _done(replace(state, asking=repeated.asking), repeated, understood=True)
    told = exploration.told("square", square, state.game, state.now_ms)
    meant = _pointed_at(state, square)
    match meant:
        case MovePattern() | Castling():
            return _without_words(state, event.at, meant)
        case Turn(asking=Missing() as asking) if asking != state.asking:
            return say(replace(state, asking=asking), *told, *meant.say, private=state.setup.two_boards)
        case Turn():
            alone = state.setup.two_boards and (state.asking == NOTHING or two_boards.is_private(state))
            after = _asking_on(state, meant)
            again = () if after.asking == meant.asking else questions.question(after.asking)
            return say(after, *meant.say, *again, private=alone)
    return say(state, *told, *questions.question(state.asking), private=state.setup.two_boards)


def _pointed_at(state: State, square: Place) -> Turn | MovePattern | Castling | None:
    """What pointing at a square means where a move can be made."""
    if moves.barred(state):
        return None
    answer = pointed_squares.answer(state.asking, square)
    return answer or pointed_squares.pointed(state.asking, square, state.moves_in, irregular=state.strict)


def _without_words(state: State, at: int, meaning: Meaning) -> Step:
    """Something was meant without words: by a key, or by pointing at squares."""
    return _understood(clock_runs(state), Heard(words=(), at=at, key=True), ((Reading(meaning),),))


def _understood(
    state: State,
    event: Heard,
    alternatives: tuple[tuple[Reading, ...], ...],
    beside: tuple[Reading, ...] = (),
) -> Step:
    """Make a turn of the readings, hold it against what the game and the devices allow, and do it."""
    turn = draws.accepting(state, _turn(state, event, alternatives, beside))
    readings = alternatives[0] if alternatives else ()
    answer, question = answers.answer(readings), questions.question(state.asking)
    if _answers_early(state, event, turn, answer):
        return _too_early(state)
    if why := pages.refused(state, turn, readings) or _unheeded(state, event, turn):
        alone = pages.is_of_the_page(why)
        return state, (Say((why, *question), private=alone, to=state.by if alone else ""),)
    if answer and (why := answers.unheeded(state, event, answer)):
        return answers.said_again(state, event, answer), (Say((why, *question)),)
    turn = _allowed(state, event, turn, readings, beside)
    understood = bool(readings) or turn.asking != state.asking
    turn = _with_interrupted(state, event, turn, understood=understood)
    following = _asking_on(state, turn)
    after, effects = server_requests.done(following, turn.do) or _done(following, turn, understood=understood)
    effects = withdrawals.told(state, turn, after, effects)
    after = answers.followed(state, answers.completed(state, after, answer), event, answer)
    if isinstance(turn.do, CountMove) and (whose := two_boards.replied(after, readings)):
        return together((*effects, Say((whose,))), _understood(after, event, alternatives, beside))
    return after, effects


def _turn(
    state: State, event: Heard, alternatives: tuple[tuple[Reading, ...], ...], beside: tuple[Reading, ...]
) -> Turn:
    """What the readings lead to in the confirmation loop."""
    if event.words == ("",) and not event.spoken and state.asking == NOTHING:  # Enter with nothing typed
        return Turn(NOTHING, (confirmation.nothing_asked(over=state.game.result is not None),))
    said = answers.answer(alternatives[0]) if alternatives else None
    if back := illegal_moves.pressed_back(state, said):
        return back
    turn = repeat_back.heard(state, alternatives) or confirmation.respond(
        state.asking,
        alternatives if event.sure else confirmation.unsure(alternatives),
        state.moves_in,
        spoken=event.spoken,
        beside=beside,
        barred=moves.barred(state),
        over=state.game.result is not None,
        irregular=state.strict,
        again=event.again,
        doubted=event.doubted,
    )
    if event.again:
        return confirmation.of_two(turn, state.asking, state.moves_in)
    unclear = not event.sure or (event.doubted and turn.binds)
    if not unclear:
        return turn
    return confirmation.of_several(turn, state.asking, alternatives, state.moves_in)


def _allowed(
    state: State, event: Heard, turn: Turn, readings: tuple[Reading, ...], beside: tuple[Reading, ...]
) -> Turn:
    """The turn as the game allows it: each of these may put something else in its place."""
    turn = draws.attributed(state, touched_pieces.held(state, turn))
    turn = draws.waiting(state, turn)
    turn = pages.answered_there(state, turn, faced=event.faced)
    turn = hall.callable_from(state, arbiter.of_the_clock(state, turn))
    turn = _check_announced(state, turn)
    turn = practice.allowed(state, turn)
    turn = server_requests.warned(state, turn)
    turn = spoken_language.asked_back(state, turn, spoken=event.spoken)
    turn = sent_moves.turned(state, event, turn, readings)
    turn = withdrawals.in_parts(state, turn)
    return answer_hint.given(state, event, turn, beside)


def _answers_early(state: State, event: Heard, turn: Turn, answer: Meaning | None) -> bool:
    """Whether it answers a question that was not said to its end."""
    final = isinstance(turn.do, AcceptDraw | CountMove | ClaimOn)
    return event.early and state.asking != NOTHING and bool(answer or final)


def _too_early(state: State) -> Step:
    """Put the question again; why, is told once: whoever is in a hurry is not to wait for that each time."""
    told = questions.question(state.asking)
    if state.hurried != state.asking:
        told = (Message.of("answer_early"), *told)
    return replace(state, hurried=state.asking), (Say(told),)


def _with_interrupted(state: State, event: Heard, turn: Turn, *, understood: bool) -> Turn:
    """The turn with what was told last, where speech that meant nothing has interrupted that."""
    nothing = turn.do is None and any(message.key in _NOTHING_ASKED for message in turn.say)
    if not event.early or state.told.private or (understood and not nothing):
        return turn
    question = questions.question(state.asking)
    told = (message for message in (*turn.say, *state.told.last) if message not in question)
    return replace(turn, say=(*dict.fromkeys(told), *question))


def _unheeded(state: State, event: Heard, turn: Turn) -> Message | None:
    """Why a spoken answer does not count; None if it does."""
    if event.spoken and state.confirm == "key" and turn.binds:
        return Message.of("answer_by_key")
    return None


def _check_announced(state: State, turn: Turn) -> Turn:
    """What was understood, unless a check must be announced and was not (escolar-br)."""
    asking = turn.asking
    if not (state.game.rules.announce_check and isinstance(asking, Confirm)) or asking == state.asking:
        return turn
    if asking.fact.meaning.check is Check.NONE or asking.check is not Check.NONE:
        return turn
    missing = Message.of("check_missing", check=Check.CHECK)  # where it mates, that is not to be told
    why = cited(missing, *state.game.rules.cite("check"))
    return confirmation.forbidden(state.asking, turn, why)


def _asking_on(state: State, turn: Turn) -> State:
    """The state with the next question, a claim that stands from now on, and no adjusting that is over."""
    touches = isinstance(turn.do, Obey | AnswerAlone | TouchPiece) or isinstance(turn.asking, Touching)
    state = replace(
        withdrawals.denied(draws.claimed_for_good(state, turn), turn),
        touch=replace(state.touch, adjusting=state.touch.adjusting and touches),
        hurried=state.hurried if turn.asking == state.asking else None,
    )
    return replace(state, asking=turn.asking) if turn.asking != NOTHING else resting(state)


def _done(state: State, turn: Turn, *, understood: bool) -> Step:  # noqa: C901, PLR0912  # one line a deed
    """Do what an utterance has led to."""
    match turn.do:
        case PlayMove(fact):
            return moves.commit(state, fact)
        case CountMove():
            return moves.made(*two_boards.made(state))
        case CarryOut(CommandName.LANGUAGE, choice=language):
            return commands.ordered(state, Command(CommandName.LANGUAGE, choice=language))
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
