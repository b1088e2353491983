# SPDX-License-Identifier: GPL-3.0-or-later
"""What to begin, chosen from lists by number: by voice, keys, display and on the page that may do all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from acessivel.app.activity import (
    Activity,
    Input,
    KeyPressed,
    Output,
    Prefer,
    Tell,
    TypedText,
    Uttered,
    View,
)
from acessivel.dialogue.interpretation import Question, decide
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.rules.position import Position
from acessivel.session.preferences import preference
from acessivel.storage.stored_game import Stored
from voices.grammar import grammar
from voices.meaning import Number
from voices.understanding.meanings import read_typed

FIRST = ""  # the list that is shown first, and after which it ends
_MAY_CHOOSE = ("", "both")  # at the program's own devices, and on the page of both sides


@dataclass(frozen=True, slots=True)
class StartEntry:
    """A line of a list: what it is called, and the list that follows, the command to run or what to set.

    `tells`: what is told before the list comes again. `record`: the number of a game of the journal whose
    record is wanted. One that leads to nothing ends the program.
    """

    name: object
    follows: str | None = None
    tells: tuple[Message, ...] = ()
    record: int = 0
    runs: tuple[str, ...] = ()
    sets: tuple[str, str | int] | None = None


class StartMenu(Activity):
    """Lists of what can be begun; `chosen` is the entry with which it has ended."""

    kind = "start"

    def __init__(
        self,
        lists: Mapping[str, Sequence[StartEntry]],
        words: tuple[str, str],
        load: Callable[[int], Stored],
        *,
        start: str = FIRST,
        first: Sequence[Message] = (),
    ) -> None:
        """`words`: the language and the convention; `first` is told before the list with which it starts.

        `load` gives a game of the journal, or raises UserError.
        """
        self._lists, self._words, self._first = lists, words, tuple(first)
        self._list, self._load = start, load
        self._stored: Stored | None = None
        self.chosen: StartEntry | None = None

    @property
    def words(self) -> tuple[str, str]:
        """The user's."""
        return self._words

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """The first list."""
        return (Tell((*self._first, *self.pending())),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # noqa: ARG002
        """Go on with the line of a number."""
        match input_:
            case TypedText(text, by=by):
                return self._typed(text, by)
            case Uttered(utterance, timely) if timely:
                language, convention = self._words
                question = Question(grammar.in_words(self._numbers, convention, language))
                heard = decide(utterance.hypotheses, Position.start(), convention, language, question)
                return self._said(heard.readings[0]) if heard.readings and heard.sure else self._again()
            case KeyPressed(action) if action.isdigit():
                return self._chose(int(action))
        return None

    def expectation(self) -> tuple[str, Sequence[str]]:
        """The numbers of the list."""
        return grammar.expectation((), self._words[1], self._words[0], self._numbers)

    def pending(self) -> tuple[Message, ...]:
        """The list, with its numbers."""
        return (Message.of("ask_start"), *self._lines.values())

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002  # the same whatever is told
        """The lines, each of which can be pressed."""
        lines = {message: str(number) for number, message in self._lines.items()}
        return View(actions=MappingProxyType(lines), stored=self._stored)

    @property
    def _lines(self) -> Mapping[int, Message]:
        return {
            number: Message.of("numbered", number=number, name=entry.name)
            for number, entry in enumerate(self._lists[self._list], 1)
        }

    @property
    def _numbers(self) -> tuple[Number, ...]:
        return tuple(map(Number, self._lines))

    def _typed(self, text: str, by: str) -> Sequence[Output]:
        if by not in _MAY_CHOOSE:
            return (Tell((Message.of("web_room_only"),)),)
        command = preference(text, *self._words)
        return (Prefer(command),) if command else self._said(text)

    def _said(self, text: str) -> Sequence[Output]:
        meanings = (reading.meaning for reading in read_typed(text, *self._words))
        number = next((one.value for one in meanings if isinstance(one, Number)), 0)
        return self._chose(number)

    def _again(self) -> Sequence[Output]:
        return (Tell((Message.of("not_understood"), *self.pending())),)

    def _chose(self, number: int) -> Sequence[Output]:
        """Show the list that follows, or end with what was chosen."""
        entries = self._lists[self._list]
        if not 0 < number <= len(entries):
            return self._again()
        entry = entries[number - 1]
        if told := self._record(entry.record) if entry.record else entry.tells:
            return (Tell((*told, *self.pending())),)
        if entry.follows is not None:
            self._list = entry.follows
            return (Tell(self.pending()),)
        self.chosen, self.over = entry, True
        return ()

    def _record(self, number: int) -> tuple[Message, ...]:
        """Offer the record of a game on the page, or say why there is none."""
        try:
            self._stored = self._load(number)
        except UserError as error:
            return (error.message,)
        return (Message.of("start_record"),)
