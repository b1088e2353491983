# SPDX-License-Identifier: GPL-3.0-or-later
"""The devices of a run, opened from the settings; whatever is missing is reported once, with its remedy."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import logging
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import requires
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from acessivel.devices import keys as keys_of
from acessivel.devices.braille_panel import BraillePanel, code_for
from acessivel.devices.engine import Opponent, Player, find_engine
from acessivel.devices.keyboard import Keyboard
from acessivel.devices.keys import Bindings
from acessivel.devices.microphone import MicrophoneGate
from acessivel.devices.private_voice import PrivateVoice, open_private, opener
from acessivel.devices.terminal_keyboard import TerminalKeyboard, open_keyboard
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.session.preferences import NO_MICROPHONE, Preferences
from acessivel.settings import profiles
from acessivel.settings.settings import Settings, file_path
from acessivel.storage.tape import Recorder
from braille import liblouis
from braille.displays import Display, DisplayMissingError
from braille.displays.brlapi import BrlapiDisplay
from braille.displays.terminal import TerminalDisplay
from voices.grammar import grammar
from voices.hearing.endpointer import Patience
from voices.hearing.profile import Profile, narrowed
from voices.hearing.utterances import Listener
from voices.models.installed import find_vosk_model
from voices.packages import MissingPartError
from voices.recognisers import Recogniser
from voices.recognisers.joined import JoinedRecogniser
from voices.recognisers.network import NetworkRecogniser
from voices.recognisers.pocketsphinx import PocketsphinxRecogniser
from voices.recognisers.vosk import VoskRecogniser
from voices.sound import earcons
from voices.sound.source import SoundError, has_loudspeaker, is_recording, open_source
from voices.speakers import Speaker, SpeakerMissingError
from voices.speakers.pyttsx3 import Pyttsx3Speaker
from voices.speakers.silent import SilentSpeaker
from voices.speakers.speech import Speech
from voices.speakers.speechd import SpeechdSpeaker
from voices.understanding import replay_steps
from voices.words.lexicon import Sounds, all_sounds
from voices.words.phrasing import phrasing

_APT = "sudo apt-get install"
_EXTRAS = {"voice": "espeak-ng alsa-utils libportaudio2", "vosk": "", "adjourn": "", "plot": ""}
_PACKAGES = {
    "liblouis": "python3-louis liblouis-data",
    "brltty": "brltty python3-brlapi",
    "engine": "stockfish",
    "speechd": "speech-dispatcher python3-speechd",
}
_ADDRESSES = {
    "liblouis": "https://liblouis.io",
    "brltty": "https://brltty.app",
    "engine": "https://stockfishchess.org/download",
    "speechd": "https://freebsoft.org/speechd",
}
_LOG = logging.getLogger(__name__)

Report = Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class SpeechDone:
    """The message of that number has been spoken, or was stopped."""

    number: int


@dataclass(slots=True)
class Devices:
    """The available devices. `inputs` names the sources that announcements can still come from.

    `least_yes`: how probable a spoken yes of this speaker must be at least. `voice_is_private` and
    `display_is_private`: whether speech or Braille reaches the player alone; `private_voice`: a voice beside
    `speech` that does. `preferences`: how to speak, tell and listen. `sound` plays earcons by name. `hear_in`
    switches recognition to another language and convention, and returns whether it can. `recorder`:
    only in a game that is taped.
    """

    write: Callable[[str], None]
    speech: Speech
    speaker: Speaker
    on_spoken: Callable[[int], None]
    keyboard: Keyboard | TerminalKeyboard | None = None
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
    voice_is_private: bool = False
    display_is_private: bool = False
    preferences: Preferences = field(default_factory=Preferences)
    sound: Callable[[Iterable[str]], None] = lambda _: None
    hear_in: Callable[[str, str], bool] = lambda _, __: True

    def adopt(self, preferences: Preferences, renderer: Renderer) -> None:
        """Speak, listen, show and take keys by these preferences, in the renderer's language."""
        self.preferences = preferences
        self.speaker.take(preferences.voice)
        if self.private_voice:
            self.private_voice.take(preferences.voice)
        if self.microphone.talk not in (preferences.talk, NO_MICROPHONE):
            # If the table was broken from the start, the keys stay as they are.
            with contextlib.suppress(keys_of.KeysError):
                self.bindings = keys_of.load(push=preferences.talk == "push")
        self.microphone.adopt(push_to_talk=preferences.talk == "push", listens=preferences.listens)
        if self.panel:
            self.panel.adopt(renderer, self.bindings)

    @property
    def private(self) -> bool:
        """Whether there is a channel that reaches one player alone."""
        return bool(self.display_is_private or self.voice_is_private or self.private_voice)

    def be_silent(self) -> None:
        """Continue without the voice, which has failed."""
        self.speaker.close()
        self.speaker = SilentSpeaker()
        self.voice_is_private = False
        self.speech = Speech(self.speaker, self.on_spoken)

    def close(self) -> None:
        """Release every device."""
        with contextlib.ExitStack() as stack:
            for device in (
                self.recorder,
                self.private_voice,
                self.speaker,
                self.opponent,
                self.panel,
                self.listener,
                self.keyboard,
            ):
                if device:
                    stack.callback(device.close)


