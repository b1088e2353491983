# SPDX-License-Identifier: GPL-3.0-or-later
"""The scores of several grammars -> the readings, best first."""

from __future__ import annotations

from collections.abc import Sequence

from voices.recognisers import Hypothesis


def decide(hypotheses: Sequence[Hypothesis]) -> tuple[str, ...]:
    """The words of the readings, best first; empty when nothing was understood."""
    return tuple(dict.fromkeys(h.words for h in hypotheses if h.grammar != "filler" and h.words))
