# SPDX-License-Identifier: GPL-3.0-or-later
"""Which key does what: the program's table, overridden by the user's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import tomli

from acessivel.message import Message
from acessivel.queries.exploration import STEPS, TELLING
from acessivel.rules.position import COLOURS
from acessivel.session.command_help import action as line_of
from acessivel.settings.settings import SettingsError, file_path, read_toml
from braille.displays import AltKey, Key, NamedKey, OtherKey
from voices.meaning import Called, Command, CommandName, Piece
from voices.understanding import desk_words, replay_steps
from voices.understanding.desk_words import DeskWord
from voices.understanding.replay_steps import REPLAY_COMMANDS, ReplayStep
from voices.words.files import choices

FILE_NAME = "keys.toml"
SHOWING = ("pan_right", "pan_left", "line_down", "line_up", "top", "bottom")
TYPING = ("send", "cancel", "erase", "talk", "keys")
NEXT_ALIKE = "next_alike"
PIECE_ACTIONS: Mapping[str, Piece] = {f"pieces_{piece.name.lower()}": piece for piece in Piece}
CLOCKS: Mapping[str, str] = {f"clock_{colour}": colour for colour in COLOURS}
# Steps through a finished game; a step to a numbered move is typed or said.
REPLAY: Mapping[str, ReplayStep] = {
    f"replay_{step}": step for step in ReplayStep if step is not ReplayStep.MOVE
}
# What is ordered at the desk of a hall; the number of a table is typed or said.
HALL: Mapping[str, DeskWord] = {f"hall_{word}": word for word in DeskWord if word is not DeskWord.TABLE}
# What can be done only in a place that is no game.
OF_PLACES: Mapping[str, Mapping[str, StrEnum]] = {"replay": REPLAY, "hall": HALL}
_OF_PLACES = tuple(action for of_place in OF_PLACES.values() for action in of_place)

_NAMES = frozenset(NamedKey)
_ALT, _BRLTTY = re.compile(r"alt-(\S)"), re.compile(r"brltty-([a-z0-9_]+)")


@cache
def orders() -> Mapping[str, Command]:
    """The commands that a key gives, by their lines in the table: "resign", "language_pt".

    Questions about the square under the cursor, and about a piece by its name, are not among them.
    """
    names = (name for name in CommandName if name not in TELLING and name is not CommandName.PIECES)
    commands = (Command(name, choice=choice) for name in names for choice in choices(name) or ("",))
    return {line_of(command.name, command.choice): command for command in commands}


def actions() -> tuple[str, ...]:
    """Everything that a key can do in a game, by its line in the table."""
    return (*SHOWING, *TYPING, *STEPS, NEXT_ALIKE, *TELLING, *PIECE_ACTIONS, *CLOCKS, *orders())


def does(action: str) -> Message:
    """What a line of the table does."""
    if (order := orders().get(action)) and order.choice:
        called = Called(order.name, order.choice)
        return Message.of(f"does_{order.name}", **{order.name: called})
    return Message.of(f"does_{action}")


def said(action: str, language: str) -> str:
    """What is said for a line of the table of a place that is no game."""
    if action in HALL:
        return desk_words.example(HALL[action], language)
    return replay_steps.words(language).phrases[REPLAY[action]][0]


class KeysError(Exception):
    """A table of keys that cannot be used; `message` says what is wrong and where."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


@dataclass(frozen=True, slots=True)
class Bindings:
    """The names of the keys for each action; no key has two actions.

    `place`: where they are for: "" for a game, "replay" for a finished one, "hall" for an arbiter's desk.
    """

    keys: Mapping[str, tuple[str, ...]]
    place: str = ""

    def action(self, key: Key) -> str | None:
        """What a key does; None for a routing key, for a typed character, and for a key without an action."""
        name = _name(key)
        return next((action for action, keys in self.keys.items() if name in keys), None)

    def lines(self) -> Iterator[tuple[str, Message]]:
        """Each action with a sentence: its keys, and what they do; actions without a key too."""
        for action in (*_OF_PLACES, *actions()):
            if action not in self.keys:
                continue
            yield action, Message.of("keys_line", keys=self.labels(action), does=does(action))

    @property
    def routing(self) -> Message:
        """What routing keys do; elsewhere than in a game they move no piece."""
        return Message.of("keys_routing_reading" if self.place else "keys_routing")

    @property
    def of_the_place(self) -> tuple[str, ...]:
        """What can be done only where these keys are for; nothing in a game."""
        return tuple(action for action in _OF_PLACES if action in self.keys)

    def labels(self, action: str) -> tuple[Message, ...]:
        """The keys of an action, by their names for the user."""
        return tuple(map(_label, self.keys[action])) or (Message.of("key_none"),)


