# SPDX-License-Identifier: GPL-3.0-or-later
"""What to begin, chosen from lists by number: by voice, keys, display and on the page that may do all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from acessivel.app.activity import Output, Tell, View
from acessivel.app.numbered_lines import NumberedLines
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.storage.stored_game import Stored
from voices.understanding import online_words
from voices.understanding.online_words import OnlineOrder, OnlineWord
from voices.words.lexicon import Sounds

FIRST = ""  # the list that is shown first, and after which it ends


@dataclass(frozen=True, slots=True)
class StartEntry:
    """A line of a list: what it is called, and the list that follows, the command to run or what to set.

    `order`: what is ordered online. `tells`: what is told before the list comes again. `record`: the number
    of a game of the journal whose record is wanted. One that leads to nothing ends the program.
    """

    name: object
    follows: str | None = None
    tells: tuple[Message, ...] = ()
    record: int = 0
    runs: tuple[str, ...] = ()
    order: OnlineOrder | None = None
    sets: tuple[str, str | int] | None = None


class StartMenu(NumberedLines):
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
        super().__init__(words)
        self._lists, self._first = lists, tuple(first)
        self._list, self._load = start, load
        self._stored: Stored | None = None
        self.chosen: StartEntry | None = None

    @property
    def question(self) -> tuple[Message, ...]:
        """What to do."""
        return (Message.of("ask_start"),)

    @property
    def names(self) -> Sequence[object]:
        """The names of the lines of the present list."""
        return [entry.name for entry in self._lists[self._list]]

    @property
    def sounds(self) -> Sounds:
        """The pronunciations of what can be ordered online."""
        return online_words.words(self._words[0]).sounds

    def expectation(self) -> tuple[str, Sequence[str]]:
        """The numbers of the list, and what can be ordered online."""
        return online_words.expectation(self._words[1], self._words[0], len(self.lines))

    def said(self, text: str) -> Sequence[Output]:
        """Go on with the line of a number; or end with an order for a game online."""
        match online_words.read_order(text, *self._words):
            case OnlineOrder(word=OnlineWord() as word) as order if word is not OnlineWord.BACK:
                self.chosen, self.over = StartEntry(text, runs=("online",), order=order), True
                return ()
        return super().said(text)

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """The first list."""
        return (Tell((*self._first, *self.listed)),)

    def view(self, told: Sequence[Message]) -> View:
        """The lines, and the record that is wanted."""
        return replace(super().view(told), stored=self._stored)

    def chose(self, number: int) -> Sequence[Output]:
        """Show the list that follows, or end with what was chosen."""
        entry = self._lists[self._list][number - 1]
        if told := self._record(entry.record) if entry.record else entry.tells:
            return (Tell((*told, *self.listed)),)
        if entry.follows is not None:
            self._list = entry.follows
            return (Tell(self.listed),)
        self.chosen, self.over = entry, True
        return ()

    def _record(self, number: int) -> tuple[Message, ...]:
        """Offer the record of a game on the page, or say why there is none."""
        try:
            self._stored = self._load(number)
        except UserError as error:
            return (error.message,)
        return (Message.of("start_record"),)
