# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel games`: the games of the journal, in lines or as JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json

from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.commands.stored_games import open_journal, user_errors
from acessivel.message import Message, date_parts
from acessivel.messages.rendering import Renderer
from acessivel.settings.settings import Settings
from acessivel.storage.journal import FILE_NAME, Listed


def run(options: argparse.Namespace) -> int:
    """List the games. Raises UserError if the journal cannot be used."""
    settings = settings_of(options)
    games = _games(settings)
    if options.json:
        write_line(json.dumps([dataclasses.asdict(game) for game in games], ensure_ascii=False))
        return 0
    renderer = Renderer(settings.language)
    if not games:
        write_line(renderer.text(Message.of("no_games")))
    for game in games:
        line = Message.of("game_line", **dataclasses.asdict(game) | date_parts(game.started))
        write_line(renderer.text(line))
    return 0


def _games(settings: Settings) -> tuple[Listed, ...]:
    """The games of the journal; does not create a journal if there is none."""
    if not (settings.folder / FILE_NAME).exists():
        return ()
    journal = open_journal(settings)
    try:
        with user_errors(settings):
            return journal.games()
    finally:
        journal.close()
