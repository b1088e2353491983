# SPDX-License-Identifier: GPL-3.0-or-later
"""The open questions: what can be asked, how it is put, and the words that can answer it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from acessivel.dialogue import arbiter_menu, disambiguation
from acessivel.dialogue.arbiter_menu import Deciding
from acessivel.dialogue.disambiguation import unique_squares
from acessivel.game.results import RESULTS
from acessivel.laws.grounds import GROUNDS
from acessivel.message import Message
from acessivel.rules.position import Fact, Position, other
from voices.meaning import (
    Called,
    Check,
    CommandName,
    Distinct,
    Meaning,
    MovePattern,
    Number,
    Piece,
    PieceNamed,
    Place,
)


@dataclass(frozen=True, slots=True)
class Bare:
    """A value that its class tells wholly; all such classes share its methods: making some takes time."""


class Nothing(Bare):
    """Nothing is being asked: a move or a command is awaited."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Confirm:
    """One move was repeated, and awaits its yes; `others` are the next readings.

    `doubtful`: the words mean this move only in another language or in careless writing, or were perhaps
    other words. `check`: what was said that the move gives. `alike`: what else the ears may have taken for
    it, most likely first. `denied`: what was asked before, and had a no. `settled`: in what it differs from
    these has been asked. `sure`: it needs no yes if nothing is said against it, as was agreed for sure
    readings.
    """

    fact: Fact
    others: tuple[Fact, ...] = ()
    doubtful: bool = False
    check: Check = Check.NONE
    alike: tuple[Fact, ...] = ()
    denied: tuple[Fact, ...] = ()
    settled: bool = False
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Several moves are possible: asks for the word that distinguishes them, or for a number in a list.

    `listed`: an answer was no such word; if no word distinguishes them, it is a list at once. `check`: what
    was said that the move gives. `denied`: what was asked before, and had a no.
    """

    facts: tuple[Fact, ...]
    listed: bool = False
    check: Check = Check.NONE
    denied: tuple[Fact, ...] = ()

    @property
    def telling(self) -> str | None:
        """What is asked for ("from_file"); None for a numbered list."""
        return None if self.listed else disambiguation.telling(self.facts)

    @property
    def numbered(self) -> tuple[Fact, ...]:
        """The moves that a number chooses from: as they are named, where a word can tell them apart."""
        ordered = disambiguation.in_order if disambiguation.telling(self.facts) else unique_squares
        return ordered(self.facts)


@dataclass(frozen=True, slots=True)
class Difference:
    """The ears may take these moves for one another: which, by the part that is another one in each.

    It is told in words that cannot be mistaken. `check`: what was said that the move gives. `denied`: what
    was asked before, and had a no.
    """

    facts: tuple[Fact, ...]
    check: Check = Check.NONE
    denied: tuple[Fact, ...] = ()

    @property
    def part(self) -> disambiguation.MovePart:
        """The part that is asked for. Raises ValueError if none tells the moves apart."""
        part = disambiguation.difference(self.facts)
        if part is None:
            raise ValueError(self.facts)
        return part

    @property
    def options(self) -> tuple[Distinct, ...]:
        """The part of each move, to be told so that nobody takes it for another's."""
        parts = [disambiguation.part_of(fact.meaning, self.part) for fact in self.facts]
        found = tuple(part for part in parts if part)
        return tuple(Distinct(one, tuple(other for other in found if other != one)) for one in found)


@dataclass(frozen=True, slots=True)
class Missing:
    """A part of the square was not said or not heard; `facts` are the legal moves that fit the rest.

    `denied`: what was asked before, and had a no. `pointed`: a piece was picked without a word.
    """

    said: MovePattern
    facts: tuple[Fact, ...]
    denied: tuple[Fact, ...] = ()
    pointed: bool = False


@dataclass(frozen=True, slots=True)
class Promote:
    """The same pawn move with each possible promotion; `check`: what was said that it gives.

    `denied`: what was asked before, and had a no.
    """

    facts: tuple[Fact, ...]
    check: Check = Check.NONE
    denied: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Sure:
    """Resign, draw or stop was said, and awaits its yes; after a no, the previous question is asked again.

    `colour`: whose offer, wish or resignation it is, where two persons play; "" if that goes without saying.
    `by`: the player who alone answers: it was said on his page, or is his to decide; "" if anybody may.
    `calls`: a no says that the arbiter is not there, and calls him. `choice`: the language that was chosen.
    `left`: it counts if the opponent at a server has left.
    """

    command: CommandName
    before: Asking
    colour: str = ""
    calls: bool = False
    by: str = ""
    choice: str = ""
    left: bool = False


@dataclass(frozen=True, slots=True)
class ProposedBy:
    """What a side (`by`) proposes, and the opponent has to answer."""

    by: str


