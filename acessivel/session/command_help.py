# SPDX-License-Identifier: GPL-3.0-or-later
"""Help on what can be said: effect, words, keys and article, taken from the tables themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acessivel.message import Message
from voices.meaning import Command, CommandName
from voices.words.files import choices

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
    CommandName.PRESS: "complete",
    CommandName.CLOCK_STOP: "clock_stop",
    CommandName.ADJOURN: "adjourn_seal",
    CommandName.ARBITER: "arbiter",
    CommandName.SIGN: "sign",
}


def named(commands: Iterable[CommandName]) -> tuple[Message, ...]:
    """The commands as they are said, with each choice of a language or a convention."""
    said = (Command(name, choice=choice) for name in commands for choice in choices(name) or ("",))
    return tuple(Message.of("help_command", command=command) for command in said)


def overview(commands: Iterable[CommandName]) -> tuple[Message, ...]:
    """How to announce a move, and what else can be said."""
    return Message.of("help"), Message.of("help_commands_said", commands=named(commands))


def action(command: CommandName, choice: str = "") -> str:
    """The action in the table of keys that does what a command does; its example is about the knights."""
    if choice:
        return f"{command}_{choice}"
    return "pieces_knight" if command is CommandName.PIECES else command.value
