# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line as the table of options defines it: its values, its help, and errors as sentences."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
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
        raise _refused(error, others, COMMANDS[name], parser.prog) from error
    if missing := [option for option in required if getattr(given, option.field) is None]:
        raise _missing(missing, parser.prog, language_of(arguments))
    if unknown:
        raise UserError(Message.of("bad_option", option=" ".join(unknown), program=parser.prog))
    given.command = name
    return given


def _check_command(name: str) -> None:
    """Raise UserError, listing what can be typed, if there is no command, or none of that name."""
    if not name:
        raise UserError(Message.of("no_command"))
    if name.startswith("-"):
        known = _named(name, (option for options in COMMANDS.values() for option in options.values()))
        key = "bad_option_first" if known else "bad_option"
        raise UserError(Message.of(key, option=name, program=_PROGRAM))
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
    return [option for option in options.values() if option.positional in ("1", "+")]


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
    if option.positional in ("?", "*", "+"):
        found["nargs"] = option.positional
    if choices := _choices(option):
        found["choices"] = choices
    return found | {"type": _reader(option)}


class _BadValueError(ValueError):
    """A typed value that cannot be read, which is its argument."""


def _reader(option: Option) -> Callable[[str], Any]:
    """The function that reads a typed value. It raises _BadValueError."""

    def read(text: str) -> Any:
        try:
            value = (option.read or option.kind)(text)
        except ValueError as error:
            raise _BadValueError(text) from error
        if option.seconds and not is_duration(option, value):
            raise _BadValueError(text)
        return value

    return read


def _refused(
    error: argparse.ArgumentError, typed: Sequence[str], options: Mapping[str, Option], program: str
) -> UserError:
    """What is wrong with an argument, by its name, since argparse's own sentence is English.

    The word after an option that there is not would be taken for an argument: that option is named instead.
    """
    dashed = [each for each in typed if each.startswith("--") and each != "--"]
    if unknown := [each for each in dashed if not _named(each, options.values())]:
        return UserError(Message.of("bad_option", option=unknown[0], program=program))
    named = str(error.argument_name)
    option = next((each for each in options.values() if "/".join(each.names) == named), None)
    if choices := _choices(option) if option else ():
        if option and option.positional:
            return UserError(Message.of("bad_word", choices=written(choices), program=program))
        return UserError(Message.of("bad_choice", option=named, choices=written(choices), program=program))
    value = str(error.__context__) if isinstance(error.__context__, _BadValueError) else ""
    named = value if option and option.positional else f"{named} {value}".rstrip()
    return UserError(Message.of("bad_option", option=named, program=program))


def _named(typed: str, options: Iterable[Option]) -> bool:
    """Whether it is the name of one of these options, with its value or without."""
    return any(typed.partition("=")[0] in option.names for option in options if not option.positional)


def _missing(missing: Sequence[Option], program: str, language: str) -> UserError:
    """Say which arguments are missing, or what the first can be."""
    if choices := _choices(missing[0]):
        return UserError(Message.of("bad_word", choices=written(choices), program=program))
    shown = in_words(", ".join(option.as_typed for option in missing), catalogue(language))
    return UserError(Message.of("missing_argument", option=shown, program=program))


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