class Offered(ProposedBy):
    """A side has offered a draw, and the opponent has to answer."""

    __slots__ = ()


class TakingBack(ProposedBy):
    """The opponent at a server asks to take a move back, and the player has to answer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Names:
    """What can be chosen by number; then the previous question is asked again."""

    names: tuple[str, ...]
    before: Asking


class Replying(Names):
    """A short reply to the opponent at a server, by number; then the previous question is asked again."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Making:
    """A move was announced and confirmed; the opponent says when he has made it on his own board."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Claiming:
    """A draw is claimed (threefold or 50 moves): in this position, or with the next announced move.

    `stands`: it is not for this position; with which move is asked, and it cannot be withdrawn (9.5.1; 2018).
    `colour`: whose claim it is, where two persons play; "" if that goes without saying.
    """

    command: CommandName
    stands: bool = False
    colour: str = ""


class Grounds(Bare):
    """A draw is claimed in the quickplay finish, and no arbiter is there: on which of the two grounds."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Touching:
    """A piece was touched: which of several on these squares, or whether it was this one."""

    piece: Piece
    squares: tuple[Place, ...]


class Topics(Names):
    """The topics of the Laws, chosen by number; then the previous question is asked again."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Numbering:
    """The number of a past move, to hear it again; then the previous question is asked again."""

    least: int
    most: int
    before: Asking


@dataclass(frozen=True, slots=True)
class Stopped:
    """The clocks are stopped until somebody says that they go on.

    `held`: that is for an arbiter to say, who is not at the table. `announced`: on two boards a move was,
    which waits to be made.
    """

    held: bool = False
    announced: bool = False


class Arbitrated(Bare):
    """The game waits until the arbiter has decided."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Signing:
    """The game is over: the first of these colours is asked to sign the result, the others follow."""

    colours: tuple[str, ...]
    score: str


@dataclass(frozen=True, slots=True)
class Repeating:
    """The opponent's move must be repeated, from the position before it; `origin`: it was pointed at."""

    fact: Fact
    before: Position
    origin: Place | None = None


NOTHING = Nothing()
Asking = (
    Nothing | Confirm | Choose | Difference | Missing | Promote | Sure | Offered | TakingBack | Replying
    | Making | Claiming | Grounds | Touching | Topics | Numbering | Stopped | Arbitrated | Deciding | Signing
    | Repeating
)  # fmt: skip
# The questions about a move that is being announced.
ANNOUNCING = (Confirm, Choose, Difference, Missing, Promote)
# The questions that a yes answers; a touched piece and the arbiter's may have another part to be told first.
ANSWERED_BY_YES = (Confirm, Sure, Offered, TakingBack, Claiming, Touching, Stopped, Deciding, Signing)
# Those to which a yes can be said at all: that the announced move has been made, too.
TAKES_YES = (*ANSWERED_BY_YES, Making)


def under_list(asking: Asking) -> Asking:
    """The open question, or the one before a list or a number was asked for."""
    return asking.before if isinstance(asking, Topics | Numbering | Replying) else asking


def innermost(asking: Asking) -> Asking:
    """What is asked once all lists, numbers and commands that are asked back before it are dealt with."""
    while isinstance(asking, Names | Numbering | Sure):
        asking = asking.before
    return asking


def question(asking: Asking) -> tuple[Message, ...]:
    """The open question, as it is put and repeated."""
    match asking:
        case Confirm(fact, _, doubtful):
            return (Message.of("ask_other_reading" if doubtful else "ask_move", move=fact),)
        case Choose() | Difference():
            return (_which(asking) if isinstance(asking, Choose) else _which_word(asking),)
        case Missing(said, facts):
            return (Message.of(f"ask_{disambiguation.missing(said, facts) or 'square'}", heard=said),)
        case Promote(facts):
            return (Message.of("ask_promotion", move=facts[0]),)
        case Sure():
            return (_whether_meant(asking),)
        case Offered() | TakingBack() | Replying():
            return (_question_of_the_opponent(asking),)
        case Signing(colours, score):
            result = Message.of(RESULTS[score])
            return (Message.of("ask_sign", colour=colours[0], result=result),)
        case Numbering(least, most):
            return (Message.of("ask_move_number", least=least, most=most),)
        case Repeating():
            return (Message.of("ask_repeat"),)
        case Making(fact):
            opponent = other(fact.colour)
            return (Message.of("ask_made", colour=fact.colour, opponent=opponent, move=fact),)
        case Nothing():
            return ()
        case _:
            return (_question_of_the_laws(asking),)


