# SPDX-License-Identifier: GPL-3.0-or-later
"""How many examples a property is tried with, where another number than that of the profile fits it."""

from hypothesis import settings

_USUAL = 100  # of the profile "full"


def examples(count):
    """As many, or of a profile with fewer examples the same part."""
    return max(1, count * settings.default.max_examples // _USUAL)
