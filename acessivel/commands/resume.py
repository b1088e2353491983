# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel resume`: continues a game of the journal as it was agreed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from acessivel.app.patience import patiently
from acessivel.commands import chosen_convention, played_game
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.stored_games import open_archive, open_journal, stops, user_errors
from acessivel.errors import UserError
from acessivel.message import Message, Messages
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.stored_game import Stored
from voices.words.conventions import DEFAULT
from voices.words.lexicon import VocabularyError


def run(options: argparse.Namespace) -> int:
    """Resume a game, the newest unfinished one unless one is named. Raises UserError if there is none."""
    settings = device_settings_of(options)
    numbers: Sequence[int] = [options.which] if options.which is not None else _unfinished(settings)
    journal = open_journal(settings)
    try:
        with user_errors(settings), patiently(settings, aloud=True):
            stored, first = _whole(journal, numbers, settings)
        setup = stored.state.setup
    except BaseException:
        journal.close()
        raise
    agreed = played_game.as_agreed(settings, setup)
    if setup.opponent == "online":
        from acessivel.commands import online  # noqa: PLC0415 - most games are played here

        online.go_on(stored, journal, agreed, first)
    else:
        played_game.go_on(stored, journal, agreed, first)
    return 0


def _unfinished(settings: Settings) -> Sequence[int]:
    """The numbers of the unfinished games, newest first. Raises UserError if there is none."""
    with open_archive(settings) as archive:
        numbers = archive.unfinished()
    if not numbers:
        raise UserError(Message.of("no_unfinished"))
    return numbers


def _whole(journal: Journal, numbers: Sequence[int], settings: Settings) -> tuple[Stored, Messages]:
    """The first of these games that is not damaged, and what to tell about those before it.

    Raises UserError if there is none.
    """
    damaged: list[Stored] = []
    for number in numbers:
        stored, words = _loaded(journal, number)
        if not stored.damage:
            told = (
                Message.of("resume_instead", stops=stop, id=number)
                for each in damaged
                for stop in stops(each)
            )
            return stored, (*told, *words)
        damaged.append(stored)
    newest = damaged[0]
    (why,) = stops(newest)
    persons = ("--opponent", "human") if newest.state.setup.opponent == "human" else ()
    play = command("play", None, settings, *persons)
    record = command("record", newest.id, settings)
    raise UserError(Message.of("resume_damaged", stops=why, command=record, play=play))


def _loaded(journal: Journal, number: int) -> tuple[Stored, Messages]:
    """A game, and what to tell if its own words cannot be used: it goes on in those of FIDE then."""
    try:
        return _in_words(journal, number), ()
    except VocabularyError as error:
        why = chosen_convention.mistake(error)
    except UserError as error:
        why = error.message
    return _in_words(journal, number, DEFAULT), (why, Message.of("resume_in_fide", id=number))


def _in_words(journal: Journal, number: int, convention: str | None = None) -> Stored:
    """A game in the words of its own convention, or of another. Raises an error if they cannot be used."""
    stored = journal.load(number, convention)
    chosen_convention.check(stored.state.setup.convention, stored.state.setup.language)
    return stored
