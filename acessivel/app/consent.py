# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks for consent: whether the ears may learn from this speaker, or whether recordings may be kept."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from acessivel.app.activity import (
    NO_VIEW,
    Activity,
    Input,
    KeyPressed,
    Output,
    Tell,
    TypedText,
    Uttered,
    View,
    asking_yes_or_no,
    preferred,
)
from acessivel.app.loop import Loop
from acessivel.message import Message
from acessivel.settings import changed_settings, profiles
from acessivel.settings.settings import Settings, file_path
from voices.grammar import grammar
from voices.hearing import decision
from voices.meaning import Command, CommandName, Reading
from voices.understanding.meanings import read_heard, read_typed, yes_or_no

_ATTEMPTS = 3
_KEYS = {"send": True, "cancel": False}
_OBEYED = {CommandName.STOP, CommandName.HELP, CommandName.REPEAT}
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Consent:
    """What is asked; what is told after a yes, after a no, without an answer, and before asking again."""

    question: Message
    agreed: Message
    refused: Message
    unanswered: Message
    again: Message


LEARNING = Consent(*map(Message.of, ("ask_learn", "learn_on", "learn_off", "learn_later", "not_understood")))


def wanted(settings: Settings) -> bool:
    """Whether to ask: only a person at a terminal, who has not answered yet, and wants a profile."""
    return settings.learn == "ask" and settings.profile != profiles.NONE and sys.stdin.isatty()


def ask(settings: Settings, loop: Loop, kind: str) -> str | None:
    """Ask whether the ears may learn, and keep the answer for later runs.

    Returns the setting: "on", "off", or "ask" without an answer; "" if the person left instead, None if
    nothing can follow, as of `Loop.run`. `kind`: that of the activity of which the question is a part.
    """
    activity = ConsentActivity(LEARNING, (settings.language, settings.convention), kind)
    if not loop.run(activity):
        return None
    if activity.left:
        return ""
    if activity.agreed is None:
        return "ask"
    learn = "on" if activity.agreed else "off"
    if activity.agreed:
        loop.devices.learn(settings)
    try:
        changed_settings.keep(file_path(), "learn", learn)
    except OSError as error:
        _LOG.warning("the answer is not kept: %s", error)  # then it is asked once more
    return learn


class ConsentActivity(Activity):
    """One question, answered with yes or no, in words or by a key; `agreed` is None without an answer.

    `left`: the person wants to stop.
    """

    def __init__(self, consent: Consent, words: tuple[str, str], kind: str) -> None:
        """`words`: the language and the convention of the user; `kind`: that of what it is asked in."""
        self._consent = consent
        self._words = words
        self.kind = kind
        self._attempts = _ATTEMPTS
        self.agreed: bool | None = None
        self.left = False

    @property
    def words(self) -> tuple[str, str]:
        """The user's language and convention."""
        return self._words

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """The question."""
        return (Tell((self._consent.question,)),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # noqa: ARG002
        """Take an answer; one that is none is asked for again, and after a few times left for later."""
        match input_:
            case KeyPressed() | TypedText() if told := preferred(input_, self._words):
                return told
            case KeyPressed(action) if action in _KEYS:
                return self.answered(_KEYS[action])
            case TypedText(text):
                return self._said(read_typed(text, *self._words))
            case Uttered(utterance, timely):
                language, convention = self._words
                yeses, answers = grammar.yeses(convention, language), grammar.answers(convention, language)
                heard = decision.decide(utterance.hypotheses, yeses, asked=answers)
                said = read_heard(heard.readings[0], *self._words) if heard.readings else ()
                obeyed = timely and _orders(said)
                return self._said(said) if obeyed else self.heard(yes_or_no(said), timely=timely)
        return None

    def _said(self, readings: Sequence[Reading]) -> Sequence[Output]:
        """An answer, or that it is not answered now, or asks what is asked: that is no answer."""
        orders = _orders(readings)
        if not orders:
            return self.answered(yes_or_no(readings))
        if CommandName.STOP not in orders:
            return (Tell((self._consent.question,)),)
        told = self.leave(0)
        self.left = self.over = True
        return told

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """What is told where it is left without an answer."""
        return () if self.over else (Tell((self._consent.unanswered,)),)

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Yes and no."""
        language, convention = self._words
        return grammar.everything(convention, language), grammar.answers(convention, language)

    def view(self, told: Sequence[Message]) -> View:  # noqa: ARG002  # the same whatever is told
        """Yes and no, on the display and on the pages."""
        return asking_yes_or_no(NO_VIEW, self.pending()) if self.pending() else NO_VIEW

    def pending(self) -> tuple[Message, ...]:
        """The question."""
        return () if self.over else (self._consent.question,)

    def heard(self, yes: bool | None, *, timely: bool) -> Sequence[Output]:
        """The same after something that was said; it counts only if the question was over when it began."""
        if timely:
            return self.answered(yes, Message.of("longer_yes_tip"))
        early = self._consent.again if yes is None else Message.of("answer_early")
        return (Tell((early, self._consent.question)),)

    def answered(self, yes: bool | None, *tips: Message) -> Sequence[Output]:
        """What is told after an answer, or after one that is none: the question again, with tips before it.

        The question ends in no answer, and what is told in nothing else: a loudspeaker that lags is heard.
        """
        self._attempts -= 1
        if yes is None and self._attempts:
            return (Tell((self._consent.again, *tips, self._consent.question)),)
        self.over = True
        self.agreed = yes
        if yes is None:
            return (Tell((self._consent.unanswered,)),)
        return (Tell((self._consent.agreed if yes else self._consent.refused,)),)


def _orders(readings: Sequence[Reading]) -> set[CommandName]:
    """What is obeyed of that: to stop, and to say once more what is asked."""
    return {one.meaning.name for one in readings if isinstance(one.meaning, Command)} & _OBEYED
