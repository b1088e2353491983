# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks once whether the ears may learn from this speaker, and keeps the answer as a setting."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

from acessivel.app.activity import Activity, Input, KeyPressed, Output, Prefer, Tell, TypedText, Uttered
from acessivel.app.loop import Loop
from acessivel.message import Message
from acessivel.session.preferences import preference
from acessivel.settings import changed_settings
from acessivel.settings.settings import Settings, file_path
from voices.grammar import grammar
from voices.hearing import evidence
from voices.meaning import PREFERENCES, Answer, CommandName
from voices.understanding.meanings import read

_ATTEMPTS = 3
_KEYS = {"send": True, "cancel": False}
_QUESTION = Message.of("ask_learn")
_LOG = logging.getLogger(__name__)


def wanted(settings: Settings) -> bool:
    """Whether to ask: only a person at a terminal, who has not answered yet."""
    return settings.learn == "ask" and sys.stdin.isatty()


def ask(settings: Settings, loop: Loop, kind: str) -> str:
    """Ask, and keep the answer for later runs; returns the setting: "on", "off", or "ask" without an answer.

    `kind`: that of the activity of which the question is a part.
    """
    activity = ConsentActivity((settings.language, settings.convention), kind)
    loop.run(activity)
    if activity.learn == "on":
        loop.devices.learn(settings)
    if activity.learn != "ask":
        try:
            changed_settings.keep(file_path(), "learn", activity.learn)
        except OSError as error:
            _LOG.warning("the answer is not kept: %s", error)  # then it is asked once more
    return activity.learn


class ConsentActivity(Activity):
    """One question, answered with yes or no, in words or by a key; `learn` is the setting that follows."""

    def __init__(self, words: tuple[str, str], kind: str) -> None:
        """`words`: the language and the convention of the user; `kind`: that of what it is asked in."""
        self._words = words
        self.kind = kind
        self._left = _ATTEMPTS
        self.learn = "ask"

    @property
    def words(self) -> tuple[str, str]:
        """The user's."""
        return self._words

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # there is no clock
        """The question."""
        return (Tell((_QUESTION,)),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # noqa: ARG002
        """Take an answer; one that is none is asked for again, and after a few times left for later."""
        match input_:
            case KeyPressed(action) if action in PREFERENCES:
                return (Prefer(CommandName(action)),)
            case TypedText(text) if command := preference(text, *self._words):
                return (Prefer(command),)
            case KeyPressed(action) if action in _KEYS:
                return self._answered(_KEYS[action])
            case TypedText(text):
                return self._answered(self._meant(text))
            case Uttered(utterance, timely):
                language, _ = self._words
                answers = grammar.answers(language)
                heard = evidence.decide(utterance.hypotheses, grammar.yeses(language), asked=answers)
                return self._answered(self._meant(heard.readings[0]) if timely and heard.readings else None)
        return None

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Yes and no."""
        language, convention = self._words
        return grammar.everything(convention, language), grammar.answers(language)

    def pending(self) -> tuple[Message, ...]:
        """The question."""
        return () if self.over else (_QUESTION,)

    def _meant(self, text: str) -> bool | None:
        """Whether words mean yes or no; None if neither."""
        language, convention = self._words
        answers = [r.meaning for r in read(text, language, convention) if isinstance(r.meaning, Answer)]
        return answers[0].yes if answers else None

    def _answered(self, yes: bool | None) -> Sequence[Output]:
        self._left -= 1
        if yes is None and self._left:
            return (Tell((Message.of("not_understood"), _QUESTION)),)
        self.over = True
        if yes is None:
            return (Tell((Message.of("learn_later"),)),)
        self.learn = "on" if yes else "off"
        return (Tell((Message.of("learn_on") if yes else Message.of("learn_off"),)),)
