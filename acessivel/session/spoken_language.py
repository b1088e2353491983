# SPDX-License-Identifier: GPL-3.0-or-later
"""The language and the convention changed in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.session.events import Adopt
from voices.meaning import Called, Command, CommandName
from voices.words.files import choices


@dataclass(frozen=True, slots=True)
class LanguageChange:
    """What a command makes of the setup, what is told about it, and what the devices adopt."""

    setup: Setup
    told: Message
    adopt: tuple[Adopt, ...]


def change(setup: Setup, command: Command) -> LanguageChange | None:
    """What a command changes; None for a command about something else.

    It belongs to the game, whose record is written in it; the next game begins as the settings say.
    """
    chosen = command.name
    if command.choice not in choices(chosen):  # a journal may name a language that is gone
        return None
    if chosen is CommandName.LANGUAGE:
        setup = replace(setup, language=command.choice)
    else:
        setup = replace(setup, convention=command.choice)
    told = Message.of(f"{chosen}_now", **{chosen: Called(chosen, command.choice)})
    return LanguageChange(setup, told, (Adopt(),))
