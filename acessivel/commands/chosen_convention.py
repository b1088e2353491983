# SPDX-License-Identifier: GPL-3.0-or-later
"""The convention that a user has chosen: checks that its words exist and can be used."""

from __future__ import annotations

from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings.settings import find_convention
from voices import data
from voices.words.conventions import convention as convention_of
from voices.words.files import conventions, languages
from voices.words.lexicon import VocabularyError, is_path, vocabulary


def chosen(name: str, language: str, missing: str = "no_convention") -> str:
    """The identifier of a convention, from its name or file.

    Raises UserError if it cannot be used; with the sentence `missing` if there is none of that name.
    """
    found = find_convention(name)
    if found is None:
        raise UserError(Message.of(missing, name=name, names=conventions()))
    check(found, language)
    return found


def check(convention: str, language: str) -> None:
    """Raise UserError if the words cannot be used, or if one of the user's own sounds like a yes."""
    try:
        if data.folders():  # the program's own files are tested, a user's language may be incomplete
            for name in languages():
                vocabulary(name)
        convention_of(convention, language)
        if is_path(convention):
            _check_yes(convention, language)
    except VocabularyError as error:
        raise UserError(mistake(error)) from error


def _check_yes(convention: str, language: str) -> None:
    from voices.grammar.sound_alikes import like_yes  # noqa: PLC0415 - the program's own words are tested

    for pair in like_yes(convention, language):
        raise VocabularyError(convention, pair.other, "like_yes")


def mistake(error: VocabularyError) -> Message:
    """What is wrong with a file of words."""
    if error.problem == "not_readable":
        return Message.of("no_words_file", file=error.file)
    reason = Message.of(f"words_{error.problem}")
    return Message.of("bad_words", file=error.file, place=error.key, reason=reason)