def load(*, push: bool = False, place: str = "", path: Path | None = None) -> Bindings:
    """The program's table, changed for a talk key (`push`), for a `place`, and by the user's.

    Elsewhere than in a game there are the orders of that place, the questions of a game, and the preferences.
    Raises KeysError if the user's table has a mistake.
    """
    own = _own()
    table = dict.fromkeys(actions(), ()) | _checked(own["keys"], FILE_NAME)
    table = _over(table, _checked(own["push"], FILE_NAME) if push else {})
    if place:
        refused = orders().keys() - REPLAY_COMMANDS
        steps = _checked(own[place], FILE_NAME)
        kept = {action: keys for action, keys in table.items() if action not in refused}
        table = _over({**kept, **dict.fromkeys(steps, ())}, steps)
    path = path or file_path().parent / FILE_NAME
    try:
        data = read_toml(path, "keys_unreadable", "keys_not_toml")
    except SettingsError as error:
        raise KeysError(error.message) from error
    if not data:
        return Bindings(table, place)
    if set(data) - {"keys"} or not isinstance(data.get("keys"), dict):
        raise KeysError(Message.of("keys_no_table", file=str(path)))
    return Bindings(_over(table, _checked(data["keys"], str(path))), place)


@cache
def _own() -> dict[str, Any]:
    return tomli.loads(Path(__file__).with_name(FILE_NAME).read_text("utf-8"))


def _checked(table: Mapping[str, object], file: str) -> dict[str, tuple[str, ...]]:
    """The table, if all its commands and keys exist and no key occurs twice."""
    seen: set[str] = set()
    for action, keys in table.items():
        if action not in actions() and action not in _OF_PLACES:
            raise KeysError(Message.of("keys_unknown_command", file=file, command=action))
        if not isinstance(keys, list):
            raise KeysError(Message.of("keys_no_list", file=file, command=action))
        for key in keys:
            if not _is_key(key):
                raise KeysError(Message.of("keys_unknown_key", file=file, name=str(key), command=action))
            if key in seen:
                raise KeysError(Message.of("keys_twice", file=file, name=key))
            seen.add(key)
    return {action: tuple(keys) for action, keys in table.items() if isinstance(keys, list)}


def _over(
    table: Mapping[str, tuple[str, ...]], own: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """A table overridden by another in the same actions; the other's keys are taken away from the rest."""
    taken = {key for action, keys in own.items() if action in table for key in keys}
    return {a: own.get(a, tuple(key for key in keys if key not in taken)) for a, keys in table.items()}


def _is_key(key: object) -> bool:
    return isinstance(key, str) and (key in _NAMES or bool(_ALT.fullmatch(key) or _BRLTTY.fullmatch(key)))


def _name(key: Key) -> str | None:
    """The name of a key in the table."""
    match key:
        case NamedKey():
            return key.value
        case AltKey(character):
            return f"alt-{character}"
        case OtherKey(command):
            return f"brltty-{command}"
    return None


def _label(key: str) -> Message:
    """The name of a key for the user."""
    if found := _ALT.fullmatch(key):
        shifted = "Shift+" if found[1].isupper() else ""
        return Message.of("key_alt", character=f"{shifted}{found[1].upper()}")
    if found := _BRLTTY.fullmatch(key):
        return Message.of("key_brltty", name=found[1].upper())
    if re.fullmatch(r"f\d+", key):
        return Message.of("key_function", name=key.upper())
    return Message.of(f"key_{key.replace('-', '_')}")