def install(part: str) -> str:
    """The command that installs a part, such as "voice", "vosk", "liblouis" or "engine"."""
    debian = shutil.which("apt-get") is not None
    if part in _EXTRAS:
        lines = (line.replace('"', "'") for line in requires("acessivel") or ())
        wanted = [found[0] for line in lines if f"'{part}'" in line and (found := re.match(r"[\w.-]+", line))]
        command = shlex.join([sys.executable, "-m", "pip", "install", *wanted])
        return f"{command} && {_APT} {_EXTRAS[part]}" if debian and _EXTRAS[part] else command
    if not debian:
        return _ADDRESSES[part]
    command = f"{_APT} {_PACKAGES[part]}"
    # A virtual environment sees Debian's Python bindings only if it was made with that option.
    bindings = part in ("liblouis", "brltty", "speechd") and sys.prefix != sys.base_prefix
    if bindings and "/usr/lib/python3/dist-packages" not in sys.path:
        return (
            f"{command} && /usr/bin/python3 -m venv --system-site-packages .venv && .venv/bin/pip install ."
        )
    return command


def display_remedy() -> Message:
    """How to make a missing Braille display available: start BRLTTY, or install it."""
    if shutil.which("brltty") and importlib.util.find_spec("brlapi"):
        return Message.of("remedy_start", how="sudo systemctl start brltty")
    return Message.of("remedy_install", how=install("brltty"))


def open_devices(
    settings: Settings,
    report: Report,
    write: Callable[[str], None],
    keys: TextIO | None,
    *,
    replay: bool = False,
) -> Devices:
    """Open every device that the settings ask for and this machine has; their events go to `report`.

    With `replay` the keys and words are those for stepping through a finished game.
    """
    missing: list[Message] = []
    speaker = open_speaker(settings, missing)

    def on_spoken(number: int) -> None:
        report(SpeechDone(number))

    devices = Devices(write, Speech(speaker, on_spoken), speaker, on_spoken)
    if settings.speak != "off":
        devices.sound = earcons.play
    devices.bindings = keys_of.load(push=settings.talk == "push", replay=replay)
    devices.private_voice = open_private(settings, missing)
    in_room = settings.room_output or settings.private_output
    devices.voice_is_private = settings.headphones and not in_room and not isinstance(speaker, SilentSpeaker)
    devices.keyboard = open_keyboard(keys or io.StringIO(), report)
    devices.inputs.add("keyboard")
    profile = profiles.load(settings)
    devices.least_yes = profile.yes if profile else 0.0
    devices.listener = _open_listener(
        settings, report, missing, replay_steps.words(settings.language).sounds if replay else {}
    )
    push_to_talk = settings.talk == "push"
    devices.microphone = MicrophoneGate(
        devices.listener,
        push_to_talk=push_to_talk,
        headphones=_hears_while_speaking(settings),
        confirm=settings.confirm,
    )
    named = earcons.parse(settings.earcons)
    devices.preferences = Preferences(settings.manner, settings.verbosity, named, devices.microphone.talk)
    if devices.listener:
        devices.inputs.add("microphone")
        devices.hear_in = partial(_hear_in, settings, devices.listener)
        if push_to_talk:
            missing.append(Message.of("talk_push"))
    display = open_display(settings, report, write, missing)
    if display:
        devices.panel = BraillePanel(
            display, settings.language, settings.convention, settings.code, devices.bindings
        )
        if display.name != "terminal":
            devices.inputs.add("display")
            devices.display_is_private = True
    if settings.opponent == "engine":
        program = find_engine(settings.engine or None)
        if program:
            devices.opponent = Opponent(program, settings.level, report)
        else:
            missing.append(Message.of("missing_engine", how=install("engine")))
    devices.missing = tuple(missing)
    return devices


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
        part = "speechd" if settings.speak == "speechd" else "voice"
        missing.append(Message.of("missing_voice", how=install(part)))
    return SilentSpeaker()


