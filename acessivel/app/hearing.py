# SPDX-License-Identifier: GPL-3.0-or-later
"""What an activity hears: an utterance alone, or joined with the one before; and after what it was said."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from acessivel.app.activity import Input, SpeechOver, TimePassed, Uttered
from acessivel.devices.devices import Devices
from acessivel.dialogue.interpretation import Context, decide, decide_again, is_settled
from acessivel.dialogue.questions import Asking, Confirm
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from voices.grammar import grammar
from voices.hearing.decision import Decided
from voices.hearing.said_again import Refused
from voices.hearing.utterances import Utterance

# An announcement is shorter, but for one with pauses: two of them in a row are hardly one voice alone.
_LONG_S = 6.0
_OFTEN = 3  # refused in a row


@dataclass(frozen=True, slots=True)
class HeardQuestion:
    """The move that is asked, once a voice has said so to its end, and the turn that began then.

    Who has heard it (`Utterance.turn`) need not wait for its end when it is put once more.
    """

    asking: Confirm | None = None
    turn: int = 0

    def said(self, asking: Asking, turn: int) -> HeardQuestion:
        """What is known after this question was said to its end."""
        if isinstance(asking, Confirm) and asking != self.asking:
            return HeardQuestion(asking, turn)
        return self

    def changed(self, asking: Asking) -> HeardQuestion:
        """What is known while this question is open."""
        return self if asking == self.asking else HeardQuestion()

    def precedes(self, utterance: Utterance) -> bool:
        """Whether an utterance began after the question had been heard."""
        return self.asking is not None and utterance.turn >= self.turn


def says_yes(messages: Sequence[Message], language: str, convention: str) -> bool:
    """Whether a yes is among the words: the ears may take that of the program for the player's."""
    spans = Renderer(language, convention).spans(messages)
    said = f" {grammar.plain_phrase(' '.join(span.text for span in spans))} "
    return any(f" {yes} " in said for yes in grammar.yeses(convention, language))


class Hearing:
    """Remembers the utterances that were refused last, as long as nothing else happens."""

    def __init__(self) -> None:
        self._refused: Refused | None = None
        self._in_a_row: tuple[float, ...] = ()  # how long those were (s) that were refused
        self._advised: tuple[Message, ...] = ()

    def happened(self, input_: Input, *, told: bool) -> None:
        """Forget what was refused if this is anything but time that passes; `told`: it led to something."""
        passing = isinstance(input_, SpeechOver | TimePassed) and not told
        if not (passing or isinstance(input_, Uttered)):
            self._refused, self._in_a_row = None, ()

    def decided(
        self, utterance: Utterance, where: Context, situation: Hashable, now_ms: int
    ) -> tuple[Decided, bool]:
        """The readings of an utterance, and whether they are those of two, since neither says enough.

        `situation`: what must be the same beside the context for the same words to be the same announcement.
        """
        decided = decide(
            utterance.hypotheses, where.position, where.convention, where.language, where.question
        )
        before, self._refused = self._refused, None
        refused, self._in_a_row = self._in_a_row, ()
        if is_settled(decided, where.question):
            return decided, False
        here = (where, situation)
        again = before is not None and before.precedes(here, now_ms)
        both = decide_again(before.decided, decided, where) if before and again else decided
        if both.readings:
            return both, both is not decided
        self._refused = Refused(decided, here, now_ms)
        self._in_a_row = (*refused, utterance.seconds)[-_OFTEN:]
        return both, again

    def advice(self, utterance: Utterance, devices: Devices) -> tuple[Message, ...]:
        """What helps where the ears hear other sound without a pause, or often understand nothing: each once.

        Where the talk key opens the microphone, long utterances are nothing of the kind.
        """
        last, push = self._in_a_row[-2:], devices.microphone.talk == "push"
        long = len(last) == 2 and min(last) > _LONG_S
        endless = not push and (utterance.cut or long)
        if not endless and len(self._in_a_row) < _OFTEN:
            return ()
        keys = ["hearing_no_pause"] * endless + ["hearing_closer"]
        keys += [] if push or devices.only_voice else ["hearing_push"]
        found = tuple(message for message in map(Message.of, keys) if message not in self._advised)
        self._advised += found
        return found
