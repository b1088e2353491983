# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line as the table of options defines it: its values, its help, and errors as sentences."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from acessivel.commands.options import COMMANDS
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.settings.options import Option, in_words, is_duration, written
from acessivel.settings.settings import SETTINGS, SettingsError, default_language, load

_PROGRAM = "acessivel"
_HELP = ("-h", "--help")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command and the values of its options.

    Raises UserError if the command line is invalid, and SystemExit after the help has been written.
    """
    name, *others = arguments or ("",)
    if name not in _HELP:
        _check_command(name)
    if set(arguments) & set(_HELP):
        from acessivel.commands.help import printed  # noqa: PLC0415 - who needs none waits less

        printed(name if name in COMMANDS else "", language_of(arguments))
        raise SystemExit(0)
    parser = argparse.ArgumentParser(
        prog=f"{_PROGRAM} {name}", allow_abbrev=False, add_help=False, exit_on_error=False
    )
    required = _add_options(parser, name)
    try:
        given, unknown = parser.parse_known_args(others)
    except argparse.ArgumentError as error:
        raise _refused(error, COMMANDS[name], parser.prog, language_of(arguments)) from error
    if missing := [option.as_typed for option in required if getattr(given, option.field) is None]:
        shown = in_words(", ".join(missing), catalogue(language_of(arguments)))
        raise UserError(Message.of("missing_argument", option=shown, program=parser.prog))
    if unknown:
        raise UserError(Message.of("bad_option", option=" ".join(unknown), program=parser.prog))
    given.command = name
    return given


def _check_command(name: str) -> None:
    """Raise UserError, listing what can be typed, if there is no command, or none of that name."""
    if not name:
        raise UserError(Message.of("no_command"))
    if name.startswith("-"):
        raise UserError(Message.of("bad_option", option=name, program=_PROGRAM))
    if name not in COMMANDS:
        from acessivel.commands.near_names import near_names  # noqa: PLC0415 - who types it right waits less

        near = near_names(name[:100], COMMANDS)
        key = "unknown_command" if near else "unknown_command_alike"
        raise UserError(Message.of(key, name=name[:100], names=near))


def all_commands() -> argparse.ArgumentParser:
    """All commands with their options as one parser, from which a shell's completion is made."""
    parser = argparse.ArgumentParser(prog=_PROGRAM, add_help=False)
    commands = parser.add_subparsers()
    for name in COMMANDS:
        _add_options(commands.add_parser(name, add_help=False), name)
    return parser


def _add_options(parser: argparse.ArgumentParser, command: str) -> list[Option]:
    """Add the options of a command; returns those that are required."""
    options = COMMANDS[command]
    # A parser formats the help of each option as it is added, all its values at the width of the terminal, as
    # a check; a group of options does not.
    group = parser.add_argument_group()
    for option in options.values():
        names = (option.field,) if option.positional else option.names
        again: dict[str, Any] = {"action": "append"} if command in option.several else {}
        action = group.add_argument(*names, **_behaviour(option), **again)
        if option.positional:
            action.metavar = option.placeholder or None
        action.required = False  # argparse would report a missing option in English
    return [option for option in options.values() if option.positional == "1"]


def _choices(option: Option) -> Sequence[Any]:
    """The values that can be typed, () if they are not listed."""
    return option.typed_choices or option.allowed


def _behaviour(option: Option) -> dict[str, Any]:
    """What argparse must know about an option; a setting that is not given is left to the file."""
    found: dict[str, Any] = {"default": None if option.setting else option.default}
    if not option.positional:
        found["dest"] = option.field
    if option.kind is bool:
        return found | {"action": "store_const", "const": option.const}
    if option.positional in ("?", "*"):
        found["nargs"] = option.positional
    if choices := _choices(option):
        found["choices"] = choices
    return found | {"type": _reader(option)}


def _reader(option: Option) -> Callable[[str], Any]:
    """The function that reads a typed value. It raises ValueError."""
    if not option.seconds:
        return option.read or option.kind

    def seconds(text: str) -> float:
        if not is_duration(option, float(text)):
            raise ValueError(text)
        return float(text)

    return seconds


def _refused(
    error: argparse.ArgumentError, options: Mapping[str, Option], program: str, language: str
) -> UserError:
    """What is wrong with an argument, by its name, since argparse's own sentence is English."""
    named = str(error.argument_name)
    option = next((each for each in options.values() if "/".join(each.names) == named), None)
    named = in_words(named, catalogue(language)) if option and option.positional else named
    choices = _choices(option) if option else ()
    if choices and option and option.positional:
        return UserError(Message.of("bad_word", choices=written(choices), program=program))
    if choices:
        return UserError(Message.of("bad_choice", option=named, choices=written(choices), program=program))
    return UserError(Message.of("bad_option", option=named, program=program))


def language_of(arguments: Sequence[str]) -> str:
    """The language to answer in before anything else is known: the option, the file, the locale."""
    for number, argument in enumerate(arguments):
        option, _, value = argument.partition("=")
        value = value or "".join(arguments[number + 1 : number + 2])
        if option == "--language" and value in SETTINGS["language"].allowed:
            return value
    try:
        return load().language
    except SettingsError as error:
        return error.language or default_language()
