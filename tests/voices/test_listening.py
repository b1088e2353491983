# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import soundfile
from support.pulse import PrivatePulse
from support.synthetic import espeak

from voices.listening import Event, Listener, SourceEnded, SourceFailed, Utterance, hear
from voices.recognisers import Hypothesis, RecogniserMissingError
from voices.sound import BLOCK_BYTES, RATE, SoundError, open_wav, read_wav

SECONDS = 30.0
SILENCE = bytes(RATE * 2)


class Tape:
    """A recogniser at the boundary of bytes: its hypotheses are what it was told to expect."""

    name = "tape"

    def __init__(self) -> None:
        self.everything = ""
        self.expected: tuple[str, ...] = ()
        self.utterances: list[bytes] = []

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        self.everything, self.expected = everything, tuple(expected)

    def start(self) -> None:
        self.utterances.append(b"")

    def feed(self, block: bytes) -> None:
        self.utterances[-1] += block

    def finish(self) -> tuple[Hypothesis, ...]:
        return tuple(Hypothesis(phrase, "expected", 0.0) for phrase in self.expected)

    def close(self) -> None:
        pass


class Live:
    """A microphone at the boundary of bytes."""

    waits = False

    def __init__(self) -> None:
        self._blocks: queue.SimpleQueue[bytes | Exception | None] = queue.SimpleQueue()
        self.taken: queue.SimpleQueue[None] = queue.SimpleQueue()

    def __iter__(self) -> Iterator[bytes]:
        while (block := self._blocks.get()) is not None:
            if isinstance(block, Exception):
                raise block
            yield block
            self.taken.put(None)

    def give(self, audio: bytes) -> None:
        """Let audio be heard, and wait until it was."""
        blocks = [audio[start : start + BLOCK_BYTES] for start in range(0, len(audio), BLOCK_BYTES)]
        for block in blocks:
            self._blocks.put(block)
        for _ in blocks:
            self.taken.get(timeout=SECONDS)

    def fail(self, error: Exception) -> None:
        self._blocks.put(error)

    def close(self) -> None:
        self._blocks.put(None)


