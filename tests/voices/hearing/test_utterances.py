# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import soundfile
from support.pulse import PrivatePulse
from support.synthetic import EVERYTHING, SOUNDS, espeak

from voices.hearing.endpointer import Patience
from voices.hearing.utterances import (
    HearingEvent,
    Listener,
    LoudspeakerUnheard,
    MicrophoneTrouble,
    SourceBack,
    SourceEnded,
    SourceFailed,
    SpeechBegan,
    Utterance,
    hear,
)
from voices.packages import MissingPartError
from voices.recognisers import Hypothesis
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.level import DEAD_S, Trouble
from voices.sound.source import BLOCK_BYTES, BLOCK_MS, RATE, SoundError, open_wav, read_wav

SECONDS = 30.0
SILENCE = bytes(34 * BLOCK_BYTES)  # a second


class Tape:
    """A recogniser at the boundary of bytes: it hears what it was told to expect, first of all its first phrase."""

    name = "tape"
    unknown_words = ()

    def __init__(self) -> None:
        self.everything = ""
        self.expected: tuple[str, ...] = ()
        self.so_far: list[str] = []
        self.asked = 0
        self.utterances: list[bytes] = []

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        self.everything, self.expected = everything, tuple(expected)

    def start(self) -> None:
        self.utterances.append(b"")

    def feed(self, block: bytes) -> None:
        self.utterances[-1] += block

    def heard_so_far(self) -> str:
        self.asked += 1
        return self.so_far.pop(0) if self.so_far else self.expected[0]

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
        self._untaken = 0

    @property
    def waiting(self) -> int:
        return self._blocks.qsize()

    def __iter__(self) -> Iterator[bytes]:
        while (block := self._blocks.get()) is not None:
            if isinstance(block, Exception):
                raise block
            yield block
            self.taken.put(None)

    def give(self, audio: bytes) -> None:
        """Let audio be heard, and wait until it was."""
        self.arrive(audio)
        self.catch_up()

    def arrive(self, audio: bytes) -> None:
        """Audio that has come and waits."""
        for start in range(0, len(audio), BLOCK_BYTES):
            self._blocks.put(audio[start : start + BLOCK_BYTES])
            self._untaken += 1

    def catch_up(self) -> None:
        """Wait until all that has come was heard."""
        for _ in range(self._untaken):
            self.taken.get(timeout=SECONDS)
        self._untaken = 0

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
    """The events of a listener, to wait for; that somebody begins to speak only if that is `awaited`."""

    def __init__(self, *, awaited: bool = False) -> None:
        self._events: queue.SimpleQueue[HearingEvent] = queue.SimpleQueue()
        self._awaited = awaited

    def on_event(self, event: HearingEvent) -> None:
        if self._awaited or not isinstance(event, SpeechBegan):
            self._events.put(event)

    def next(self) -> HearingEvent:
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
    listener.expect("all", ["said"])
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


