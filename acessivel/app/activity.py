# SPDX-License-Identifier: GPL-3.0-or-later
"""What the loop runs: an activity turns inputs into outputs, and touches no device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from acessivel.message import Message
from acessivel.session import pages
from acessivel.session.effects import OrderPages
from acessivel.session.preferences import Preferences, preference
from acessivel.session.state import State
from acessivel.storage.stored_game import Stored
from acessivel.web.hall_view import HallShown
from acessivel.web.present import TalkShown
from voices.hearing.utterances import Utterance
from voices.meaning import PREFERENCES, Command, CommandName
from voices.speakers import Span
from voices.words.lexicon import Sounds


@dataclass(frozen=True, slots=True)
class TypedText:
    """A line was typed, or an answer was pressed on the display; an empty line says nothing, not even yes.

    `key`: a key stands for the words, such as Enter for a yes. `by`: the role on whose page it was typed, ""
    for the devices of the program. `faced`: it is a player's page, and the other player has one too.
    """

    text: str
    key: bool = False
    by: str = ""
    faced: bool = False


@dataclass(frozen=True, slots=True)
class Uttered:
    """Something was said; `timely` if it began after everything had been said to its end."""

    utterance: Utterance
    timely: bool


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key with an action of the table of keys, such as "send" or "clock_white"."""

    action: str


@dataclass(frozen=True, slots=True)
class KeyFelt:
    """A key was pressed, whatever it does: what that is comes afterwards, if it is an input."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """A routing key was pressed over a square such as "e4"."""

    square: str


@dataclass(frozen=True, slots=True)
class ListLeft:
    """The display has finished showing a list: its former content is to be shown again."""


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Time has passed; `quiet`: nothing is being said, heard or typed."""

    quiet: bool


@dataclass(frozen=True, slots=True)
class SpeechOver:
    """What was being said has ended, or was stopped; `heard`: a voice has said it to its end."""

    heard: bool


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A display, microphone or voice was lost, came back or is faulty: the key of its sentence."""

    key: str


@dataclass(frozen=True, slots=True)
class InputEnded:
    """Nothing more comes from "keyboard" or "microphone"; `last`: no other input is left."""

    source: str
    last: bool


@dataclass(frozen=True, slots=True)
class Reported:
    """A report from a thread of the activity itself, such as an engine."""

    value: object


Input = (
    TypedText | Uttered | KeyPressed | KeyFelt | Pointed | ListLeft | TimePassed | SpeechOver
    | DeviceChanged | InputEnded | Reported
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell messages as one announcement: to the room, or if `private` to one player alone.

    `unasked`: nobody waits for it, so it may be left out where nothing is private. `to`: the role whose page
    has asked for what is private, "" if a device of the program has.
    """

    messages: tuple[Message, ...]
    private: bool = False
    unasked: bool = False
    to: str = ""


@dataclass(frozen=True, slots=True)
class TellLater:
    """Tell a message before what is told next."""

    message: Message


