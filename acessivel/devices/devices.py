# SPDX-License-Identifier: GPL-3.0-or-later
"""The devices of a run, opened from the settings; whatever is missing is reported once, with its remedy."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TextIO

from acessivel.devices import keys as keys_of
from acessivel.devices.braille_panel import BraillePanel, code_for
from acessivel.devices.engine import Opponent, Player, find_engine
from acessivel.devices.installation import display_remedy, engine_missing, install, voice_missing
from acessivel.devices.keyboard import Keyboard, LineReader, ReportKey
from acessivel.devices.keys import Bindings
from acessivel.devices.microphone import MicrophoneGate
from acessivel.devices.private_voice import PrivateVoice, open_private, opener, unusable
from acessivel.devices.recogniser import Report, hear_in, hears_while_speaking, open_listener
from acessivel.devices.teacher import Teacher
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session.preferences import NO_MICROPHONE, Preferences
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from acessivel.storage.tape import Recorder
from braille import liblouis
from braille.displays import Display, DisplayMissingError
from braille.displays.brlapi import BrlapiDisplay
from braille.displays.terminal import TerminalDisplay
from voices.hearing.decision import REPEAT
from voices.hearing.utterances import Listener
from voices.sound import earcons
from voices.sound.source import has_loudspeaker
from voices.speakers import Speaker, SpeakerMissingError
from voices.speakers.pyttsx3 import Pyttsx3Speaker
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech
from voices.speakers.speechd import SpeechdSpeaker
from voices.words.lexicon import Sounds

_LOG = logging.getLogger(__name__)
_DUMB = ("dumb", "unknown")  # values of TERM: such a terminal cannot draw a line again


@dataclass(frozen=True, slots=True)
class SpeechDone:
    """The message of that number has been spoken, or was stopped."""

    number: int


@dataclass(slots=True)
class Devices:
    """The available devices. `inputs` names the sources that announcements can still come from.

    `least_yes` and `repeat`: how probable a spoken yes of this speaker must be at least, and any other
    reading that is repeated. `teacher`: lets the ears learn from this speaker, if that is wanted.
    `voice_is_private` and `display_is_private`: whether speech or Braille reaches the player alone;
    `private_voice`: a voice beside `speech` that does. `preferences`: how to speak, tell and listen. `sound`
    plays earcons by name, and then calls what it is given. `hear_in` switches recognition to another
    language and convention, with the sounds of further words, and returns whether it can. `open_voice`
    opens the voice anew, after it has failed. `recorder`: only in a game that is taped.
    """

    write: Callable[[str], None]
    speech: Speech
    speaker: Speaker
    keyboard: Keyboard | None = None
    listener: Listener | None = None
    panel: BraillePanel | None = None
    opponent: Player | None = None
    recorder: Recorder | None = None
    private_voice: PrivateVoice | None = None
    microphone: MicrophoneGate = field(default_factory=MicrophoneGate)
    bindings: Bindings = field(default_factory=keys_of.load)
    inputs: set[str] = field(default_factory=set)
    missing: tuple[Message, ...] = ()
    least_yes: float = 0.0
    repeat: float = REPEAT
    teacher: Teacher | None = None
    voice_is_private: bool = False
    display_is_private: bool = False
    preferences: Preferences = field(default_factory=Preferences)
    sound: Callable[[Iterable[str], Callable[[], None]], None] = lambda _, on_end: on_end()
    hear_in: Callable[[str, str, Sounds], bool] = lambda *_: True
    open_voice: Callable[[], Speaker] = SilentSpeaker

    def adopt(self, preferences: Preferences, renderer: Renderer) -> None:
        """Speak, listen, show and take keys by these preferences, in the renderer's language."""
        self.preferences = self.limited(preferences)
        self.speaker.take(preferences.voice)
        if self.private_voice:
            self.private_voice.take(preferences.voice)
        if self.microphone.talk not in (preferences.talk, NO_MICROPHONE):
            # If the table was broken from the start, the keys stay as they are.
            with contextlib.suppress(keys_of.KeysError):
                self.bindings = keys_of.load(push=preferences.talk == "push", place=self.bindings.place)
        self.microphone.adopt(push_to_talk=preferences.talk == "push", listens=preferences.listens)
        if self.panel:
            self.panel.adopt(renderer, self.bindings)

    def read_keys(self, keys: TextIO, report: Report) -> None:
        """Read lines or keys from a terminal or a pipe from now on, and write beside what is typed."""
        self.keyboard = open_keyboard(keys, report, self.write)
        self.write = self.keyboard.write
        self.inputs.add("keyboard")

    def learn(self, settings: Settings) -> None:
        """Let the ears learn from now on, where there is a microphone, and a profile is wanted."""
        if self.listener and settings.profile != profiles.NONE and not self.teacher:
            self.teacher = Teacher(settings, self.listener, self._need)

    def _need(self, repeat: float) -> None:
        """Repeat readings of this probability from now on."""
        self.repeat = repeat

    @property
    def private(self) -> bool:
        """Whether there is a channel that reaches one player alone."""
        heard = self.voice_is_private and self.speaks
        return bool(self.display_is_private or heard or self.private_voice)

    @property
    def speaks(self) -> bool:
        """Whether there is a voice now."""
        return not isinstance(self.speaker, SilentSpeaker)

    @property
    def only_voice(self) -> bool:
        """Whether orders can be given by nothing but the player's voice."""
        return self.inputs == {"microphone"}

    @property
    def list_follows(self) -> bool:
        """Whether a list of what can be begun follows, on pages that stay open."""
        return "page" in self.inputs

    @property
    def keeps_waiting(self) -> bool:
        """Whether an announcement is not heard before the voice has ended, so that it should be brief."""
        return self.speaks and self.microphone.talk == "hands-free" and not self.microphone.interruptible

    def end_game(self) -> None:
        """Do without the engine and the recording of a game that was played here."""
        for device in (self.opponent, self.recorder):
            if device:
                device.close()
        self.opponent = self.recorder = None

    def speak_with(self, speaker: Speaker) -> None:
        """Continue with another voice, as this one has failed."""
        self.speaker.close()
        self.speaker = speaker
        self.preferences = self.limited(self.preferences)
        speaker.take(self.preferences.voice)
        self.speech.use(speaker)

    def limited(self, preferences: Preferences) -> Preferences:
        """Preferences with the limits of the voice that speaks now."""
        limits = self.speaker.limits
        return replace(preferences, rates=limits.get("rate", ()), pitches=limits.get("pitch", ()))

    def close(self) -> None:
        """Release every device."""
        with contextlib.ExitStack() as stack:
            stack.callback(earcons.finish)
            for device in (
                self.recorder,
                self.private_voice,
                self.speaker,
                self.opponent,
                self.panel,
                self.listener,
                self.teacher,
                self.keyboard,
            ):
                if device:
                    stack.callback(device.close)


