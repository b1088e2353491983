# SPDX-License-Identifier: GPL-3.0-or-later
"""The language and the convention changed in the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.session.events import Adopt
from voices.meaning import CommandName

_LANGUAGES: Mapping[CommandName, str] = {
    CommandName.LANGUAGE_PT: "pt",
    CommandName.LANGUAGE_EN: "en",
    CommandName.LANGUAGE_DE: "de",
    CommandName.LANGUAGE_ES: "es",
}
_CONVENTIONS: Mapping[CommandName, str] = {
    CommandName.CONVENTION_FIDE: "fide",
    CommandName.CONVENTION_LETTERS: "letters",
    CommandName.CONVENTION_NATO: "nato",
    CommandName.CONVENTION_MIXED: "mixed",
}


@dataclass(frozen=True, slots=True)
class LanguageChange:
    """What a command makes of the setup, what is told about it, and what the devices adopt."""

    setup: Setup
    told: Message
    adopt: tuple[Adopt, ...]


def change(setup: Setup, command: CommandName) -> LanguageChange | None:
    """What a command changes; None for a command about something else.

    It belongs to the game, whose record is written in it; the next game begins as the settings say.
    """
    if language := _LANGUAGES.get(command):
        setup = replace(setup, language=language)
        return LanguageChange(
            setup, Message.of("language_now", language=Message.of(f"language_{language}")), (Adopt(),)
        )
    if convention := _CONVENTIONS.get(command):
        setup = replace(setup, convention=convention)
        return LanguageChange(
            setup, Message.of("convention_now", convention=Message.of(f"convention_{convention}")), (Adopt(),)
        )
    return None
