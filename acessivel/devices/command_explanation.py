# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything about one command: what it does, its words, its keys and its article."""

from __future__ import annotations

from collections.abc import Iterator

from acessivel.devices.keys import Bindings, does
from acessivel.laws.editions import edition
from acessivel.laws.ruling import citation
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.session.command_help import ARTICLES, action
from voices.meaning import Command, Wording
from voices.words.files import choices
from voices.words.phrasing import phrasing


def explained(
    command: Command, language: str, convention: str, bindings: Bindings, laws: str
) -> Iterator[Message]:
    """Everything about one command, in the words of a language and convention, by an edition of the Laws.

    For one with a choice, everything about each choice if none is given.
    """
    name = command.name
    if not command.choice and (possible := choices(name)):
        for choice in possible:
            yield from explained(Command(name, choice=choice), language, convention, bindings, laws)
        return
    line = action(name, command.choice)
    yield Message.of("help_does", command=command, does=does(line))
    if f"more_{name}" in catalogue(language):
        yield Message.of(f"more_{name}")
    ways = range(len(phrasing(convention, language).examples(name, command.choice)))
    yield Message.of("help_say", ways=tuple(Wording(name, command.choice, number) for number in ways))
    yield Message.of("help_keys", keys=bindings.labels(line))
    if topic := ARTICLES.get(name):
        rules = edition(laws).rules()
        if rules.regulates(topic):
            yield Message.of("help_article", source=citation(*rules.cite(topic)))
