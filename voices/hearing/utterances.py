# SPDX-License-Identifier: GPL-3.0-or-later
"""Audio blocks -> utterances -> hypotheses: feeds a recogniser one by one, and watches the microphone."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from voices.grammar.completeness import is_complete
from voices.hearing.endpointer import LONGEST_S, Endpointer, Patience
from voices.hearing.loudspeaker import LoudspeakerWatch
from voices.hearing.tones import tones_and_voice
from voices.recognisers import Correctable, Hypothesis, Recogniser
from voices.sound.level import Meter, Trouble
from voices.sound.source import BLOCK_BYTES, BLOCK_MS, RATE, SoundError, Source, leave_portaudio

# A key is pressed during the last syllable, and the sound arrives some time after it was made.
_AFTER_RELEASE_S = 0.3
_MOST_TURNS = 16  # that began while an utterance was being heard
# Between two attempts to open a microphone that has gone: at first, and at most, as each writes to the log.
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0
_CLOSING_S = 2.0


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was heard; `decision_ms` is the time from the last block of the utterance to this event.

    `turn` is the number that `Listener.resume` was given before the speech began. `audio` is what the
    recogniser was given, from 0.7 s before the speech was noticed: mono s16le at 16 kHz. `cut`: it was ended
    as it had lasted too long, without a pause.
    """

    hypotheses: tuple[Hypothesis, ...]
    decision_ms: float
    turn: int = 0
    audio: bytes = field(default=b"", repr=False)
    cut: bool = False

    @property
    def seconds(self) -> float:
        """How long it was."""
        return len(self.audio) / (2 * RATE)


@dataclass(frozen=True, slots=True)
class SpeechBegan:
    """Somebody has begun to speak; the utterance follows."""


@dataclass(frozen=True, slots=True)
class MicrophoneTrouble:
    """A new trouble with the microphone."""

    trouble: Trouble


@dataclass(frozen=True, slots=True)
class SoundCame:
    """A microphone that gave only silence gives sound again."""


@dataclass(frozen=True, slots=True)
class LoudspeakerUnheard:
    """The microphone hears only the room while the program speaks: its loudspeaker is at somebody's ear."""


@dataclass(frozen=True, slots=True)
class SourceEnded:
    """The recording is over."""


@dataclass(frozen=True, slots=True)
class SourceFailed:
    """No more sound will come, or none until the source is back, if it `can_return`.

    The reason is one sentence in English.
    """

    reason: str
    can_return: bool = False


@dataclass(frozen=True, slots=True)
class SourceBack:
    """The source that had failed gives sound again."""


HearingEvent = (
    Utterance | SpeechBegan | MicrophoneTrouble | SoundCame | LoudspeakerUnheard
    | SourceEnded | SourceFailed | SourceBack
)  # fmt: skip


def hear(recogniser: Recogniser, audio: bytes) -> tuple[Hypothesis, ...]:
    """What a recording of one utterance (mono s16le, 16 kHz) may say; nothing if it is a tone.

    Silence around it does not matter.
    """
    said = speech(audio)
    recogniser.start()
    for start in range(0, len(said), BLOCK_BYTES):
        recogniser.feed(said[start : start + BLOCK_BYTES])
    return _finished(recogniser, said)


def _finished(recogniser: Recogniser, audio: bytes) -> tuple[Hypothesis, ...]:
    """End an utterance; recognisers hear words, even a yes, in beeps, most of all with noise beside them."""
    hypotheses = recogniser.finish()
    tones, voice = tones_and_voice(audio)
    if not tones:
        return hypotheses
    return _without_answers(hypotheses) if voice else ()


