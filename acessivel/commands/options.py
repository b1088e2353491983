# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands and options of the command line as a table, with their help in the user's language."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import catalogue
from acessivel.records.pgn import FORMATS
from acessivel.settings.settings import (
    CHOICES,
    DEFAULT_TIMES,
    DRAW_FROM_MOVES,
    LEVELS,
    SettingsError,
    default_language,
    is_duration,
    load,
)
from braille.pages import sheets
from voices.sound import earcons
from voices.speakers.manner import RANGES
from voices.words.files import conventions

_GAME = ("level", "colour", "clock", "alarms")
_FROM = ("language", "convention", "fen", "from", "game", "at")
_LISTENING = ("talk", "pause", "silence", "headphones", "confirm", "tape")
_OUTPUTS = ("room-output", "private-output")
_VOICE = ("speak", "rate", "pitch", "volume")
_SHOWN = (*_VOICE, "braille", "code", "profile", "save")
_DEVICES = ("hear", "microphone", *_LISTENING, *_OUTPUTS, "verbosity", "earcons", *_SHOWN)
SEASONS = range(1990, 2100)  # the year in which the school year begins
_BOARDS = ("two-boards", "claim-flag")
_LAWS = ("laws", "tempo", "strict", "unsupervised", "draw-from-move", "default-time", "variant", "ritual")
_RESTART = ("resume", "white-time", "black-time")
_EVENT = ("system", "pupils", "season", "cycle")
_RECORDS = ("format", "code", "sheet", "width", "lines", "diagram", "output")
_READING = ("fen", "language", "convention", "json")
DRILLS = (
    *("colours", "targets", "squares", "repeat", "follow", "tactics"),
    *("mate-queen", "mate-rook", "mate-bishops", "mate-knight"),
)
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "play": ("opponent", *_GAME, *_FROM, *_LAWS, *_BOARDS, *_DEVICES, "introduction"),
    "practice": (
        *("drill", "questions", "piece", "seed", "plot", "json"),
        *(*_GAME, *_FROM, *_LAWS, *_DEVICES),
    ),
    "introduction": ("language", "convention", *_DEVICES),
    "resume": ("which", *_DEVICES),
    "games": ("save", "language", "json"),
    "record": ("source", *_RECORDS, "save", "language"),
    "replay": (
        "source",
        "game",
        "code",
        "language",
        "convention",
        "hear",
        "microphone",
        "talk",
        "pause",
        "silence",
        "headphones",
        "speak",
        "braille",
        "profile",
        "save",
    ),
    "reconcile": ("one", "two", "game", *_RESTART, "clock", "language", "convention", *_DEVICES),
    "enrol": ("keep-audio", "language", "convention", "hear", "microphone", *_SHOWN),
    "demo": ("language", "hear", *_SHOWN),
    "doctor": ("language", "microphone", "profile", "save"),
    "read": ("words", *_READING),
    "hear": ("file", "cases", "noise", "seed", "with", "profile", "save", *_READING),
    "words": ("convention", "language", "json"),
    "keys": ("talk", "language", "json"),
    "models": ("action", "model", "all", "json", "language", "speak", "save"),
    "event": ("event", "player", *_EVENT, "json", "language", "speak", "braille", "code"),
    "tape": ("taped", "move", "output", "json", "save", "language"),
    "help": ("topic", "json", "language", "convention", "speak", "braille", "code"),
    "laws": ("topic", "edition", "json", "language", "speak", "braille", "code"),
}


def as_typed(name: str) -> str:
    """An option as it is typed, or what stands in its place on the command line: "--level", "ID"."""
    return str(_POSITIONAL[name].get("metavar", name)) if name in _POSITIONAL else f"--{name}"


def _seconds(name: str, text: str) -> float:
    """A duration from the command line; ValueError when the setting cannot have it."""
    seconds = float(text)
    if not is_duration(name, seconds):
        raise ValueError(text)
    return seconds


def _earcons(text: str) -> str:
    """The names of earcons from the command line; ValueError for what names none."""
    return earcons.written(earcons.parse(text))


