# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line refuses, and what it says to do instead."""

import contextlib
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest
import tomli
from support.languages import LANGUAGES
from support.program import environment

from acessivel import cli
from acessivel.commands import new_game, run_settings
from acessivel.commands.arguments import parse
from acessivel.commands.given_position import position_of
from acessivel.commands.options import COMMANDS
from acessivel.errors import UserError
from acessivel.game.game import Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.settings.options import in_words
from acessivel.settings.settings import SETTINGS, Settings


def refused(language, *arguments):
    spoken = mock.patch("acessivel.commands.arguments.language_of", return_value=language)
    with pytest.raises(UserError) as error, spoken:
        parse(arguments)
    return Renderer(language).text(error.value.message)


HUMAN = ("play", "--opponent", "human")


@pytest.mark.parametrize(
    ("arguments", "needs"),
    [
        ((*HUMAN, "--strict"), "--strict is for two people with a clock: acessivel play"),
        (("play", "--clock", "5", "--strict"), "--strict is for two people with a clock: acessivel play"),
        ((*HUMAN, "--clock", "5", "--claim-flag", "both"), "--claim-flag is for two boards: acessivel play"),
        ((*HUMAN, "--clock", "5", "--strict", "--claim-flag", "none"), None),
        ((*HUMAN, "--two-boards", "--clock", "5", "--claim-flag", "both"), None),
    ],
)
def test_an_option_that_cannot_hold_in_the_game_is_refused_where_it_is_typed(
    monkeypatch, tmp_path, arguments, needs
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(new_game, "find_engine", lambda _: "stockfish")
    options = parse(arguments)
    settings = run_settings.settings_of(options)
    with contextlib.nullcontext() if needs is None else pytest.raises(UserError) as error:
        new_game.asked_for(options, settings, practice=False)
    if error:
        assert Renderer("en").text(error.value.message).startswith(needs)


def test_what_is_set_keeps_nobody_from_a_game_in_which_it_cannot_hold():
    settings = Settings(opponent="human", strict=True, claim_flag="both", language="en")
    setup = new_game.asked_for(parse(("play",)), settings, practice=False)
    assert (setup.rulebook.strict, setup.timing.claim_flag) == (True, "both")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "--level", "9"), "--level can be 1-8. See: acessivel play --help"),
        (("play", "--level", "high"), "--level can be 1-8. See: acessivel play --help"),
        (("play", "--confirm", "voice"), "--confirm can be any, key. See: acessivel play --help"),
        (("practice", "targets", "--questions", "0"), "--questions can be 1-100. See: acessivel practice --help"),
        (("replay",), "Something is missing: ID|FILE. See: acessivel replay --help"),
        (("reconcile", "1"), "Something is missing: ID|FILE. See: acessivel reconcile --help"),
        (("play", "--foo"), "Not a possible option, or not a possible value for it: --foo. See: acessivel play --help"),
        (("resume", "1", "--language", "en"), "Not a possible option, or not a possible value for it: --language en. See: acessivel resume --help"),
        (("resume", "--language", "en"), "Not a possible option, or not a possible value for it: --language. See: acessivel resume --help"),
        (("resume", "x"), "Not a possible option, or not a possible value for it: x. See: acessivel resume --help"),
        (("replay", "1", "--game", "x"), "Not a possible option, or not a possible value for it: --game x. See: acessivel replay --help"),
        (("play", "--strict=1"), "Not a possible option, or not a possible value for it: --strict. See: acessivel play --help"),
        (("models", "--language", "pt"), "After acessivel models can come: list, get, remove, where. See: acessivel models --help"),
        (("completion",), "After acessivel completion can come: bash, zsh, fish, powershell. See: acessivel completion --help"),
        (("--language", "en", "play"), "The command comes first, and --language after it. For all commands: acessivel --help"),
        (("--level=2",), "The command comes first, and --level=2 after it. For all commands: acessivel --help"),
        (("--foo", "play"), "Not a possible option, or not a possible value for it: --foo. See: acessivel --help"),
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
    assert capsys.readouterr().err == "Cannot read nope.trf: it does not exist. Choose another file.\n"


