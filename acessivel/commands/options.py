# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of all options: the settings, those of single commands, and the commands with theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from acessivel.settings.options import Option
from acessivel.settings.settings import SETTINGS

DRILLS = (
    *("colours", "targets", "squares", "repeat", "follow", "tactics"),
    *("mate-queen", "mate-rook", "mate-bishops", "mate-knight"),
)
SEASONS = range(1990, 2100)  # the year in which the school year begins
# The commands in the order of the help; the module of each has its name, and a function `run`.
NAMES = (
    *(
        "play",
        "practice",
        "introduction",
        "resume",
        "games",
        "record",
        "replay",
        "reconcile",
        "enrol",
        "profile",
        "demo",
        "online",
        "web",
        "hall",
    ),
    *("doctor", "config", "read", "hear", "words", "keys", "models", "event", "tape", "help", "laws"),
    "completion",
)
HALL_KEEPING = ("key", "revoke", "keys", "make", "arbiter", "viewer")
ONLINE = ("login", "logout", "seek", "challenge", "games", "next", "accept", "decline", "ai", "open", "watch")
SHELLS = ("bash", "zsh", "fish", "powershell")


def _sheets() -> Sequence[str]:
    from braille.pages import sheets  # noqa: PLC0415 - only `record` writes on paper

    return tuple(sheets())


