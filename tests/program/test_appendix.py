# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of the appendix for blind players: each command and phrase that it names is tried."""

import re
import shlex

import pytest
from support.happening import all_told
from support.pages import text
from support.program import QUIET, confirmed, run, script

from acessivel.game.game import Setup
from acessivel.session import events as ev
from acessivel.session.state import State
from acessivel.session.step import step
from voices.understanding.meanings import read

POINTS = ["1", "1", "2", "3", "4", "5", "6", "7", "8", "9a", "9b", "9c", "9d", "9e", "9f"]
TABLES = {"en": "| point | ", "pt": "| ponto | "}


def rows(language):
    table = text("two-boards.md", language).split(TABLES[language])[1].split("\n\n")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return [(line[0], re.findall(r"`([^`]+)`", line[-1])) for line in lines]


def named(language):
    return [found for _, texts in rows(language) for found in texts]


@pytest.mark.parametrize("language", TABLES)
def test_every_point_of_the_appendix_names_something_to_say_or_run(language):
    assert [point for point, _ in rows(language)] == POINTS
    assert all(texts for _, texts in rows(language))


@pytest.mark.parametrize(
    ("language", "phrase"),
    [(language, found) for language in TABLES for found in named(language) if "acessivel" not in found],
)
def test_each_phrase_does_what_it_is_there_for(language, phrase):
    """In the position where it can be said: a move is on its way, announced, or neither."""
    assert read(phrase, language)[0].likely
    assert any(_understood(state, phrase) for state in _states(language))


def _states(language):
    yes = {"en": "yes", "pt": "sim"}[language]
    state, _ = step(State.new(Setup.of(language=language, two_boards=True, clock="5")), ev.Started())
    yield state
    for words in ("Springer Felix drei", yes):
        state, _ = step(state, ev.Heard(words=(words,)))
        yield state


def _understood(state, phrase):
    after, effects = step(state, ev.Heard(words=(phrase,)))
    refusals = {
        "not_understood",
        "refused",
        "answer_asked",
        "nothing_asked",
        "nothing_to_make",
        "nothing_to_correct",
    }
    keys = {message.key for message in all_told(effects)}
    return not refusals & keys and (bool(keys) or after != state)


@pytest.mark.parametrize("language", TABLES)
def test_each_command_runs(tmp_path, language):
    """Two games lie there, as the numbers in the table need."""
    for opening in (("e4", "e5"), ("e4", "d5")):
        options = ("--opponent", "human", "--language", language, *QUIET)
        run(tmp_path, "play", *options, typed=confirmed(*opening, yes="ja"))
    commands = [found for found in named(language) if found.startswith("acessivel ")]
    assert commands
    for command in commands:
        _, name, *arguments = shlex.split(command)
        quiet = QUIET if name in ("play", "resume") else ()
        typed = script("Springer Felix drei", "ja") if name in ("play", "resume") else ""
        lines, errors = run(tmp_path, name, *arguments, *quiet, typed=typed)
        assert lines or errors, command
        if "--two-boards" in arguments:
            assert any("Springer Gustav eins Felix drei. " in line for line in lines), command
