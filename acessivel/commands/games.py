# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel games`: the games of the journal, in lines or as JSON."""

from __future__ import annotations

import argparse
import dataclasses
import json

from acessivel.clock.dates import date_parts
from acessivel.commands.output import write_line
from acessivel.commands.run_settings import settings_of
from acessivel.commands.stored_games import open_archive
from acessivel.game.results import RESULTS
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Listed


def run(options: argparse.Namespace) -> int:
    """List the games, in lines those that were begun. Raises UserError if they cannot be read."""
    settings = settings_of(options)
    with open_archive(settings) as archive:
        games = archive.games()
    if options.json:
        write_line(json.dumps([dataclasses.asdict(game) for game in games], ensure_ascii=False))
        return 0
    renderer = Renderer(settings.language)
    lines = [
        _damaged(game, settings) if game.damaged else line_of(game) for game in games if begun(game)
    ] or [Message.of("no_games")]
    for line in lines:
        write_line(renderer.text(line))
    return 0


def begun(game: Listed) -> bool:
    """Whether there is anything to go back to: a move, a result, or what is left of a damaged game."""
    return bool(game.plies or game.reason or game.damaged)


def _damaged(game: Listed, settings: Settings) -> Message:
    return Message.of("game_line_damaged", id=game.id, command=command("record", game.id, settings))


def line_of(game: Listed) -> Message:
    """A whole game as a line of the list."""
    return Message.of(
        "game_line",
        id=game.id,
        white=game.white,
        black=game.black,
        result=Message.of(RESULTS.get(game.result, "result_unfinished")),
        count=(game.plies + 1) // 2,
        **date_parts(game.started),
    )
