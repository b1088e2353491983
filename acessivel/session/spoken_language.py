# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of language and convention in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acessivel.dialogue.questions import Sure, question
from acessivel.dialogue.turn import AnswerAlone, Obey, Turn
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.session.effects import Adopt
from acessivel.session.state import State
from voices.meaning import Called, Command, CommandName
from voices.words.files import choices


@dataclass(frozen=True, slots=True)
class LanguageChange:
    """The setup after a command, what confirms it, and what the devices adopt."""

    setup: Setup
    told: tuple[Message, ...]
    adopt: tuple[Adopt, ...]


def change(setup: Setup, command: Command) -> LanguageChange | None:
    """What a command changes; None for a command about something else.

    It belongs to the game, whose record is written in it; the next game begins with the language of the
    settings.
    """
    chosen = command.name
    if command.choice not in choices(chosen):  # a journal may name a language that has been removed
        return None
    if chosen is CommandName.LANGUAGE:
        setup = replace(setup, language=command.choice)
    else:
        setup = replace(setup, convention=command.choice)
    told = Message.of(f"{chosen}_now", **{chosen: Called(chosen, command.choice)})
    return LanguageChange(setup, (told,), (Adopt(),))


def asked_back(state: State, turn: Turn, *, spoken: bool) -> Turn:
    """The question whether a language is meant that was spoken: the way back from it is in its own words.

    What needs no such question settles the one that is open.
    """
    chosen, asking = turn.do.command if isinstance(turn.do, Obey) else None, state.asking
    if not chosen or chosen.name is not CommandName.LANGUAGE or chosen.about:
        return turn
    if chosen.choice not in choices(chosen.name):
        return turn
    before = asking.before if isinstance(asking, Sure) else asking
    if spoken and chosen.choice != state.setup.language:
        sure = Sure(chosen.name, before, choice=chosen.choice)
        return Turn(sure, question(sure), AnswerAlone(chosen))
    settles = isinstance(asking, Sure) and asking.command is CommandName.LANGUAGE
    return replace(turn, asking=before) if settles else turn
