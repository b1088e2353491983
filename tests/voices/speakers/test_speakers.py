# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import soundfile
import soxr
from support.pulse import WAV_HEADER, PrivatePulse

from voices.network.vocal_tract import pitch_hz
from voices.sound.source import RATE
from voices.speakers import Span, Speaker, SpeakerFailedError, SpeakerMissingError
from voices.speakers.manner import STEPS, Manner, stepped
from voices.speakers.pyttsx3 import Pyttsx3Speaker
from voices.speakers.speechd import SpeechdSpeaker

# The speechd module ends its thread with sys.exit, which pytest takes for an accident.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

SECONDS = 20.0
SHORT = [Span("Eva vier", "de")]
BOTH = [Span("Eva vier", "de"), Span("confirma?", "pt")]
LONG = [
    Span("eine sehr lange Nachricht, die niemand zu Ende hören wird, weil sie unterbrochen wird " * 5, "de")
]


class Ends:
    """The ends of messages, to wait for and to count."""

    def __init__(self) -> None:
        self._ends: queue.SimpleQueue[str] = queue.SimpleQueue()

    def of(self, name: str) -> EndOf:
        return EndOf(self._ends, name)

    def next(self) -> str:
        return self._ends.get(timeout=SECONDS)

    def nothing(self) -> bool:
        return self._ends.empty()


class EndOf:
    def __init__(self, ends: queue.SimpleQueue[str], name: str) -> None:
        self._ends, self._name = ends, name

    def __call__(self) -> None:
        self._ends.put(self._name)


@pytest.fixture(scope="module")
def pulse() -> Iterator[PrivatePulse]:
    with PrivatePulse() as running:
        yield running


