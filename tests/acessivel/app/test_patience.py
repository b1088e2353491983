# SPDX-License-Identifier: GPL-3.0-or-later
"""What takes long says so, on standard error and aloud; what goes fast says nothing."""

import io
import sys
import threading
from argparse import Namespace

import pytest
from support.program import QUIET, confirmed, run

from acessivel.app import loop, patience, progress
from acessivel.app.patience import patiently
from acessivel.commands import doctor, models
from acessivel.message import Message
from acessivel.messages.rendering import Renderer, catalogue
from acessivel.settings.settings import Settings

LANGUAGES = ("pt", "en", "de", "es")


class Lines(io.StringIO):
    """Standard error that can be waited for."""

    def __init__(self, count):
        super().__init__()
        self.written, self.left = threading.Event(), count

    def flush(self):
        self.left -= 1
        if self.left == 0:
            self.written.set()


class Voice:
    """The voice of a teller: what it was given to say."""

    name = "played"
    began = 0.0
    failed = False
    cut = False

    def __init__(self):
        self.said, self.closed = [], False

    def speak(self, spans, on_end):
        self.said.append("".join(span.text for span in spans).strip())
        on_end()

    def hush(self):
        pass

    def close(self):
        self.closed = True


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("aloud", [True, False])
def test_it_is_said_and_said_again_until_it_is_done(monkeypatch, language, aloud):
    voice, errors = Voice(), Lines(2)
    monkeypatch.setattr(patience, "FIRST_S", 0)
    monkeypatch.setattr(patience, "AGAIN_S", 0)
    monkeypatch.setattr(progress, "open_speaker", lambda *_: voice)
    monkeypatch.setattr(sys, "stderr", errors)
    with patiently(Settings(language=language), aloud=aloud):
        assert errors.written.wait(20)
    sentence = catalogue(language)["working"]
    assert errors.getvalue().splitlines()[:2] == [sentence, sentence]
    assert voice.said[:2] == [sentence, sentence] * aloud
    assert voice.closed == aloud


def test_it_is_written_before_the_voice_is_opened_which_may_take_long_too(monkeypatch):
    errors, opened = Lines(1), threading.Event()
    monkeypatch.setattr(patience, "FIRST_S", 0)
    monkeypatch.setattr(patience, "AGAIN_S", 600)
    monkeypatch.setattr(sys, "stderr", errors)

    def open_speaker(*_):
        assert errors.written.wait(20)
        opened.set()
        return Voice()

    monkeypatch.setattr(progress, "open_speaker", open_speaker)
    with patiently(Settings(language="en"), aloud=True):
        assert opened.wait(30)


def test_what_goes_fast_says_nothing(monkeypatch, capsys):
    monkeypatch.setattr(patience, "FIRST_S", 600)
    with patiently(Settings(), aloud=True):
        pass
    assert capsys.readouterr().err == ""


PGN = '[White "?"]\n\n1. e4 e5 *\n'


@pytest.mark.parametrize(
    "command",
    [
        ("resume", "1", *QUIET),
        ("record", "1"),
        ("record", "game.pgn"),
        ("replay", "1", *QUIET),
        ("replay", "game.pgn", *QUIET),
        ("reconcile", "1", "game.pgn", "--speak", "off", "--braille", "off"),
        ("play", "--opponent", "human", "--from", "game.pgn", *QUIET),
        ("practice", "follow", "--from", "game.pgn", *QUIET),
    ],
    ids=" ".join,
)
def test_each_command_that_reads_a_whole_game_can_take_long(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.pgn").write_text(PGN)
    run(tmp_path, "play", "--opponent", "human", *QUIET, typed=confirmed("e4", "e5"))
    begun = []
    monkeypatch.setattr(patience, "FIRST_S", 600)
    monkeypatch.setattr(patience, "_tell", lambda *_: begun.append(1))
    run(tmp_path, *command, typed="parar\nsim\n")
    assert begun


def test_the_doctor_says_what_is_tried_when_it_takes_long(monkeypatch):
    monkeypatch.setattr(patience, "FIRST_S", 0)
    monkeypatch.setattr(patience, "AGAIN_S", 600)
    checks = (
        "keyboard",
        "microphone",
        "pocketsphinx",
        "vosk",
        "voice",
        "liblouis",
        "display",
        "engine",
        "folder",
    )
    errors = Lines(1)
    monkeypatch.setattr(sys, "stderr", errors)

    def examined(part):
        assert errors.written.wait(20)
        errors.written, errors.left = threading.Event(), 1
        return doctor.Finding(part, True, Message.of("goodbye"))

    for part in checks:
        monkeypatch.setattr(doctor, f"_{part}", lambda _, part=part: examined(part))
    assert [finding.part for finding in doctor.examine(Settings(language="en"))] == list(checks)
    renderer = Renderer("en")
    assert errors.getvalue().splitlines() == [
        renderer.text(Message.of("doctor_tries", part=Message.of(f"part_{part}"))) for part in checks
    ]
    assert errors.getvalue().startswith("Trying: The keyboard.\n")


def test_a_model_that_takes_long_to_load_says_so_where_models_are_told(tmp_path, monkeypatch, capsys):
    errors = Lines(1)
    monkeypatch.setattr(patience, "FIRST_S", 0)
    monkeypatch.setattr(patience, "AGAIN_S", 600)
    monkeypatch.setattr(sys, "stderr", errors)
    monkeypatch.setattr(models, "find_model", lambda _: tmp_path)
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda _: True)

    def opened(_):
        assert errors.written.wait(20)
        return Voice()

    monkeypatch.setattr(models, "open_recogniser", opened)
    models._where(Namespace(json=False), Settings(language="en", save=str(tmp_path)))
    assert errors.getvalue().splitlines() == [catalogue("en")["working"]]
    assert str(tmp_path) in capsys.readouterr().out.splitlines()[-1]


def test_devices_that_take_long_to_open_are_waited_for_aloud(monkeypatch):
    voice, errors = Voice(), Lines(1)
    monkeypatch.setattr(patience, "FIRST_S", 0)
    monkeypatch.setattr(patience, "AGAIN_S", 600)
    monkeypatch.setattr(progress, "open_speaker", lambda *_: voice)
    monkeypatch.setattr(sys, "stderr", errors)

    def opened(*_, **__):
        assert errors.written.wait(20)
        raise KeyboardInterrupt

    monkeypatch.setattr(loop, "open_devices", opened)
    with pytest.raises(KeyboardInterrupt), loop.open_loop(Settings(language="en"), print, None):
        pass
    assert voice.said == [catalogue("en")["working"]]
    assert voice.closed
