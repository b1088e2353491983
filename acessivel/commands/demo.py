# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel demo`: the sample game of the Laws, announced by a synthetic voice and really recognised."""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from acessivel.app.demo import DemoActivity
from acessivel.app.game import GameActivity
from acessivel.app.loop import open_loop
from acessivel.app.patience import patiently
from acessivel.app.venue import AtComputer
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.commands.stored_games import created, open_journal, user_errors
from acessivel.devices.installation import voice_missing
from acessivel.devices.recogniser import hearing_missing, open_recogniser
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.settings import profiles
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from voices.packages import MissingPartError
from voices.speakers import SpeakerMissingError
from voices.words.conventions import DEFAULT


def run(options: argparse.Namespace) -> int:
    """Show a game. Raises UserError if nothing can be heard, or no voice speaks."""
    settings = device_settings_of(options)
    # The words of the sample game; a synthetic voice speaks, with no profile unless one is asked for.
    profile = settings.profile or profiles.NONE
    settings = replace(settings, convention=DEFAULT, profile=profile, opponent="human")
    journal = open_journal(settings)
    hear = "auto" if settings.hear == "keyboard" else settings.hear
    try:
        with patiently(settings, aloud=True):
            recogniser = open_recogniser(replace(settings, hear=hear))
    except MissingPartError as error:
        raise UserError(hearing_missing(settings, "needs_hearing")) from error
    braille = settings.braille if settings.braille == "off" else "terminal"
    quiet = replace(settings, hear="keyboard", braille=braille, private_output="")
    try:
        with user_errors(settings), tempfile.TemporaryDirectory() as folder:
            stored = _begun(journal, settings)
            with open_loop(quiet, write_line, sys.stdin) as loop:
                working = partial(patiently, settings, aloud=False)  # the voice belongs to the game
                venue = AtComputer(record_command=lambda number: command("record", number, settings))
                game = GameActivity(stored, journal, loop.devices, loop.report, venue)
                loop.run(DemoActivity(game, recogniser, Path(folder) / "utterance.wav", working))
    except SpeakerMissingError as error:
        raise UserError(voice_missing("auto")) from error
    finally:
        recogniser.close()
        journal.close()
    return 0


def _begun(journal: Journal, settings: Settings) -> Stored:
    """The game of the demonstration, in the journal before its first move."""
    setup = Setup.of(language=settings.language, convention=DEFAULT, white="Demo", black="Demo", demo=True)
    return created(setup, journal)
