# SPDX-License-Identifier: GPL-3.0-or-later
"""Hypotheses with probabilities that are given, so that what follows can be worked out by hand."""

from __future__ import annotations

import math

from voices.hearing.evidence import EvidenceModel
from voices.recognisers import Hypothesis

LOG = {share: math.log(share) for share in (0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.8, 0.95)}


def shares(yes: float, foreign_yes: float) -> EvidenceModel:
    """Utilities are the network's own log-probabilities: what it says is how probable each reading is."""
    weights = {"network": 1.0, "filler": 1.0, "unlisted": -99.0}
    return EvidenceModel(weights, yes=yes, foreign_yes=foreign_yes)


def network(said: dict[str, float], expected: dict[str, float], filler: float) -> list[Hypothesis]:
    """What the large networks say, as logarithms."""
    return [
        *(Hypothesis(words, "all", score, "network") for words, score in said.items()),
        *(Hypothesis(words, "expected", score, "network") for words, score in expected.items()),
        Hypothesis("", "filler", filler, "network"),
    ]


def answers(**shares: float) -> list[Hypothesis]:
    """What the network that hears only answers says; the rest is no answer."""
    heard = {words.replace("_", " "): share for words, share in shares.items()}
    every = heard | {"": 1 - sum(heard.values())}
    return [Hypothesis(words, "answer", math.log(share), "network") for words, share in every.items()]