@pytest.fixture(scope="session")
def said(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Whole blocks of a text spoken, without silence around it to speak of."""
    folder = tmp_path_factory.mktemp("said")

    def say(text: str) -> bytes:
        path = folder / f"{text}.wav"
        return read_wav(path if path.exists() else espeak(text, path))

    return say


def write(path: Path, audio: bytes) -> Path:
    soundfile.write(path, np.frombuffer(audio, "<i2"), RATE)
    return path


class Heard:
    """The events of a listener, to wait for."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.on_event = self._events.put

    def next(self) -> Event:
        return self._events.get(timeout=SECONDS)

    def utterance(self) -> Utterance:
        event = self.next()
        assert isinstance(event, Utterance)
        return event

    def nothing(self) -> bool:
        return self._events.empty()


def words(utterance: Utterance) -> list[str]:
    return [hypothesis.words for hypothesis in utterance.hypotheses]


def test_a_recording_drives_a_dialogue(tmp_path: Path, said: Callable[[str], bytes]) -> None:
    script = SILENCE + SILENCE.join(map(said, ("Eva vier", "ja", "Springer Felix drei"))) + SILENCE
    source = open_wav(write(tmp_path / "game.wav", script), realtime=False)
    heard, tape = Heard(), Tape()
    listener = Listener(source, tape, heard.on_event)
    for turn in ("first", "second", "third"):
        assert heard.nothing()
        listener.expect("all", [turn])
        listener.resume()
        assert words(heard.utterance()) == [turn]
    assert heard.nothing()
    listener.resume()
    assert heard.next() == SourceEnded()
    listener.close()
    assert len(tape.utterances[1]) < len(tape.utterances[0]) < len(tape.utterances[2])


def test_the_end_of_the_recording_ends_the_utterance(tmp_path: Path, said: Callable[[str], bytes]) -> None:
    heard = Heard()
    cut = said("Springer Gustav eins Felix drei")[: RATE * 3]
    listener = Listener(open_wav(write(tmp_path / "cut.wav", cut), realtime=False), Tape(), heard.on_event)
    listener.resume()
    heard.utterance()
    assert heard.next() == SourceEnded()
    listener.close()


def test_a_recording_of_silence(tmp_path: Path) -> None:
    heard = Heard()
    listener = Listener(
        open_wav(write(tmp_path / "no.wav", SILENCE * 3), realtime=False), Tape(), heard.on_event
    )
    listener.resume()
    assert heard.next() == SourceEnded()
    listener.close()


@pytest.fixture
def live() -> Iterator[tuple[Live, Tape, Heard, Listener]]:
    source, tape, heard = Live(), Tape(), Heard()
    listener = Listener(source, tape, heard.on_event)
    yield source, tape, heard, listener
    listener.close()


def test_a_microphone_is_deaf_until_resume_and_after_each_utterance(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    source.give(said("Eva vier") + SILENCE)
    assert heard.nothing()
    listener.resume()
    source.give(said("Eva vier") + SILENCE)
    heard.utterance()
    source.give(said("Eva vier") + SILENCE)
    assert heard.nothing()
    assert len(tape.utterances) == 1


def test_a_pause_drops_the_utterance_under_way(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    audio = said("Springer Gustav eins Felix drei")
    listener.resume()
    source.give(audio[: RATE * 3])
    listener.pause()
    source.give(audio[RATE * 3 :] + SILENCE)
    assert heard.nothing()
    listener.resume()
    source.give(said("ja") + SILENCE)
    heard.utterance()
    assert len(tape.utterances) == 2


def test_what_is_expected_changes_only_between_utterances(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    audio = said("Springer Gustav eins Felix drei")
    listener.expect("all", ["old"])
    listener.resume()
    source.give(audio[: RATE * 3])
    listener.expect("all", ["new"])
    source.give(audio[RATE * 3 :] + SILENCE)
    assert words(heard.utterance()) == ["old"]
    listener.resume()
    source.give(said("ja") + SILENCE)
    assert words(heard.utterance()) == ["new"]
    assert tape.everything == "all"


def test_a_pause_within_an_announcement_does_not_split_it(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    listener.resume()
    source.give(said("Springer")[:-4800] + bytes(RATE // 10 * 2) + said("Felix drei") + SILENCE)
    heard.utterance()
    assert heard.nothing()
    assert len(tape.utterances) == 1


def test_endless_noise_is_cut(live: tuple[Live, Tape, Heard, Listener]) -> None:
    source, tape, heard, listener = live
    listener.resume()
    noise = np.random.default_rng(1).normal(0, 4000, RATE * 18).clip(-32768, 32767)
    source.give(noise.astype("<i2").tobytes())
    heard.utterance()
    assert len(tape.utterances[0]) <= 16 * RATE * 2


def test_a_microphone_that_fails(live: tuple[Live, Tape, Heard, Listener]) -> None:
    source, _, heard, _ = live
    source.fail(SoundError("The microphone has gone away."))
    assert heard.next() == SourceFailed("The microphone has gone away.")


def test_a_recogniser_that_fails(said: Callable[[str], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    source, tape, heard = Live(), Tape(), Heard()

    def broken() -> tuple[Hypothesis, ...]:
        raise RuntimeError("decoder on fire")

    monkeypatch.setattr(tape, "finish", broken)
    listener = Listener(source, tape, heard.on_event)
    listener.resume()
    blocks = said("Eva vier") + SILENCE
    for start in range(0, len(blocks), BLOCK_BYTES):
        source._blocks.put(blocks[start : start + BLOCK_BYTES])
    assert heard.next() == SourceFailed("The recogniser has failed: decoder on fire")
    listener.close()


def test_an_utterance_tells_in_which_turn_it_began(tmp_path: Path, said: Callable[[str], bytes]) -> None:
    path = tmp_path / "two.wav"
    two = SILENCE + said("Eva vier") + SILENCE + said("Eva vier") + SILENCE
    soundfile.write(path, np.frombuffer(two, dtype="<i2"), RATE)
    heard = Heard()
    listener = Listener(open_wav(path, realtime=False), Tape(), heard.on_event)
    for turn in (7, 8):
        listener.resume(turn)
        assert heard.utterance().turn == turn
    listener.close()


def test_closing_a_listener_that_waits(tmp_path: Path, said: Callable[[str], bytes]) -> None:
    heard = Heard()
    listener = Listener(
        open_wav(write(tmp_path / "x.wav", said("ja")), realtime=False), Tape(), heard.on_event
    )
    listener.close()
    assert heard.nothing()


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    with pytest.raises(RecogniserMissingError, match="pocketsphinx"):
        Listener(Live(), Tape(), print)


def test_silence_around_a_recording_is_left_out(said: Callable[[str], bytes]) -> None:
    tape = Tape()
    speech = said("Springer Gustav eins Felix drei")
    hear(tape, SILENCE * 20 + speech + SILENCE * 20)
    assert len(speech) // 2 < len(tape.utterances[0]) < len(speech) + RATE * 2


LISTENING = """
import sys, tomllib
from pathlib import Path
from voices.listening import Listener
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound import open_microphone

sounds = tomllib.loads(Path("voices/words/fide.toml").read_text("utf-8"))["sounds"]
grammar = "#JSGF V1.0;\\ngrammar g;\\npublic <g> = (eva | david | felix) (drei | vier | acht);\\n"

def on_event(event):
    print(type(event).__name__, *[h.words for h in getattr(event, "hypotheses", ())][:2], sep="|", flush=True)

listener = Listener(open_microphone(None), PocketsphinxRecogniser(sounds), on_event)
listener.expect(grammar, ["eva vier", "david drei"])
print("ready", flush=True)
for line in sys.stdin:
    listener.resume()
    print("listening", flush=True)
listener.close()
print("closed", flush=True)
"""


def test_words_spoken_into_a_microphone(tmp_path: Path) -> None:
    with PrivatePulse() as pulse:
        command = [sys.executable, "-c", LISTENING]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, env=pulse.env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdin
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            for _ in range(2):
                print("resume", file=process.stdin, flush=True)
                assert process.stdout.readline() == "listening\n"
                pulse.play_into_microphone(espeak("Eva vier", tmp_path / "said.wav"))
                assert process.stdout.readline() == "Utterance|eva vier|eva vier\n"
            process.stdin.close()
            assert process.stdout.readline() == "closed\n"
