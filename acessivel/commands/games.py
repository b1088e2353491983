# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel games`: the games of the journal, in lines or as JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json

from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.commands.stored_games import open_archive
from acessivel.message import Message, date_parts
from acessivel.messages.rendering import Renderer
from acessivel.storage.journal import Listed


def run(options: argparse.Namespace) -> int:
    """List the games. Raises UserError if they cannot be read."""
    settings = settings_of(options)
    with open_archive(settings) as archive:
        games = archive.games()
    if options.json:
        write_line(json.dumps([dataclasses.asdict(game) for game in games], ensure_ascii=False))
        return 0
    renderer = Renderer(settings.language)
    if not games:
        write_line(renderer.text(Message.of("no_games")))
    for game in games:
        write_line(renderer.text(_line(game)))
    return 0


def _line(game: Listed) -> Message:
    if game.damaged:
        return Message.of("game_line_damaged", id=game.id)
    return Message.of("game_line", **dataclasses.asdict(game) | date_parts(game.started))
