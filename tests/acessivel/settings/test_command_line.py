# SPDX-License-Identifier: GPL-3.0-or-later
"""What to type: all of it on the screen, what can be followed by ear aloud."""

import dataclasses

import pytest

from acessivel.commands.arguments import parse
from acessivel.commands.run_settings import settings_of
from acessivel.settings import command_line


@pytest.mark.parametrize(
    ("name", "options", "shown"),
    [
        ("resume", (), "resume 7"),
        ("resume", ("--save", "/home/anna/chess games"), "resume 7 --save '/home/anna/chess games'"),
        ("tape", ("--save", "games"), "tape 7 --save /usr/games"),
        ("tape", ("--save", "~/games"), "tape 7 --save /home/ana/games"),
    ],
)
def test_a_command_is_shown_with_its_whole_folder_and_spoken_without(name, options, shown, monkeypatch):
    monkeypatch.chdir("/usr")
    monkeypatch.setenv("HOME", "/home/ana")
    settings = settings_of(parse(["play", *options]))
    command = command_line.command(name, 7, settings)
    assert command.text.endswith(shown)
    assert command.spoken == f"acessivel {name} 7"


def test_a_taped_game_goes_on_taped():
    settings = dataclasses.replace(settings_of(parse(["play"])), tape=True)
    command = command_line.command("resume", 7, settings)
    assert command.text.endswith("resume 7 --tape")
    assert command.spoken == "acessivel resume 7"


@pytest.mark.parametrize(("options", "named"), [((), ""), (("--profile", "ana"), " --profile ana")])
def test_only_a_profile_that_is_not_used_by_itself_is_named(options, named):
    settings = settings_of(parse(["play", "--save", "/home/anna/chess", *options]))
    command = command_line.of_profile("profile", settings, "reset")
    assert command.text.endswith(f"profile reset{named} --save /home/anna/chess")
    assert command.spoken == f"acessivel profile reset{named}"
