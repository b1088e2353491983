# SPDX-License-Identifier: GPL-3.0-or-later
"""The question whether to stop, in an activity that asks nothing else back: a drill, a replay."""

from __future__ import annotations

from collections.abc import Sequence

from acessivel.app.activity import (
    Activity,
    Input,
    KeyPressed,
    Output,
    Pointed,
    SpeechOver,
    Tell,
    TypedText,
    Uttered,
    View,
    asking_yes_or_no,
)
from acessivel.devices.keys import SHOWING
from acessivel.message import Message
from voices.grammar import grammar
from voices.hearing.decision import decide
from voices.understanding.meanings import read_typed, yes_or_no


class Leaving:
    """Asks before an activity is left, so that a yes typed after `stop` is not typed into the shell."""

    def __init__(self, language: str, convention: str) -> None:
        self._words = language, convention
        self._open = False
        self._stopped = False  # what was told last was not said to its end

    def ask(self) -> Sequence[Output]:
        """Put the question."""
        self._open = True
        return (Tell(self.question),)

    @property
    def question(self) -> tuple[Message, ...]:
        """The question, while it is open."""
        return (Message.of("ask_leave"),) if self._open else ()

    def handle(self, input_: Input, activity: Activity) -> Sequence[Output] | None:
        """Leave the activity or go on, if that was asked and is answered; else None.

        Whatever else the user does goes on with the activity, and withdraws the question; what was not
        understood does not.
        """
        if isinstance(input_, SpeechOver):
            self._stopped = not input_.heard
        if not self._open or not isinstance(input_, TypedText | Uttered | KeyPressed | Pointed):
            return None
        if isinstance(input_, KeyPressed) and input_.action in SHOWING:
            return None  # it is still being read
        said = self._said(input_)
        if isinstance(input_, Uttered) and not input_.timely:
            if self._yes(input_, said) is not None:
                return (Tell((Message.of("answer_early"), *self.question)),)
            return (Tell(self.question),) if self._stopped else ()
        if isinstance(input_, Uttered) and not said:
            return (Tell((Message.of("not_understood"), Message.of("longer_yes_tip"), *self.question)),)
        self._open = False
        yes = self._yes(input_, said)
        if yes:
            activity.over = True
            return ()
        return None if yes is None else (Tell((Message.of("going_on"), *activity.pending())),)

    def shown(self, view: View) -> View:
        """What the display shows, with the answers while the question is open."""
        return asking_yes_or_no(view, self.question) if self._open else view

    def expectation(self) -> tuple[str, Sequence[str]] | None:
        """What can be said while the question is open; None while it is not."""
        language, convention = self._words
        return grammar.expectation((), convention, language) if self._open else None

    def _said(self, input_: Input) -> str:
        """What was typed or heard; a yes need not be surer than other words, as nothing is lost by it."""
        match input_:
            case TypedText(text):
                return text
            case Uttered(utterance):
                language, convention = self._words
                heard = decide(utterance.hypotheses, asked=grammar.answers(convention, language))
                return heard.readings[0] if heard.readings and heard.sure else ""
        return ""

    def _yes(self, input_: Input, said: str) -> bool | None:
        """Whether it is a yes or a no; None if it is neither."""
        if isinstance(input_, KeyPressed) and input_.action in ("send", "cancel"):
            return input_.action == "send"
        return yes_or_no(read_typed(said, *self._words))
