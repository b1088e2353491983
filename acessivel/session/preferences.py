# SPDX-License-Identifier: GPL-3.0-or-later
"""How the program speaks, tells, sounds and listens, and how a command changes and confirms it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from acessivel.message import Message
from acessivel.messages.rendering import VERBOSITIES
from acessivel.session.effects import Adopt
from acessivel.session.events import DeviceNews, Mannered
from voices.meaning import PREFERENCES, Command, CommandName
from voices.sound import earcons
from voices.speakers.manner import Manner, stepped, within
from voices.understanding.meanings import read

_STEPS: Mapping[CommandName, tuple[str, bool]] = {
    CommandName.FASTER: ("rate", True),
    CommandName.SLOWER: ("rate", False),
    CommandName.HIGHER: ("pitch", True),
    CommandName.LOWER: ("pitch", False),
    CommandName.LOUDER: ("volume", True),
    CommandName.SOFTER: ("volume", False),
}
_WORDS: Mapping[CommandName, int] = {CommandName.MORE_WORDS: 1, CommandName.FEWER_WORDS: -1}
_TALK: Mapping[CommandName, str] = {
    CommandName.HANDS_FREE: "hands-free",
    CommandName.PUSH_TO_TALK: "push",
}
NO_MICROPHONE = "none"
UNHEARD = (CommandName.STOP_LISTENING, CommandName.PUSH_TO_TALK)
"""Commands after which no voice alone can order anything."""
_DEVICES: Mapping[str, str] = {
    "microphone_lost": NO_MICROPHONE,
    "hearing_lost": NO_MICROPHONE,
    "microphone_back": "hands-free",
    "microphone_back_push": "push",
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """How the program speaks, tells, sounds and listens."""

    voice: Manner = field(default_factory=Manner)
    """The rate, the pitch and the volume of the voice, in percent."""
    verbosity: str = "normal"
    """How long the sentences are: "brief", "normal" or "full"."""
    earcons: tuple[str, ...] = earcons.NAMES
    """The earcons in use, by name."""
    talk: str = NO_MICROPHONE
    """How the microphone is opened: "hands-free", "push", or "none" if there is none."""
    listens: bool = True
    """Whether speech is listened to."""
    rates: tuple[int, ...] = ()
    """The least and the most percent at which this run's voice still changes its rate; empty if unknown."""
    pitches: tuple[int, ...] = ()
    """The same of its pitch."""
    voiced: bool = True
    """Whether a voice and sounds are wanted in this run at all."""


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """The preferences after a command, what confirms them, and what the devices adopt."""

    preferences: Preferences
    told: tuple[Message, ...]
    adopt: tuple[Adopt, ...] = ()


def begun(event: Mannered) -> Preferences:
    """The preferences at the beginning of a run."""
    voice = Manner(event.rate, event.pitch, event.volume)
    return Preferences(
        voice,
        event.verbosity,
        event.earcons,
        event.talk,
        event.listens,
        event.rates,
        event.pitches,
        event.voiced,
    )


def after(preferences: Preferences, news: DeviceNews) -> Preferences:
    """The preferences after a device was lost, or is back."""
    return replace(preferences, talk=_DEVICES.get(news.key, preferences.talk))


def change(preferences: Preferences, command: CommandName) -> PreferenceChange | None:
    """Carry out one of PREFERENCES; None for another command."""
    if command in _STEPS:
        return _audible(_spoken(preferences, *_STEPS[command]))
    if command in _WORDS:
        return _told(preferences, _WORDS[command])
    if command is CommandName.SOUNDS:
        sounding = _sounding(preferences)
        return _audible(sounding) if sounding.preferences.earcons else sounding
    if command in PREFERENCES:
        return _listening(preferences, command)
    return None


def _audible(change: PreferenceChange) -> PreferenceChange:
    """Say with a change that cannot be heard in this run how it could be."""
    if change.preferences.voiced:
        return change
    return replace(change, told=(*change.told, Message.of("voice_off")))


def _spoken(preferences: Preferences, name: str, up: bool) -> PreferenceChange:  # from the table
    """Change rate, pitch or volume by one step, as far as the voice can."""
    now = getattr(preferences.voice, name)
    limits = {"rate": preferences.rates, "pitch": preferences.pitches}.get(name, ())
    value = stepped(name, now, up=up, limits=limits)
    if value is None:
        limit = Message.of(f"voice_{name}", percent=within(name, now, limits))
        return PreferenceChange(preferences, (Message.of("voice_no_further", now=limit),))
    preferences = replace(preferences, voice=replace(preferences.voice, **{name: value}))
    told = (Message.of(f"voice_{name}", percent=value),)
    return PreferenceChange(preferences, told, (Adopt(name, value),))


def _told(preferences: Preferences, step: int) -> PreferenceChange:
    """Tell more words or fewer."""
    number = VERBOSITIES.index(preferences.verbosity) + step
    if number not in range(len(VERBOSITIES)):
        now = Message.of(f"voice_words_{preferences.verbosity}")
        return PreferenceChange(preferences, (Message.of("voice_no_further", now=now),))
    verbosity = VERBOSITIES[number]
    told = (Message.of(f"voice_words_{verbosity}"),)
    return PreferenceChange(replace(preferences, verbosity=verbosity), told, (Adopt("verbosity", verbosity),))


def _sounding(preferences: Preferences) -> PreferenceChange:
    """Turn all earcons off, or all on."""
    names = () if preferences.earcons else earcons.NAMES
    told = (Message.of("earcons_on" if names else "earcons_off"),)
    return PreferenceChange(
        replace(preferences, earcons=names), told, (Adopt("earcons", earcons.written(names)),)
    )


def _listening(preferences: Preferences, command: CommandName) -> PreferenceChange:
    """Change how the microphone is opened, or whether it is open at all."""
    if preferences.talk == NO_MICROPHONE:
        nothing = (Message.of("listening_nothing"),)
        if preferences.listens or command is CommandName.STOP_LISTENING:
            return PreferenceChange(preferences, nothing)
        return PreferenceChange(replace(preferences, listens=True), nothing, (Adopt(),))
    if command is CommandName.STOP_LISTENING:
        stopped = (Message.of("listening_stopped"),)
        return PreferenceChange(replace(preferences, listens=False), stopped, (Adopt(),))
    talk = _TALK.get(command, preferences.talk)
    told = (Message.of("talk_push" if talk == "push" else "listening_free"),)
    kept = Adopt("talk", talk) if command in _TALK else Adopt()
    return PreferenceChange(replace(preferences, talk=talk, listens=True), told, (kept,))


def preference(text: str, language: str, convention: str) -> CommandName | None:
    """The one of PREFERENCES that was typed outside a game, if it was one."""
    commands = (r.meaning for r in read(text, language, convention) if r.likely)
    return next((c.name for c in commands if isinstance(c, Command) and c.name in PREFERENCES), None)
