# SPDX-License-Identifier: GPL-3.0-or-later
"""The recogniser that the settings ask for and this machine has, and the microphone that it hears."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from acessivel.devices.installation import install
from acessivel.errors import UserError
from acessivel.message import Message
from acessivel.settings import profiles
from acessivel.settings.command_line import command
from acessivel.settings.settings import Settings, user_path
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
from voices.sound.source import (
    NoSuchMicrophoneError,
    NoSuchRecordingError,
    SoundError,
    SoundMissingError,
    is_recording,
    microphones,
    open_source,
)
from voices.words.lexicon import Sounds, all_sounds
from voices.words.phrasing import phrasing

_LOG = logging.getLogger(__name__)

Report = Callable[[Any], None]


def open_recogniser(
    settings: Settings,
    profile: Profile | None = None,
    sounds: Sounds = MappingProxyType({}),
    corrections: Sequence[Any] = (),
) -> Recogniser:
    """The recogniser of the settings, or the best that works, with the network beside it.

    It listens for the pronunciations of a speaker's profile and with his corrections: the given ones, else
    those of the settings; and for additional words, with their `sounds`. Raises MissingPartError if there is
    none.
    """
    if profile is None and (learnt := profiles.learnt(settings)):
        corrections = learnt.corrections
    if settings.hear == "network" and not sounds:
        return _network(corrections)
    words = _open_words(settings, profile or profiles.load(settings), sounds)
    if sounds:  # the network has not been trained on them, and would reject them as other speech
        return words
    try:
        return JoinedRecogniser(words, _network(corrections))
    except MissingPartError as error:
        _LOG.info("no network: %s", error.reason)
        return words


def _network(corrections: Sequence[Any]) -> NetworkRecogniser:
    network = NetworkRecogniser()
    network.correct(corrections)
    return network


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
    return user_path(settings.vosk_model)


def open_listener(
    settings: Settings, report: Report, missing: list[Message], sounds: Sounds
) -> Listener | None:
    """A listener at the microphone; None if nobody is to be heard, or a part is missing, named in `missing`.

    `sounds` are pronunciations of words beside those of the convention.
    """
    if settings.hear == "keyboard":
        return None
    try:
        recogniser = open_recogniser(settings, sounds=sounds)
    except MissingPartError as error:
        _LOG.info("no recogniser: %s", error.reason)
        missing.append(hearing_missing(settings))
        return None
    model = find_model(settings) if settings.hear == "auto" and importlib.util.find_spec("vosk") else None
    if model and "vosk" not in recogniser.name:
        missing.append(_damaged(settings, model))
    if recogniser.unknown_words:
        missing.append(Message.of("unknown_to_model", words=", ".join(recogniser.unknown_words)))
    try:
        name = settings.microphone or None
        return Listener(
            open_source(name),
            recogniser,
            report,
            Patience(settings.silence, settings.pause),
            None if is_recording(settings.microphone) else partial(open_source, name),
        )
    except (SoundError, MissingPartError) as error:
        _LOG.info("no microphone: %s", error.reason)
        recogniser.close()
        missing.append(wrong_microphone(settings, error) or Message.of("missing_microphone"))
        return None


def wrong_microphone(settings: Settings, error: Exception) -> Message | None:
    """What is wrong with the microphone of the settings: their name or file, or what sound needs."""
    if isinstance(error, SoundMissingError | MissingPartError):
        return Message.of("missing_sound", how=install("voice"))
    if is_recording(settings.microphone):
        return bad_recording(settings.microphone, error)
    if isinstance(error, NoSuchMicrophoneError) and (names := microphones()):
        return Message.of("bad_microphone", name=settings.microphone, inputs=", ".join(names))
    return None


def bad_recording(file: str, error: Exception) -> Message:
    """What is wrong with a recording that cannot be heard: it is not there, or no sound."""
    return Message.of("no_sound_file" if isinstance(error, NoSuchRecordingError) else "bad_sound", file=file)


def hear_in(settings: Settings, listener: Listener, language: str, convention: str, sounds: Sounds) -> bool:
    """Recognise another language or convention, with further words; False if that cannot be done here.

    A profile that has gone meanwhile is no reason not to.
    """
    settings = replace(settings, language=language, convention=convention)
    for each in dict.fromkeys((settings.profile, profiles.NONE)):
        try:
            listener.hear_with(open_recogniser(replace(settings, profile=each), sounds=sounds))
        except (MissingPartError, UserError) as error:
            _LOG.info("no recogniser for %s %s: %s", language, convention, error)
        else:
            return True
    return False


def hears_while_speaking(settings: Settings) -> bool | None:
    """Whether the player is heard while the program speaks; None if that is to be found out.

    A recording cannot interrupt.
    """
    if is_recording(settings.microphone) or settings.interrupt == "off":
        return False
    return True if settings.headphones or settings.interrupt == "on" else None


def hearing_missing(settings: Settings, sentence: str = "missing_hearing") -> Message:
    """What to do about a recogniser that cannot be used; `sentence` tells how to install it."""
    if settings.hear == "vosk" and importlib.util.find_spec("vosk"):
        if model := find_model(settings):
            return _damaged(settings, model)
        if settings.vosk_model:
            return Message.of("missing_model", folder=str(_configured(settings)))
        get = command("models", None, settings, "get")
        return Message.of("get_model", folder=str(settings.folder / "models"), get=get)
    return Message.of(sentence, how=install("vosk" if settings.hear == "vosk" else "voice"))


def _damaged(settings: Settings, model: Path) -> Message:
    """What to do about a Vosk model that is there, and cannot be loaded."""
    if model.parent != settings.folder / "models":
        return Message.of("damaged_own_model", model=str(model))
    remove, get = (
        command("models", None, settings, *words) for words in (("remove", model.name), ("get", model.name))
    )
    return Message.of("damaged_model", model=model.name, remove=remove, get=get)