def open_recogniser(
    settings: Settings, profile: Profile | None = None, sounds: Sounds = MappingProxyType({})
) -> Recogniser:
    """The recogniser of the settings, or the best that works, with the network beside it.

    It listens for the pronunciations of a speaker's profile: the given one, else that of the settings; and
    for additional words, with their `sounds`. Raises MissingPartError if there is none.
    """
    if settings.hear == "network" and not sounds:
        return NetworkRecogniser()
    words = _open_words(settings, profile or profiles.load(settings), sounds)
    if sounds:  # the network has not been trained on them, and would reject them as other speech
        return words
    try:
        return JoinedRecogniser(words, NetworkRecogniser())
    except MissingPartError as error:
        _LOG.info("no network: %s", error.reason)
        return words


def _open_words(settings: Settings, profile: Profile | None, sounds: Sounds) -> Recogniser:
    """The recogniser of words: Vosk if there is a model, else pocketsphinx."""
    model = find_model(settings)
    spelled = grammar.spellings(settings.convention, settings.language)
    if settings.hear == "vosk":
        return VoskRecogniser(model or settings.folder / "models", spelled)
    if settings.hear == "auto" and model:
        try:
            return VoskRecogniser(model, spelled)
        except MissingPartError as error:
            _LOG.info("no vosk: %s", error.reason)
    words = all_sounds(grammar.pronunciations(settings.convention, settings.language), sounds)
    return PocketsphinxRecogniser(narrowed(words, profile))


def find_model(settings: Settings) -> Path | None:
    """The Vosk model: the configured one, else one for the language of the announcements, else the user's."""
    if settings.vosk_model:
        return find_vosk_model(_configured(settings), settings.language, ())
    spoken = phrasing(settings.convention, settings.language).language
    folders = (settings.folder / "models",)
    return find_vosk_model(None, spoken, folders) or find_vosk_model(None, settings.language, folders)


def _configured(settings: Settings) -> Path:
    return Path(settings.vosk_model).expanduser()


def _open_listener(
    settings: Settings, report: Report, missing: list[Message], sounds: Sounds
) -> Listener | None:
    if settings.hear == "keyboard":
        return None
    try:
        recogniser = open_recogniser(settings, sounds=sounds)
    except MissingPartError as error:
        _LOG.info("no recogniser: %s", error.reason)
        missing.append(hearing_missing(settings))
        return None
    if recogniser.unknown_words:
        missing.append(Message.of("unknown_to_model", words=", ".join(recogniser.unknown_words)))
    try:
        return Listener(
            open_source(settings.microphone or None),
            recogniser,
            report,
            Patience(settings.silence, settings.pause),
            barge_in=_hears_while_speaking(settings),
        )
    except (SoundError, MissingPartError) as error:
        _LOG.info("no microphone: %s", error.reason)
        recogniser.close()
        if is_recording(settings.microphone):
            missing.append(Message.of("bad_sound", file=settings.microphone))
        else:
            missing.append(Message.of("missing_microphone"))
        return None


def _hear_in(settings: Settings, listener: Listener, language: str, convention: str) -> bool:
    """Recognise another language or convention; False if its words cannot be recognised on this machine."""
    try:
        listener.hear_with(open_recogniser(replace(settings, language=language, convention=convention)))
    except (MissingPartError, UserError) as error:
        _LOG.info("no recogniser for %s %s: %s", language, convention, error)
        return False
    return True


def _hears_while_speaking(settings: Settings) -> bool:
    """Whether the player can be heard while the program speaks; a recording cannot interrupt."""
    return settings.headphones and not is_recording(settings.microphone)


def hearing_missing(settings: Settings) -> Message:
    """What to do about a recogniser that cannot be used."""
    if settings.hear == "vosk" and importlib.util.find_spec("vosk"):
        if settings.vosk_model:
            return Message.of("missing_model", folder=str(_configured(settings)), file=str(file_path()))
        return Message.of("get_model", folder=str(settings.folder / "models"), file=str(file_path()))
    return Message.of("missing_hearing", how=install("vosk" if settings.hear == "vosk" else "voice"))


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