def test_another_recogniser_hears_from_the_next_utterance_on_and_frees_the_first(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    closed: list[str] = []
    tape.close = lambda: closed.append("first")  # type: ignore[method-assign]
    audio = said("Springer Gustav eins Felix drei")
    listener.resume()
    source.give(audio[: RATE * 3])
    second = Tape()
    listener.expect("all", ["of the first"])
    listener.hear_with(second)
    listener.expect("other", ["of the second"])
    source.give(audio[RATE * 3 :] + SILENCE)
    assert words(heard.utterance()) == ["said"]
    listener.resume()
    source.give(said("ja") + SILENCE)
    assert words(heard.utterance()) == ["of the second"]
    assert (second.everything, len(second.utterances)) == ("other", 1)
    assert (tape.expected, len(tape.utterances)) == (("said",), 1)
    assert closed == ["first"]


def test_a_correction_counts_from_the_next_utterance_on(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    assert listener.ears == ()
    corrections: list[tuple[object, int]] = []
    tape.ears = ["the network"]  # type: ignore[attr-defined]
    tape.correct = lambda found: corrections.append((found, len(tape.utterances)))  # type: ignore[attr-defined]
    assert listener.ears == ["the network"]
    audio = said("Springer Gustav eins Felix drei")
    listener.resume()
    source.give(audio[: RATE * 3])
    listener.correct(["learnt"])
    source.give(audio[RATE * 3 :] + SILENCE)
    assert words(heard.utterance()) == ["said"]
    listener.resume()
    source.give(said("ja") + SILENCE)
    assert words(heard.utterance()) == ["said"]
    assert corrections == [(["learnt"], 1)]


def quiet_room(seconds: float) -> bytes:
    noise = np.random.default_rng(64).normal(0, 3, round(seconds * 1000 / BLOCK_MS) * BLOCK_BYTES // 2)
    return noise.round().astype("<i2").tobytes()


def trimmed(audio: bytes) -> bytes:
    """Whole blocks of speech, without the silence around it."""
    samples = np.frombuffer(audio, "<i2")
    loud = np.flatnonzero(np.abs(samples) > 0.02 * np.abs(samples).max())
    speech = samples[loud[0] : loud[-1] + 1].tobytes()
    return bytes(-len(speech) % BLOCK_BYTES) + speech


def until_heard(source: Live, heard: Heard, most: float) -> float:
    """How many seconds of a quiet room pass until something is heard."""
    for number in range(1, round(most * 1000 / BLOCK_MS) + 1):
        source.give(quiet_room(BLOCK_MS / 1000))
        if not heard.nothing():
            return number * BLOCK_MS / 1000
    raise AssertionError(f"nothing was heard for {most} s")


def test_what_is_complete_ends_after_the_silence_and_what_is_not_after_the_pause(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    listener.expect(EVERYTHING, ["eva vier", "springer felix drei"])
    for so_far, least, most in (("eva vier", 0.5, 0.65), ("springer", 1.5, 1.95), ("", 1.5, 1.95)):
        tape.so_far = [so_far]
        listener.resume()
        source.give(quiet_room(0.5) + trimmed(said("Eva vier")))
        assert least <= until_heard(source, heard, 3) <= most
        heard.utterance()
    assert tape.asked == 3


def test_a_beginning_with_which_something_longer_begins_waits(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    listener.expect(EVERYTHING, ["anna vier", "anna vier anna fuenf"])
    tape.so_far = ["anna vier", "anna vier anna fuenf"]
    listener.resume()
    source.give(trimmed(said("Anna vier")) + quiet_room(1.2) + trimmed(said("Anna fünf")))
    assert heard.nothing()
    assert until_heard(source, heard, 3) <= 0.65
    heard.utterance()
    assert (len(tape.utterances), tape.asked) == (1, 2)


def test_both_times_can_be_set(said: Callable[[str], bytes]) -> None:
    source, tape, heard = Live(), Tape(), Heard()
    listener = Listener(source, tape, heard.on_event, Patience(silence=1.0, pause=2.5))
    listener.expect("all", ["said"])
    for so_far, least, most in (("said", 1.0, 1.15), ("", 2.5, 2.95)):
        tape.so_far = [so_far]
        listener.resume()
        source.give(quiet_room(0.5) + trimmed(said("Eva vier")))
        assert least <= until_heard(source, heard, 4) <= most
        heard.utterance()
    listener.close()


@pytest.mark.parametrize(("pause", "utterances"), [(1.2, 1), (2.0, 2)])
def test_thinking_aloud_with_a_real_recogniser(
    said: Callable[[str], bytes], pause: float, utterances: int
) -> None:
    source, heard = Live(), Heard()
    recogniser = PocketsphinxRecogniser(SOUNDS)
    listener = Listener(source, recogniser, heard.on_event)
    listener.expect(EVERYTHING, ["springer gustav eins felix drei", "eva vier"])
    listener.resume()
    source.give(quiet_room(0.5) + trimmed(said("Springer Gustav eins")) + quiet_room(pause))
    if utterances == 2:
        assert "eva vier" not in words(heard.utterance())
        listener.resume()
    else:
        assert heard.nothing()
    source.give(trimmed(said("Felix drei")))
    assert until_heard(source, heard, 3) <= (0.65 if utterances == 1 else 1.95)
    found = words(heard.utterance())
    assert ("springer gustav eins felix drei" in found) is (utterances == 1)
    listener.close()
    recogniser.close()


# Push-to-talk


def test_what_is_held_open_ends_when_it_is_released(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    listener.resume(3, held_open=True)
    source.give(quiet_room(1) + said("Eva") + quiet_room(6) + said("vier") + quiet_room(4))
    assert heard.nothing()
    assert tape.asked == 0
    listener.release()
    assert until_heard(source, heard, 1) <= 0.35
    utterance = heard.utterance()
    assert (words(utterance), utterance.turn, len(tape.utterances)) == (["said"], 3, 1)
    source.give(said("Eva vier") + quiet_room(3))
    assert heard.nothing()


def test_the_last_syllable_is_heard_though_the_key_was_pressed_on_it(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = live
    listener.resume(held_open=True)
    speech = trimmed(said("ja"))
    source.give(quiet_room(0.5) + speech[: len(speech) // 2 // BLOCK_BYTES * BLOCK_BYTES])
    listener.release()
    source.give(speech[len(speech) // 2 // BLOCK_BYTES * BLOCK_BYTES :] + quiet_room(0.5))
    assert words(heard.utterance()) == ["said"]
    assert len(tape.utterances[0]) >= len(speech)


def test_nothing_said_while_held_open_is_told_too(live: tuple[Live, Tape, Heard, Listener]) -> None:
    source, tape, heard, listener = live
    listener.resume(5, held_open=True)
    source.give(quiet_room(2))
    listener.release()
    assert until_heard(source, heard, 1) <= 0.35
    utterance = heard.utterance()
    assert (utterance.hypotheses, utterance.turn, tape.utterances) == ((), 5, [])


def test_to_release_what_is_not_held_open_does_nothing(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, _, heard, listener = live
    listener.release()
    listener.resume()
    listener.release()
    source.give(quiet_room(2))
    assert heard.nothing()
    source.give(said("Eva vier") + quiet_room(1))
    heard.utterance()


def test_a_pause_also_ends_what_was_released(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, _, heard, listener = live
    listener.resume(held_open=True)
    source.give(said("Eva vier"))
    listener.release()
    listener.pause()
    source.give(quiet_room(2))
    assert heard.nothing()


# Speech while the program speaks


def test_the_beginning_of_speech_is_told_at_once(said: Callable[[str], bytes]) -> None:
    source, tape, heard = Live(), Tape(), Heard(awaited=True)
    listener = Listener(source, tape, heard.on_event)
    listener.expect("all", ["said"])
    listener.resume()
    source.give(quiet_room(1))
    assert heard.nothing()
    source.give(trimmed(said("Springer Felix drei"))[: 12 * BLOCK_BYTES])
    assert heard.next() == SpeechBegan()
    source.give(quiet_room(1))
    heard.utterance()
    assert heard.nothing()
    listener.close()


@pytest.mark.parametrize(("before", "turn"), [(1, 7), (5, 7), (8, 7), (0, 8)])
def test_an_utterance_belongs_to_the_turn_in_which_its_first_sound_was(
    live: tuple[Live, Tape, Heard, Listener], said: Callable[[str], bytes], before: int, turn: int
) -> None:
    source, tape, heard, listener = live
    speech = trimmed(said("Eva vier"))
    listener.resume(7)
    # Speech is noticed only after ten blocks of it: by then the turn is another one.
    source.give(quiet_room(1) + speech[: before * BLOCK_BYTES])
    assert tape.utterances == []
    listener.resume(8)
    source.give((quiet_room(0.3) if not before else b"") + speech[before * BLOCK_BYTES :] + quiet_room(1))
    assert heard.utterance().turn == turn


@pytest.mark.parametrize(("others", "unheard"), [(0, True), (5, False)])
def test_only_one_message_that_is_long_enough_tells_that_the_loudspeaker_is_not_heard(
    live: tuple[Live, Tape, Heard, Listener], others: int, unheard: bool
) -> None:
    """Those that are cut short before the voice comes to its first sound tell nothing, however many they are."""
    source, _, heard, listener = live
    listener.speaks(now=True)
    for _ in range(others):
        source.give(quiet_room(0.6))
        listener.says_another()
    source.give(quiet_room(0.6 if others else 2.5))
    assert heard.nothing() is not unheard
    assert not unheard or heard.next() == LoudspeakerUnheard()


def test_a_microphone_that_is_mute_is_told_again_once_it_is_to_be_measured_anew(
    live: tuple[Live, Tape, Heard, Listener],
) -> None:
    source, _, heard, listener = live
    mute = bytes(round(DEAD_S + 1) * 1000 // BLOCK_MS * BLOCK_BYTES)
    source.give(mute)
    assert heard.next() == MicrophoneTrouble(Trouble.DEAD)
    source.give(mute)
    assert heard.nothing()
    listener.measure_anew()
    source.give(mute)
    assert heard.next() == MicrophoneTrouble(Trouble.DEAD)


class Busy(Tape):
    """A recogniser that is slower than speech: it goes on only when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.waits, self.may_go_on = threading.Event(), threading.Event()

    def feed(self, block: bytes) -> None:
        super().feed(block)
        self.waits.set()
        assert self.may_go_on.wait(SECONDS)


@pytest.fixture
def busy() -> Iterator[tuple[Live, Busy, Heard, Listener]]:
    """A listener that still hears the first words of an utterance while the others have come."""
    source, tape, heard = Live(), Busy(), Heard()
    listener = Listener(source, tape, heard.on_event)
    listener.expect("all", ["said"])
    yield source, tape, heard, listener
    tape.may_go_on.set()
    listener.close()


def test_a_slow_recogniser_takes_nothing_away_before_the_release(
    busy: tuple[Live, Busy, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = busy
    speech = trimmed(said("Springer Gustav eins Felix drei"))
    listener.resume(held_open=True)
    source.arrive(quiet_room(0.5) + speech)
    assert tape.waits.wait(SECONDS)
    listener.release()
    tape.may_go_on.set()
    source.arrive(quiet_room(1))
    heard.utterance()
    assert len(speech) <= len(tape.utterances[0]) <= len(speech) + RATE * 2


def test_an_answer_that_has_come_before_the_question_was_over_stays_early(
    busy: tuple[Live, Busy, Heard, Listener], said: Callable[[str], bytes]
) -> None:
    source, tape, heard, listener = busy
    listener.resume(7)
    source.arrive(trimmed(said("Eva vier")) + quiet_room(1))
    assert tape.waits.wait(SECONDS)
    source.arrive(quiet_room(0.5) + trimmed(said("ja")))
    listener.resume(8)
    tape.may_go_on.set()
    source.arrive(quiet_room(1))
    assert heard.utterance().turn == 7
    # What came while the program was busy with the utterance is not heard later.
    source.arrive(quiet_room(0.5) + trimmed(said("ja")) + quiet_room(1))
    listener.resume(9)
    source.give(quiet_room(3))
    assert heard.nothing()


@pytest.mark.parametrize("all_heard", [True, False])
def test_what_was_being_said_before_a_pause_is_no_part_of_what_follows(
    busy: tuple[Live, Busy, Heard, Listener], said: Callable[[str], bytes], all_heard: bool
) -> None:
    source, tape, heard, listener = busy
    listener.resume(7)
    source.arrive(trimmed(said("Springer Gustav eins")))
    assert tape.waits.wait(SECONDS)
    if all_heard:
        tape.may_go_on.set()
        source.catch_up()
    listener.pause()
    listener.resume(8)
    tape.may_go_on.set()
    source.arrive(quiet_room(0.5) + trimmed(said("ja")) + quiet_room(1))
    assert heard.utterance().turn == 8
    assert len(tape.utterances) == 2
    assert len(tape.utterances[1]) < RATE * 2 * 2


# The microphone itself


def test_a_microphone_without_sound_is_told_once_though_nobody_listens(
    live: tuple[Live, Tape, Heard, Listener],
) -> None:
    source, _, heard, _ = live
    source.give(bytes(round(DEAD_S * 3 * 1000 / BLOCK_MS) * BLOCK_BYTES))
    assert heard.next() == MicrophoneTrouble(Trouble.DEAD)
    assert heard.nothing()


@pytest.mark.parametrize(("gain", "trouble"), [(0.003, Trouble.QUIET), (0.2, None), (30.0, Trouble.CLIPPING)])
def test_quiet_and_cut_off_speech_is_told_after_the_utterance(
    live: tuple[Live, Tape, Heard, Listener],
    said: Callable[[str], bytes],
    gain: float,
    trouble: Trouble | None,
) -> None:
    source, _, heard, listener = live
    samples = np.frombuffer(said("Springer Gustav eins Felix drei"), "<i2") * gain
    speech = samples.clip(-32768, 32767).astype("<i2").tobytes()
    told = []
    for _ in range(3):
        listener.resume()
        source.give(quiet_room(0.5) + speech + quiet_room(2.1))
        heard.utterance()
        while not heard.nothing():
            told.append(heard.next())
    assert told == ([MicrophoneTrouble(trouble)] if trouble else [])


def test_a_recording_has_no_microphone_that_could_be_dead(tmp_path: Path) -> None:
    heard = Heard()
    silent = write(tmp_path / "no.wav", SILENCE * round(DEAD_S * 3))
    listener = Listener(open_wav(silent, realtime=False), Tape(), heard.on_event)
    listener.resume()
    assert heard.next() == SourceEnded()
    listener.close()


def test_endless_noise_is_cut(live: tuple[Live, Tape, Heard, Listener]) -> None:
    source, tape, heard, listener = live
    listener.resume()
    noise = np.random.default_rng(1).normal(0, 4000, RATE * 18).clip(-32768, 32767)
    source.give(noise.astype("<i2").tobytes())
    cut = heard.utterance()
    assert cut.cut
    assert len(tape.utterances[0]) <= 16 * RATE * 2
    assert cut.seconds == len(tape.utterances[0]) / RATE / 2


def test_a_microphone_that_fails(live: tuple[Live, Tape, Heard, Listener]) -> None:
    source, _, heard, _ = live
    source.fail(SoundError("The microphone has gone away."))
    assert heard.next() == SourceFailed("The microphone has gone away.")


def test_a_microphone_that_is_back_is_listened_to_once_that_is_wanted(said: Callable[[str], bytes]) -> None:
    first, second, tape, heard = Live(), Live(), Tape(), Heard()
    opened: list[Live | SoundError] = [SoundError("No microphone can be opened."), second]

    def reopen() -> Live:
        found = opened.pop(0)
        if isinstance(found, SoundError):
            raise found
        return found

    listener = Listener(first, tape, heard.on_event, reopen=reopen)
    listener.expect("all", ["said"])
    listener.resume()
    first.give(said("Eva vier")[: 20 * BLOCK_BYTES])
    assert listener.hearing
    first.fail(SoundError("The microphone has gone away."))
    failed = SourceFailed("The microphone has gone away.", can_return=True)
    assert [heard.next(), heard.next()] == [failed, SourceBack()]
    second.give(said("Eva vier") + SILENCE)
    assert heard.nothing()
    assert not listener.hearing
    listener.resume()
    second.give(said("Eva vier") + SILENCE)
    assert [h.words for h in heard.utterance().hypotheses] == ["said"]
    listener.close()


def test_a_microphone_that_does_not_come_back_is_waited_for_until_the_end() -> None:
    source, heard, asked = Live(), Heard(), threading.Event()

    def reopen() -> Live:
        asked.set()
        raise SoundError("No microphone can be opened.")

    listener = Listener(source, Tape(), heard.on_event, reopen=reopen)
    source.fail(SoundError("The microphone has gone away."))
    assert heard.next() == SourceFailed("The microphone has gone away.", can_return=True)
    assert asked.wait(SECONDS)
    listener.close()
    assert heard.nothing()


def test_a_recogniser_that_fails(said: Callable[[str], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    source, tape, heard = Live(), Tape(), Heard()

    def broken() -> tuple[Hypothesis, ...]:
        raise RuntimeError("decoder on fire")

    monkeypatch.setattr(tape, "finish", broken)
    listener = Listener(source, tape, heard.on_event)
    listener.expect("all", ["said"])
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
    listener.expect("all", ["said"])
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
    with pytest.raises(MissingPartError, match="pocketsphinx"):
        Listener(Live(), Tape(), print)


def test_silence_around_a_recording_is_left_out(said: Callable[[str], bytes]) -> None:
    tape = Tape()
    speech = said("Springer Gustav eins Felix drei")
    hear(tape, SILENCE * 20 + speech + SILENCE * 20)
    assert len(speech) // 2 < len(tape.utterances[0]) < len(speech) + RATE * 2


LISTENING = """
import sys, tomli
from pathlib import Path
from voices.hearing.utterances import Listener
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.source import open_microphone

sounds = tomli.loads(Path("voices/words/fide.toml").read_text("utf-8"))["sounds"]
grammar = "#JSGF V1.0;\\ngrammar g;\\npublic <g> = (eva | david | felix) (drei | vier | acht);\\n"

def on_event(event):
    told = [h.words for h in getattr(event, "hypotheses", ())][:2] or [getattr(event, "trouble", "")]
    print(type(event).__name__, *told, sep="|", flush=True)

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
            # Nobody plays anything between the words: the microphone may be told to be silent.
            passed_over = ("MicrophoneTrouble", "SoundCame", "SpeechBegan")
            lines = (line for line in process.stdout if not line.startswith(passed_over))
            assert next(lines) == "ready\n"
            for _ in range(2):
                print("resume", file=process.stdin, flush=True)
                assert next(lines) == "listening\n"
                pulse.play_into_microphone(espeak("Eva vier", tmp_path / "said.wav"))
                assert next(lines) == "Utterance|eva vier|eva vier\n"
            process.stdin.close()
            assert next(lines) == "closed\n"


def test_a_real_microphone_that_is_silent_and_then_too_loud(tmp_path: Path) -> None:
    audio = read_wav(espeak("Springer Gustav eins Felix drei", tmp_path / "said.wav"))
    samples = (np.frombuffer(audio, "<i2") * 30.0).clip(-32768, 32767)
    loud = write(tmp_path / "loud.wav", samples.astype("<i2").tobytes())
    with PrivatePulse() as pulse:
        command = [sys.executable, "-c", LISTENING]
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, env=pulse.env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdin
            assert process.stdout
            lines = (line for line in process.stdout if line != "SpeechBegan|\n")
            assert next(lines) == "ready\n"
            assert next(lines) == "MicrophoneTrouble|dead\n"
            print("resume", file=process.stdin, flush=True)
            assert next(lines) == "listening\n"
            pulse.play_into_microphone(loud)
            assert next(lines) == "SoundCame|\n"
            assert next(lines).startswith("Utterance")
            assert next(lines) == "MicrophoneTrouble|clipping\n"
            process.stdin.close()
            assert next(lines) == "closed\n"
