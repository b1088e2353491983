# SPDX-License-Identifier: GPL-3.0-or-later
"""The signs of what was written, before it is read as moves or words: blanks, dashes, numbers, pictures."""

from __future__ import annotations

import re
import unicodedata

_PLAIN = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "\ufe0e": None, "\ufe0f": None})
_MOVE_NUMBER = r"^\d{1,3}\s*\.+\s*(?=[^\s\d]|0\s?-)"  # no part of "1.5"
_LAST_POINT = r"(?<=[^\Wp]|[+#‡])\.$"
_OFFER = r"\(=\)|(?<![18])=$"  # but "e8=" is a promotion that lacks its piece
_NO_WHOLE_NUMBER = r"^-|\d\s*[^\w\s]+\s*\d"  # "-5", "1.5", "0-1", "1:30"


def cleaned(text: str) -> str:
    """A text with one kind of blank, and without signs that nobody sees."""
    return "".join(" " if unicodedata.category(c).startswith(("C", "Z")) else c for c in text).strip()


def as_notation(text: str) -> str:
    """A cleaned text with one kind of hyphen, without the number of its move and the point that ends it."""
    return re.sub(_MOVE_NUMBER, "", re.sub(_LAST_POINT, "", cleaned(text).translate(_PLAIN)))


def are_unknown(text: str) -> bool:
    """Whether there is a picture in it, or the sign of a draw offer, which only a command makes."""
    return bool(re.search(_OFFER, text)) or any(unicodedata.category(sign) == "So" for sign in text)


def no_whole_number(text: str) -> bool:
    """Whether there are signs at the digits of what was typed, so that they make no number together."""
    return bool(re.search(_NO_WHOLE_NUMBER, text))
