# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells a speaker what to say, and records each answer: by voice, screen and Braille, without a key."""

from __future__ import annotations

import contextlib
import io
import logging
import math
import queue
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TextIO

from acessivel.app.enrolment_prompts import Prompt
from acessivel.devices.braille_panel import Panel
from acessivel.devices.devices import SpeechDone, open_display, open_speaker
from acessivel.devices.keyboard import Keyboard, KeyboardEnded, TypedLine
from acessivel.devices.voice_watchdog import longest_s
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session.events import Heard
from acessivel.settings.settings import Settings
from braille import displays
from voices.grammar import grammar
from voices.hearing import utterances
from voices.hearing.endpointer import LONGEST_S, Patience
from voices.hearing.utterances import Listener
from voices.meaning import Command, CommandName
from voices.recognisers import Hypothesis, Recogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.level import room_dbfs
from voices.sound.source import BLOCK_MS, SoundError, Source, is_recording, open_source
from voices.speakers import Speaker, SpeakerFailedError
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech
from voices.understanding.meanings import read

SILENCE_S = 2.0
_PATIENCE_S = 12.0  # until somebody who says nothing is asked again
_RECORDING_S = 3600.0  # a recording says by itself when it is over, however slow the machine is
# How much better than what was asked for any sounds may fit, in nats per frame. A Portuguese voice saying the
# German words was within 2.9; of other announcements than the one asked for, 9 in 10 were not within this.
_UNLIKE = 3.5
_LOG = logging.getLogger(__name__)

_News = TypedLine | KeyboardEnded | SpeechDone | utterances.Event | displays.Event