def test_where_there_is_no_profile_none_is_listed(tmp_path, capsys):
    arguments = ["play", "--profile", "ana", "--save", str(tmp_path), "--language", "en"]
    assert cli.main(arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("There is no profile called ana, and no other either. To make one: ")
    assert told.endswith(f" enrol --save {tmp_path} --profile NAME\n")


@pytest.mark.parametrize("command", ["enrol", "profile"])
def test_settings_without_a_profile_are_told_with_the_way_out(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run_settings, "load", lambda: Settings(profile="none"))
    assert cli.main([command, "--save", str(tmp_path), "--language", "en"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("Your settings do without a profile. Name one with --profile NAME, or ")
    assert told.endswith("acessivel config reset profile\n")


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


def test_the_version_is_that_of_the_package(capsys):
    project = tomli.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"acessivel {project['version']}\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_every_command_and_the_version(language, capsys):
    with pytest.raises(SystemExit) as end:
        parse(["--help", "--language", language])
    assert end.value.code == 0
    told = "".join(capsys.readouterr().out.split())
    for key in (*(f"command_{name}" for name in COMMANDS), "option_version", "option_help"):
        assert "".join(catalogue(language)[key].split()) in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_its_options(command, language, capsys):
    with pytest.raises(SystemExit) as end:
        parse([command, "--help", "--language", language])
    assert end.value.code == 0
    told = "".join(capsys.readouterr().out.split())
    for option in COMMANDS[command].values():
        assert "".join(in_words(", ".join(option.ways), catalogue(language)).split()) in told
        assert "".join(catalogue(language)[option.explanation].split()) in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_to_be_typed_keeps_its_small_letters_at_the_start_of_a_sentence(language, capsys):
    for arguments in (["--help"], ["record", "--help"], ["practice", "--help"]):
        with pytest.raises(SystemExit):
            parse([*arguments, "--language", language])
    told = capsys.readouterr().out
    assert "\nacessivel play: " in told
    assert f"\nacessivel record {in_words('ID|FILE', catalogue(language))}: " in told
    assert "\nAcessivel" not in told
    level = Renderer(language).text(Message.of("config_value", option="level", allowed="1-8"))
    assert level.startswith("level ")
    engine = Renderer(language).text(Message.of("bad_engine", program="stockfish"))
    assert engine.startswith("stockfish ")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_a_module_that_runs_it(command):
    assert list(
        inspect.signature(importlib.import_module(f"acessivel.commands.{command}").run).parameters
    ) == ["options"]


@pytest.mark.parametrize(
    ("arguments", "commands", "never"),
    [
        (["--version"], set(), ("chess", "argparse", "acessivel.settings", "voices", "braille", "logging")),
        (["read", "e4", "--language", "en"], {"read"}, ("acessivel.devices", "acessivel.app", "acessivel.session", "acessivel.laws.editions", "acessivel.clock", "voices.hearing", "voices.grammar", "braille", "babel", "decimal")),
        (["words", "--json", "--language", "en"], {"words"}, ("acessivel.devices", "acessivel.app", "acessivel.session", "braille")),
    ],
)  # fmt: skip
def test_only_what_a_command_needs_is_imported(arguments, commands, never, tmp_path):
    code = "import sys; from acessivel import cli; status = cli.main(sys.argv[1:]); print(*sys.modules, sep='\\n'); sys.exit(status)"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, text=True, check=True, env=environment(tmp_path),
    )  # fmt: skip
    imported = set(done.stdout.split())
    assert {name for name in COMMANDS if f"acessivel.commands.{name}" in imported} == commands
    assert not [
        name for name in imported if name.startswith(tuple(f"{one}." for one in never)) or name in never
    ]


@pytest.mark.parametrize(
    "arguments",
    [("-x",), ("play", "--level"), ("play", "--strict=1"), ("tape", "one"), ("record", "1", "-o")],
)
def test_what_argparse_refuses_is_named_without_its_english(arguments):
    for language in LANGUAGES:
        told = refused(language, *arguments)
        assert told.endswith(" --help")
        assert not re.search("expected|invalid|ignored|argument ", told)


def test_an_argument_without_a_dash_is_refused_with_what_it_can_be():
    assert (
        refused("en", "models", "foo")
        == "After acessivel models can come: list, get, remove, where. See: acessivel models --help"
    )


def test_all_that_is_agreed_stands_in_the_set_up():
    agreed = {name for name, option in SETTINGS.items() if option.agreed}
    assert agreed <= Setup(opponent="online").flat().keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fen_that_cannot_be_played_from_says_why(language):
    with pytest.raises(UserError) as error:
        position_of("4k3/8/8/8/8/8/8/R7 w - - 0 1")
    said = Renderer(language).text(error.value.message)
    assert catalogue(language)["bad_position_no_white_king"] in said
    assert said.endswith("4k3/8/8/8/8/8/8/R7 w - - 0 1")
