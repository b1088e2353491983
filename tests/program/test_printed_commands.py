# SPDX-License-Identifier: GPL-3.0-or-later
"""Each command that is printed on a page runs, in a home where what it names lies ready."""

import importlib.util
import json
import os
import re
import shlex
import subprocess

import pytest
import tomli
from support.models_site import LIST, SMALL_PT, Site, archive
from support.pages import ROOT, commands, pages, program_arguments
from support.program import PROGRAM, QUIET, confirmed, run
from support.synthetic import espeak
from support.trf import SWISS

from acessivel.commands.arguments import parse
from acessivel.commands.options import COMMANDS

# What needs a device, a profile, a recording or an engine says in one sentence that it is not there; with it, it has tests of its own.
MISSING = {
    "enrol": "test_enrol", "profile": "test_profile", "tape": "test_tape", "--room-output": "test_two_boards",
    "--pair": "test_event_round", "--hall": "test_table_in_a_hall",
}  # fmt: skip
# What takes long, or waits for a browser, is run by tests of its own, and only read here.
LONG = {"demo": "test_hear", "words": "test_wordlist", "web": "test_web_command"}
PRINTED = list({line: None for page in pages() for line in commands(page.read_text("utf-8"))})


def printed():
    """Each once, by its arguments."""
    return list(
        {" ".join(map(shlex.quote, given)): given for line in PRINTED if (given := program_arguments(line))}
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Two games, their records, a recording, a tournament, and a site of models."""
    home = tmp_path_factory.mktemp("home")
    for opening in (("e4", "e5", "Nf3"), ("e4", "d5", "exd5")):
        options = ("--opponent", "human", "--language", "en", *QUIET)
        run(home, "play", *options, typed=confirmed(*opening, yes="ja"))
    game, _ = run(home, "record", 1)
    moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"
    for number in range(4, 24, 2):  # as many half-moves as have a diagram on a page
        moves += f" {number}. Nc3 Nf6 {number + 1}. Nb1 Ng8"
    moves += " *"
    for name, content in {
        "game.pgn": "\n".join(game), "games.pgn": f'[White "A"]\n\n{moves}\n\n[White "B"]\n\n{moves}\n',
        "tournament.trf": SWISS, "open.trf": SWISS, "aberto.trf": SWISS, "cases.json": json.dumps([{"file": "a.wav"}]),
    }.items():  # fmt: skip
        (home / name).write_text(content, "utf-8")
    run(home, "record", home / "game.pgn", "--format", "brf", "--code", "pt6", "-o", home / "game.brf")
    for number, code in enumerate(("uk", "de6"), start=1):
        for name in ("game", "partida"):
            out = home / f"{name}{number}.brf"
            run(home, "record", home / "game.pgn", "--format", "brf", "--code", code, "-o", out)
    espeak("Springer Felix drei", home / "a.wav")
    for name, other in {
        "game.pgn": "partida.pgn", "games.pgn": "partidas.pgn", "game.brf": "partida.brf",
        "tournament.trf": "torneio.trf", "a.wav": "announcement.wav",
    }.items():  # fmt: skip
        (home / other).write_bytes((home / name).read_bytes())
    (home / "anuncio.wav").write_bytes((home / "a.wav").read_bytes())
    (home / "recordings/s01").mkdir(parents=True)
    for name in ("a.wav", "cases.json"):
        (home / "recordings/s01" / name).write_bytes((home / name).read_bytes())
    with Site() as site:
        site.offer(SMALL_PT, archive())
        (home / ".config/acessivel").mkdir(parents=True, exist_ok=True)
        (home / ".config/acessivel/config.toml").write_text(f'model_list = "{site.url(LIST)}"\n')
        yield home


def quiet(name):
    """The options that keep a command from devices that a test has not."""
    options = dict(zip(QUIET[::2], QUIET[1::2], strict=True))
    return [word for option, off in options.items() if option[2:] in COMMANDS[name] for word in (option, off)]


@pytest.mark.parametrize("command", printed())
def test_each_command_runs(home, monkeypatch, command):
    monkeypatch.chdir(home)
    name, *arguments = shlex.split(command)
    parse([name, *arguments])
    if name in LONG:
        return
    if arguments[:1] == ["remove"]:
        run(home, "models", "get", "pt", "--speak", "off")
    missing = name != "config" and any(word in MISSING for word in (name, *arguments))  # it names settings
    refused = missing or (name == "online" and arguments[:1] not in ([], ["login"], ["logout"]))  # logged out
    given = [*arguments, *quiet(name), *(("--with", "pocketsphinx") if name == "hear" else ())]
    lines, errors = run(home, name, *given, typed="", status=2 if refused else 0)
    assert bool(errors) == refused, errors
    assert refused or lines or "-o" in arguments


@pytest.mark.parametrize(("word", "module"), {**MISSING, **LONG}.items())
def test_what_cannot_be_done_here_is_done_elsewhere(word, module):
    assert f'"{word}"' in (ROOT / f"tests/program/{module}.py").read_text("utf-8")


def targets():
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def others():
    return [line for line in PRINTED if program_arguments(line) is None]


@pytest.mark.parametrize("command", others())
def test_each_command_for_another_program_is_there(command):
    """`make` and `pipx install` themselves are run where the wheel is tested and where all this is installed."""
    program, *arguments = shlex.split(command)
    match program:
        case "make":
            assert arguments[0] in targets()
        case "python":
            assert arguments[0] == "-m"
            assert importlib.util.find_spec(arguments[1])
        case "pipx" if arguments == ["ensurepath"]:
            pass
        case "pipx":  # what Debian's own pip refuses
            extras = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
                "optional-dependencies"
            ]
            wanted = re.fullmatch(r"\.(?:\[([\w,]+)\])?", arguments[-1])
            assert arguments[0] == "install"
            assert set((wanted[1] or "").split(",")) - {""} <= set(extras)
        case "source":
            assert arguments == [".venv/bin/activate"]
            shell = f". {shlex.quote(str(PROGRAM.with_name('activate')))} && command -v acessivel"
            if os.access(PROGRAM.with_name("activate"), os.R_OK):
                assert subprocess.run(["bash", "-c", shell], capture_output=True, check=False).returncode == 0
        case _:
            pytest.fail(f"nothing runs {command}")
