# SPDX-License-Identifier: GPL-3.0-or-later
"""The enrolment as an activity: tells a speaker what to say, and records each answer without a key press."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from acessivel.app.activity import (
    Activity,
    DeviceChanged,
    Input,
    InputEnded,
    KeyPressed,
    Output,
    Reported,
    SpeechOver,
    Tell,
    TimePassed,
    TypedText,
    Uttered,
    preferred,
)
from acessivel.app.consent import Consent, ConsentActivity
from acessivel.app.enrolment_prompts import ROUNDS, Prompt, prompts
from acessivel.app.patience import AGAIN_S, WORKING
from acessivel.devices.devices import Devices
from acessivel.devices.microphone import MicrophoneGate
from acessivel.devices.recogniser import open_recogniser, wrong_microphone
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from voices.grammar import grammar
from voices.hearing.endpointer import LONGEST_S, Patience
from voices.hearing.utterances import Listener
from voices.meaning import Command, CommandName
from voices.recognisers import Hypothesis, Recogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.sound.level import room_dbfs
from voices.sound.source import BLOCK_MS, SoundError, Source, is_recording, open_source
from voices.understanding.meanings import read

SILENCE_S = 2.0
_PATIENCE_MS = 12_000  # how long a silent speaker has before being asked again
_SPEAKING_MS = round(2 * LONGEST_S * 1000)  # longer for a speaker who has begun to speak
_ATTEMPTS = 3
_SILENT_PROMPTS = 3  # in a row: the speaker has left
# How much better than the prompt arbitrary sounds may fit, in nats per frame. A Portuguese voice saying the
# German words was within 2.9; of announcements other than the prompt, 9 in 10 were not within this.
_UNLIKE = 3.5
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recording:
    """A prompt of a round, and how the speaker said it (mono s16le, 16 kHz)."""

    prompt: Prompt
    round: int
    audio: bytes


@dataclass(frozen=True, slots=True)
class _RoomHeard:
    """The level of the room in dBFS, and the source to continue with; None if there is no sound."""

    level: float
    source: Source | None


Keep = Callable[[], tuple[Message, ...]]
"""Stores the profile, and the recordings if the speaker agreed, and says how good it is. Raises UserError."""
Finish = Callable[[float, Sequence[Recording], bool], Keep]
"""Makes the profile of the level of the room and the recordings; that takes minutes."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Makes the profile, in a thread of its own."""

    make: Callable[[], Keep]


@dataclass(frozen=True, slots=True)
class _Compared:
    """What came of a comparison: it failed by an error of the program, or can be stored."""

    outcome: Keep | Exception


# What the script waits for: the end of speech, the level of the room, an answer to a prompt or a question, or
# what is compared.
_Expected = tuple[Message, ...] | Prompt | ConsentActivity | _Comparison | None
_Received = bytes | float | bool | Keep | None  # what answers that
_EnrolmentCourse = Generator[_Expected, _Received, None]


class _LeftError(Exception):
    """The enrolment ends early; `message` says why, None if the speaker chose to leave."""

    def __init__(self, message: Message | None = None) -> None:
        super().__init__(message.key if message else "left")
        self.message = message


