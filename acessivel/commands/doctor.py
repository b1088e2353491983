# SPDX-License-Identifier: GPL-3.0-or-later
"""`acessivel doctor`: tests every part for real, and tells whether it works and how to mend it."""

from __future__ import annotations

import argparse
import contextlib
import os
import queue
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from acessivel.app.patience import patiently
from acessivel.commands.device_settings import device_settings_of
from acessivel.commands.output import write_line
from acessivel.devices.devices import braille_works, open_speaker
from acessivel.devices.engine import Opponent, find_engine
from acessivel.devices.installation import display_remedy, engine_missing, install
from acessivel.devices.recogniser import (
    find_model,
    hearing_missing,
    open_recogniser,
    wrong_microphone,
)
from acessivel.dialogue.interpretation import hear_words
from acessivel.game.game import Game, Setup
from acessivel.message import Message
from acessivel.messages.rendering import Renderer
from acessivel.rules.position import Position
from acessivel.session.events import EngineMoved, Event
from acessivel.settings import profiles
from acessivel.settings.settings import Settings
from acessivel.storage.journal import Journal
from acessivel.storage.journal_errors import JournalError
from braille import liblouis
from braille.displays import DisplayMissingError, brlapi
from voices.grammar import grammar
from voices.hearing.profile import Profile
from voices.packages import MissingPartError
from voices.sound.level import DEAD_S, Meter, room_dbfs
from voices.sound.outputs import outputs
from voices.sound.source import BLOCK_MS, SoundError, Source, microphones, open_source, read_wav
from voices.speakers import Span, Speaker, SpeakerFailedError, SpeakerMissingError
from voices.speakers.speech import Speech
from voices.speakers.synthesis import synthesise
from voices.words.conventions import DEFAULT

_PATIENCE_S = 20.0  # for a voice and an engine to answer
_LISTEN_BLOCKS = 20  # 0.6 s
_MUCH_LOUDER_DB = 10  # than when the speaker was enrolled
_WORDS = "Springer Gustav eins Felix drei"


@dataclass(frozen=True, slots=True)
class Finding:
    """A part, whether it works, and what to tell about it."""

    part: str
    works: bool
    message: Message


def _found(part: str, detail: str | Message) -> Finding:
    return Finding(part, True, Message.of("doctor_works", part=Message.of(f"part_{part}"), detail=detail))


def _broken(part: str, remedy: Message) -> Finding:
    return Finding(part, False, Message.of("doctor_broken", part=Message.of(f"part_{part}"), remedy=remedy))


def _remedy(how: str) -> Message:
    return Message.of("remedy_install", how=how)


def run(options: argparse.Namespace) -> int:
    """Tell for every part whether it works; returns 1 if no game can be played."""
    settings = device_settings_of(options)
    renderer = Renderer(settings.language)
    findings = []
    for finding in examine(settings):
        write_line(renderer.text(finding.message))
        findings.append(finding)
    able = playable(findings)
    write_line(renderer.text(Message.of("doctor_playable" if able else "doctor_not_playable")))
    return 0 if able else 1


def examine(settings: Settings) -> Iterator[Finding]:
    """Test one part after the other; yields each finding at once, and says what is tried if it takes long."""
    checks: Mapping[str, Callable[[Settings], Finding]] = {
        "keyboard": _keyboard,
        "microphone": _microphone,
        "pocketsphinx": _pocketsphinx,
        "vosk": _vosk,
        "voice": _voice,
        "liblouis": _liblouis,
        "display": _display,
        "engine": _engine,
        "folder": _folder,
    }
    if gone := profiles.gone(settings):
        settings = replace(settings, profile=profiles.NONE)
    for part, check in checks.items():
        trying = Message.of("doctor_tries", part=Message.of(f"part_{part}"))
        with patiently(settings, aloud=False, message=trying):
            finding = check(settings)
        yield finding
    if wrong := gone or profiles.broken(settings):
        yield Finding("profile", False, wrong)
    if profiles.is_damaged(settings):
        yield Finding("profile", False, profiles.damaged(settings))


def playable(findings: list[Finding]) -> bool:
    """Whether a game can be played: a way to announce moves, and a place to store them."""
    works = {finding.part for finding in findings if finding.works}
    by_voice = "microphone" in works and bool(works & {"pocketsphinx", "vosk"})
    by_display = {"display", "liblouis"} <= works
    return "folder" in works and ("keyboard" in works or by_voice or by_display)


def _keyboard(_: Settings) -> Finding:
    if sys.stdin.closed:
        return _broken("keyboard", Message.of("remedy_terminal"))
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if sys.stdin.isatty() or stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode):
        return _found("keyboard", "stdin")
    return _broken("keyboard", Message.of("remedy_terminal"))


def _microphone(settings: Settings) -> Finding:
    """Listen to any sound, or to a whole recording; tells its peak."""
    try:
        source = open_source(settings.microphone or None)
        try:
            blocks = _heard(source, settings)
        finally:
            source.close()
    except SoundError as error:
        return _broken("microphone", wrong_microphone(settings, error) or Message.of("remedy_microphone"))
    meter = _measured(blocks)
    if meter.dead:
        return _broken("microphone", Message.of("remedy_silence"))
    detail = _room(f"{meter.peak:.0f} dBFS", round(room_dbfs(blocks)), profiles.load(settings))
    names = ", ".join(microphones())
    return _found(
        "microphone", Message.of("microphone_inputs", detail=detail, inputs=names) if names else detail
    )