def open_devices(  # noqa: PLR0913  # what they are opened with, and where that is told
    settings: Settings,
    report: Report,
    write: Callable[[str], None],
    keys: TextIO | None,
    *,
    place: str = "",
    sounds: Sounds = MappingProxyType({}),
) -> Devices:
    """Open every device that the settings ask for and this machine has; their events go to `report`.

    `place`: what the keys are for, as of `keys.Bindings`. `sounds` are pronunciations of
    words beside those of the convention.
    """
    missing: list[Message] = []
    speaker = open_speaker(settings, missing)

    def on_spoken(number: int) -> None:
        report(SpeechDone(number))

    devices = Devices(write, Speech(speaker, on_spoken), speaker)
    devices.open_voice = lambda: open_speaker(settings, [])
    if settings.speak != "off":
        devices.sound = earcons.play
    devices.bindings = keys_of.load(push=settings.talk == "push", place=place)
    devices.private_voice = open_private(settings, missing)
    in_room = settings.room_output or settings.private_output
    devices.voice_is_private = settings.headphones and not in_room
    _add_microphone(devices, settings, open_listener(settings, report, missing, sounds), missing)
    named = earcons.parse(settings.earcons)
    manner, talk, voiced = settings.manner, devices.microphone.talk, settings.speak != "off"
    devices.preferences = devices.limited(Preferences(manner, settings.verbosity, named, talk, voiced=voiced))

    def show_line(line: str) -> None:
        devices.write(line)  # as it is by then: beside the line that is being typed

    _add_display(devices, settings, open_display(settings, report, show_line, missing))
    if settings.opponent == "engine":
        devices.opponent = _open_engine(settings, report, missing)
    devices.missing = tuple(missing)
    # The last one: until here the terminal is as it was, and Ctrl-C ends the program.
    devices.read_keys(keys or io.StringIO(), report)
    return devices


