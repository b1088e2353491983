# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel play`: a new game, or one continued from a file."""

from __future__ import annotations

import argparse

from acessivel.commands import new_game, played_game
from acessivel.commands.device_settings import device_settings_of
from acessivel.records import import_game


def run(options: argparse.Namespace) -> int:
    """Play a game. Raises UserError if it cannot be played as requested."""
    settings = device_settings_of(options)
    setup = new_game.asked_for(options, settings, practice=False)
    first = import_game.without_clock(setup, options)
    played_game.begin(new_game.named(setup, options.white, options.black), settings, first)
    return 0
