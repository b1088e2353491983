# SPDX-License-Identifier: GPL-3.0-or-later
"""Help on what can be said: what it does, its words, its keys and its article, from the tables themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from acessivel.devices.keys import Bindings
from acessivel.laws.editions import edition
from acessivel.laws.ruling import citation
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from voices.meaning import CommandName
from voices.words.phrasing import phrasing

# Commands -> the topic of their article (`Rules.cite`).
ARTICLES: Mapping[CommandName, str] = {
    CommandName.DRAW: "offer",
    CommandName.RESIGN: "resign",
    CommandName.TOUCHED: "touch_own",
    CommandName.ADJUST: "adjust",
    CommandName.CLAIM_THREEFOLD: "threefold",
    CommandName.CLAIM_FIFTY: "fifty",
    CommandName.CLAIM_FLAG: "flag_claim",
    CommandName.CLAIM_DRAW: "quickplay",
    CommandName.CLAIM_ILLEGAL: "illegal_claim",
    CommandName.PRESS: "press",
    CommandName.CLOCK_STOP: "clock_stop",
    CommandName.ADJOURN: "adjourn_seal",
    CommandName.ARBITER: "arbiter",
    CommandName.SIGN: "sign",
}


def named(commands: Iterable[CommandName]) -> tuple[Message, ...]:
    """The commands as they are said."""
    return tuple(Message.of("help_command", command=name) for name in commands)


def overview(commands: Iterable[CommandName]) -> tuple[Message, ...]:
    """How to announce, and what else can be said."""
    return Message.of("help"), Message.of("help_commands_said", commands=named(commands))


def action(command: CommandName) -> str:
    """The line of the table of keys that does what a command does; about the knights, as in its example."""
    return "pieces_knight" if command is CommandName.PIECES else command.value


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
