# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the last utterances announced the move that was then confirmed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from acessivel.devices.teacher import Confirmed
from acessivel.dialogue.interpretation import meaning
from acessivel.dialogue.questions import Confirm
from acessivel.rules.position import Fact
from acessivel.session.state import State
from voices.hearing.decision import Decided

_MOST = 4  # utterances before a move
# What was so probable was this announcement. What was less may have been anything, such as the move that was
# heard, if somebody has changed his mind.
_LEAST = 0.1


@dataclass(frozen=True, slots=True)
class _HeardSpeech:
    decided: Decided
    audio: bytes = field(repr=False)


class ConfirmedSpeech:
    """Remembers what was said since the last move, until a move is confirmed."""

    def __init__(self) -> None:
        self._said: deque[_HeardSpeech] = deque(maxlen=_MOST)

    def heard(self, decided: Decided, audio: bytes, state: State) -> None:
        """An utterance, with what was made of it; one about an earlier position announces no move."""
        if state.announced_in is state.moves_in:
            self._said.append(_HeardSpeech(decided, audio))

    def happened(self, before: State, after: State) -> Confirmed | None:
        """What an event teaches: something only if a yes has played or sent a move that was repeated.

        Where two persons announce their moves, nobody knows who has spoken.
        """
        if before.game.played == after.game.played and before.online.confirmed == after.online.confirmed:
            return None
        said, asked = tuple(self._said), before.asking
        self._said.clear()
        if not isinstance(asked, Confirm) or asked.sure or before.two_persons:
            return None
        return _confirmed(said, asked.fact.uci, before) if _had_a_yes(asked.fact, before, after) else None


def _had_a_yes(fact: Fact, before: State, after: State) -> bool:
    """Whether the move that was asked is the one that was played or sent."""
    if before.at_server:
        return after.online.confirmed == fact != before.online.confirmed
    return len(after.game.played) == len(before.game.played) + 1


def _confirmed(said: tuple[_HeardSpeech, ...], uci: str, state: State) -> Confirmed | None:
    language, convention = state.setup.language, state.setup.convention
    announced, readings, move = [], [], frozenset({uci})
    for one in said:
        found = [
            (reading, meaning(reading.words, state.moves_in, convention, language))
            for reading in one.decided.weighed
            if reading.words in one.decided.readings or reading is one.decided.weighed[0]
        ]
        if not found or not isinstance(found[0][1], frozenset):
            continue  # an answer, a command, or nothing
        first, meant = found[0]
        readings.append((first.probability, meant == move))
        right = next((reading for reading, meant in found if meant == move), None)
        if right and right.probability >= _LEAST:
            announced.append((right.words, one.audio))
    return Confirmed(language, convention, announced, readings) if readings else None
