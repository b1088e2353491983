# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line refuses, and what it says to do instead."""

import contextlib
import re
import sys
from pathlib import Path

import pytest
from support.languages import LANGUAGES

from acessivel import cli
from acessivel.commands.options import parse
from acessivel.errors import UserError
from acessivel.messages.rendering import Renderer, catalogue


def refused(language, *arguments):
    with pytest.raises(UserError) as error:
        parse(arguments, language)
    return Renderer(language).text(error.value.message)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "--level", "9"), "--level can be 1-8. See: acessivel play --help"),
        (("play", "--level", "high"), "--level can be 1-8. See: acessivel play --help"),
        (("play", "--confirm", "voice"), "--confirm can be any, key. See: acessivel play --help"),
        (("practice", "targets", "--questions", "0"), "--questions can be 1-100. See: acessivel practice --help"),
        (("replay",), "Something is missing: ID|FILE. See: acessivel replay --help"),
        (("reconcile", "1"), "Something is missing: ID|FILE. See: acessivel reconcile --help"),
        (("play", "--foo"), "This cannot be asked for like that: --foo. See: acessivel play --help"),
        (("resume", "1", "--language", "en"), "This cannot be asked for like that: --language en. See: acessivel resume --help"),
    ],
)  # fmt: skip
def test_a_refused_option_says_what_it_can_be_or_what_is_missing(arguments, sentence):
    assert refused("en", *arguments) == sentence
    for language in LANGUAGES:
        assert refused(language, *arguments).endswith(sentence.split(": ")[-1])


@pytest.mark.parametrize("option", ["--at", "--game"])
def test_a_place_in_a_file_without_the_file_begins_no_game(option, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cli.main(["play", option, "3", "--save", str(tmp_path), "--language", "en"]) == 2
    assert capsys.readouterr().err == "Something is missing: --from FILE. See: acessivel play --help\n"
    assert not list(tmp_path.glob("*.sqlite3"))


def test_a_file_of_a_tournament_that_is_not_there_keeps_its_name(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["event", "nope.trf", "--language", "en"]) == 2
    assert capsys.readouterr().err == "Cannot read nope.trf: it does not exist. Name another file.\n"


def test_where_there_is_no_profile_none_is_listed(tmp_path, capsys):
    arguments = ["play", "--profile", "ana", "--save", str(tmp_path), "--language", "en"]
    assert cli.main(arguments) == 2
    told = capsys.readouterr().err
    assert told == "There is no profile ana, nor another one. To make one: acessivel enrol --profile NAME\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_loudspeaker_no_display_is_promised(language):
    assert not re.search("braille", catalogue(language)["missing_loudspeaker"], re.IGNORECASE)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_output_without_room_is_told_as_such(language, tmp_path, monkeypatch, capsys):
    with contextlib.suppress(OSError), Path("/dev/full").open("w", buffering=1) as full:  # closing fails too
        monkeypatch.setattr(sys, "stdout", full)
        assert cli.main(["games", "--save", str(tmp_path), "--language", language]) == 1
    assert capsys.readouterr().err == catalogue(language)["output_full"] + "\n"
