# SPDX-License-Identifier: GPL-3.0-or-later
"""What the doctor tries, and tells of it."""

import struct
import sys

import pytest
from support.played_devices import Voice

from acessivel.commands import doctor
from acessivel.devices import installation
from acessivel.message import Message
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings
from voices.sound.source import BLOCK_BYTES


class Speaking(Voice):
    """A voice that says everything at once, or fails at it."""

    def __init__(self, *, failing=False):
        super().__init__()
        self._failing = failing

    def speak(self, spans, on_end):
        super().speak(spans, on_end)
        self.failed = self._failing
        self.end()


def tried(monkeypatch, speak, voice):
    """The finding about the voice of these settings, and which one was opened."""
    opened = []
    monkeypatch.setattr(doctor, "open_speaker", lambda settings, _: opened.append(settings.speak) or voice)
    monkeypatch.setattr(doctor, "outputs", lambda: ())
    return doctor._voice(Settings(language="en", speak=speak)), opened


@pytest.mark.parametrize("speak", ["auto", "speechd", "pyttsx3"])
def test_the_voice_of_the_settings_is_tried(monkeypatch, speak):
    voice = Speaking()
    found, opened = tried(monkeypatch, speak, voice)
    assert (found.works, opened, voice.said) == (True, [speak], ["acessivel"])


def test_who_wants_no_voice_hears_none(monkeypatch):
    voice = Speaking()
    found, opened = tried(monkeypatch, "off", voice)
    assert (found.works, opened, voice.said) == (True, ["auto"], [])


def test_a_voice_that_fails_as_it_speaks_does_not_work(monkeypatch):
    found, _ = tried(monkeypatch, "auto", Speaking(failing=True))
    assert not found.works


@pytest.mark.parametrize(
    ("speak", "program", "key"),
    [
        ("speechd", "/usr/bin/speech-dispatcher", "remedy_start"),
        ("speechd", None, "remedy_install"),
        ("auto", "/usr/bin/speech-dispatcher", "remedy_install"),
    ],
)
def test_a_server_that_is_there_is_to_be_started_not_installed(monkeypatch, speak, program, key):
    monkeypatch.setattr(installation.shutil, "which", lambda _: program)
    monkeypatch.setattr(installation.importlib.util, "find_spec", lambda _: object())
    how = (
        "speech-dispatcher -d"
        if key == "remedy_start"
        else installation.install("voice" if speak == "auto" else speak)
    )
    remedy = Message.of(key, how=how)
    assert installation.voice_missing(speak) == Message.of("missing_voice", remedy=remedy)


class Headset:
    """A microphone that gives no sound at all while nobody speaks."""

    waits = False
    waiting = 0

    def __init__(self, silent_blocks):
        self._silent_blocks = silent_blocks

    def __iter__(self):
        yield from [bytes(BLOCK_BYTES)] * self._silent_blocks
        while True:
            yield struct.pack("<2h", 3000, -3000) * (BLOCK_BYTES // 4)

    def close(self):
        pass


@pytest.mark.parametrize(("silent_blocks", "asks", "works"), [(0, 0, True), (100, 1, True), (1000, 1, False)])
def test_who_has_a_silent_microphone_is_asked_to_speak(monkeypatch, tmp_path, silent_blocks, asks, works):
    asked = []
    monkeypatch.setattr(doctor, "open_source", lambda _: Headset(silent_blocks))
    monkeypatch.setattr(doctor, "microphones", lambda: ())
    monkeypatch.setattr(doctor, "write_line", asked.append)
    found = doctor._microphone(Settings(language="en", save=str(tmp_path)))
    assert (len(asked), found.works) == (asks, works)


@pytest.mark.parametrize("microphone", ["", "announcement.wav"])
def test_where_sound_cannot_be_loaded_it_is_no_microphone_that_is_missing(monkeypatch, tmp_path, microphone):
    for package in ("sounddevice", "soundfile"):
        monkeypatch.setitem(sys.modules, package, None)
    found = doctor._microphone(Settings(microphone=microphone, save=str(tmp_path)))
    remedy = Message.of("missing_sound", how=installation.install("voice"))
    assert (found.works, dict(found.message.values)["remedy"]) == (False, remedy)


@pytest.mark.parametrize("package", [True, False])
def test_vosk_is_told_to_be_optional(monkeypatch, tmp_path, package):
    settings = Settings(language="en", save=str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: package or None)
    if not package:
        monkeypatch.setitem(sys.modules, "vosk", None)
    found = doctor._vosk(settings)
    get = Message.of(
        "get_model", folder=str(tmp_path / "models"), get=command("models", None, settings, "get")
    )
    how = get if package else Message.of("remedy_install", how=installation.install("vosk"))
    remedy = Message.of("remedy_optional", remedy=how)
    assert (found.works, dict(found.message.values)["remedy"]) == (False, remedy)
