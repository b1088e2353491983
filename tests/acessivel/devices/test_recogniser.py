# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the player is heard while the program speaks, as the settings have it, and in other words."""

import sys

import pytest

from acessivel.devices import devices, installation
from acessivel.devices.devices import Devices
from acessivel.devices.engine import find_engine
from acessivel.devices.recogniser import (
    find_model,
    hear_in,
    hearing_missing,
    hears_while_speaking,
    open_listener,
)
from acessivel.message import Message
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.hearing.learnt import Learnt
from voices.sound.tape import encoded
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech


@pytest.mark.parametrize(
    ("headphones", "interrupt", "hears"),
    [
        (False, "auto", None),
        (False, "on", True),
        (False, "off", False),
        (True, "auto", True),
        (True, "on", True),
        (True, "off", False),
    ],
)
def test_the_option_decides_or_it_is_found_out(headphones, interrupt, hears):
    assert hears_while_speaking(Settings(headphones=headphones, interrupt=interrupt)) is hears


@pytest.mark.parametrize("headphones", [False, True])
def test_only_headphones_keep_the_programs_voice_from_the_microphone(headphones):
    made = Devices(print, Speech(SilentSpeaker(), print), SilentSpeaker())
    devices._add_microphone(made, Settings(headphones=headphones, interrupt="on"), None, [])
    assert made.microphone.interruptible
    assert made.microphone.hears_player_alone is headphones


@pytest.mark.parametrize("interrupt", ["auto", "on", "off"])
def test_a_recording_cannot_interrupt(interrupt):
    settings = Settings(headphones=True, interrupt=interrupt, microphone="announcement.wav")
    assert hears_while_speaking(settings) is False


class PlayedListener:
    """What it is to hear with."""

    recogniser = None

    def hear_with(self, recogniser):
        self.recogniser = recogniser


@pytest.mark.parametrize("learn", ["off", "ask"])
def test_what_was_learnt_and_cannot_be_read_is_told_also_where_nothing_is_learnt(tmp_path, learn):
    settings = Settings(learn=learn, save=str(tmp_path), profile="ana")
    profiles.store_learnt(settings, "ana", Learnt())
    profiles.learnt_path(settings, "ana").write_bytes(b"PK")
    made, missing = Devices(print, Speech(SilentSpeaker(), print), SilentSpeaker()), []
    devices._add_microphone(made, settings, PlayedListener(), missing)
    assert missing == [profiles.damaged(settings)]


@pytest.mark.parametrize("profile", ["", "ana"])
def test_another_language_is_heard_also_when_the_profile_has_gone_meanwhile(tmp_path, profile):
    listener = PlayedListener()
    settings = Settings(language="en", convention="fide", save=str(tmp_path), profile=profile)
    assert hear_in(settings, listener, "pt", "fide", {})
    listener.recogniser.close()


def test_but_not_in_words_that_nobody_knows(tmp_path):
    listener = PlayedListener()
    settings = Settings(language="en", convention="fide", save=str(tmp_path), hear="vosk")
    assert not hear_in(settings, listener, "pt", "fide", {})
    assert listener.recogniser is None


def test_a_model_that_cannot_be_loaded_is_told_where_another_recogniser_takes_its_place(tmp_path):
    pytest.importorskip("vosk")
    model = tmp_path / "my own"
    for part in ("am/final.mdl", "conf/mfcc.conf"):
        (model / part).parent.mkdir(parents=True)
        (model / part).write_bytes(b"cut off")
    (tmp_path / "silence.wav").write_bytes(encoded(bytes(32_000), "wav"))
    missing = []
    where = {"save": str(tmp_path), "vosk_model": str(model), "microphone": str(tmp_path / "silence.wav")}
    settings = Settings(language="en", **where)
    listener = open_listener(settings, print, missing, {})
    listener.close()
    assert missing == [Message.of("damaged_own_model", model=str(model))]
    assert hearing_missing(Settings(hear="vosk", **where)) == missing[0]


def test_a_path_of_a_user_whom_nobody_knows_is_not_there():
    assert find_model(Settings(vosk_model="~nobody9/model")) is None
    assert find_engine("~nobody9/engine") is None
    assert str(Settings(save="~nobody9/games").folder) == "~nobody9/games"


def test_where_sound_cannot_be_loaded_it_is_no_microphone_that_is_missing(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    missing = []
    assert (
        open_listener(Settings(language="en", hear="pocketsphinx", save=str(tmp_path)), print, missing, {})
        is None
    )
    assert missing == [Message.of("missing_sound", how=installation.install("voice"))]
