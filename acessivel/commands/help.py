# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel help`: the list of topics, or one topic: a command of the program, or what can be said."""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from acessivel.app.tell import tell
from acessivel.commands import laws
from acessivel.commands.device_settings import bindings, device_settings_of
from acessivel.commands.near_names import near_names
from acessivel.commands.options import COMMANDS
from acessivel.commands.output import write_line
from acessivel.devices.command_explanation import explained
from acessivel.devices.keys import Bindings
from acessivel.errors import UserError
from acessivel.laws import topics
from acessivel.laws.editions import edition
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.session import command_help
from acessivel.settings.options import in_words
from acessivel.settings.settings import Settings
from voices.meaning import Command, CommandName
from voices.words.files import choices
from voices.words.lexicon import split_command, vocabulary
from voices.words.phrasing import phrasing


def run(options: argparse.Namespace) -> int:
    """Tell the topics, or all about one. Raises UserError if there is no such topic."""
    settings = device_settings_of(options)
    asked = " ".join(options.topic)
    told = tuple(_about(asked, settings, bindings(settings)) if asked else _listed())
    if options.json:
        renderer = Renderer(settings.language, settings.convention)
        lines = [renderer.text(message) for message in told]
        write_line(json.dumps({"topic": asked or None, "lines": lines}, ensure_ascii=False))
    else:
        tell(told, settings, write_line)
    return 0


def _listed() -> Iterator[Message]:
    yield Message.of("help_programs", names=tuple(COMMANDS))
    yield from command_help.in_sections(CommandName)
    yield Message.of("help_how")


def _about(asked: str, settings: Settings, keys: Bindings) -> Iterator[Message]:
    """One topic; "laws" is a command of the program and can also be said, so both are told.

    A topic that is neither, such as castling, may have a rule.
    """
    words = settings.language, settings.convention
    wanted, spoken = _plain(asked), _spoken(*words)
    rules = topics.named(asked, laws.words(settings.language))
    if wanted not in spoken and wanted not in COMMANDS and not rules:
        shown = {
            _plain(each): each
            for each in (*COMMANDS, *_said(*words), *laws.names(settings.language).values())
        }
        near = tuple(shown[each] for each in near_names(wanted[:100], shown))
        key = "help_no_topic" if near else "help_no_topic_alike"
        raise UserError(Message.of(key, topic=asked[:100], names=near))
    if wanted in COMMANDS:
        yield from _program(wanted, settings.language)
    if command := spoken.get(wanted):
        yield from explained(command, *words, keys, settings.laws)
    elif rules and wanted not in COMMANDS:
        yield from topics.rule(rules, edition(settings.laws))


def _program(name: str, language: str) -> Iterator[Message]:
    """A command of the program with each of its options."""
    yield Message.of("help_program", name=name, text=Message.of(f"command_{name}"))
    for option in COMMANDS[name].values():
        ways = in_words(", ".join(option.ways), catalogue(language))
        ways = f"acessivel {name} {ways}" if option.positional else ways
        yield Message.of("help_option", option=ways, text=Message.of(option.explanation))


def printed(name: str, language: str) -> None:
    """Write the help on a command of the program, with "" on all: what --help asks for, without devices."""
    renderer = Renderer(language)
    for message in _program(name, language) if name else _commands():
        write_line(renderer.text(message))


def _commands() -> Iterator[Message]:
    yield Message.of("program")
    for name in COMMANDS:
        yield Message.of("help_listed", name=name, text=Message.of(f"command_{name}"))
    for option in ("help", "version"):
        yield Message.of("help_option", option=f"--{option}", text=Message.of(f"option_{option}"))
    yield Message.of("help_how")


@cache
def _spoken(language: str, convention: str) -> Mapping[str, Command]:
    """Every way to name something that can be said: its name in the tables, its words, and its example."""
    found: dict[str, Command] = {}
    for text, command in _said(language, convention).items():
        found.setdefault(_plain(text), command)
    for name in CommandName:
        for choice in ("", *choices(name)):
            found.setdefault(_plain(f"{name} {choice}".replace("_", " ")), Command(name, choice=choice))
    return found


@cache
def _said(language: str, convention: str) -> Mapping[str, Command]:
    """The words and the examples of what can be said, as they are written."""
    found: dict[str, Command] = {}
    phrases = phrasing(convention, language)
    for phrase, name, choice in vocabulary(language).commands():
        command = Command(name, choice=choice)
        for text in (split_command(phrase)[0], *phrases.examples(name, choice)):
            found.setdefault(text, command)
    return found


def _plain(name: str) -> str:
    """A name without accents, signs and capitals, as it may be typed."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return " ".join(re.findall(r"[a-z0-9]+", "".join(c for c in letters if not unicodedata.combining(c))))
