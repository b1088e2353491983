# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel resume`: continues a game of the journal as it was agreed."""

from __future__ import annotations

import argparse

from acessivel.commands import chosen_convention, played_game
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.stored_games import open_journal, user_errors
from acessivel.errors import UserError
from acessivel.message import Message


def run(options: argparse.Namespace) -> int:
    """Resume a game, the newest unfinished one unless one is named. Raises UserError if there is none."""
    settings = device_settings_of(options)
    journal = open_journal(settings)
    with user_errors(settings):
        number = options.which if options.which is not None else journal.unfinished()
        if number is None:
            raise UserError(Message.of("no_unfinished"))
        stored = journal.load(number)
    setup = stored.state.setup
    chosen_convention.check(setup.convention, setup.language)
    played_game.go_on(stored, journal, played_game.as_agreed(settings, setup))
    return 0
