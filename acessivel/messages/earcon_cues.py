# SPDX-License-Identifier: GPL-3.0-or-later
"""Which earcons accompany a message; none of these is played without its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from acessivel.message import Message
from acessivel.rules.position import Fact
from voices.meaning import Check, MovePattern

_SENTENCES: Mapping[str, str] = {
    "explore_edge": "border",
    "refused": "refusal",
    "not_understood": "refusal",
    "not_understood_again": "refusal",
    "not_your_turn": "refusal",
    "answer_early": "refusal",
    "press_doubled": "refusal",
    "answer_by_key": "refusal",
    "lesson_not_understood": "refusal",
    "drill_say_yes_or_no": "refusal",
    "drill_say_square": "refusal",
    "drill_say_piece": "refusal",
    "drill_say_move": "refusal",
    "online_prepared_not": "refusal",
    "online_not_made": "refusal",
    "online_move_lost": "refusal",
    "online_move_refused": "refusal",
    "online_move_unanswered": "refusal",
    "online_no_help": "refusal",
    "clock_alarm": "low_time",
}


def of(messages: Iterable[Message]) -> tuple[str, ...]:
    """The names of the earcons that go with these messages, each once, in the order of the messages."""
    return tuple(dict.fromkeys(name for message in messages for name in _of(message)))


def _of(message: Message) -> Iterator[str]:
    if message.key in _SENTENCES:
        yield _SENTENCES[message.key]
    fact = dict(message.values).get("move") if message.key == "played" else None
    if isinstance(fact, Fact):
        if isinstance(fact.meaning, MovePattern) and fact.meaning.capture:
            yield "capture"
        if fact.meaning.check is not Check.NONE:
            yield "check"
