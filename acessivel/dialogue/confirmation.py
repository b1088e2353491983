# SPDX-License-Identifier: GPL-3.0-or-later
"""The confirmation loop as a table: what is being asked, and what each meaning does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from acessivel.dialogue import arbiter_menu, disambiguation, misheard
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.disambiguation import unique_squares
from acessivel.dialogue.offer import asked_again, offer
from acessivel.dialogue.questions import (
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
    answers,
    question,
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
from acessivel.laws.grounds import GROUNDS
from acessivel.message import Message
from acessivel.rules.position import Fact, Position
from voices.meaning import (
    Answer,
    Castling,
    Check,
    Command,
    CommandName,
    Meaning,
    Move,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
    Reading,
)

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
_LONGEST_LIST = 5  # of the moves that a part of an announcement leaves, to choose from by number
ONLY_AFTER_THE_END = frozenset({CommandName.NEW_GAME, CommandName.REMATCH})

Readings = Sequence[Reading]


def unsure(alternatives: Sequence[Readings]) -> tuple[Readings, ...]:
    """The readings if several are about equally probable: the legal ones are offered for choice."""
    return (tuple(replace(reading, likely=False) for readings in alternatives for reading in readings),)


def respond(  # noqa: PLR0913  # what is asked, what was said, and what hinders a move
    asking: Asking,
    alternatives: Sequence[Readings],
    position: Position,
    *,
    beside: Readings = (),
    barred: Message | None = None,
    over: bool = False,
    irregular: bool = False,
    again: bool = False,
) -> Turn:
    """What an utterance does; `alternatives` are its readings, most probable first.

    `beside` is what else the ears may have taken for it, most likely first; nothing if it was typed. `barred`
    says why no move can be made now, if none can; `over`: the game has ended; `irregular`: a move against the
    rules is made as announced, if it can be made at all; `again`: neither this utterance nor the one before
    was understood alone.
    """
    readings, *later = alternatives or ((),)
    turns = [turn for reading in readings if (turn := answered(asking, reading.meaning, position))]
    if turns:
        return turns[0] if any(reading.likely for reading in readings) else _either(turns)
    moves = [(move, r.likely) for r in readings if (move := _announcement(asking, r.meaning))]
    if moves and barred:
        return Turn(asking, asked_again(asking, barred))
    if moves and isinstance(asking, _ANSWERED_FIRST):
        return Turn(asking, asked_again(asking, Message.of("answer_first")))
    if moves:
        turn = _announced(moves, later, position, irregular=irregular)
        turn = misheard.told_apart(asking, turn, _legal((r.meaning for r in beside if r.likely), position))
        waited = isinstance(asking, Confirm) and turn.asking == NOTHING
        # What waited for its yes does not go without a word, whatever takes its place.
        return replace(turn, say=(*turn.say, Message.of("withdrawn"))) if waited else turn
    for reading in readings:
        if isinstance(reading.meaning, Command):
            if over and barred and reading.meaning.name in NOT_AFTER_THE_END:
                return Turn(asking, (barred,))
            if not over and reading.meaning.name in ONLY_AFTER_THE_END and not reading.meaning.about:
                return Turn(asking, asked_again(asking, Message.of("new_game_not_yet")))
            if over and reading.meaning.name is CommandName.PLAY_ONLINE:
                return Turn(asking, do=Obey(reading.meaning))
            return _commanded(asking, reading.meaning)
    if again and not readings:
        return _not_understood_again(asking, awaited=not (over or barred))
    return Turn(asking, asked_again(asking, *_no_answer(asking, understood=bool(readings), over=over)))


def of_two(turn: Turn, asking: Asking, position: Position) -> Turn:
    """What two utterances lead to together, neither of which was understood alone.

    They are repeated, asked about or answered, but do nothing to the game: a yes counts by itself or not at
    all. If the moves that they can be differ in one part alone, that is asked for, unless a part is already.
    """
    match turn.do:
        case None | AnswerAlone() | TellTopic() | GoOn():
            pass
        case Obey(command) if command.name not in (*NOT_AFTER_THE_END, CommandName.CORRECTION):
            pass
        case _:
            return _not_understood_again(asking, awaited=False)
    if isinstance(turn.asking, Choose) and not isinstance(asking, Missing | Choose | Difference):
        common = disambiguation.common(turn.asking.facts)
        return _begun(common, position) if common else turn
    return turn


def answered(asking: Asking, meaning: Meaning, position: Position) -> Turn | None:
    """What a meaning does as an answer to the open question; None if it is no answer."""
    key = type(asking), type(meaning)
    if key in ANSWERS:
        return ANSWERS[key](asking, meaning)
    if key in ANSWERS_ON_THE_BOARD:
        return ANSWERS_ON_THE_BOARD[key](asking, meaning, position)
    return None


def _either(turns: Sequence[Turn]) -> Turn:
    """Several answers are about equally likely: the moves that they mean are offered for choice."""
    asked = [turn.asking for turn in turns if isinstance(turn.asking, Confirm)]
    facts = tuple(dict.fromkeys(asking.fact for asking in asked))
    return offer(facts, check=asked[0].check) if len(facts) > 1 else turns[0]


def lacks_a_part(meaning: Meaning, position: Position) -> bool:
    """Whether something is only the beginning of an announcement, when nothing is asked."""
    announced = _announcement(NOTHING, meaning)
    return announced is not None and not _whole(position.begun(announced))


def pointed(asking: Asking, square: Place, position: Position) -> Turn | None:
    """What pointing at a square answers; None if it answers nothing, and its square is only described."""
    answer = MovePattern(square)
    return answered(asking, answer, position) if answer in answers(asking) else None


def _no_answer(asking: Asking, *, understood: bool, over: bool) -> tuple[Message, ...]:
    """What to say to words that answer nothing."""
    if not understood:
        return (Message.of("not_understood"),)
    match asking:
        case Nothing():
            return (Message.of("nothing_asked_over") if over else Message.of("nothing_asked"),)
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
        case Missing(said, facts) if len(unique_squares(facts)) <= _LONGEST_LIST:
            listed = Choose(facts, listed=True, check=said.check)
        case Choose(listed=False):
            listed = replace(asking, listed=True)
        case Difference(facts, check):
            listed = Choose(facts, listed=True, check=check)
    if listed != asking:
        return Turn(listed, question(listed))
    announces = awaited and isinstance(asking, Nothing | Claiming)
    return Turn(
        asking, asked_again(asking, Message.of("not_understood_again" if announces else "not_understood"))
    )


def _announcement(asking: Asking, meaning: Meaning) -> Move | None:
    """A meaning as an announcement; a single word begins one only if it does not answer a question."""
    match meaning:
        case PieceNamed(piece) if isinstance(asking, Nothing | Missing):
            return MovePattern(Place(), piece)
        case MovePattern() if meaning.file_alone and asking != NOTHING:
            return None
        case MovePattern() | Castling():
            return meaning
    return None


def _commanded(asking: Asking, command: Command) -> Turn:
    if isinstance(asking, _ANSWERED_FIRST) and command.name in _NOT_BEFORE_THE_ANSWER:
        return Turn(asking, asked_again(asking, Message.of("answer_first")))
    if command.name in ASKED_BACK:
        sure = Sure(command.name, asking.before if isinstance(asking, Sure) else asking)
        return Turn(sure, question(sure), AnswerAlone(command))
    if command.name is CommandName.PRESS and isinstance(asking, Confirm):
        return Turn(NOTHING, do=PlayMove(asking.fact))
    if command.name is CommandName.MADE:
        if isinstance(asking, Making):
            return Turn(NOTHING, do=CountMove())
        return Turn(asking, asked_again(asking, Message.of("nothing_to_make")))
    if command.name is CommandName.ACCEPT:
        if isinstance(asking, Offered):
            return Turn(NOTHING, do=AcceptDraw())
        return Turn(asking, asked_again(asking, Message.of("draw_not_offered")))
    if command.name is CommandName.CORRECTION and not isinstance(asking, Making):
        stands = isinstance(asking, Claiming) and asking.stands
        if stands or isinstance(
            asking, Nothing | Offered | TakingBack | Stopped | Arbitrated | Signing | Repeating
        ):
            return Turn(asking, asked_again(asking, Message.of("nothing_to_correct")), AnswerAlone(command))
        return Turn(NOTHING, (Message.of("withdrawn"),), AnswerAlone(command))
    return Turn(asking, do=Obey(command))


def _announced(
    announced: Sequence[tuple[Move, bool]],
    later: Sequence[Readings],
    position: Position,
    *,
    irregular: bool = False,
) -> Turn:
    """A move was announced: offer what it can be, ask for what is missing, or refuse it with the reason.

    `announced` are the readings of what was most probably heard, each with whether it is likely. At first
    only the likely ones count; the others, which are right only in another language or in careless writing,
    count if no likely one is or begins a legal move. A move that they mean is offered as doubtful.
    """
    begun = [(position.begun(move), likely) for move, likely in announced]
    likely = [move for move, is_likely in begun if is_likely]
    doubtful = [move for move, is_likely in begun if not is_likely]
    others = _legal((r.meaning for readings in later for r in readings if r.likely), position)
    turn = _understood(likely, position, others, beside=likely)
    if turn is None:
        turn = _understood(doubtful, position, others, beside=(*likely, *doubtful), doubtful=True)
    if turn is not None:
        return turn
    first, _ = begun[0]
    against = position.irregular(first) if irregular else ()
    return offer(against, check=first.check) if against else _refused(first, position)


def _understood(
    moves: Sequence[Move],
    position: Position,
    others: tuple[Fact, ...],
    *,
    beside: Sequence[Move],
    doubtful: bool = False,
) -> Turn | None:
    """What to ask about these announcements; None if none of them is or begins a legal move.

    An incomplete announcement counts unless one of those `beside` is complete: a complete announcement that
    is not legal is refused, whatever else its words could have begun.
    """
    if not any(map(_whole, beside)):
        for move in moves:
            if isinstance(move, MovePattern) and position.matching(move):
                return _begun(move, position, others)
    facts = _legal(moves, position)
    if not facts:
        return None
    check = next((move.check for move in moves if move.check is not Check.NONE), Check.NONE)
    return offer(facts, tuple(f for f in others if f not in facts), doubtful=doubtful, check=check)


def _whole(meaning: Meaning) -> bool:
    return isinstance(meaning, Castling) or (isinstance(meaning, MovePattern) and meaning.whole)


def _legal(meanings: Iterable[Meaning], position: Position) -> tuple[Fact, ...]:
    """The legal moves that complete announcements can mean."""
    moves = (m for m in meanings if isinstance(m, MovePattern | Castling) and _whole(m))
    return tuple(dict.fromkeys(fact for move in moves for fact in position.matching(move)))


def _refused(said: Move, position: Position) -> Turn:
    return Turn(NOTHING, (Message.of("refused", heard=said, reason=position.refusal(said)),))


def _begun(said: MovePattern, position: Position, others: tuple[Fact, ...] = ()) -> Turn:
    """Take what was said so far: ask for what is missing; if only one move fits, ask whether it is meant."""
    facts = disambiguation.giving(position.matching(said), said.check)
    if not facts:
        return _refused(said, position)
    if said.whole or not disambiguation.missing(said, facts):
        left = tuple(f for f in others if f not in facts)
        return offer(facts, left, doubtful=not said.whole, check=said.check)
    asking = Missing(said, facts)
    return Turn(asking, question(asking))


def _word_chosen(asking: Choose, word: disambiguation.TellingWord) -> Turn | None:
    """Choose by a word that singles a move out, or by its number in a list; another word brings the list."""
    if isinstance(word, Number) and not asking.telling:
        return _number_chosen(asking, word.value)
    chosen = _singled_out(asking, word)
    if chosen:
        return offer(chosen, check=asking.check)
    if isinstance(word, MovePattern) and not word.file_alone:
        return None
    listed = replace(asking, listed=True)
    return Turn(listed, question(listed))


def _singled_out(asking: Choose, word: disambiguation.TellingWord) -> tuple[Fact, ...]:
    """The moves that a word means among several; none if a number can mean two different things.

    A number can be a rank, or a place in the list; if a rank is asked for, it is a rank.
    """
    by_word = disambiguation.singled_out(asking.facts, word)
    if not isinstance(word, Number) or asking.telling == "from_rank":
        return by_word
    named = disambiguation.in_order(asking.facts)[word.value - 1 :][:1] if word.value else ()
    by_place = tuple(fact for fact in asking.facts if fact.squares in {one.squares for one in named})
    if by_word and by_place and by_word != by_place:
        return ()
    return by_word or by_place


def _number_chosen(asking: Choose, number: int) -> Turn:
    offered = unique_squares(asking.facts)
    if not 1 <= number <= len(offered):
        return Turn(asking, asked_again(asking, Message.of("no_such_choice", count=len(offered))))
    chosen = offered[number - 1].squares
    return offer(tuple(fact for fact in asking.facts if fact.squares == chosen), check=asking.check)


def _part_said(asking: Missing, word: disambiguation.TellingWord, position: Position) -> Turn | None:
    """Take the missing part; None if it is something else, perhaps a new announcement."""
    said = disambiguation.filled(asking.said, word)
    return _begun(said, position) if said else None


def _unclear_answer(asking: Asking, answer: Answer) -> Turn:
    """A list or the question for a part cannot be answered by yes; no withdraws it."""
    if answer.yes:
        return Turn(asking, question(asking))
    return Turn(NOTHING, (Message.of("say_again"),))


def _piece_chosen(asking: Promote, named: PieceNamed) -> Turn:
    facts = tuple(fact for fact in asking.facts if _promotes_to(fact, named.piece))
    if not facts:
        return Turn(asking, asked_again(asking, Message.of("refuse_promotion")))
    return offer(facts, check=asking.check)


def _promotes_to(fact: Fact, piece: Piece) -> bool:
    return isinstance(fact.meaning, MovePattern) and fact.meaning.promotion is piece


def _sure_answered(asking: Sure, answer: Answer) -> Turn:
    if answer.yes:
        return Turn(asking.before, do=CarryOut(asking.command, asking.colour))
    if asking.calls:
        return Turn(asking.before, do=CallArbiter())
    return Turn(asking.before, asked_again(asking.before, Message.of("going_on")))


def _draw_answered(_: Offered, answer: Answer) -> Turn:
    return Turn(NOTHING, do=AcceptDraw() if answer.yes else DeclineDraw())


def _take_back_answered(_: TakingBack, answer: Answer) -> Turn:
    return Turn(NOTHING, do=AllowTakeBack() if answer.yes else RefuseTakeBack())


def _making_answered(asking: Making, answer: Answer) -> Turn:
    """The opponent has made the move; or he cannot, and then the boards differ (point 7, 2009)."""
    if answer.yes:
        return Turn(NOTHING, do=CountMove())
    return Turn(asking, asked_again(asking, Message.of("boards_differ")))


def _making_repeated(asking: Making, move: Move, position: Position) -> Turn | None:
    """The opponent repeats the announcement, as the Laws require (point 1, 2009)."""
    return Turn(NOTHING, do=CountMove()) if position.matching(move) == (asking.fact,) else None


def _claim_answered(asking: Claiming, answer: Answer) -> Turn:
    """Yes claims for the position on the board; no asks for the move, as no claim is withdrawn (9.5.1)."""
    if answer.yes and not asking.stands:
        return Turn(NOTHING, do=ClaimDraw(asking.command))
    standing = replace(asking, stands=True)
    return Turn(standing, question(standing))


def _ground_chosen(asking: Grounds, number: Number) -> Turn:
    allowed = range(1, len(GROUNDS) + 1)
    if number.value not in allowed:
        return Turn(asking, asked_again(asking, *_range(allowed)))
    return Turn(NOTHING, do=ClaimOn(GROUNDS[number.value - 1]))


def _ground_asked_again(asking: Grounds, _: Answer) -> Turn:
    """A yes names no ground, nor does a no take the claim back: it has ended play (D.1; 2009)."""
    return Turn(asking, question(asking))


def _left() -> Turn:
    """Leave a question without an answer."""
    return Turn(NOTHING, (Message.of("going_on"),))


def _touch_answered(asking: Touching, answer: Answer) -> Turn:
    if not answer.yes:
        return _left()
    if len(asking.squares) > 1:
        return Turn(asking, question(asking))
    return Turn(NOTHING, do=TouchPiece(asking.squares[0]))


def _touch_told(asking: Touching, word: Number | MovePattern) -> Turn | None:
    """Which of several pieces was touched: by square, file, rank, place in the list, or a move of it."""
    if len(asking.squares) == 1:
        return None
    if isinstance(word, MovePattern) and word.origin in asking.squares:
        said = word.origin
    else:
        said = Place(rank=str(word.value)) if isinstance(word, Number) else word.target
    fit = tuple(s for s in asking.squares if said.file in (None, s.file) and said.rank in (None, s.rank))
    if isinstance(word, Number) and not fit:
        fit = asking.squares[word.value - 1 : word.value] if word.value else ()
    if isinstance(word, MovePattern) and not fit and word != MovePattern(word.target):
        return None
    left = replace(asking, squares=fit or asking.squares)
    return Turn(left, question(left))


def _name_chosen(asking: Topics | Replying, number: Number) -> Turn:
    if not 1 <= number.value <= len(asking.names):
        return Turn(asking, asked_again(asking, Message.of("no_such_choice", count=len(asking.names))))
    name = asking.names[number.value - 1]
    return Turn(asking.before, do=TellTopic(name) if isinstance(asking, Topics) else SendReply(name))


def _move_numbered(asking: Numbering, number: Number) -> Turn:
    return Turn(asking.before, do=Obey(Command(CommandName.MOVE_AT, number=number.value)))


def _asked_before(asking: Topics | Numbering | Replying, _: Answer) -> Turn:
    return Turn(asking.before, asked_again(asking.before, Message.of("going_on")))


def _go_on_answered(asking: Stopped, answer: Answer) -> Turn:
    return (
        Turn(NOTHING, do=CarryOut(CommandName.CLOCK_STOP)) if answer.yes else Turn(asking, question(asking))
    )


def _decision_numbered(asking: Deciding, number: Number) -> Turn:
    allowed = arbiter_menu.numbers(asking)
    if number.value not in allowed:
        return Turn(asking, asked_again(asking, *_range(allowed)))
    following = arbiter_menu.numbered(asking, number.value)
    return Turn(following, question(following))


def _range(allowed: range) -> tuple[Message, ...]:
    return (Message.of("number_range", least=allowed[0], most=allowed[-1]),) if allowed else ()


def _decision_answered(asking: Deciding, answer: Answer) -> Turn:
    if not answer.yes:
        return _left()
    if asking.missing:
        return Turn(asking, question(asking))
    return Turn(NOTHING, do=DecideAsArbiter(asking))


def _sign_answered(asking: Signing, answer: Answer) -> Turn:
    """Yes signs, no does not; in both cases the opponent is asked next."""
    colour, *others = asking.colours
    following = replace(asking, colours=tuple(others)) if others else NOTHING
    if answer.yes:
        return Turn(following, do=SignResult(colour))
    return Turn(following, (Message.of("sign_not", colour=colour), *question(following)))


_Answering = tuple[type[Asking], type[Meaning]]
# What is asked, and what can answer it -> the handler, called with the question and the meaning. It may find
# that the meaning is no answer to this question after all (None): then it is an announcement or a command.
ANSWERS: Mapping[_Answering, Callable[..., Turn | None]] = {
    (Choose, Number): _word_chosen,
    (Choose, PieceNamed): _word_chosen,
    (Choose, MovePattern): _word_chosen,
    (Choose, Answer): _unclear_answer,
    (Missing, Answer): _unclear_answer,
    (Promote, PieceNamed): _piece_chosen,
    (Promote, Answer): _unclear_answer,
    (Sure, Answer): _sure_answered,
    (Offered, Answer): _draw_answered,
    (TakingBack, Answer): _take_back_answered,
    (Making, Answer): _making_answered,
    (Claiming, Answer): _claim_answered,
    (Grounds, Number): _ground_chosen,
    (Grounds, Answer): _ground_asked_again,
    (Touching, Answer): _touch_answered,
    (Touching, MovePattern): _touch_told,
    (Touching, Number): _touch_told,
    (Topics, Number): _name_chosen,
    (Topics, Answer): _asked_before,
    (Replying, Number): _name_chosen,
    (Replying, Answer): _asked_before,
    (Numbering, Number): _move_numbered,
    (Numbering, Answer): _asked_before,
    (Stopped, Answer): _go_on_answered,
    (Deciding, Number): _decision_numbered,
    (Deciding, Answer): _decision_answered,
    (Signing, Answer): _sign_answered,
}
# The same for answers that need the position: it is passed to the handler as well.
ANSWERS_ON_THE_BOARD: Mapping[_Answering, Callable[..., Turn | None]] = {
    (Confirm, Answer): misheard.confirm_answered,
    (Difference, Answer): misheard.difference_answered,
    (Difference, Number): misheard.word_of_difference,
    (Difference, PieceNamed): misheard.word_of_difference,
    (Difference, MovePattern): misheard.word_of_difference,
    (Missing, Number): _part_said,
    (Missing, PieceNamed): _part_said,
    (Missing, MovePattern): _part_said,
    (Making, MovePattern): _making_repeated,
    (Making, Castling): _making_repeated,
}