def _add_microphone(
    devices: Devices, settings: Settings, listener: Listener | None, missing: list[Message]
) -> None:
    """Hear the player, as far as there is anything to listen with."""
    devices.least_yes, devices.repeat = profiles.needed(settings)
    devices.listener = listener
    push_to_talk = settings.talk == "push"
    hears = hears_while_speaking(settings)
    devices.microphone = MicrophoneGate(
        listener,
        push_to_talk=push_to_talk,
        headphones=bool(hears) and settings.headphones,
        interruptible=bool(hears),
        finds_out=hears is not False,
        confirm=settings.confirm,
    )
    if listener:
        devices.inputs.add("microphone")
        devices.hear_in = partial(hear_in, settings, listener)
        if broken := profiles.broken(settings):
            missing.append(broken)
        if profiles.is_damaged(settings):
            missing.append(profiles.damaged(settings))
        if settings.learn == "on":
            devices.learn(settings)
        if push_to_talk:
            missing.append(Message.of("talk_push"))


def _add_display(devices: Devices, settings: Settings, display: Display | None) -> None:
    """Show on the display, if there is one; a real one reaches its reader alone, and has keys."""
    if display is None:
        return
    devices.panel = BraillePanel(
        display, settings.language, settings.convention, settings.code, devices.bindings
    )
    if display.name != "terminal":
        devices.inputs.add("display")
        devices.display_is_private = True


def _open_engine(settings: Settings, report: Report, missing: list[Message]) -> Opponent | None:
    program = find_engine(settings.engine or None)
    if program:
        return Opponent(program, settings.level, report)
    missing.append(engine_missing(settings))
    return None


def open_keyboard(lines: TextIO, report: ReportKey, write: Callable[[str], None]) -> Keyboard:
    """The keyboard of a terminal that can draw a line again, with its keys; else lines alone."""
    if lines.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in _DUMB:
        from acessivel.devices.terminal_keyboard import TerminalKeyboard  # noqa: PLC0415 - a script needs none

        return TerminalKeyboard(lines, sys.stdout, report)
    return LineReader(lines, report, write)


def open_speaker(settings: Settings, missing: list[Message]) -> Speaker:
    """The voice of the settings, or the best one: speech-dispatcher if its server runs, then pyttsx3."""
    kinds: dict[str, tuple[Callable[[], Speaker], ...]] = {
        "auto": (SpeechdSpeaker, Pyttsx3Speaker),
        "speechd": (SpeechdSpeaker,),
        "pyttsx3": (Pyttsx3Speaker,),
        "off": (),
    }
    chosen = kinds[settings.speak]
    if settings.room_output and chosen:
        # Speech Dispatcher plays on the output that its own server is set to.
        chosen = (opener(settings.room_output),)
    for kind in chosen:
        # pyttsx3 would fail silently without sound; Speech Dispatcher has a server that knows.
        if kind is Pyttsx3Speaker and not has_loudspeaker():
            missing.append(Message.of("missing_loudspeaker"))
            return SilentSpeaker()
        try:
            speaker = kind()
        except SpeakerMissingError as error:
            _LOG.info("no voice: %s", error.reason)
        else:
            speaker.take(settings.manner)
            return speaker
    if settings.speak != "off":
        wrong = unusable(settings) if settings.room_output else None
        missing.append(wrong or voice_missing(settings.speak))
    return SilentSpeaker()


def braille_works(language: str, code: str = "auto") -> bool:
    """Whether text can be translated to a Braille code: liblouis or its tables may be missing."""
    try:
        code_for(code, language).text("e4")
    except (liblouis.LiblouisMissingError, ValueError) as error:
        _LOG.info("no liblouis: %s", error)
        return False
    return True


def open_display(
    settings: Settings, report: Report, write: Callable[[str], None], missing: list[Message]
) -> Display | None:
    """The display of the settings, if it is there and text can be translated for it."""
    if settings.braille == "off":
        return None
    if not braille_works(settings.language, settings.code):
        missing.append(Message.of("missing_liblouis", how=install("liblouis")))
        return None
    if settings.braille == "terminal":
        return TerminalDisplay(write)
    try:
        return BrlapiDisplay(report)
    except DisplayMissingError as error:
        _LOG.info("no display: %s", error.reason)
        missing.append(Message.of("missing_braille", remedy=display_remedy()))
        return None
