# SPDX-License-Identifier: GPL-3.0-or-later
"""A round of a drill: its questions one after the other, what is said to each reply, and the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from acessivel.drills.question import DrillQuestion, DrillVerdict, Reply
from acessivel.game.game import Game, Setup
from acessivel.message import Message, Messages
from acessivel.queries import queries
from voices.meaning import ABOUT_THE_BOARD, Castling, Command, CommandName, Meaning, MovePattern, PieceNamed

_ANSWERED = ABOUT_THE_BOARD - queries.BOARD_ADVICE


class Round:
    """So many questions of a drill, or as many as there are; without devices or time.

    A verdict is given at once. A misheard or mistyped answer can be withdrawn with "correction" until the
    next answer: then it counts neither as right nor as wrong, and another question takes its place. A part of
    an answer that is withdrawn is asked for again.
    """

    def __init__(self, questions: Iterator[DrillQuestion], count: int) -> None:
        self._questions = questions
        self._count = count
        self._scores: list[bool] = []
        self._question: DrillQuestion | None = None
        self._parts: list[DrillQuestion] = []  # the open question as it was before each part of its answer
        self._struck = True  # there is no answer to withdraw
        self._closing = False
        self.over = False

    @property
    def question(self) -> DrillQuestion | None:
        """The open question."""
        return self._question

    @property
    def score(self) -> tuple[int, int]:
        """How many answers were right, of how many."""
        return sum(self._scores), len(self._scores)

    @property
    def commands(self) -> frozenset[CommandName]:
        """What can be ordered and asked now."""
        known = self._question and self._question.position
        return frozenset(_COMMANDS) | (_ANSWERED if known else frozenset())

    def begin(self) -> Messages:
        """What is said first."""
        return (Message.of("drill_begins"), *self._next())

    def say(self, reply: Reply, *, spoken: bool = False) -> Messages:
        """What is said to a reply; a `spoken` one is first repeated as it was heard."""
        if isinstance(reply.meanings[0] if reply.meanings else None, Command):
            command = next(meaning for meaning in reply.meanings if isinstance(meaning, Command))
            return self._obey(command)
        if self._closing or self._question is None:
            return self._end()
        heard = (Message.of("drill_heard", said=_said(reply)),) if spoken else ()
        return (*heard, *self._judged(self._question, self._question.judge(reply), spoken=spoken))

    def _judged(self, question: DrillQuestion, verdict: DrillVerdict, *, spoken: bool) -> Messages:
        if verdict.right is None:
            if verdict.then:
                self._parts.append(question)
                self._question = verdict.then
            return (*verdict.say, *(verdict.then.ask if verdict.then else ()))
        said = (
            (Message.of("drill_right"),) if verdict.right else (Message.of("drill_wrong"), question.solution)
        )
        self._scores.append(verdict.right)
        self._struck = False
        misheard = spoken and not verdict.right
        return (*verdict.say, *said, *self._next(misheard=misheard))

    def _next(self, *, misheard: bool = False) -> Messages:
        """The next question; after the last one the end, unless that answer may have been `misheard`."""
        self._parts.clear()
        question = next(self._questions, None) if len(self._scores) < self._count else None
        if question is None and misheard:
            self._closing, self._question = True, None
            return self.repeat()
        if question is None:
            return self._end()
        self._question = question
        return (*question.intro, *question.ask)

    def _end(self) -> Messages:
        self.over, self._closing, self._question = True, False, None
        return ()

    def _obey(self, command: Command) -> Messages:
        """Obey a command; questions about the position are answered if it may be known."""
        if obey := _COMMANDS.get(command.name):
            return obey(self)
        position = self._question.position if self._question else None
        if position and command.name in _ANSWERED:
            return queries.answer(command, Game.new(Setup.of(fen=position.fen)), 0) or ()
        return (Message.of("drill_no_command"), *self.help())

    def repeat(self) -> Messages:
        """Repeat the open question, or how the last answer can still be withdrawn."""
        if self._closing:
            return (Message.of("drill_closing", command=CommandName.CORRECTION),)
        return self._question.ask if self._question else ()

    def help(self) -> Messages:
        """What can be said."""
        return (
            Message.of(
                "drill_help", again=CommandName.REPEAT, strike=CommandName.CORRECTION, skip=CommandName.MORE
            ),
        )

    def skip(self) -> Messages:
        """Give up the question: it counts as wrong."""
        if self._question is None:
            return self._end()
        solution = self._question.solution
        self._scores.append(False)
        self._struck = False
        return (solution, *self._next())

    def strike(self) -> Messages:
        """Withdraw the last part of an answer, or else the last answer, once."""
        if self._parts:
            self._question = self._parts.pop()
            return (Message.of("drill_struck"), *self.repeat())
        if self._struck:
            return (Message.of("drill_nothing_struck"), *self.repeat())
        self._scores.pop()
        self._struck = True
        self._closing = False
        return (Message.of("drill_struck"), *(self.repeat() if self._question else self._next()))


def _said(reply: Reply) -> object:
    """What was heard, in the words in which it is repeated."""
    meaning: Meaning = reply.meanings[0]
    match meaning:
        case MovePattern() | Castling():
            return meaning
        case PieceNamed(piece):
            return piece
    return reply.words


_COMMANDS: Mapping[CommandName, Callable[[Round], Messages]] = {
    CommandName.REPEAT: Round.repeat,
    CommandName.HELP: Round.help,
    CommandName.MORE: Round.skip,
    CommandName.CORRECTION: Round.strike,
}
