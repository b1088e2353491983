# SPDX-License-Identifier: GPL-3.0-or-later
"""Signing the scoresheet: after the end each player confirms the result once more (8.7; 2001 to 2018)."""

from __future__ import annotations

from dataclasses import replace

from acessivel.dialogue import questions
from acessivel.dialogue.questions import Signing
from acessivel.laws.ruling import cited
from acessivel.message import Message
from acessivel.queries import queries
from acessivel.session.changes import say
from acessivel.session.state import State, Step


def asked(state: State) -> Step:
    """Ask those who have not signed, White first; refused before the end."""
    result = state.game.result
    if not result:
        return say(state, Message.of("sign_not_yet"), *questions.question(state.asking))
    waiting = tuple(colour for colour in state.setup.persons if colour not in state.game.signed)
    if not waiting:
        return say(state, Message.of("sign_done"))
    asking = Signing(waiting, result.score)
    return say(replace(state, asking=asking), queries.over(state.game), *questions.question(asking))


def signed(state: State, colour: str) -> Step:
    """Record who has signed, and ask whoever has not been asked yet; the open question is already his."""
    rules = state.game.rules
    told = Message.of("signed", colour=colour)
    if rules.regulates("sign"):
        told = cited(told, *rules.cite("sign"))
    game = replace(state.game.noted(told), signed=(*state.game.signed, colour))
    return say(replace(state, game=game), told, *questions.question(state.asking))