class LeftError(Exception):
    """The session is over before its end; `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class Booth:
    """Speaks, shows and listens; UserError and MissingPartError when there is nothing to listen with.

    Every method raises LeftError when the speaker stops, or there is no more sound.
    """

    def __init__(self, settings: Settings, write: Callable[[str], None], keys: TextIO | None) -> None:
        self._settings = settings
        self._write = write
        self._renderer = Renderer(settings.language, settings.convention)
        self._news: queue.SimpleQueue[_News] = queue.SimpleQueue()
        words = grammar.pronunciations(settings.convention, settings.language)
        self._recorder = _Recorder(PocketsphinxRecogniser(words))
        self._open_source().close()
        self._listener: Listener | None = None
        self._keyboard = Keyboard(keys or io.StringIO(), self._news.put)
        self._missing: list[Message] = []
        self._speaker: Speaker = open_speaker(settings, self._missing)
        self._speech = Speech(self._speaker, self._spoken)
        display = open_display(settings, self._news.put, write, self._missing)
        spoken = settings.language, settings.convention
        self._panel = Panel(display, *spoken, settings.code) if display else None
        self._turn = 0
        self._sound_ended: Message | None = None

    def tell(self, *messages: Message) -> None:
        """Say and show messages, to the end of the speech; first of all, what is missing."""
        told, self._missing = (*self._missing, *messages), []
        for message in told:
            self._write(self._renderer.text(message))
        if self._panel:
            self._panel.tell(told)
        spans = self._renderer.spans(told)
        try:
            number = self._speech.say(spans)
        except SpeakerFailedError:
            self._be_silent()
            return
        if not any(news == SpeechDone(number) for news in self._happening(longest_s(spans))):
            self._be_silent()

    def silence(self) -> float:
        """The level of the room, in dBFS, from `SILENCE_S` of it; from now on there is a microphone."""
        source = self._open_source()
        blocks = iter(source)
        try:
            quiet = list(islice(blocks, round(SILENCE_S * 1000 / BLOCK_MS)))
        except SoundError as error:
            source.close()
            raise LeftError(Message.of("enrol_no_microphone")) from error
        patience = Patience(self._settings.silence, self._settings.pause)
        self._listener = Listener(
            _Rest(source, blocks), self._recorder, self._news.put, patience, barge_in=True
        )
        return room_dbfs(quiet)

    def record(self, prompt: Prompt) -> bytes | None:
        """What the speaker says to a prompt (mono s16le, 16 kHz); None when it was nothing like it."""
        if self._listener is None or self._sound_ended:
            raise LeftError(self._sound_ended or Message.of("enrol_sound_ended"))
        self._turn += 1
        self._listener.expect(_only(prompt.words), ())
        utterance = self._utterance(self._listener)
        return bytes(self._recorder.audio) if utterance and _is_like(utterance.hypotheses) else None

    def close(self) -> None:
        """Give the devices back."""
        with contextlib.ExitStack() as stack:
            for device in (self._recorder, self._speaker, self._panel, self._listener):
                if device:
                    stack.callback(device.close)

    def _open_source(self) -> Source:
        microphone = self._settings.microphone
        try:
            return open_source(microphone or None)
        except SoundError as error:
            _LOG.info("no microphone: %s", error.reason)
            if is_recording(microphone):
                raise UserError(Message.of("bad_sound", file=microphone)) from error
            raise UserError(Message.of("enrol_no_microphone")) from error

    def _utterance(self, listener: Listener) -> utterances.Utterance | None:
        """The next utterance; None when nobody begins to speak."""
        recorded = is_recording(self._settings.microphone)
        listener.resume(self._turn)
        for patience_s in (_RECORDING_S,) * 2 if recorded else (_PATIENCE_S, 2 * LONGEST_S):
            for news in self._happening(patience_s):
                match news:
                    case utterances.SpeechBegan():
                        break
                    case utterances.Utterance(turn=self._turn):
                        return news
                    case utterances.Utterance():  # what began before the prompt is no answer to it
                        listener.resume(self._turn)
                    case utterances.SourceEnded() | utterances.SourceFailed() if self._sound_ended:
                        raise LeftError(self._sound_ended)
            else:
                break
        listener.pause()
        return None

    def _happening(self, patience_s: float) -> Iterator[_News]:
        """The news until so many seconds are over, those of the keys dealt with."""
        until = time.monotonic() + patience_s
        while (left_s := until - time.monotonic()) > 0:
            try:
                news = self._news.get(timeout=left_s)
            except queue.Empty:
                return
            match news:
                case TypedLine(text):
                    self._keyboard.proceed()
                    self._typed(text)
                case displays.Pressed(key) if self._panel:
                    event = self._panel.press(key)
                    if isinstance(event, Heard):
                        self._typed(*event.words)
                case displays.Attached(size) if self._panel:
                    self._panel.resize(size)
                case utterances.MicrophoneTrouble(trouble):
                    self._missing.append(Message.of(f"microphone_{trouble}"))
                case utterances.SourceFailed():
                    self._sound_ended = Message.of("enrol_no_microphone")
                case utterances.SourceEnded():
                    self._sound_ended = Message.of("enrol_sound_ended")
            yield news

    def _typed(self, text: str) -> None:
        """Leave when that is what was typed; nothing else can be."""
        readings = read(text, self._settings.language, self._settings.convention)
        if any(reading.meaning == Command(CommandName.STOP) for reading in readings):
            raise LeftError(Message.of("enrol_left"))

    def _spoken(self, number: int) -> None:
        self._news.put(SpeechDone(number))

    def _be_silent(self) -> None:
        """Go on without the voice, which has failed."""
        self._speaker.close()
        self._speaker = SilentSpeaker()
        self._speech = Speech(self._speaker, self._spoken)
        self._write(self._renderer.text(Message.of("speech_lost")))


class _Recorder:
    """A recogniser that keeps the sound of the utterance that it hears."""

    unknown_words = ()

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self.name = recogniser.name
        self.audio = bytearray()

    def expect(self, everything: str, expected: Sequence[str]) -> None:
        self._recogniser.expect(everything, expected)

    def start(self) -> None:
        self.audio.clear()
        self._recogniser.start()

    def feed(self, block: bytes) -> None:
        self.audio += block
        self._recogniser.feed(block)

    def heard_so_far(self) -> str:
        return self._recogniser.heard_so_far()

    def finish(self) -> tuple[Hypothesis, ...]:
        return self._recogniser.finish()

    def close(self) -> None:
        self._recogniser.close()


class _Rest:
    """What is left of a source that has been read from."""

    def __init__(self, source: Source, blocks: Iterator[bytes]) -> None:
        self.waits = source.waits
        self._source = source
        self._blocks = blocks

    @property
    def waiting(self) -> int:
        return self._source.waiting

    def __iter__(self) -> Iterator[bytes]:
        return self._blocks

    def close(self) -> None:
        self._source.close()


def _only(words: str) -> str:
    """The grammar of one phrase."""
    return f"#JSGF V1.0;\ngrammar prompt;\npublic <utterance> = {words};\n"


def _is_like(hypotheses: Sequence[Hypothesis]) -> bool:
    """Whether the phrase that was asked for fits what was said hardly worse than any sounds do."""
    best = {hypothesis.grammar: hypothesis.score for hypothesis in hypotheses}
    return "all" in best and best.get("filler", -math.inf) - best["all"] <= _UNLIKE
