# SPDX-License-Identifier: GPL-3.0-or-later
"""The journal for a command: opened, a game of it read, and its errors as UserError."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from acessivel.commands import chosen_convention
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import Settings
from acessivel.storage.journal import (
    Journal,
    JournalError,
    NoSuchGameError,
    PlayedElsewhereError,
    Stored,
)
from voices.words.conventions import DEFAULT
from voices.words.lexicon import VocabularyError


def open_journal(settings: Settings) -> Journal:
    """The journal in the folder of the games. Raises UserError if it cannot be used."""
    with user_errors(settings):
        return Journal(settings.folder)


@contextlib.contextmanager
def user_errors(settings: Settings) -> Iterator[None]:
    """Turn the errors of the journal into a UserError."""
    try:
        yield
    except (NoSuchGameError, PlayedElsewhereError) as error:
        raise UserError(error.reason) from error
    except VocabularyError as error:
        raise UserError(chosen_convention.mistake(error)) from error
    except JournalError as error:
        folder = str(settings.folder)
        raise UserError(Message.of("cannot_keep", folder=folder, reason=error.reason)) from error


def load_game(settings: Settings, number: int) -> Stored:
    """A game of the journal, even if its words are gone. Raises UserError if it is not there."""
    journal = open_journal(settings)
    try:
        with user_errors(settings):
            try:
                return journal.load(number)
            except VocabularyError:  # the user's own words are gone, the moves are not
                return journal.load(number, convention=DEFAULT)
    finally:
        journal.close()
