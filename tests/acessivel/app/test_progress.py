# SPDX-License-Identifier: GPL-3.0-or-later
"""How a download is told: to a voice that takes its time, in lines, and over one line of a terminal."""

import io
import sys
from itertools import pairwise

import pytest

from acessivel.app import progress
from acessivel.app.progress import Teller, megabytes
from acessivel.message import Message
from acessivel.settings.settings import Settings
from voices.speakers import SpeakerFailedError

SIZE = 40_000_000


class Voice:
    """Speaks until it is told that it has ended."""

    name = "test"
    began = 0.0
    failed = False
    cut = False

    def __init__(self, *, broken=False):
        self.said = []
        self.broken = broken
        self.closed = False
        self._on_end = None

    def speak(self, spans, on_end):
        if self.broken:
            raise SpeakerFailedError("It is broken.")
        self.end()
        self.said.append("".join(span.text for span in spans).strip())
        self._on_end = on_end

    def take(self, manner):
        self.manner = manner

    def hush(self):
        self.end()

    def end(self):
        on_end, self._on_end = self._on_end, None
        if on_end:
            on_end()

    def close(self):
        self.closed = True
        self.end()


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def voice(monkeypatch):
    used = Voice()
    monkeypatch.setattr(progress, "open_speaker", lambda _settings, _missing: used)
    return used


def teller(lines, *, quiet=False):
    return Teller(Settings(language="en"), lines.append, quiet=quiet)


def download(told, blocks=400, size=SIZE):
    for block in range(blocks + 1):
        told.progress(size * block // blocks, size)


@pytest.mark.usefixtures("voice")
def test_each_tenth_is_a_line():
    lines = []
    download(teller(lines))
    assert lines == [f"{10 * n} %, {max(1, 4 * n)} MB of 40 MB" for n in range(11)]


def test_a_voice_that_is_slow_is_not_interrupted_by_progress(voice):
    told = teller([])
    download(told)
    assert voice.said == ["0 %, 1 MB of 40 MB"]
    voice.end()
    told.progress(0, SIZE)
    told.progress(SIZE // 2, SIZE)
    assert voice.said[1:] == ["0 %, 1 MB of 40 MB"]


def test_what_has_happened_is_said_at_once(voice):
    lines = []
    told = teller(lines)
    told.progress(0, SIZE)
    told.tell(Message.of("models_got", name="a"), Message.of("models_unused"))
    assert voice.said[-1] == "Installed: a. Vosk has no model to hear with."
    assert lines[-2:] == ["Installed: a.", "Vosk has no model to hear with."]


def test_the_end_waits_for_the_last_sentence(voice, monkeypatch):
    told = teller([])
    told.tell(Message.of("models_got", name="a"))
    waited = []

    def wait_for(_, predicate, patience_s):
        assert not predicate()
        assert patience_s > 10
        voice.end()
        waited.append(predicate())

    monkeypatch.setattr(progress.threading.Condition, "wait_for", wait_for)
    assert not voice.closed
    told.close()
    assert waited == [True]
    assert voice.closed


def test_a_voice_that_fails_is_used_no_more_and_the_lines_go_on(voice):
    voice.broken = True
    lines = []
    told = teller(lines)
    told.tell(Message.of("models_unused"))
    voice.broken = False
    download(told)
    told.close()
    assert len(lines) == 12
    assert voice.said == []
    assert voice.closed


def test_quiet_is_quiet(voice):
    lines = []
    told = teller(lines, quiet=True)
    told.tell(Message.of("models_unused"))
    download(told)
    told.close()
    assert (lines, voice.said) == ([], [])


@pytest.mark.usefixtures("voice")
def test_on_a_terminal_one_line_is_written_over(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "16")
    told = Teller(Settings(language="en"), lambda line: terminal.write(f"{line}\n"), quiet=False)
    told.tell(Message.of("models_unused"))
    download(told)
    told.tell(Message.of("models_got", name="a"))
    first, over, last = (
        terminal.getvalue().splitlines(keepends=False)[0],
        *terminal.getvalue().split("\n")[1:3],
    )
    assert (first, last) == ("Vosk has no model to hear with.", "Installed: a.")
    shown = over.split("\r")[1:]
    assert [line.split()[0] for line in shown] == [str(percent) for percent in range(101)]
    assert max(map(len, shown)) <= 15
    # Each covers all of the one before it.
    assert all(len(after) >= len(before.rstrip()) for before, after in pairwise(shown))


@pytest.mark.parametrize(("size", "count"), [(0, 1), (400_000, 1), (31_600_000, 32), (1_913_365_522, 1913)])
def test_megabytes(size, count):
    assert dict(megabytes(size).values)["count"] == count
