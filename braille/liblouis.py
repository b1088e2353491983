# SPDX-License-Identifier: GPL-3.0-or-later
"""Text -> cells by liblouis: the one place that calls `louis`, behind a lock."""

from __future__ import annotations

import importlib
import threading
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

_LOCK = threading.Lock()  # liblouis is not thread-safe: two threads crash the process
_FIRST_CELL = 0x2800
_DOTS_IO = 0x8000  # the table from which liblouis takes cells when it translates back
_UNKNOWN = "?"
_PLAIN = {"Pd": "-", "Pi": "'", "Pf": "'"}  # the dashes and quotation marks of print, by Unicode category


class LiblouisMissingError(Exception):
    """The Python binding of liblouis, or its library, is not installed."""


@cache
def _louis() -> Any:
    try:
        louis = importlib.import_module("louis")
        with _LOCK:
            louis.setLogLevel(louis.LOG_OFF)  # exceptions report errors; standard error belongs to the user
    # AttributeError: PyPI has an empty package of the same name. OSError: the library itself is missing.
    except (ImportError, AttributeError, OSError) as error:
        raise LiblouisMissingError(str(error)) from error
    return louis


def version() -> str:
    """The version of liblouis, such as "3.24.0". Raises LiblouisMissingError if there is none."""
    louis = _louis()
    with _LOCK:
        return str(louis.version())


@lru_cache(maxsize=1024)  # a board on a display is the same few letters, line after line
def cells(text: str, table: str) -> tuple[int, ...]:
    """The cells (bit 0 = dot 1 to bit 7 = dot 8) of a text by one of liblouis's tables.

    A character that the table does not know becomes its plain form without accents, or "?"; a control
    character or any kind of space becomes a blank. Raises LiblouisMissingError without liblouis, ValueError
    if the table does not exist.
    """
    composed = unicodedata.normalize("NFC", text)
    return _translate("".join(_known(character, table) for character in composed), table)


def known_cells(character: str, table: str) -> tuple[int, ...]:
    """The cells of a single character, none if the table does not know it. Raises as `cells` does."""
    return _translate(character, table)


def text(cells: Iterable[int], table: str) -> str:
    """The text of cells by one of liblouis's tables, as far as it can tell. Raises as `cells` does."""
    louis = _louis()
    dots = "".join(chr(_DOTS_IO | cell) for cell in cells)
    if not dots:
        return ""
    try:
        with _LOCK:
            return str(louis.backTranslateString([table], dots, mode=louis.dotsIO))
    except RuntimeError as error:
        raise ValueError(f"liblouis has no table {table}") from error


def _translate(text: str, table: str) -> tuple[int, ...]:
    """The cells of what the table knows; the rest is left out."""
    louis = _louis()
    if not text:
        return ()
    mode = louis.dotsIO | louis.ucBrl | louis.noUndefined
    try:
        with _LOCK:
            dots = louis.translateString([table], text, mode=mode)
    except RuntimeError as error:
        raise ValueError(f"liblouis has no table {table}") from error
    return tuple(ord(dot) - _FIRST_CELL for dot in dots)


@cache
def _known(character: str, table: str) -> str:
    """The character itself if the table has it, else the plainest text that can replace it."""
    category = unicodedata.category(character)
    if category[0] in "CZ":
        return " "
    if _translate(character, table):
        return character
    parts = unicodedata.normalize("NFKD", character)
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    if plain != character and all(_translate(part, table) for part in plain):
        return plain  # nothing for an accent by itself
    return _PLAIN.get(category, _UNKNOWN)
