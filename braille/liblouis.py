# SPDX-License-Identifier: GPL-3.0-or-later
"""Text -> cells by liblouis: the one place that calls `louis`, behind a lock."""

from __future__ import annotations

import importlib
import threading
import unicodedata
from functools import cache
from typing import Any

_LOCK = threading.Lock()  # liblouis is not thread-safe: two threads crash the process
_FIRST_CELL = 0x2800
_LOG_OFF = 60000


class LiblouisMissingError(Exception):
    """The Python binding of liblouis, or its library, is not installed."""


@cache
def _louis() -> Any:
    try:
        louis = importlib.import_module("louis")
        louis.setLogLevel(_LOG_OFF)
    # AttributeError: PyPI has an empty package of the same name. OSError: the library itself is missing.
    except (ImportError, AttributeError, OSError) as error:
        raise LiblouisMissingError(str(error)) from error
    return louis


def version() -> str:
    """The version of liblouis; LiblouisMissingError when there is none."""
    return str(_louis().version())


def cells(text: str, table: str) -> tuple[int, ...]:
    """The cells (bit 0 = dot 1 to bit 7 = dot 8) of a text by a computer Braille table.

    A character that the table does not know becomes its base letter or "?", a control character a blank.
    LiblouisMissingError without liblouis, ValueError for a table that is not there.
    """
    return _translate("".join(_known(character, table) for character in text), table)


def _translate(text: str, table: str) -> tuple[int, ...]:
    if not text:
        return ()
    louis = _louis()
    try:
        with _LOCK:
            dots = louis.translateString([table], text, mode=louis.dotsIO | louis.ucBrl)
    except RuntimeError as error:
        raise ValueError(f"liblouis has no table {table}") from error
    return tuple(ord(dot) - _FIRST_CELL for dot in dots)


@cache
def _known(character: str, table: str) -> str:
    """The character itself if the table has a cell for it, else the nearest that it has one for."""
    if unicodedata.category(character)[0] in "CZ":
        return " "
    base = unicodedata.normalize("NFKD", character)[0]
    return next((c for c in (character, base) if len(_translate(c, table)) == 1), "?")
