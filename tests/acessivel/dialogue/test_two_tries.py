# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmarks count as settled within two tries."""

import math
import runpy
from pathlib import Path

import pytest

from acessivel.dialogue.interpretation import Context
from acessivel.rules.position import Position
from voices.hearing import evidence
from voices.hearing.evidence import EvidenceModel
from voices.recognisers import Hypothesis

TWO_TRIES = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "two_tries.py"))
START = Context(Position.start(), "fide", "de")
E4 = ("e2e4",)


@pytest.fixture(autouse=True)
def _shares(monkeypatch):
    """Utilities are the network's own log-probabilities."""
    plain = EvidenceModel(
        {"network": 1.0, "filler": 1.0, "unlisted": -99.0}, yes=0.9, foreign_yes=0.9, doubt=0.5
    )
    monkeypatch.setattr(evidence, "model", lambda _: plain)


def heard(**shares):
    """Hypotheses with these probabilities; the rest is other speech."""
    said = [Hypothesis(words.replace("_", " "), "all", math.log(p), "network") for words, p in shares.items()]
    return (*said, Hypothesis("", "filler", math.log(1 - sum(shares.values())), "network"))


REFUSED, OTHER = heard(eva_vier=0.28), heard(david_vier=0.28)
SURE, WRONG = heard(eva_vier=0.9), heard(david_vier=0.9)


@pytest.mark.parametrize(
    ("first", "second", "joined", "alone"),
    [
        (SURE, REFUSED, "right", "right"),
        (REFUSED, SURE, "right", "right"),
        (WRONG, SURE, "right", "right"),
        (WRONG, REFUSED, "refused", "refused"),
        (REFUSED, WRONG, "wrong", "wrong"),
        (REFUSED, REFUSED, "offered", "refused"),
        (heard(eva_vier=0.4), REFUSED, "offered", "offered"),
        (heard(david_vier=0.4), REFUSED, "refused", "refused"),
        (REFUSED, heard(eva_vier=0.3, david_vier=0.35), "offered", "wrong"),
        (OTHER, OTHER, "wrong", "refused"),
        (
            heard(eva_vier=0.28, david_drei=0.25),
            heard(david_drei=0.28, eva_vier=0.25),
            "offered",
            "refused",
        ),
        (heard(eva_vier=0.28, eva_drei=0.25), heard(eva_drei=0.28, eva_vier=0.25), "offered", "refused"),
        (heard(anna_vier=0.28, anna_drei=0.25), heard(anna_drei=0.28, anna_vier=0.25), "wrong", "refused"),
        (heard(), heard(), "refused", "refused"),
    ],
)
def test_what_comes_of_two_tries(first, second, joined, alone):
    assert TWO_TRIES["twice"](first, second, START, E4) == joined
    assert TWO_TRIES["twice"](first, second, START, E4, joined=False) == alone