def _positive(text: str) -> int:
    """A number from 1 on. Raises ValueError for another."""
    if not re.fullmatch(r"[1-9]\d{0,8}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def _results(text: str) -> Mapping[int, str]:
    """Tables with their results, such as "12=1-0,3=½".

    Raises ValueError if the text is no list of them, or names a table twice.
    """
    from acessivel.tournaments.rounds import signs  # noqa: PLC0415 - few runs write results

    found: dict[int, str] = {}
    for part in text.split(","):
        table, _, result = part.partition("=")
        signs(result)
        if _positive(table) in found:
            raise ValueError(text)
        found[_positive(table)] = result
    return found


def _numbers(text: str) -> frozenset[int]:
    """Numbers from a list. Raises ValueError if the text is no list of them."""
    if not re.fullmatch(r"\d{1,6}(,\d{1,6})*", text, re.ASCII):
        raise ValueError(text)
    return frozenset(map(int, text.split(",")))


def _ratings(text: str) -> tuple[int, int]:
    """The lowest and the highest rating ("1500-1800"). Raises ValueError for anything else."""
    if not (found := re.fullmatch(r"(\d{3,4})-(\d{3,4})", text, re.ASCII)):
        raise ValueError(text)
    return int(found[1]), int(found[2])


def _time_shown(text: str) -> int:
    """What a clock shows ("1:02:30", "14:05"), in ms. Raises ValueError for anything else."""
    found = re.fullmatch(r"(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)", text, re.ASCII)
    if not found or (found[1] and int(found[2]) >= 60):
        raise ValueError(text)
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def _option(name: str, commands: str, *, field: str = "", **row: Any) -> Option:
    return Option(name=name, field=field or name.replace("-", "_"), commands=tuple(commands.split()), **row)


_OF_COMMANDS = (
    _option("drill", "practice", positional="?", metavar="DRILL|list|progress"),
    _option("which", "resume", positional="?", kind=int, metavar="ID"),
    _option("taped", "tape", positional="1", kind=int, metavar="ID"),
    _option("source", "record replay", positional="1", metavar="ID|FILE"),
    _option("one", "reconcile", positional="1", metavar="ID|FILE"),
    _option("two", "reconcile", positional="1", metavar="ID|FILE"),
    _option("words", "read", positional="+", metavar="WORDS"),
    _option("file", "hear", positional="?", kind=Path, metavar="FILE.wav"),
    _option("action", "models", positional="1", choices=("list", "get", "remove", "where")),
    _option("do", "profile", positional="?", choices=("show", "reset", "export")),
    _option("change", "config", positional="?", choices=("list", "get", "set", "reset")),
    _option("setting", "config", positional="?", metavar="NAME"),
    _option("value", "config", positional="?", metavar="VALUE"),
    _option("shell", "completion", positional="1", choices=SHELLS),
    _option("model", "models", positional="?", metavar="NAME|LANGUAGE"),
    _option("event", "event", positional="1", kind=Path, metavar="FILE"),
    _option("keeping", "hall", positional="?", choices=HALL_KEEPING),
    _option("tables", "hall", positional="*", metavar="TABLE|1-20|NAME"),
    _option("arbiter", "hall", metavar="NAME"),
    _option("tournament", "hall", kind=Path, metavar="FILE"),
    _option("delay", "hall", kind=int, choices=range(121), default=0, metavar="15"),
    _option("live", "hall", kind=Path, metavar="FILE.pgn"),
    _option("broadcast", "hall", metavar="ROUND"),
    _option("token", "hall", kind=Path, metavar="FILE"),
    _option("hall-port", "hall", kind=int, choices=range(1024, 65536), default=8710, metavar="8710"),
    _option("doing", "online", positional="?", choices=ONLINE),
    _option("about", "online", positional="*", metavar="NAME|TIME"),
    _option("topic", "help laws", positional="*", metavar="TOPIC"),
    _option("side", "online", choices=("white", "black"), default=""),
    _option("ratings", "online", read=_ratings, metavar="1500-1800"),
    _option("days", "online", kind=int, choices=range(1, 15), metavar="3"),
    _option("questions", "practice", kind=int, choices=range(1, 101), default=10, metavar="10"),
    _option("piece", "practice", choices=("knight", "bishop", "rook", "queen", "king"), default="knight"),
    _option("plot", "practice", kind=Path, metavar="FILE.png"),
    _option("from", "play practice", field="origin", kind=Path, metavar="FILE"),
    _option("from", "enrol", told="taught", field="origin", kind=Path, metavar="FILE.json"),
    _option("game", "play practice replay reconcile", kind=int, read=_positive, metavar="N"),
    _option("at", "play practice", metavar="23"),
    _option("white", "play", metavar="NAME"),
    _option("black", "play", metavar="NAME"),
    _option("format", "record", choices=("pgn", "text", "brf", "pef", "unicode")),
    _option("sheet", "record", choices=_sheets),
    _option("width", "record", kind=int, metavar="34"),
    _option("lines", "record", kind=int, metavar="28"),
    _option("diagram", "record", read=_numbers, default=frozenset(), metavar="20,40"),
    _option("move", "tape", kind=int, metavar="23"),
    _option("output", "record tape profile event hall", short="o", kind=Path, metavar="FILE"),
    _option("resume", "reconcile", kind=bool, default=False),
    _option("white-time", "reconcile", read=_time_shown, metavar="1:02:30"),
    _option("black-time", "reconcile", read=_time_shown, metavar="14:05"),
    _option("keep-audio", "enrol", kind=Path, metavar="DIR"),
    _option("cases", "hear", kind=Path, metavar="FILE.json"),
    _option("noise", "hear", metavar="pink:10"),
    _option("seed", "practice hear", kind=int, metavar="N"),
    _option("with", "hear", field="hear", choices=("vosk", "pocketsphinx", "network")),
    _option("all", "models", kind=bool, default=False),
    _option("pairings", "event", kind=bool, default=False),
    _option("pair", "event", kind=bool, default=False),
    _option("first-colour", "event", choices=("white", "black")),
    _option("results", "event", read=_results, metavar="12=1-0,3=½"),
    _option("absent", "event", read=_numbers, metavar="3,7"),
    _option("half-bye", "event", read=_numbers, metavar="3,7"),
    _option("present", "event", read=_numbers, metavar="3,7"),
    _option("round", "event hall", kind=int, read=_positive, metavar="N"),
    _option("rounds", "event", kind=int, choices=range(1, 100), metavar="9"),
    _option("trf", "event", choices=("26", "16")),
    _option("player", "event", metavar="NAME|NUMBER"),
    _option("system", "event", choices=("swiss", "round-robin", "individual")),
    _option("pupils", "event", kind=int, choices=range(1, 100), metavar="4"),
    _option("season", "event", kind=int, choices=SEASONS, metavar="2022"),
    _option("cycle", "event", choices=("1", "2")),
    _option("edition", "laws", choices=SETTINGS["laws"].choices),
    _option("json", "practice games profile config read hear words keys models event tape help laws",
            kind=bool, default=False),
)  # fmt: skip
OPTIONS = (*_OF_COMMANDS, *SETTINGS.values())
# Each command with its options by name.
COMMANDS: Mapping[str, Mapping[str, Option]] = {
    command: {option.name: option for option in OPTIONS if command in option.commands} for command in NAMES
}
