# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the player is heard while the program speaks, as the settings have it."""

import pytest

from acessivel.devices.recogniser import hears_while_speaking
from acessivel.settings.settings import Settings


@pytest.mark.parametrize(
    ("headphones", "interrupt", "hears"),
    [
        (False, "auto", None),
        (False, "on", True),
        (False, "off", False),
        (True, "auto", True),
        (True, "on", True),
        (True, "off", False),
    ],
)
def test_the_option_decides_or_it_is_found_out(headphones, interrupt, hears):
    assert hears_while_speaking(Settings(headphones=headphones, interrupt=interrupt)) is hears


@pytest.mark.parametrize("interrupt", ["auto", "on", "off"])
def test_a_recording_cannot_interrupt(interrupt):
    settings = Settings(headphones=True, interrupt=interrupt, microphone="announcement.wav")
    assert hears_while_speaking(settings) is False