class EnrolmentActivity(Activity):
    """Leads a speaker through the prompts; `status` is the exit status, 1 if it has failed."""

    kind = "enrolment"

    def __init__(
        self,
        settings: Settings,
        devices: Devices,
        report: Callable[[object], None],
        finish: Finish,
        *,
        keeps: Consent | None = None,
    ) -> None:
        """`report` takes what is heard; `keeps` asks whether the recordings may be kept, if they are to be.

        Raises MissingPartError if there is no recogniser.
        """
        self._settings = settings
        self._devices = devices
        self._report = report
        self._finish = finish
        self._keeps = keeps
        self._recogniser = self._of_prompts()
        self._script = self._session()
        self._awaited: _Expected = None
        self._told: tuple[Message, ...] = ()
        self._until_ms: float = math.inf
        self._sound_ended = False
        self._why: tuple[Message, ...] = ()
        self._done = False
        self.status = 0

    @property
    def words(self) -> tuple[str, str]:
        """The speaker's."""
        return self._settings.language, self._settings.convention

    def start(self, now_ms: int) -> Sequence[Output]:
        """Explain the enrolment, and how to leave it."""
        return self._go_on(None, now_ms)

    def handle(self, input_: Input, now_ms: int) -> Sequence[Output] | None:
        """Continue after a sentence was spoken, the room was measured, or a prompt was answered or not."""
        match input_:
            case SpeechOver():
                return self._spoken(now_ms)
            case Uttered() | KeyPressed("send" | "cancel") if asked := self._asked_now():
                told = asked.handle(input_, now_ms)
                return self._left(_LeftError()) if asked.left else told
            case Reported(_RoomHeard(level, source)):
                return self._measured(level, source, now_ms)
            case Uttered(utterance, timely) if isinstance(self._awaited, Prompt):
                if not timely:  # what began before the prompt is no answer to it
                    return ()
                liked = _is_like(utterance.hypotheses)
                return self._go_on(utterance.audio if liked else None, now_ms)
            case Reported(_Compared(outcome)):
                return self._compared(outcome, now_ms)
            case TimePassed() if self._waits and now_ms >= self._until_ms:
                return self._overdue(now_ms)
            case DeviceChanged("microphone_lost") | InputEnded("microphone"):
                return self._no_more_sound(input_)
            case InputEnded():
                return ()  # nothing has to be typed
            case KeyPressed() | TypedText() if told := preferred(input_, self.words):
                return told
            case TypedText(text):
                return self._typed(text, now_ms)
        return None

    @property
    def _waits(self) -> bool:
        """Whether something is told in time, if nothing happens."""
        return self.listens or isinstance(self._awaited, _Comparison)

    @property
    def listens(self) -> bool:
        """Only for the answer to a prompt or a question."""
        return isinstance(self._awaited, Prompt) or self._asked_now() is not None

    def expectation(self) -> tuple[str, Sequence[str]]:
        """The words of the prompt and nothing else, or all that can be said to a question."""
        if asked := self._asked_now():
            return asked.expectation()
        words = self._awaited.words if isinstance(self._awaited, Prompt) else ""
        return f"#JSGF V1.0;\ngrammar prompt;\npublic <utterance> = {words};\n", ()

    def pending(self) -> tuple[Message, ...]:
        """What the speaker is asked to say."""
        return self._awaited.pending() if isinstance(self._awaited, ConsentActivity) else self._told

    def wakes_in_ms(self, now_ms: int, *, quiet: bool) -> int | None:  # noqa: ARG002
        """When a silent speaker is asked again, or it is told that the comparison goes on."""
        waits = self._waits and math.isfinite(self._until_ms)
        return max(0, round(self._until_ms - now_ms)) if waits else None

    def leave(self, now_ms: int) -> Sequence[Output]:  # noqa: ARG002
        """Why it is over, and that nothing is stored, unless it was completed."""
        return () if self._done else (Tell((*self._why, Message.of("enrol_left"))),)

    # The script: yields what to wait for, and is sent the result

    def _session(self) -> _EnrolmentCourse:
        """The whole enrolment, from the welcome to the profile."""
        yield Message.of("enrol_welcome"), Message.of("enrol_silence")
        level = yield None
        kept = False
        if self._keeps:
            kept = bool((yield ConsentActivity(self._keeps, self.words, self.kind)))
        recordings: list[Recording] = []
        silent = 0
        language, convention = self.words
        for round_ in ROUNDS:
            yield (Message.of("enrol_first_round" if round_ == ROUNDS[0] else "enrol_second_round"),)
            for prompt in prompts(convention, language, round_):
                audio = yield from self._said(prompt)
                silent = 0 if audio else silent + 1
                if silent == _SILENT_PROMPTS:
                    raise _LeftError(Message.of("enrol_nobody"))
                if audio:
                    recordings.append(Recording(prompt, round_, audio))
        yield (Message.of("enrol_fitting"),)
        room = float(level) if isinstance(level, float) else -math.inf
        keep = yield _Comparison(partial(self._finish, room, recordings, kept))
        report = keep() if callable(keep) else ()
        self._done = True
        yield report

    def _said(self, prompt: Prompt) -> Generator[_Expected, _Received, bytes | None]:
        """A prompt as the speaker says it, asked again if it was not understood; None if it is skipped."""
        for attempt in range(_ATTEMPTS):
            again = (Message.of("enrol_again"),) if attempt else ()
            yield *again, Message.of("enrol_say", words=prompt.said)
            audio = yield prompt
            if isinstance(audio, bytes):
                return audio
        yield (Message.of("enrol_skipped", words=prompt.said),)
        return None

    def _go_on(self, result: _Received, now_ms: int) -> Sequence[Output]:
        """Continue with a result; the wait for the next one begins now."""
        try:
            self._awaited = self._script.send(result)
        except StopIteration:
            self.over = True
            return ()
        except _LeftError as left:
            return self._left(left)
        except UserError as error:  # nothing could be stored
            return self._left(_LeftError(error.message))
        match self._awaited:
            case tuple() as messages:
                self._told = messages
                return (Tell(messages),)
            case Prompt() | ConsentActivity() if self._sound_ended:
                return self._left(_LeftError(Message.of("enrol_sound_ended")))
            case Prompt():
                self._wait_from(now_ms)
            case ConsentActivity() as asked:
                self._until_ms = math.inf
                self._hear_with(open_recogniser(replace(self._settings, profile=profiles.NONE)))
                return asked.start(now_ms)
            case _Comparison(make):
                self._until_ms = now_ms + AGAIN_S * 1000
                threading.Thread(target=self._compare, args=(make,), name="enrolment", daemon=True).start()
            case None:
                self._measure()
        return ()

    def _compare(self, make: Callable[[], Keep]) -> None:
        """Report what comes of it, from the thread in which that is found out."""
        try:
            self._report(_Compared(make()))
        except Exception as error:  # noqa: BLE001 - raised again where it is told
            self._report(_Compared(error))

    def _compared(self, outcome: Keep | Exception, now_ms: int) -> Sequence[Output]:
        """Store it, and tell how good it is. Raises an error of the program, after which it is over."""
        if isinstance(outcome, Exception):
            self._give_up()
            raise outcome
        return self._go_on(outcome, now_ms)

    def _give_up(self) -> None:
        """End it once what is told now has been spoken."""
        self._awaited, self._told, self.status = (), (), 1
        self._script.close()

    def _spoken(self, now_ms: int) -> Sequence[Output] | None:
        """What was told has been spoken: that goes on, or somebody is waited for."""
        match self._awaited:
            case tuple():
                return self._go_on(None, now_ms)
            case ConsentActivity() as asked:
                return self._asked(asked, now_ms)
            case Prompt():  # it was told again
                self._wait_from(now_ms)
        return None

    def _asked(self, asked: ConsentActivity, now_ms: int) -> Sequence[Output]:
        """A question has been spoken, and now an answer is awaited; or its answer has been confirmed."""
        if asked.over:
            self._hear_with(self._of_prompts())
            return self._go_on(asked.agreed, now_ms)
        self._wait_from(now_ms)
        return ()

    def _of_prompts(self) -> Recogniser:
        return PocketsphinxRecogniser(grammar.pronunciations(*reversed(self.words)))

    def _hear_with(self, recogniser: Recogniser) -> None:
        """Listen to a prompt with pocketsphinx, and to an answer as in a game: much sounds like a yes."""
        if self._devices.listener:
            self._devices.listener.hear_with(recogniser)

    def _wait_from(self, now_ms: int) -> None:
        """Give a silent speaker time; a recording ends when its sound does, however slow the machine is."""
        patience = math.inf if is_recording(self._settings.microphone) else _PATIENCE_MS
        self._until_ms = now_ms + patience

    def _left(self, left: _LeftError) -> Sequence[Output]:
        self.over = True
        self._why = (left.message,) if left.message else ()
        self.status = 1 if left.message else 0
        return ()

    # The room, the microphone, and typed lines

    def _measure(self) -> None:
        """Listen to the room for `SILENCE_S`, in a thread of its own."""
        try:
            source = opened_microphone(self._settings)
        except UserError:
            self._report(_RoomHeard(-math.inf, None))
            return

        def hear() -> None:
            blocks = iter(source)
            try:
                quiet = list(islice(blocks, round(SILENCE_S * 1000 / BLOCK_MS)))
            except SoundError:
                source.close()
                self._report(_RoomHeard(-math.inf, None))
            else:
                self._report(_RoomHeard(room_dbfs(quiet), _Rest(source, blocks)))

        threading.Thread(target=hear, name="room", daemon=True).start()

    def _measured(self, level: float, source: Source | None, now_ms: int) -> Sequence[Output]:
        """Use the microphone from now on."""
        if source is None:
            return self._left(_LeftError(Message.of("enrol_no_microphone")))
        patience = Patience(self._settings.silence, self._settings.pause)
        devices = self._devices
        devices.listener = Listener(source, self._recogniser, self._report, patience)
        devices.microphone = MicrophoneGate(devices.listener)
        devices.inputs.add("microphone")
        return self._go_on(level, now_ms)

    def _overdue(self, now_ms: int) -> Sequence[Output]:
        """It still compares; or nobody has answered, and who has begun to speak is given more time."""
        if isinstance(self._awaited, _Comparison):
            self._until_ms = now_ms + AGAIN_S * 1000
            return (Tell((WORKING,)),)
        if self._devices.microphone.hearing:
            self._until_ms += _SPEAKING_MS
            return ()
        if isinstance(self._awaited, ConsentActivity):
            self._until_ms = math.inf
            return self._awaited.answered(None)
        return self._go_on(None, now_ms)

    def _no_more_sound(self, input_: DeviceChanged | InputEnded) -> Sequence[Output]:
        """The end of a recording ends it if an answer is awaited, else at the next prompt; a loss, once told.

        When all has been said neither matters.
        """
        if isinstance(input_, DeviceChanged):
            if self._done or isinstance(self._awaited, _Comparison):
                return ()
            self._give_up()
            return (Tell((Message.of(input_.key),)),)
        self._sound_ended = True
        if self.listens:
            return self._left(_LeftError(Message.of("enrol_sound_ended")))
        return ()

    def _typed(self, text: str, now_ms: int) -> Sequence[Output]:
        """Answer, leave, or hear once more what is to be said; whatever else is typed, how to leave, too."""
        meant = [one.meaning for one in read(text, *self.words)]
        if Command(CommandName.STOP) in meant:
            return self._left(_LeftError())
        if asked := self._asked_now():
            return asked.handle(TypedText(text), now_ms) or ()
        if self._awaited is None:  # the room is to be silent
            return ()
        again = Command(CommandName.REPEAT) in meant
        return (Tell(self._told if again else (*self._told, Message.of("enrol_how_to_leave"))),)

    def _asked_now(self) -> ConsentActivity | None:
        """The question that waits for its answer; a key that hushes what follows one answers nothing."""
        asked = self._awaited
        return asked if isinstance(asked, ConsentActivity) and not asked.over else None


class _Rest:
    """The rest of a source that has been read from."""

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


def opened_microphone(settings: Settings) -> Source:
    """The microphone or the recording. Raises UserError if there is none."""
    try:
        return open_source(settings.microphone or None)
    except SoundError as error:
        _LOG.info("no microphone: %s", error.reason)
        raise UserError(wrong_microphone(settings, error) or Message.of("enrol_no_microphone")) from error


def _is_like(hypotheses: Sequence[Hypothesis]) -> bool:
    """Whether the prompt fits what was said hardly worse than arbitrary sounds do."""
    best = {hypothesis.grammar: hypothesis.score for hypothesis in hypotheses}
    return "all" in best and best.get("filler", -math.inf) - best["all"] <= _UNLIKE
