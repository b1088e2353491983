# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of a variant: "standard", or "chess960:N" with the number of the initial position (F.2; 2009)."""

from __future__ import annotations

import re
from random import Random

STANDARD = "standard"
FREE = "chess960"  # one with its own starting position instead of a number
POSITIONS = range(960)  # Scharnagl's numbering covers each position that the rules allow exactly once


class BadVariantError(ValueError):
    """A name that is no variant, or a number that has no initial position."""


def number(variant: str) -> int | None:
    """The number of the initial position; None for the standard one.

    Raises BadVariantError for other names.
    """
    if variant == STANDARD:
        return None
    found = re.fullmatch(r"chess960:(\d{1,3})", variant, re.ASCII)
    if not found or int(found[1]) not in POSITIONS:
        raise BadVariantError(variant)
    return int(found[1])


def drawn(variant: str, chance: Random) -> str:
    """A variant with a numbered initial position, drawn at random if it has none. Raises as `number` does."""
    if variant == FREE:
        return f"{FREE}:{chance.choice(POSITIONS)}"
    number(variant)
    return variant
