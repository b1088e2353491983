# SPDX-License-Identifier: GPL-3.0-or-later
"""The catalogues are whole: each table has its sentences in every language, and no sentence is without its table."""

import pytest
from support.languages import LANGUAGES

from acessivel.commands.options import COMMANDS, DRILLS
from acessivel.devices import keys
from acessivel.laws.editions import edition
from acessivel.laws.ruling import edition_name
from acessivel.laws.topics import topics
from acessivel.message import Message
from acessivel.messages.rendering import VERBOSITIES, Renderer, catalogue
from acessivel.rules.position import COLOURS
from acessivel.session import command_help
from acessivel.settings.settings import SETTINGS
from voices.meaning import CommandName
from voices.words.files import conventions
from voices.words.lexicon import plain, split_command, vocabulary, words_of

OPTIONS = {"help", "version", *(one.told or one.name for rows in COMMANDS.values() for one in rows.values())}
TOPICS = {topic for laws in SETTINGS["laws"].allowed for topic in topics(edition(laws))}
CALLED = {name.replace("-", "_") for name in DRILLS}
# What the keys of a family are made from; each is there, and no other.
FAMILIES = {
    "does_": {
        dict(line.values)["does"].key.removeprefix("does_")
        for place in ("", "replay", "hall")
        for _, line in keys.load(place=place).lines()
    },
    "option_": OPTIONS,
    "command_": set(COMMANDS),
    "colour_": set(COLOURS),
    "convention_": {*conventions(), "now"},
    "edition_": {edition_name(laws).key.removeprefix("edition_") for laws in SETTINGS["laws"].allowed},
    "topic_": TOPICS,
    "about_": CALLED,
    "drill_called_": {*CALLED, "list", "progress"},
    "voice_words_": set(VERBOSITIES),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_of_sentences_is_what_its_table_says(family, language):
    found = {key.removeprefix(family) for key in catalogue(language) if key.startswith(family)}
    assert found == FAMILIES[family]


@pytest.mark.parametrize("language", LANGUAGES)
def test_shorter_and_longer_sentences_stand_for_one_that_there_is(language):
    texts = catalogue(language)
    for verbosity in VERBOSITIES:
        for key in texts:
            if key.startswith(f"{verbosity}_"):
                assert key.removeprefix(f"{verbosity}_") in texts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", CommandName)
def test_every_command_can_be_said_heard_pressed_and_is_in_the_help(command, language):
    words = vocabulary(language)
    said = words.say("command", command)
    literal, _ = split_command(said)
    assert all(plain(word) in words.sounds for word in words_of(literal))
    actions = keys.PIECE_ACTIONS if command is CommandName.PIECES else (str(command),)
    assert all(f"does_{action}" in catalogue(language) for action in actions)
    text = " ".join(
        Renderer(language).text(message) for message in command_help.overview(CommandName, "fide")
    )
    shown = Renderer(language).text(Message.of("help_command", command=command))
    assert shown.casefold() in text.casefold()
    assert all(word in words_of(shown.casefold()) for word in words_of(literal.casefold()))
