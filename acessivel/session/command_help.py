# SPDX-License-Identifier: GPL-3.0-or-later
"""Help on what can be said: effect, words, keys and article, taken from the tables themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import tomli

from acessivel.message import Message
from voices.meaning import Command, CommandName
from voices.words.conventions import DEFAULT
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
    return tuple(_said(name, choice) for name in commands for choice in choices(name) or ("",))


def _said(name: CommandName, choice: str) -> Message:
    return Message.of("help_command", command=Command(name, choice=choice))


@cache
def sections() -> Mapping[str, tuple[str, ...]]:
    """The sections of all that can be said or done, each with its actions in order."""
    text = Path(__file__).with_name("sections.toml").read_text("utf-8")
    return {section: tuple(actions) for section, actions in tomli.loads(text).items()}


def overview(commands: Iterable[CommandName], convention: str) -> tuple[Message, ...]:
    """How to announce a move, how to leave the German words, and what else can be said."""
    letters = Command(CommandName.CONVENTION, choice="letters")
    words = (Message.of("help_words", command=letters),) if convention == DEFAULT else ()
    return Message.of("help"), *words, *in_sections(commands)


def in_sections(commands: Iterable[CommandName]) -> tuple[Message, ...]:
    """The commands as they are said, in the order of the sections; languages of a folder at the end."""
    said = {action(name, choice): (name, choice) for name in commands for choice in choices(name) or ("",)}
    told = {
        section: [said.pop(line) for line in lines if line in said] for section, lines in sections().items()
    }
    told[next(reversed(told))] += said.values()
    return tuple(
        Message.of(
            "help_section",
            section=Message.of(f"menu_{section}"),
            commands=tuple(_said(*command) for command in found),
        )
        for section, found in told.items()
        if found
    )


def action(command: CommandName, choice: str = "") -> str:
    """The action in the table of keys that does what a command does; its example is about the knights."""
    if choice:
        return f"{command}_{choice}"
    return "pieces_knight" if command is CommandName.PIECES else command.value
