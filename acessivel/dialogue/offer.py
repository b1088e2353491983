# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves that can be meant -> the question which of them it is, or for its yes."""

from __future__ import annotations

from acessivel.dialogue import disambiguation
from acessivel.dialogue.disambiguation import unique_squares
from acessivel.dialogue.questions import Asking, Choose, Confirm, Promote, question
from acessivel.dialogue.turn import Turn
from acessivel.message import Message
from acessivel.rules.position import Fact
from voices.meaning import Check


def asked_again(asking: Asking, *messages: Message) -> tuple[Message, ...]:
    """What is told while a question stays open, with the question after it."""
    return (*messages, *question(asking))


def offer(
    facts: tuple[Fact, ...],
    others: tuple[Fact, ...] = (),
    *,
    doubtful: bool = False,
    check: Check = Check.NONE,
) -> Turn:
    """Ask which of these moves is meant, or for its yes; a check that was said and is not given is told."""
    asking: Asking
    facts = disambiguation.giving(facts, check)
    if len(unique_squares(facts)) > 1:
        asking = Choose(facts, check=check)
    elif len(facts) > 1:
        asking = Promote(facts, check)
    else:
        asking = Confirm(facts[0], others, doubtful, check)
        if not (facts[0].irregular or disambiguation.gives(facts[0], check)):
            return Turn(
                asking, asked_again(asking, Message.of("no_mate" if check is Check.MATE else "no_check"))
            )
    return Turn(asking, question(asking))
