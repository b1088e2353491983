# SPDX-License-Identifier: GPL-3.0-or-later
"""What an option is: a row with its name, its values, the commands that have it, and its other effects.

The rows of the settings stand at their fields in `settings.py`, those of single commands in
`commands/options.py`; the command line, the settings file, a game's set-up, `help` and docs/options.md are
made from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

T = TypeVar("T")
Given = Callable[[], "Sequence[Any]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A row of the table.

    `name`: as it is typed after its dashes, and in the keys of the catalogues; `told`: what stands there
    instead, where commands explain it differently. `field`: where its value is stored; for a setting also its
    line in the settings file. `commands`: those that have it; a setting without one is only in the file.
    `default`: its value if nothing sets it. `kind`: the type of its value. `read`: reads what is typed, if
    `kind` cannot; raises ValueError, for a setting with its possible values. `choices`: its possible values,
    or a function that returns them when they are needed. `typed_choices`: those of the command line, if the
    file has others. `seconds`: the least and most of a duration. `const`: what a switch sets. `metavar`: the
    placeholder for the value in the help. `positional`: an argument without a dash: one ("1"), one or none
    ("?"), any number of them ("*"), or one at least ("+"). `short`: a second name of one letter. `several`:
    the commands that take it more than once, as a list. `is_path`: whether a value of it is the path of a
    file or folder, and no name. `setting`: it is a line of the settings file too.
    `agreed`: it is agreed for a game, and is in its set-up under the same name.
    """

    name: str = ""
    told: str = ""
    field: str = ""
    commands: tuple[str, ...] = ()
    default: Any = None
    kind: type = str
    read: Callable[[str], Any] | None = None
    choices: Sequence[Any] | Given = ()
    typed_choices: Sequence[Any] = ()
    seconds: tuple[float, float] | None = None
    const: bool = True
    metavar: str | Callable[[], str] = ""
    positional: Literal["", "1", "?", "*", "+"] = ""
    short: str = ""
    several: tuple[str, ...] = ()
    is_path: Callable[[str], bool] | None = None
    setting: bool = False
    agreed: bool = False

    @property
    def allowed(self) -> Sequence[Any]:
        """Its possible values, () if they are not listed."""
        return self.choices() if callable(self.choices) else self.choices

    @property
    def placeholder(self) -> str:
        """The placeholder for the value in the help, "" if its choices are listed."""
        return self.metavar() if callable(self.metavar) else self.metavar

    @property
    def explanation(self) -> str:
        """The key of the sentence that explains it."""
        return f"option_{self.told or self.name}"

    @property
    def as_typed(self) -> str:
        """The option as it is typed, or its placeholder on the command line: "--level", "ID"."""
        return (self.placeholder or self.name) if self.positional else f"--{self.name}"

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of an option, as it is typed: "-o", "--output"."""
        return (f"-{self.short}", self.as_typed) if self.short else (self.as_typed,)

    @property
    def ways(self) -> tuple[str, ...]:
        """Every way to type it, with what stands for its value: "-o FILE", "--output FILE"."""
        allowed = self.typed_choices or self.allowed
        value = self.placeholder or (
            written(allowed) if isinstance(allowed, range) else "|".join(map(str, allowed))
        )
        return (value,) if self.positional else tuple(f"{name} {value}".strip() for name in self.names)


def setting(default: T, commands: str = "", **row: Any) -> T:
    """A field of the settings with its row; its name and kind come from the field."""
    option = Option(
        default=default, kind=type(default), commands=tuple(commands.split()), setting=True, **row
    )
    found: T = field(default=default, metadata={"option": option})
    return found


def in_words(placeholder: str, texts: Mapping[str, str]) -> str:
    """A placeholder in the words of a language, by its catalogue: "FILE.png" -> "ARQUIVO.png"."""
    return re.sub("[A-Z]{3,}", lambda word: texts.get(f"placeholder_{word[0].lower()}", word[0]), placeholder)


def is_duration(option: Option, value: object) -> bool:
    """Whether an option in seconds may have this value."""
    least, most = option.seconds or (0.0, 0.0)
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def written(choices: Sequence[object]) -> str:
    """The possible values of an option: "1-8", "any, key"."""
    if isinstance(choices, range):
        return f"{choices[0]}-{choices[-1]}"
    return ", ".join(map(str, choices))
