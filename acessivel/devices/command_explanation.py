# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything about one command: what it does, its words, its keys and its article."""

from __future__ import annotations

from collections.abc import Iterator

from acessivel.devices.keys import Bindings
from acessivel.laws.editions import edition
from acessivel.laws.ruling import citation
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.session.command_help import ARTICLES, action
from voices.meaning import CommandName
from voices.words.phrasing import phrasing


def explained(
    command: CommandName, language: str, convention: str, bindings: Bindings, laws: str
) -> Iterator[Message]:
    """Everything about a command, in the words of a language and a convention, by an edition of the Laws."""
    does = action(command)
    yield Message.of("help_does", command=command, does=Message.of(f"does_{does}"))
    if f"more_{command}" in catalogue(language):
        yield Message.of(f"more_{command}")
    yield Message.of("help_say", ways=phrasing(convention, language).examples(command))
    yield Message.of("help_keys", keys=bindings.labels(does))
    if topic := ARTICLES.get(command):
        rules = edition(laws).rules()
        if rules.regulates(topic):
            yield Message.of("help_article", source=citation(*rules.cite(topic)))
