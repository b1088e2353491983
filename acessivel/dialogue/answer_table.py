# SPDX-License-Identifier: GPL-3.0-or-later
"""The confirmation loop as a table: what is being asked, and what each answer does to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from acessivel.dialogue import arbiter_menu, disambiguation, misheard
from acessivel.dialogue.announcement import begun
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.offer import asked_again, offer
from acessivel.dialogue.questions import (
    NOTHING,
    Asking,
    Choose,
    Claiming,
    Confirm,
    Difference,
    Grounds,
    Making,
    Missing,
    Numbering,
    Offered,
    Promote,
    Replying,
    Signing,
    Stopped,
    Sure,
    TakingBack,
    Topics,
    Touching,
    question,
)
from acessivel.dialogue.turn import (
    AcceptDraw,
    AllowTakeBack,
    CallArbiter,
    CarryOut,
    ClaimDraw,
    ClaimOn,
    CountMove,
    DecideAsArbiter,
    DeclineDraw,
    Obey,
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
)


def _word_chosen(asking: Choose, word: disambiguation.TellingWord) -> Turn | None:
    """Choose by a word that singles a move out, or by its number in a list; another word brings the list."""
    if isinstance(word, Number) and not asking.telling:
        return _number_chosen(asking, word.value)
    if isinstance(word, PieceNamed) and word.check is not Check.NONE:
        asking, word = replace(asking, check=word.check), replace(word, check=Check.NONE)
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
    named = asking.numbered[word.value - 1 :][:1] if word.value else ()
    by_place = tuple(fact for fact in asking.facts if fact.squares in {one.squares for one in named})
    if by_word and by_place and by_word != by_place:
        return ()
    return by_word or by_place


def _number_chosen(asking: Choose, number: int) -> Turn:
    """Choose by the number in a list."""
    offered = asking.numbered
    if not 1 <= number <= len(offered):
        return Turn(asking, asked_again(asking, Message.of("no_such_choice", count=len(offered))))
    chosen = offered[number - 1].squares
    return offer(tuple(fact for fact in asking.facts if fact.squares == chosen), check=asking.check)


def _part_said(asking: Missing, word: disambiguation.TellingWord, position: Position) -> Turn | None:
    """Take the missing part; None if it is something else, perhaps a new announcement.

    One that no legal move has may be misheard: the part is asked for again.
    """
    said = disambiguation.filled(asking.said, word)
    turn = begun(said, position) if said else None
    return Turn(asking, asked_again(asking, *turn.say)) if turn and turn.asking == NOTHING else turn


def _unclear_answer(asking: Asking, answer: Answer) -> Turn:
    """A list or the question for a part cannot be answered by yes; no withdraws it."""
    if answer.yes:
        return Turn(asking, question(asking))
    return Turn(NOTHING, (Message.of("say_again"),))


def _piece_chosen(asking: Promote, named: PieceNamed) -> Turn:
    facts = tuple(fact for fact in asking.facts if _promotes_to(fact, named.piece))
    if not facts:
        return Turn(asking, asked_again(asking, Message.of("refuse_promotion")))
    return offer(facts, check=asking.check if named.check is Check.NONE else named.check)


def _promotes_to(fact: Fact, piece: Piece) -> bool:
    return isinstance(fact.meaning, MovePattern) and fact.meaning.promotion is piece


def _sure_answered(asking: Sure, answer: Answer) -> Turn:
    if answer.yes:
        return Turn(asking.before, do=CarryOut(asking.command, asking.colour, asking.choice))
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
    standing = Claiming(asking.command, stands=True)
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


def answered(asking: Asking, meaning: Meaning, position: Position) -> Turn | None:
    """What a meaning does as an answer to the open question; None if it is no answer."""
    key = type(asking), type(meaning)
    if key in ANSWERS:
        return ANSWERS[key](asking, meaning)
    if key in ANSWERS_ON_THE_BOARD:
        return ANSWERS_ON_THE_BOARD[key](asking, meaning, position)
    return None
