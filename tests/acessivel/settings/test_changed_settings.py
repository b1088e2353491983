# SPDX-License-Identifier: GPL-3.0-or-later
"""What was changed by command is there in the next run, over the settings file and under the options."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acessivel.message import Message
from acessivel.settings import changed_settings
from acessivel.settings.settings import SettingsError, load
from voices.file_lock import lock


@pytest.fixture
def config(tmp_path):
    return tmp_path / "acessivel" / "config.toml"


def test_what_is_kept_goes_over_the_settings_file_which_stays_as_it_is(config):
    config.parent.mkdir()
    config.write_text('rate = 80\nlevel = 2\nverbosity = "full"\n')
    changed_settings.keep(config, "rate", 130)
    changed_settings.keep(config, "earcons", "check,flag")
    changed_settings.keep(config, "rate", 150)
    settings = load(config)
    assert (settings.rate, settings.level, settings.verbosity, settings.earcons) == (
        150,
        2,
        "full",
        "check,flag",
    )
    assert config.read_text() == 'rate = 80\nlevel = 2\nverbosity = "full"\n'
    assert sorted(path.name for path in config.parent.iterdir()) == ["changed.toml", "config.toml"]


def test_without_a_settings_file_it_makes_its_folder(config):
    changed_settings.keep(config, "talk", "push")
    assert load(config).talk == "push"


def test_what_takes_the_place_of_the_file_is_on_the_disk_by_then(config, monkeypatch):
    changed_settings.keep(config, "rate", 130)
    synced = []

    def sync(_):
        synced.append(config.with_name(f"changed.{os.getpid()}.new").read_text())
        assert changed_settings.beside(config).read_text() == "rate = 130\n"

    monkeypatch.setattr(os, "fsync", sync)
    changed_settings.keep(config, "rate", 150)
    assert synced == ["rate = 150\n"]


def test_a_damaged_file_is_named_and_written_anew_by_the_next_change(config):
    changed_settings.keep(config, "rate", 130)
    changed_settings.beside(config).write_text("rate = = 3")
    with pytest.raises(SettingsError) as refused:
        load(config)
    assert refused.value.message == Message.of(
        "settings_not_toml", file=str(changed_settings.beside(config)), line="1"
    )
    changed_settings.keep(config, "pitch", 90)
    assert (load(config).pitch, load(config).rate) == (90, 100)
    assert config.with_name("changed.damaged").read_text() == "rate = = 3"


def test_two_programs_can_change_a_setting_at_once(config, monkeypatch):
    other = (
        "import sys; from pathlib import Path; from acessivel.settings import changed_settings;"
        "changed_settings.keep(Path(sys.argv[1]), 'pitch', 90)"
    )
    sync, started = os.fsync, []

    def written_meanwhile(number):
        folder = os.open(config.parent, os.O_RDONLY)
        with pytest.raises(BlockingIOError):  # so that it waits
            lock(folder, waits=False)
        os.close(folder)
        started.append(subprocess.Popen([sys.executable, "-c", other, config]))
        sync(number)

    monkeypatch.setattr(os, "fsync", written_meanwhile)
    changed_settings.keep(config, "rate", 150)
    assert [process.wait() for process in started] == [0]
    assert (load(config).rate, load(config).pitch) == (150, 90)
    assert [path.name for path in config.parent.iterdir()] == ["changed.toml"]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_can_be_kept(text):
    with TemporaryDirectory() as folder:
        config = Path(folder) / "config.toml"
        changed_settings.keep(config, "name", text)
        assert load(config).name == text


def test_a_file_that_cannot_be_read_is_named_with_the_reason_in_the_words_of_the_language(config):
    config.mkdir(parents=True)
    with pytest.raises(SettingsError) as refused:
        load(config)
    why = Message.of("reason_folder")
    assert refused.value.message == Message.of("settings_unreadable", file=str(config), reason=why)


def test_what_cannot_be_written_leaves_what_was_kept(config):
    config.parent.mkdir()
    changed_settings.keep(config, "rate", 130)
    (config.parent / f"changed.{os.getpid()}.new").mkdir()
    with pytest.raises(IsADirectoryError):
        changed_settings.keep(config, "rate", 150)
    assert load(config).rate == 130


@pytest.mark.parametrize(
    "line",
    ["rate = 49", "rate = 401", "rate = 1.5", "pitch = 40", "pitch = 151", "volume = 0", "volume = 101", 'verbosity = "loud"',
     'earcons = "bell"', 'earcons = ""', "earcons = 1", 'talk = "none"'],
)  # fmt: skip
def test_a_value_that_there_is_not_is_refused_with_its_name(config, line):
    config.parent.mkdir()
    config.write_text(line)
    with pytest.raises(SettingsError) as refused:
        load(config)
    assert dict(refused.value.message.values)["setting"] == line
