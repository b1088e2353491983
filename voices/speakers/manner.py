# SPDX-License-Identifier: GPL-3.0-or-later
"""How a voice speaks: its rate, pitch and volume, and the next step up or down of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

USUAL = 100
# The steps of each, in percent: each step is easily heard.
STEPS: Mapping[str, tuple[int, ...]] = {
    "rate": (50, 60, 70, 80, 90, 100, 115, 130, 150, 175, 200, 250, 300, 350, 400),
    "pitch": (50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150),
    "volume": (10, 20, 30, 40, 50, 60, 70, 80, 90, 100),
}
RANGES: Mapping[str, range] = {name: range(steps[0], steps[-1] + 1) for name, steps in STEPS.items()}


@dataclass(frozen=True, slots=True)
class Manner:
    """Rate, pitch and volume in percent of the system voice's own: 100 leaves it as it is.

    A rate of 200 speaks twice as many words a minute. No volume is above 100: that is for the system's own
    volume control.
    """

    rate: int = USUAL
    pitch: int = USUAL
    volume: int = USUAL


def within(name: str, value: int, limits: Sequence[int] = ()) -> int:
    """What a voice makes of a value of "rate", "pitch" or "volume"; `limits`: its least and its most."""
    least, most = limits or (STEPS[name][0], STEPS[name][-1])
    return max(least, min(most, value))


def stepped(name: str, value: int, *, up: bool, limits: Sequence[int] = ()) -> int | None:
    """The next step of "rate", "pitch" or "volume" that can be heard; None if there is none."""
    now = within(name, value, limits)
    steps = STEPS[name] if up else STEPS[name][::-1]
    step = next((step for step in steps if (step > now if up else step < now)), now)
    found = within(name, step, limits)
    return None if found == now else found