def _positive(text: str) -> int:
    """A number from 1 on the command line; ValueError for another."""
    if not re.fullmatch(r"[1-9]\d{0,8}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def _plies(text: str) -> frozenset[int]:
    """Numbers of half-moves from the command line; ValueError for what is no list of them."""
    if not re.fullmatch(r"\d{1,6}(,\d{1,6})*", text, re.ASCII):
        raise ValueError(text)
    return frozenset(map(int, text.split(",")))


def _time_shown(text: str) -> int:
    """What a clock shows ("1:02:30", "14:05"), in ms; ValueError for anything else."""
    found = re.fullmatch(r"(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)", text, re.ASCII)
    if not found or (found[1] and int(found[2]) >= 60):
        raise ValueError(text)
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


# The arguments without a dash; all others are options.
_POSITIONAL: Mapping[str, dict[str, Any]] = {
    "which": {"nargs": "?", "type": int, "metavar": "ID"},
    "taped": {"type": int, "metavar": "ID"},
    "source": {"metavar": "ID|FILE"},
    "one": {"metavar": "ID|FILE"},
    "two": {"metavar": "ID|FILE"},
    "words": {"metavar": "WORDS"},
    "file": {"nargs": "?", "type": Path, "metavar": "FILE.wav"},
    "action": {"choices": ("list", "get", "remove", "where")},
    "model": {"nargs": "?", "metavar": "NAME|LANGUAGE"},
    "event": {"type": Path, "metavar": "FILE"},
    "drill": {"nargs": "?", "choices": (*DRILLS, "list", "progress"), "metavar": "DRILL|list|progress"},
    "topic": {"nargs": "*", "metavar": "TOPIC"},
}
_SHORT = {"output": ("-o",)}
_OPTIONS: Mapping[str, dict[str, Any]] = {
    **{name: {"choices": choices} for name, choices in CHOICES.items()},
    "level": {"type": int, "choices": LEVELS},
    "clock": {"metavar": "15+5"},
    "alarms": {"metavar": "5m,30s"},
    "fen": {"metavar": "FEN"},
    "from": {"dest": "origin", "type": Path, "metavar": "FILE"},
    "resume": {"action": "store_true"},
    "white-time": {"type": _time_shown, "metavar": "1:02:30"},
    "black-time": {"type": _time_shown, "metavar": "14:05"},
    "game": {"type": _positive, "metavar": "N"},
    "at": {"metavar": "23"},
    "questions": {"type": int, "choices": range(1, 101), "default": 10, "metavar": "10"},
    "piece": {"choices": ("knight", "bishop", "rook", "queen", "king"), "default": "knight"},
    "plot": {"type": Path, "metavar": "FILE.png"},
    "player": {"metavar": "NAME|NUMBER"},
    "system": {"choices": ("swiss", "round-robin", "individual")},
    "pupils": {"type": int, "choices": range(1, 100), "metavar": "4"},
    "season": {"type": int, "choices": SEASONS, "metavar": "2022"},
    "cycle": {"choices": ("1", "2")},
    "strict": {"action": "store_true", "default": None},
    "unsupervised": {"dest": "supervised", "action": "store_false", "default": None},
    "ritual": {"action": "store_true", "default": None},
    "draw-from-move": {"type": int, "choices": DRAW_FROM_MOVES, "metavar": "30"},
    "default-time": {"type": int, "choices": DEFAULT_TIMES[1:], "metavar": "30"},
    "variant": {"metavar": "chess960[:N]"},
    **{name: {"type": int, "choices": allowed, "metavar": "100"} for name, allowed in RANGES.items()},
    "earcons": {"type": _earcons, "metavar": "all|none|NAME,NAME"},
    "edition": {"choices": CHOICES["laws"]},
    "microphone": {"metavar": "DEVICE|FILE.wav"},
    "pause": {"type": partial(_seconds, "pause"), "metavar": "1.5"},
    "silence": {"type": partial(_seconds, "silence"), "metavar": "0.5"},
    # None when it is not given: the settings file may say it.
    "headphones": {"action": "store_true", "default": None},
    "tape": {"action": "store_true", "default": None},
    "two-boards": {"action": "store_true", "default": None},
    "room-output": {"metavar": "DEVICE"},
    "private-output": {"metavar": "DEVICE"},
    "move": {"type": int, "metavar": "23"},
    "profile": {"metavar": "NAME"},
    "keep-audio": {"type": Path, "metavar": "DIR"},
    "save": {"metavar": "DIR"},
    "cases": {"type": Path, "metavar": "FILE.json"},
    "noise": {"metavar": "pink:10"},
    "seed": {"type": int, "metavar": "N"},
    "json": {"action": "store_true"},
    "all": {"action": "store_true"},
    "format": {"choices": FORMATS, "default": "pgn"},
    "width": {"type": int, "metavar": "34"},
    "lines": {"type": int, "metavar": "28"},
    "diagram": {"type": _plies, "default": frozenset(), "metavar": "20,40"},
    "output": {"type": Path, "metavar": "FILE"},
    "with": {"dest": "hear", "choices": ("vosk", "pocketsphinx", "network")},
}


class _Parser(argparse.ArgumentParser):
    """Refuses in one sentence, in the user's language."""

    def error(self, message: str) -> NoReturn:
        # argparse speaks English; what it complains of is named in the user's language.
        found = re.search(r"(?:argument|required:) (.+?)(?::|$)", message)
        option = found[1] if found else message
        choices = next((a.choices for a in self._actions if a.choices and option in a.option_strings), None)
        if "required:" in message:
            raise UserError(Message.of("missing_argument", option=option, program=self.prog))
        if choices:
            raise UserError(
                Message.of("bad_choice", option=option, choices=_written(choices), program=self.prog)
            )
        raise UserError(Message.of("bad_option", option=option, program=self.prog))


def _written(choices: Iterable[object]) -> str:
    """What an option can be: "1-8", "any, key"."""
    if isinstance(choices, range):
        return f"{choices[0]}-{choices[-1]}"
    return ", ".join(map(str, choices))


def parse(arguments: Sequence[str], language: str) -> argparse.Namespace:
    """The command and its options; UserError for what is not one, SystemExit 0 after --help."""
    _check_command(arguments)
    texts = catalogue(language)
    parser = _Parser(prog="acessivel", description=texts["program"], allow_abbrev=False, add_help=False)
    _add_help(parser, texts)
    options = {
        **_OPTIONS,
        "convention": {"metavar": "|".join((*conventions(), "FILE.toml"))},
        "sheet": {"choices": tuple(sheets())},
    }
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", title=texts["help_commands"]
    )
    for command, names in COMMANDS.items():
        text = texts[f"command_{command}"]
        added = commands.add_parser(command, help=text, description=text, allow_abbrev=False, add_help=False)
        _add_help(added, texts)
        group = added.add_argument_group(texts["help_options"])
        for name in names:
            help_text = texts[f"option_{name}"]
            if name in _POSITIONAL:
                group.add_argument(name, help=help_text, **_POSITIONAL[name])
            else:
                group.add_argument(*_SHORT.get(name, ()), f"--{name}", help=help_text, **options[name])
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        program = f"acessivel {given.command}"
        raise UserError(Message.of("bad_option", option=" ".join(unknown), program=program))
    return given


def _check_command(arguments: Sequence[str]) -> None:
    """UserError with what can be typed, where no command is, or one that there is none of."""
    name = next(iter(arguments), "")
    if not name:
        raise UserError(Message.of("no_command"))
    if name not in COMMANDS and not name.startswith("-"):
        nearest = difflib.get_close_matches(name, COMMANDS, 3, 0.5)
        key = "unknown_command" if nearest else "unknown_command_alike"
        raise UserError(Message.of(key, name=name[:100], names=tuple(nearest)))


def _add_help(parser: argparse.ArgumentParser, texts: Mapping[str, str]) -> None:
    group = parser.add_argument_group(texts["help_help"])
    group.add_argument("-h", "--help", action="help", help=texts["option_help"])


def language_of(arguments: Sequence[str]) -> str:
    """The language to answer in before anything else is known: the option, the file, the locale."""
    for number, argument in enumerate(arguments):
        option, _, value = argument.partition("=")
        value = value or "".join(arguments[number + 1 : number + 2])
        if option == "--language" and value in CHOICES["language"]:
            return value
    try:
        return load().language
    except SettingsError as error:
        return error.language or default_language()
