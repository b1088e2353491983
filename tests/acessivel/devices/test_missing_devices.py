# SPDX-License-Identifier: GPL-3.0-or-later
"""A missing device is told of once, and again only when it was there in between."""

import pytest

from acessivel.devices import missing_devices
from acessivel.devices.devices import Devices
from acessivel.message import Message
from acessivel.settings.settings import Settings
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech

VOICE, EAR, BRAILLE = map(Message.of, ("missing_voice", "missing_microphone", "missing_braille"))
SETTINGS = Settings()
PUSH = Message.of("talk_push")


@pytest.fixture(autouse=True)
def settings_file(tmp_path, monkeypatch):
    monkeypatch.setattr(missing_devices, "file_path", lambda: tmp_path / "acessivel" / "settings.toml")
    return tmp_path / "acessivel" / "settings.toml"


def news(*missing, settings=SETTINGS, optional=(), **there):
    speaker = SilentSpeaker()
    devices = Devices(print, Speech(speaker, lambda _: None), speaker, missing=missing)
    for name, device in there.items():
        setattr(devices, name, device)
    return missing_devices.news(devices, settings, optional)


def test_the_same_devices_are_told_of_once():
    assert news(VOICE, EAR, BRAILLE) == (VOICE, EAR, BRAILLE)
    assert news(VOICE, EAR, BRAILLE) == ()


def test_only_what_is_missing_since_then_is_told():
    assert news(VOICE) == (VOICE,)
    assert news(VOICE, EAR) == (EAR,)


def test_what_was_there_in_between_is_told_of_again():
    assert news(EAR) == (EAR,)
    assert news(listener=object()) == ()
    assert news(EAR) == (EAR,)


def test_a_run_without_a_device_does_not_change_what_is_known_of_it():
    assert news(VOICE, EAR) == (VOICE, EAR)
    assert news(VOICE) == ()  # it does not listen
    assert news(VOICE, EAR) == ()


def test_another_reason_is_told():
    assert news(EAR) == (EAR,)
    assert news(Message.of("missing_hearing", how="x")) == (Message.of("missing_hearing", how="x"),)


def test_what_is_no_missing_device_is_told_each_time():
    assert news(PUSH) == news(PUSH) == (PUSH,)


def test_the_file_holds_nothing_but_what_is_missing(settings_file):
    news(Message.of("missing_model", folder="/home/anna"), PUSH)
    assert settings_file.with_name("missing").read_text("utf-8") == "missing_model\n"


@pytest.mark.parametrize("damage", ["\xff\xfe", "nonsense\nmissing_voice x\n"])
def test_a_damaged_file_is_no_obstacle(settings_file, damage):
    settings_file.parent.mkdir()
    settings_file.with_name("missing").write_bytes(damage.encode("latin-1"))
    assert EAR in news(EAR)


def test_where_nothing_can_be_written_it_is_told_each_time(settings_file):
    settings_file.parent.write_text("a file where the folder should be")
    assert news(EAR) == news(EAR) == (EAR,)


def test_a_device_that_is_optional_is_told_of_only_if_the_settings_ask_for_it():
    optional = missing_devices.OPTIONAL
    assert news(VOICE, EAR, BRAILLE, PUSH, optional=optional) == (PUSH,)
    asked = Settings(speak="speechd", hear="vosk", braille="brlapi")
    assert news(VOICE, EAR, BRAILLE, settings=asked, optional=optional) == (VOICE, EAR, BRAILLE)


def test_what_was_not_told_as_it_is_optional_is_told_where_it_is_needed():
    assert news(VOICE, EAR, BRAILLE, optional=missing_devices.OPTIONAL) == ()
    assert news(VOICE, EAR, BRAILLE) == (VOICE, EAR, BRAILLE)
    assert news(VOICE, EAR, BRAILLE, optional=missing_devices.OPTIONAL) == ()
    assert news(VOICE, EAR, BRAILLE) == ()