def use(pulse: PrivatePulse, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in pulse.env.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def pyttsx3(pulse: PrivatePulse, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pyttsx3Speaker]:
    use(pulse, monkeypatch)
    speaker = Pyttsx3Speaker()
    yield speaker
    speaker.close()


@pytest.fixture
def speechd(pulse: PrivatePulse, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpeechdSpeaker]:
    use(pulse, monkeypatch)
    with speech_dispatcher(pulse, monkeypatch):
        speaker = SpeechdSpeaker()
        yield speaker
        speaker.close()


@contextlib.contextmanager
def speech_dispatcher(
    pulse: PrivatePulse, monkeypatch: pytest.MonkeyPatch
) -> Iterator[subprocess.Popen[bytes]]:
    """A Speech Dispatcher of the test's own."""
    if not shutil.which("speech-dispatcher") or not importlib.util.find_spec("speechd"):
        pytest.skip("Speech Dispatcher is not installed")
    address, ready = pulse.folder / "speechd.sock", threading.Event()
    monkeypatch.setenv("SPEECHD_ADDRESS", f"unix_socket:{address}")
    paths = ["-S", str(address), "-P", str(pulse.folder / "speechd.pid"), "-L", str(pulse.folder)]
    server = subprocess.Popen(
        ["speech-dispatcher", "-s", "-c", "unix_socket", *paths],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not listens(address):
            assert server.poll() is None
            ready.wait(0.01)
        yield server
    finally:
        # With its modules, which outlive a server that was killed.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        address.unlink(missing_ok=True)


def listens(address: Path) -> bool:
    """Whether a connection is taken there: the file alone appears before."""
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect_ex(str(address)) == 0


def loud_seconds(recording: Path) -> float:
    samples, rate = soundfile.read(recording, always_2d=True)
    return float((np.abs(samples).max(axis=1) > 0.01).sum() / rate)


@pytest.mark.parametrize("name", ["pyttsx3", "speechd"])
def test_all_spans_are_heard_and_the_end_is_told_once(
    name: str, pulse: PrivatePulse, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    speaker, ends = request.getfixturevalue(name), Ends()
    assert speaker.name == name
    heard = []
    for number, spans in enumerate((SHORT, BOTH)):
        recording = tmp_path / f"{number}.wav"
        with pulse.record_speaker(recording):
            speaker.speak(spans, ends.of("message"))
            assert ends.next() == "message"
        heard.append(loud_seconds(recording))
    assert heard[0] > 0.2
    assert heard[1] > heard[0] + 0.2
    assert ends.nothing()


@pytest.mark.parametrize("name", ["pyttsx3", "speechd"])
def test_the_newest_message_preempts_and_hush_silences(name: str, request: pytest.FixtureRequest) -> None:
    speaker, ends = request.getfixturevalue(name), Ends()
    for message in ("first", "second", "third"):
        speaker.speak(LONG, ends.of(message))
    assert [ends.next(), ends.next()] == ["first", "second"]
    assert ends.nothing()
    speaker.hush()
    assert ends.next() == "third"
    speaker.hush()
    speaker.speak(SHORT, ends.of("last"))
    assert ends.next() == "last"
    assert ends.nothing()


@pytest.mark.parametrize("name", ["pyttsx3", "speechd"])
def test_closing_ends_what_is_spoken(name: str, request: pytest.FixtureRequest) -> None:
    speaker, ends = request.getfixturevalue(name), Ends()
    speaker.speak(LONG, ends.of("message"))
    speaker.close()
    assert ends.next() == "message"
    assert ends.nothing()


def test_pyttsx3_is_silent_when_hushed(pyttsx3: Pyttsx3Speaker, pulse: PrivatePulse) -> None:
    ends = Ends()
    pyttsx3.speak(LONG, ends.of("message"))
    while not pulse.playing():
        pass
    pyttsx3.hush()
    assert ends.next() == "message"
    while pulse.playing():
        pass
    assert not list(Path(pyttsx3._folder.name).iterdir())


def test_a_pyttsx3_worker_that_dies_is_replaced(pyttsx3: Pyttsx3Speaker) -> None:
    ends = Ends()
    pyttsx3.speak(LONG, ends.of("killed"))
    os.kill(pyttsx3._worker._process.pid, signal.SIGKILL)
    assert ends.next() == "killed"
    assert pyttsx3.failed  # it was not heard to its end
    pyttsx3.speak(SHORT, ends.of("next"))
    assert ends.next() == "next"
    os.kill(pyttsx3._worker._process.pid, signal.SIGKILL)
    pyttsx3._worker._reader.join()
    pyttsx3.speak(SHORT, ends.of("after idle"))
    assert ends.next() == "after idle"
    assert ends.nothing()


def test_pyttsx3_without_a_sound_server_ends_its_message_and_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SERVER", f"unix:{tmp_path}/nothing")
    monkeypatch.setenv("PULSE_CLIENTCONFIG", "/dev/null")
    speaker, ends = Pyttsx3Speaker(), Ends()
    assert not speaker.failed
    speaker.speak(BOTH, ends.of("message"))
    assert ends.next() == "message"
    assert speaker.failed
    with pytest.raises(SpeakerFailedError, match="cannot be played"):
        speaker.speak(SHORT, ends.of("never"))
    speaker.close()
    assert ends.nothing()


def test_pyttsx3_plays_on_its_sink_by_the_plugins_of_both_sound_servers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", str)
    begun: list[dict[str, str]] = []

    def worker(environment: dict[str, str]) -> SimpleNamespace:
        begun.append(environment)
        ready = threading.Event()
        ready.set()
        return SimpleNamespace(failure="", ready=ready)

    monkeypatch.setattr("voices.speakers.pyttsx3._Worker", worker)
    for sink, given in (("jack", {"PULSE_SINK": "jack", "PIPEWIRE_NODE": "jack"}), ("", {})):
        Pyttsx3Speaker(sink)._folder.cleanup()
        assert {name: value for name, value in begun[-1].items() if name != "TMPDIR"} == given


def test_pyttsx3_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyttsx3.py").write_text("def init():\n    raise RuntimeError('no espeak here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(SpeakerMissingError, match="no espeak here"):
        Pyttsx3Speaker()


def test_pyttsx3_whose_driver_fails_in_the_middle_ends_its_message_unheard_and_speaks_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = """
        class Engine:
            said = ""
            def getProperty(self, name): return () if name == "voices" else 0
            def setProperty(self, name, value): pass
            def say(self, text): self.said = text
            def runAndWait(self):
                if self.said == "bad": raise RuntimeError("no more")
        init = Engine
    """
    (tmp_path / "pyttsx3.py").write_text(textwrap.dedent(engine))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    speaker, ends = Pyttsx3Speaker(), Ends()
    for text, failed in (("good", False), ("bad", True), ("good", False)):
        speaker.speak([Span(text, "en")], ends.of(text))
        assert ends.next() == text
        assert speaker.failed is failed
    speaker.close()
    assert not speaker.failed
    assert ends.nothing()


def test_pyttsx3_or_its_player_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "linux":
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(SpeakerMissingError, match="aplay"):
            Pyttsx3Speaker()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(SpeakerMissingError, match="pyttsx3"):
        Pyttsx3Speaker()


def test_no_speech_dispatcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPEECHD_ADDRESS", f"unix_socket:{tmp_path}/nothing")
    with pytest.raises(SpeakerMissingError):
        SpeechdSpeaker()
    monkeypatch.setitem(sys.modules, "speechd", None)
    with pytest.raises(SpeakerMissingError, match="python3-speechd"):
        SpeechdSpeaker()


def test_a_speech_dispatcher_that_never_answers_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, library = threading.Event(), pytest.importorskip("speechd")
    monkeypatch.setattr(library, "SSIPClient", lambda *_, **__: answers.wait())
    monkeypatch.setattr("voices.speakers.speechd._CONNECTING_S", 0.1)
    with pytest.raises(SpeakerMissingError, match="does not answer"):
        SpeechdSpeaker()
    answers.set()


def test_a_speech_dispatcher_that_dies_ends_the_message(
    pulse: PrivatePulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(pulse, monkeypatch)
    with speech_dispatcher(pulse, monkeypatch) as server:
        speaker, ends = SpeechdSpeaker(), Ends()
        speaker.speak(LONG, ends.of("message"))
        server.kill()
        assert ends.next() == "message"
        assert speaker.failed
        with pytest.raises(SpeakerFailedError):
            speaker.speak(SHORT, ends.of("never"))
        speaker.close()
        assert ends.nothing()


def test_a_speech_dispatcher_that_has_stopped_keeps_no_connection_open(
    pulse: PrivatePulse, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(pulse, monkeypatch)
    monkeypatch.setattr("voices.speakers.speechd._PATIENCE_S", 0.1)
    with speech_dispatcher(pulse, monkeypatch) as server:
        speaker, ends = SpeechdSpeaker(), Ends()
        server.send_signal(signal.SIGSTOP)
        speaker.speak(LONG, ends.of("message"))
        speaker.close()
        assert ends.next() == "message"
        assert speaker._worker.is_alive()  # it waits for an answer
        assert speaker._connection._socket.fileno() == -1


def test_what_another_program_stops_is_told_from_what_has_ended(speechd: SpeechdSpeaker) -> None:
    library, ends, begins = pytest.importorskip("speechd"), Ends(), threading.Event()

    def happened(number: int, client: int, event: str, **mark: str) -> None:
        speechd._happened(number, client, event, **mark)
        if event == library.CallbackType.BEGIN:
            begins.set()

    speechd._connection.set_callback(happened)
    speechd.speak(SHORT, ends.of("whole"))
    assert ends.next() == "whole"
    assert not speechd.cut
    for name in ("own", "other"):
        begins.clear()
        speechd.speak(LONG, ends.of(name))
        assert begins.wait(SECONDS)
    assert ends.next() == "own"
    assert not speechd.cut
    reader = library.SSIPClient("reader")
    reader.cancel("all")
    assert ends.next() == "other"
    reader.close()
    assert speechd.cut


def test_what_waits_for_another_program_has_not_begun(speechd: SpeechdSpeaker) -> None:
    library, reads, ends = pytest.importorskip("speechd"), threading.Event(), Ends()
    reader = library.SSIPClient("reader")
    reader.set_priority(library.Priority.MESSAGE)
    reader.speak(LONG[0].text, lambda *_: reads.set(), [library.CallbackType.BEGIN])
    assert reads.wait(SECONDS)
    speechd.speak(SHORT, ends.of("message"))
    assert speechd.began is None
    assert ends.nothing()
    reader.cancel()
    assert ends.next() == "message"
    reader.close()
    assert speechd.began


@pytest.mark.parametrize("usual", [100, 0, -60])
def test_no_volume_is_silence_however_soft_the_user_has_set_it(
    speechd: SpeechdSpeaker, monkeypatch: pytest.MonkeyPatch, usual: int
) -> None:
    given: list[int] = []
    monkeypatch.setattr(speechd, "_usual", (0, 0, usual))
    monkeypatch.setattr(speechd._client, "set_volume", given.append)
    for volume in STEPS["volume"]:
        speechd._set(Manner(volume=volume))
    assert given == sorted(set(given))
    assert given[0] > -100
    assert given[-1] == usual


def test_within_its_limits_each_step_changes_something_and_none_does_beyond(
    speechd: SpeechdSpeaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    for usual, name, up in itertools.product((-100, -30, 0, 45, 100), ("rate", "pitch"), (True, False)):
        given: list[int] = []
        monkeypatch.setattr(speechd, "_usual", (usual, usual, 100))
        monkeypatch.setattr(speechd._client, f"set_{name}", given.append)
        limits, value = speechd.limits[name], 100
        speechd._set(Manner())
        while step := stepped(name, value, up=up, limits=limits):
            value = step
            speechd._set(Manner(**{name: value}))
        assert given == sorted(set(given), reverse=not up)
        further = stepped(name, value, up=up)
        assert (further is None) == (value == STEPS[name][-1 if up else 0])
        if further:
            speechd._set(Manner(**{name: further}))
            assert given[-2] == given[-1] in (-100, 100)


# How it speaks: what the loudspeaker was given, never how long it took on a busy machine.
SENTENCE = [Span("Springer Gustav eins, Schach", "de")]


Voiced = Callable[[Speaker, Manner], tuple[float, float, float]]


@pytest.fixture
def voiced(pulse: PrivatePulse, tmp_path: Path) -> Voiced:
    """What a loudspeaker gives a sentence of a speaker in a manner, measured."""

    def heard(speaker: Speaker, manner: Manner) -> tuple[float, float, float]:
        recording = tmp_path / "heard.wav"
        with pulse.record_speaker(recording):
            _spoken(speaker, manner)
            # That a message has ended may be told before the loudspeaker has given all of it.
            _await_silence(recording)
        return _measured(recording)

    return heard


@pytest.fixture
def unpaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Voiced:
    """The same by an ALSA that takes sound as fast as it comes: what the player is given, in no time."""
    recording, config = tmp_path / "given.wav", tmp_path / "asound.conf"
    slave = f'type file slave.pcm {{ type null }} format wav file "{recording}"'
    config.write_text(f"pcm.file {{ {slave} }}\npcm.!default {{ type plug slave.pcm file }}\n")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))

    def given(speaker: Speaker, manner: Manner) -> tuple[float, float, float]:
        _spoken(speaker, manner)
        return _measured(recording)

    return given


def _await_silence(recording: Path) -> None:
    """Wait until something was recorded (48 kHz stereo, s16le), and nothing more for half a second."""
    deadline, half_a_second = time.monotonic() + 20, 96_000  # bytes
    while time.monotonic() < deadline:
        sound = recording.read_bytes()[WAV_HEADER:]
        if any(sound) and not any(sound[-half_a_second:]):
            return
        time.sleep(0.05)
    pytest.fail("nothing was heard, or it never ended")


def _spoken(speaker: Speaker, manner: Manner) -> None:
    ends = Ends()
    speaker.take(manner)
    speaker.speak(SENTENCE, ends.of("message"))
    assert ends.next() == "message"


def _measured(recording: Path) -> tuple[float, float, float]:
    """How many seconds a sentence is heard for, how loud it is, and how high in Hz."""
    samples, rate = soundfile.read(recording, always_2d=True)
    sample, block = samples[:, 0], rate // 100  # 10 ms
    # A loudspeaker that is given nothing in time plays zeros, in the middle of a sound on a busy machine: without
    # them what was spoken before and after each such gap is joined again, and no block is half a gap.
    spoken = sample[np.convolve(sample != 0, np.ones(11), "same") > 0]
    blocks = spoken[: len(spoken) // block * block].reshape(-1, block)
    loudness = np.sqrt(np.mean(blocks**2, axis=1))
    sound = blocks[loudness > loudness.max() / 20].ravel()
    return len(sound) / rate, float(np.sqrt(np.mean(sound**2))), pitch_hz(soxr.resample(sound, rate, RATE))


# Speech Dispatcher says that a message has ended when it has given it away: only a loudspeaker knows.
@pytest.mark.parametrize(("name", "way"), [("pyttsx3", "unpaced"), ("speechd", "voiced")])
def test_faster_is_shorter_louder_is_louder_and_higher_is_higher(
    name: str, way: str, request: pytest.FixtureRequest
) -> None:
    voiced: Voiced = request.getfixturevalue(way)
    speaker = request.getfixturevalue(name)
    usual = voiced(speaker, Manner())
    fast = soft = high = voiced(speaker, Manner(rate=200, volume=30, pitch=150))
    slow = low = voiced(speaker, Manner(rate=60, pitch=50))
    again = voiced(speaker, Manner())
    seconds, loudness, pitch = range(3)
    assert fast[seconds] < 0.75 * usual[seconds]
    assert slow[seconds] > 1.25 * usual[seconds]
    assert soft[loudness] < 0.6 * usual[loudness]
    assert high[pitch] > 1.1 * usual[pitch] > 1.2 * low[pitch]
    # What was changed can be changed back; a busy machine plays with longer pauses.
    assert again[seconds] == pytest.approx(usual[seconds], rel=0.2)
    assert again[loudness] == pytest.approx(usual[loudness], rel=0.1)
    assert again[pitch] == pytest.approx(usual[pitch], rel=0.15)


def test_a_worker_that_was_killed_is_followed_by_one_that_speaks_in_the_same_manner(
    unpaced: Voiced, pyttsx3: Pyttsx3Speaker
) -> None:
    usual, *_ = unpaced(pyttsx3, Manner())
    pyttsx3.take(Manner(rate=200))
    pyttsx3.speak(LONG, Ends().of("message"))
    pyttsx3.hush()
    fast, *_ = unpaced(pyttsx3, Manner(rate=200))
    assert fast < 0.75 * usual


def test_the_newest_message_is_the_one_that_is_heard(
    voiced: Voiced, pyttsx3: Pyttsx3Speaker, pulse: PrivatePulse, tmp_path: Path
) -> None:
    ends = Ends()
    alone, *_ = voiced(pyttsx3, Manner())
    recording = tmp_path / "both.wav"
    with pulse.record_speaker(recording):
        pyttsx3.speak(LONG, ends.of("old"))
        pyttsx3.speak(SENTENCE, ends.of("new"))
        assert [ends.next(), ends.next()] == ["old", "new"]
    samples, rate = soundfile.read(recording, always_2d=True)
    heard = np.flatnonzero(np.abs(samples[:, 0]) > 0.01)
    assert (heard[-1] - heard[0]) / rate < alone + 5  # the old one would take half a minute
