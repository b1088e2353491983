# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a record as an activity: steps and questions by voice, keys and display."""

from __future__ import annotations

from collections.abc import Sequence

from acessivel.app.activity import (
    Activity,
    Input,
    KeyPressed,
    ListLeft,
    Output,
    Pointed,
    Prefer,
    Tell,
    TypedText,
    Uttered,
    View,
)
from acessivel.app.leaving import Leaving
from acessivel.devices.board_cursor import BoardCursor
from acessivel.devices.keys import REPLAY
from acessivel.message import Message, Messages
from acessivel.records import replayed_game
from acessivel.records.replayed_game import Replay
from acessivel.session import events as ev
from voices.hearing import decision
from voices.meaning import PREFERENCES, Command, CommandName
from voices.understanding import replay_steps
from voices.understanding.replay_steps import ReplayStep, Stepped
from voices.words.lexicon import Sounds


class ReplayActivity(Activity):
    """Goes from move to move of a finished game, and answers questions about the position."""

    kind = "replay"

    def __init__(self, replay: Replay, words: tuple[str, str], first: Messages = ()) -> None:
        """`words`: the reader's language and convention; `first` is told before the game."""
        self._replay = replay
        self._words = words
        self._first = first
        self._last = max((node.fact.number for node in replay.nodes if node.fact), default=0)
        self._cursor = BoardCursor()
        self._leaving = Leaving(*words)

    @property
    def words(self) -> tuple[str, str]:
        """The reader's language and convention."""
        return self._words

    @property
    def sounds(self) -> Sounds:
        """The pronunciations of the steps."""
        return replay_steps.words(self._words[0]).sounds

    def start(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002  # nothing runs in a replay
        """Say whose game it is, and where it begins."""
        self._replay, told = replayed_game.opening(self._replay)
        return (Tell((*self._first, *told)),)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:  # noqa: ARG002
        """Take a step, or answer a question."""
        outputs = self._leaving.handle(input_, self)
        return self._handled(input_) if outputs is None else outputs

    def _handled(self, input_: Input) -> Sequence[Output] | None:
        match input_:
            case TypedText(""):  # of a script: nothing is asked here that it could answer
                return self._act("send")
            case TypedText(text):
                return self._said(text)
            case Uttered():
                return self._said(self._heard(input_))
            case KeyPressed(action):
                return self._act(action)
            case Pointed(square):
                return self._meant(ev.SquarePointed(square=square))
            case ListLeft():
                return self._meant(ev.Returned())
        return None

    def expectation(self) -> tuple[str, Sequence[str]]:
        """Steps, the numbers of moves, and questions."""
        language, convention = self._words
        return self._leaving.expectation() or replay_steps.expectation(convention, language, self._last)

    def pending(self) -> tuple[Message, ...]:
        """Whether to stop, if that is asked."""
        return self._leaving.question

    def view(self, told: Sequence[Message]) -> View:
        """The game up to here; a variation that was told can be pressed."""
        variations = {
            message: f"replay_variation {dict(message.values)['number']}"
            for message in told
            if message.key == "replay_variation"
        }
        return self._leaving.shown(View(self._replay.state, self._cursor.square, variations))

    def long_answer(self, messages: Messages) -> Messages:
        """The first portion."""
        self._replay, told = replayed_game.portion(self._replay, messages)
        return told

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002
        """Goodbye."""
        return (Tell((Message.of("goodbye"),)),)

    def _heard(self, spoken: Uttered) -> str:
        """Take a spoken step; nothing here commits to anything, so the most probable one is taken."""
        decided = decision.decide(
            spoken.utterance.hypotheses,
            meaning=lambda words: replay_steps.read_step(words, *self._words) or words,
        )
        return decided.readings[0] if decided.readings else ""

    def _said(self, text: str) -> Sequence[Output]:
        match replay_steps.read_step(text, *self._words):
            case Stepped() as step:
                return self._stepped(step)
            case Command() as command:
                return self._asked(command)
        return (Tell((Message.of("not_understood"),)),)

    def _act(self, action: str) -> Sequence[Output] | None:
        """Let a key step, or ask about the square under the cursor; None if it is for the display alone."""
        action, _, number = action.partition(" ")
        step = REPLAY.get(action)
        if self._cursor.square is None and action in ("send", "erase"):
            step = ReplayStep.NEXT if action == "send" else ReplayStep.BACK
        if step:
            return self._stepped(Stepped(step, int(number) if number else None))
        if event := self._cursor.act(action, self._replay.state):
            return self._meant(event)
        return None

    def _meant(self, event: ev.Event) -> Sequence[Output]:
        """What a key or the board cursor asks."""
        self._cursor.follow(event)
        match event:
            case ev.Explored(what=what, square=square):
                return (Tell(replayed_game.felt(self._replay, what, square)),)
            case ev.SquarePointed(square=square):
                return (Tell(replayed_game.felt(self._replay, "square", square)),)
            case ev.Ordered():
                return self._asked(event.meaning)
        self._replay, told = replayed_game.here(self._replay)
        return (Tell(told),)

    def _stepped(self, step: Stepped) -> Sequence[Output]:
        self._cursor = BoardCursor()
        self._replay, told = replayed_game.stepped(self._replay, step)
        return (Tell(told),)

    def _asked(self, command: Command) -> Sequence[Output]:
        if command.name is CommandName.STOP:
            return self._leaving.ask()
        if command.name in PREFERENCES:
            return (Prefer(command.name),)
        self._replay, told = replayed_game.asked(self._replay, command)
        return (Tell(told),)
