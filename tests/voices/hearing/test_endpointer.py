# SPDX-License-Identifier: GPL-3.0-or-later
"""Speech of espeak-ng in the noise of a quiet room; time is counted in blocks of 30 ms."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from support.synthetic import espeak

from voices.hearing.endpointer import LONGEST_S, Endpointer, Patience
from voices.sound.disturbance import add_noise, noise
from voices.sound.source import BLOCK_BYTES, BLOCK_MS, RATE, read_wav

SPEAKERS = ("de", "pt-br", "de+f3")
Say = Callable[..., np.ndarray]


@pytest.fixture(scope="session", params=SPEAKERS)
def say(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Say:
    """The samples of a text, without silence around it."""
    folder = tmp_path_factory.mktemp("said")

    def spoken(text: str) -> np.ndarray:
        samples = np.frombuffer(read_wav(espeak(text, folder / "said.wav", request.param)), "<i2")
        loud = np.flatnonzero(np.abs(samples) > 0.02 * np.abs(samples).max())
        return samples[loud[0] : loud[-1] + 1]

    return spoken


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE))


def blocks(*pieces: np.ndarray) -> Iterator[bytes]:
    samples = np.concatenate(pieces)
    room = np.random.default_rng(64).normal(0, 3, samples.size)
    audio = (samples + room).round().clip(-32768, 32767).astype("<i2").tobytes()
    for start in range(0, len(audio) - BLOCK_BYTES + 1, BLOCK_BYTES):
        yield audio[start : start + BLOCK_BYTES]


@dataclass
class Script:
    """What is complete, as a recogniser would tell it when it is asked; counts how often it is."""

    answers: Iterator[bool]
    asked: int = 0

    def __call__(self) -> bool:
        self.asked += 1
        return next(self.answers)


@dataclass
class Found:
    """The utterances found: at which block each ended, and its sound."""

    ends: list[int] = field(default_factory=list)
    sounds: list[bytes] = field(default_factory=list)

    def silence_before_end(self, *spoken: np.ndarray) -> float:
        """Seconds from the last sound of what was spoken to the end of the first utterance."""
        return (self.ends[0] + 1) * BLOCK_MS / 1000 - sum(piece.size for piece in spoken) / RATE


def listen(endpointer: Endpointer, *pieces: np.ndarray) -> Found:
    found, within = Found(), False
    for number, block in enumerate(blocks(*pieces)):
        speech = endpointer.take(block)
        if endpointer.within and not within:
            found.sounds.append(b"")
        if speech:
            found.sounds[-1] += speech
        if within and not endpointer.within:
            found.ends.append(number)
        within = endpointer.within
    return found


def always(answer: bool) -> Script:
    return Script(itertools.repeat(answer))


def test_a_complete_utterance_ends_after_the_silence(say: Say) -> None:
    complete = always(True)
    spoken = silence(0.5), say("Eva vier")
    found = listen(Endpointer(complete=complete), *spoken, silence(3))
    assert 0.5 <= found.silence_before_end(*spoken) <= 0.65
    assert (len(found.ends), complete.asked) == (1, 1)


@pytest.mark.parametrize("wanted", [0.5, 0.8, 1.2])
def test_the_silence_is_a_setting(say: Say, wanted: float) -> None:
    spoken = silence(0.5), say("Springer Felix drei")
    endpointer = Endpointer(Patience(silence=wanted, pause=3), always(True))
    assert wanted <= listen(endpointer, *spoken, silence(4)).silence_before_end(*spoken) <= wanted + 0.15


@pytest.mark.parametrize("text", ["falsch", "sim", "correto", "ja"])
def test_a_third_of_a_second_of_the_room_before_it_is_given_too(say: Say, text: str) -> None:
    said = np.pad(say(text).astype(np.float32), (2 * RATE, RATE))
    endpointer = Endpointer()
    noisy = add_noise(said, noise("white", said.size, np.random.default_rng(1)), 10.0)
    for at, block in enumerate(blocks(noisy), 1):
        if given := endpointer.take(block):
            assert at * BLOCK_BYTES - len(given) <= 2 * round((2 - 0.33) * RATE)
            return
    pytest.fail("nothing was noticed")


def test_whether_it_is_complete_is_known_before_the_silence_is_long_enough(say: Say) -> None:
    asked: list[float] = []
    spoken = silence(0.5), say("Eva vier")

    def complete() -> bool:
        asked.append(len(taken) * BLOCK_MS / 1000)
        return True

    endpointer, taken = Endpointer(Patience(silence=1.2, pause=3), complete), []
    for block in blocks(*spoken, silence(3)):
        taken.append(block)
        endpointer.take(block)
    after = asked[0] - sum(piece.size for piece in spoken) / RATE
    assert len(asked) == 1
    assert after < 0.55


def test_an_incomplete_utterance_waits_for_the_pause_and_asks_once(say: Say) -> None:
    complete = always(False)
    spoken = silence(0.5), say("Springer Gustav eins")
    found = listen(Endpointer(complete=complete), *spoken, silence(4))
    # What begins when the pause is over has still to be noticed: 0.3 s.
    assert 1.5 <= found.silence_before_end(*spoken) <= 1.5 + 0.3 + 0.15
    assert (len(found.ends), complete.asked) == (1, 1)


@pytest.mark.parametrize("pause", [0.7, 1.2, 1.45])
def test_thinking_aloud_is_one_utterance(say: Say, pause: float) -> None:
    complete = Script(iter((False, False, True)))
    parts = say("Springer"), silence(pause), say("Gustav eins"), silence(pause), say("Felix drei")
    spoken = silence(0.5), *parts
    found = listen(Endpointer(complete=complete), *spoken, silence(3))
    assert len(found.ends) == 1
    # Asked in each silence, and again because more speech came.
    assert complete.asked == 3
    assert found.silence_before_end(*spoken) <= 0.65
    # Nothing of the speech nor of the silence between is lost.
    assert 0 <= len(found.sounds[0]) / 2 - sum(part.size for part in parts) <= RATE


def test_a_longer_pause_splits(say: Say) -> None:
    spoken = silence(0.5), say("Springer Gustav eins")
    found = listen(Endpointer(complete=always(False)), *spoken, silence(2), say("Felix drei"), silence(3))
    assert len(found.ends) == 2
    assert found.silence_before_end(*spoken) < 2


def test_a_complete_utterance_that_goes_on_later_is_two(say: Say) -> None:
    found = listen(
        Endpointer(complete=always(True)), silence(0.5), say("Eva vier"), silence(1), say("ja"), silence(2)
    )
    assert len(found.ends) == 2


def test_the_pause_is_never_shorter_than_the_silence(say: Say) -> None:
    spoken = silence(0.5), say("Springer")
    found = listen(Endpointer(Patience(silence=2, pause=0.5), always(False)), *spoken, silence(4))
    assert found.silence_before_end(*spoken) >= 2


def test_no_silence_ends_what_is_held_open_and_long_pauses_are_cut(say: Say) -> None:
    endpointer = Endpointer(complete=always(True))
    endpointer.held_open = True
    first, last = say("Springer Gustav eins"), say("Felix drei")
    found = listen(endpointer, silence(0.5), first, silence(20), last, silence(10))
    assert (found.ends, len(found.sounds)) == ([], 1)
    spoken = (first.size + last.size) / RATE
    assert spoken + 1 <= len(found.sounds[0]) / 2 / RATE <= spoken + 3.5


def test_the_longest_utterance_bounds_what_is_held_open_too(say: Say) -> None:
    endpointer = Endpointer(complete=always(True))
    endpointer.held_open = True
    words = [part for _ in range(20) for part in (say("Springer Gustav eins"), silence(0.2))]
    found = listen(endpointer, *words)
    assert found.ends[0] * BLOCK_MS / 1000 <= LONGEST_S
    assert len(found.sounds[0]) <= (LONGEST_S + 0.1) * RATE * 2


@pytest.mark.parametrize("held_open", [False, True])
def test_only_what_a_silence_might_have_ended_is_cut(say: Say, held_open: bool) -> None:
    endpointer, words = Endpointer(complete=always(True)), say("Springer Gustav eins Felix drei")
    endpointer.held_open = held_open
    cut = []
    for block in blocks(*[words] * 20):
        within = endpointer.within
        endpointer.take(block)
        if within and not endpointer.within:
            cut.append(endpointer.cut)
    assert cut[0] is not held_open
    endpointer = Endpointer(complete=always(True))
    listen(endpointer, words, silence(3))
    assert not endpointer.cut


def test_where_speech_began_is_known_when_it_is_noticed(say: Say) -> None:
    endpointer, said = Endpointer(), say("Eva vier")
    for number, block in enumerate(blocks(silence(1.5), said, silence(1))):
        endpointer.take(block)
        if endpointer.within:
            began_s = (number - endpointer.began) * BLOCK_MS / 1000
            assert abs(began_s - 1.5) <= 0.06
            return
    raise AssertionError("no speech was found")


def test_a_second_utterance_knows_its_own_beginning(say: Say) -> None:
    endpointer, said = Endpointer(complete=always(True)), say("Eva vier")
    second_s = 1 + said.size / RATE + 2
    within, began = False, []
    for number, block in enumerate(blocks(silence(1), said, silence(2), said, silence(2))):
        endpointer.take(block)
        if endpointer.within and not within:
            began.append((number - endpointer.began) * BLOCK_MS / 1000)
        within = endpointer.within
    assert began == pytest.approx([1, second_s], abs=0.06)


def test_nothing_in_silence() -> None:
    endpointer = Endpointer()
    assert not endpointer.begun
    assert listen(endpointer, silence(5)) == Found()
    assert endpointer.begun
