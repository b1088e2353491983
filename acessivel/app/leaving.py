# SPDX-License-Identifier: GPL-3.0-or-later
"""The question whether to stop, in an activity that asks nothing else back: a drill, a replay."""

from __future__ import annotations

from collections.abc import Sequence

from acessivel.app.activity import Activity, Input, KeyPressed, Output, Pointed, Tell, TypedText, Uttered
from acessivel.dialogue.interpretation import Question, decide
from acessivel.message import Message
from acessivel.rules.position import Position
from voices.grammar import grammar
from voices.meaning import Answer
from voices.understanding.meanings import read_typed


class Leaving:
    """Asks before an activity is left, so that a yes typed after `stop` is not typed into the shell."""

    def __init__(self, language: str, convention: str) -> None:
        self._words = language, convention
        self._open = False

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

        Whatever else the user does goes on with the activity, and withdraws the question.
        """
        if not self._open or not isinstance(input_, TypedText | Uttered | KeyPressed | Pointed):
            return None
        if isinstance(input_, Uttered) and not input_.timely:
            return ()
        self._open = False
        yes = self._answer(input_)
        if yes:
            activity.over = True
            return ()
        return None if yes is None else (Tell((Message.of("going_on"), *activity.pending())),)

    def expectation(self) -> tuple[str, Sequence[str]] | None:
        """What can be said while the question is open; None while it is not."""
        language, convention = self._words
        return grammar.expectation((), convention, language) if self._open else None

    def _answer(self, input_: Input) -> bool | None:
        language, convention = self._words
        match input_:
            case KeyPressed("send" | "cancel" as action):
                return action == "send"
            case TypedText(text):
                said: tuple[str, ...] = (text,)
            case Uttered(utterance):
                asked = Question(grammar.answers(language))
                heard = decide(utterance.hypotheses, Position.start(), convention, language, asked)
                said = heard.readings[:1] if heard.sure else ()
            case _:
                return None
        readings = (reading.meaning for words in said for reading in read_typed(words, language, convention))
        return next((meaning.yes for meaning in readings if isinstance(meaning, Answer)), None)