def _without_answers(hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """What is no answer, nor ends in one; nothing if it is not known what answers."""
    answers = {h.words for h in hypotheses if h.grammar == "answer" and h.words}
    ends = tuple(f" {words}" for words in answers)
    return tuple(h for h in hypotheses if not f" {h.words}".endswith(ends)) if answers else ()


def speech(audio: bytes) -> bytes:
    """From the first speech in a recording to the end of the last; all of it if none is found."""
    return audio[_spoken(audio) or slice(None)][: round(LONGEST_S * RATE) * 2]


def has_speech(audio: bytes) -> bool:
    """Whether there is speech in a recording."""
    return _spoken(audio) is not None


def _spoken(audio: bytes) -> slice | None:
    """Where the speech in a recording is."""
    endpointer = Endpointer()
    first = last = None
    for start in range(0, len(audio) - BLOCK_BYTES + 1, BLOCK_BYTES):
        if found := endpointer.take(audio[start : start + BLOCK_BYTES]):
            first = start + BLOCK_BYTES - len(found) if first is None else first
            last = start + BLOCK_BYTES
    return None if first is None else slice(first, last)


class Listener:
    """Listens to a source in a thread of its own, one utterance for each `resume`.

    It does not listen at first. `resume` starts listening; after each `Utterance` it stops until the program
    has handled it and resumes, and `pause` stops it while the program speaks. Sound that comes meanwhile is
    lost, except in a file: a file is read on only while the program listens, so that a recording of several
    utterances can drive a whole game. A source that fails is opened anew by `reopen` (which raises SoundError
    as long as it cannot be), if that is given. Events are passed to `on_event` in the listener's thread.
    """

    def __init__(
        self,
        source: Source,
        recogniser: Recogniser,
        on_event: Callable[[HearingEvent], None],
        patience: Patience | None = None,
        reopen: Callable[[], Source] | None = None,
    ) -> None:
        self._source = source
        self._reopen = reopen
        self._recogniser = recogniser
        self._on_event = on_event
        self._patience = patience
        self._endpointer = self._new_endpointer()
        self._meter = Meter()
        self._loudspeaker = LoudspeakerWatch()
        self._program_speaks = False
        self._audio = bytearray()
        self._troubles: list[Trouble] = []
        self._changed = threading.Condition()
        self._listening = self._held_open = self._started = self._closed = False
        # Blocks are numbered as they come: while an utterance is processed some may have to wait.
        self._read = 0
        self._hears_from = self._heard_from = 0
        self._over_at: int | None = None  # where an utterance that was released is over
        self._turns: deque[tuple[int, int]] = deque([(0, 0)], maxlen=_MOST_TURNS)
        self._began_in_turn = 0
        self._expectation: tuple[str, Sequence[str]] | None = None
        self._expected: tuple[str, Sequence[str]] = ("", ())
        self._next: Recogniser | None = None
        self._corrections: Sequence[Any] | None = None
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    @property
    def hearing(self) -> bool:
        """Whether somebody is speaking: an utterance has begun, and is not over."""
        return self._started

    def speaks(self, *, now: bool) -> None:
        """Whether the program speaks now, so that the microphone may hear the loudspeaker."""
        self._program_speaks = now

    def says_another(self) -> None:
        """The program says something else from now on; what went before may not have come to a sound."""
        self._loudspeaker = LoudspeakerWatch()

    def measure_anew(self) -> None:
        """Report the trouble with the microphone from now on as if nothing were known of it."""
        self._meter = Meter()

    @property
    def ears(self) -> Sequence[Any]:
        """The networks that hear, as of `Correctable`."""
        return self._recogniser.ears if isinstance(self._recogniser, Correctable) else ()

    def correct(self, corrections: Sequence[Any]) -> None:
        """Hear with what was learnt of the speaker from the next utterance on; see `Correctable.correct`."""
        with self._changed:
            self._corrections = corrections

    def hear_with(self, recogniser: Recogniser) -> None:
        """Use another recogniser, and what it should expect, from the next utterance on."""
        with self._changed:
            self._next, self._expectation = recogniser, None

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        """Set what to listen for, from the next utterance on; see `Recogniser.expect`."""
        with self._changed:
            self._expectation = everything, expected

    def pause(self) -> None:
        """Stop listening; the present utterance is dropped, unless it comes from a file."""
        with self._changed:
            self._listening = self._held_open = False
            self._over_at = None

    def resume(self, turn: int = 0, *, held_open: bool = False) -> None:
        """Listen for one utterance from now on; its event carries the number, so that a late one is noticed.

        While held open, no silence ends it, only `release` does.
        """
        with self._changed:
            if not self._listening:
                self._hears_from = self._arrived()
            self._turns.append((self._arrived(), turn))
            self._listening, self._held_open = True, held_open
            self._changed.notify()

    def release(self) -> None:
        """End the utterance that is held open; it is reported even if nothing was said."""
        with self._changed:
            if self._held_open and self._over_at is None:
                self._over_at = self._arrived() + round(_AFTER_RELEASE_S * 1000 / BLOCK_MS)

    def close(self) -> None:
        """End the thread and close the source; must not be called from within `on_event`."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._source.close()
        self._thread.join(_CLOSING_S)
        if self._thread.is_alive():  # a sound server that hangs lets nothing be opened either
            leave_portaudio()

    def _run(self) -> None:
        try:
            while self._breaks_off():
                pass
            end: HearingEvent = SourceEnded()
        except SoundError as error:
            end = SourceFailed(error.reason)
        # The recognisers are C libraries that raise any kind of exception; the game continues by keyboard.
        except Exception as error:  # noqa: BLE001
            end = SourceFailed(f"The recogniser has failed: {error}")
        if not self._closed:
            self._on_event(end)

    def _breaks_off(self) -> bool:
        """Listen until the source ends; returns whether it has failed, and is back."""
        try:
            self._listen()
        except SoundError as error:
            if self._closed or not self._reopen:
                raise
            self._fail(error)
            return self._is_back(self._reopen)
        return False

    def _fail(self, error: SoundError) -> None:
        """Tell that the source has failed, and forget what was begun."""
        self.pause()
        self._drop()
        self._meter, self._loudspeaker = Meter(), LoudspeakerWatch()
        self._troubles.clear()
        self._on_event(SourceFailed(error.reason, can_return=True))
        self._source.close()

    def _is_back(self, reopen: Callable[[], Source]) -> bool:
        """Wait until the source can be opened anew, and tell it; False if this is closed meanwhile."""
        wait_s = _FIRST_WAIT_S
        while not self._closed:
            with self._changed:
                self._changed.wait_for(lambda: self._closed, wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
            with contextlib.suppress(SoundError):
                if self._takes(reopen()):
                    self._on_event(SourceBack())
                    return True
        return False

    def _takes(self, source: Source) -> bool:
        """Listen to another source from now on; closes it instead if this has been closed."""
        with self._changed:
            if not self._closed:
                self._source = source
                return True
        source.close()
        return False

    def _listen(self) -> None:
        blocks = iter(self._source)
        while self._ready() and (block := next(blocks, None)) is not None:
            self._read += 1
            if not self._source.waits and self._heard_from != self._hears_from:
                self._drop()
            if (self._listening and self._read > self._hears_from) or (self._started and self._source.waits):
                self._take(block)
            else:
                self._drop()
            if not self._source.waits:
                self._watch(block)
        if self._started and not self._closed:
            self._finish(time.perf_counter())

    def _drop(self) -> None:
        """Drop what was heard: sound after a pause has nothing to do with sound before it."""
        self._heard_from = self._hears_from
        if self._started:
            self._recogniser.finish()
            self._started = False
        if self._endpointer.begun:
            self._endpointer = self._new_endpointer()

    def _take(self, block: bytes) -> None:
        arrived = time.perf_counter()
        self._endpointer.held_open = self._held_open
        speech = self._endpointer.take(block)
        if self._endpointer.within and not self._started:
            self._begin()
        if speech:
            self._recogniser.feed(speech)
            self._audio += speech
        if (self._started and not self._endpointer.within) or self._released():
            self._finish(arrived)

    def _begin(self) -> None:
        self._recogniser.start()
        self._audio.clear()
        self._started = True
        self._began_in_turn = self._turn_of(self._read - 1 - self._endpointer.began)
        self._on_event(SpeechBegan())

    def _released(self) -> bool:
        """Whether an utterance that was released is over with this block."""
        over_at = self._over_at
        return over_at is not None and self._read >= over_at

    def _arrived(self) -> int:
        """How many blocks have come so far."""
        return self._read + self._source.waiting

    def _turn_of(self, number: int) -> int:
        """The turn in which a block arrived; for older blocks the oldest turn that is known."""
        with self._changed:
            return next((turn for first, turn in reversed(self._turns) if first <= number), self._turns[0][1])

    def _finish(self, arrived: float) -> None:
        audio = bytes(self._audio) if self._started else b""
        hypotheses = _finished(self._recogniser, audio) if self._started else ()
        turn = self._began_in_turn if self._started else self._turn_of(self._read - 1)
        cut = self._started and self._endpointer.cut
        self._started = False
        if self._endpointer.within:
            self._endpointer = self._new_endpointer()
        self.pause()
        spent_ms = (time.perf_counter() - arrived) * 1000
        self._on_event(Utterance(hypotheses, spent_ms, turn, audio, cut))

    def _watch(self, block: bytes) -> None:
        """Report what is new about the microphone; its trouble not before an utterance is over."""
        speech = self._started and self._endpointer.in_speech
        was_dead = self._meter.dead
        if found := self._meter.take(block, speech=speech):
            self._troubles.append(found)
        if was_dead and not self._meter.dead:
            self._on_event(SoundCame())
        if self._loudspeaker.take(block, speaking=self._program_speaks):
            self._on_event(LoudspeakerUnheard())
        while self._troubles and not self._started:
            self._on_event(MicrophoneTrouble(self._troubles.pop(0)))

    def _ready(self) -> bool:
        """Wait until a file may be read on, and apply new expectations; False when it is all over."""
        with self._changed:
            if self._source.waits and not self._started:
                self._changed.wait_for(lambda: self._listening or self._closed)
            expectation = None if self._started else self._expectation
            if expectation:
                self._expectation = None
            recogniser = None if self._started else self._next
            if recogniser:
                self._next = None
            corrections = None if self._started else self._corrections
            if corrections is not None:
                self._corrections = None
            closed = self._closed
        if recogniser:
            self._recogniser.close()
            self._recogniser = recogniser
        if corrections is not None and isinstance(self._recogniser, Correctable):
            self._recogniser.correct(corrections)
        if expectation and not closed:
            self._recogniser.expect(*expectation)
            self._expected = expectation
        return not closed

    def _new_endpointer(self) -> Endpointer:
        return Endpointer(self._patience, self._complete)

    def _complete(self) -> bool:
        return is_complete(self._recogniser.heard_so_far(), *self._expected)
