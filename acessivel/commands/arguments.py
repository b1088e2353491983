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
from acessivel.settings.options import Option, is_duration, written
from acessivel.settings.settings import SETTINGS, SettingsError, default_language, load

_PROGRAM = "acessivel"
_HELP = ("-h", "--help")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command and the values of its options.

    Raises UserError if the command line is invalid, and SystemExit after the help.
    """
    name, *others = arguments or ("",)
    # Only the help needs the texts of the options: they take longer to read than everything else here.
    texts = catalogue(language_of(arguments)) if set(arguments) & set(_HELP) else {}
    if name in _HELP:
        _program(texts).parse_args(_HELP[:1])
    _check_command(name)
    parser = _parser(f"{_PROGRAM} {name}", texts, texts.get(f"command_{name}"))
    required = _add_options(parser, COMMANDS[name], texts)
    try:
        given, unknown = parser.parse_known_args(others)
    except argparse.ArgumentError as error:
        raise _refused(error, COMMANDS[name], parser.prog) from error
    if missing := [option.as_typed for option in required if getattr(given, option.field) is None]:
        raise UserError(Message.of("missing_argument", option=", ".join(missing), program=parser.prog))
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


def _parser(program: str, texts: Mapping[str, str], about: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program, description=about, allow_abbrev=False, add_help=False, exit_on_error=False
    )
    group = parser.add_argument_group(texts.get("help_help"))
    group.add_argument(*_HELP, action="help", help=texts.get("option_help"))
    if program == _PROGRAM:
        group.add_argument("--version", action="store_true", help=texts.get("option_version"))
    return parser


def _program(texts: Mapping[str, str]) -> argparse.ArgumentParser:
    """The help on the program: its commands."""
    parser = _parser(_PROGRAM, texts, texts["program"])
    commands = parser.add_subparsers(metavar="COMMAND", title=texts["help_commands"])
    for name in COMMANDS:
        commands.add_parser(name, help=texts[f"command_{name}"], add_help=False)
    return parser


def _add_options(
    parser: argparse.ArgumentParser, options: Mapping[str, Option], texts: Mapping[str, str]
) -> list[Option]:
    """Add the options of a command; returns those that are required."""
    group = parser.add_argument_group(texts.get("help_options"))
    for option in options.values():
        about = texts.get(f"option_{option.name}")
        names = (option.field,) if option.positional else _names(option)
        action = group.add_argument(*names, help=about, **_behaviour(option))
        if texts or option.positional:
            action.metavar = option.placeholder or None
        action.required = False  # argparse would report a missing option in English
    return [option for option in options.values() if option.positional == "1"]


def _names(option: Option) -> tuple[str, ...]:
    """Every name of an option, as it is typed: "-o", "--output"."""
    return (f"-{option.short}", option.as_typed) if option.short else (option.as_typed,)


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


def _refused(error: argparse.ArgumentError, options: Mapping[str, Option], program: str) -> UserError:
    """What is wrong with an argument, by its name, since argparse's own sentence is English."""
    named = str(error.argument_name)
    option = next((each for each in options.values() if "/".join(_names(each)) == named), None)
    choices = _choices(option) if option else ()
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
