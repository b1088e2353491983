# SPDX-License-Identifier: GPL-3.0-or-later
"""What the READMEs claim is so."""

import re
import tomllib
from pathlib import Path

import pytest
from support.program import PROGRAM, QUIET, run, run_process

from acessivel.commands.options import COMMANDS
from acessivel.settings.settings import CHOICES, load
from voices.understanding.meanings import read
from voices.words.conventions import conventions

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.pt-BR.md")


def blocks(readme, kind):
    text = (ROOT / readme).read_text("utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("readme", "language"), [("README.md", "en"), ("README.pt-BR.md", "pt")])
def test_the_transcript_is_a_real_one(tmp_path, readme, language):
    (transcript,) = blocks(readme, f"transcript {language}")
    lines = transcript.splitlines()
    typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    options = ("--opponent", "human", "--language", language, *QUIET)
    said, _ = run(tmp_path, "play", *options, typed=typed, PATH=f"{PROGRAM.parent}:/usr/bin:/bin")
    assert said == [line for line in lines if not line.startswith("> ")]


@pytest.mark.parametrize("readme", READMES)
def test_the_commands_and_options_are_those_of_the_program(readme):
    text = (ROOT / readme).read_text("utf-8")
    assert set(re.findall(r"^\| `acessivel (\w+)", text, re.MULTILINE)) == set(COMMANDS)
    options = re.findall(r"^\| `--(.*?)` \|", text, re.MULTILINE)
    assert {option.split()[0] for option in options} == set(COMMANDS["play"])
    for name, choices in CHOICES.items():
        assert f"{name} " + "\\|".join(choices) in options
    assert "convention " + "\\|".join((*conventions(), "FILE.toml")) in options
    table = text.split("`--convention`:\n\n")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(conventions())


@pytest.mark.parametrize("readme", READMES)
def test_the_settings_example_can_be_loaded(tmp_path, readme):
    (example,) = blocks(readme, "toml")
    path = tmp_path / "config.toml"
    path.write_text(example)
    assert load(path).level == tomllib.loads(example)["level"]


@pytest.mark.parametrize(
    ("readme", "language", "opening"),
    [("README.md", "en", "`help` lists"), ("README.pt-BR.md", "pt", "`ajuda` diz")],
)
def test_the_commands_that_can_be_said_are_understood(readme, language, opening):
    text = (ROOT / readme).read_text("utf-8")
    listed = text[text.index(opening) :].split(":", 1)[1].split(".")[0]
    for words in listed.replace("\n", " ").split(","):
        readings = read(words.strip(), language)
        assert readings, words
        assert type(readings[0].meaning).__name__ == "Command", words


@pytest.mark.parametrize(
    ("readme", "language", "header"),
    [("README.md", "en", "`hint` | the piece"), ("README.pt-BR.md", "pt", "`dica` | a peça")],
)
def test_the_commands_of_practice_are_understood(readme, language, header):
    table = (ROOT / readme).read_text("utf-8").split(header)[1].split("\n\n")[0]
    first = header.split("`")[1]
    for words in (first, *re.findall(r"^\| `([^`]+)`", table, re.MULTILINE)):
        assert [type(reading.meaning).__name__ for reading in read(words, language)][:1] == ["Command"], words


def test_make_play_without_a_terminal_ends_well(tmp_path):
    said, errors = run_process(tmp_path, "play", *QUIET, typed="")
    assert any("acessivel resume" in line for line in said)
    assert errors == []
