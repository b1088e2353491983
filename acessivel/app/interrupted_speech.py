# SPDX-License-Identifier: GPL-3.0-or-later
"""What the voice says again when something else interrupts it: what nobody has asked for must not be lost."""

from __future__ import annotations

from enum import Enum, auto

from acessivel.app.activity import DeviceChanged, Input, Reported, TimePassed
from acessivel.message import Messages
from acessivel.rules.position import COLOURS
from acessivel.session import events as ev

_WHOSE_TURN = frozenset({"turn", "turn_in_check"})  # which is another one by then


class Cause(Enum):
    """Why something is told, on which depends whether what it interrupts is said again."""

    OTHER = auto()
    """It answers the user, or takes the place of what was told: only what a player has done on his page is,
    before what his own next line tells."""
    NEWS = auto()
    """News of a device, of the engine or of a connection: all is, after it."""
    BESIDE = auto()
    """Somebody else has done something beside the game: all is, before it."""
    GAME = auto()
    """The game has gone on by itself: what it had told by itself is, before it."""

    @classmethod
    def of(cls, input_: Input) -> Cause:
        """What an input is to what is being said."""
        match input_:
            case DeviceChanged() | Reported(ev.DeviceNews()):
                return cls.NEWS
            case Reported(ev.Chatted() | ev.OpponentGone() | ev.Proposed()):
                return cls.BESIDE
            case Reported(ev.Event()) | TimePassed():
                return cls.GAME
        return cls.OTHER


class InterruptedSpeech:
    """Remembers what is being said, and why, until something else is."""

    def __init__(self) -> None:
        self.cause = Cause.OTHER  # of what is told from now on
        self.by, self.acted = "", False  # on whose page that was typed, and whether it has changed the game
        self.interrupted: Messages = ()  # what was being said when the last was begun
        self._saying: Messages = ()
        self._said_for = Cause.OTHER
        self._question: Messages = ()  # that was open then
        self._done: Messages = ()  # what told last that a player has done something on his page
        self._done_by = ""

    def with_interrupted(self, told: Messages, question: Messages, *, interrupts: bool) -> Messages:
        """What is said now, of which `question` is open, with what it `interrupts` and must not be lost."""
        self.interrupted = ()
        if interrupts:
            self.interrupted = tuple(each for each in self.still_true(question) if each not in told)
            told = self._joined(self.interrupted, told)
        self._saying, self._said_for, self._question = told, self.cause, question
        if self.acted and self.by in COLOURS:
            self._done, self._done_by = told, self.by
        return told

    def still_true(self, question: Messages) -> Messages:
        """What was said last, without a question that is no longer the open one."""
        closed = {*self._question} - {*question}
        return tuple(message for message in self._saying if message not in closed)

    def _joined(self, saying: Messages, told: Messages) -> Messages:
        """What is said now that the voice was saying this, as of `Cause`."""
        match self.cause:
            case Cause.NEWS:  # before the question that follows
                return (*told[:1], *saying, *told[1:])
            case Cause.GAME if self._said_for is Cause.OTHER:
                return told
            case Cause.GAME:
                return (*(each for each in saying if each.key not in _WHOSE_TURN), *told)
            case Cause.BESIDE:
                return (*saying, *told)
            case Cause.OTHER if self.by and self.by == self._done_by:
                return (*(each for each in saying if each in self._done), *told)
        return told
