# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel replay`: a finished game, stepped through by voice, keys and display."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from acessivel.app.loop import open_loop
from acessivel.app.patience import patiently
from acessivel.app.replay import ReplayActivity
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import is_number, load_game, stops
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message, Messages
from acessivel.records import readers
from acessivel.records.braille_record import RecordError
from acessivel.records.pgn_files import beginning, recorded
from acessivel.records.replayed_game import Replay
from acessivel.rules.position import BadFenError
from acessivel.session import practice
from acessivel.settings.settings import Settings
from braille.patterns import UnreadableError
from voices.understanding import replay_steps


def run(options: argparse.Namespace) -> int:
    """Step through the game until the reader stops. Raises UserError if the record cannot be read."""
    settings = replace(device_settings_of(options), opponent="human")
    with patiently(settings, aloud=True):
        replay, more = _record(options, settings)
    sounds = replay_steps.words(settings.language).sounds
    with open_loop(settings, write_line, sys.stdin, place="replay", sounds=sounds) as loop:
        loop.offer_pages(("both", "spectator"))
        loop.run(ReplayActivity(replay, (settings.language, settings.convention), more))
    return 0


def _record(options: argparse.Namespace, settings: Settings) -> tuple[Replay, Messages]:
    """The requested game, from its beginning; mentions other games in its file."""
    try:
        stored = load_game(settings, int(options.source)) if is_number(options.source) else None
        advises = stored is None or bool(stored.state.game.result) or practice.advises(stored.state)
        found = (
            readers.of_journal(stored)
            if stored
            else readers.from_file(options.source, options.code, settings.language)
        )
        kept, more = readers.numbered(found, options.game, options.source)
        game = kept.game
        fen, variant = beginning(game)
        setup = Setup.of(
            language=settings.language,
            convention=settings.convention,
            fen=fen,
            variant=variant,
            white=game.headers.get("White", "?"),
            black=game.headers.get("Black", "?"),
        )
        replay = Replay.of(setup, recorded(game), game.headers.get("Result", "*"), advises=advises)
    except RecordError as error:
        raise UserError(error.message) from error
    except UnreadableError as error:
        raise UserError(readers.unreadable(error, options.source)) from error
    except BadFenError as error:
        raise UserError(Message.of("bad_fen", fen=str(fen)[:100], reasons=error.reasons)) from error
    damaged = stops(stored) if stored else ()
    return replay, (*damaged, *((Message.of("replay_more"),) if more else ()))
