# SPDX-License-Identifier: GPL-3.0-or-later
"""The confirmation loop: what an utterance does, be it an answer, an announcement or a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from acessivel.dialogue import disambiguation, misheard
from acessivel.dialogue.announcement import Readings, announced, begun, legal, whole
from acessivel.dialogue.answer_table import answered
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.disambiguation import unique_squares
from acessivel.dialogue.offer import asked_again, offer
from acessivel.dialogue.questions import (
    ANNOUNCING,
    NOTHING,
    Arbitrated,
    Asking,
    Choose,
    Claiming,
    Confirm,
    Difference,
    Grounds,
    Making,
    Missing,
    Nothing,
    Numbering,
    Offered,
    Promote,
    Repeating,
    Replying,
    Signing,
    Stopped,
    Sure,
    TakingBack,
    Topics,
    Touching,
    innermost,
    question,
    under_list,
)
from acessivel.dialogue.turn import (
    AnswerAlone,
    CountMove,
    GoOn,
    Obey,
    PlayMove,
    TellTopic,
    Turn,
)
from acessivel.message import Message
from acessivel.rules.position import Position
from voices.meaning import (
    Castling,
    Command,
    CommandName,
    Meaning,
    Move,
    MovePattern,
    Number,
    PieceNamed,
    Place,
)

# What is about the game going on.
NOT_AFTER_THE_END = frozenset(
    {
        CommandName.RESIGN,
        CommandName.DRAW,
        CommandName.ADJOURN,
        CommandName.TOUCHED,
        CommandName.ADJUST,
        CommandName.CLAIM_THREEFOLD,
        CommandName.CLAIM_FIFTY,
        CommandName.CLAIM_FLAG,
        CommandName.CLAIM_DRAW,
        CommandName.CLAIM_ILLEGAL,
        CommandName.PRESS,
        CommandName.CLOCK_STOP,
        CommandName.ARBITER,
        CommandName.MADE,
        CommandName.ACCEPT,
        CommandName.ABORT,
        CommandName.CLAIM_VICTORY,
    }
)
# Questions that nothing else replaces, as who hurries on could escape what the answer binds him to.
_ANSWERED_FIRST = (Touching, Grounds)
# What would lead away from these questions.
_NOT_BEFORE_THE_ANSWER = frozenset(
    {
        CommandName.TOUCHED,
        CommandName.ADJUST,
        CommandName.DRAW,
        CommandName.CLAIM_THREEFOLD,
        CommandName.CLAIM_FIFTY,
        CommandName.CLAIM_DRAW,
        CommandName.CLAIM_ILLEGAL,
        CommandName.PRESS,
        CommandName.CLOCK_STOP,
        CommandName.ADJOURN,
        CommandName.ARBITER,
    }
)
# What needs a yes of its own, as it must not happen by a slip.
ASKED_BACK = frozenset(
    {
        CommandName.RESIGN,
        CommandName.DRAW,
        CommandName.ADJOURN,
        CommandName.STOP,
        CommandName.CLAIM_DRAW,
        CommandName.CLAIM_ILLEGAL,
        CommandName.ARBITER,
        CommandName.TAKE_BACK,
        CommandName.NEW_GAME,
        CommandName.REMATCH,
        CommandName.ABORT,
        CommandName.CLAIM_VICTORY,
        CommandName.PLAY_ONLINE,
    }
)
# What does as a yes does, and is misheard more easily: by voice nothing but a yes does it.
AS_A_YES = frozenset({CommandName.PRESS, CommandName.ACCEPT})
# Commands that answer a question, if no other is asked before it.
_ANSWERS: Mapping[CommandName, tuple[type, ...]] = {
    CommandName.PRESS: ANNOUNCING,
    CommandName.MADE: (Making,),
    CommandName.ACCEPT: (Offered,),
}
# How an utterance is taken: what a meaning does to the open question; None if it is about something else.
_Taking = Callable[[Asking, Meaning, Position], Turn | None]
ONLY_AFTER_THE_END = frozenset({CommandName.NEW_GAME, CommandName.REMATCH})


def unsure(alternatives: Sequence[Readings]) -> tuple[Readings, ...]:
    """The readings if several are about equally probable: the legal ones are offered for choice."""
    return (tuple(replace(reading, likely=False) for readings in alternatives for reading in readings),)


def respond(  # noqa: PLR0913  # what is asked, what was said, and what hinders a move
    asking: Asking,
    alternatives: Sequence[Readings],
    position: Position,
    *,
    spoken: bool = False,
    beside: Readings = (),
    barred: Message | None = None,
    over: bool = False,
    irregular: bool = False,
    again: bool = False,
    doubted: bool = False,
) -> Turn:
    """What an utterance does; `alternatives` are its readings, most probable first.

    `spoken`: nobody mishears what is typed or pressed; `beside` is what else the ears may have taken for it,
    most likely first. `barred` says why no move can be made now, if none can; `over`: the game has ended;
    `irregular`: a move against the rules is made as announced, if it can be made at all; `again`: neither
    this utterance nor the one before was understood alone; `doubted`: the first may well be none that was
    announced.
    """
    readings, *later = alternatives or ((),)
    takes: list[_Taking] = [partial(_answer, irregular=irregular)]
    if spoken:
        takes.append(misheard.word_of_another_part)
    turns = _answers(asking, readings, position, takes)
    if turns:
        turn = turns[0] if any(reading.likely for reading in readings) else _either(turns)
        squares = any(isinstance(r.meaning, MovePattern) and r.meaning.whole for r in readings)
        return misheard.answered_in_part(asking, turn, spoken=spoken, announced=squares)
    moves = [(move, r.likely) for r in readings if (move := _announcement(asking, r.meaning))]
    if moves and (hindered := _hindered(asking, barred)):
        return hindered
    if moves:
        doubted = again or doubted
        turn = announced(moves, later, position, spoken=spoken, irregular=irregular, doubted=doubted)
        others = legal((r.meaning for r in beside if r.likely), position)
        turn = misheard.told_apart(asking, turn, others)
        return refused(asking, turn.say) if turn.asking == NOTHING else turn
    for reading in readings:
        if isinstance(reading.meaning, Command):
            return _commanded(asking, reading.meaning, barred=barred, over=over)
    if again and not readings:
        return _not_understood_again(asking, awaited=not (over or barred))
    return Turn(asking, asked_again(asking, *_no_answer(asking, understood=bool(readings), over=over)))


def _hindered(asking: Asking, barred: Message | None) -> Turn | None:
    """What keeps a move from being announced now: what bars it, or a question to be answered first."""
    if barred:
        tells_why = isinstance(asking, Stopped)  # the question itself
        return Turn(asking, question(asking) if tells_why else asked_again(asking, barred))
    bound = innermost(asking)
    half_decided = isinstance(bound, Deciding) and bound.what != ""
    return _answer_first(bound) if half_decided or isinstance(bound, _ANSWERED_FIRST) else None


def _answer(asking: Asking, said: Meaning, position: Position, *, irregular: bool) -> Turn | None:
    """What a meaning does as an answer; None if it is none.

    It can name a move that had a no, or the part of one against the rules, where that is made as announced;
    and no number leads out of the question for one but that of a move.
    """
    against = _against_the_rules(asking, said, position) if irregular else None
    denied = misheard.word_of_denied(asking, said)
    return denied or against or _no_such_move(asking, said) or answered(asking, said, position)


def _no_such_move(asking: Asking, said: Meaning) -> Turn | None:
    """A number that no past move has, where one is asked for: the question stays open."""
    if not isinstance(asking, Numbering) or not isinstance(said, Number):
        return None
    least, most = asking.least, asking.most
    if least <= said.value <= most:
        return None
    return Turn(asking, (Message.of("no_such_move", number=said.value, least=least, most=most),))


def _against_the_rules(asking: Asking, said: Meaning, position: Position) -> Turn | None:
    """The move against the rules that a missing part makes of what was said; None if it makes none."""
    if not isinstance(asking, Missing) or not isinstance(said, disambiguation.TellingWord):
        return None
    move = disambiguation.filled(asking.said, said)
    if not move or not move.whole or position.matching(move):
        return None
    turn = announced(((move, True),), (), position, irregular=True)
    return turn if turn.asking != NOTHING else None


def _answers(asking: Asking, readings: Readings, position: Position, takes: Iterable[_Taking]) -> list[Turn]:
    """What the readings do by the first of these ways to take them that takes any."""
    found = ([turn for each in readings if (turn := take(asking, each.meaning, position))] for take in takes)
    return next(filter(None, found), [])


def refused(asking: Asking, say: Sequence[Message]) -> Turn:
    """An announcement is refused: what waited for a yes or a part does not go without a word."""
    withdrawn = isinstance(under_list(asking), (*ANNOUNCING, Sure))
    return Turn(NOTHING, (*say, Message.of("withdrawn")) if withdrawn else tuple(say))


def forbidden(asking: Asking, turn: Turn, why: Message) -> Turn:
    """What was understood leads to a move that the game forbids now: after a no nobody has announced it.

    Nor has anybody what was only a guess: then its own refusal is told.
    """
    denied = turn.asking.denied if isinstance(turn.asking, ANNOUNCING) else ()
    neither = isinstance(asking, Difference) and set(asking.facts) <= set(denied)
    if neither or (isinstance(asking, Confirm) and asking.fact in denied):
        return Turn(NOTHING, (Message.of("say_again"),))
    return refused(asking, (turn.refusal or why,))


def of_two(turn: Turn, asking: Asking, position: Position) -> Turn:
    """What two utterances lead to together, neither of which was understood alone.

    They are repeated, asked about or answered, but do nothing to the game: a yes counts by itself or not at
    all. If the moves that they can be differ in one part alone, that is asked for, unless a part is already.
    """
    if _does_something(turn):
        return _not_understood_again(asking, awaited=False)
    if isinstance(turn.asking, Choose) and not isinstance(asking, Missing | Choose | Difference):
        common = disambiguation.common(turn.asking.facts, turn.asking.check)
        return begun(common, position) if common else turn
    return turn


def of_several(turn: Turn, asking: Asking, alternatives: Sequence[Readings], position: Position) -> Turn:
    """What readings lead to that are about equally likely: moves and their parts are offered for choice.

    All else is put again, unless several readings are the same answer: nobody knows which of them was said.
    """
    answers = [
        next((found for each in readings if (found := answered(asking, each.meaning, position))), None)
        for readings in alternatives
    ]
    same = len(answers) > 1 and answers[0] is not None and all(one == answers[0] for one in answers)
    settles = isinstance(asking, Repeating) or (any(answers) and not isinstance(asking, ANNOUNCING))
    if same or not (settles or _does_something(turn)):
        return turn
    return Turn(asking, asked_again(asking, Message.of("not_understood")))


def _does_something(turn: Turn) -> bool:
    """Whether it does anything to the game, beyond what is repeated, asked about or told."""
    match turn.do:
        case None | AnswerAlone() | TellTopic() | GoOn():
            return False
        case Obey(command):
            return command.name in NOT_AFTER_THE_END or command.name is CommandName.CORRECTION
    return True


def _either(turns: Sequence[Turn]) -> Turn:
    """Several answers are about equally likely: the moves that they mean are offered for choice."""
    asked = [turn.asking for turn in turns if isinstance(turn.asking, Confirm)]
    facts = tuple(dict.fromkeys(asking.fact for asking in asked))
    return offer(facts, check=asked[0].check) if len(facts) > 1 else turns[0]


def lacks_a_part(meaning: Meaning, position: Position) -> bool:
    """Whether something is only the beginning of an announcement, when nothing is asked."""
    said = _announcement(NOTHING, meaning)
    return said is not None and not whole(position.begun(said))


def nothing_asked(*, over: bool) -> Message:
    """What to say to an answer where nothing is asked; `over`: the game has ended."""
    return Message.of("nothing_asked_over") if over else Message.of("nothing_asked")


def _no_answer(asking: Asking, *, understood: bool, over: bool) -> tuple[Message, ...]:
    """What to say to words that answer nothing."""
    if not understood:
        return (Message.of("not_understood"),)
    match asking:
        case Nothing():
            return (nothing_asked(over=over),)
        case (
            Choose()
            | Difference()
            | Missing()
            | Promote()
            | Topics()
            | Numbering()
            | Replying()
            | Grounds()
            | Deciding()
            | Arbitrated()
            | Repeating()
        ):
            return ()
        case _:
            return (Message.of("answer_asked"),)


def _not_understood_again(asking: Asking, *, awaited: bool) -> Turn:
    """Two utterances were not understood: let a number choose, or ask for the announcement in parts.

    `awaited`: a move can be announced.
    """
    listed: Asking = asking
    match asking:
        case Missing(said, facts, denied) if len(unique_squares(facts)) <= disambiguation.LONGEST_LIST:
            listed = Choose(facts, listed=True, check=said.check, denied=denied)
        case Choose(listed=False):
            listed = replace(asking, listed=True)
        case Difference(facts, check, denied):
            listed = Choose(facts, listed=True, check=check, denied=denied)
    if listed != asking:
        return Turn(listed, question(listed))
    announces = awaited and isinstance(asking, Nothing | Claiming)
    return Turn(
        asking, asked_again(asking, Message.of("not_understood_again" if announces else "not_understood"))
    )


def _announcement(asking: Asking, meaning: Meaning) -> Move | None:
    """A meaning as an announcement; a single word begins one only if it does not answer a question."""
    begins = isinstance(asking, Nothing) or (isinstance(asking, Claiming) and asking.stands)
    match meaning:
        case PieceNamed(piece) if begins or isinstance(asking, Missing):
            return MovePattern(Place(), piece)
        case MovePattern() if meaning.file_alone and not begins:
            return None
        case MovePattern() | Castling():
            return meaning
    return None


def _answer_first(asking: Asking) -> Turn:
    return Turn(asking, asked_again(asking, Message.of("answer_first")))


def _commanded(asking: Asking, command: Command, *, barred: Message | None, over: bool) -> Turn:
    """A command is refused, asked back, an answer in other words, or obeyed."""
    if over and barred and command.name in NOT_AFTER_THE_END:
        return Turn(asking, asked_again(asking, barred))
    if not over and command.name in ONLY_AFTER_THE_END and not command.about:
        return Turn(asking, asked_again(asking, Message.of("new_game_not_yet")))
    if over and command.name is CommandName.PLAY_ONLINE:
        return Turn(asking, do=Obey(command))
    bound = innermost(asking)
    if isinstance(bound, _ANSWERED_FIRST) and command.name in _NOT_BEFORE_THE_ANSWER:
        return _answer_first(bound)
    if bound != asking and isinstance(bound, _ANSWERS.get(command.name, ())):
        return _answer_first(asking)
    if isinstance(bound, Grounds) and command.name is CommandName.CORRECTION:
        return Turn(bound, asked_again(bound, Message.of("nothing_to_correct")), AnswerAlone(command))
    if command.name in ASKED_BACK:
        sure = Sure(command.name, asking.before if isinstance(asking, Sure) else asking)
        return Turn(sure, question(sure), AnswerAlone(command))
    return _instead_of_an_answer(asking, command, over=over) or Turn(asking, do=Obey(command))


def _instead_of_an_answer(asking: Asking, command: Command, *, over: bool) -> Turn | None:
    """What the commands do that say yes or no to a question of their own; None for all others."""
    match command.name, asking:
        case CommandName.PRESS, Confirm():
            return Turn(NOTHING, do=PlayMove(asking.fact))
        case CommandName.MADE, Making():
            return Turn(NOTHING, do=CountMove())
        case CommandName.MADE, Stopped(announced=True):
            return Turn(asking, question(asking))
        case CommandName.MADE, _:
            return Turn(asking, asked_again(asking, Message.of("nothing_to_make")))
        case CommandName.CORRECTION, Making():  # two boards: what was announced is corrected
            return None
        case CommandName.CORRECTION, Stopped(announced=True):
            return Turn(asking, question(asking), AnswerAlone(command))
        case CommandName.CORRECTION, (
            Nothing() | Offered() | TakingBack() | Stopped() | Arbitrated() | Signing() | Repeating()
            | Claiming(stands=True)
        ):  # fmt: skip
            return Turn(asking, asked_again(asking, Message.of("nothing_to_correct")), AnswerAlone(command))
        case CommandName.CORRECTION, _:
            told = Message.of("withdrawn_over" if over else "withdrawn")
            return Turn(NOTHING, (told,), AnswerAlone(command))
    return None
