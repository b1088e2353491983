# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that are near to one that does not exist, to be offered in its place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST = 3  # names that are offered
_LIKE = 0.6  # of the whole name
_LIKE_WORD = 0.75  # of one of its words: "touched piece" is near to "touch"


def near_names(wanted: str, names: Iterable[str]) -> tuple[str, ...]:
    """At most three names that are like the wanted one, the nearest first; then those with a like word."""
    names = tuple(dict.fromkeys(names))
    whole = difflib.get_close_matches(wanted, names, _MOST, _LIKE)
    words = [
        name for name in names if any(_like(one, other) for one in wanted.split() for other in name.split())
    ]
    return tuple(dict.fromkeys((*whole, *words)))[:_MOST]


def _like(one: str, other: str) -> bool:
    """Whether two words of four letters or more are nearly the same, as "touch" and "touched" are."""
    return min(len(one), len(other)) >= 4 and difflib.SequenceMatcher(None, one, other).ratio() >= _LIKE_WORD
