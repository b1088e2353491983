# SPDX-License-Identifier: GPL-3.0-or-later
"""The language and the convention changed in the middle of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acessivel.game.game import Setup
from acessivel.message import Called, Message
from acessivel.session.events import Adopt
from voices.meaning import Command, CommandName


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
    match command:
        case Command(CommandName.LANGUAGE as chosen, choice=language):
            setup = replace(setup, language=language)
        case Command(CommandName.CONVENTION as chosen, choice=convention):
            setup = replace(setup, convention=convention)
        case _:
            return None
    told = Message.of(f"{chosen}_now", **{chosen: Called(chosen, command.choice)})
    return LanguageChange(setup, told, (Adopt(),))