def _heard(source: Source, settings: Settings) -> list[bytes]:
    """What is heard in 0.6 s, or of a whole recording; after a silence, when somebody speaks within 5 s.

    Headsets and noise suppression give no sound at all while nobody speaks.
    """
    sound = iter(source)
    blocks = list(islice(sound, None if source.waits else _LISTEN_BLOCKS))
    if source.waits or not _measured(blocks).dead:
        return blocks
    write_line(Renderer(settings.language).text(Message.of("doctor_speak")))
    for block in islice(sound, round(DEAD_S * 1000 / BLOCK_MS)):
        if not _measured([block]).dead:
            return [block, *islice(sound, _LISTEN_BLOCKS)]
    return blocks


def _measured(blocks: list[bytes]) -> Meter:
    """All of these, which are dead if they are silent from the first to the last."""
    meter = Meter(dead_s=len(blocks) * BLOCK_MS / 1000)
    for block in blocks:
        meter.take(block, speech=False)
    return meter


def _room(loudest: str, level: int, profile: Profile | None) -> str | Message:
    """How loud the room is, and whether it was that loud at the enrolment."""
    if profile is None:
        return loudest
    louder = level - round(profile.noise_db)
    key = "room_louder" if louder > _MUCH_LOUDER_DB else "room_as_enrolled"
    return Message.of(key, loudest=loudest, level=level, before=round(profile.noise_db))


def _pocketsphinx(settings: Settings) -> Finding:
    """Recognise an announcement that espeak-ng speaks; without espeak-ng, only load the recogniser."""
    # The words for the synthetic voice, without any speaker's profile.
    settings = replace(settings, hear="pocketsphinx", convention=DEFAULT, profile=profiles.NONE)
    try:
        recogniser = open_recogniser(settings)
    except MissingPartError:
        return _broken("pocketsphinx", _remedy(install("voice")))
    try:
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder) / "utterance.wav"
            synthesise(_WORDS, recording)
            audio = read_wav(recording)
        words = (settings.convention, settings.language)
        heard = hear_words(recogniser, audio, Position.start(), *words)
    except (SpeakerMissingError, SoundError):
        return _found("pocketsphinx", recogniser.name)
    finally:
        recogniser.close()
    if heard.readings[:1] != (grammar.plain_phrase(_WORDS),):
        return _broken("pocketsphinx", Message.of("remedy_misheard", heard=", ".join(heard.readings) or "-"))
    return _found("pocketsphinx", heard.readings[0])


def _vosk(settings: Settings) -> Finding:
    model = find_model(settings)
    try:
        open_recogniser(replace(settings, hear="vosk")).close()
    except MissingPartError:
        remedy = hearing_missing(replace(settings, hear="vosk"), "remedy_install")
        return _broken("vosk", Message.of("remedy_optional", remedy=remedy))
    return _found("vosk", str(model))


def _voice(settings: Settings) -> Finding:
    """Speak with the voice of the settings; where that is off, only open the best one."""
    missing: list[Message] = []
    silent = settings.speak == "off"
    speaker = open_speaker(replace(settings, speak="auto") if silent else settings, missing)
    if missing:
        return _broken("voice", missing[0])
    try:
        spoke = silent or _spoken(speaker, Span("acessivel", settings.language))
    finally:
        speaker.close()
    if not spoke:
        return _broken("voice", _remedy(install("voice")))
    names = ", ".join(output.name for output in outputs())
    return _found(
        "voice", Message.of("voice_outputs", name=speaker.name, outputs=names) if names else speaker.name
    )


def _spoken(speaker: Speaker, span: Span) -> bool:
    """Whether a voice says something to its end."""
    ended = threading.Event()
    try:
        Speech(speaker, lambda _: ended.set()).say((span,))
    except SpeakerFailedError:
        return False
    return ended.wait(_PATIENCE_S) and not speaker.failed


def _liblouis(settings: Settings) -> Finding:
    if not braille_works(settings.language, settings.code):
        return _broken("liblouis", _remedy(install("liblouis")))
    return _found("liblouis", liblouis.version())


def _display(_: Settings) -> Finding:
    try:
        size = brlapi.probe()
    except DisplayMissingError:
        return _broken("display", display_remedy())
    return _found("display", f"{size.rows} x {size.columns}")


def _engine(settings: Settings) -> Finding:
    remedy = engine_missing(settings) if settings.engine else _remedy(install("engine"))
    program = find_engine(settings.engine or None)
    if program is None:
        return _broken("engine", remedy)
    answers: queue.SimpleQueue[Event] = queue.SimpleQueue()
    opponent = Opponent(program, settings.level, answers.put)
    opponent.ask_move(Game.new(Setup()), 0)
    try:
        answer: Event | None = answers.get(timeout=_PATIENCE_S)
    except queue.Empty:
        answer = None
    opponent.close()
    return _found("engine", program) if isinstance(answer, EngineMoved) else _broken("engine", remedy)


def _folder(settings: Settings) -> Finding:
    try:
        with contextlib.closing(Journal(settings.folder)) as journal:
            journal.try_writing()
    except JournalError:
        return _broken("folder", Message.of("remedy_folder", folder=str(settings.folder)))
    return _found("folder", str(settings.folder))
