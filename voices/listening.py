# SPDX-License-Identifier: GPL-3.0-or-later
"""Audio blocks -> utterances -> hypotheses: finds where speech begins and ends, and feeds a recogniser."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from voices.recognisers import Hypothesis, Recogniser, load
from voices.sound import BLOCK_BYTES, BLOCK_MS, RATE, SoundError, Source

# Silence that ends an utterance, in seconds. Blind players pause: too short a silence splits an announcement.
SILENCE_S = 0.6
# A window of 0.3 s finds short words, 0.8 s misses them all.
_WINDOW_S = 0.3
# The window has passed when speech is noticed; a little more is the first consonant.
_BEFORE_S = _WINDOW_S + 0.2
# Noise without end would be one utterance without end.
_LONGEST_S = 15.0


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was heard; `decision_ms` is the time from the last block of the utterance to here.

    `turn` is the number that `Listener.resume` was given before the utterance began.
    """

    hypotheses: tuple[Hypothesis, ...]
    decision_ms: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class SourceEnded:
    """The recording is over."""


@dataclass(frozen=True, slots=True)
class SourceFailed:
    """There will be no more sound; the reason in one sentence in English."""

    reason: str


Event = Utterance | SourceEnded | SourceFailed


class Endpointer:
    """Where an utterance begins and ends, block by block."""

    def __init__(self, silence: float = SILENCE_S) -> None:
        self._vad = load("pocketsphinx", "voice").Endpointer(
            window=_WINDOW_S, sample_rate=RATE, frame_length=BLOCK_MS / 1000
        )
        self._patience = max(1, round((silence - _WINDOW_S) * 1000 / BLOCK_MS))
        # Silence that is speech only if more speech follows: recognisers hear words in it.
        self._held: list[bytes] = []
        self._before: deque[bytes] = deque(maxlen=round(_BEFORE_S * 1000 / BLOCK_MS))
        self._length = 0
        self.within = False
        self.begun = False

    def take(self, block: bytes) -> bytes:
        """The speech that is new with this block; `within` tells whether the utterance goes on."""
        self.begun = True
        self._vad.process(block)
        if not self.within:
            self._before.append(block)
            if not self._vad.in_speech:
                return b""
            self.within, self._length = True, 0
            self._held.clear()
            speech = b"".join(self._before)
            self._before.clear()
            return speech
        self._length += 1
        self._held.append(block)
        if self._length * BLOCK_MS >= _LONGEST_S * 1000 or len(self._held) >= self._patience:
            self.within = False
        if not self._vad.in_speech:
            return b""
        speech = b"".join(self._held)
        self._held.clear()
        return speech


def hear(recogniser: Recogniser, audio: bytes) -> tuple[Hypothesis, ...]:
    """What a recording of one utterance (mono s16le, 16 kHz) may say; silence around it does not matter."""
    speech = _speech(audio)
    recogniser.start()
    for start in range(0, len(speech), BLOCK_BYTES):
        recogniser.feed(speech[start : start + BLOCK_BYTES])
    return recogniser.finish()


def _speech(audio: bytes) -> bytes:
    """From the first speech in a recording to the end of the last; all of it when none is found."""
    endpointer = Endpointer()
    first = last = None
    for start in range(0, len(audio) - BLOCK_BYTES + 1, BLOCK_BYTES):
        if speech := endpointer.take(audio[start : start + BLOCK_BYTES]):
            first = start + BLOCK_BYTES - len(speech) if first is None else first
            last = start + BLOCK_BYTES
    return audio[first:last][: round(_LONGEST_S * RATE) * 2]


class Listener:
    """Listens to a source in a thread of its own, one utterance for each `resume`.

    It is deaf at first. `resume` lets it listen; after each `Utterance` it is deaf again until the program
    has dealt with it and resumes, and `pause` makes it deaf while the program speaks. What comes meanwhile
    is lost, except in a file: that is read on only when the program listens, so that a recording of
    several utterances drives a whole game. Events are handed to `on_event` in the listener's thread.
    """

    def __init__(
        self,
        source: Source,
        recogniser: Recogniser,
        on_event: Callable[[Event], None],
        silence: float = SILENCE_S,
    ) -> None:
        self._source = source
        self._recogniser = recogniser
        self._on_event = on_event
        self._new_endpointer = partial(Endpointer, silence)
        self._new_endpointer()  # so that a missing package is noticed here and not in the thread
        self._changed = threading.Condition()
        self._listening = False
        self._turn = self._began_in_turn = 0
        self._closed = False
        self._expectation: tuple[str, Sequence[str]] | None = None
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """What to listen for, from the next utterance on; see `Recogniser.expect`."""
        with self._changed:
            self._expectation = everything, expected

    def pause(self) -> None:
        """Be deaf; what was being said is dropped, unless it comes from a file."""
        with self._changed:
            self._listening = False

    def resume(self, turn: int = 0) -> None:
        """Listen for one utterance; its event carries the number, so that a late one can be told."""
        with self._changed:
            self._listening, self._turn = True, turn
            self._changed.notify()

    def close(self) -> None:
        """End the thread and close the source; not from within `on_event`."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._source.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._listen()
            end: Event = SourceEnded()
        except SoundError as error:
            end = SourceFailed(error.reason)
        # The recognisers are C libraries that raise whatever they like; the game goes on by keyboard.
        except Exception as error:  # noqa: BLE001
            end = SourceFailed(f"The recogniser has failed: {error}")
        if not self._closed:
            self._on_event(end)

    def _listen(self) -> None:
        endpointer = self._new_endpointer()
        blocks = iter(self._source)
        while self._ready(endpointer.within) and (block := next(blocks, None)) is not None:
            if self._hears(endpointer.within):
                self._take(endpointer, block)
            elif endpointer.begun:
                # What comes after the pause has nothing to do with what came before.
                if endpointer.within:
                    self._recogniser.finish()
                endpointer = self._new_endpointer()
        if endpointer.within and not self._closed:
            self._finish(time.perf_counter())

    def _take(self, endpointer: Endpointer, block: bytes) -> None:
        arrived, within = time.perf_counter(), endpointer.within
        speech = endpointer.take(block)
        if not within:
            if not endpointer.within:
                return
            self._recogniser.start()
            self._began_in_turn = self._turn
        if speech:
            self._recogniser.feed(speech)
        if not endpointer.within:
            self._finish(arrived)

    def _finish(self, arrived: float) -> None:
        hypotheses = self._recogniser.finish()
        self.pause()
        spent_ms = (time.perf_counter() - arrived) * 1000
        self._on_event(Utterance(hypotheses, spent_ms, self._began_in_turn))

    def _ready(self, within: bool) -> bool:
        """Wait until a file may be read on, and take over what is expected; false when it is all over."""
        with self._changed:
            if self._source.waits and not within:
                self._changed.wait_for(lambda: self._listening or self._closed)
            expectation = None if within else self._expectation
            if expectation:
                self._expectation = None
            closed = self._closed
        if expectation and not closed:
            self._recogniser.expect(*expectation)
        return not closed

    def _hears(self, within: bool) -> bool:
        return self._listening or (within and self._source.waits)