@dataclass(frozen=True, slots=True)
class Quote:
    """Write a line, and speak it, as somebody else's words."""

    line: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Sound:
    """Play earcons, if the user wants them."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refresh:
    """Show the present state on the display, without moving its window."""


@dataclass(frozen=True, slots=True)
class AdoptPreferences:
    """Speak, tell, sound and listen like this from now on, in the activity's language.

    `setting`, with its value, is kept for the next run as well; "" if it is for this run only.
    """

    preferences: Preferences
    setting: str = ""
    value: int | str = ""


@dataclass(frozen=True, slots=True)
class Prefer:
    """Do what a command says about voice, sentences, sounds and microphone, as of `preferences.change`."""

    command: CommandName


@dataclass(frozen=True, slots=True)
class Hide:
    """Hide typed text, or show it again."""

    hidden: bool


Output = Tell | TellLater | Quote | Sound | Refresh | AdoptPreferences | Prefer | Hide | OrderPages


_YES = Message.of("answer_yes")


@dataclass(frozen=True, slots=True)
class View:
    """What the display shows beside what is told: a state with the explored square, or nothing.

    `actions`: messages that can be pressed, with what that does; `answers`: those that a display alone shows,
    as pages have buttons of their own for yes and no. `lines`: what stands there whatever is told.
    `commands`: what can be ordered, None where `state` says it. `hall`: what the pages show of a hall.
    `sequence`: how many events the journal of the game has, and `started` when it began (ISO 8601). `stored`:
    another game, whose record is wanted. `talk`: what the pages show of a conversation that takes typed lines
    in place of the game. `clocks_stand`: no clock runs now, whatever the state says.
    """

    state: State | None = None
    explored: str | None = None
    actions: Mapping[Message, str] = field(default_factory=lambda: MappingProxyType({}))
    answers: Mapping[Message, str] = field(default_factory=lambda: MappingProxyType({}))
    sequence: int = 0
    started: str = ""
    stored: Stored | None = None
    lines: tuple[Message, ...] = ()
    hall: HallShown | None = None
    commands: frozenset[CommandName] | None = None
    talk: TalkShown | None = None
    clocks_stand: bool = False

    @property
    def yes_or_no(self) -> bool:
        """Whether yes and no answer what is asked."""
        return _YES in self.answers


NO_VIEW = View()
NO_SOUNDS: Sounds = MappingProxyType({})


def asking_yes_or_no(view: View, question: Sequence[Message], yes: str = "send") -> View:
    """What the display shows while that is asked: the question is a yes, and yes and no stand in a row.

    `yes` is the action that answers so.
    """
    answers = {_YES: yes, Message.of("answer_no"): "cancel"}
    pressed = dict.fromkeys(question, yes) | answers
    return replace(view, answers=MappingProxyType(pressed), lines=tuple(answers))


def preferred(input_: Input, words: tuple[str, str]) -> tuple[Prefer, ...]:
    """What a key or a typed line orders about voice, sentences, sounds and microphone, if it does."""
    match input_:
        case KeyPressed(action) if action in PREFERENCES:
            return (Prefer(CommandName(action)),)
        case TypedText(text) if command := preference(text, *words):
            return (Prefer(command),)
    return ()


def about_pages(input_: Input, words: tuple[str, str]) -> tuple[OrderPages | Tell, ...]:
    """What a key or a typed line orders about the pages where no game is played, if it does."""
    match input_:
        case KeyPressed(action) if action in pages.PAGE_COMMANDS:
            return (pages.order(Command(CommandName(action)), ""),)
        case TypedText(text, by=by):
            found = pages.ordered_elsewhere(text, by, words)
            if isinstance(found, Message):
                return (Tell((found,), private=True, to=by),)
            return (found,) if found else ()
    return ()


class Activity(ABC):
    """A game, a drill, a replay, lessons, an enrolment, a one-shot telling, the demonstration.

    `kind` names it in sentences of its own ("braille_lost_drill"); `over` ends it.
    """

    kind: str
    over: bool = False
    journals: bool = False
    """Whether it keeps what is ordered, also about the pages, and so carries that out itself."""

    @property
    @abstractmethod
    def words(self) -> tuple[str, str]:
        """The language and the convention that are spoken now."""

    @property
    def sounds(self) -> Sounds:
        """The pronunciations of words beside those of the language and the convention."""
        return NO_SOUNDS

    @abstractmethod
    def start(self, now_ms: int) -> Sequence[Output]:
        """What is told first. Time is in ms since the loop started the activity."""

    @abstractmethod
    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """What an input leads to; None if it means nothing here, so that the loop's default applies."""

    @property
    def busy(self) -> bool:
        """Whether lines that are typed ahead have to wait."""
        return False

    @property
    def wants_lines(self) -> bool:
        """Whether Enter, with nothing typed, is an empty line and no key."""
        return False

    @property
    def listens(self) -> bool:
        """Whether something can be said now, or the microphone is not in use."""
        return True

    @abstractmethod
    def expectation(self) -> tuple[str, Sequence[str]]:
        """What can be said, as a grammar, and the phrases that are possible now."""

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002  # a replay makes what it tells pressable
        """What the display shows beside what is told."""
        return NO_VIEW

    def pending(self) -> tuple[Message, ...]:
        """The open question, to be repeated after an interruption."""
        return ()

    def long_answer(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """What is told of a long answer of the loop's: all of it, unless the activity knows portions."""
        return messages

    def stumbled(self) -> Sequence[Output]:
        """What is told when an error of the program has kept an input from being handled."""
        return (Tell((Message.of("went_wrong"), *self.pending())),)

    def on_clock(self, now_ms: int) -> int:
        """The time that the clocks show then."""
        return now_ms

    def wakes_in_ms(self, now_ms: int, *, quiet: bool) -> int | None:  # noqa: ARG002  # most have no clock
        """In how many ms a tick is wanted, if nothing happens; None for never."""
        return None

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # most have nothing to finish
        """What is told at the end, however it was reached."""
        return ()
