# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel config` and `acessivel completion`, as they are typed."""

import errno
import json
import os
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from support.languages import LANGUAGES
from support.program import QUIET, confirmed, run

from acessivel.settings.settings import SETTINGS
from voices.words.lexicon import vocabulary


def config(home, *arguments, **more):
    lines, errors = run(home, "config", *arguments, **more)
    return lines or errors


def test_what_is_set_holds_for_later_runs_until_it_is_reset(tmp_path):
    assert config(tmp_path, "get", "level") == ["level = 3"]
    assert config(tmp_path, "set", "level", "2") == ["level = 2"]
    assert config(tmp_path, "get", "level") == ["level = 2"]
    assert config(tmp_path, "reset", "level") == ["level = 3"]


@pytest.mark.parametrize("change", [("get", "level"), ("set", "level", "3"), ("reset", "level")])
def test_one_setting_is_told_to_other_programs_too(tmp_path, change):
    (line,) = config(tmp_path, *change, "--json")
    assert json.loads(line) == {"level": 3}


def test_what_stays_in_the_users_file_keeps_no_other_program_from_reading_the_answer(tmp_path):
    (tmp_path / ".config/acessivel").mkdir(parents=True)
    (tmp_path / ".config/acessivel/config.toml").write_text("level = 5\n", "utf-8")
    (line,) = config(tmp_path, "reset", "level", "--json")
    assert json.loads(line) == {"level": 5}


def test_the_file_that_the_user_wrote_stays_as_it_is(tmp_path):
    folder = tmp_path / ".config" / "acessivel"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text("# mine\nlevel = 5\n", "utf-8")
    assert config(tmp_path, "set", "level", "2") == ["level = 2"]
    told = config(tmp_path, "reset", "level", "--language", "en")
    stays = f"level has this value in {folder / 'config.toml'}, a file that you wrote yourself: to undo it, remove its line there."
    assert told == ["level = 5", stays]
    assert (folder / "config.toml").read_text("utf-8") == "# mine\nlevel = 5\n"


@pytest.mark.parametrize(
    ("language", "typed", "shown"),
    [
        ("pt", "não", "false"),
        ("de", "ja", "true"),
        ("es", "sí", "true"),
        ("en", "off", "false"),
        ("en", "true", "true"),
        ("pt", "yes", "true"),
        ("de", "sim", "true"),
        ("en", "Não", "false"),
    ],
)
def test_a_switch_takes_yes_and_no_in_every_language(tmp_path, language, typed, shown):
    assert config(tmp_path, "set", "strict", typed, "--language", language) == [f"strict = {shown}"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_switch_takes_what_is_told_of_it(tmp_path, language):
    (told,) = config(tmp_path, "set", "strict", "2", "--language", language, status=2)
    words = told.split(": ")[1].rstrip(".").split(", ")
    assert {vocabulary(language).say("answer", each) for each in ("yes", "no")} < set(words)
    shown = [config(tmp_path, "set", "strict", each, "--language", language)[0] for each in words]
    assert shown == ["strict = true", "strict = false"] * 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Level", "level = 3"), ("online-rated", "online_rated = false"), ("rated", "online_rated = false")],
)
def test_a_setting_has_the_name_of_its_option_too_in_any_letters(tmp_path, name, shown):
    assert config(tmp_path, "get", name) == [shown]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("set", "leveel", "2"), "There is no setting called leveel. Perhaps you mean: level."),
        (("set", "level", "9"), "level can be: 1-8."),
        (("set", "rate", "fast"), "rate can be: 50-400."),
        (("set", "pause", "9"), "pause can be: 0.5-5.0."),
        (("set", "level"), "level can be: 1-8."),
        (("set", "clock", "soon"), "A clock is"),
        (("set", "alarms", "x"), "Alarms are"),
        (("set", "convention", "x"), "There is no convention called x."),
        (("set", "profile", "ana"), "There is no profile called ana, and no other either."),
        (("set", "profile", "../x"), "There is no profile called ../x, and no other either."),
        (("get",), "Which setting?"),
        (("set", "name"), "Something is missing: VALUE."),
        (("get", "level", "2"), "Not a possible option, or not a possible value for it: 2."),
        (("list", "level"), "Not a possible option, or not a possible value for it: level."),
    ],
)
def test_what_cannot_be_set_is_one_sentence_and_changes_nothing(tmp_path, arguments, sentence):
    (line,) = config(tmp_path, *arguments, "--language", "en", status=2)
    assert line.startswith(sentence)
    assert not (tmp_path / ".config" / "acessivel" / "changed.toml").exists()


@pytest.mark.parametrize(
    ("stored", "change", "shown"),
    [
        ('convention = "/gone.toml"', ("reset", "convention"), 'convention = "fide"'),
        ('convention = "/gone.toml"', ("set", "convention", "nato"), 'convention = "nato"'),
        ('convention = "/gone.toml"', ("get", "convention"), 'convention = "/gone.toml"'),
        ("level = 99", ("set", "level", "2"), "level = 2"),
        ("level = 99", ("reset", "level"), "level = 3"),
        ("gone = 1", ("reset", "gone"), "Changes made with config set are in "),
    ],
)
def test_what_cannot_be_used_any_more_can_be_changed_and_undone(tmp_path, stored, change, shown):
    folder = tmp_path / ".config" / "acessivel"
    folder.mkdir(parents=True)
    (folder / "changed.toml").write_text(f"{stored}\n", "utf-8")
    (line,) = config(tmp_path, *change, "--language", "en")
    assert line.startswith(shown)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (("games",), 0),
        (("doctor",), 0),
        (("record", 1), 0),
        (("resume", *QUIET), 0),
        (("tape", 1), 2),
    ],
)
def test_what_does_not_announce_does_without_a_convention_that_is_gone(tmp_path, command, status):
    typed = confirmed("e4")
    run(tmp_path, "play", "--opponent", "human", "--language", "en", *QUIET, typed=typed)
    folder = tmp_path / ".config" / "acessivel"
    folder.mkdir(parents=True)
    (folder / "changed.toml").write_text('convention = "/gone.toml"\n', "utf-8")
    lines, errors = run(tmp_path, *command, status=status)
    assert not [line for line in (*lines, *errors) if "gone.toml" in line]
    (why,) = run(tmp_path, "play", "--language", "en", status=2)[1]
    assert why.startswith("The convention /gone.toml of your settings is not there any more.")
    assert why.endswith("acessivel config set convention fide")