def _whether_meant(asking: Sure) -> Message:
    """The question whether a command is meant."""
    if asking.calls:
        return Message.of("ask_arbiter_or_call")
    key = f"ask_{asking.command}"
    if asking.choice:
        return Message.of(key, language=Called(asking.command, asking.choice))
    if asking.left:
        return Message.of(f"{key}_left", colour=asking.colour)
    return Message.of(f"{key}_of", colour=asking.colour) if asking.colour else Message.of(key)


def _question_of_the_opponent(asking: Offered | TakingBack | Replying) -> Message:
    """What the opponent asks for, or is told."""
    match asking:
        case Offered(by):
            return Message.of("ask_accept_draw", opponent=other(by))
        case TakingBack(by):
            return Message.of("ask_allow_take_back", colour=by)
        case Replying():
            return Message.of("ask_reply")


def topic_list(names: Iterable[str]) -> Message:
    """The topics of the Laws with their numbers, to choose from."""
    listed = (Message.of(f"topic_{name}") for name in names)
    named = (Message.of("numbered", number=n, name=name) for n, name in enumerate(listed, 1))
    return Message.of("numbered_topics", topics=tuple(named))


def _question_of_the_laws(
    asking: Claiming | Grounds | Touching | Topics | Stopped | Arbitrated | Deciding,
) -> Message:
    """What is asked about claims, touched pieces and the rules, or of the arbiter."""
    match asking:
        case Claiming(stands=True):
            return Message.of("ask_claim_move")
        case Claiming(command, colour=colour):
            return Message.of(f"ask_{command}_by", colour=colour) if colour else Message.of(f"ask_{command}")
        case Grounds():
            return Message.of("ask_grounds")
        case Touching(piece, squares):
            key = "ask_touched" if len(squares) == 1 else "ask_touched_where"
            return Message.of(key, piece=piece, squares=squares)
        case Topics():
            return Message.of("ask_topic")
        case Stopped(held):
            return Message.of("ask_held" if held else "ask_go_on")
        case Arbitrated():
            return Message.of("ask_arbiter_decides")
        case Deciding():
            return arbiter_menu.question(asking)


def _which(asking: Choose) -> Message:
    """The question which of several moves is meant."""
    if not asking.telling:
        items = (Message.of("choice", number=n, move=f) for n, f in enumerate(asking.numbered, 1))
        return Message.of("ask_choice", choices=tuple(items))
    moves = [f.meaning for f in asking.numbered if isinstance(f.meaning, MovePattern)]
    choices: dict[str, list[object]] = {
        "which_piece": [MovePattern(Place(), move.piece) for move in moves],
        "from_file": [Place(move.origin.file) for move in moves],
        "from_rank": [Place(rank=move.origin.rank) for move in moves],
    }
    piece = moves[0].piece if len({move.piece for move in moves}) == 1 else None
    heard = MovePattern(moves[0].target, piece, capture=moves[0].capture)
    return Message.of(f"ask_{asking.telling}", heard=heard, choices=tuple(choices[asking.telling]))


def _which_word(asking: Difference) -> Message:
    """The question by which of several words two moves differ."""
    move = asking.facts[0].meaning
    if isinstance(move, MovePattern) and asking.part in ("from_file", "from_rank"):
        heard = MovePattern(move.target, move.piece, capture=move.capture)
        return Message.of(f"ask_{asking.part}", heard=heard, choices=asking.options)
    *choices, last = asking.options
    return Message.of("ask_alike", choices=tuple(choices), last=last)


def answers(asking: Asking) -> tuple[Meaning, ...]:
    """The words and squares that can answer an open question, besides yes and no."""
    match asking:
        case Choose(facts) if asking.telling:
            return disambiguation.apart(facts)
        case Choose(facts):
            words = (word for word in disambiguation.apart(facts) if not isinstance(word, Number))
            return (*map(Number, range(1, len(unique_squares(facts)) + 1)), *words)
        case Difference(facts):
            return disambiguation.names(facts, asking.part)
        case Missing(said, facts):
            return tuple(dict.fromkeys(disambiguation.fillings(said, facts)))
        case Promote(facts):
            moves = (fact.meaning for fact in facts if isinstance(fact.meaning, MovePattern))
            return tuple(PieceNamed(move.promotion) for move in moves if move.promotion)
        case Grounds():
            return tuple(map(Number, range(1, len(GROUNDS) + 1)))
        case Touching(_, squares) if len(squares) > 1:
            return tuple(MovePattern(square) for square in squares)
        case Topics(names) | Replying(names):
            return tuple(map(Number, range(1, len(names) + 1)))
        case Numbering(least, most):
            return tuple(map(Number, range(least, most + 1)))
        case Deciding():
            return tuple(map(Number, arbiter_menu.numbers(asking)))
        case _:
            return ()
