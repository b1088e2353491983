# SPDX-License-Identifier: GPL-3.0-or-later
"""A list whose lines are chosen by number: by voice, keys, display and on the page that may do all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from acessivel.app.activity import (
    Activity,
    Input,
    KeyPressed,
    Output,
    Tell,
    TypedText,
    Uttered,
    View,
    preferred,
)
from acessivel.dialogue.interpretation import Question, decide
from acessivel.message import Message
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.meaning import Command, CommandName, Number
from voices.understanding.meanings import read_typed

_LIST_AGAIN = (Command(CommandName.HELP), Command(CommandName.REPEAT))
_MAY_CHOOSE = ("", "both")  # at the program's own devices, and on the page of both sides


class NumberedLines(Activity):
    """Tells a question with numbered lines, and goes on with the line of the number that is given."""

    def __init__(self, words: tuple[str, str]) -> None:
        """`words`: the language and the convention."""
        self._words = words

    @property
    def words(self) -> tuple[str, str]:
        """The user's language and convention."""
        return self._words

    @property
    @abstractmethod
    def question(self) -> tuple[Message, ...]:
        """What is told before the lines."""

    @property
    @abstractmethod
    def names(self) -> Sequence[object]:
        """What the lines are called, in their order."""

    @abstractmethod
    def chose(self, number: int) -> Sequence[Output]:
        """What follows on a line that there is, by its number from 1 on."""

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # noqa: ARG002  # there is no clock
        """Go on with the line of a number."""
        match input_:
            case TypedText(_, by=by) if not self.may_choose(by):
                return (Tell((Message.of("web_room_only"),), private=True, to=by),)
            case KeyPressed() | TypedText() if told := preferred(input_, self._words):
                return told
            case TypedText(text):
                return self.said(text)
            case Uttered() if input_.timely:
                heard = self.heard(input_)
                return self.said(heard) if heard else self.again()
            case KeyPressed(CommandName.HELP | CommandName.REPEAT):
                return (Tell(self.listed),)
            case KeyPressed(action) if action.isdigit():  # a line that was pressed on the display
                return self._numbered(int(action))
        return None

    def heard(self, spoken: Uttered) -> str:
        """What was said, in words; "" if it was not understood."""
        language, convention = self._words
        question = Question(self.expectation()[1])
        decided = decide(spoken.utterance.hypotheses, Position.start(), convention, language, question)
        return decided.readings[0] if decided.readings and decided.sure else ""

    def may_choose(self, by: str) -> bool:
        """Whether what is typed on the page of a role counts; "" for the program's own devices."""
        return by in _MAY_CHOOSE

    def said(self, text: str) -> Sequence[Output]:
        """What words lead to: here the line of a number, or the list once more."""
        meanings = [reading.meaning for reading in read_typed(text, *self._words)]
        if any(one in _LIST_AGAIN for one in meanings):
            return (Tell(self.listed),)
        return self._numbered(next((one.value for one in meanings if isinstance(one, Number)), 0))

    def expectation(self) -> tuple[str, Sequence[str]]:
        """The numbers of the lines."""
        return grammar.expectation((), self._words[1], self._words[0], self._numbers)

    def pending(self) -> tuple[Message, ...]:
        """The question; the lines stand on the display and on the page, and are told again when asked for."""
        return self.question

    @property
    def listed(self) -> tuple[Message, ...]:
        """The question, and the lines with their numbers."""
        return (*self.question, *self.lines.values())

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002  # the same whatever is told
        """The lines, each of which can be pressed."""
        numbers = {line: str(number) for number, line in self.lines.items()}
        return View(actions=MappingProxyType(numbers), lines=tuple(numbers))

    @property
    def lines(self) -> Mapping[int, Message]:
        """The lines by their numbers."""
        names = enumerate(self.names, 1)
        return {number: Message.of("numbered", number=number, name=name) for number, name in names}

    def again(self) -> Sequence[Output]:
        """Say that it was not understood, and ask again."""
        return (Tell((Message.of("not_understood"), *self.pending(), Message.of("list_with_help"))),)

    @property
    def _numbers(self) -> tuple[Number, ...]:
        return tuple(map(Number, self.lines))

    def _numbered(self, number: int) -> Sequence[Output]:
        return self.chose(number) if number in self.lines else self.again()