@pytest.mark.parametrize("command", [("play",), ("resume",), ("replay", 1), ("hear", "said.wav")])
def test_a_profile_of_the_settings_that_is_gone_is_told_with_how_to_do_without(tmp_path, command):
    folder = tmp_path / ".config" / "acessivel"
    folder.mkdir(parents=True)
    (folder / "changed.toml").write_text('profile = "ana"\nlanguage = "en"\n', "utf-8")
    (why,) = run(tmp_path, *command, status=2)[1]
    assert why.startswith("Your settings name the profile ana, which is not in ")
    (why,) = run(tmp_path, *command, "--profile", "bob", status=2)[1]
    assert why.startswith("There is no profile called bob")
    assert config(tmp_path, "reset", "profile") == ['profile = ""']
    assert config(tmp_path, "set", "profile", "none") == ['profile = "none"']


@pytest.mark.parametrize(
    "command",
    [
        *(("play",), ("resume",), ("replay", 1), ("profile",), ("practice", "progress"), ("introduction",)),
        *(("models", "where"), ("online", "games"), ("hear", "x.wav"), ("games",), ("tape", 1)),
    ],
)
def test_a_folder_into_which_nobody_may_look_is_one_sentence(tmp_path, monkeypatch, command):
    stat = Path.stat

    def refused(path, **how):
        if path.is_relative_to(tmp_path / "games"):
            raise PermissionError(errno.EACCES, "not allowed")
        return stat(path, **how)

    monkeypatch.setattr(Path, "stat", refused)
    lines, errors = run(tmp_path, *command, "--save", tmp_path / "games", status=2)
    assert lines == []
    assert errors == [f"Não é possível ler as partidas em {tmp_path / 'games'}: não há permissão."]


@pytest.mark.parametrize(
    ("name", "typed", "whole"),
    [
        ("save", "games", True),
        ("save", "~/games", False),
        ("save", "", False),
        ("convention", "mine.toml", True),
        ("convention", "nato", False),
        ("engine", "./engine", True),
        ("engine", "stockfish", False),
        ("pairing-engine", "javafo.jar", True),
        ("hall-key", "key", True),
        ("vosk-model", "model", True),
        ("microphone", "a.wav", True),
        ("microphone", "USB", False),
    ],
)
def test_a_file_or_folder_is_stored_by_its_whole_path(tmp_path, monkeypatch, name, typed, whole):
    monkeypatch.chdir(tmp_path)
    words = resources.files("voices").joinpath("words/nato.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(words, "utf-8")
    (tmp_path / "javafo.jar").touch()
    shown = str(tmp_path / typed) if whole else typed
    assert config(tmp_path, "set", name, typed) == [f'{name.replace("-", "_")} = "{shown}"']


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    folder = tmp_path / ".config" / "acessivel"
    (folder / "conventions").mkdir(parents=True)
    words = resources.files("voices").joinpath("words/nato.toml").read_text("utf-8")
    (folder / "conventions" / "mine.toml").write_text(words, "utf-8-sig")
    (folder / "config.toml").write_text('level = 5\nconvention = "mine"\n', "utf-8-sig")
    (folder / "keys.toml").write_text("", "utf-8-sig")
    assert config(tmp_path, "get", "level") == ["level = 5"]
    assert run(tmp_path, "keys", "--language", "en")[1] == []
    assert run(tmp_path, "words", "--language", "en")[1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_has_every_setting_and_where_they_are(tmp_path, language):
    *lines, where = config(tmp_path, "--language", language)
    assert [line.split(" = ")[0] for line in lines] == list(SETTINGS)
    assert "changed.toml" in where
    (data,) = config(tmp_path, "list", "--json")
    assert list(json.loads(data)) == list(SETTINGS)
    (data,) = config(tmp_path, "get", "level", "--json")
    assert json.loads(data) == {"level": 3}


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("acessivel pl", ["play"]),
        ("acessivel play --laws esc", ["escolar-br"]),
        ("acessivel play --oppo", ["--opponent"]),
        ("acessivel config s", ["set"]),
    ],
)
def test_bash_completes_commands_options_and_values(tmp_path, line, expected):
    script, _ = run(tmp_path, "completion", "bash")
    (tmp_path / "completion").write_text("\n".join(script), "utf-8")
    (tmp_path / "empty").mkdir()
    words = line.split()
    code = (
        f"source {tmp_path}/completion; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; COMP_TYPE=9;"
        f" COMP_WORDS=({line}); COMP_CWORD={len(words) - 1};"
        f" _python_argcomplete acessivel '{words[-1]}' '{words[-2]}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path / "empty",
        env={**os.environ, "PATH": path, "HOME": str(tmp_path)},
    )
    assert [found.strip() for found in done.stdout.split("\n") if found.strip()] == expected
