# SPDX-License-Identifier: GPL-3.0-or-later
"""The journal for a command: opened to play or only to read, its games, and its errors as UserError."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from acessivel.commands import chosen_convention
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from acessivel.storage import journal
from acessivel.storage.journal import Archive, Journal
from acessivel.storage.journal_errors import JournalError, NoSuchGameError, PlayedElsewhereError
from acessivel.storage.stored_game import Stored
from voices.words.conventions import DEFAULT
from voices.words.lexicon import VocabularyError

_MOST_DIGITS = 18  # as many as a database counts
_CANNOT = {"reading": "cannot_read_games", "writing": "cannot_keep"}


def open_journal(settings: Settings) -> Journal:
    """The journal in the folder of the games. Raises UserError if it cannot be used."""
    with user_errors(settings):
        return Journal(settings.folder)


@contextlib.contextmanager
def open_archive(settings: Settings) -> Iterator[Archive]:
    """The games in their folder, where nothing is written. Raises UserError if they cannot be read."""
    with user_errors(settings, "reading"), journal.reading(settings.folder) as archive:
        yield archive


@contextlib.contextmanager
def user_errors(settings: Settings, doing: Literal["reading", "writing"] = "writing") -> Iterator[None]:
    """Turn the errors of the journal into a UserError."""
    try:
        yield
    except NoSuchGameError as error:
        listing = command("games", None, settings)
        raise UserError(Message.of("no_game_listed", reason=error.reason, command=listing)) from error
    except PlayedElsewhereError as error:
        raise UserError(error.reason) from error
    except VocabularyError as error:
        raise UserError(chosen_convention.mistake(error)) from error
    except JournalError as error:
        folder = str(settings.folder)
        if error.reason.key == "reason_damaged":
            raise UserError(Message.of("games_damaged", folder=folder)) from error
        raise UserError(Message.of(_CANNOT[doing], folder=folder, reason=error.reason)) from error


def is_number(source: str) -> bool:
    """Whether what was typed is the number of a game, and not the name of a file; none has so many digits."""
    return source.isdecimal() and len(source) <= _MOST_DIGITS


def load_game(settings: Settings, number: int) -> Stored:
    """A game of the journal, even if its words are gone. Raises UserError if it is not there."""
    with open_archive(settings) as archive:
        try:
            return archive.load(number)
        except VocabularyError:  # the user's own words are gone, the moves are not
            return archive.load(number, convention=DEFAULT)


def stops(stored: Stored) -> tuple[Message, ...]:
    """Where a damaged game stops, and why; nothing of a whole one."""
    if not stored.damage:
        return ()
    plies = len(stored.state.game.played)
    return (Message.of("game_stops", id=stored.id, plies=plies, damage=stored.damage.message),)


def created(setup: Setup, journal: Journal) -> Stored:
    """A new game of the journal."""
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    return journal.begin(setup, started)
