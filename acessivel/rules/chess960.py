# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of a variant: "standard", or "chess960:N" with the number of the initial position (F.2; 2009)."""

from __future__ import annotations

import re
from random import Random

STANDARD = "standard"
FREE = "chess960"  # with a position of its own instead of a number
POSITIONS = range(960)  # by Scharnagl's numbers: each position that the rules allow, once


class BadVariantError(ValueError):
    """The name of no variant, or a number that no initial position has."""


def number(variant: str) -> int | None:
    """The number of the initial position, None for the standard one; BadVariantError for no variant."""
    if variant == STANDARD:
        return None
    found = re.fullmatch(r"chess960:(\d{1,3})", variant, re.ASCII)
    if not found or int(found[1]) not in POSITIONS:
        raise BadVariantError(variant)
    return int(found[1])


def drawn(variant: str, chance: Random) -> str:
    """A variant with the number of its initial position, drawn if it has none; errors as of `number`."""
    if variant == FREE:
        return f"{FREE}:{chance.choice(POSITIONS)}"
    number(variant)
    return variant
