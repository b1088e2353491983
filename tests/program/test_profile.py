# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a speaker, as the program shows, exports and removes it."""

import json
import os
import zipfile
from datetime import date

import numpy as np
import pytest
from support.program import PROGRAM, run
from support.terminal import Player

from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.hearing.learnt import Learnt, Sample
from voices.hearing.profile import Profile
from voices.network.adaptation import Correction

ANA = Profile("ana", date(2026, 11, 21), -60.0, 0.93, {"eva": ("IY V AH",)})
CORRECTION = Correction("one", ("*",), np.ones((1, 3), np.float32), np.ones(1, np.float32))


@pytest.fixture
def known(tmp_path):
    settings = Settings(save=str(tmp_path / "games"))
    profiles.store(settings, ANA)
    learnt = Learnt(corrections=(CORRECTION,)).with_sample(
        Sample.of("eva vier", "de", "fide", np.zeros((40, 40)))
    )
    profiles.store_learnt(settings, "ana", learnt)
    profiles.store_learnt(settings, "default", Learnt())
    return ("--language", "en", "--save", tmp_path / "games")


def test_it_is_shown_in_sentences(tmp_path, known):
    lines, errors = run(tmp_path, "profile", "--profile", "ana", *known)
    assert errors == []
    assert lines == [
        "The profile ana was made on 2026-11-21, in a room of -60 dB. Fitting pronunciations: 1 word.",
        "Learnt of ana from 1 announcement: I hear with it.",
        "I learn nothing from your games. To change that: acessivel config set learn on",
        f"It is kept in {tmp_path / 'games/profiles'}, without any sound.",
        "There are more profiles: default.",
    ]
    run(tmp_path, "config", "set", "learn", "on")
    lines, _ = run(tmp_path, "profile", "show", *known)
    assert lines[0].startswith("Kept of default: 0 announcements. I hear as for everybody")
    assert not any(line.startswith("I learn nothing") for line in lines)


def test_what_was_learnt_and_cannot_be_read_is_told_and_stops_nothing(tmp_path, known):
    (tmp_path / "games/profiles/ana.npz").write_bytes(b"PK")
    lines, errors = run(tmp_path, "profile", "--profile", "ana", *known)
    assert errors == []
    assert lines[1].replace(f"{PROGRAM.parent}/", "") == (
        "What was learnt of ana cannot be read, and is not used: I hear as for everybody. "
        f"To learn anew: acessivel enrol --profile ana --save {tmp_path}/games. "
        "To remove it, and the pronunciations too: "
        f"acessivel profile reset --profile ana --save {tmp_path}/games"
    )


def test_it_is_shown_to_other_programs(tmp_path, known):
    lines, _ = run(tmp_path, "profile", "--profile", "ana", "--json", *known)
    found = json.loads(lines[0])
    assert found.pop("folder") == str(tmp_path / "games/profiles")
    assert found == {
        "name": "ana", "made": "2026-11-21", "noise_db": -60.0, "pronunciations": 1, "announcements": 1, "corrected": True,
        "damaged": False,
        "learn": "ask", "yes": 0.93, "repeat": 0.55, "others": ["default"],
    }  # fmt: skip


def test_it_is_removed_whole(tmp_path, known):
    lines, _ = run(tmp_path, "profile", "reset", "--profile", "ana", *known)
    assert lines == ["The profile ana is removed. Nothing is known of the speaker any more."]
    assert [file.name for file in (tmp_path / "games/profiles").iterdir()] == ["default.npz"]
    lines, errors = run(tmp_path, "profile", "--profile", "ana", *known, status=2)
    assert lines == []
    assert "There is no profile called ana" in errors[0]


def test_what_cannot_be_removed_is_told_without_an_option_that_there_is_not(tmp_path, known):
    learnt = tmp_path / "games/profiles/ana.npz"
    learnt.unlink()
    learnt.mkdir()
    _, errors = run(tmp_path, "profile", "reset", "--profile", "ana", *known, status=2)
    assert errors == [f"Cannot write {learnt}: it is a folder. Mend this, and try again."]


def test_so_it_is_from_a_computer_whose_clock_was_never_set(tmp_path, known):
    os.utime(tmp_path / "games/profiles/ana.toml", (0, 0))
    where = tmp_path / "ana.zip"
    assert run(tmp_path, "profile", "export", "--profile", "ana", "-o", where, *known)[1] == []
    with zipfile.ZipFile(where) as archive:
        assert set(archive.namelist()) == {"ana.toml", "ana.npz"}


def test_a_place_that_cannot_be_is_named(tmp_path, known):
    where = tmp_path / ("a" * 300)
    lines, errors = run(
        tmp_path, "profile", "export", "--profile", "ana", "-o", where, *known, status=2
    )  # fmt: skip
    assert (lines, len(errors)) == ([], 1)
    assert errors[0].startswith(f"Cannot write {where}: ")


def test_it_is_exported_as_it_can_be_put_elsewhere(tmp_path, known):
    lines, errors = run(tmp_path, "profile", "export", "--profile", "ana", "-o", tmp_path / "ana.zip", *known)
    archived = tmp_path / "ana.zip"
    assert (lines, errors) == ([f"The profile ana is in {archived}, which only you can read."], [])
    assert archived.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(tmp_path / "ana.zip") as archive:
        assert set(archive.namelist()) == {"ana.toml", "ana.npz"}
        archive.extractall(tmp_path / "elsewhere/profiles")
    lines, _ = run(
        tmp_path,
        "profile",
        "--profile",
        "ana",
        "--json",
        "--language",
        "en",
        "--save",
        tmp_path / "elsewhere",
    )
    assert json.loads(lines[0])["corrected"]


def test_a_terminal_is_shown_no_archive(tmp_path, known):
    seen, status = Player(tmp_path, "profile", "export", "--profile", "ana", *known).read_to_end()
    assert status == 2
    assert "acessivel profile export -o ana.zip --profile ana --save " in seen


def test_without_any_it_says_how_to_make_one(tmp_path):
    lines, errors = run(tmp_path, "profile", "--language", "en", "--save", tmp_path / "games", status=2)
    assert lines == []
    (why,) = errors
    assert why.startswith("There is no profile called default, and no other either. To make one: ")
    assert why.endswith(f"acessivel enrol --save {tmp_path}/games --profile NAME")
