# SPDX-License-Identifier: GPL-3.0-or-later
"""Braille displays, one file each, behind one protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from braille.window import Size


class DisplayMissingError(Exception):
    """No display can be used; `reason` is one sentence in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NamedKey(StrEnum):
    """The keys of a display, or of a computer keyboard, that have a name."""

    RIGHT = "right"
    LEFT = "left"
    UP = "up"
    DOWN = "down"
    HOME = "home"
    ENTER = "enter"
    ESCAPE = "escape"
    BACKSPACE = "backspace"
    CURSOR_LEFT = "cursor-left"
    CURSOR_RIGHT = "cursor-right"
    CURSOR_UP = "cursor-up"
    CURSOR_DOWN = "cursor-down"
    TAB = "tab"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    END = "end"
    INSERT = "insert"
    DELETE = "delete"
    F1 = "f1"
    F2 = "f2"
    F3 = "f3"
    F4 = "f4"
    F5 = "f5"
    F6 = "f6"
    F7 = "f7"
    F8 = "f8"
    F9 = "f9"
    F10 = "f10"
    F11 = "f11"
    F12 = "f12"


@dataclass(frozen=True, slots=True)
class AltKey:
    """A character typed with the Alt (meta) key."""

    character: str


@dataclass(frozen=True, slots=True)
class OtherKey:
    """A key without a name here: the name of its BRLTTY command, in small letters ("nxdifln")."""

    command: str


@dataclass(frozen=True, slots=True)
class RoutingKey:
    """The key over a cell of the display, counted from 0 and row by row."""

    cell: int


@dataclass(frozen=True, slots=True)
class Character:
    """A character typed on the display's keyboard."""

    character: str


@dataclass(frozen=True, slots=True)
class Dots:
    """A cell typed on the display's Braille keyboard: bit 0 = dot 1 to bit 7 = dot 8, 0 = blank."""

    cell: int


Key = NamedKey | AltKey | OtherKey | RoutingKey | Character | Dots


@dataclass(frozen=True, slots=True)
class Attached:
    """The display is available, again or with another size."""

    size: Size


@dataclass(frozen=True, slots=True)
class Detached:
    """The display was lost, and why, in one sentence; its content is kept for its return."""

    reason: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key was pressed."""

    key: Key


DisplayEvent = Attached | Detached | Pressed


class Display(Protocol):
    """Shows cells; reports keys, loss and return by events, from a thread of its own."""

    @property
    def name(self) -> str:
        """The display's name in the command line."""

    @property
    def size(self) -> Size:
        """Its rows and columns."""

    def show(self, cells: Sequence[int]) -> None:
        """Show rows x columns cells; never fails: what cannot be shown now is shown later."""

    def close(self) -> None:
        """Release the display."""
